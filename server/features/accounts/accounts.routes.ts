import type { FastifyReply, FastifyRequest } from 'fastify';
import { accounts, security } from '../../../shared/contracts/accounts.ts';
import { AppError } from '../../../shared/errors.ts';
import { done } from '../../../shared/list.ts';
import { canonicalAddress } from '../../infra/address.ts';
import { handle, type Http } from '../../infra/http.ts';
import { isOwnOrigin } from '../../infra/sockets.ts';
import { accessTokenSeconds } from '../../infra/tokens.ts';
import type { Config } from '../../infra/config.ts';
import type { Context } from '../../feature.ts';
import { sendsMail } from '../mail/mail.ts';

import { register, signIn, updateAccount, verifyEmail } from './accounts.ts';

import { comeBackFromGoogle, goToGoogle, goToLink, hasGoogle, unlinkGoogle } from './google.ts';
import { deleteAccount, downloadExport, offerExport, previewLeaving } from './leaving.ts';
import {
  addPasskey,
  beginPasskey,
  beginPasskeySignIn,
  confirmWithPasskey,
  removePasskey,
  renamePasskey,
  signInWithPasskey,
} from './passkeys.ts';
import { forgotPassword, resetPassword } from './passwords.ts';
import { getSecurity } from './security.ts';
import { needsSetup } from '../users/setup.ts';
import {
  confirm,
  endOtherSessions,
  endSession,
  mustKnowPassword,
  renew,
  sessionMs,
  signOut,
  type Client,
  type HalfSignedIn,
  type SignedIn,
} from './sessions.ts';
import { disableTwoFactor, enableTwoFactor, renewBackupCodes, signInWithCode, startTwoFactor } from './two-factor.ts';
import { readSettings } from '../settings/settings.ts';
import { hasUsers } from '../users/users.ts';
import { mustBeConfirmed } from '../users/sessions.ts';
import { getUser } from './profile.ts';
import { exportLimit, forgotPasswordLimit, registerLimit, signInLimit } from './limits.ts';
import { codeLimit } from '../workspaces/invitations.ts';

