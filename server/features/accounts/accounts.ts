import type { FastifyRequest } from 'fastify';
import type { Locale, User } from '../../../shared/contracts/accounts.ts';
import { AppError } from '../../../shared/errors.ts';
import { uuid as uuidSchema } from '../../../shared/text.ts';
import { isUniqueViolation, newId, type Db } from '../../infra/db.ts';
import type { UserTable } from '../../infra/db.types.ts';
import type { Authorize, Caller } from '../../infra/http.ts';
import { hashPassword, isPassword } from '../../infra/passwords.ts';
import { hashSecret, newSecret } from '../../infra/sealed.ts';
import type { SocketIdentity } from '../../infra/sockets.ts';
import type { Context } from '../context.ts';
import { avatarUrl, mustOwnAvatar } from '../files/files.ts';
import { may } from './roles.ts';
import { deleteSession, extendSession, findCaller, findSessionBySecret, findTaken, findUser, findUserByKey, findWorkspaces, hasUsers, insertPersonalWorkspace, insertSession, insertUser, updateUser } from './accounts.store.ts';


export interface Client {
  userAgent: string;
  address: string;
}

export interface SignedIn {
  jwt: string;
  user: User;
  /** The secret of the session cookie. */
  secret: string;
}

export const sessionMs = 30 * 86_400_000;

interface Registration {
  username: string;
  email: string;
  password: string;
  locale: Locale;
  timezone: string | undefined;
}

export async function register(context: Context, given: Registration, client: Client): Promise<SignedIn> {
  const { db } = context;
  const keys = { email: keyOf(given.email), username: keyOf(given.username) };
  const taken = await findTaken(db, keys.email, keys.username);
  if (taken.some((other) => other.email_key === keys.email || other.username_key === keys.email)) throw new AppError('email-taken');
  if (taken.length > 0) throw new AppError('username-taken');
  const now = Date.now();
  const user: UserTable = {
    uuid: newId(),
    username: given.username,
    username_key: keys.username,
    email: given.email,
    email_key: keys.email,
    email_verified: 0,
    password_hash: await hashPassword(given.password),
    avatar: null,
    locale: given.locale,
    timezone: given.timezone && isTimezone(given.timezone) ? given.timezone : 'UTC',
    is_operator: 0,
    suspended_at: null,
    created_at: now,
    updated_at: now,
  };
  try {
    await db.transaction().execute(async (trx) => {
      const isFirst = !(await hasUsers(trx));
      await insertUser(trx, { ...user, is_operator: isFirst ? 1 : 0 });
      await insertPersonalWorkspace(trx, { uuid: newId(), name: given.username, user: user.uuid, now });
    });
  } catch (error) {
    // Two registrations at the same moment: the later one learns it here.
    if (isUniqueViolation(error)) throw new AppError('email-taken', {}, { cause: error });
    throw error;
  }
  return startSession(context, user, client);
}

export async function signIn(context: Context, given: { identifier: string; password: string }, client: Client): Promise<SignedIn> {
  const user = await findUserByKey(context.db, keyOf(given.identifier));
  const isRight = await isPassword(given.password, user?.password_hash);
  if (!user || !isRight || user.suspended_at !== null) throw new AppError('wrong-credentials');
  return startSession(context, user, client);
}

async function startSession(context: Context, user: UserTable, client: Client): Promise<SignedIn> {
  const now = Date.now();
  const secret = newSecret();
  const session = newId();
  await insertSession(context.db, {
    uuid: session,
    user: user.uuid,
    secret_hash: hashSecret(secret),
    expires_at: now + sessionMs,
    last_seen_at: now,
    user_agent: client.userAgent.slice(0, 500),
    address: client.address,
    created_at: now,
    updated_at: now,
  });
  return { jwt: await context.tokens.sign({ user: user.uuid, session }), user: await getUser(context.db, user.uuid, { withAvatar: true }), secret };
}

