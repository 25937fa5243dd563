import { sql } from 'kysely';
import type { HeldReason, PaymentState } from '../../../shared/contracts/payments.ts';
import type { Db, Trx } from '../../infra/db.ts';
import { containing, type Position } from '../../infra/page.ts';
import { microPerCredit } from '../../../shared/contracts/usage.ts';
import { may, roles } from '../../../shared/roles.ts';
import { available } from '../usage/gifts.ts';
import { memberships, workspaceNames } from '../workspaces/memberships.ts';
import type { SandboxStore } from '../../providers/payments/sandbox.ts';
import type {
  CreditPackageTable,
  PaymentDisputeTable,
  PaymentDocumentTable,
  PaymentEventTable,
  PaymentHoldTable,
  PaymentRefundTable,
  PaymentTable,
  TopUpTable,
} from './payments.tables.ts';

type Any = Db | Trx;

export const listPackages = (db: Db, { sandbox }: { sandbox: boolean }) =>
  db
    .selectFrom('credit_package')
    .selectAll()
    .where('removed_at', 'is', null)
    .$if(!sandbox, (query) => query.where('sandbox', '=', 0))
    .orderBy('currency')
    .orderBy('credits')
    .orderBy('uuid')
    .execute();

export const findPackage = (db: Any, uuid: string) =>
  db
    .selectFrom('credit_package')
    .selectAll()
    .where('uuid', '=', uuid)
    .where('removed_at', 'is', null)
    .executeTakeFirst();

export const insertPackage = (db: Any, row: CreditPackageTable) =>
  db.insertInto('credit_package').values(row).execute();

export const retirePackage = async (trx: Trx, uuid: string, now: number) =>
  (
    await trx
      .updateTable('credit_package')
      .set({ removed_at: now, updated_at: now })
      .where('uuid', '=', uuid)
      .where('removed_at', 'is', null)
      .executeTakeFirst()
  ).numUpdatedRows === 1n;

export function listPayments(
  db: Db,
  { workspace, limit, after }: { workspace: string; limit: number; after: Position | undefined },
) {
  let query = db.selectFrom('payment').selectAll().where('workspace', '=', workspace);
  if (after) query = query.where(sql<boolean>`(created_at, uuid) < (${Number(after.at)}, ${after.uuid})`);
  return query
    .orderBy('created_at', 'desc')
    .orderBy('uuid', 'desc')
    .limit(limit + 1)
    .execute();
}

export const listEveryPayment = (db: Db, workspace: string) =>
  db.selectFrom('payment').selectAll().where('workspace', '=', workspace).orderBy('uuid').execute();

/** Payments with the names of their workspaces, where those are still there. */
const operated = (db: Db) =>
  db
    .selectFrom('payment')
    .leftJoin(workspaceNames(db), 'named.uuid', 'payment.workspace')
    .selectAll('payment')
    .select('named.name as workspaceName');

export type OperatedRow = PaymentTable & { workspaceName: string | null };

export function listOperated(
  db: Db,
  {
    q,
    state,
    limit,
    after,
  }: {
    q: string | undefined;
    state: PaymentState | 'held' | 'disputed' | undefined;
    limit: number;
    after: Position | undefined;
  },
): Promise<OperatedRow[]> {
  let query = operated(db);
  if (state === 'held') query = query.where('payment.held', 'is not', null);
  else if (state === 'disputed')
    query = query.where('payment.uuid', 'in', db.selectFrom('payment_dispute').select('payment'));
  else if (state) query = query.where('payment.state', '=', state);
  if (q)
    query = query.where(
      sql<boolean>`(lower(named.name) like ${containing(q)} escape '\\' or payment.gateway_id = ${q}
        or cast(payment.uuid as text) = ${q.toLowerCase()} or cast(payment.receipt as text) = ${q})`,
    );
  if (after)
    query = query.where(sql<boolean>`(payment.created_at, payment.uuid) < (${Number(after.at)}, ${after.uuid})`);
  return query
    .orderBy('payment.created_at', 'desc')
    .orderBy('payment.uuid', 'desc')
    .limit(limit + 1)
    .execute();
}

export const findOperated = (db: Db, uuid: string): Promise<OperatedRow | undefined> =>
  operated(db).where('payment.uuid', '=', uuid).executeTakeFirst();

