import type { Mail, OperatedUser } from '../../../shared/contracts/operator.ts';
import { accountChanged } from '../../../shared/contracts/accounts.ts';
import { AppError } from '../../../shared/errors.ts';
import type { Context } from '../../feature.ts';
import type { Db, Trx } from '../../infra/db.ts';
import type { Caller } from '../../infra/http.ts';
import { page, readCursor } from '../../infra/page.ts';
import { momentsOf } from '../../infra/moments.ts';
import { findSignInMethods } from '../accounts/profile.ts';
import { removeSecondFactors } from '../accounts/two-factor.ts';
import { beginEpoch } from '../accounts/epoch.ts';
import { tellOfChange } from '../accounts/notices.ts';
import { issueTicket, listGoodCodes } from '../accounts/tickets.ts';
import { record, type Actor } from '../audit/audit.ts';
import { avatarUrl } from '../files/files.ts';
import { findMail, listMails, mailLink, retryMail, sendMail, type MailRow } from '../mail/mail.ts';
import { readSettings, saveSettings, type Settings } from '../settings/settings.ts';
import {
  findListedUser,
  findUser,
  listUsers,
  lockUser,
  mustNotBeLastOperator,
  updateUser,
  type ListedUser,
  type User,
  type UserState,
} from '../users/users.ts';
import { listOpenCodes } from '../workspaces/invitations.ts';
import { countMemberships } from '../workspaces/memberships.ts';

const resetMs = 30 * 60_000;

export async function listAllUsers(
  { db }: Context,
  query: { q?: string | undefined; state: UserState; limit: number; cursor?: string | undefined },
) {
  const rows = await listUsers(db, {
    q: query.q,
    state: query.state,
    limit: query.limit,
    after: readCursor(query.cursor),
  });
  const shown = page(rows, query.limit, (row) => row.created_at);
  return { data: await toOperated(db, shown.rows), meta: { nextCursor: shown.nextCursor } };
}

export async function getOperatedUser({ db }: Context, uuid: string): Promise<OperatedUser> {
  const user = await findListedUser(db, uuid);
  const [shown] = user ? await toOperated(db, [user]) : [];
  if (!shown) throw new AppError('user-not-found');
  return shown;
}

/** Sessions and connections end at once; keys of somebody suspended open nothing. */
export async function suspend(context: Context, caller: Caller, uuid: string, reason: string): Promise<OperatedUser> {
  await changeUser(context, uuid, async (trx, user) => {
    mustBeAnother(caller, user);
    await mustNotBeLastOperator(trx, uuid);
    // Read again under the lock. The operators are always locked first, or two who lock both could deadlock.
    await lockUser(trx, uuid);
    const { suspended_at } = await mustFindUser(trx, uuid);
    await beginEpoch(context, trx, uuid, { except: null });
    await updateUser(trx, uuid, { suspended_at: suspended_at ?? Date.now(), suspended_for: reason || null });
    for (const { person } of context.features) await person?.suspend?.(context, trx, { user: uuid, suspended: true });
    await record(trx, asOperator(caller), 'user.suspended', user.username, { reason });
  });
  context.sockets.endUser(uuid);
  return getOperatedUser(context, uuid);
}

export async function restore(context: Context, caller: Caller, uuid: string): Promise<OperatedUser> {
  return changeUser(context, uuid, async (trx, user) => {
    if (user.suspended_at === null) return;
    await updateUser(trx, uuid, { suspended_at: null, suspended_for: null });
    for (const { person } of context.features) await person?.suspend?.(context, trx, { user: uuid, suspended: false });
    await record(trx, asOperator(caller), 'user.restored', user.username);
  });
}

/** For others only: one's own second factor is taken away on the account's page, which asks who it is. */
export async function resetTwoFactor(context: Context, caller: Caller, uuid: string): Promise<OperatedUser> {
  await changeUser(context, uuid, async (trx, user) => {
    mustBeAnother(caller, user);
    await beginEpoch(context, trx, uuid, { except: null });
    await removeSecondFactors(trx, uuid);
    if (user.totp_since !== null) await tellOfChange(context, trx, 'two-factor-off', user);
    await record(trx, asOperator(caller), 'user.two-factor-reset', user.username);
  });
  context.sockets.endUser(uuid);
  context.queue.wake();
  return getOperatedUser(context, uuid);
}

/** A link for the operator to pass on; it is shown once. */
export async function linkToResetPassword(
  context: Context,
  caller: Caller,
  uuid: string,
): Promise<{ url: string; expiresAt: string }> {
  return context.db.transaction().execute(async (trx) => {
    const user = await mustFindUser(trx, uuid);
    mustBeAnother(caller, user);
    const expiresAt = new Date(Date.now() + resetMs).toISOString();
    const code = await issueTicket(trx, { kind: 'reset-password', user, data: {}, ms: resetMs });
    await record(trx, asOperator(caller), 'user.reset-link', user.username);
    return { url: context.links.to('/Reset-Password', { code }), expiresAt };
  });
}

