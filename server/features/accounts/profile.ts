import type { Locale, User as Profile } from '../../../shared/contracts/accounts.ts';
import { AppError } from '../../../shared/errors.ts';
import { isTimezone } from '../../../shared/text.ts';
import { newId, type Db, type Trx } from '../../infra/db.ts';
import { avatarUrl } from '../files/files.ts';
import { findUser, insertUser, keyOf, type User } from '../users/users.ts';
import { insertPersonalWorkspace, listMemberships } from '../workspaces/memberships.ts';
import { listIdentitiesOf, listPasskeysOf } from './accounts.store.ts';

export interface NewUser {
  username: string;
  email: string;
  emailVerified: boolean;
  passwordHash: string | null;
  locale: Locale;
  timezone: string | undefined;
  /** What customers know their shop by. */
  shop?: string | undefined;
}

/** A person and their personal workspace. */
export async function addUser(
  trx: Trx,
  { username, email, emailVerified, passwordHash, locale, timezone, shop }: NewUser,
): Promise<User> {
  const now = Date.now();
  const user: User = {
    uuid: newId(),
    username,
    username_key: keyOf(username),
    display_name: null,
    email,
    email_key: keyOf(email),
    email_verified: emailVerified ? 1 : 0,
    password_hash: passwordHash,
    avatar: null,
    locale,
    timezone: timezone && isTimezone(timezone) ? timezone : 'UTC',
    is_operator: 0,
    suspended_at: null,
    suspended_for: null,
    pending_email: null,
    totp_secret: null,
    totp_since: null,
    totp_step: null,
    security_epoch: 0,
    created_at: now,
    updated_at: now,
  };
  await insertUser(trx, user);
  await insertPersonalWorkspace(trx, {
    uuid: newId(),
    name: shop || username,
    named: shop ? 1 : 0,
    user: user.uuid,
    now,
  });
  return user;
}

/** A person as they are shown to themselves. Throws `not-signed-in` when there is no such person any more. */
export async function getUser(db: Db, uuid: string, { withAvatar }: { withAvatar: boolean }): Promise<Profile> {
  const [user, workspaces, methods] = await Promise.all([
    findUser(db, uuid),
    listMemberships(db, { user: uuid }),
    findSignInMethods(db, [uuid]),
  ]);
  if (!user) throw new AppError('not-signed-in');
  const { google, passkey } = methods.get(uuid) ?? { google: false, passkey: false };
  const image = (avatar: string | null) => (avatar ? { url: avatarUrl(avatar) } : null);
  return {
    uuid: user.uuid,
    username: user.username,
    displayName: user.display_name,
    email: user.email,
    emailVerified: user.email_verified === 1,
    pendingEmail: user.pending_email,
    ...(withAvatar && { avatar: image(user.avatar) }),
    locale: user.locale,
    timezone: user.timezone,
    providers: [
      ...(user.password_hash === null ? [] : ['local' as const]),
      ...(google ? ['google' as const] : []),
      ...(passkey ? ['passkey' as const] : []),
    ],
    twoFactor: user.totp_since !== null,
    suspendedAt: user.suspended_at === null ? null : new Date(user.suspended_at).toISOString(),
    operator: user.is_operator === 1,
    workspaces: workspaces.map(({ uuid, name, named, avatar, personal_of, role }) => ({
      uuid,
      name,
      shop: named === 1 ? name : '',
      avatar: image(avatar),
      role,
      personal: personal_of === user.uuid,
    })),
    createdAt: new Date(user.created_at).toISOString(),
    updatedAt: new Date(user.updated_at).toISOString(),
  };
}

/** Which of them sign in with Google, and which with a passkey. */
export async function findSignInMethods(
  db: Db | Trx,
  users: string[],
): Promise<Map<string, { google: boolean; passkey: boolean }>> {
  if (users.length === 0) return new Map();
  const [identities, passkeys] = await Promise.all([listIdentitiesOf(db, users), listPasskeysOf(db, users)]);
  const has = (rows: { user: string }[], user: string) => rows.some((row) => row.user === user);
  return new Map(users.map((user) => [user, { google: has(identities, user), passkey: has(passkeys, user) }]));
}

/** Throws `last-way-in` when nothing is left to sign in with. The caller has locked the person, or the last two could go at once. */
export async function mustHaveAWayIn(trx: Trx, uuid: string): Promise<void> {
  const user = await findUser(trx, uuid);
  const methods = (await findSignInMethods(trx, [uuid])).get(uuid);
  if (!user?.password_hash && !methods?.google && !methods?.passkey) throw new AppError('last-way-in');
}
