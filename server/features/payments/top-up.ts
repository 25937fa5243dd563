import type { TopUp, TopUpReason } from '../../../shared/contracts/payments.ts';
import { AppError } from '../../../shared/errors.ts';
import { may } from '../../../shared/roles.ts';
import type { Context } from '../../feature.ts';
import { lockName, lockRow, newId, type Db, type Trx } from '../../infra/db.ts';
import type { Caller } from '../../infra/http.ts';
import type { Gateway, KeptCard, Reading } from '../../providers/payments/gateway.ts';
import { record, type Actor } from '../audit/audit.ts';
import { findWorkspaceName, isOwnerSuspended, listMembers } from '../workspaces/memberships.ts';
import { listPeople } from '../users/users.ts';
import { forgetCard } from './forget-card.ts';
import { currentGateway, isOpen, mustBeOpen } from './gateways.ts';
import { deleteTopUp, findPackage, findTopUp, insertTopUp, sumByItself, updateTopUp } from './payments.store.ts';
import type { CreditPackageTable, PaymentTable, TopUpTable } from './payments.tables.ts';
import { tellEnded } from './tell.ts';

/** The month of UTC in which a moment is: its name, such as "2026-11", and when it began. */
export function monthOf(at = Date.now()): { name: string; since: number } {
  const date = new Date(at);
  return {
    name: date.toISOString().slice(0, 7),
    since: Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1),
  };
}

/** What was paid by itself in this month, in the smallest unit of the currency. */
export const spentInMonth = (db: Db | Trx, { workspace, currency }: TopUpTable): Promise<number> =>
  sumByItself(db, { workspace, currency, since: monthOf().since });

/** What a person sets up with a package. Throws `validation-failed` where the month would not have room for one. */
export function mustFitMonth({ price }: Pick<CreditPackageTable, 'price'>, monthLimit: number, path: string): void {
  if (monthLimit < price)
    throw new AppError('validation-failed', { fields: [{ path, code: 'too-short', minimum: price }] });
}

/**
 * Begins with the purchase that ordered it, in the transaction in which that is taken as paid; the one before ends, and its card is
 * forgotten. Where no card was kept, it is off from the beginning and says so.
 */
export async function beginTopUp(
  context: Context,
  trx: Trx,
  row: PaymentTable,
  { card, method }: Pick<Reading, 'card' | 'method'>,
): Promise<void> {
  const { workspace, top_up_below: below, top_up_limit: monthLimit, top_up_by: user, gateway } = row;
  if (below === null || monthLimit === null) return;
  if (workspace === null)
    return forgetCard(context, trx, { gateway, live: row.live, customer: card?.customer ?? null });
  // Two purchases of one moment may both set it up, where there is no row yet that could be locked.
  await lockName(trx, context.engine, `top-up:${workspace}`);
  const before = await deleteTopUp(trx, workspace);
  if (before) await forgetCard(context, trx, before);
  const now = Date.now();
  const added: TopUpTable = {
    uuid: newId(now),
    created_at: now,
    updated_at: now,
    workspace,
    user,
    payment: row.uuid,
    package: row.package,
    credits: row.credits,
    price: row.amount,
    currency: row.currency,
    below,
    month_limit: monthLimit,
    is_on: 1,
    reason: null,
    gateway,
    live: row.live,
    customer: card?.customer ?? null,
    method: card?.method ?? null,
    label: card && method,
    charges: 0,
    full_month: null,
  };
  await insertTopUp(trx, added);
  const [buyer] = user === null ? [] : await listPeople(trx, [user]);
  await record(
    trx,
    await actorOf(trx, added, { user, username: buyer?.username ?? '' }),
    'top-up.started',
    added.uuid,
    {
      below,
      monthLimit,
      credits: row.credits,
      amount: row.amount,
      currency: row.currency,
    },
  );
  if (!card) await endTopUp(context, trx, added, 'no-card');
}

/** Nobody is there, unless it is a purchase that somebody made. */
const actorOf = async (
  trx: Trx,
  { workspace }: TopUpTable,
  who: Pick<Actor, 'user' | 'username'> = { user: null, username: '' },
): Promise<Actor> => ({
  ...who,
  address: '',
  workspace,
  workspaceName: (await findWorkspaceName(trx, workspace)) ?? '',
});

/** Turns it off because it cannot go on, unless it is off already, and tells whoever manages the workspace. */
export async function endTopUp(context: Context, trx: Trx, row: TopUpTable, reason: TopUpReason): Promise<void> {
  await lockRow(trx, 'top_up', row.uuid);
  if ((await findTopUp(trx, { uuid: row.uuid }))?.is_on !== 1) return;
  await updateTopUp(trx, row.uuid, { is_on: 0, reason });
  await record(trx, await actorOf(trx, row), 'top-up.ended', row.uuid, { reason });
  await tellEnded(context, trx, row, reason);
}

/** A payment that was made by itself has failed. */
export async function endAfterFailure(
  context: Context,
  trx: Trx,
  payment: PaymentTable,
  reason: TopUpReason,
): Promise<void> {
  if (payment.top_up === null) return;
  const row = await findTopUp(trx, { uuid: payment.top_up });
  if (row) await endTopUp(context, trx, row, reason);
}

/** Money went back, or is asked back: whoever wants it is not charged again for the credits that go with it. */
export async function endAfterReturn(
  context: Context,
  trx: Trx,
  { workspace }: PaymentTable,
  reason: 'refunded' | 'disputed',
): Promise<void> {
  const row = workspace === null ? undefined : await findTopUp(trx, { workspace });
  if (row) await endTopUp(context, trx, row, reason);
}

