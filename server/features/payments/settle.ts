import { microPerCredit } from '../../../shared/contracts/usage.ts';
import type { HeldReason } from '../../../shared/contracts/payments.ts';
import type { Context } from '../../feature.ts';
import { lockRow, newId, type Trx } from '../../infra/db.ts';
import { GatewayAway, type Gateway, type Reading } from '../../providers/payments/gateway.ts';
import { enterPurchase, takeBack } from '../usage/purchases.ts';
import { numberDocument } from './documents.ts';
import { gatewayOf } from './gateways.ts';
import {
  deleteUnpaid,
  findPayment,
  findRefund,
  insertDispute,
  insertEvent,
  insertRefund,
  listDisputes,
  listRefunds,
  listUnfinished,
  updateDispute,
  updatePayment,
  updateRefund,
} from './payments.store.ts';
import type { PaymentEventTable, PaymentRefundTable, PaymentTable } from './payments.tables.ts';

const hourMs = 3_600_000;
/** A reconciler leaves what has only begun to whoever began it. */
const freshMs = 30_000;
/** What nobody has paid by then is given up, so that no form that was left open pays it next month. */
const unpaidMs = 24 * hourMs;
const challengedMs = 10 * 24 * hourMs;
/** From then on a gateway no longer knows the key under which it may have begun; nobody was ever told how to pay it. */
const unknownMs = 12 * hourMs;

interface Followed {
  row: PaymentTable;
  /** As the gateway had it, where it was asked. */
  reading?: Reading;
}

/** Whether the gateway can still change it, as far as is known here. */
const isOpenAtGateway = (row: PaymentTable) => row.ended === 0 || row.refund_asked > row.refunded;

/** The row as it is once the gateway was asked, where that can still change it. Throws `GatewayAway`. */
export async function follow(context: Context, row: PaymentTable): Promise<Followed> {
  return isOpenAtGateway(row) ? lookAt(context, row) : { row };
}

/** The same, but it is asked in any case. */
export async function lookAt(context: Context, row: PaymentTable): Promise<Followed> {
  const gateway = gatewayOf(context, row);
  if (!gateway) return { row };
  const reading = await ask(context, gateway, row);
  if (reading) await take(context, { reading, payment: row.uuid });
  return { row: (await findPayment(context.db, row.uuid)) ?? row, ...(reading && { reading }) };
}

const starting = new Map<string, Promise<Reading>>();

async function ask(context: Context, gateway: Gateway, row: PaymentTable): Promise<Reading | undefined> {
  const { uuid: payment, amount, currency, gateway_id: id, created_at, state } = row;
  const age = Date.now() - created_at;
  if (!id) {
    if (age > unknownMs) {
      await updatePayment(context.db, payment, { state: 'canceled', ended: 1 });
      return undefined;
    }
    // Of many who ask at once one starts it: a gateway refuses a key that it is at work with.
    const known = starting.get(payment);
    const start = known ?? gateway.start({ payment, amount, currency });
    if (!known) {
      starting.set(payment, start);
      void start.then(
        () => starting.delete(payment),
        () => starting.delete(payment),
      );
    }
    return start;
  }
  for (const refund of await listRefunds(context.db, [payment]))
    if (refund.state === 'wanted') await giveBack(context, gateway, id, refund);
  const isLeft =
    row.ended === 0 &&
    ((age > unpaidMs && (state === 'created' || state === 'failed')) ||
      (age > challengedMs && state === 'requires-action'));
  return isLeft ? gateway.cancel(id) : gateway.read(id);
}

async function giveBack(
  context: Context,
  gateway: Gateway,
  id: string,
  { uuid, payment, amount }: PaymentRefundTable,
): Promise<void> {
  const refusal = await gateway.refund(id, { refund: uuid, amount });
  if (!refusal) return;
  await context.db.transaction().execute(async (trx) => {
    await lockRow(trx, 'payment', payment);
    await failRefund(trx, uuid, refusal.refused);
  });
}

/** A refund that will not be: what it was to give back can be given back by another one. */
async function failRefund(trx: Trx, uuid: string, refused: string | null): Promise<void> {
  const refund = await findRefund(trx, uuid);
  if (!refund || (refund.state !== 'wanted' && refund.state !== 'pending')) return;
  const row = await findPayment(trx, refund.payment);
  await updateRefund(trx, uuid, { state: 'failed', refused });
  if (row) await updatePayment(trx, row.uuid, { refund_asked: row.refund_asked - refund.amount });
}

