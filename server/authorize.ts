import type { FastifyRequest } from 'fastify';
import { AppError } from '../shared/errors.ts';
import { mayCall } from '../shared/roles.ts';
import { uuid as uuidSchema } from '../shared/text.ts';
import type { Context, Identity } from './feature.ts';
import { canonicalAddress } from './infra/address.ts';
import type { Authorize, Visit } from './infra/http.ts';
import type { Listening } from './infra/sockets.ts';
import { localeOf } from './infra/translate.ts';

/** Finds who sent a bearer token or an API key and in which workspace they act; a cookie is never an identity. */
export function createAuthorize(context: Context): Authorize {
  const find = findIdentity(context);
  return async (request, route) => {
    const secret = bearerOf(request) ?? keyOf(request, find);
    // What is for anyone does not depend on where somebody acts.
    const workspace = route.access === 'anyone' ? undefined : workspaceOf(request);
    const caller =
      secret &&
      (await find(secret)?.find(context, secret, {
        route,
        workspace,
        address: canonicalAddress(request.ip),
        before: request.caller,
      }));
    if (!caller) {
      if (route.access === 'anyone' || route.access === 'open') return undefined;
      throw new AppError('not-signed-in');
    }
    if (!mayCall(caller, route.access)) throw new AppError('not-allowed');
    return caller;
  };
}

/** Finds the visitor of a channel by the token that its page keeps. */
export function createVisit(context: Context): Visit {
  const visits = context.features.flatMap(({ visit }) => visit ?? []);
  return async (request) => {
    const token = bearerOf(request);
    for (const visit of token === undefined ? [] : visits) {
      const visitor = await visit(context, token ?? '', localeOf(request.headers['accept-language']));
      if (visitor) return visitor;
    }
    throw new AppError('visitor-unknown');
  };
}

/** The same for a live connection. */
export function createIdentifySocket(context: Context) {
  const find = findIdentity(context);
  return async (secret: string): Promise<Listening | undefined> => find(secret)?.listen?.(context, secret);
}

type FindIdentity = (secret: string) => Identity | undefined;

function findIdentity({ features }: Context): FindIdentity {
  const identities = features.flatMap(({ identity }): Identity[] => (identity ? [identity] : []));
  return (secret) =>
    identities.find(({ prefix }) => prefix !== undefined && secret.startsWith(prefix)) ??
    identities.find(({ prefix }) => prefix === undefined);
}

const bearer = 'bearer ';

function bearerOf(request: FastifyRequest): string | undefined {
  const { authorization = '' } = request.headers;
  return authorization.slice(0, bearer.length).toLowerCase() === bearer
    ? authorization.slice(bearer.length).split(' ', 1)[0]
    : undefined;
}

/** Only secrets that say by their beginning what they are; a session's token is a bearer's. */
function keyOf(request: FastifyRequest, find: FindIdentity): string | undefined {
  const key = request.headers['x-api-key'];
  return typeof key === 'string' && find(key)?.prefix !== undefined ? key : undefined;
}

function workspaceOf(request: FastifyRequest): string | undefined {
  const named = request.headers['x-workspace'];
  if (named === undefined) return undefined;
  const parsed = uuidSchema.safeParse(named);
  if (!parsed.success) throw new AppError('workspace-not-found');
  return parsed.data;
}
