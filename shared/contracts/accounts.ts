import { z } from 'zod';
import { moment, ok } from '../list.ts';
import { route } from '../route.ts';
import { isStorable, text, uuid } from '../text.ts';

export const locales = ['en', 'ja'] as const;
export const Locale = z.enum(locales);
export type Locale = z.output<typeof Locale>;

export const Image = z.object({ url: z.string() });

export const User = z.object({
  uuid,
  username: z.string(),
  email: z.string(),
  emailVerified: z.boolean(),
  avatar: Image.nullable().optional(),
  locale: Locale,
  timezone: z.string(),
  operator: z.boolean(),
  workspaces: z.array(z.object({ uuid, name: z.string(), role: z.enum(['owner', 'admin', 'editor', 'staff', 'viewer']), personal: z.boolean() })),
  createdAt: moment,
  updatedAt: moment,
});
export type User = z.output<typeof User>;

export const username = text(40).refine((value) => /^[\p{L}\p{N}][\p{L}\p{N}\p{M}._-]*$/u.test(value), { message: 'username-characters' });
export const email = z.string().max(254).refine(isStorable, { message: 'not-storable', abort: true }).pipe(z.email());

/** At least 8 and at most 128 characters; not trimmed, since a space may be meant. */
export const newPassword = z.string().min(8, { message: 'password-short' }).max(512).refine(isStorable, { message: 'not-storable' });

const Session = z.object({ jwt: z.string(), user: User });

export const accounts = {
  register: route('POST', '/api/auth/local/register', {
    summary: 'Create an account and sign in',
    access: 'anyone',
    body: z.strictObject({ username, email, password: newPassword, locale: Locale.optional(), timezone: z.string().max(64).optional() }),
    reply: Session,
  }),
  signIn: route('POST', '/api/auth/local', {
    summary: 'Sign in with e-mail or username and password',
    access: 'anyone',
    body: z.strictObject({ identifier: text(254), password: z.string().min(1).max(512) }),
    reply: Session,
  }),
  renew: route('POST', '/api/auth/renew', {
    summary: 'A new access token for the session in the cookie',
    access: 'anyone',
    reply: z.object({ jwt: z.string() }),
  }),
  signOut: route('POST', '/api/auth/sign-out', { summary: 'End the session in the cookie', access: 'anyone', reply: ok }),
  me: route('GET', '/api/users/me', {
    summary: 'The signed-in user',
    access: 'user',
    query: { populate: z.literal('avatar').optional() },
    reply: User,
  }),
  update: route('PUT', '/api/user/update-account', {
    summary: 'Change your profile',
    access: 'user',
    body: z.strictObject({ locale: Locale, timezone: z.string().min(1).max(64), avatar: uuid.nullable() }).partial(),
    reply: z.object({ data: User }),
  }),
};

export const files = {
  uploadImage: route('POST', '/api/user/image', {
    summary: 'Upload a picture for an avatar; it is re-encoded to WebP',
    access: 'user',
    kind: 'multipart',
    status: 201,
    reply: z.object({ data: z.object({ uuid, url: z.string() }) }),
  }),
  avatar: route('GET', '/api/avatar/:uuid', { summary: 'An avatar, as WebP', access: 'anyone', kind: 'file', params: { uuid } }),
};
