import { sql } from 'kysely';
import { prepareInsert, prepareQuery, type Db, type Trx } from '../../infra/db.ts';
import type {
  CreditAccountTable,
  CreditGrantTable,
  CreditHoldTable,
  CreditPurchaseTable,
  CreditRequestTable,
  TokenEntryTable,
} from './usage.tables.ts';
import { hourMs } from '../../feature.ts';
import { quarterMs } from '../../infra/days.ts';
import type { Position } from '../../infra/page.ts';
import { usesOf, type Dimension, type UseFilter } from './sums.store.ts';

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

/** Until the transaction ends, no answer of the workspace that costs something begins or ends. */
export const lockAccount = (trx: Trx, workspace: string) =>
  trx
    .updateTable('credit_account')
    .set((to) => ({ balance: to.ref('balance') }))
    .where('workspace', '=', workspace)
    .execute();

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

/** Micro-credits that the answers of a channel cost since a moment, and those on their way may cost at most. */
export async function sumOfChannel(db: Any, channelId: string, since: number): Promise<number> {
  const [used, held] = await Promise.all([
    db
      .selectFrom('token_entry')
      .select((select) => select.fn.sum<number | string | null>('amount').as('sum'))
      .where(sql<boolean>`channel_id is not null`)
      .where('channel_id', '=', channelId)
      .where('created_at', '>=', since)
      .executeTakeFirst(),
    db
      .selectFrom('credit_hold')
      .select((select) => select.fn.sum<number | string | null>('amount').as('sum'))
      .where(sql<boolean>`channel_id is not null`)
      .where('channel_id', '=', channelId)
      .executeTakeFirst(),
  ]);
  return Number(held?.sum ?? 0) - Number(used?.sum ?? 0);
}

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
  channel_id: true,
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

export interface EntryFilter {
  bot?: string | undefined;
  service?: string | undefined;
  channel?: string | undefined;
  kind?: TokenEntryTable['kind'] | undefined;
  free?: 'with' | 'without' | undefined;
  /** Moments: the first that counts, and the first that no longer does. */
  since?: number | undefined;
  before?: number | undefined;
}

/** Word for word the condition of the index `token_entry_counted`. */
const counted = sql<boolean>`(kind <> 'use' or amount <> 0 or own_key = 1)`;

function entriesOf(db: Db, workspace: string, { bot, service, channel, kind, free, since, before }: EntryFilter) {
  let query = db.selectFrom('token_entry').where('workspace', '=', workspace);
  if (bot) query = query.where('bot', '=', bot);
  if (service) query = query.where('service', '=', service);
  if (channel) query = query.where('channel', '=', channel);
  if (kind) query = query.where('kind', '=', kind);
  if (free === 'without') query = query.where(counted);
  if (since !== undefined) query = query.where('created_at', '>=', since);
  if (before !== undefined) query = query.where('created_at', '<', before);
  return query;
}

export function listEntries(
  db: Db,
  {
    workspace,
    filter,
    limit,
    after,
  }: { workspace: string; filter: EntryFilter; limit: number; after: Position | undefined },
) {
  let query = entriesOf(db, workspace, filter);
  if (after) query = query.where(sql<boolean>`(created_at, uuid) < (${Number(after.at)}, ${after.uuid})`);
  return query
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('uuid', 'desc')
    .limit(limit + 1)
    .execute();
}

const mostUsed = 1000;

/** What was used by which bot with which model where, the most first. */
export async function listUses(db: Db, workspace: string, filter: UseFilter) {
  const { rows } = await sql<Record<'bot' | 'service' | 'channel', string> & { last: number }>`
    select bot, service, channel, max(last) as last from (${usesOf(workspace, filter)}) as uses
    group by bot, service, channel order by sum(amount), sum(answers) desc limit ${mostUsed}`.execute(db);
  return rows.map((row) => ({ ...row, last: Number(row.last) }));
}

