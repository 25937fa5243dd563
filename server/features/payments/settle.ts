import { microPerCredit } from '../../../shared/contracts/usage.ts';
import type { HeldReason } from '../../../shared/contracts/payments.ts';
import type { Context } from '../../feature.ts';
import { lockRow, newId, type Trx } from '../../infra/db.ts';
import { CardRefused, GatewayAway, type Gateway, type Reading } from '../../providers/payments/gateway.ts';
import { enterPurchase, takeBack } from '../usage/purchases.ts';
import { numberDocument } from './documents.ts';
import { forgetCard } from './forget-card.ts';
import { gatewayOf } from './gateways.ts';
import {
  deleteEvents,
  deleteUnpaid,
  findPayment,
  findRefund,
  giveUp,
  insertDispute,
  insertEvent,
  insertHold,
  insertRefund,
  listDisputes,
  listHolds,
  listRefunds,
  listUnfinished,
  noteAsked,
  releaseHolds,
  updateDispute,
  updatePayment,
  updateRefund,
} from './payments.store.ts';
import type { PaymentEventTable, PaymentRefundTable, PaymentTable } from './payments.tables.ts';
import { tellToppedUp } from './tell.ts';
import { beginTopUp, endAfterFailure, endAfterReturn, findCard } from './top-up.ts';

const hourMs = 3_600_000;
/** A reconciler leaves what has only begun to whoever began it. */
const freshMs = 30_000;
/** What nobody has paid by then is given up, so that no form that was left open pays it next month. */
const unpaidMs = 24 * hourMs;
const challengedMs = 10 * 24 * hourMs;
/** From then on a gateway no longer knows the key under which it may have begun; nobody was ever told how to pay it. */
const unknownMs = 12 * hourMs;
/** What was asked may still be done: three tries of ten seconds, and what the gateway takes for the last of them. */
const askedMs = 120_000;
/** A gateway repeats an event for three days. */
const eventMs = 7 * 24 * hourMs;

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
  let reading: Reading | undefined;
  try {
    reading = await ask(context, gateway, row);
  } catch (error) {
    if (!(error instanceof CardRefused)) throw error;
    await failUnstarted(context, row.uuid);
  }
  if (reading) await take(context, { reading, payment: row.uuid });
  const now = (await findPayment(context.db, row.uuid)) ?? row;
  // It is ended at the gateway, too, so that nothing pays it later.
  if (isLeftFailed(now) && !isLeftFailed(row)) return lookAt(context, now);
  return { row: now, ...(reading && { reading }) };
}

/** A payment that was made by itself has failed, and its gateway would still let it be paid. */
const isLeftFailed = ({ top_up: madeBy, state, ended, gateway_id: id }: PaymentTable) =>
  madeBy !== null && state === 'failed' && ended === 0 && id !== null;

/** The gateway refused the card, and has no charge of it. */
async function failUnstarted(context: Context, payment: string): Promise<void> {
  await context.db.transaction().execute(async (trx) => {
    await lockRow(trx, 'payment', payment);
    const row = await findPayment(trx, payment);
    if (!row || row.gateway_id !== null || row.ended === 1) return;
    await updatePayment(trx, payment, { state: 'failed', failure: 'declined', ended: 1 });
    await endAfterFailure(context, trx, row, 'no-card');
  });
}

const starting = new Map<string, Promise<Reading | undefined>>();

/** Nothing where a payment by a kept card was given up meanwhile. */
async function start(
  context: Context,
  gateway: Gateway,
  order: Parameters<Gateway['start']>[0],
): Promise<Reading | undefined> {
  if (order.card && !(await noteAsked(context.db, order.payment))) return undefined;
  return gateway.start(order);
}

