import type { Context } from '../../feature.ts';
import type { Trx } from '../../infra/db.ts';
import { deleteSessions } from '../users/sessions.ts';
import { raiseEpoch, type User } from '../users/users.ts';
import { deleteIdentity, deletePasskeys } from './accounts.store.ts';
import { dropTickets } from './tickets.ts';

/**
 * Ends every session but one, every ticket and preview, a change of address, and whatever began before and would end after: it compares the
 * epoch, or its session, under the lock of the person. Connections are the caller's to end, after the transaction.
 */
export async function beginEpoch(
  { features }: Pick<Context, 'features'>,
  trx: Trx,
  user: string,
  { except }: { except: string | null },
): Promise<User> {
  const changed = await raiseEpoch(trx, user);
  await deleteSessions(trx, user, except);
  await dropTickets(trx, user);
  for (const feature of features) await feature.person?.newEpoch?.(trx, user);
  return changed;
}

/** The same, and with it every way in that somebody else may have added: passkeys, Google and API keys. The password is the caller's to set. */
export async function shutOut(context: Pick<Context, 'features'>, trx: Trx, user: string): Promise<User> {
  const changed = await beginEpoch(context, trx, user, { except: null });
  await deletePasskeys(trx, user);
  await deleteIdentity(trx, user);
  for (const feature of context.features.toReversed()) await feature.person?.reset?.(trx, user);
  return changed;
}