/** The ids of those that used most, the most first. */
export async function listMost(db: Db, workspace: string, filter: UseFilter, by: Dimension, limit: number) {
  const column = sql.ref(by);
  const { rows } = await sql<{ id: string }>`
    select ${column} as id from (${usesOf(workspace, filter)}) as uses where ${column} <> ''
    group by 1 order by sum(amount), sum(answers) desc, 1 limit ${limit}`.execute(db);
  return rows.map(({ id }) => id);
}

/** What bots and models were called at these moments. */
export const listNamesAt = (db: Db, workspace: string, moments: number[]) =>
  db
    .selectFrom('token_entry')
    .select(['bot', 'bot_name', 'service', 'service_name'])
    .where('workspace', '=', workspace)
    .where('created_at', 'in', moments)
    .orderBy('created_at')
    .execute();

/** What was used at each time by each of those that are `named`, by none (an empty name), and by the others (null): in the hour that began then, or with `quarters` in the quarter of one. */
export async function sumUses(
  db: Db,
  {
    workspace,
    filter,
    by,
    named,
    quarters,
  }: { workspace: string; filter: UseFilter; by: Dimension; named: string[]; quarters: boolean },
) {
  const column = sql.ref(by);
  const others = sql`case when ${column} in (${sql.join(['', ...named])}) then ${column} else null end`;
  const ms = quarters ? quarterMs : hourMs;
  const { rows } = await sql<Record<'span' | 'amount' | 'answers' | 'paid' | 'free', number> & { name: string | null }>`
    select at / cast(${sql.lit(ms)} as bigint) as span, ${others} as name, sum(amount) as amount, sum(answers) as answers,
      sum(paid) as paid, sum(free) as free
    from (${usesOf(workspace, filter, { entries: quarters })}) as uses group by 1, 2`.execute(db);
  return rows.map(({ name, span, amount, answers, paid, free }) => ({
    name,
    at: Number(span) * ms,
    amount: 0 - Number(amount),
    answers: Number(answers),
    paid: Number(paid),
    free: Number(free),
  }));
}

/** What was used, in micro-credits. */
export async function sumUsed(db: Any, workspace: string, filter: UseFilter): Promise<number> {
  const { rows } = await sql<{ amount: number }>`
    select coalesce(sum(amount), 0) as amount from (${usesOf(workspace, filter)}) as uses`.execute(db);
  return 0 - Number(rows[0]?.amount ?? 0);
}

/** Gives or takes micro-credits, and says what is left; nothing where that would be less than nothing is set aside of, or more than `most`. */
export const giveCredits = async (
  trx: Trx,
  { workspace, amount, most }: { workspace: string; amount: number; most: number },
) =>
  (
    await trx
      .updateTable('credit_account')
      .set((to) => ({ balance: to('balance', '+', amount) }))
      .where('workspace', '=', workspace)
      .where(sql<boolean>`balance + cast(${amount} as bigint) <= cast(${most} as bigint)`)
      .$if(amount < 0, (query) => query.where(sql<boolean>`balance - reserved + cast(${amount} as bigint) >= 0`))
      .returning('balance')
      .executeTakeFirst()
  )?.balance;

/** True for whoever asks first with this key. */
export const insertRequest = async (trx: Trx, request: CreditRequestTable) =>
  (
    await trx
      .insertInto('credit_request')
      .values(request)
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst()
  ).numInsertedOrUpdatedRows === 1n;

/** True for whoever enters this of the payment first. */
export const insertPurchase = async (trx: Trx, purchase: CreditPurchaseTable) =>
  (
    await trx
      .insertInto('credit_purchase')
      .values(purchase)
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst()
  ).numInsertedOrUpdatedRows === 1n;

/** The entry that was made for an operator's key. */
export const findRequested = (trx: Trx, operator: string, key: string) =>
  trx
    .selectFrom('credit_request')
    .innerJoin('token_entry', 'token_entry.uuid', 'credit_request.entry')
    .selectAll('token_entry')
    .where('credit_request.operator', '=', operator)
    .where('credit_request.key', '=', key)
    .executeTakeFirst();

export const deleteRequests = (trx: Trx, operator: string) =>
  trx.deleteFrom('credit_request').where('operator', '=', operator).execute();
