import type { Locale, User } from '../../../shared/contracts/accounts.ts';
import { AppError } from '../../../shared/errors.ts';
import { newId, type Db, type Trx } from '../../infra/db.ts';
import type { UserTable } from '../../infra/db.types.ts';
import { avatarUrl } from '../files/files.ts';
import { findProfile, hasOperator, insertPersonalWorkspace, insertUser, updateUser } from './accounts.store.ts';

export interface NewUser {
  username: string;
  email: string;
  emailVerified: boolean;
  passwordHash: string | null;
  locale: Locale;
  timezone: string | undefined;
}

/** A person and their personal workspace. */
export async function addUser(
  trx: Trx,
  { username, email, emailVerified, passwordHash, locale, timezone }: NewUser,
): Promise<UserTable> {
  const now = Date.now();
  const user: UserTable = {
    uuid: newId(),
    username,
    username_key: keyOf(username),
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
    created_at: now,
    updated_at: now,
  };
  await insertUser(trx, user);
  await insertPersonalWorkspace(trx, { uuid: newId(), name: username, user: user.uuid, now });
  return user;
}

/** The first person who can sign in runs the installation. */
export async function makeFirstOperator(trx: Trx, user: string): Promise<void> {
  if (!(await hasOperator(trx))) await updateUser(trx, user, { is_operator: 1 });
}

export async function getUser(db: Db, uuid: string, { withAvatar }: { withAvatar: boolean }): Promise<User> {
  const rows = await findProfile(db, { user: uuid });
  const [user] = rows;
  if (!user) throw new AppError('not-signed-in');
  const image = (avatar: string | null) => (avatar ? { url: avatarUrl(avatar) } : null);
  return {
    uuid: user.uuid,
    username: user.username,
    email: user.email,
    emailVerified: user.email_verified === 1,
    pendingEmail: user.pending_email,
    ...(withAvatar && { avatar: image(user.avatar) }),
    locale: user.locale,
    timezone: user.timezone,
    providers: [
      ...(user.password ? ['local' as const] : []),
      ...(user.google ? ['google' as const] : []),
      ...(user.passkey ? ['passkey' as const] : []),
    ],
    twoFactor: user.totp_since !== null,
    suspendedAt: user.suspended_at === null ? null : new Date(user.suspended_at).toISOString(),
    operator: user.is_operator === 1,
    workspaces: rows
      .toSorted((one, other) => Number(one.workspaceSince) - Number(other.workspaceSince))
      .flatMap(({ workspace, workspaceName, workspaceAvatar, role, personal_of }) =>
        workspace === null || workspaceName === null || role === null
          ? []
          : [
              {
                uuid: workspace,
                name: workspaceName,
                avatar: image(workspaceAvatar),
                role,
                personal: personal_of === user.uuid,
              },
            ],
      ),
    createdAt: new Date(user.created_at).toISOString(),
    updatedAt: new Date(user.updated_at).toISOString(),
  };
}

/** Names that look the same are the same. */
export function keyOf(name: string): string {
  return name.normalize('NFKC').trim().toLowerCase();
}

export function isTimezone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
