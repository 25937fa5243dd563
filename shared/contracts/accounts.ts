import { z } from 'zod';
import { event } from '../event.ts';
import { byUuid, moment, moments, ok, one } from '../list.ts';
import { roles } from '../roles.ts';
import { route } from '../route.ts';
import { isStorable, outsideName, text, uuid } from '../text.ts';

export const locales = ['en', 'ja'] as const;
export const Locale = z.enum(locales);
export type Locale = z.output<typeof Locale>;

export const Image = z.object({ url: z.string() });

export const Role = z.enum(roles);

export const User = z.object({
  uuid,
  username: z.string(),
  /** What customers see of them; empty where they gave none, null until they were asked. */
  displayName: z.string().nullable(),
  email: z.string(),
  emailVerified: z.boolean(),
  /** An address that was asked for and waits for the click in its mail. */
  pendingEmail: z.string().nullable(),
  avatar: Image.nullable().optional(),
  locale: Locale,
  timezone: z.string(),
  /** How they can sign in. */
  providers: z.array(z.enum(['local', 'google', 'passkey'])),
  twoFactor: z.boolean(),
  suspendedAt: moment.nullable(),
  operator: z.boolean(),
  workspaces: z.array(
    z.object({
      uuid,
      name: z.string(),
      /** What customers know it by; empty until somebody has named it. */
      shop: z.string(),
      avatar: Image.nullable(),
      role: Role,
      personal: z.boolean(),
    }),
  ),
  createdAt: moment,
  updatedAt: moment,
});
export type User = z.output<typeof User>;

export const username = text(40).refine((value) => /^[\p{L}\p{N}][\p{L}\p{N}\p{M}._-]*$/u.test(value), {
  message: 'username-characters',
});
export const email = z.string().max(254).refine(isStorable, { message: 'not-storable', abort: true }).pipe(z.email());

/** At least 8 characters; not trimmed, since a space may be meant. Whether it is a common one is the server's to say. */
export const newPassword = z
  .string()
  .min(8, { message: 'password-short' })
  .max(512)
  .refine(isStorable, { message: 'not-storable' });
const password = z.string().min(1).max(512);

/** What somebody holds who was sent a link or is half-way through signing in. */
const code = z.string().min(1).max(200);

const Session = z.object({ jwt: z.string(), user: User });
/** Instead of a session: the password was right, and a code is asked for too. */
const SecondFactor = z.object({ twoFactor: z.literal(true), ticket: z.string() });
const SignedIn = z.union([Session, SecondFactor]);

/** What the browser's WebAuthn says, or should do; its form is the standard's (https://www.w3.org/TR/webauthn-3/). */
const WebAuthn = z.record(z.string(), z.unknown());
const PasskeyQuestion = z.object({ data: z.object({ ticket: z.string(), options: WebAuthn }) });

export const registrations = ['open', 'invitation', 'closed'] as const;

