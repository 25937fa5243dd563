import type { FastifyRequest } from 'fastify';
import { AppError } from '../../../shared/errors.ts';
import { mayCall, scopes, type Scope } from '../../../shared/roles.ts';
import type { Route } from '../../../shared/route.ts';
import { uuid as uuidSchema } from '../../../shared/text.ts';
import type { Authorize, Caller } from '../../infra/http.ts';
import { hashSecret } from '../../infra/sealed.ts';
import type { SocketIdentity } from '../../infra/sockets.ts';
import { ClockError, type TokenClaims } from '../../infra/tokens.ts';
import type { Context } from '../context.ts';
import { findCaller, findKey, findWorkspaces, touchKey, touchSession } from './accounts.store.ts';

/** How exactly the last use of a key or a session is known. */
const touchMs = 60_000;

export const keyBeginning = 'kt_';

/** Finds who sent a bearer token or an API key and in which workspace they act; a cookie is never an identity. */
export function createAuthorize(context: Pick<Context, 'db' | 'tokens' | 'log'>): Authorize {
  return async (request, route) => {
    const bearer = bearerOf(request) ?? keyOf(request);
    // What is for anyone does not depend on where somebody acts.
    const workspace = route.access === 'anyone' ? undefined : workspaceOf(request);
    const caller = bearer?.startsWith(keyBeginning)
      ? await byKey(context, bearer, workspace, request.ip, route)
      : bearer && (await byToken(context, bearer, workspace, request.ip));
    if (!caller) {
      if (route.access === 'anyone') return undefined;
      throw new AppError('not-signed-in');
    }
    if (!mayCall(caller, route.access)) throw new AppError('not-allowed');
    return caller;
  };
}

async function byToken(
  context: Pick<Context, 'db' | 'tokens' | 'log'>,
  token: string,
  workspace: string | undefined,
  address: string,
): Promise<Caller | undefined> {
  const { db } = context;
  const claims = await readToken(context, token);
  const now = Date.now();
  const found = claims && (await findCaller(db, { user: claims.user, session: claims.session, workspace, now }));
  if (!found) return undefined;
  if (!found.workspace || !found.role || found.workspaceName === null) throw new AppError('workspace-not-found');
  if (found.last_seen_at < now - touchMs) await touchSession(db, claims.session, now);
  return {
    user: found.user,
    username: found.username,
    session: claims.session,
    key: null,
    workspace: found.workspace,
    workspaceName: found.workspaceName,
    role: found.role,
    operator: found.is_operator === 1,
    locale: found.locale,
    address,
  };
}

/** A key acts for who made it, in its own workspace, as far as its scopes go and never further than the person's role. */
async function byKey(
  { db }: Pick<Context, 'db'>,
  key: string,
  workspace: string | undefined,
  address: string,
  route: Pick<Route, 'access' | 'scope'>,
): Promise<Caller | undefined> {
  const now = Date.now();
  const found = await findKey(db, hashSecret(key), now);
  if (!found) return undefined;
  if (workspace !== undefined && workspace !== found.workspace) throw new AppError('workspace-not-found');
  if (route.access !== 'anyone') {
    if (!route.scope) throw new AppError('key-not-allowed');
    if (!readScopes(found.scopes).includes(route.scope)) throw new AppError('scope-missing', { scope: route.scope });
  }
  if ((found.last_used_at ?? 0) < now - touchMs) await touchKey(db, found.key, now);
  const bots: string[] | null = found.bots === null ? null : JSON.parse(found.bots);
  return {
    user: found.user,
    username: found.username,
    session: null,
    key: { uuid: found.key, bots },
    workspace: found.workspace,
    workspaceName: found.workspaceName,
    role: found.role,
    operator: false,
    locale: found.locale,
    address,
  };
}

const readScopes = (text: string): Scope[] => {
  const named: unknown = JSON.parse(text);
  return Array.isArray(named) ? scopes.filter((scope) => named.includes(scope)) : [];
};

/** The same for a socket, which listens in every workspace of the person. */
export async function identifySocket(
  context: Pick<Context, 'db' | 'tokens' | 'log'>,
  token: string,
): Promise<SocketIdentity | undefined> {
  const { db } = context;
  const claims = await readToken(context, token);
  const found =
    claims &&
    (await findCaller(db, { user: claims.user, session: claims.session, workspace: undefined, now: Date.now() }));
  if (!found) return undefined;
  const workspaces = await findWorkspaces(db, { user: found.user });
  return { user: found.user, session: claims.session, workspaces: workspaces.map((workspace) => workspace.uuid) };
}

/** A token from the future counts as none, and who runs the servers is told: their pages would be asked to sign in again and again. */
async function readToken(
  { tokens, log }: Pick<Context, 'tokens' | 'log'>,
  token: string,
): Promise<TokenClaims | undefined> {
  try {
    return await tokens.verify(token);
  } catch (error) {
    if (!(error instanceof ClockError)) throw error;
    log.warn(
      { aheadSeconds: error.aheadSeconds },
      'an access token was signed in the future: the clocks of the servers differ, set them right',
    );
    return undefined;
  }
}

const bearer = 'bearer ';

function bearerOf(request: FastifyRequest): string | undefined {
  const { authorization = '' } = request.headers;
  return authorization.slice(0, bearer.length).toLowerCase() === bearer
    ? authorization.slice(bearer.length).split(' ', 1)[0]
    : undefined;
}

function keyOf(request: FastifyRequest): string | undefined {
  const key = request.headers['x-api-key'];
  return typeof key === 'string' && key.startsWith(keyBeginning) ? key : undefined;
}

function workspaceOf(request: FastifyRequest): string | undefined {
  const named = request.headers['x-workspace'];
  if (named === undefined) return undefined;
  const parsed = uuidSchema.safeParse(named);
  if (!parsed.success) throw new AppError('workspace-not-found');
  return parsed.data;
}
