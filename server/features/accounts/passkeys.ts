import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import type { Passkey } from '../../../shared/contracts/accounts.ts';
import { AppError } from '../../../shared/errors.ts';
import { isUniqueViolation, newId } from '../../infra/db.ts';
import type { PasskeyTable } from './accounts.tables.ts';
import type { Caller } from '../../infra/http.ts';
import { momentsOf } from '../../infra/moments.ts';
import { record } from '../audit/audit.ts';
import type { Context } from '../../feature.ts';
import {
  deletePasskey,
  findPasskey,
  findPasskeyByCredential,
  insertPasskey,
  listPasskeys,
  updatePasskey,
} from './accounts.store.ts';
import { mustHaveAWayIn } from './profile.ts';
import { admit, confirm, type Client, type SignedIn } from './sessions.ts';
import { tellOfChange } from './notices.ts';
import { holderOf, issueTicket, takeTicket } from './tickets.ts';
import { findUser, mustBeSameEpoch, type User } from '../users/users.ts';
import { lockCaller, mustBeConfirmed } from '../users/sessions.ts';

// Loaded when the first passkey is used.
const library = () => import('@simplewebauthn/server');

const ticketMs = 5 * 60_000;
const maxPasskeys = 20;

/** The site that passkeys are for: the configured address, never what a request names (WebAuthn §13.4.9). */
function site(context: Context) {
  const { hostname, origin } = new URL(context.links.to('/', {}));
  return { rpID: hostname, origins: [origin, ...context.config.ALLOWED_ORIGINS] };
}

