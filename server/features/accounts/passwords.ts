import { AppError } from '../../../shared/errors.ts';
import { jobKind, type JobHandler } from '../../infra/queue.ts';
import { hashPassword } from '../../infra/passwords.ts';
import { record } from '../audit/audit.ts';
import type { Context } from '../../feature.ts';
import { sendMail } from '../mail/mail.ts';
import { tellOfChange } from './notices.ts';
import { admit, type Client, type HalfSignedIn, type SignedIn } from './sessions.ts';
import { dropTickets, holderOf, issueTicket, readTicket, takeTicket } from './tickets.ts';
import { findUserByKey, keyOf, mustBeSameEpoch, updateUser } from '../users/users.ts';
import { shutOut } from './epoch.ts';
import { forgotPasswordAccountLimit, signInAccountLimit } from './limits.ts';

export const forgotPasswordKind = jobKind<{ email: string }>({
  name: 'accounts.forgot-password',
  lane: 'mail',
  // Somebody's address outlives neither the mail nor their account.
  holdsSecret: true,
  timeoutMs: 60_000,
});
export const resetMs = 30 * 60_000;

/**
 * Throws when a password is among the 49,000 that are guessed first (the list of @zxcvbn-ts/language-common, of published
 * breaches), or is the account's own name or address. OWASP ASVS 5.0, 6.2.4 and 6.2.11.
 */
export async function mustBeUncommon(password: string, names: string[]): Promise<void> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  const plain = password.toLowerCase();
  const isName = names.some((name) => name.toLowerCase() === plain || name.toLowerCase().split('@')[0] === plain);
  if (isName || dictionary['passwords-common'].includes(plain))
    throw new AppError('validation-failed', { fields: [{ path: 'password', code: 'password-common' }] });
}

/** Answers the same, in the same time, whether or not the address has an account: a job looks it up. */
export async function forgotPassword(context: Context, email: string): Promise<void> {
  await context.queue.add(context.db, forgotPasswordKind, { email });
  context.queue.wake();
}

export function forgotPasswordJob(context: Context): JobHandler<{ email: string }> {
  const { db, limits, links } = context;
  return {
    async run({ email }) {
      const user = await findUserByKey(db, keyOf(email));
      if (user?.email_key !== keyOf(email) || user.suspended_at !== null) return;
      try {
        await limits.take(forgotPasswordAccountLimit, user.uuid);
      } catch (error) {
        if (error instanceof AppError) return;
        throw error;
      }
      await db.transaction().execute(async (trx) => {
        await dropTickets(trx, user.uuid, ['reset-password']);
        const code = await issueTicket(trx, {
          kind: 'reset-password',
          user,
          data: { mailed: true },
          ms: resetMs,
        });
        await sendMail(context, trx, {
          kind: 'reset-password',
          to: user.email,
          locale: user.locale,
          link: links.to('/Reset-Password', { code }),
          values: { username: user.username },
        });
      });
      context.queue.wake();
    },
  };
}

/** Ends all that opened the account before, so that an intruder is out too. The second factor stays: a mailbox alone must not take it away. */
export async function resetPassword(
  context: Context,
  given: { code: string; password: string; passwordConfirmation: string },
  client: Client,
): Promise<SignedIn | HalfSignedIn> {
  const { db } = context;
  if (given.password !== given.passwordConfirmation)
    throw new AppError('validation-failed', { fields: [{ path: 'passwordConfirmation', code: 'password-mismatch' }] });
  const user = await holderOf(db, await readTicket(db, ['reset-password'], given.code));
  await mustBeUncommon(given.password, [user.username, user.email]);
  const passwordHash = await hashPassword(given.password);
  const changed = await db.transaction().execute(async (trx) => {
    await mustBeSameEpoch(trx, user);
    const ticket = await takeTicket(trx, ['reset-password'], given.code);
    const data: { mailed?: boolean } = JSON.parse(ticket.data);
    await updateUser(trx, user.uuid, { password_hash: passwordHash, ...(data.mailed && { email_verified: 1 }) });
    const after = await shutOut(context, trx, user.uuid);
    await tellOfChange(context, trx, 'password-reset', user);
    await record(
      trx,
      { user: user.uuid, username: user.username, address: client.address },
      'user.password-reset',
      user.username,
    );
    return after;
  });
  context.sockets.endUser(user.uuid);
  await context.limits.clear(signInAccountLimit, user.uuid);
  context.queue.wake();
  return admit(context, changed, 'password', client);
}
