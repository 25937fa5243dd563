import type { Configuration } from 'openid-client';
import type { Locale } from '../../../shared/contracts/accounts.ts';
import { AppError } from '../../../shared/errors.ts';
import { isUniqueViolation } from '../../infra/db.ts';
import type { User as UserRow } from '../users/users.ts';
import type { Caller } from '../../infra/http.ts';
import { hashSecret, newSecret } from '../../infra/sealed.ts';
import { record } from '../audit/audit.ts';
import type { Context } from '../../feature.ts';
import { acceptInvitation } from '../workspaces/invitations.ts';
import { mustBeWelcome } from './accounts.ts';
import { deleteIdentity, findIdentity, findIdentityOf, insertIdentity } from './accounts.store.ts';
import { copyPictureKind } from './pictures.ts';
import { admit, type Client, type HalfSignedIn, type SignedIn } from './sessions.ts';
import { tellOfChange } from './notices.ts';
import { holderOf, issueTicket, takeTicket } from './tickets.ts';
import { findTaken, findUser, keyOf, mustBeSameEpoch } from '../users/users.ts';
import { makeFirstOperator } from '../users/setup.ts';
import { lockCaller, mustBeConfirmed } from '../users/sessions.ts';
import { addUser, mustHaveAWayIn } from './profile.ts';

const library = () => import('openid-client');
const ticketMs = 10 * 60_000;
const timeoutSeconds = 10;
const clockToleranceSeconds = 60;

export const hasGoogle = ({ config }: Pick<Context, 'config'>): boolean =>
  Boolean(config.GOOGLE_CLIENT_ID && config.GOOGLE_CLIENT_SECRET);

// What the provider says of itself is asked for once; a provider that could not be reached is asked again.
const providers = new Map<string, Promise<Configuration>>();

async function provider({ config }: Context): Promise<Configuration> {
  const { GOOGLE_CLIENT_ID: id, GOOGLE_CLIENT_SECRET: secret, GOOGLE_ISSUER: issuer } = config;
  if (!id || !secret) throw new AppError('google-not-configured');
  const name = `${issuer} ${id} ${hashSecret(secret)}`;
  const known = providers.get(name);
  if (known) return known;
  const { allowInsecureRequests, discovery } = await library();
  const found = discovery(new URL(issuer), id, secret, undefined, {
    timeout: timeoutSeconds,
    ...(issuer.startsWith('http:') && { execute: [allowInsecureRequests] }),
  });
  providers.set(name, found);
  return found.catch((cause: unknown) => {
    providers.delete(name);
    throw new AppError('google-unreachable', {}, { cause, retryAfterSeconds: 10 });
  });
}

const callbackOf = (context: Context) => context.links.to('/api/auth/google/callback', {}).replace(/\?$/, '');

interface Journey {
  next: string;
  invitation?: string | undefined;
  /** Who wants to link Google to an account they are signed in to. */
  link?: UserRow;
}

/** What a journey to Google has to come back with. */
interface Expected extends Omit<Journey, 'link'> {
  verifier: string;
  nonce: string;
  browser: string;
}

/** Where to send the browser, and what it has to keep: only the browser that went can come back. */
export async function goToGoogle(
  context: Context,
  { link, ...journey }: Journey,
): Promise<{ url: string; browser: string }> {
  const configuration = await provider(context);
  const { buildAuthorizationUrl, calculatePKCECodeChallenge, randomNonce, randomPKCECodeVerifier } = await library();
  const [verifier, nonce, browser] = [randomPKCECodeVerifier(), randomNonce(), newSecret()];
  const expected: Expected = { ...journey, verifier, nonce, browser: hashSecret(browser) };
  const state = await issueTicket(context.db, {
    kind: 'google',
    user: link ?? null,
    data: expected,
    ms: ticketMs,
  });
  const url = buildAuthorizationUrl(configuration, {
    redirect_uri: callbackOf(context),
    scope: 'openid email profile',
    code_challenge: await calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
    nonce,
  });
  return { url: url.href, browser };
}

export type BackFromGoogle = { next: string } & (SignedIn | HalfSignedIn | { linked: true });

/** Finishes the journey: checks state, browser, PKCE, nonce, issuer and audience, and finds the person by `sub`, never by email. */
export async function comeBackFromGoogle(
  context: Context,
  { query, browser, locale }: { query: URLSearchParams; browser: string | undefined; locale: Locale },
  client: Client,
): Promise<BackFromGoogle> {
  const state = query.get('state') ?? '';
  const ticket = await takeTicket(context.db, ['google'], state);
  const expected: Expected = JSON.parse(ticket.data);
  if (!browser || hashSecret(browser) !== expected.browser) throw new AppError('code-invalid');
  const claims = await claimsOf(context, query, state, expected);
  if (ticket.user !== null) {
    await linkGoogle(context, await holderOf(context.db, ticket), claims, client);
    return { linked: true, next: expected.next };
  }
  const user = await findOrAdd(context, claims, expected.invitation, locale, client);
  return { ...(await admit(context, user, 'google', client)), next: expected.next };
}

interface Claims {
  subject: string;
  email: string;
  name: string;
  picture: string;
}

