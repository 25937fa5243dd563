import type { OperatedPayment, Payment, PaymentDetails, PaymentState } from '../../../shared/contracts/payments.ts';
import { AppError } from '../../../shared/errors.ts';
import type { Context } from '../../feature.ts';
import { lockRow, newId, type Trx } from '../../infra/db.ts';
import type { Caller } from '../../infra/http.ts';
import { page, readCursor } from '../../infra/page.ts';
import { record } from '../audit/audit.ts';
import { findWorkspaceName } from '../workspaces/memberships.ts';
import { toPackage, toPayment, toRefund } from './payments.ts';
import {
  findOperated,
  findPayment,
  findRefundByKey,
  insertRefund,
  listDisputes,
  listEvents,
  listHolds,
  listOperated,
  listPackages,
  listRefunds,
  releaseHolds,
  sumDays,
  updatePayment,
  type OperatedRow,
} from './payments.store.ts';
import type { PaymentRefundTable, PaymentTable } from './payments.tables.ts';
import { isAway, lookAt } from './settle.ts';

export const listEveryPackage = async ({ db }: Context) => ({
  data: (await listPackages(db, { sandbox: true })).map((row) => ({ ...toPackage(row), sandbox: row.sandbox === 1 })),
});

export async function listOperatedPayments(
  { db }: Context,
  {
    q,
    state,
    limit,
    cursor,
  }: {
    q?: string | undefined;
    state?: PaymentState | 'held' | 'disputed' | undefined;
    limit: number;
    cursor?: string | undefined;
  },
) {
  const found = await listOperated(db, { q: q || undefined, state, limit, after: readCursor(cursor) });
  const { rows, nextCursor } = page(found, limit, (row) => row.created_at);
  const refunds = Map.groupBy(
    await listRefunds(
      db,
      rows.map(({ uuid }) => uuid),
    ),
    ({ payment }) => payment,
  );
  return { data: rows.map((row) => toOperated(row, refunds.get(row.uuid))), meta: { nextCursor } };
}

const months = 12;

/** What came in and went out, by the months of UTC in which it was ordered; the newest first. */
export async function sumMonths({ db }: Context) {
  const now = new Date();
  const since = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months + 1, 1);
  const groups = Map.groupBy(
    (await sumDays(db, since)).map((day) => ({ ...day, month: new Date(day.at).toISOString().slice(0, 7) })),
    ({ month, currency, sandbox }) => `${month} ${currency} ${sandbox}`,
  );
  const data = [...groups.values()].flatMap((days) =>
    days.slice(0, 1).map(({ month, currency, sandbox }) => ({
      month,
      currency,
      sandbox,
      payments: days.reduce((sum, { payments }) => sum + payments, 0),
      paid: days.reduce((sum, { paid }) => sum + paid, 0),
      refunded: days.reduce((sum, { refunded }) => sum + refunded, 0),
    })),
  );
  return {
    data: data.toSorted(
      (one, other) => other.month.localeCompare(one.month) || one.currency.localeCompare(other.currency),
    ),
  };
}

/** A payment with everything that is known of it, as its gateway has it, or had it when that was last asked. */
export async function getPaymentDetails(context: Context, uuid: string): Promise<PaymentDetails> {
  const found = await findPayment(context.db, uuid);
  if (!found) throw new AppError('payment-not-found');
  await lookIfThere(context, found);
  return readDetails(context, uuid);
}

async function readDetails({ db }: Context, uuid: string): Promise<PaymentDetails> {
  const [row, refunds, disputes, events, holds] = await Promise.all([
    findOperated(db, uuid),
    listRefunds(db, [uuid]),
    listDisputes(db, uuid),
    listEvents(db, uuid),
    listHolds(db, uuid),
  ]);
  if (!row) throw new AppError('payment-not-found');
  return {
    ...toOperated(row, refunds),
    holds: holds.map(({ reason, about, created_at }) => ({
      reason,
      about: about || null,
      createdAt: new Date(created_at).toISOString(),
    })),
    refunds: refunds.map((refund) => ({
      ...toRefund(refund),
      reason: refund.reason,
      gatewayId: refund.gateway_id,
      refused: refund.refused,
    })),
    disputes: disputes.map(({ id, amount, reason, state, created_at }) => ({
      id,
      amount,
      reason,
      state,
      createdAt: new Date(created_at).toISOString(),
    })),
    events: events.map(({ id, type, created_at }) => ({ id, type, createdAt: new Date(created_at).toISOString() })),
  };
}