export function accountRoutes(app: Http, context: Context): void {
  const { config, db } = context;
  const cookies = accountCookies(config);
  const clientOf = (request: FastifyRequest): Client => ({
    userAgent: request.headers['user-agent'] ?? '',
    address: canonicalAddress(request.ip),
    device: cookies.device(request),
  });

  const welcome = (reply: FastifyReply, signedIn: SignedIn) => {
    cookies.set(reply, signedIn);
    return { jwt: signedIn.jwt, user: signedIn.user };
  };
  const welcomeOrAsk = (reply: FastifyReply, admitted: SignedIn | HalfSignedIn) =>
    'twoFactor' in admitted ? admitted : welcome(reply, admitted);

  handle(app, accounts.options, async () => {
    const [{ registration }, isUsed, setup] = await Promise.all([readSettings(db), hasUsers(db), needsSetup(context)]);
    return {
      data: {
        google: hasGoogle(context),
        mail: sendsMail(context),
        registration,
        first: !isUsed,
        setup,
        maxUploadMb: context.config.MAX_UPLOAD_MB,
      },
    };
  });

  handle(
    app,
    accounts.register,
    async ({ body, locale, request, reply }) => {
      const { username, email, password, timezone, invitation, setup, shop } = body;
      const signedIn = await register(
        context,
        { username, email, password, timezone, invitation, setup, shop, locale: body.locale ?? locale },
        clientOf(request),
      );
      context.queue.wake();
      if (signedIn) return welcome(reply, signedIn);
      reply.status(202);
      return { verify: true as const };
    },
    { limit: registerLimit },
  );

  handle(
    app,
    accounts.signIn,
    async ({ body, request, reply }) => welcomeOrAsk(reply, await signIn(context, body, clientOf(request))),
    { limit: signInLimit },
  );
  handle(
    app,
    accounts.secondFactor,
    async ({ body, request, reply }) => welcome(reply, await signInWithCode(context, body, clientOf(request))),
    { limit: signInLimit },
  );

  handle(
    app,
    accounts.verifyEmail,
    async ({ body, request, reply }) => {
      const verified = await verifyEmail(context, body.code, clientOf(request));
      return 'changed' in verified ? verified : welcomeOrAsk(reply, verified);
    },
    { limit: codeLimit },
  );

  handle(
    app,
    accounts.forgotPassword,
    async ({ body }) => {
      await forgotPassword(context, body.email);
      return done;
    },
    { limit: forgotPasswordLimit },
  );

  handle(
    app,
    accounts.resetPassword,
    async ({ body, request, reply }) => welcomeOrAsk(reply, await resetPassword(context, body, clientOf(request))),
    { limit: codeLimit },
  );

  handle(
    app,
    accounts.google,
    async ({ query, reply }) => {
      const { url, browser } = await goToGoogle(context, { next: ownPath(query.next), invitation: query.invitation });
      cookies.setGoogle(reply, browser);
      await reply.redirect(url, 302);
    },
    { limit: signInLimit },
  );

  handle(
    app,
    accounts.googleCallback,
    async ({ request, reply, locale }) => {
      if (!(request.headers.accept ?? '').includes('application/json')) {
        await app.sendPage(reply, 200);
        return undefined;
      }
      const search = new URLSearchParams(request.url.split('?')[1] ?? '');
      const { next, ...back } = await comeBackFromGoogle(
        context,
        { query: search, browser: cookies.google(request), locale },
        clientOf(request),
      );
      cookies.clearGoogle(reply);
      return { ...('linked' in back ? back : welcomeOrAsk(reply, back)), next };
    },
    { limit: signInLimit },
  );

  handle(app, accounts.passkeyOptions, async () => ({ data: await beginPasskeySignIn(context) }), {
    limit: signInLimit,
  });
  handle(
    app,
    accounts.passkey,
    async ({ body, request, reply }) => welcome(reply, await signInWithPasskey(context, body, clientOf(request))),
    { limit: signInLimit },
  );

  handle(app, accounts.renew, async ({ request, reply }) => {
    mustBeOwnPage(request, config);
    const { jwt, secret } = await renew(context, cookies.session(request));
    cookies.set(reply, { jwt, secret });
    return { jwt };
  });

  handle(app, accounts.signOut, async ({ request, reply }) => {
    mustBeOwnPage(request, config);
    await signOut(context, cookies.session(request), canonicalAddress(request.ip));
    cookies.clear(reply);
    return done;
  });

  handle(app, accounts.me, async ({ caller, query }) =>
    getUser(db, caller.user, { withAvatar: query.populate === 'avatar' }),
  );

  handle(app, accounts.update, async ({ caller, body }) => {
    const user = await updateAccount(context, caller, body);
    context.queue.wake();
    return { data: user };
  });

  handle(app, accounts.leaving, async ({ caller }) => ({
    data: { workspaces: await previewLeaving(context, caller) },
  }));

  handle(app, accounts.remove, async ({ caller, body, reply }) => {
    await (body?.password === undefined
      ? mustBeConfirmed(context, caller)
      : mustKnowPassword(context, caller, body.password));
    await deleteAccount(context, caller, body?.handOver ?? []);
    cookies.clear(reply);
    return done;
  });

  handle(app, accounts.export, async ({ caller }) => {
    await context.limits.take(exportLimit, caller.user);
    return { data: await offerExport(context, caller) };
  });
  handle(app, accounts.download, async ({ params, reply }) => downloadExport(context, params.ticket, reply), {
    limit: codeLimit,
  });

  handle(app, security.get, async ({ caller }) => ({ data: await getSecurity(context, caller) }));

  handle(app, security.confirm, async ({ caller, body }) => {
    if ('password' in body) {
      await mustKnowPassword(context, caller, body.password);
      await confirm(context, caller);
    } else await confirmWithPasskey(context, caller, body);
    return done;
  });

  handle(app, security.startTwoFactor, async ({ caller }) => ({ data: await startTwoFactor(context, caller) }));
  handle(app, security.enableTwoFactor, async ({ caller, body }) => ({
    data: { backupCodes: await enableTwoFactor(context, caller, body.code) },
  }));
  handle(app, security.renewBackupCodes, async ({ caller }) => ({
    data: { backupCodes: await renewBackupCodes(context, caller) },
  }));
  handle(app, security.disableTwoFactor, async ({ caller }) => {
    await disableTwoFactor(context, caller);
    return done;
  });

  handle(app, security.passkeyOptions, async ({ caller }) => ({ data: await beginPasskey(context, caller) }));
  handle(app, security.addPasskey, async ({ caller, body }) => ({ data: await addPasskey(context, caller, body) }));
  handle(app, security.renamePasskey, async ({ caller, params, body }) => ({
    data: await renamePasskey(context, caller, params.uuid, body.name),
  }));
  handle(app, security.removePasskey, async ({ caller, params }) => {
    await removePasskey(context, caller, params.uuid);
    return done;
  });

  handle(app, security.linkGoogle, async ({ caller, reply }) => {
    const { url, browser } = await goToLink(context, caller);
    cookies.setGoogle(reply, browser);
    return { data: { url } };
  });
  handle(app, security.unlinkGoogle, async ({ caller }) => {
    await unlinkGoogle(context, caller);
    return done;
  });

  handle(app, security.endSession, async ({ caller, params }) => {
    await endSession(context, caller, params.uuid);
    return done;
  });
  handle(app, security.endOtherSessions, async ({ caller }) => {
    await endOtherSessions(context, caller);
    return done;
  });
}

