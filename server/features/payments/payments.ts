import type { Package, Payment, sandboxVerdicts } from '../../../shared/contracts/payments.ts';
import { AppError } from '../../../shared/errors.ts';
import type { Context } from '../../feature.ts';
import { newId } from '../../infra/db.ts';
import type { Caller } from '../../infra/http.ts';
import { page, readCursor } from '../../infra/page.ts';
import { momentsOf } from '../../infra/moments.ts';
import type { Gateway, Reading } from '../../providers/payments/gateway.ts';
import type { Sandbox } from '../../providers/payments/sandbox.ts';
import { record } from '../audit/audit.ts';
import { listBalances } from '../usage/gifts.ts';
import { cardGateways, currentGateway, gatewayOf, isOpen, mustBeOpen, sandboxOf } from './gateways.ts';
import { newOrder } from './orders.ts';
import {
  findByKey,
  findPackage,
  findPayment,
  insertPackage,
  insertPayment,
  listPackages,
  listPayments,
  listRefunds,
  retirePackage,
} from './payments.store.ts';
import type { CreditPackageTable, PaymentRefundTable, PaymentTable } from './payments.tables.ts';
import { follow, isAway, take } from './settle.ts';
import { mustFitMonth } from './top-up.ts';

/** As many as a dialog shows. */
const mostPackages = 30;

export async function listSold(context: Context) {
  const open = isOpen(context);
  const gateway = currentGateway(context);
  const sandbox = gateway.name === 'sandbox';
  const rows = open ? await listPackages(context.db, { sandbox }) : [];
  const publishableKey = (open && cardGateways(context)[0]?.publishableKey) || null;
  return { data: rows.map(toPackage), meta: { open, sandbox: !gateway.isLive, gateway: gateway.name, publishableKey } };
}

export async function listOwnPayments(
  { db }: Context,
  { workspace }: Caller,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
) {
  const found = await listPayments(db, { workspace, limit, after: readCursor(cursor) });
  const { rows, nextCursor } = page(found, limit, (row) => row.created_at);
  const refunds = Map.groupBy(
    await listRefunds(
      db,
      rows.filter(({ refund_asked }) => refund_asked > 0).map(({ uuid }) => uuid),
    ),
    ({ payment }) => payment,
  );
  return { data: rows.map((row) => toPayment(row, refunds.get(row.uuid))), meta: { nextCursor } };
}

interface Wanted {
  package: string;
  key: string | undefined;
  /** What it sets up once it is paid. */
  topUp?: { below: number; monthLimit: number } | undefined;
}

/** Begins a payment, once for a workspace and a key. Its row is there before the gateway is asked, so that nothing is lost between. */
export async function createPayment(context: Context, caller: Caller, { package: wanted, key, topUp }: Wanted) {
  if (!key) throw new AppError('idempotency-key-missing');
  mustBeOpen(context);
  const { workspace } = caller;
  const gateway = currentGateway(context);
  const row = await context.db.transaction().execute(async (trx) => {
    const made = await findByKey(trx, workspace, key);
    if (made) return made;
    const found = await findPackage(trx, wanted);
    if (!found || (found.sandbox === 1 && gateway.name !== 'sandbox')) throw new AppError('package-not-found');
    if (topUp) mustFitMonth(found, topUp.monthLimit, 'topUp.monthLimit');
    const { credits, price, currency } = found;
    const added = newOrder(gateway, found, {
      workspace,
      key,
      ...(topUp && { top_up_below: topUp.below, top_up_limit: topUp.monthLimit, top_up_by: caller.user }),
    });
    if (await insertPayment(trx, added)) {
      await record(trx, caller, 'payment.started', added.uuid, { credits, amount: price, currency });
      return added;
    }
    return await findByKey(trx, workspace, key);
  });
  const isSame =
    row?.package === wanted &&
    row.top_up === null &&
    row.top_up_below === (topUp?.below ?? null) &&
    row.top_up_limit === (topUp?.monthLimit ?? null);
  if (!row || !isSame) throw new AppError('idempotency-key-used');
  const { row: now, reading } = await reach(follow(context, row));
  return { data: await shown(context, now), meta: { clientSecret: reading?.clientSecret ?? null } };
}

/** What nobody can do anything about here but try again. */
async function reach<T>(asking: Promise<T>): Promise<T> {
  try {
    return await asking;
  } catch (error) {
    throw isAway(error) ? new AppError('payments-unreachable', {}, { cause: error }) : error;
  }
}

