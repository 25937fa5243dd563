import { microPerCredit } from '../../../shared/contracts/usage.ts';
import { AppError } from '../../../shared/errors.ts';
import type { Context } from '../../feature.ts';
import { newId, type Trx } from '../../infra/db.ts';
import { ensureAccount, nobody } from './accounts.ts';
import { giveCredits, insertEntry, insertPurchase, spendCredits } from './usage.store.ts';

interface Purchase {
  /** The payment's id; each has at most one entry of a kind. */
  payment: string;
  workspace: string;
  /** Whole ones. */
  credits: number;
}

type Needs = Pick<Context, 'config' | 'sealer'>;

/**
 * Enters the credits of a payment that has succeeded, once: asked again for the same payment it does nothing. Throws
 * `balance-out-of-bounds` where an account would no longer be a number that can be counted exactly.
 */
export async function enterPurchase(
  context: Needs,
  trx: Trx,
  { payment, workspace, credits }: Purchase,
): Promise<void> {
  const entry = newId();
  if (!(await insertPurchase(trx, { payment, kind: 'purchase', workspace, entry }))) return;
  await ensureAccount(context, trx, workspace);
  const amount = credits * microPerCredit;
  const balance = await giveCredits(trx, { workspace, amount, most: Number.MAX_SAFE_INTEGER });
  if (balance === undefined) throw new AppError('balance-out-of-bounds', { maximum: Number.MAX_SAFE_INTEGER });
  await insertEntry(trx, {
    ...nobody,
    uuid: entry,
    created_at: Date.now(),
    workspace,
    kind: 'purchase',
    amount,
    balance,
    note: null,
  });
}

/**
 * Takes micro-credits of a payment back, once for each refund (an entry of that kind) or lost dispute (an adjustment). What was used
 * already leaves the balance below zero, as an answer that cost more than was set aside does, and nothing more is answered then.
 */
export async function takeBack(
  context: Needs,
  trx: Trx,
  {
    payment,
    workspace,
    amount,
    reason,
    of,
  }: {
    payment: string;
    workspace: string;
    amount: number;
    reason: string;
    of: { refund: string } | { dispute: string };
  },
): Promise<void> {
  const entry = newId();
  const kind = 'refund' in of ? (`refund:${of.refund}` as const) : (`dispute:${of.dispute}` as const);
  if (!(await insertPurchase(trx, { payment, kind, workspace, entry }))) return;
  await ensureAccount(context, trx, workspace);
  const balance = (await spendCredits(trx, workspace, { free: 0, cost: amount })) ?? 0;
  await insertEntry(trx, {
    ...nobody,
    uuid: entry,
    created_at: Date.now(),
    workspace,
    kind: 'refund' in of ? 'refund' : 'adjustment',
    amount: -amount,
    balance,
    note: reason || null,
  });
}