export async function beginPasskey(context: Context, caller: Caller) {
  await mustBeConfirmed(context, caller);
  const [user, known] = await Promise.all([findUser(context.db, caller.user), listPasskeys(context.db, caller.user)]);
  if (!user) throw new AppError('not-signed-in');
  mustBeFew(known);
  const { generateRegistrationOptions } = await library();
  const options = await generateRegistrationOptions({
    rpName: 'Kotae',
    rpID: site(context).rpID,
    userName: user.email,
    userDisplayName: user.username,
    userID: new TextEncoder().encode(user.uuid),
    attestationType: 'none',
    excludeCredentials: known.map(({ credential_id: id }) => ({ id })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  return {
    ticket: await issueTicket(context.db, {
      kind: 'passkey',
      user,
      data: { challenge: options.challenge },
      ms: ticketMs,
    }),
    options: { ...options },
  };
}

export async function addPasskey(
  context: Context,
  caller: Caller,
  given: { ticket: string; name: string; response: Record<string, unknown> },
): Promise<Passkey> {
  const ticket = await takeTicket(context.db, ['passkey'], given.ticket);
  if (ticket.user !== caller.user) throw new AppError('code-invalid');
  const user = await holderOf(context.db, ticket);
  const { verifyRegistrationResponse } = await library();
  const { rpID, origins } = site(context);
  // A border: the library checks the browser's answer field by field.
  const verified = await verifyRegistrationResponse({
    response: given.response as unknown as RegistrationResponseJSON,
    expectedChallenge: challengeOf(ticket.data),
    expectedOrigin: origins,
    expectedRPID: rpID,
  }).catch((cause: unknown) => Promise.reject(new AppError('code-invalid', {}, { cause })));
  if (!verified.verified) throw new AppError('code-invalid');
  const { credential } = verified.registrationInfo;
  const now = Date.now();
  const passkey: PasskeyTable = {
    uuid: newId(),
    user: caller.user,
    name: given.name,
    credential_id: credential.id,
    public_key: Buffer.from(credential.publicKey).toString('base64url'),
    counter: credential.counter,
    transports: JSON.stringify(credential.transports ?? []),
    last_used_at: null,
    created_at: now,
    updated_at: now,
  };
  try {
    await context.db.transaction().execute(async (trx) => {
      await lockCaller(trx, caller);
      await mustBeSameEpoch(trx, user);
      mustBeFew(await listPasskeys(trx, caller.user));
      await insertPasskey(trx, passkey);
      await tellOfChange(context, trx, 'passkey-added', user, { name: given.name });
      await record(trx, caller, 'user.passkey-added', caller.username, { name: given.name });
    });
  } catch (error) {
    if (isUniqueViolation(error)) throw new AppError('conflict', {}, { cause: error });
    throw error;
  }
  return toPasskey(passkey);
}

export async function renamePasskey(context: Context, caller: Caller, uuid: string, name: string): Promise<Passkey> {
  const passkey = await mustFind(context, caller, uuid);
  await updatePasskey(context.db, uuid, { name });
  return toPasskey({ ...passkey, name });
}

export async function removePasskey(context: Context, caller: Caller, uuid: string): Promise<void> {
  await mustBeConfirmed(context, caller);
  const passkey = await mustFind(context, caller, uuid);
  await context.db.transaction().execute(async (trx) => {
    const user = await lockCaller(trx, caller);
    await deletePasskey(trx, uuid);
    await mustHaveAWayIn(trx, caller.user);
    await tellOfChange(context, trx, 'passkey-removed', user, { name: passkey.name });
    await record(trx, caller, 'user.passkey-removed', caller.username, { name: passkey.name });
  });
}

/** Anyone may ask; the passkey that answers tells who it is. */
export async function beginPasskeySignIn(context: Context) {
  const { generateAuthenticationOptions } = await library();
  const options = await generateAuthenticationOptions({ rpID: site(context).rpID, userVerification: 'required' });
  return {
    ticket: await issueTicket(context.db, {
      kind: 'passkey',
      user: null,
      data: { challenge: options.challenge },
      ms: ticketMs,
    }),
    options: { ...options },
  };
}

export async function signInWithPasskey(
  context: Context,
  given: { ticket: string; response: Record<string, unknown> },
  client: Client,
): Promise<SignedIn> {
  const user = await verify(context, given);
  const admitted = await admit(context, user, 'passkey', client);
  // `admit` asks for no second step after a passkey; if it ever does, this has to support it.
  if ('twoFactor' in admitted) throw new AppError('not-signed-in');
  return admitted;
}

export async function confirmWithPasskey(
  context: Context,
  caller: Caller,
  given: { ticket: string; response: Record<string, unknown> },
): Promise<void> {
  const user = await verify(context, given);
  if (user.uuid !== caller.user) throw new AppError('code-invalid');
  await confirm(context, caller);
}

/** Whose passkey answered, as they were before it was found to be there still. */
async function verify(context: Context, given: { ticket: string; response: Record<string, unknown> }): Promise<User> {
  const ticket = await takeTicket(context.db, ['passkey'], given.ticket);
  const passkey =
    typeof given.response['id'] === 'string'
      ? await findPasskeyByCredential(context.db, given.response['id'])
      : undefined;
  const user = passkey && (await findUser(context.db, passkey.user));
  if (ticket.user !== null || !user) throw new AppError('code-invalid');
  const { verifyAuthenticationResponse } = await library();
  const { rpID, origins } = site(context);
  const verified = await verifyAuthenticationResponse({
    response: given.response as unknown as AuthenticationResponseJSON, // as above
    expectedChallenge: challengeOf(ticket.data),
    expectedOrigin: origins,
    expectedRPID: rpID,
    credential: {
      id: passkey.credential_id,
      publicKey: new Uint8Array(Buffer.from(passkey.public_key, 'base64url')),
      counter: passkey.counter,
    },
  }).catch((cause: unknown) => Promise.reject(new AppError('code-invalid', {}, { cause })));
  if (!verified.verified) throw new AppError('code-invalid');
  const { numUpdatedRows } = await updatePasskey(context.db, passkey.uuid, {
    counter: verified.authenticationInfo.newCounter,
    last_used_at: Date.now(),
  });
  if (numUpdatedRows === 0n) throw new AppError('code-invalid');
  return user;
}

function mustBeFew(known: PasskeyTable[]): void {
  if (known.length >= maxPasskeys) throw new AppError('too-many', { limit: maxPasskeys });
}

async function mustFind(context: Context, caller: Caller, uuid: string): Promise<PasskeyTable> {
  const passkey = await findPasskey(context.db, caller.user, uuid);
  if (!passkey) throw new AppError('passkey-not-found');
  return passkey;
}

const challengeOf = (data: string): string => {
  const { challenge }: { challenge: string } = JSON.parse(data);
  return challenge;
};

export function toPasskey({ uuid, name, last_used_at: usedAt, ...row }: PasskeyTable): Passkey {
  return {
    uuid,
    name,
    lastUsedAt: usedAt === null ? null : new Date(usedAt).toISOString(),
    ...momentsOf(row),
  };
}
