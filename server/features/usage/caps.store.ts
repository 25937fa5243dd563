import { sql } from 'kysely';
import type { Db, Trx } from '../../infra/db.ts';
import type { CreditCapTable } from './usage.tables.ts';

export const listCapRows = (db: Db | Trx, workspace: string) =>
  db.selectFrom('credit_cap').selectAll().where('workspace', '=', workspace).orderBy('created_at').execute();

export const findCapRow = (db: Db | Trx, uuid: string) =>
  db.selectFrom('credit_cap').selectAll().where('uuid', '=', uuid).executeTakeFirst();

/** Of the same thing and span there is one: it takes the place of the former. */
export const putCapRow = (trx: Trx, row: CreditCapTable) =>
  trx
    .insertInto('credit_cap')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['workspace', 'kind', 'target', 'span']).doUpdateSet({
        credits: row.credits,
        timezone: row.timezone,
        used: row.used,
        used_span: row.used_span,
        updated_at: row.updated_at,
        warned: null,
      }),
    )
    .returningAll()
    .executeTakeFirstOrThrow();

export const deleteCapRow = (trx: Trx, uuid: string) => trx.deleteFrom('credit_cap').where('uuid', '=', uuid).execute();

/** Adds to what was used in a span; of an earlier one nothing is left. */
export const addToCap = (trx: Trx, uuid: string, { span, amount }: { span: string; amount: number }) =>
  trx
    .updateTable('credit_cap')
    .set({
      used: sql<number>`case when used_span = ${span} then used else 0 end + cast(${amount} as bigint)`,
      used_span: span,
    })
    .where('uuid', '=', uuid)
    .execute();

/** True for whoever notes first that a span was warned of. */
export const markWarned = async (trx: Trx, uuid: string, span: string) =>
  (
    await trx
      .updateTable('credit_cap')
      .set({ warned: span })
      .where('uuid', '=', uuid)
      .where((where) => where.or([where('warned', 'is', null), where('warned', '<>', span)]))
      .executeTakeFirst()
  ).numUpdatedRows === 1n;

/** Workspaces that have caps, in their order. */
export const listCapped = async (db: Db, after: string | undefined, limit: number): Promise<string[]> =>
  (
    await db
      .selectFrom('credit_cap')
      .select('workspace')
      .distinct()
      .$if(after !== undefined, (query) => query.where('workspace', '>', after ?? ''))
      .orderBy('workspace')
      .limit(limit)
      .execute()
  ).map(({ workspace }) => workspace);

/** What answers on their way may cost at most. */
export async function sumHeld(
  db: Db | Trx,
  workspace: string,
  column: 'bot' | 'member' | 'channel_id' | 'api_key' | undefined,
  target: string,
): Promise<number> {
  const { held } = await db
    .selectFrom('credit_hold')
    .select((select) => select.fn.sum<number | string | null>('amount').as('held'))
    .where('workspace', '=', workspace)
    .$if(column !== undefined, (query) => query.where(sql.ref(column ?? ''), '=', target))
    .executeTakeFirstOrThrow();
  return Number(held ?? 0);
}
