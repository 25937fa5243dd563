import { z } from 'zod';
import { request } from '../event.ts';
import { ok, one } from '../list.ts';
import { route } from '../route.ts';
import { uuid } from '../text.ts';

/** Which waiting conversations a mail is written for: one's own (assigned, or of a workspace one owns), all, or none. */
export const mailWishes = ['own', 'all', 'none'] as const;
export type MailWish = (typeof mailWishes)[number];

const time = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'invalid');

/** From when to when nothing is pushed or mailed, in the time zone of the account; over midnight when it ends before it begins. */
const Quiet = z.strictObject({ from: time, to: time });
export type Quiet = z.output<typeof Quiet>;

const settings = {
  mail: z.enum(mailWishes),
  quiet: Quiet.refine(({ from, to }) => from !== to, { message: 'invalid', path: ['to'] }).nullable(),
};

export const Notices = z.object({
  mail: settings.mail,
  quiet: Quiet.nullable(),
  /** Whether mails reach anybody here. */
  sendsMail: z.boolean(),
  push: z.object({
    /** What a browser subscribes for (`applicationServerKey`). */
    key: z.string(),
    /** Whether the browser of this session is told. */
    here: z.boolean(),
  }),
});
export type Notices = z.output<typeof Notices>;

const base64url = z.string().regex(/^[A-Za-z0-9_-]{1,100}={0,2}$/, 'invalid');

export const notices = {
  get: route('GET', '/api/user/notices', {
    summary: 'How you are told of visitors who wait',
    access: 'user',
    reply: one(Notices),
  }),
  update: route('PUT', '/api/user/notices', {
    summary: 'Change for what mails are written to you, and your quiet hours',
    access: 'user',
    body: z.strictObject(settings).partial(),
    reply: one(Notices),
  }),
  subscribe: route('POST', '/api/user/push', {
    summary:
      'Tell the browser of this session, until you sign out of it; `endpoint` and `keys` are what the browser gives',
    access: 'user',
    body: z.strictObject({
      endpoint: z.url().max(2000),
      keys: z.strictObject({ p256dh: base64url, auth: base64url }),
    }),
    reply: one(Notices),
  }),
  unsubscribe: route('DELETE', '/api/user/push', {
    summary: 'Tell the browser of this session no longer',
    access: 'user',
    reply: one(Notices),
  }),
};

/** A page says that a conversation is before somebody's eyes, or no longer: whoever looks at it is not told of it. */
export const attend = request('notices.attend', z.strictObject({ thread: uuid, isActive: z.boolean() }), ok);
