import type { Security } from '../../../shared/contracts/accounts.ts';
import { AppError } from '../../../shared/errors.ts';
import type { Caller } from '../../infra/http.ts';
import type { Context } from '../../feature.ts';
import { countBackupCodes, findIdentityOf, listPasskeys } from './accounts.store.ts';
import { toPasskey } from './passkeys.ts';
import { listOwnSessions } from './sessions.ts';
import { findUser } from '../users/users.ts';

/** What protects an account, at a glance. */
export async function getSecurity(context: Context, caller: Caller): Promise<Security> {
  const { db } = context;
  const [user, identity, passkeys, sessions, backupCodesLeft] = await Promise.all([
    findUser(db, caller.user),
    findIdentityOf(db, caller.user),
    listPasskeys(db, caller.user),
    listOwnSessions(context, caller),
    countBackupCodes(db, caller.user),
  ]);
  if (!user) throw new AppError('not-signed-in');
  return {
    hasPassword: user.password_hash !== null,
    google: identity ? { email: identity.email, linkedAt: new Date(identity.created_at).toISOString() } : null,
    twoFactor: user.totp_since === null ? null : { since: new Date(user.totp_since).toISOString(), backupCodesLeft },
    passkeys: passkeys.map(toPasskey),
    sessions,
  };
}
