import type { Locale, User } from '../../../shared/contracts/accounts.ts';
import { AppError } from '../../../shared/errors.ts';
import { isTimezone } from '../../../shared/text.ts';
import { isUniqueViolation, type Trx } from '../../infra/db.ts';
import type { User as UserRow } from '../users/users.ts';
import type { Caller } from '../../infra/http.ts';
import { hashPassword, isPassword } from '../../infra/passwords.ts';
import { record } from '../audit/audit.ts';
import type { Context } from '../../feature.ts';
import { mustOwnAvatar } from '../files/files.ts';
import { sendMail, sendsMail } from '../mail/mail.ts';

import { acceptInvitation, findOpenInvitation } from '../workspaces/invitations.ts';

import { mustBeUncommon } from './passwords.ts';
import {
  admit,
  askToVerify,
  isKnownDevice,
  mustKnowPassword,
  startSession,
  type Client,
  type HalfSignedIn,
  type SignedIn,
} from './sessions.ts';
import { beginEpoch } from './epoch.ts';
import { tellOfChange, tellOfNewAddress } from './notices.ts';
import type { TicketKind } from './accounts.tables.ts';
import { dropTickets, holderOf, issueTicket, readTicket, takeTicket } from './tickets.ts';
import { readSettings } from '../settings/settings.ts';
import { lockCaller, mustBeConfirmed } from '../users/sessions.ts';
import { findTaken, findUser, findUserByKey, hasUsers, keyOf, mustBeSameEpoch, updateUser } from '../users/users.ts';
import { addUser, getUser } from './profile.ts';
import { signInAccountLimit } from './limits.ts';
import { makeFirstOperator, mustHaveSetupToken } from '../users/setup.ts';

interface Registration {
  username: string;
  email: string;
  password: string;
  locale: Locale;
  timezone: string | undefined;
  invitation: string | undefined;
  /** Where nobody runs the installation yet. */
  setup: string | undefined;
  shop: string | undefined;
}

const changeMs = 86_400_000;

/** Throws unless a new account may be made: openly, or with an invitation, or as the first of all. */
export async function mustBeWelcome(
  context: Context,
  { email, invitation, setup }: { email: string; invitation: string | undefined; setup?: string | undefined },
): Promise<void> {
  await mustHaveSetupToken(context, setup);
  const invited = invitation === undefined ? undefined : await findOpenInvitation(context.db, invitation);
  if (invitation !== undefined && !invited) throw new AppError('code-invalid');
  if (invited?.email && keyOf(invited.email) !== keyOf(email)) throw new AppError('not-allowed');
  const { registration } = await readSettings(context.db);
  if (registration === 'open' || !(await hasUsers(context.db))) return;
  if (registration === 'closed') throw new AppError('registration-closed');
  if (invitation === undefined) throw new AppError('invitation-needed');
}

/**
 * Creates an account. Where mail reaches people nobody is told whether the address or the name is taken: the answer is nothing, and
 * a mail says more to whoever reads it.
 */
export async function register(context: Context, given: Registration, client: Client): Promise<SignedIn | undefined> {
  const { db } = context;
  await mustBeWelcome(context, given);
  await mustBeUncommon(given.password, [given.username, given.email]);
  const passwordHash = await hashPassword(given.password);
  const verifies = sendsMail(context);
  const taken = await findTaken(db, keyOf(given.email), keyOf(given.username));
  const owner = taken.find((other) => other.email_key === keyOf(given.email));
  if (taken.length > 0) {
    if (!verifies) throw new AppError(taken.every((other) => other === owner) ? 'email-taken' : 'username-taken');
    // One transaction with one mail, as a new account is.
    await db
      .transaction()
      .execute((trx) => (owner ? tellOwner(context, trx, owner) : tellOfTakenName(context, trx, given)));
    return undefined;
  }
  try {
    const user = await db.transaction().execute(async (trx) => {
      const added = await addUser(trx, { ...given, emailVerified: false, passwordHash });
      await record(
        trx,
        { user: added.uuid, username: added.username, address: client.address },
        'user.registered',
        added.username,
      );
      if (verifies)
        await askToVerify(context, trx, added, given.invitation === undefined ? {} : { invitation: given.invitation });
      else {
        await makeFirstOperator(trx, added.uuid);
        if (given.invitation !== undefined)
          await acceptInvitation(trx, given.invitation, { ...added, address: client.address });
      }
      return added;
    });
    return verifies ? undefined : startSession(context, user, 'password', client);
  } catch (error) {
    // Of two registrations at the same moment, the second fails here.
    if (!isUniqueViolation(error)) throw error;
    if (verifies) return undefined;
    throw new AppError('email-taken', {}, { cause: error });
  }
}

