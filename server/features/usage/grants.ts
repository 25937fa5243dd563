import { createHmac } from 'node:crypto';
import { microPerCredit } from '../../../shared/contracts/usage.ts';
import type { Context } from '../../feature.ts';
import type { Db, Trx } from '../../infra/db.ts';
import { newSecret } from '../../infra/sealed.ts';
import { keyOf } from '../users/users.ts';
import { findOwner } from '../workspaces/memberships.ts';
import { deleteClaim, findClaim, insertClaim } from './usage.store.ts';

type Needs = Pick<Context, 'config' | 'sealer'>;

/**
 * The micro-credits that a workspace begins with: the operator's grant if neither its owner nor anybody with the owner's address
 * had one for another workspace, and none else. Asked twice for one workspace it says the same.
 */
export async function claimGrant(context: Needs, trx: Trx, workspace: string): Promise<number> {
  const amount = Math.round(context.config.CREDIT_GRANT * microPerCredit);
  const owner = amount > 0 ? await findOwner(trx, workspace) : undefined;
  if (!owner) return 0;
  let isTheirs = true;
  for (const claim of [owner.user, await addressClaim(context, trx, owner.email)]) {
    await insertClaim(trx, { claim, workspace, created_at: Date.now() });
    isTheirs &&= (await findClaim(trx, claim))?.workspace === workspace;
  }
  return isTheirs ? amount : 0;
}

/** Who leaves after a grant gets no other with the same address; of the address stays what only this installation can compare. */
export async function keepClaim(
  context: Needs,
  trx: Trx,
  { user, email }: { user: string; email: string },
): Promise<void> {
  const claimed = await findClaim(trx, user);
  if (!claimed) return;
  await insertClaim(trx, { ...claimed, claim: await addressClaim(context, trx, email) });
  await deleteClaim(trx, user);
}

/** HMAC-SHA-256 of the address, in hexadecimal, under a key of the installation. */
const addressClaim = async (context: Needs, trx: Trx, email: string): Promise<string> =>
  createHmac('sha256', await openGrantKey(context, trx))
    .update(keyOf(email))
    .digest('hex');

const name = 'grant-key';
const place = `installation:${name}`;

/** Made at the first start, and sealed anew at the first start with another master key. */
export async function openGrantKey({ sealer }: Pick<Context, 'sealer'>, db: Db | Trx): Promise<string> {
  const stored = await db.selectFrom('installation').select('value').where('name', '=', name).executeTakeFirst();
  if (!stored) {
    await db
      .insertInto('installation')
      .values({ name, value: sealer.seal(newSecret(), place) })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    return openGrantKey({ sealer }, db);
  }
  const key = sealer.open(stored.value, place);
  if (sealer.isStale(stored.value))
    await db
      .updateTable('installation')
      .set({ value: sealer.seal(key, place) })
      .where('name', '=', name)
      .execute();
  return key;
}