/** A new access token for the session that the cookie carries; the session lives on. */
export async function renew(context: Context, secret: string | undefined): Promise<string> {
  const session = secret ? await findSessionBySecret(context.db, hashSecret(secret)) : undefined;
  const now = Date.now();
  if (!session || session.expires_at <= now || session.suspended_at !== null) throw new AppError('not-signed-in');
  await extendSession(context.db, session.uuid, now + sessionMs, now);
  return context.tokens.sign({ user: session.user, session: session.uuid });
}

export async function signOut(context: Context, secret: string | undefined): Promise<void> {
  const session = secret ? await findSessionBySecret(context.db, hashSecret(secret)) : undefined;
  if (!session) return;
  await deleteSession(context.db, session.uuid);
  context.sockets.endSession(session.uuid);
}

export async function getUser(db: Db, uuid: string, { withAvatar }: { withAvatar: boolean }): Promise<User> {
  const user = await findUser(db, uuid);
  if (!user) throw new AppError('not-signed-in');
  const workspaces = await findWorkspaces(db, uuid);
  return {
    uuid: user.uuid,
    username: user.username,
    email: user.email,
    emailVerified: user.email_verified === 1,
    ...(withAvatar && { avatar: user.avatar ? { url: avatarUrl(user.avatar) } : null }),
    locale: user.locale,
    timezone: user.timezone,
    operator: user.is_operator === 1,
    workspaces: workspaces.map(({ uuid: workspace, name, role, personal_of }) => ({ uuid: workspace, name, role, personal: personal_of === user.uuid })),
    createdAt: new Date(user.created_at).toISOString(),
    updatedAt: new Date(user.updated_at).toISOString(),
  };
}

export async function updateAccount(context: Context, caller: Caller, changes: { locale?: Locale | undefined; timezone?: string | undefined; avatar?: string | null | undefined }): Promise<User> {
  if (changes.timezone !== undefined && !isTimezone(changes.timezone)) throw new AppError('validation-failed', { fields: [{ path: 'timezone', code: 'invalid' }] });
  if (changes.avatar) await mustOwnAvatar(context, caller, changes.avatar);
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
  await updateUser(context.db, caller.user, given);
  return getUser(context.db, caller.user, { withAvatar: true });
}

/** Finds who sent a bearer token and in which workspace they act; a cookie is never an identity. */
export function createAuthorize({ db, tokens }: Pick<Context, 'db' | 'tokens'>): Authorize {
  return async (request, access) => {
    const token = bearerOf(request);
    const claims = token ? await tokens.verify(token) : undefined;
    const workspace = workspaceOf(request);
    const found = claims && (await findCaller(db, { ...claims, workspace: workspace ?? null, now: Date.now() }));
    if (!claims || !found) {
      if (access === 'anyone') return undefined;
      throw new AppError('not-signed-in');
    }
    if (!found.workspace || !found.role) throw new AppError('workspace-not-found');
    if (access !== 'anyone' && access !== 'user' && !may(found.role, access)) throw new AppError('not-allowed');
    return { user: found.user, session: claims.session, workspace: found.workspace, role: found.role, locale: found.locale };
  };
}

/** The same for a socket, which listens in every workspace of the person. */
export async function identifySocket({ db, tokens }: Pick<Context, 'db' | 'tokens'>, token: string): Promise<SocketIdentity | undefined> {
  const claims = await tokens.verify(token);
  const found = claims && (await findCaller(db, { ...claims, workspace: null, now: Date.now() }));
  if (!found) return undefined;
  const workspaces = await findWorkspaces(db, found.user);
  return { user: found.user, session: claims.session, workspaces: workspaces.map((workspace) => workspace.uuid) };
}

function bearerOf(request: FastifyRequest): string | undefined {
  const [scheme, token] = (request.headers.authorization ?? '').split(' ');
  return scheme?.toLowerCase() === 'bearer' ? token : undefined;
}

function workspaceOf(request: FastifyRequest): string | undefined {
  const named = request.headers['x-workspace'];
  if (named === undefined) return undefined;
  const parsed = uuidSchema.safeParse(named);
  if (!parsed.success) throw new AppError('workspace-not-found');
  return parsed.data;
}

/** Names that look the same are the same. */
function keyOf(name: string): string {
  return name.normalize('NFKC').trim().toLowerCase();
}

function isTimezone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