/** Tells the owner of an address that somebody, perhaps they themselves, wanted to register it. */
async function tellOwner(context: Context, trx: Trx, owner: Pick<UserRow, 'email' | 'locale'>): Promise<void> {
  await sendMail(context, trx, {
    kind: 'email-taken',
    to: owner.email,
    locale: owner.locale,
    link: context.links.to('/Forgot-Password', { email: owner.email }),
  });
}

/** Tells whoever reads the address that they need another name. */
async function tellOfTakenName(
  context: Context,
  trx: Trx,
  { username, email, locale, invitation }: Registration,
): Promise<void> {
  await sendMail(context, trx, {
    kind: 'username-taken',
    to: email,
    locale,
    link: context.links.to('/Register', invitation === undefined ? {} : { invitation }),
    values: { username },
  });
}

/** Takes as long, and answers the same, for an account that does not exist. */
export async function signIn(
  context: Context,
  given: { identifier: string; password: string },
  client: Client,
): Promise<SignedIn | HalfSignedIn> {
  const key = keyOf(given.identifier);
  const user = await findUserByKey(context.db, key);
  const counter = user && isKnownDevice(context, client, user.uuid) ? `known:${user.uuid}` : (user?.uuid ?? key);
  await context.limits.take(signInAccountLimit, counter);
  const isRight = await isPassword(given.password, user?.password_hash);
  if (!user || !isRight) {
    await record(
      context.db,
      { user: user?.uuid ?? null, username: user?.username ?? '', address: client.address },
      'user.sign-in-failed',
      user?.username ?? '',
    );
    throw new AppError('wrong-credentials');
  }
  await context.limits.clear(signInAccountLimit, counter);
  return admit(context, user, 'password', client);
}

/** Confirms the address of an account, or a new address, by the link of a mail. */
export async function verifyEmail(
  context: Context,
  code: string,
  client: Client,
): Promise<SignedIn | HalfSignedIn | { changed: true }> {
  try {
    const { ticket, user } = await context.db.transaction().execute(async (trx) => {
      const kinds: TicketKind[] = ['verify-email', 'change-email'];
      const user = await holderOf(trx, await readTicket(trx, kinds, code));
      await mustBeSameEpoch(trx, user);
      const ticket = await takeTicket(trx, kinds, code);
      const actor = { user: user.uuid, username: user.username, address: client.address };
      const data: { invitation?: string; email?: string } = JSON.parse(ticket.data);
      if (ticket.kind === 'change-email' && data.email !== undefined) {
        await updateUser(trx, user.uuid, {
          email: data.email,
          email_key: keyOf(data.email),
          email_verified: 1,
          pending_email: null,
        });
        // Their links went to the old address.
        await dropTickets(trx, user.uuid, ['reset-password', 'verify-email']);
        await tellOfNewAddress(context, trx, user, data.email);
        await record(trx, actor, 'user.email-changed', user.username, { from: user.email, to: data.email });
      } else {
        await updateUser(trx, user.uuid, { email_verified: 1 });
        await makeFirstOperator(trx, user.uuid);
        if (data.invitation !== undefined)
          await acceptIfOpen(trx, data.invitation, { ...user, address: client.address });
        await record(trx, actor, 'user.email-verified', user.username);
      }
      return { ticket, user: { ...user, email_verified: 1 as const } };
    });
    return ticket.kind === 'change-email' ? { changed: true } : await admit(context, user, 'password', client);
  } catch (error) {
    // The address was taken by somebody else since the mail was sent.
    if (isUniqueViolation(error)) throw new AppError('code-invalid', {}, { cause: error });
    throw error;
  }
}