/** Whether what was set up may be charged through a gateway: not where nothing is sold, or the card is another gateway's. */
export const isChargeable = (context: Context, row: Pick<TopUpTable, 'gateway' | 'live'>): boolean =>
  isOpen(context) && isOf(currentGateway(context), row);

export const isOf = (gateway: Gateway, row: Pick<TopUpTable, 'gateway' | 'live'>): boolean =>
  gateway.name === row.gateway && gateway.isLive === (row.live === 1);

export const keptCard = ({ customer, method }: TopUpTable): KeptCard | undefined =>
  customer === null || method === null ? undefined : { customer, method };

/** The card for a payment that was made by itself and has not begun: only while what made it is still on. */
export async function findCard(context: Context, payment: PaymentTable): Promise<KeptCard | undefined> {
  const row = payment.top_up === null ? undefined : await findTopUp(context.db, { uuid: payment.top_up });
  if (!row || row.is_on === 0 || !isChargeable(context, row)) return undefined;
  const isAllowed =
    !(await isOwnerSuspended(context.db, row.workspace)) && (await lookAtBuyer(context.db, row)) === 'here';
  return isAllowed ? keptCard(row) : undefined;
}

/** Whether whoever set it up may still spend for the workspace. */
export async function lookAtBuyer(
  db: Db | Trx,
  { workspace, user }: TopUpTable,
): Promise<'here' | 'suspended' | 'gone'> {
  const member = (await listMembers(db, workspace)).find((each) => each.user === user);
  if (!member || !may(member.role, 'manage')) return 'gone';
  return member.suspended_at === null ? 'here' : 'suspended';
}

export async function getTopUp({ db }: Context, { workspace }: Caller): Promise<TopUp | null> {
  const row = await findTopUp(db, { workspace });
  return row ? toTopUp(row, await spentInMonth(db, row)) : null;
}

/** Whether it has turned itself off. */
export const hasTopUpStopped = async ({ db }: Context, workspace: string): Promise<boolean> =>
  ((await findTopUp(db, { workspace }))?.reason ?? null) !== null;

export const toTopUp = (row: TopUpTable, spent: number): TopUp => ({
  package: row.package,
  credits: row.credits,
  price: row.price,
  currency: row.currency,
  below: row.below,
  monthLimit: row.month_limit,
  on: row.is_on === 1,
  reason: row.reason,
  card: row.customer === null ? null : row.label,
  spent,
  sandbox: row.live === 0,
});

interface Changes {
  package?: string | undefined;
  below?: number | undefined;
  monthLimit?: number | undefined;
  on?: boolean | undefined;
}

/**
 * Whoever manages the workspace may have less bought, more only whose card it is. Throws `top-up-not-found`, `card-of-other`,
 * `package-not-found` for one of another currency too, and `card-needed` where it cannot be turned on.
 */
export async function changeTopUp(context: Context, caller: Caller, changes: Changes): Promise<TopUp> {
  const { db } = context;
  return db.transaction().execute(async (trx) => {
    const row = await lockTopUp(trx, caller);
    const sold = await findPackage(trx, changes.package ?? row.package);
    const isSold = sold?.currency === row.currency && (sold.sandbox === 0 || row.gateway === 'sandbox');
    if (changes.package !== undefined && !isSold) throw new AppError('package-not-found');
    const on = changes.on ?? row.is_on === 1;
    if (on && row.is_on === 0) {
      mustBeOpen(context);
      if (!isSold) throw new AppError('package-not-found');
      if (!keptCard(row) || !isChargeable(context, row)) throw new AppError('card-needed');
    }
    const agreed = isSold && (changes.package !== undefined || on) ? sold : row;
    const monthLimit = changes.monthLimit ?? row.month_limit;
    mustFitMonth(agreed, monthLimit, 'monthLimit');
    const next: Partial<TopUpTable> = {
      package: changes.package ?? row.package,
      credits: agreed.credits,
      price: agreed.price,
      below: changes.below ?? row.below,
      month_limit: monthLimit,
      is_on: on ? 1 : 0,
      reason: on ? null : row.reason,
      // Another limit is told of when it is reached.
      ...(monthLimit !== row.month_limit && { full_month: null }),
    };
    if (caller.user !== row.user && spendsMore(row, { ...row, ...next })) throw new AppError('card-of-other');
    await updateTopUp(trx, row.uuid, next);
    await record(trx, caller, 'top-up.changed', row.uuid, { ...changes });
    const now = { ...row, ...next };
    return toTopUp(now, await spentInMonth(trx, now));
  });
}

const spendsMore = (before: TopUpTable, after: TopUpTable): boolean =>
  after.is_on > before.is_on ||
  after.below > before.below ||
  after.month_limit > before.month_limit ||
  after.package !== before.package ||
  after.price !== before.price;

/** Throws `top-up-not-found`. */
export async function forgetTopUp(context: Context, caller: Caller): Promise<void> {
  await context.db.transaction().execute(async (trx) => {
    const row = await lockTopUp(trx, caller);
    await endForGood(context, trx, row.workspace);
    await record(trx, caller, 'top-up.ended', row.uuid);
  });
}

/** Takes it away with its card, in the transaction of whatever it goes with. */
export async function endForGood(context: Pick<Context, 'queue'>, trx: Trx, workspace: string): Promise<void> {
  const gone = await deleteTopUp(trx, workspace);
  if (gone) await forgetCard(context, trx, gone);
}

async function lockTopUp(trx: Trx, { workspace }: Caller): Promise<TopUpTable> {
  const found = await findTopUp(trx, { workspace });
  if (!found) throw new AppError('top-up-not-found');
  await lockRow(trx, 'top_up', found.uuid);
  const row = await findTopUp(trx, { workspace });
  if (row?.uuid !== found.uuid) throw new AppError('top-up-not-found');
  return row;
}
