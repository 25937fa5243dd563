import type { Package, Payment, sandboxVerdicts } from '../../../shared/contracts/payments.ts';
import { AppError } from '../../../shared/errors.ts';
import type { Context } from '../../feature.ts';
import { newId } from '../../infra/db.ts';
import type { Caller } from '../../infra/http.ts';
import { page, readCursor } from '../../infra/page.ts';
import { modelSettings } from '../../providers/models/registry.ts';
import type { Gateway, Reading } from '../../providers/payments/gateway.ts';
import { sandbox, type Sandbox } from '../../providers/payments/sandbox.ts';
import { record } from '../audit/audit.ts';
import { listBalances } from '../usage/gifts.ts';
import { enterPurchase, enterRefund } from '../usage/purchases.ts';
import {
  findByKey,
  findPackage,
  findPayment,
  insertPackage,
  insertPayment,
  listPackages,
  listPayments,
  listUnfinished,
  movePayment,
  numberReceipt,
  retirePackage,
  sandboxStore,
} from './payments.store.ts';
import type { CreditPackageTable, PaymentTable } from './payments.tables.ts';

const loopback = ['127.0.0.1', '::1', 'localhost'];

/**
 * The sandbox gives credits for nothing: unless told, it is there only where nobody but this machine can come, and where the
 * operator pays nobody for what credits buy.
 */
const isOpen = ({ config }: Context): boolean => {
  const told = config.declared['PAYMENTS'];
  if (told) return told === 'sandbox';
  const pays = Object.keys(modelSettings).some((name) => name.endsWith('_API_KEY') && config.declared[name]);
  return loopback.includes(config.HOST) && !config.BASE_URL && config.TRUST_PROXY.length === 0 && !pays;
};

/** Payments that began go on to their end where no new ones begin. */
const gatewayOf = ({ db }: Context): Sandbox => sandbox(sandboxStore(db));

function mustBeOpen(context: Context): void {
  if (!isOpen(context)) throw new AppError('payments-closed');
}

export async function listSold(context: Context) {
  const open = isOpen(context);
  const rows = open ? await listPackages(context.db) : [];
  return { data: rows.map(toPackage), meta: { open, sandbox: gatewayOf(context).isSandbox } };
}

export async function listOwnPayments(
  { db }: Context,
  { workspace }: Caller,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
) {
  const found = await listPayments(db, { workspace, limit, after: readCursor(cursor) });
  const { rows, nextCursor } = page(found, limit, (row) => row.created_at);
  return { data: rows.map(toPayment), meta: { nextCursor } };
}

/** Begins a payment, once for a workspace and a key. Its row is there before the gateway is asked, so that nothing is lost between. */
export async function createPayment(
  context: Context,
  caller: Caller,
  { package: wanted, key }: { package: string; key: string | undefined },
): Promise<Payment> {
  if (!key || key.length > 255) throw new AppError('idempotency-key-missing');
  mustBeOpen(context);
  const { workspace } = caller;
  const row = await context.db.transaction().execute(async (trx) => {
    const made = await findByKey(trx, workspace, key);
    if (made) return made;
    const found = await findPackage(trx, wanted);
    if (!found) throw new AppError('package-not-found');
    const now = Date.now();
    const { credits, price, currency } = found;
    const added: PaymentTable = {
      uuid: newId(now),
      created_at: now,
      updated_at: now,
      workspace,
      package: wanted,
      key,
      credits,
      amount: price,
      currency,
      gateway: gatewayOf(context).name,
      gateway_id: null,
      state: 'created',
      failure: null,
      receipt: null,
      refund_reason: null,
    };
    if (await insertPayment(trx, added)) {
      await record(trx, caller, 'payment.started', '', { credits, amount: price, currency });
      return added;
    }
    return await findByKey(trx, workspace, key);
  });
  if (row?.package !== wanted) throw new AppError('idempotency-key-used');
  return toPayment(await follow(context, row));
}

/** A payment as it is at the gateway now, and what the workspace has. */
export async function readPayment(context: Context, caller: Caller, uuid: string) {
  const row = await follow(context, await mustFind(context, caller, uuid));
  const balance = (await listBalances(context.db, [caller.workspace])).get(caller.workspace) ?? 0;
  return { data: toPayment(row), meta: { balance } };
}

export const cancelPayment = (context: Context, caller: Caller, uuid: string) =>
  act(context, caller, uuid, (gateway, id) => gateway.cancel(id));

/** Pays with a test card. Throws `payment-done` for a payment that is past that. */
export const payInSandbox = (context: Context, caller: Caller, uuid: string, number: string) =>
  act(context, caller, uuid, (gateway, id) => gateway.pay(id, number));

export const answerInSandbox = (
  context: Context,
  caller: Caller,
  uuid: string,
  verdict: (typeof sandboxVerdicts)[number],
) => act(context, caller, uuid, (gateway, id) => gateway.answer(id, verdict));