/** Only our own pages may be the end of a journey. */
function ownPath(next: string | undefined): string {
  return next && /^\/(?![/\\])[^\u0000-\u001f\\]*$/.test(next) ? next : '/';
}

/** These two calls take the cookie as identity, so only our own pages may make them. */
function mustBeOwnPage(request: FastifyRequest, config: Config): void {
  const { origin, host } = request.headers;
  if (origin === undefined || !isOwnOrigin(origin, host, config)) throw new AppError('origin-not-allowed');
}

const deviceMs = 365 * 86_400_000;
const googleSeconds = 600;

/** `jwt` is for our script to read, and short-lived; everything else is out of its reach. */
function accountCookies(config: Config) {
  const prefix = config.secure ? '__Host-' : '';
  const names = { session: `${prefix}session`, device: `${prefix}device`, google: `${prefix}google` };
  const shared = { path: '/', sameSite: 'lax', secure: config.secure } as const;
  const hidden = { ...shared, httpOnly: true } as const;
  const read = (request: FastifyRequest, name: string) =>
    request.server.parseCookie(request.headers.cookie ?? '')[name];
  return {
    session: (request: FastifyRequest) => read(request, names.session),
    device: (request: FastifyRequest) => read(request, names.device),
    google: (request: FastifyRequest) => read(request, names.google),
    setGoogle: (reply: FastifyReply, browser: string) =>
      void reply.setCookie(names.google, browser, { ...hidden, maxAge: googleSeconds }),
    clearGoogle: (reply: FastifyReply) => void reply.clearCookie(names.google, hidden),
    set(reply: FastifyReply, { jwt, secret, device }: { jwt: string; secret?: string; device?: string }) {
      reply.setCookie('jwt', jwt, { ...shared, maxAge: accessTokenSeconds });
      if (secret) reply.setCookie(names.session, secret, { ...hidden, maxAge: sessionMs / 1000 });
      if (device) reply.setCookie(names.device, device, { ...hidden, maxAge: deviceMs / 1000 });
    },
    clear(reply: FastifyReply) {
      reply.clearCookie('jwt', shared);
      reply.clearCookie(names.session, hidden);
    },
  };
}