export async function setOperator(
  context: Context,
  caller: Caller,
  uuid: string,
  operator: boolean,
): Promise<OperatedUser> {
  const changed = await changeUser(context, uuid, async (trx, user) => {
    if ((user.is_operator === 1) === operator) return;
    if (!operator) await mustNotBeLastOperator(trx, uuid);
    await updateUser(trx, uuid, { is_operator: operator ? 1 : 0 });
    await record(trx, asOperator(caller), operator ? 'user.operator-on' : 'user.operator-off', user.username);
  });
  context.sockets.toUser(uuid, accountChanged, {});
  return changed;
}

export async function listLatestMails(context: Context, query: { limit: number; cursor?: string | undefined }) {
  const rows = await listMails(context.db, { limit: query.limit, after: readCursor(query.cursor) });
  const shown = page(rows, query.limit, (row) => row.created_at);
  const links = await listWorkingLinks(context, shown.rows);
  return {
    data: shown.rows.map((row) => toMail(row, links.get(row.uuid))),
    meta: { nextCursor: shown.nextCursor },
  };
}

/** Where kept mails lead, by mail, without those whose code was used or taken back, or is too old. */
async function listWorkingLinks(context: Context, rows: MailRow[]): Promise<Map<string, string>> {
  const links = rows.flatMap((row) => {
    const link = mailLink(context, row);
    if (link === null) return [];
    const said = URL.parse(link)?.searchParams;
    return [{ uuid: row.uuid, link, code: said?.get('code') ?? said?.get('invitation') ?? null }];
  });
  const codes = links.flatMap(({ code }) => code ?? []);
  const good = new Set(
    (await Promise.all([listOpenCodes(context.db, codes), listGoodCodes(context.db, codes)])).flat(),
  );
  return new Map(links.flatMap(({ uuid, link, code }) => (code === null || good.has(code) ? [[uuid, link]] : [])));
}

export async function sendAgain(context: Context, caller: Caller, uuid: string): Promise<Mail> {
  const mail = await findMail(context.db, uuid);
  if (!mail) throw new AppError('mail-not-found');
  await context.db.transaction().execute(async (trx) => {
    await retryMail(context, trx, uuid);
    await record(trx, asOperator(caller), 'mail.retried', mail.recipient, { kind: mail.kind });
  });
  context.queue.wake();
  return toMail((await findMail(context.db, uuid)) ?? mail);
}

export async function sendTestMail(context: Context, caller: Caller): Promise<void> {
  const { email, locale, username } = await mustFindUser(context.db, caller.user);
  await sendMail(context, context.db, { kind: 'test', to: email, locale, values: { username } });
  context.queue.wake();
}

export async function changeSettings(
  { db }: Context,
  caller: Caller,
  given: { [Key in keyof Settings]?: Settings[Key] | undefined },
): Promise<Settings> {
  const changes = Object.entries(given).filter(([, value]) => value !== undefined);
  if (changes.length > 0) {
    await db.transaction().execute(async (trx) => {
      await saveSettings(trx, changes);
      await record(trx, asOperator(caller), 'settings.changed', '', Object.fromEntries(changes));
    });
  }
  return readSettings(db);
}

/** An operator's action belongs to no workspace. */
export function asOperator({ user, username, address }: Caller): Actor {
  return { user, username, address };
}

async function changeUser(
  context: Context,
  uuid: string,
  change: (trx: Trx, user: User) => Promise<void>,
): Promise<OperatedUser> {
  await context.db.transaction().execute(async (trx) => change(trx, await mustFindUser(trx, uuid)));
  return getOperatedUser(context, uuid);
}

export async function mustFindUser(db: Db | Trx, uuid: string): Promise<User> {
  const user = await findUser(db, uuid);
  if (!user) throw new AppError('user-not-found');
  return user;
}

function mustBeAnother(caller: Caller, user: User): void {
  // Compared with the stored id, since the given one may be in capitals.
  if (user.uuid === caller.user) throw new AppError('yourself');
}

async function toOperated(db: Db, rows: ListedUser[]): Promise<OperatedUser[]> {
  const users = rows.map(({ uuid }) => uuid);
  const [workspaces, methods] = await Promise.all([countMemberships(db, users), findSignInMethods(db, users)]);
  return rows.map((row) => ({
    uuid: row.uuid,
    username: row.username,
    email: row.email,
    emailVerified: row.email_verified === 1,
    avatar: row.avatar ? { url: avatarUrl(row.avatar) } : null,
    operator: row.is_operator === 1,
    twoFactor: row.totp_since !== null,
    providers: [
      ...(row.password_hash ? (['local'] as const) : []),
      ...(methods.get(row.uuid)?.google ? (['google'] as const) : []),
      ...(methods.get(row.uuid)?.passkey ? (['passkey'] as const) : []),
    ],
    suspendedAt: row.suspended_at === null ? null : new Date(row.suspended_at).toISOString(),
    suspendedFor: row.suspended_for,
    workspaces: workspaces.get(row.uuid) ?? 0,
    lastSeenAt: row.last_seen_at === null ? null : new Date(row.last_seen_at).toISOString(),
    createdAt: new Date(row.created_at).toISOString(),
    updatedAt: new Date(row.updated_at).toISOString(),
  }));
}

function toMail(row: MailRow, link: string | null = null): Mail {
  return {
    uuid: row.uuid,
    kind: row.kind,
    recipient: row.recipient,
    subject: row.subject,
    state: row.state,
    link,
    error: row.error,
    ...momentsOf(row),
  };
}