async function ask(context: Context, gateway: Gateway, row: PaymentTable): Promise<Reading | undefined> {
  const { uuid: payment, amount, currency, gateway_id: id, created_at, state, top_up: madeBy } = row;
  const age = Date.now() - created_at;
  const isQuiet = row.asked_at === null || Date.now() - row.asked_at > askedMs;
  if (!id) {
    const order = { payment, amount, currency, ...(row.top_up_below !== null && ({ keepsCard: true } as const)) };
    const card = madeBy === null ? undefined : await findCard(context, row);
    if (age > unknownMs || (madeBy !== null && !card)) {
      // A card may have been charged although nobody heard of it.
      const made = madeBy === null ? undefined : await gateway.find(order);
      if (!made && isQuiet) await giveUp(context.db, row);
      return made;
    }
    // Of many who ask at once one starts it: a gateway refuses a key that it is at work with.
    const known = starting.get(payment);
    if (known) return known;
    const begun = start(context, gateway, card ? { ...order, card } : order);
    starting.set(payment, begun);
    const isOver = () => starting.delete(payment);
    void begun.then(isOver, isOver);
    return begun;
  }
  for (const refund of await listRefunds(context.db, [payment]))
    if (refund.state === 'wanted') await giveBack(context, gateway, id, refund);
  const isLeft =
    row.ended === 0 &&
    ((madeBy !== null && (state === 'failed' || (state === 'created' && isQuiet))) ||
      (age > unpaidMs && (state === 'created' || state === 'failed')) ||
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
    // Whatever comes of it, whoever else waits comes before it is looked at again.
    await updatePayment(context.db, row.uuid, {});
    try {
      await follow(context, row);
    } catch (error) {
      if (isAway(error))
        context.log.warn({ err: error, payment: row.uuid }, 'a payment could not be read at its gateway');
      else context.log.error({ err: error, payment: row.uuid }, 'a payment could not be settled');
    }
  }
  await deleteUnpaid(context.db);
  await deleteEvents(context.db, now - eventMs);
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
    if (held === 'price-differs' && row.ended === 0 && row.top_up_below !== null)
      await forgetCard(context, trx, { ...row, customer: reading.card?.customer ?? null });
    if (held && isGivenBack(reading)) return letGo(trx, row, { reason: held, about: reading.id });
    if (held) return holdCharge(context, trx, row, { reason: held, reading });
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

interface Hold {
  reason: HeldReason;
  /** The gateway's id of the charge or the refund. */
  about: string;
}

/** What should not have been charged went back whole. */
async function letGo(trx: Trx, { uuid, state }: PaymentTable, { reason, about }: Hold): Promise<void> {
  await releaseHolds(trx, uuid, { reason, about });
  await updatePayment(trx, uuid, {
    held: await newestHold(trx, uuid),
    ...(reason === 'price-differs' && { ended: 1, gateway_id: about }),
    ...(reason === 'price-differs' && state !== 'succeeded' && state !== 'refunded' && { state: 'canceled' }),
  });
}

const newestHold = async (trx: Trx, payment: string) => (await listHolds(trx, payment))[0]?.reason ?? null;

/** Makes a payment wait for an operator, unless it does already, or did until an operator saw to it. */
async function hold(context: Context, trx: Trx, payment: string, { reason, about }: Hold): Promise<void> {
  if (!(await insertHold(trx, { payment, reason, about, created_at: Date.now(), released_at: null }))) return;
  context.log.error({ payment, reason, about }, 'a payment waits for an operator');
  await updatePayment(trx, payment, { held: reason });
}

/** Nothing is added for what was not ordered; whoever paid another price sees that it is being looked at. */
async function holdCharge(
  context: Context,
  trx: Trx,
  { uuid, state }: PaymentTable,
  { reason, reading }: { reason: HeldReason; reading: Reading },
): Promise<void> {
  await hold(context, trx, uuid, { reason, about: reading.id });
  const waits = (await listHolds(trx, uuid)).some((each) => each.reason === 'price-differs');
  if (reason === 'other-charge' || !waits) return touch(trx, uuid);
  await updatePayment(trx, uuid, {
    gateway_id: reading.id,
    ended: 1,
    ...(reading.state === 'succeeded' && state !== 'succeeded' && state !== 'refunded' && { state: 'processing' }),
  });
}

async function move(context: Context, trx: Trx, row: PaymentTable, reading: Reading): Promise<void> {
  const { uuid: payment, workspace, credits } = row;
  const { id, isEnded, method } = reading;
  const { state, failure } = row.top_up === null ? reading : withoutBuyer(row, reading);
  if (row.state === 'succeeded' || row.state === 'refunded')
    return touch(trx, payment, { method: workspace && (row.method ?? method) });
  if (state !== 'succeeded') {
    if (row.ended === 1) return;
    await updatePayment(trx, payment, { state, failure, gateway_id: id, ended: isEnded ? 1 : 0 });
    // What has failed once may have been seen to since.
    if ((state === 'failed' || state === 'canceled') && state !== row.state)
      await endAfterFailure(context, trx, row, failure ?? 'canceled');
    return;
  }
  await updatePayment(trx, payment, {
    state,
    failure: null,
    gateway_id: id,
    ended: 1,
    // It goes with the buyer's name, and stays away then.
    method: workspace && method,
  });
  if (workspace) await enterPurchase(context, trx, { payment, workspace, credits });
  else await hold(context, trx, payment, { reason: 'workspace-gone', about: id });
  const receipt = await numberDocument(context, trx, {
    kind: 'receipt',
    payment,
    workspace,
    at: reading.paidAt ?? Date.now(),
  });
  await updatePayment(trx, payment, { receipt });
  if (row.top_up !== null) await tellToppedUp(context, trx, row);
  await beginTopUp(context, trx, row, reading);
}

/** Nobody answers a bank for a payment that was made by itself; and ended at the gateway, one that failed stays failed. */
function withoutBuyer(row: PaymentTable, { state, failure }: Reading): Pick<Reading, 'state' | 'failure'> {
  if (state === 'requires-action') return { state: 'failed', failure: 'challenge-failed' };
  return state === 'canceled' && row.state === 'failed'
    ? { state: 'failed', failure: row.failure }
    : { state, failure };
}

/** That it was looked at is noted, so that others come before it. */
async function touch(trx: Trx, payment: string, to: Partial<Pick<PaymentTable, 'method'>> = {}): Promise<void> {
  await updatePayment(trx, payment, to);
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
    if (refund.state === 'succeeded') await hold(context, trx, payment, { reason: 'refund-undone', about: given.id });
    else await failRefund(trx, refund.uuid, refund.refused);
    return;
  }
  if (refund.state === 'succeeded') return;
  if (given.state === 'pending') {
    // One that has failed is no longer on its way, whatever an older reading says.
    if (refund.state === 'failed') return;
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
  });
  if (refunded >= current.amount) {
    await releaseHolds(trx, payment, { reason: 'workspace-gone' });
    await updatePayment(trx, payment, { held: await newestHold(trx, payment) });
  }
  await takeCredits(context, trx, { ...current, refunded }, { reason: refund.reason, of: { refund: refund.uuid } });
  await endAfterReturn(context, trx, current, 'refunded');
  const note = await numberDocument(context, trx, {
    kind: 'credit-note',
    payment,
    workspace: current.workspace,
    refund: refund.uuid,
    at: given.at,
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
  const row = await findPayment(trx, payment);
  if (!row) return;
  if (state !== 'won') await endAfterReturn(context, trx, row, 'disputed');
  if (state !== 'lost') return;
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
