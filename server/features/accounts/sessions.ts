import { AppError } from '../../../shared/errors.ts';
import { uuid as namesSession } from '../../../shared/text.ts';
import type { SessionInfo, User } from '../../../shared/contracts/accounts.ts';
import { newId, type Db, type Trx } from '../../infra/db.ts';
import type { Session as SessionRow } from '../users/sessions.ts';
import type { User as UserRow } from '../users/users.ts';
import type { Caller } from '../../infra/http.ts';
import { isPassword } from '../../infra/passwords.ts';
import { hashSecret, newSecret } from '../../infra/sealed.ts';
import { momentsOf } from '../../infra/moments.ts';
import { record } from '../audit/audit.ts';
import type { Context } from '../../feature.ts';
import { sendMail, sendsMail } from '../mail/mail.ts';

import { dropTickets, issueTicket } from './tickets.ts';
import {
  confirmSession,
  deleteSession,
  deleteSessions,
  findSession,
  findSessionBySecret,
  insertSession,
  listSessions,
  rotateSecret,
} from '../users/sessions.ts';
import { findUser, mustBeSameEpoch } from '../users/users.ts';
import { getUser } from './profile.ts';
import { signInAccountLimit } from './limits.ts';

/** What a request tells about who sent it. */
export interface Client {
  userAgent: string;
  address: string;
  /** The cookie that this browser got when somebody signed in with it. */
  device: string | undefined;
}

export interface SignedIn {
  jwt: string;
  user: User;
  /** The secret of the session cookie. */
  secret: string;
  /** The cookie by which the browser is known the next time. */
  device: string;
}

/** The password was right, and a code is asked for too. */
export interface HalfSignedIn {
  twoFactor: true;
  ticket: string;
}

export const sessionMs = 30 * 86_400_000;
const ticketMs = 10 * 60_000;
const verifyMs = 86_400_000;

type Method = SessionRow['method'];

/** The last step of every way of signing in: what keeps the person out, what is asked besides, and then the session. */
export async function admit(
  context: Context,
  user: UserRow,
  method: Method,
  client: Client,
): Promise<SignedIn | HalfSignedIn> {
  if (user.suspended_at !== null) throw new AppError('account-suspended');
  if (sendsMail(context) && !user.email_verified) {
    await askToVerify(context, context.db, user);
    throw new AppError('email-not-verified');
  }
  // A passkey is two factors by itself: something one has, and a finger or a PIN.
  if (user.totp_since !== null && method !== 'passkey')
    return {
      twoFactor: true,
      ticket: await issueTicket(context.db, { kind: 'two-factor', user, data: { method }, ms: ticketMs }),
    };
  return startSession(context, user, method, client);
}

/** Throws `not-signed-in` when what the person showed was ended while it was checked. */
export async function startSession(context: Context, user: UserRow, method: Method, client: Client): Promise<SignedIn> {
  const now = Date.now();
  const session = newId();
  const secret = newSessionSecret(session);
  await context.db.transaction().execute(async (trx) => {
    await mustBeSameEpoch(trx, user, 'not-signed-in');
    await insertSession(trx, {
      uuid: session,
      user: user.uuid,
      secret_hash: hashSecret(secret),
      previous_hash: null,
      sealed_secret: null,
      rotated_at: now,
      expires_at: now + sessionMs,
      last_seen_at: now,
      user_agent: client.userAgent.slice(0, 500),
      address: client.address,
      method,
      confirmed_at: now,
      created_at: now,
      updated_at: now,
    });
    await record(
      trx,
      { user: user.uuid, username: user.username, address: client.address },
      'user.signed-in',
      user.username,
      { method },
    );
  });
  return {
    jwt: await context.tokens.sign({ user: user.uuid, session }),
    user: await getUser(context.db, user.uuid, { withAvatar: true }),
    secret,
    device: context.sealer.seal(user.uuid, devicePlace),
  };
}

const devicePlace = 'cookie:device';

/** Whether this browser has signed in to the account before; its tries are counted apart, so that strangers who guess do not lock it out. */
export function isKnownDevice(context: Context, client: Client, user: string): boolean {
  if (!client.device) return false;
  try {
    return context.sealer.open(client.device, devicePlace) === user;
  } catch {
    return false;
  }
}

/** A mail with a link that shows the address is theirs; an older link counts no longer. */
export async function askToVerify(
  context: Context,
  trx: Trx | Db,
  user: Pick<UserRow, 'uuid' | 'username' | 'email' | 'locale' | 'security_epoch'>,
  data: { invitation?: string } = {},
): Promise<void> {
  await dropTickets(trx, user.uuid, ['verify-email']);
  const code = await issueTicket(trx, { kind: 'verify-email', user, data, ms: verifyMs });
  await sendMail(context, trx, {
    kind: 'verify-email',
    to: user.email,
    locale: user.locale,
    link: context.links.to('/Verify-Email', { code }),
    values: { username: user.username },
  });
}

