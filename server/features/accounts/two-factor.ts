import { randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { AppError } from '../../../shared/errors.ts';
import type { User as UserRow } from '../users/users.ts';
import type { Db, Trx } from '../../infra/db.ts';
import type { Caller } from '../../infra/http.ts';
import { hashSecret } from '../../infra/sealed.ts';
import { record } from '../audit/audit.ts';
import type { Context } from '../../feature.ts';
import { deleteBackupCodes, deletePasskeys, insertBackupCodes, takeBackupCode } from './accounts.store.ts';
import { startSession, type Client, type SignedIn } from './sessions.ts';
import { tellOfChange } from './notices.ts';
import { dropTickets, holderOf, tryTicket } from './tickets.ts';
import { findUser, takeTotpStep, updateUser } from '../users/users.ts';
import { lockCaller, mustBeConfirmed } from '../users/sessions.ts';
import { signInAccountLimit } from './limits.ts';

const periodSeconds = 30;
const backupCodes = 10;
const placeOf = (user: string) => `user:${user}:totp_secret`;

// RFC 6238 with the values every authenticator app knows; one step of the clock either way.
const totpOf = (secret: string, label: string) =>
  new TOTP({
    issuer: 'Kotae',
    label,
    secret: Secret.fromBase32(secret),
    algorithm: 'SHA1',
    digits: 6,
    period: periodSeconds,
  });

export async function startTwoFactor(context: Context, caller: Caller): Promise<{ secret: string; url: string }> {
  await mustBeConfirmed(context, caller);
  const secret = new Secret({ size: 20 }).base32;
  const { email } = await context.db.transaction().execute(async (trx) => {
    const user = await lockCaller(trx, caller);
    if (user.totp_since !== null) throw new AppError('conflict');
    await updateUser(trx, user.uuid, {
      totp_secret: context.sealer.seal(secret, placeOf(user.uuid)),
      totp_step: null,
    });
    return user;
  });
  return { secret, url: totpOf(secret, email).toString() };
}

export async function enableTwoFactor(context: Context, caller: Caller, code: string): Promise<string[]> {
  await mustBeConfirmed(context, caller);
  const user = await mustFind(context.db, caller);
  if (user.totp_since !== null) throw new AppError('conflict');
  await context.limits.take(signInAccountLimit, `code:${user.uuid}`);
  if (!(await isTotp(context, user, code))) throw wrongCode();
  return context.db.transaction().execute(async (trx) => {
    const { totp_secret, totp_since } = await lockCaller(trx, caller);
    // The code was for another secret, or another request was faster.
    if (totp_since !== null || totp_secret !== user.totp_secret) throw new AppError('conflict');
    await updateUser(trx, user.uuid, { totp_since: Date.now() });
    await tellOfChange(context, trx, 'two-factor-on', user);
    await record(trx, caller, 'user.two-factor-on', user.username);
    const codes = newBackupCodes();
    await deleteBackupCodes(trx, user.uuid);
    await insertBackupCodes(trx, user.uuid, codes.map(hashBackupCode));
    return codes;
  });
}

export async function renewBackupCodes(context: Context, caller: Caller): Promise<string[]> {
  await mustBeConfirmed(context, caller);
  const codes = newBackupCodes();
  await context.db.transaction().execute(async (trx) => {
    const user = await lockCaller(trx, caller);
    if (user.totp_since === null) throw new AppError('conflict');
    await deleteBackupCodes(trx, user.uuid);
    await insertBackupCodes(trx, user.uuid, codes.map(hashBackupCode));
    await tellOfChange(context, trx, 'backup-codes', user);
    await record(trx, caller, 'user.backup-codes', user.username);
  });
  return codes;
}

export async function disableTwoFactor(context: Context, caller: Caller): Promise<void> {
  await mustBeConfirmed(context, caller);
  await context.db.transaction().execute(async (trx) => {
    const user = await lockCaller(trx, caller);
    if (user.totp_since === null) return;
    await removeTwoFactor(trx, user.uuid);
    await tellOfChange(context, trx, 'two-factor-off', user);
    await record(trx, caller, 'user.two-factor-off', user.username);
  });
}

/** Removes the app of a person who lost it, with its backup codes. */
export async function removeTwoFactor(trx: Trx, user: string): Promise<void> {
  await updateUser(trx, user, { totp_secret: null, totp_since: null, totp_step: null });
  await deleteBackupCodes(trx, user);
}

/** The same, and the passkeys too. */
export async function removeSecondFactors(trx: Trx, user: string): Promise<void> {
  await removeTwoFactor(trx, user);
  await deletePasskeys(trx, user);
}

/** The second step of signing in: a code of the app or a backup code. Five wrong ones end the ticket. */
export async function signInWithCode(
  context: Context,
  given: { ticket: string; code: string },
  client: Client,
): Promise<SignedIn> {
  const ticket = await tryTicket(context.db, 'two-factor', given.ticket);
  const user = await holderOf(context.db, ticket);
  await context.limits.take(signInAccountLimit, `code:${user.uuid}`);
  const isRight = /^\d{6}$/.test(given.code.replace(/\s/g, ''))
    ? await isTotp(context, user, given.code)
    : await takeBackupCode(context.db, user.uuid, hashBackupCode(given.code));
  if (!isRight) {
    await record(
      context.db,
      { user: user.uuid, username: user.username, address: client.address },
      'user.sign-in-failed',
      user.username,
      { step: 'two-factor' },
    );
    throw wrongCode();
  }
  await context.limits.clear(signInAccountLimit, `code:${user.uuid}`);
  await dropTickets(context.db, user.uuid, ['two-factor']);
  const { method }: { method: 'password' | 'google' } = JSON.parse(ticket.data);
  return startSession(context, user, method, client);
}

async function isTotp(context: Context, user: UserRow, code: string): Promise<boolean> {
  if (!user.totp_secret) return false;
  const totp = totpOf(context.sealer.open(user.totp_secret, placeOf(user.uuid)), user.email);
  const steps = totp.validate({ token: code.replace(/\s/g, ''), window: 1 });
  if (steps === null) return false;
  return takeTotpStep(context.db, user.uuid, Math.floor(Date.now() / 1000 / periodSeconds) + steps);
}

/** 80 random bits each, in letters and digits that are hard to mistake. */
const newBackupCodes = () =>
  Array.from({ length: backupCodes }, () =>
    [...randomBytes(16)]
      .map((byte) => alphabet[byte % alphabet.length])
      .join('')
      .replace(/(.{4})(?=.)/g, '$1-'),
  );
const alphabet = 'abcdefghijkmnpqrstuvwxyz23456789';
const hashBackupCode = (code: string) => hashSecret(code.toLowerCase().replace(/[^a-z0-9]/g, ''));

const wrongCode = () => new AppError('validation-failed', { fields: [{ path: 'code', code: 'code-wrong' }] });

async function mustFind(db: Db | Trx, caller: Caller): Promise<UserRow> {
  const user = await findUser(db, caller.user);
  if (!user) throw new AppError('not-signed-in');
  return user;
}
