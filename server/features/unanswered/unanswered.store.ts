import { sql } from 'kysely';
import type { Db, Trx } from '../../infra/db.ts';
import { containing, type Position } from '../../infra/page.ts';
import type { UnansweredCaseTable, UnansweredTable } from './unanswered.tables.ts';

export const findRow = (db: Db | Trx, workspace: string, uuid: string) =>
  db
    .selectFrom('unanswered')
    .selectAll()
    .where('uuid', '=', uuid)
    .where('workspace', '=', workspace)
    .executeTakeFirst();

export function listRows(
  db: Db,
  {
    workspace,
    status,
    bot,
    q,
    limit,
    after,
  }: {
    workspace: string;
    status: UnansweredTable['status'];
    bot: string | undefined;
    q: string | undefined;
    limit: number;
    after: Position | undefined;
  },
): Promise<UnansweredTable[]> {
  let query = db.selectFrom('unanswered').selectAll().where('workspace', '=', workspace).where('status', '=', status);
  if (bot) query = query.where('bot', '=', bot);
  if (q) query = query.where(sql<boolean>`lower(question) like ${containing(q)} escape '\\'`);
  if (after) query = query.where(sql<boolean>`(updated_at, uuid) < (${Number(after.at)}, ${after.uuid})`);
  return query
    .orderBy('updated_at', 'desc')
    .orderBy('uuid', 'desc')
    .limit(limit + 1)
    .execute();
}

/** The newest of a bot, to find those alike among. */
export const listLately = (trx: Trx, bot: string, limit: number) =>
  trx
    .selectFrom('unanswered')
    .select(['uuid', 'terms', 'count', 'status'])
    .where('bot', '=', bot)
    .orderBy('updated_at', 'desc')
    .limit(limit)
    .execute();

export const insertRow = (trx: Trx, row: UnansweredTable) => trx.insertInto('unanswered').values(row).execute();

export const updateRow = (db: Db | Trx, uuid: string, changes: Partial<UnansweredTable>) =>
  db.updateTable('unanswered').set(changes).where('uuid', '=', uuid).execute();

/** False where the message is known already. */
export async function insertCase(trx: Trx, row: UnansweredCaseTable): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('unanswered_case')
    .values(row)
    .onConflict((conflict) => conflict.column('message').doNothing())
    .executeTakeFirst();
  return (numInsertedOrUpdatedRows ?? 0n) > 0n;
}

export const isKnown = async (db: Db | Trx, message: string): Promise<boolean> =>
  (await db.selectFrom('unanswered_case').select('message').where('message', '=', message).executeTakeFirst()) !==
  undefined;

export const listCases = (db: Db, unanswered: string, limit: number) =>
  db
    .selectFrom('unanswered_case')
    .selectAll()
    .where('unanswered', '=', unanswered)
    .orderBy('created_at', 'desc')
    .limit(limit)
    .execute();