/** A payment as it is at the gateway now, or as it was if that cannot be asked, and what the workspace has. */
export async function readPayment(context: Context, caller: Caller, uuid: string) {
  const found = await mustFind(context, caller, uuid);
  const row = await followIfThere(context, found);
  const balance = (await listBalances(context.db, [caller.workspace])).get(caller.workspace) ?? 0;
  return { data: await shown(context, row), meta: { balance } };
}

async function followIfThere(context: Context, found: PaymentTable): Promise<PaymentTable> {
  try {
    return (await follow(context, found)).row;
  } catch (error) {
    if (!isAway(error)) throw error;
    context.log.warn({ err: error, payment: found.uuid }, 'a payment could not be read at its gateway');
    return found;
  }
}

export const cancelPayment = (context: Context, caller: Caller, uuid: string) =>
  act(context, caller, uuid, (row, id) => gatewayOf(context, row)?.cancel(id));

/** Pays with a test card. Throws `payment-done` for a payment that is past that. */
export const payInSandbox = (context: Context, caller: Caller, uuid: string, number: string) =>
  playIn(context, caller, uuid, (gateway, id) => gateway.pay(id, number));

export const answerInSandbox = (
  context: Context,
  caller: Caller,
  uuid: string,
  verdict: (typeof sandboxVerdicts)[number],
) => playIn(context, caller, uuid, (gateway, id) => gateway.answer(id, verdict));

const playIn = (
  context: Context,
  caller: Caller,
  uuid: string,
  play: (gateway: Sandbox, id: string) => Promise<Reading>,
) => {
  // Orders that began in a sandbox are worth nothing once it is closed.
  mustBeOpen(context);
  return act(context, caller, uuid, (row, id) =>
    row.gateway === 'sandbox' && currentGateway(context).name === 'sandbox' ? play(sandboxOf(context), id) : undefined,
  );
};

async function act(
  context: Context,
  caller: Caller,
  uuid: string,
  ask: (row: PaymentTable, id: string) => ReturnType<Gateway['read']> | undefined,
): Promise<Payment> {
  const { row } = await reach(follow(context, await mustFind(context, caller, uuid)));
  const asked = row.ended === 0 && row.gateway_id && row.top_up === null ? ask(row, row.gateway_id) : undefined;
  if (!asked) throw new AppError('payment-done');
  await take(context, { reading: await reach(asked), payment: uuid });
  return shown(context, await mustFind(context, caller, uuid));
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
  const row: CreditPackageTable = {
    ...given,
    uuid: newId(now),
    created_at: now,
    updated_at: now,
    removed_at: null,
    sandbox: 0,
  };
  if ((await listPackages(db, { sandbox: true })).length >= mostPackages)
    throw new AppError('too-many', { limit: mostPackages });
  await db.transaction().execute(async (trx) => {
    await insertPackage(trx, row);
    await record(trx, caller, 'package.added', row.uuid, given);
  });
  return toPackage(row);
}

export async function removePackage({ db }: Context, caller: Caller, uuid: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    if (!(await retirePackage(trx, uuid, Date.now()))) throw new AppError('package-not-found');
    await record(trx, caller, 'package.removed', uuid);
  });
}

export const toPackage = ({ uuid, credits, price, currency, ...row }: CreditPackageTable): Package => ({
  uuid,
  credits,
  price,
  currency,
  ...momentsOf(row),
});

const shown = async ({ db }: Context, row: PaymentTable): Promise<Payment> =>
  toPayment(row, row.refund_asked > 0 ? await listRefunds(db, [row.uuid]) : []);

export const toPayment = (row: PaymentTable, refunds: PaymentRefundTable[] = []): Payment => ({
  uuid: row.uuid,
  package: row.package,
  automatic: row.top_up !== null,
  credits: row.credits,
  amount: row.amount,
  currency: row.currency,
  gateway: row.gateway,
  sandbox: row.live === 0,
  state: row.state,
  failure: row.failure,
  receipt: row.receipt,
  refunded: row.refunded,
  refunds: refunds.map(toRefund),
  createdAt: new Date(row.created_at).toISOString(),
  updatedAt: new Date(row.updated_at).toISOString(),
});

export const toRefund = ({
  uuid,
  amount,
  state,
  note,
  created_at,
  updated_at,
}: PaymentRefundTable): Payment['refunds'][number] => ({
  uuid,
  amount,
  state,
  note,
  createdAt: new Date(created_at).toISOString(),
  updatedAt: new Date(updated_at).toISOString(),
});
