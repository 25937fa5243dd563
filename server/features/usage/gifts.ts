import { sql } from 'kysely';
import { microPerCredit } from '../../../shared/contracts/usage.ts';
import { AppError } from '../../../shared/errors.ts';
import type { Context } from '../../feature.ts';
import { newId, type Db, type Trx } from '../../infra/db.ts';
import { ensureAccount, nobody } from './accounts.ts';
import { findRequested, giveCredits, insertEntry, insertRequest } from './usage.store.ts';

/** In credits; far below what a number holds in millionths of them. */
const mostCredits = 1_000_000_000;

/**
 * Gives a workspace whole credits, or takes them back (an adjustment, never below what is set aside), once for an operator and a
 * key. Returns whether this call did it; one that did it before with the same content is no error. Throws `idempotency-key-used`
 * when it had another content, and `balance-out-of-bounds`.
 */
export async function give(
  context: Pick<Context, 'config' | 'sealer'>,
  trx: Trx,
  {
    operator,
    key,
    workspace,
    credits,
    reason,
  }: {
    operator: string;
    key: string;
    workspace: string;
    credits: number;
    reason: string;
  },
): Promise<boolean> {
  const amount = credits * microPerCredit;
  const entry = newId();
  if (!(await insertRequest(trx, { operator, key, workspace, entry, created_at: Date.now() }))) {
    const made = await findRequested(trx, operator, key);
    if (made?.workspace !== workspace || made.amount !== amount || made.note !== reason)
      throw new AppError('idempotency-key-used');
    return false;
  }
  await ensureAccount(context, trx, workspace);
  const balance = await giveCredits(trx, { workspace, amount, most: mostCredits * microPerCredit });
  if (balance === undefined) throw new AppError('balance-out-of-bounds', { maximum: mostCredits });
  await insertEntry(trx, {
    ...nobody,
    uuid: entry,
    created_at: Date.now(),
    workspace,
    kind: amount > 0 ? 'grant' : 'adjustment',
    amount,
    balance,
    user: operator,
    note: reason,
  });
  return true;
}

/** Of those that have an account already, in micro-credits. */
export async function listBalances(db: Db | Trx, workspaces: string[]): Promise<Map<string, number>> {
  if (workspaces.length === 0) return new Map();
  const rows = await db
    .selectFrom('credit_account')
    .select(['workspace', 'balance'])
    .where('workspace', 'in', workspaces)
    .execute();
  return new Map(rows.map(({ workspace, balance }) => [workspace, balance]));
}

/** What each workspace can still set aside for answers, in micro-credits, for queries of other features to join. */
export const available = (db: Db | Trx) =>
  db
    .selectFrom('credit_account')
    .select(['workspace', sql<number>`balance - reserved`.as('credits')])
    .as('available');

export const findAvailable = async (db: Db | Trx, workspace: string): Promise<number> =>
  (await db.selectFrom(available(db)).select('credits').where('workspace', '=', workspace).executeTakeFirst())
    ?.credits ?? 0;