/** Brings payments to what the gateway says that nobody looks at any more. */
export async function reconcile(context: Context, signal: AbortSignal): Promise<void> {
  const now = Date.now();
  for (const row of await listUnfinished(context.db, now - freshMs, now)) {
    if (signal.aborted) return;
    try {
      await follow(context, row);
    } catch (error) {
      context.log.warn({ err: error, payment: row.uuid }, 'a payment could not be read at its gateway');
      // Whoever else waits comes before it is asked for again.
      await updatePayment(context.db, row.uuid, {});
    }
  }
  await deleteUnpaid(context.db);
}

/** Whether what went wrong is that the gateway could not be asked; the payment is then as it was. */
export const isAway = (error: unknown): boolean => error instanceof GatewayAway;

interface Taken {
  reading: Reading;
  /** Whose it has to be; without one, whichever it says. */
  payment?: string;
  /** In whose transaction it is; known already, nothing is done. */
  event?: Omit<PaymentEventTable, 'payment'>;
}

/**
 * Takes what the gateway says of a payment. Credits, the receipt's number, refunds, disputes and the state come in one transaction
 * under the payment's lock. What was paid is paid, whatever was said before; nothing else moves a payment that has ended.
 */
export async function take(context: Context, { reading, payment = reading.payment, event }: Taken): Promise<void> {
  await context.db.transaction().execute(async (trx) => {
    if (payment !== '') await lockRow(trx, 'payment', payment);
    const row = payment === '' ? undefined : await findPayment(trx, payment);
    if (event && !(await insertEvent(trx, { ...event, payment: row?.uuid ?? null }))) return;
    if (!row) return;
    const held = whyHeld(row, reading);
    if (held === 'other-charge' && reading.state !== 'succeeded') return;
    if (held && isGivenBack(reading)) return letGo(trx, row, held);
    if (held) return hold(context, trx, row, { reason: held, isPaid: reading.state === 'succeeded' });
    await move(context, trx, row, reading);
    for (const given of reading.refunds) await takeRefund(context, trx, row.uuid, given);
    for (const dispute of reading.disputes) await takeDispute(context, trx, row.uuid, dispute);
  });
}

function whyHeld(row: PaymentTable, { id, payment, amount, currency }: Reading): HeldReason | undefined {
  if (payment !== row.uuid || (row.gateway_id !== null && row.gateway_id !== id)) return 'other-charge';
  return amount === row.amount && currency === row.currency ? undefined : 'price-differs';
}

const isGivenBack = ({ amount, state, refunds }: Reading) =>
  state === 'succeeded' &&
  refunds.reduce((sum, refund) => sum + (refund.state === 'succeeded' ? refund.amount : 0), 0) >= amount;

/** What should not have been charged went back whole. */
async function letGo(trx: Trx, { uuid, held, state }: PaymentTable, reason: HeldReason): Promise<void> {
  await updatePayment(trx, uuid, {
    held: held === reason ? null : held,
    ...(reason === 'price-differs' && { ended: 1 }),
    ...(reason === 'price-differs' && state !== 'succeeded' && state !== 'refunded' && { state: 'canceled' }),
  });
}

/** Nothing is added for what was not ordered; whoever paid sees that it is being looked at. */
async function hold(
  context: Context,
  trx: Trx,
  { uuid, held, state }: PaymentTable,
  { reason, isPaid }: { reason: HeldReason; isPaid: boolean },
): Promise<void> {
  if (held !== reason) context.log.error({ payment: uuid, reason }, 'a payment waits for an operator');
  await updatePayment(trx, uuid, {
    held: reason,
    ...(reason === 'price-differs' && { ended: 1 }),
    ...(isPaid && state !== 'succeeded' && state !== 'refunded' && { state: 'processing' }),
  });
}

async function move(context: Context, trx: Trx, row: PaymentTable, reading: Reading): Promise<void> {
  const { uuid: payment, workspace, credits } = row;
  const { id, state, failure, isEnded, method } = reading;
  if (row.state === 'succeeded' || row.state === 'refunded') return updateMethod(trx, row, reading);
  if (state !== 'succeeded') {
    if (row.ended === 1) return;
    await updatePayment(trx, payment, { state, failure, gateway_id: id, ended: isEnded ? 1 : 0 });
    return;
  }
  await updatePayment(trx, payment, {
    state,
    failure: null,
    gateway_id: id,
    ended: 1,
    method,
    held: workspace ? null : 'workspace-gone',
  });
  if (workspace) await enterPurchase(context, trx, { payment, workspace, credits });
  const receipt = await numberDocument(context, trx, { kind: 'receipt', payment, workspace });
  await updatePayment(trx, payment, { receipt });
}