export const accounts = {
  options: route('GET', '/api/auth/options', {
    summary: 'How one can sign in here, and whether one can register',
    access: 'anyone',
    reply: one(
      z.object({
        google: z.boolean(),
        mail: z.boolean(),
        registration: z.enum(registrations),
        first: z.boolean(),
        /** An account wants the setup token. */
        setup: z.boolean(),
        /** What a file may have at most. */
        maxUploadMb: z.number(),
      }),
    ),
  }),
  register: route('POST', '/api/auth/local/register', {
    summary: 'Create an account and sign in; where mail is sent, confirm the address first (202)',
    access: 'anyone',
    body: z.strictObject({
      username,
      email,
      password: newPassword,
      locale: Locale.optional(),
      timezone: z.string().max(64).optional(),
      invitation: code.optional(),
      setup: code.optional(),
      /** What customers know the shop by. */
      shop: outsideName(60).optional(),
    }),
    reply: z.union([Session, z.object({ verify: z.literal(true) })]),
    otherStatus: 202,
  }),
  signIn: route('POST', '/api/auth/local', {
    summary: 'Sign in with email or username and password',
    access: 'anyone',
    body: z.strictObject({ identifier: text(254), password }),
    reply: SignedIn,
  }),
  secondFactor: route('POST', '/api/auth/two-factor', {
    summary: 'Finish signing in with a code of the authenticator app, or a backup code',
    access: 'anyone',
    body: z.strictObject({ ticket: code, code: text(40) }),
    reply: Session,
  }),
  verifyEmail: route('POST', '/api/auth/verify-email', {
    summary:
      'Confirm an address with the code from the mail: signs in after registering, or takes over a changed address',
    access: 'anyone',
    body: z.strictObject({ code }),
    reply: z.union([Session, SecondFactor, z.object({ changed: z.literal(true) })]),
  }),
  forgotPassword: route('POST', '/api/auth/forgot-password', {
    summary: 'Ask for a mail to set a new password',
    access: 'anyone',
    body: z.strictObject({ email }),
    reply: ok,
  }),
  resetPassword: route('POST', '/api/auth/reset-password', {
    summary: 'Set a new password with the code from the mail; ends every session and API key of the account',
    access: 'anyone',
    body: z.strictObject({ code, password: newPassword, passwordConfirmation: z.string().max(512) }),
    reply: SignedIn,
  }),
  google: route('GET', '/api/auth/google', {
    summary: 'Go to Google to sign in',
    access: 'anyone',
    kind: 'file',
    query: { next: z.string().max(2000).optional(), invitation: code.optional() },
  }),
  googleCallback: route('GET', '/api/auth/google/callback', {
    summary:
      'Come back from Google: with `Accept: application/json` it finishes the sign-in, otherwise it is the page that does',
    access: 'anyone',
    openQuery: true,
    reply: z.union([
      Session.extend({ next: z.string() }),
      SecondFactor.extend({ next: z.string() }),
      z.object({ linked: z.literal(true), next: z.string() }),
    ]),
  }),
  passkeyOptions: route('POST', '/api/auth/passkey/options', {
    summary: 'Begin to sign in with a passkey',
    access: 'anyone',
    reply: PasskeyQuestion,
  }),
  passkey: route('POST', '/api/auth/passkey', {
    summary: 'Sign in with a passkey',
    access: 'anyone',
    body: z.strictObject({ ticket: code, response: WebAuthn }),
    reply: Session,
  }),
  renew: route('POST', '/api/auth/renew', {
    summary: 'A new access token for the session in the cookie',
    access: 'anyone',
    reply: z.object({ jwt: z.string() }),
  }),
  signOut: route('POST', '/api/auth/sign-out', {
    summary: 'End the session in the cookie',
    access: 'anyone',
    reply: ok,
  }),
  me: route('GET', '/api/users/me', {
    summary: 'The signed-in user',
    access: 'user',
    query: { populate: z.literal('avatar').optional() },
    reply: User,
  }),
  update: route('PUT', '/api/user/update-account', {
    summary: 'Change your profile; a new email or password wants the current password or a recent confirmation',
    access: 'user',
    body: z
      .strictObject({
        username,
        displayName: outsideName(40),
        email,
        locale: Locale,
        timezone: z.string().min(1).max(64),
        avatar: uuid.nullable(),
        password: newPassword,
        currentPassword: password,
      })
      .partial(),
    reply: z.object({ data: User }),
  }),
  leaving: route('GET', '/api/user/delete-account', {
    summary: 'What would happen to your workspaces if you deleted your account',
    access: 'user',
    reply: one(
      z.object({
        workspaces: z.array(
          z.object({
            uuid,
            name: z.string(),
            /** It goes with its person unless they choose somebody. */
            personal: z.boolean(),
            members: z.number().int(),
            /** Who takes it over unless another is chosen; null when it is erased. */
            successor: z.object({ uuid, username: z.string() }).nullable(),
            /** Who could take it over. */
            candidates: z.array(z.object({ uuid, username: z.string() })),
          }),
        ),
      }),
    ),
  }),
  remove: route('DELETE', '/api/user/delete-account', {
    summary:
      'Delete your account; workspaces with other members are handed over, the personal one only to whom you choose; the others are erased',
    access: 'user',
    body: z
      .strictObject({
        password: password.optional(),
        handOver: z
          .array(z.strictObject({ workspace: uuid, user: uuid }))
          .max(100)
          .optional(),
      })
      .optional(),
    reply: ok,
  }),
  export: route('POST', '/api/user/export', {
    summary: 'A link, good for one download within five minutes, to everything of yours as a ZIP',
    access: 'user',
    reply: one(z.object({ url: z.string(), expiresAt: moment })),
  }),
  download: route('GET', '/api/export/:ticket', {
    summary: 'The download of an export',
    access: 'anyone',
    kind: 'file',
    params: { ticket: code },
  }),
};

export const Passkey = z.object({ uuid, name: z.string(), lastUsedAt: moment.nullable(), ...moments });
export type Passkey = z.output<typeof Passkey>;