/** What was paid since a moment, by the days of UTC (since 1970) on which it was ordered. */
export async function sumDays(db: Db, since: number) {
  const { rows } = await sql<
    Record<'day' | 'live' | 'payments' | 'paid' | 'refunded', number | string> & { currency: PaymentTable['currency'] }
  >`
    select created_at / 86400000 as day, currency, live, count(*) as payments, sum(amount) as paid, sum(refunded) as refunded
    from payment where state in ('succeeded', 'refunded') and created_at >= ${since} group by 1, 2, 3`.execute(db);
  return rows.map(({ day, currency, live, payments, paid, refunded }) => ({
    at: Number(day) * 86_400_000,
    currency,
    sandbox: Number(live) === 0,
    payments: Number(payments),
    paid: Number(paid),
    refunded: Number(refunded),
  }));
}

/** True for whoever comes first with this key. */
export const insertPayment = async (trx: Trx, row: PaymentTable) =>
  (
    await trx
      .insertInto('payment')
      .values(row)
      .onConflict((conflict) => conflict.columns(['workspace', 'key']).doNothing())
      .executeTakeFirst()
  ).numInsertedOrUpdatedRows === 1n;

export const findByKey = (db: Any, workspace: string, key: string) =>
  db.selectFrom('payment').selectAll().where('workspace', '=', workspace).where('key', '=', key).executeTakeFirst();

export const findPayment = (db: Any, uuid: string) =>
  db.selectFrom('payment').selectAll().where('uuid', '=', uuid).executeTakeFirst();

/** From then on it is asked for less often the older it is. */
const youngMs = 3_600_000;

/**
 * What is not ended at its gateway, and what has refunds on their way, begun before a moment. What is older than an hour waits for a
 * tenth of its age before the next look, so that what nobody will ever pay is asked for seldom.
 */
export const listUnfinished = (db: Db, before: number, now: number) =>
  db
    .selectFrom('payment')
    .selectAll()
    .where('created_at', '<', before)
    .where((where) => where.or([where('ended', '=', 0), where('refund_asked', '>', where.ref('refunded'))]))
    .where(sql<boolean>`(${now} - updated_at) * 10 >= ${now - youngMs} - created_at`)
    .orderBy('updated_at')
    .limit(200)
    .execute();

export const updatePayment = (
  trx: Any,
  uuid: string,
  to: Partial<Omit<PaymentTable, 'uuid' | 'created_at' | 'updated_at'>>,
) =>
  trx
    .updateTable('payment')
    .set({ ...to, updated_at: Date.now() })
    .where('uuid', '=', uuid)
    .execute();

/** What nobody heard of at its gateway is given up, unless that was heard of, or asked for it, since the row was read. */
export const giveUp = (db: Db, { uuid, asked_at }: Pick<PaymentTable, 'uuid' | 'asked_at'>) =>
  db
    .updateTable('payment')
    .set({ state: 'canceled', ended: 1, updated_at: Date.now() })
    .where('uuid', '=', uuid)
    .where('gateway_id', 'is', null)
    .where('ended', '=', 0)
    .where('asked_at', asked_at === null ? 'is' : '=', asked_at)
    .execute();

/** Its gateway is asked for it from now on; false where it was given up meanwhile. */
export const noteAsked = async (db: Db, uuid: string): Promise<boolean> =>
  (
    await db
      .updateTable('payment')
      .set({ asked_at: Date.now() })
      .where('uuid', '=', uuid)
      .where('ended', '=', 0)
      .executeTakeFirst()
  ).numUpdatedRows > 0n;

export const listRefunds = (db: Any, payments: string[]) =>
  payments.length === 0
    ? Promise.resolve([])
    : db
        .selectFrom('payment_refund')
        .selectAll()
        .where('payment', 'in', payments)
        .orderBy('created_at')
        .orderBy('uuid')
        .execute();

export const findRefund = (db: Any, uuid: string) =>
  db.selectFrom('payment_refund').selectAll().where('uuid', '=', uuid).executeTakeFirst();

export const findRefundByKey = (db: Any, payment: string, key: string) =>
  db.selectFrom('payment_refund').selectAll().where('payment', '=', payment).where('key', '=', key).executeTakeFirst();

export const insertRefund = (trx: Trx, row: PaymentRefundTable) =>
  trx.insertInto('payment_refund').values(row).execute();

export const updateRefund = (
  trx: Trx,
  uuid: string,
  to: Partial<Pick<PaymentRefundTable, 'state' | 'gateway_id' | 'refused' | 'note'>>,
) =>
  trx
    .updateTable('payment_refund')
    .set({ ...to, updated_at: Date.now() })
    .where('uuid', '=', uuid)
    .execute();

export const listDisputes = (db: Any, payment: string) =>
  db
    .selectFrom('payment_dispute')
    .selectAll()
    .where('payment', '=', payment)
    .orderBy('created_at')
    .orderBy('id')
    .execute();

export const insertDispute = (trx: Trx, row: PaymentDisputeTable) =>
  trx.insertInto('payment_dispute').values(row).execute();