/** That it was looked at is noted, so that others come before it. */
async function updateMethod(trx: Trx, row: PaymentTable, { method }: Reading): Promise<void> {
  await updatePayment(trx, row.uuid, { method: row.method ?? method });
}

async function takeRefund(
  context: Context,
  trx: Trx,
  payment: string,
  given: Reading['refunds'][number],
): Promise<void> {
  const known = await listRefunds(trx, [payment]);
  const ours = known.find(({ uuid, gateway_id }) => uuid === given.refund || gateway_id === given.id);
  const row = await findPayment(trx, payment);
  if (!row) return;
  const refund = ours ?? (await addGivenBack(trx, row, given));
  if (!refund) return;
  if (given.state === 'failed') {
    if (refund.state === 'succeeded') await updatePayment(trx, payment, { held: 'refund-undone' });
    else await failRefund(trx, refund.uuid, refund.refused);
    return;
  }
  if (refund.state === 'succeeded') return;
  if (given.state === 'pending') {
    await updateRefund(trx, refund.uuid, { state: 'pending', gateway_id: given.id });
    return;
  }
  // One that had been refused counts again.
  const asked = refund.state === 'failed' ? given.amount : 0;
  await updateRefund(trx, refund.uuid, { state: 'succeeded', gateway_id: given.id, refused: null });
  const current = (await findPayment(trx, payment)) ?? row;
  const refunded = current.refunded + given.amount;
  await updatePayment(trx, payment, {
    refunded,
    refund_asked: current.refund_asked + asked,
    state: refunded >= current.amount ? 'refunded' : current.state,
    ...(current.held === 'workspace-gone' && refunded >= current.amount && { held: null }),
  });
  await takeCredits(context, trx, { ...current, refunded }, { reason: refund.reason, of: { refund: refund.uuid } });
  const note = await numberDocument(context, trx, {
    kind: 'credit-note',
    payment,
    workspace: current.workspace,
    refund: refund.uuid,
  });
  await updateRefund(trx, refund.uuid, { note });
}

/** Somebody gave it back at the gateway itself. */
async function addGivenBack(
  trx: Trx,
  row: PaymentTable,
  { id, amount, state }: Reading['refunds'][number],
): Promise<PaymentRefundTable | undefined> {
  if (state === 'failed') return undefined;
  const now = Date.now();
  const added: PaymentRefundTable = {
    uuid: newId(now),
    created_at: now,
    updated_at: now,
    payment: row.uuid,
    amount,
    reason: '',
    state: 'pending',
    gateway_id: id,
    refused: null,
    key: null,
    note: null,
  };
  await insertRefund(trx, added);
  await updatePayment(trx, row.uuid, { refund_asked: row.refund_asked + amount });
  return added;
}

async function takeDispute(
  context: Context,
  trx: Trx,
  payment: string,
  { id, amount, reason, state }: Reading['disputes'][number],
): Promise<void> {
  const known = (await listDisputes(trx, payment)).find((each) => each.id === id);
  if (known?.state === state || known?.state === 'lost') return;
  const now = Date.now();
  if (known) await updateDispute(trx, { payment, id, state });
  else await insertDispute(trx, { payment, id, created_at: now, updated_at: now, amount, reason, state });
  if (state !== 'lost') return;
  const row = await findPayment(trx, payment);
  if (!row) return;
  const lost = row.lost + amount;
  await updatePayment(trx, payment, { lost });
  await takeCredits(context, trx, { ...row, lost }, { reason: '', of: { dispute: id } });
}

/** Takes as much of the credits as was given back or lost of the amount, less what was taken before: the parts add up to the whole. */
async function takeCredits(
  context: Context,
  trx: Trx,
  row: PaymentTable,
  { reason, of }: Pick<Parameters<typeof takeBack>[2], 'reason' | 'of'>,
): Promise<void> {
  const { uuid: payment, workspace, taken_back } = row;
  const due = creditsOf(row);
  const amount = due - taken_back;
  if (!workspace || amount <= 0) return;
  await updatePayment(trx, payment, { taken_back: due });
  await takeBack(context, trx, { payment, workspace, amount, reason, of });
}

/** Micro-credits that belong to what went back of an amount, rounded down; all of them once all of it did. */
function creditsOf({
  credits,
  amount,
  refunded,
  lost,
}: Pick<PaymentTable, 'credits' | 'amount' | 'refunded' | 'lost'>) {
  const back = Math.min(amount, refunded + lost);
  return Number((BigInt(credits * microPerCredit) * BigInt(back)) / BigInt(amount));
}