export const SessionInfo = z.object({
  uuid,
  current: z.boolean(),
  userAgent: z.string(),
  address: z.string(),
  method: z.enum(['password', 'google', 'passkey']),
  ...moments,
  lastSeenAt: moment,
});
export type SessionInfo = z.output<typeof SessionInfo>;

export const Security = z.object({
  hasPassword: z.boolean(),
  google: z.object({ email: z.string(), linkedAt: moment }).nullable(),
  twoFactor: z.object({ since: moment, backupCodesLeft: z.number().int() }).nullable(),
  passkeys: z.array(Passkey),
  sessions: z.array(SessionInfo),
});
export type Security = z.output<typeof Security>;

const BackupCodes = one(z.object({ backupCodes: z.array(z.string()) }));

/** What protects an account. What weakens it wants a confirmation of the last ten minutes: 403 `confirmation-needed` else. */
export const security = {
  get: route('GET', '/api/user/security', {
    summary: 'Password, second factor, passkeys and sessions of your account',
    access: 'user',
    reply: one(Security),
  }),
  confirm: route('POST', '/api/user/security/confirm', {
    summary: 'Show again that it is you, with the password or a passkey; good for ten minutes',
    access: 'user',
    body: z.union([z.strictObject({ password }), z.strictObject({ ticket: code, response: WebAuthn })]),
    reply: ok,
  }),
  startTwoFactor: route('POST', '/api/user/two-factor', {
    summary: 'Begin with an authenticator app: its secret',
    access: 'user',
    reply: one(z.object({ secret: z.string(), url: z.string() })),
  }),
  enableTwoFactor: route('PUT', '/api/user/two-factor', {
    summary: 'Finish with a first code; answers the backup codes, once',
    access: 'user',
    body: z.strictObject({ code: text(10) }),
    reply: BackupCodes,
  }),
  disableTwoFactor: route('DELETE', '/api/user/two-factor', {
    summary: 'Sign in without a code again',
    access: 'user',
    reply: ok,
  }),
  renewBackupCodes: route('POST', '/api/user/two-factor/backup-codes', {
    summary: 'New backup codes; the old ones count no longer',
    access: 'user',
    reply: BackupCodes,
  }),
  passkeyOptions: route('POST', '/api/user/passkey/options', {
    summary: 'Begin to add a passkey',
    access: 'user',
    reply: PasskeyQuestion,
  }),
  addPasskey: route('POST', '/api/user/passkey', {
    summary: 'Add a passkey',
    access: 'user',
    status: 201,
    body: z.strictObject({ ticket: code, name: text(60), response: WebAuthn }),
    reply: one(Passkey),
  }),
  renamePasskey: route('PUT', '/api/user/passkey/:uuid', {
    summary: 'Rename a passkey',
    access: 'user',
    params: byUuid,
    body: z.strictObject({ name: text(60) }),
    reply: one(Passkey),
  }),
  removePasskey: route('DELETE', '/api/user/passkey/:uuid', {
    summary: 'Remove a passkey',
    access: 'user',
    params: byUuid,
    reply: ok,
  }),
  linkGoogle: route('POST', '/api/user/google', {
    summary: 'The address to go to, to sign in with Google from now on',
    access: 'user',
    reply: one(z.object({ url: z.string() })),
  }),
  unlinkGoogle: route('DELETE', '/api/user/google', {
    summary: 'No longer sign in with Google',
    access: 'user',
    reply: ok,
  }),
  endSession: route('DELETE', '/api/user/session/:uuid', {
    summary: 'Sign out one device',
    access: 'user',
    params: byUuid,
    reply: ok,
  }),
  endOtherSessions: route('DELETE', '/api/user/sessions', {
    summary: 'Sign out every other device',
    access: 'user',
    reply: ok,
  }),
};

/** Something of one's own account changed elsewhere: the profile, a role, a workspace. The page fetches the user again. */
export const accountChanged = event('account', z.object({}));

export const files = {
  uploadImage: route('POST', '/api/user/image', {
    summary: 'Upload a picture for an avatar; it is re-encoded to WebP',
    access: 'user',
    kind: 'multipart',
    status: 201,
    reply: z.object({ data: z.object({ uuid, url: z.string() }) }),
  }),
  avatar: route('GET', '/api/avatar/:uuid', {
    summary: 'An avatar, as WebP',
    access: 'anyone',
    kind: 'file',
    params: { uuid },
  }),
};