export const updateDispute = (
  trx: Trx,
  { payment, id, state }: Pick<PaymentDisputeTable, 'payment' | 'id' | 'state'>,
) =>
  trx
    .updateTable('payment_dispute')
    .set({ state, updated_at: Date.now() })
    .where('payment', '=', payment)
    .where('id', '=', id)
    .execute();

/** True for the first of its kind. */
export const insertHold = async (trx: Trx, row: PaymentHoldTable) =>
  (
    await trx
      .insertInto('payment_hold')
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst()
  ).numInsertedOrUpdatedRows === 1n;

/** What nobody has seen to yet, the newest first. */
export const listHolds = (db: Any, payment: string) =>
  db
    .selectFrom('payment_hold')
    .selectAll()
    .where('payment', '=', payment)
    .where('released_at', 'is', null)
    .orderBy('created_at', 'desc')
    .orderBy('reason')
    .orderBy('about')
    .execute();

/** Lets go of what waits, or of one reason for it. */
export const releaseHolds = (
  trx: Trx,
  payment: string,
  { reason, about }: { reason?: HeldReason; about?: string } = {},
) =>
  trx
    .updateTable('payment_hold')
    .set({ released_at: Date.now() })
    .where('payment', '=', payment)
    .where('released_at', 'is', null)
    .$if(reason !== undefined, (query) => query.where('reason', '=', reason ?? 'other-charge'))
    .$if(about !== undefined, (query) => query.where('about', 'in', [about ?? '', '']))
    .execute();

export const findEvent = (db: Db, id: string) =>
  db.selectFrom('payment_event').select('id').where('id', '=', id).executeTakeFirst();

/** True for whoever comes first with this event. */
export const insertEvent = async (db: Any, row: PaymentEventTable) =>
  (
    await db
      .insertInto('payment_event')
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst()
  ).numInsertedOrUpdatedRows === 1n;

export const listEvents = (db: Db, payment: string) =>
  db
    .selectFrom('payment_event')
    .selectAll()
    .where('payment', '=', payment)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(100)
    .execute();

/** The row of the last number is locked until the transaction ends, so that one that fails leaves no gap. */
export async function nextNumber(trx: Trx, name: PaymentDocumentTable['kind']): Promise<number> {
  const { last } = await trx
    .updateTable('payment_receipt')
    .set((to) => ({ last: to('last', '+', 1) }))
    .where('name', '=', name)
    .returning('last')
    .executeTakeFirstOrThrow();
  return last;
}

export const insertDocument = (trx: Trx, row: PaymentDocumentTable) =>
  trx.insertInto('payment_document').values(row).execute();

export const findDocument = (db: Db, payment: string, refund: string | undefined) =>
  db
    .selectFrom('payment_document')
    .selectAll()
    .where('payment', '=', payment)
    .where('kind', '=', refund === undefined ? 'receipt' : 'credit-note')
    .$if(refund !== undefined, (query) => query.where('refund', '=', refund ?? ''))
    .executeTakeFirst();

const neverPaid = (db: Any) =>
  db.deleteFrom('payment').where('ended', '=', 1).where('receipt', 'is', null).where('held', 'is', null);

/** Orders whose workspace went before their gateway was done with them. */
export const deleteUnpaid = (db: Db) => neverPaid(db).where('workspace', 'is', null).execute();

/** Events of other things that the account is used for, once the gateway no longer repeats them; those of payments that are gone, too. */
export async function deleteEvents(db: Db, before: number): Promise<void> {
  await db.deleteFrom('payment_event').where('payment', 'is', null).where('created_at', '<', before).execute();
  await db
    .deleteFrom('payment_event')
    .where('payment', 'is not', null)
    .where('payment', 'not in', db.selectFrom('payment').select('uuid'))
    .execute();
}

/** Takes away what says whose a payment was; what was never paid goes whole. */
export async function forgetBuyer(trx: Trx, workspace: string): Promise<void> {
  const theirs = trx.selectFrom('payment').select('uuid').where('workspace', '=', workspace);
  await trx.updateTable('payment_document').set({ buyer: '' }).where('payment', 'in', theirs).execute();
  await trx.updateTable('payment').set({ method: null, top_up_by: null }).where('workspace', '=', workspace).execute();
  await neverPaid(trx).where('workspace', '=', workspace).execute();
}

export const findTopUp = (db: Any, by: { uuid: string } | { workspace: string }) =>
  db
    .selectFrom('top_up')
    .selectAll()
    .$if('uuid' in by, (query) => query.where('uuid', '=', 'uuid' in by ? by.uuid : ''))
    .$if('workspace' in by, (query) => query.where('workspace', '=', 'workspace' in by ? by.workspace : ''))
    .executeTakeFirst();