async function act(
  context: Context,
  caller: Caller,
  uuid: string,
  ask: (gateway: Sandbox, id: string) => Promise<Reading>,
): Promise<Payment> {
  const row = await follow(context, await mustFind(context, caller, uuid));
  if (!isUnfinished(row) || !row.gateway_id) throw new AppError('payment-done');
  await take(context, await ask(gatewayOf(context), row.gateway_id));
  return toPayment(await mustFind(context, caller, uuid));
}

/** Gives a payment back. What the operator wants is kept before the gateway is asked, and done later where this process dies. */
export async function refundPayment(
  context: Context,
  caller: Caller,
  { uuid, reason }: { uuid: string; reason: string },
): Promise<Payment> {
  const row = await findPayment(context.db, uuid);
  if (!row) throw new AppError('payment-not-found');
  await context.db.transaction().execute(async (trx) => {
    if (!(await movePayment(trx, uuid, ['succeeded'], { refund_reason: reason }))) throw new AppError('payment-done');
    await record(trx, caller, 'payment.refunded', '', { amount: row.amount, currency: row.currency, reason });
  });
  const wanted = await findPayment(context.db, uuid);
  return toPayment(await follow(context, wanted ?? row));
}

/** Brings payments to what the gateway says that nobody looks at any more. */
export async function reconcile(context: Context, signal: AbortSignal): Promise<void> {
  for (const row of await listUnfinished(context.db, Date.now() - 30_000)) {
    if (signal.aborted) return;
    try {
      await follow(context, row);
    } catch (error) {
      context.log.warn({ error, payment: row.uuid }, 'a payment could not be read at its gateway');
    }
  }
}

const unfinished: readonly PaymentTable['state'][] = ['created', 'requires-action', 'processing'];
const isUnfinished = ({ state }: PaymentTable) => unfinished.includes(state);

/** The row as it is once the gateway was asked, where that can still change it. */
async function follow(context: Context, row: PaymentTable): Promise<PaymentTable> {
  const gateway: Gateway = gatewayOf(context);
  const { uuid, amount, currency, gateway_id: id } = row;
  if (isUnfinished(row))
    await take(context, await (id ? gateway.read(id) : gateway.start({ payment: uuid, amount, currency })));
  else if (row.state === 'succeeded' && row.refund_reason !== null && id) await take(context, await gateway.refund(id));
  else return row;
  return (await findPayment(context.db, uuid)) ?? row;
}

/**
 * Takes what the gateway says of a payment: credits, the receipt's number and the state come in one transaction, and only for the
 * one who moves the row. A final state is left for a refund only.
 */
async function take(context: Context, reading: Reading): Promise<void> {
  await context.db.transaction().execute(async (trx) => {
    const row = await findPayment(trx, reading.payment);
    if (!row) return;
    const { uuid: payment, workspace, credits } = row;
    if (reading.amount !== row.amount || reading.currency !== row.currency)
      throw new Error('The gateway has another price for this payment');
    if (reading.state === 'succeeded' || reading.state === 'refunded') {
      if (await movePayment(trx, payment, unfinished, { state: 'succeeded', gateway_id: reading.id, failure: null })) {
        await enterPurchase(context, trx, { payment, workspace, credits });
        await numberReceipt(trx, payment);
      }
      if (reading.state === 'refunded' && (await movePayment(trx, payment, ['succeeded'], { state: 'refunded' })))
        await enterRefund(context, trx, { payment, workspace, credits, reason: row.refund_reason ?? '' });
      return;
    }
    const { state, failure, id } = reading;
    await movePayment(trx, payment, unfinished, { state, failure, gateway_id: id });
  });
}

async function mustFind({ db }: Context, { workspace }: Caller, uuid: string): Promise<PaymentTable> {
  const row = await findPayment(db, uuid);
  if (row?.workspace !== workspace) throw new AppError('payment-not-found');
  return row;
}

export async function addPackage(
  { db }: Context,
  caller: Caller,
  given: Pick<Package, 'credits' | 'price' | 'currency'>,
): Promise<Package> {
  const now = Date.now();
  const row: CreditPackageTable = { ...given, uuid: newId(now), created_at: now, updated_at: now, removed_at: null };
  await db.transaction().execute(async (trx) => {
    await insertPackage(trx, row);
    await record(trx, caller, 'package.added', '', given);
  });
  return toPackage(row);
}

export async function removePackage({ db }: Context, caller: Caller, uuid: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    if (!(await retirePackage(trx, uuid, Date.now()))) throw new AppError('package-not-found');
    await record(trx, caller, 'package.removed', '', {});
  });
}

const toPackage = ({ uuid, credits, price, currency }: CreditPackageTable): Package => ({
  uuid,
  credits,
  price,
  currency,
});

const toPayment = (row: PaymentTable): Payment => ({
  uuid: row.uuid,
  package: row.package,
  credits: row.credits,
  amount: row.amount,
  currency: row.currency,
  sandbox: row.gateway === 'sandbox',
  state: row.state,
  failure: row.failure,
  receipt: row.receipt,
  createdAt: new Date(row.created_at).toISOString(),
});