/** An invitation that has ended meanwhile does not keep anybody from their own account. */
async function acceptIfOpen(trx: Trx, code: string, person: Parameters<typeof acceptInvitation>[2]): Promise<void> {
  try {
    await acceptInvitation(trx, code, person);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
  }
}

interface Changes {
  username?: string | undefined;
  email?: string | undefined;
  locale?: Locale | undefined;
  timezone?: string | undefined;
  avatar?: string | null | undefined;
  displayName?: string | undefined;
  password?: string | undefined;
  currentPassword?: string | undefined;
}

export async function updateAccount(
  context: Context,
  caller: Caller,
  { password, currentPassword, email, ...profile }: Changes,
): Promise<User> {
  const { db } = context;
  if (profile.timezone !== undefined && !isTimezone(profile.timezone))
    throw new AppError('validation-failed', { fields: [{ path: 'timezone', code: 'invalid' }] });
  if (profile.avatar) await mustOwnAvatar(context, caller, profile.avatar);
  const user = await findUser(db, caller.user);
  if (!user) throw new AppError('not-signed-in');
  const newEmail = email !== undefined && keyOf(email) !== user.email_key ? email : undefined;
  if (password !== undefined || newEmail !== undefined)
    await (currentPassword === undefined
      ? mustBeConfirmed(context, caller)
      : mustKnowPassword(context, caller, currentPassword));
  if (password !== undefined) await mustBeUncommon(password, [user.username, user.email]);
  const passwordHash = password === undefined ? undefined : await hashPassword(password);
  const taken = newEmail === undefined ? [] : await findTaken(db, keyOf(newEmail), '');
  const verifies = sendsMail(context);
  if (taken.length > 0 && !verifies) throw new AppError('email-taken');
  const { username, displayName, ...plain } = profile;
  const changes: Partial<UserRow> = {
    ...Object.fromEntries(Object.entries(plain).filter(([, value]) => value !== undefined)),
    ...(username !== undefined && { username, username_key: keyOf(username) }),
    ...(displayName !== undefined && { display_name: displayName }),
    ...(passwordHash !== undefined && { password_hash: passwordHash }),
    ...(newEmail !== undefined &&
      (verifies
        ? { pending_email: newEmail }
        : { email: newEmail, email_key: keyOf(newEmail), email_verified: 0 as const })),
  };
  try {
    await db.transaction().execute(async (trx) => {
      let person = await lockCaller(trx, caller);
      if (passwordHash !== undefined) person = await beginEpoch(context, trx, user.uuid, { except: caller.session });
      await updateUser(trx, user.uuid, changes);
      if (newEmail !== undefined && verifies) {
        await dropTickets(trx, user.uuid, ['change-email']);
        const [owner] = taken;
        if (owner) await tellOwner(context, trx, owner);
        else {
          const code = await issueTicket(trx, {
            kind: 'change-email',
            user: person,
            data: { email: newEmail },
            ms: changeMs,
          });
          await sendMail(context, trx, {
            kind: 'change-email',
            to: newEmail,
            locale: user.locale,
            link: context.links.to('/Verify-Email', { code }),
            values: { username: user.username },
          });
        }
      } else if (newEmail !== undefined) {
        await dropTickets(trx, user.uuid, ['reset-password', 'verify-email']);
        await tellOfNewAddress(context, trx, user, newEmail);
        await record(trx, caller, 'user.email-changed', user.username, { from: user.email, to: newEmail });
      }
      if (passwordHash !== undefined) {
        await tellOfChange(context, trx, 'password-changed', user);
        await record(trx, caller, 'user.password-changed', user.username);
      }
      if (Object.keys(profile).length > 0)
        await record(trx, caller, 'user.updated', user.username, { fields: Object.keys(profile) });
    });
  } catch (error) {
    if (isUniqueViolation(error))
      throw new AppError(
        newEmail !== undefined && username === undefined ? 'email-taken' : 'username-taken',
        {},
        { cause: error },
      );
    throw error;
  }
  if (passwordHash !== undefined) context.sockets.endUser(user.uuid);
  return getUser(db, caller.user, { withAvatar: true });
}