export const insertTopUp = (trx: Trx, row: TopUpTable) => trx.insertInto('top_up').values(row).execute();

export const updateTopUp = (
  trx: Trx,
  uuid: string,
  to: Partial<Omit<TopUpTable, 'uuid' | 'workspace' | 'created_at' | 'updated_at'>>,
) =>
  trx
    .updateTable('top_up')
    .set({ ...to, updated_at: Date.now() })
    .where('uuid', '=', uuid)
    .execute();

export const deleteTopUp = (trx: Trx, workspace: string) =>
  trx.deleteFrom('top_up').where('workspace', '=', workspace).returningAll().executeTakeFirst();

/** Those that are on and whose workspaces have too few credits, in their order. */
export const listDue = async (db: Db, after: string | undefined, limit: number): Promise<string[]> =>
  (
    await db
      .selectFrom('top_up')
      .innerJoin(available(db), 'available.workspace', 'top_up.workspace')
      .select('top_up.uuid')
      .where('top_up.is_on', '=', 1)
      .where(sql<boolean>`available.credits < top_up.below * ${sql.lit(microPerCredit)}`)
      .$if(after !== undefined, (query) => query.where('top_up.uuid', '>', after ?? ''))
      .orderBy('top_up.uuid')
      .limit(limit)
      .execute()
  ).map(({ uuid }) => uuid);

const managers = roles.filter((role) => may(role, 'manage'));

/** Those with a card whose owner no longer manages the workspace. */
export const listOrphaned = async (db: Db): Promise<string[]> =>
  (
    await db
      .selectFrom('top_up')
      .leftJoin(memberships(db), (join) =>
        join.onRef('membership.workspace', '=', 'top_up.workspace').onRef('membership.user', '=', 'top_up.user'),
      )
      .select('top_up.uuid')
      .where('top_up.customer', 'is not', null)
      .where((where) => where.or([where('membership.role', 'is', null), where('membership.role', 'not in', managers)]))
      .orderBy('top_up.uuid')
      .limit(1000)
      .execute()
  ).map(({ uuid }) => uuid);

/** Whether a payment that was made by itself through this gateway is not over yet, or waits for an operator before its credits come. */
export const hasUnfinished = async (
  trx: Trx,
  { workspace, gateway, live }: Pick<TopUpTable, 'workspace' | 'gateway' | 'live'>,
): Promise<boolean> =>
  (await trx
    .selectFrom('payment')
    .select('uuid')
    .where('workspace', '=', workspace)
    .where('top_up', 'is not', null)
    .where('gateway', '=', gateway)
    .where('live', '=', live)
    .where((where) => where.or([where('ended', '=', 0), where('state', '=', 'processing')]))
    .executeTakeFirst()) !== undefined;

/** What was paid by itself since a moment, what is on its way included. */
export async function sumByItself(
  db: Any,
  { workspace, currency, since }: Pick<TopUpTable, 'workspace' | 'currency'> & { since: number },
): Promise<number> {
  const found = await db
    .selectFrom('payment')
    .select((select) => select.fn.sum<number | string | null>('amount').as('sum'))
    .where('workspace', '=', workspace)
    .where('top_up', 'is not', null)
    .where('currency', '=', currency)
    .where('created_at', '>=', since)
    .where('state', 'not in', ['failed', 'canceled'])
    .executeTakeFirst();
  return Number(found?.sum ?? 0);
}

export const sandboxStore = (db: Db): SandboxStore => ({
  async add({ payment, amount, currency }) {
    const now = Date.now();
    await db
      .insertInto('sandbox_charge')
      .values({
        payment,
        amount,
        currency,
        state: 'created',
        card: null,
        failure: null,
        created_at: now,
        updated_at: now,
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  },
  async find(payment) {
    const row = await db.selectFrom('sandbox_charge').selectAll().where('payment', '=', payment).executeTakeFirst();
    if (!row) return undefined;
    const { failure, updated_at: since, ...charge } = row;
    return { ...charge, since, ...(failure && { failure }) };
  },
  async move(payment, from, to) {
    await db
      .updateTable('sandbox_charge')
      .set({ ...to, updated_at: Date.now() })
      .where('payment', '=', payment)
      .where('state', '=', from)
      .execute();
  },
  async addRefund(payment, { refund, amount }) {
    await db
      .insertInto('sandbox_refund')
      .values({ refund, payment, amount, created_at: Date.now() })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  },
  listRefunds: (payment) =>
    db
      .selectFrom('sandbox_refund')
      .select(['refund', 'amount', 'created_at as at'])
      .where('payment', '=', payment)
      .execute(),
});