async function claimsOf(
  context: Context,
  query: URLSearchParams,
  state: string,
  { verifier, nonce }: Expected,
): Promise<Claims> {
  const configuration = await provider(context);
  const { authorizationCodeGrant, ClientError } = await library();
  const url = new URL(`${callbackOf(context)}?${query}`);
  const tokens = await authorizationCodeGrant(configuration, url, {
    pkceCodeVerifier: verifier,
    expectedState: state,
    expectedNonce: nonce,
    idTokenExpected: true,
  }).catch((cause: unknown) => {
    // A network error is a TypeError of fetch or a time-out; every other error comes from the provider's answer or from checking it.
    const isAway = cause instanceof TypeError || (cause instanceof ClientError && cause.code === 'OAUTH_TIMEOUT');
    throw new AppError(isAway ? 'google-unreachable' : 'google-refused', {}, { cause });
  });
  const claims = tokens.claims();
  // The library checks when a token expires, but not when it was issued.
  if (!claims || claims.iat > Date.now() / 1000 + clockToleranceSeconds || typeof claims['email'] !== 'string')
    throw new AppError('google-refused');
  if (claims['email_verified'] !== true) throw new AppError('google-email-not-verified');
  const textOf = (claim: string) => (typeof claims[claim] === 'string' ? claims[claim] : '');
  return { subject: claims.sub, email: claims['email'], name: textOf('name'), picture: textOf('picture') };
}

async function findOrAdd(
  context: Context,
  claims: Claims,
  invitation: string | undefined,
  locale: Locale,
  client: Client,
): Promise<UserRow> {
  const { db } = context;
  const identity = await findIdentity(db, claims.subject);
  const known = identity && (await findUser(db, identity.user));
  // Still linked after the person was read, so no reset came in between.
  if (known && (await findIdentity(db, claims.subject))) return known;
  if ((await findTaken(db, keyOf(claims.email), '')).length > 0) throw new AppError('google-account-exists');
  await mustBeWelcome(context, { email: claims.email, invitation });
  try {
    return await db.transaction().execute(async (trx) => {
      const username = await freeUsername(async (name) => (await findTaken(trx, '', keyOf(name))).length === 0, claims);
      const user = await addUser(trx, {
        username,
        email: claims.email,
        emailVerified: true,
        passwordHash: null,
        locale,
        timezone: undefined,
      });
      await insertIdentity(trx, {
        provider: 'google',
        subject: claims.subject,
        user: user.uuid,
        email: claims.email,
        created_at: Date.now(),
      });
      if (claims.picture) await context.queue.add(trx, copyPictureKind, { user: user.uuid, url: claims.picture });
      await makeFirstOperator(trx, user.uuid);
      await record(trx, { user: user.uuid, username, address: client.address }, 'user.registered', username, {
        method: 'google',
      });
      if (invitation !== undefined) await acceptInvitation(trx, invitation, { ...user, address: client.address });
      return user;
    });
  } catch (error) {
    // Of two first visits at the same moment, the second finds the account that the first made.
    if (!isUniqueViolation(error)) throw error;
    const other = await findIdentity(db, claims.subject);
    const user = other && (await findUser(db, other.user));
    if (!user) throw new AppError('conflict', {}, { cause: error });
    return user;
  }
}

/** Begins to link Google to the account of who calls. */
export async function goToLink(context: Context, caller: Caller): Promise<{ url: string; browser: string }> {
  await mustBeConfirmed(context, caller);
  const link = await context.db.transaction().execute((trx) => lockCaller(trx, caller));
  return goToGoogle(context, { next: '/Account?tab=security', link });
}

async function linkGoogle(context: Context, user: UserRow, claims: Claims, client: Client): Promise<void> {
  const { uuid } = user;
  const [taken, own] = await Promise.all([findIdentity(context.db, claims.subject), findIdentityOf(context.db, uuid)]);
  if (taken?.user === uuid) return;
  if (taken || own) throw new AppError('google-linked-elsewhere');
  try {
    await context.db.transaction().execute(async (trx) => {
      await mustBeSameEpoch(trx, user);
      await insertIdentity(trx, {
        provider: 'google',
        subject: claims.subject,
        user: uuid,
        email: claims.email,
        created_at: Date.now(),
      });
      await tellOfChange(context, trx, 'google-linked', user, { name: claims.email });
      await record(
        trx,
        { user: uuid, username: user.username, address: client.address },
        'user.google-linked',
        user.username,
        { email: claims.email },
      );
    });
  } catch (error) {
    if (isUniqueViolation(error)) throw new AppError('google-linked-elsewhere', {}, { cause: error });
    throw error;
  }
}

export async function unlinkGoogle(context: Context, caller: Caller): Promise<void> {
  await mustBeConfirmed(context, caller);
  await context.db.transaction().execute(async (trx) => {
    const user = await lockCaller(trx, caller);
    await deleteIdentity(trx, caller.user);
    await mustHaveAWayIn(trx, caller.user);
    await tellOfChange(context, trx, 'google-unlinked', user);
    await record(trx, caller, 'user.google-unlinked', caller.username);
  });
}

/** A free username that resembles their name. */
async function freeUsername(isFree: (name: string) => Promise<boolean>, { name, email }: Claims): Promise<string> {
  const plain = (text: string) =>
    text
      .normalize('NFKC')
      .replace(/[^\p{L}\p{N}._-]+/gu, '')
      .replace(/^[^\p{L}\p{N}]+/u, '')
      .slice(0, 30);
  const wanted = plain(name) || plain(email.split('@')[0] ?? '') || 'user';
  for (const candidate of [wanted, ...Array.from({ length: 20 }, (_, at) => `${wanted}${at + 2}`)])
    if (await isFree(candidate)) return candidate;
  return `${wanted}-${newSecret()
    .slice(0, 6)
    .replace(/[^A-Za-z0-9]/g, '0')}`;
}