/** Asks the gateway where it can be asked. */
async function lookIfThere(context: Context, row: Parameters<typeof lookAt>[1]): Promise<void> {
  try {
    await lookAt(context, row);
  } catch (error) {
    if (!isAway(error)) throw error;
    context.log.warn({ err: error, payment: row.uuid }, 'a payment could not be read at its gateway');
  }
}

interface Wanted {
  uuid: string;
  reason: string;
  /** In the smallest unit of the currency; all that is left without one. */
  amount: number | undefined;
  key: string | undefined;
}

/**
 * Gives a payment back, or a part of it. What the operator wants is kept before the gateway is asked, and done later where this
 * process dies or the gateway is away. Throws `payment-done` where nothing is left, and `refund-too-large`.
 */
export async function refundPayment(
  context: Context,
  caller: Caller,
  { uuid, reason, amount, key }: Wanted,
): Promise<Payment> {
  const row = await context.db.transaction().execute(async (trx) => {
    await lockRow(trx, 'payment', uuid);
    const found = await findPayment(trx, uuid);
    if (!found) throw new AppError('payment-not-found');
    const made = key ? await findRefundByKey(trx, uuid, key) : undefined;
    if (made) {
      if (made.reason !== reason || (amount !== undefined && made.amount !== amount))
        throw new AppError('idempotency-key-used');
      return found;
    }
    const left = refundable(found);
    if (left <= 0) throw new AppError('payment-done');
    const given = amount ?? left;
    if (given > left) throw new AppError('refund-too-large', { left, currency: found.currency });
    const now = Date.now();
    const added: PaymentRefundTable = {
      uuid: newId(now),
      created_at: now,
      updated_at: now,
      payment: uuid,
      amount: given,
      reason,
      state: 'wanted',
      gateway_id: null,
      refused: null,
      key: key ?? null,
      note: null,
    };
    await insertRefund(trx, added);
    await updatePayment(trx, uuid, { refund_asked: found.refund_asked + given });
    await record(trx, await concerning(trx, caller, found), 'payment.refunded', uuid, {
      amount: given,
      currency: found.currency,
      reason,
    });
    return { ...found, refund_asked: found.refund_asked + given };
  });
  await lookIfThere(context, row);
  const now = (await findPayment(context.db, uuid)) ?? row;
  return toPayment(now, await listRefunds(context.db, [uuid]));
}

/** Entries about a payment are of the workspace that bought, not of the operator's. */
const concerning = async (trx: Trx, { user, username, address }: Caller, { workspace }: PaymentTable) => ({
  user,
  username,
  address,
  ...(workspace && { workspace, workspaceName: (await findWorkspaceName(trx, workspace)) ?? '' }),
});

/** An operator has seen to a payment that was held. Throws `payment-done` for one that is not. */
export async function releasePayment(context: Context, caller: Caller, uuid: string): Promise<PaymentDetails> {
  await context.db.transaction().execute(async (trx) => {
    await lockRow(trx, 'payment', uuid);
    const found = await findPayment(trx, uuid);
    if (!found) throw new AppError('payment-not-found');
    const holds = await listHolds(trx, uuid);
    if (holds.length === 0) throw new AppError('payment-done');
    const isOtherPrice = holds.some(({ reason }) => reason === 'price-differs');
    await releaseHolds(trx, uuid);
    await updatePayment(trx, uuid, {
      held: null,
      // What was charged in place of it is no charge of this order; anything else may still be paid.
      ...(isOtherPrice && found.state === 'processing' && { state: 'canceled', ended: 1 }),
    });
    const reasons = holds.map(({ reason, about }) => (about ? `${reason} ${about}` : reason)).join(', ');
    await record(trx, await concerning(trx, caller, found), 'payment.released', uuid, { reason: reasons });
  });
  return readDetails(context, uuid);
}

const toOperated = (row: OperatedRow, refunds: PaymentRefundTable[] = []): OperatedPayment => ({
  ...toPayment(row, refunds),
  workspace: row.workspace === null ? null : { uuid: row.workspace, name: row.workspaceName ?? '' },
  gatewayId: row.gateway_id,
  method: row.method,
  held: row.held,
  refundable: refundable(row),
});

/** What can still be given back: what a dispute took is with the buyer already. */
const refundable = ({ state, amount, refund_asked: asked, lost }: PaymentTable) =>
  state === 'succeeded' ? Math.max(0, amount - asked - lost) : 0;
