import { microPerCredit } from '../../../shared/contracts/usage.ts';
import type { Context } from '../../feature.ts';
import { lockRow, type Trx } from '../../infra/db.ts';
import { findAvailable } from '../usage/gifts.ts';
import { isOwnerSuspended } from '../workspaces/memberships.ts';
import { currentGateway, isOpen } from './gateways.ts';
import { newOrder } from './orders.ts';
import {
  findPackage,
  findTopUp,
  hasUnfinished,
  insertPayment,
  listDue,
  listOrphaned,
  sumByItself,
  updateTopUp,
} from './payments.store.ts';
import type { CreditPackageTable, PaymentTable, TopUpTable } from './payments.tables.ts';
import { follow, isAway } from './settle.ts';
import { tellFull } from './tell.ts';
import { endTopUp, isOf, keptCard, lookAtBuyer, monthOf } from './top-up.ts';
import { forgetCard } from './forget-card.ts';

const batch = 200;

/** Buys again for each workspace that wants it and has too few credits. Whatever was begun and not finished, `reconcile` finishes. */
export async function topUp(context: Context, signal: AbortSignal): Promise<void> {
  for (const uuid of await listOrphaned(context.db)) await guarded(context, uuid, endOrphaned(context, uuid));
  if (!isOpen(context)) return;
  let after: string | undefined;
  for (;;) {
    const due = await listDue(context.db, after, batch);
    for (const uuid of due) {
      if (signal.aborted) return;
      await guarded(context, uuid, buy(context, uuid));
    }
    after = due.at(-1);
    if (due.length < batch) break;
  }
  context.queue.wake();
}

/** What goes wrong for one workspace holds up no other. */
async function guarded(context: Context, uuid: string, work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (isAway(error)) context.log.warn({ err: error, topUp: uuid }, 'a top-up could not be read at its gateway');
    else context.log.error({ err: error, topUp: uuid }, 'a top-up could not be made');
  }
}

async function buy(context: Context, uuid: string): Promise<void> {
  const order = await begin(context, uuid);
  if (order) await follow(context, order);
}

/** Whoever set it up no longer manages the workspace: it is their card, and theirs alone. */
const endOrphaned = (context: Context, uuid: string): Promise<void> =>
  context.db.transaction().execute(async (trx) => {
    await lockRow(trx, 'top_up', uuid);
    const row = await findTopUp(trx, { uuid });
    if (row && (await lookAtBuyer(trx, row)) === 'gone') await loseBuyer(context, trx, row);
  });

async function loseBuyer(context: Context, trx: Trx, row: TopUpTable): Promise<void> {
  await endTopUp(context, trx, row, 'buyer-gone');
  await forgetCard(context, trx, row);
  await updateTopUp(trx, row.uuid, { customer: null, method: null, label: null });
}

/**
 * Writes the order of a top-up, if it is still due: under the lock of its row, and only where no other order of it is open. Of many
 * who look at the same moment one writes it, and only that one asks the gateway.
 */
async function begin(context: Context, uuid: string): Promise<PaymentTable | undefined> {
  const gateway = currentGateway(context);
  return context.db.transaction().execute(async (trx) => {
    await lockRow(trx, 'top_up', uuid);
    const row = await findTopUp(trx, { uuid });
    if (!row || row.is_on === 0) return undefined;
    if (!isOf(gateway, row)) {
      await endTopUp(context, trx, row, 'gateway-gone');
      return undefined;
    }
    // What is still open comes first: once it is over, the credits are there as well.
    if (await hasUnfinished(trx, row)) return undefined;
    if ((await findAvailable(trx, row.workspace)) >= row.below * microPerCredit) return undefined;
    if (await isOwnerSuspended(trx, row.workspace)) return undefined;
    const buyer = await lookAtBuyer(trx, row);
    if (buyer === 'suspended') return undefined;
    if (buyer === 'gone') {
      await loseBuyer(context, trx, row);
      return undefined;
    }
    const sold = await findPackage(trx, row.package);
    if (!keptCard(row) || !sold || !isAsAgreed(row, sold)) {
      await endTopUp(context, trx, row, keptCard(row) ? 'package-gone' : 'no-card');
      return undefined;
    }
    const month = monthOf();
    const spent = await sumByItself(trx, { ...row, since: month.since });
    if (spent + sold.price > row.month_limit) {
      if (row.full_month === month.name) return undefined;
      await updateTopUp(trx, uuid, { full_month: month.name });
      await tellFull(context, trx, row);
      return undefined;
    }
    const charges = row.charges + 1;
    const order = newOrder(gateway, sold, {
      workspace: row.workspace,
      key: `top-up:${uuid}:${charges}`,
      top_up: uuid,
    });
    await updateTopUp(trx, uuid, { charges });
    return (await insertPayment(trx, order)) ? order : undefined;
  });
}

/** Nothing is charged but what was agreed to. */
const isAsAgreed = (row: TopUpTable, sold: CreditPackageTable): boolean =>
  (sold.sandbox === 0 || row.gateway === 'sandbox') &&
  sold.price === row.price &&
  sold.credits === row.credits &&
  sold.currency === row.currency;
