import { sql } from 'kysely';
import { prepareInsert, prepareQuery, type Db, type Trx } from '../../infra/db.ts';
import type { CreditAccountTable, CreditGrantTable, CreditHoldTable } from './usage.tables.ts';
import type { Position } from '../../infra/page.ts';

type Any = Db | Trx;

const findAccounts = prepareQuery((db, { workspace }: { workspace: string }) =>
  db.selectFrom('credit_account').selectAll().where('workspace', '=', workspace),
);

export const findAccount = async (db: Any, workspace: string) => (await findAccounts(db, { workspace }))[0];

export const insertClaim = (trx: Trx, claim: CreditGrantTable) =>
  trx
    .insertInto('credit_grant')
    .values(claim)
    .onConflict((conflict) => conflict.doNothing())
    .execute();

export const findClaim = (trx: Trx, claim: string) =>
  trx.selectFrom('credit_grant').selectAll().where('claim', '=', claim).executeTakeFirst();

export const deleteClaim = (trx: Trx, claim: string) =>
  trx.deleteFrom('credit_grant').where('claim', '=', claim).execute();

/** True for whoever opened it. */
export const insertAccount = async (db: Any, account: CreditAccountTable) =>
  (
    await db
      .insertInto('credit_account')
      .values(account)
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst()
  ).numInsertedOrUpdatedRows === 1n;

/** One conditional update: two answers cannot set the same credits aside. */
export const reserveCredits = async (trx: Trx, workspace: string, amount: number) =>
  (
    await trx
      .updateTable('credit_account')
      .set((to) => ({ reserved: to('reserved', '+', amount) }))
      .where('workspace', '=', workspace)
      .where((where) => where(sql<number>`balance - reserved`, '>=', amount))
      .executeTakeFirst()
  ).numUpdatedRows === 1n;

/** Frees what was set aside, takes what it cost, and says what is left. */
export const spendCredits = async (trx: Trx, workspace: string, { free, cost }: { free: number; cost: number }) =>
  (
    await trx
      .updateTable('credit_account')
      .set((to) => ({ reserved: to('reserved', '-', free), balance: to('balance', '-', cost) }))
      .where('workspace', '=', workspace)
      .returning('balance')
      .executeTakeFirst()
  )?.balance;

export const insertHold = (trx: Trx, hold: CreditHoldTable) => trx.insertInto('credit_hold').values(hold).execute();

export const holdMore = async (trx: Trx, message: string, amount: number) =>
  (
    await trx
      .updateTable('credit_hold')
      .set((to) => ({ amount: to('amount', '+', amount) }))
      .where('message', '=', message)
      .executeTakeFirst()
  ).numUpdatedRows === 1n;

const deleteHolds = prepareQuery((trx, { message }: { message: string }) =>
  trx.deleteFrom('credit_hold').where('message', '=', message).returning(['workspace', 'amount']),
);

export const deleteHold = async (trx: Trx, message: string) => (await deleteHolds(trx, { message }))[0];

export const listOldHolds = (db: Db, before: number) =>
  db
    .selectFrom('credit_hold')
    .select('message')
    .where('created_at', '<', before)
    .orderBy('created_at')
    .limit(500)
    .execute();

export const insertEntry = prepareInsert('token_entry', {
  uuid: true,
  created_at: true,
  workspace: true,
  kind: true,
  amount: true,
  balance: true,
  message: true,
  thread: true,
  bot: true,
  bot_name: true,
  user: true,
  api_key: true,
  channel: true,
  service: true,
  service_name: true,
  provider: true,
  model: true,
  model_key: true,
  own_key: true,
  price: true,
  tokens_in: true,
  tokens_out: true,
  tokens_cached: true,
  tokens_cache_written: true,
  latency_ms: true,
  first_token_ms: true,
  note: true,
});

export function listEntries(
  db: Db,
  {
    workspace,
    bot,
    limit,
    after,
  }: { workspace: string; bot: string | undefined; limit: number; after: Position | undefined },
) {
  let query = db.selectFrom('token_entry').selectAll().where('workspace', '=', workspace);
  if (bot) query = query.where('bot', '=', bot);
  if (after) query = query.where(sql<boolean>`(created_at, uuid) < (${Number(after.at)}, ${after.uuid})`);
  return query
    .orderBy('created_at', 'desc')
    .orderBy('uuid', 'desc')
    .limit(limit + 1)
    .execute();
}
