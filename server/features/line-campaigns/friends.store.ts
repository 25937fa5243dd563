import type { Db, Trx } from '../../infra/db.ts';
import { hashSecret } from '../../infra/sealed.ts';
import type { LineReachTable, LineTakeOverTable } from './line-campaigns.tables.ts';

export const findReach = (db: Db, channel: string) =>
  db.selectFrom('line_reach').selectAll().where('channel', '=', channel).executeTakeFirst();

/** True for whoever is to ask LINE how many friends there are: one in so long. */
export async function takeReach(db: Db, channel: string, { now, everyMs }: { now: number; everyMs: number }) {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('line_reach')
    .values({ channel, asked_at: now, day: null, reached: null })
    .onConflict((conflict) =>
      conflict
        .column('channel')
        .doUpdateSet({ asked_at: now })
        .where('line_reach.asked_at', '<=', now - everyMs),
    )
    .executeTakeFirst();
  return (numInsertedOrUpdatedRows ?? 0n) > 0n;
}

export const updateReach = (db: Db, channel: string, changes: Pick<LineReachTable, 'day' | 'reached'>) =>
  db.updateTable('line_reach').set(changes).where('channel', '=', channel).execute();

export const findTakeOver = (db: Db | Trx, channel: string) =>
  db.selectFrom('line_take_over').selectAll().where('channel', '=', channel).executeTakeFirst();

/** False where one is under way. */
export async function beginTakeOver(trx: Trx, channel: string): Promise<boolean> {
  const begun = {
    state: 'running',
    reason: null,
    cursor: null,
    found: 0,
    added: 0,
    started_at: Date.now(),
    ended_at: null,
  } as const;
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('line_take_over')
    .values({ channel, ...begun })
    .onConflict((conflict) =>
      conflict.column('channel').doUpdateSet(begun).where('line_take_over.state', '<>', 'running'),
    )
    .executeTakeFirst();
  return (numInsertedOrUpdatedRows ?? 0n) > 0n;
}

export const updateTakeOver = (db: Db | Trx, channel: string, changes: Partial<LineTakeOverTable>) =>
  db.updateTable('line_take_over').set(changes).where('channel', '=', channel).execute();

/** Keeps it, and its channel, until the transaction ends. False where it is over, or gone with its channel. */
export async function countAdded(trx: Trx, channel: string, added: number): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('line_take_over')
    .set(({ eb, ref }) => ({ added: eb(ref('added'), '+', added) }))
    .where('channel', '=', channel)
    .where('state', '=', 'running')
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export const keepErased = (trx: Trx, channel: string, external: string) =>
  trx
    .insertInto('line_erased')
    .values({ channel, digest: hashSecret(external) })
    .onConflict((conflict) => conflict.doNothing())
    .execute();

/** Those of them who were erased. */
export async function listErased(db: Db | Trx, channel: string, externals: string[]): Promise<Set<string>> {
  const known = new Map(externals.map((external) => [hashSecret(external), external]));
  const rows = await db
    .selectFrom('line_erased')
    .select('digest')
    .where('channel', '=', channel)
    .where('digest', 'in', [...known.keys()])
    .execute();
  return new Set(rows.flatMap(({ digest }) => known.get(digest) ?? []));
}
