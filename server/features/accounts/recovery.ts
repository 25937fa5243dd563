import { AppError } from '../../../shared/errors.ts';
import type { Db } from '../../infra/db.ts';
import { record } from '../audit/audit.ts';
import type { Context } from '../../feature.ts';
import type { Outbox } from '../mail/mail.ts';
import { tellOfChange } from './notices.ts';
import { removeTwoFactor } from './two-factor.ts';
import { resetMs } from './passwords.ts';
import { dropTickets, issueTicket } from './tickets.ts';
import { beginEpoch } from './epoch.ts';
import { findUserByKey, keyOf, updateUser } from '../users/users.ts';

// Anyone with the machine's files could do all of this anyway; here it is done completely, and recorded.
const operatorOfMachine = { user: null, username: 'command line', address: 'local' };

/** A code for a new password. Throws `user-not-found`. */
export async function recoverPassword(db: Db, name: string): Promise<string> {
  const user = await mustFind(db, name);
  return db.transaction().execute(async (trx) => {
    await dropTickets(trx, user.uuid, ['reset-password']);
    await record(trx, operatorOfMachine, 'user.reset-link', user.username);
    return issueTicket(trx, {
      kind: 'reset-password',
      user,
      data: { mailed: user.email_verified === 1 },
      ms: resetMs,
    });
  });
}

/** Removes the authenticator app of a person who lost it, signs them out, and tells them by mail. Throws `user-not-found`. */
export async function recoverTwoFactor(
  context: Outbox & Pick<Context, 'db' | 'features' | 'links'>,
  name: string,
): Promise<void> {
  const { db } = context;
  const user = await mustFind(db, name);
  await db.transaction().execute(async (trx) => {
    await removeTwoFactor(trx, user.uuid);
    await beginEpoch(context, trx, user.uuid, { except: null });
    if (user.totp_since !== null) await tellOfChange(context, trx, 'two-factor-off', user);
    await record(trx, operatorOfMachine, 'user.two-factor-reset', user.username);
  });
}

/** Makes somebody an operator, lifting a suspension. Throws `user-not-found`. */
export async function recoverOperator(db: Db, name: string): Promise<void> {
  const user = await mustFind(db, name);
  await db.transaction().execute(async (trx) => {
    await updateUser(trx, user.uuid, { is_operator: 1, email_verified: 1, suspended_at: null, suspended_for: null });
    await record(trx, operatorOfMachine, 'user.operator-on', user.username);
  });
}

async function mustFind(db: Db, name: string) {
  const user = await findUserByKey(db, keyOf(name));
  if (!user) throw new AppError('user-not-found');
  return user;
}
