import type { FastifyReply, FastifyRequest } from 'fastify';
import { accounts } from '../../../shared/contracts/accounts.ts';
import { AppError } from '../../../shared/errors.ts';
import { done } from '../../../shared/list.ts';
import { handle, type Http } from '../../infra/http.ts';
import { isOwnOrigin } from '../../infra/sockets.ts';
import { accessTokenSeconds } from '../../infra/tokens.ts';
import type { Config } from '../../infra/config.ts';
import type { Context } from '../context.ts';
import { getUser, register, renew, sessionMs, signIn, signOut, updateAccount, type Client, type SignedIn } from './accounts.ts';

export function accountRoutes(app: Http, context: Context): void {
  const { config, db } = context;
  const cookies = sessionCookies(config);

  const welcome = (reply: FastifyReply, { jwt, user, secret }: SignedIn) => {
    cookies.set(reply, { jwt, secret });
    return { jwt, user };
  };

  handle(
    app,
    accounts.register,
    async ({ body, locale, request, reply }) => {
      const { username, email, password, timezone } = body;
      return welcome(reply, await register(context, { username, email, password, timezone, locale: body.locale ?? locale }, clientOf(request)));
    },
    limited(config, 20, 3600),
  );

  handle(app, accounts.signIn, async ({ body, request, reply }) => welcome(reply, await signIn(context, body, clientOf(request))), limited(config, 20, 60));

  handle(app, accounts.renew, async ({ request, reply }) => {
    mustBeOwnPage(request, config);
    const jwt = await renew(context, cookies.read(request));
    cookies.set(reply, { jwt });
    return { jwt };
  });

  handle(app, accounts.signOut, async ({ request, reply }) => {
    mustBeOwnPage(request, config);
    await signOut(context, cookies.read(request));
    cookies.clear(reply);
    return done;
  });

  handle(app, accounts.me, async ({ caller, query }) => getUser(db, caller.user, { withAvatar: query.populate === 'avatar' }));

  handle(app, accounts.update, async ({ caller, body }) => ({ data: await updateAccount(context, caller, body) }));
}

/** These two calls take the cookie as identity, so only our own pages may make them. */
function mustBeOwnPage(request: FastifyRequest, config: Config): void {
  const { origin, host } = request.headers;
  if (origin === undefined || !isOwnOrigin(origin, host, config)) throw new AppError('origin-not-allowed');
}

/** `jwt` is for our script to read, and short-lived; `session` is out of its reach. */
function sessionCookies(config: Config) {
  const name = config.secure ? '__Host-session' : 'session';
  const shared = { path: '/', sameSite: 'lax', secure: config.secure } as const;
  return {
    read: (request: FastifyRequest) => request.cookies[name],
    set(reply: FastifyReply, { jwt, secret }: { jwt: string; secret?: string }) {
      reply.setCookie('jwt', jwt, { ...shared, maxAge: accessTokenSeconds });
      if (secret) reply.setCookie(name, secret, { ...shared, httpOnly: true, maxAge: sessionMs / 1000 });
    },
    clear(reply: FastifyReply) {
      reply.clearCookie('jwt', shared);
      reply.clearCookie(name, { ...shared, httpOnly: true });
    },
  };
}

function clientOf(request: FastifyRequest): Client {
  return { userAgent: request.headers['user-agent'] ?? '', address: request.ip };
}

const limited = (config: Config, max: number, seconds: number) => (config.RATE_LIMITS ? { limit: { max, seconds } } : {});