/** Tabs of one browser renew at the same moment, and an answer with a new secret may be lost. */
const graceMs = 60_000;
const secretPlace = (session: string) => `session:${session}:sealed_secret`;

/** What a cookie carries: it names its session, so that one that has been replaced is known as such. */
const newSessionSecret = (session: string) => `${session}.${newSecret()}`;

/**
 * A new access token, and a new secret in place of the one that the cookie carries; the session lives on. The secret before it gives the
 * same new one for a minute. Any older one was copied, or is used by whoever it was copied from, so it ends the session.
 */
export async function renew(context: Context, secret: string | undefined): Promise<{ jwt: string; secret: string }> {
  const found = secret ? await findSessionBySecret(context.db, hashSecret(secret)) : undefined;
  const now = Date.now();
  if (secret && (!found || isReplayed(found, secret, now)))
    await endReplayed(context, found?.uuid ?? secret.split('.')[0]);
  else if (found && found.expires_at > now && found.suspended_at === null)
    return {
      jwt: await context.tokens.sign({ user: found.user, session: found.uuid }),
      secret: await rotate(context, found, now),
    };
  throw new AppError('not-signed-in');
}

const isReplayed = (session: SessionRow, secret: string, now: number) =>
  session.secret_hash !== hashSecret(secret) && now - session.rotated_at > graceMs;

async function rotate(context: Context, session: SessionRow, now: number): Promise<string> {
  const isFresh = session.sealed_secret !== null && now - session.rotated_at <= graceMs;
  if (isFresh && session.sealed_secret) return context.sealer.open(session.sealed_secret, secretPlace(session.uuid));
  const secret = newSessionSecret(session.uuid);
  const isOurs = await rotateSecret(context.db, session, {
    secret_hash: hashSecret(secret),
    sealed_secret: context.sealer.seal(secret, secretPlace(session.uuid)),
    rotated_at: now,
    expires_at: now + sessionMs,
  });
  if (isOurs) return secret;
  const other = await findSession(context.db, session.uuid);
  if (!other) throw new AppError('not-signed-in');
  return rotate(context, other, now);
}

async function endReplayed(context: Context, uuid: string | undefined): Promise<void> {
  const session = uuid && namesSession.safeParse(uuid).success ? await findSession(context.db, uuid) : undefined;
  const user = session && (await findUser(context.db, session.user));
  if (!user) return;
  await context.db.transaction().execute(async (trx) => {
    await deleteSession(trx, session.uuid);
    await record(
      trx,
      { user: user.uuid, username: user.username, address: session.address },
      'user.session-replayed',
      user.username,
      { device: session.user_agent },
    );
  });
  context.sockets.endSession(session.uuid);
}

export async function signOut(context: Context, secret: string | undefined, address: string): Promise<void> {
  const session = secret ? await findSessionBySecret(context.db, hashSecret(secret)) : undefined;
  if (!session) return;
  await context.db.transaction().execute(async (trx) => {
    await deleteSession(trx, session.uuid);
    await record(trx, { user: session.user, username: session.username, address }, 'user.signed-out', session.username);
  });
  context.sockets.endSession(session.uuid);
}

export async function listOwnSessions(
  context: Context,
  caller: Pick<Caller, 'user' | 'session'>,
): Promise<SessionInfo[]> {
  const rows = await listSessions(context.db, caller.user, Date.now());
  return rows.map((row) => ({
    uuid: row.uuid,
    current: row.uuid === caller.session,
    userAgent: row.user_agent,
    address: row.address,
    method: row.method,
    ...momentsOf(row),
    lastSeenAt: new Date(row.last_seen_at).toISOString(),
  }));
}

export async function endSession(context: Context, caller: Caller, uuid: string): Promise<void> {
  const session = await findSession(context.db, uuid);
  if (session?.user !== caller.user) throw new AppError('session-not-found');
  await context.db.transaction().execute(async (trx) => {
    await deleteSession(trx, uuid);
    await record(trx, caller, 'user.sessions-ended', caller.username, { device: session.user_agent });
  });
  context.sockets.endSession(uuid);
}

/** Every other device is signed out. */
export async function endOtherSessions(context: Context, caller: Caller): Promise<void> {
  await context.db.transaction().execute(async (trx) => {
    await deleteSessions(trx, caller.user, caller.session);
    await record(trx, caller, 'user.sessions-ended', caller.username);
  });
  // The page that asked connects again at once.
  context.sockets.endUser(caller.user);
}

export async function confirm(context: Context, caller: Caller): Promise<void> {
  if (caller.session) await confirmSession(context.db, caller.session, Date.now());
}

/** Throws `wrong-credentials` unless it is the caller's password. */
export async function mustKnowPassword(context: Context, caller: Caller, password: string): Promise<void> {
  await context.limits.take(signInAccountLimit, `confirm:${caller.user}`);
  const user = await findUser(context.db, caller.user);
  if (!(await isPassword(password, user?.password_hash))) throw new AppError('wrong-password');
  await context.limits.clear(signInAccountLimit, `confirm:${caller.user}`);
}
