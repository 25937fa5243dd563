import type { Locale } from '../../../shared/contracts/accounts.ts';
import { AppError } from '../../../shared/errors.ts';
import type { Context, Notice } from '../../feature.ts';
import type { Trx } from '../../infra/db.ts';
import { encryptPush } from '../../infra/push.ts';
import { jobKind, type JobHandler } from '../../infra/queue.ts';
import { limit } from '../../infra/limits.ts';
import { translate } from '../../infra/translate.ts';
import { findThreadById } from '../conversations/guest-threads.ts';
import { listFaces, toFace } from '../guests/guests.ts';
import { listContacts } from '../users/users.ts';
import { findMention } from './mention.ts';
import { isWithin, lastOf, listConcerned, needsPeople, quietOf, targetOf } from './notices.ts';
import { deleteSubscription, findSubscription, listSettings, listSubscriptions } from './notices.store.ts';
import type { PushSubscriptionTable } from './notices.tables.ts';
import { quietMs } from './quiet.ts';

interface Payload {
  subscription: string;
  thread: string;
  /** The number of the message that it tells of. */
  seq: number;
  /** The note, when it is told to whom it names. */
  mention?: string;
  /** From when on it is no longer news. */
  until: number;
}

export const pushKind = jobKind<Payload>({
  name: 'notices.push',
  lane: 'messages',
  timeoutMs: 30_000,
  maxAttempts: 5,
  maxPauseMs: 10 * 60_000,
});

export const pushLimit = limit('push', 60, 600, 'notices to one browser in ten minutes');

export const newsMs = 3_600_000;
const timeoutMs = 10_000;
const titleLength = 80;
const textLength = 240;

class NotTakenError extends Error {}

/** Tells one browser, unless there is newer, or nothing any more to be told. */
export const pushJob = (context: Context): JobHandler<Payload> => ({
  async run(payload, { signal, finish }) {
    const row = await findSubscription(context.db, payload.subscription);
    if (!row || Date.now() > payload.until) return;
    const notice = await noticeFor(context, row.user, payload);
    const delayMs = notice && (await send(context, row, notice, signal));
    if (delayMs) return finish((trx) => context.queue.add(trx, pushKind, payload, { tenant: row.user, delayMs }));
  },
});

interface Told {
  subscription: string;
  notice: Shown;
  until: number;
}

/** What is told of something that is not a conversation. */
const toldKind = jobKind<Told>({
  name: 'notices.told',
  lane: 'messages',
  timeoutMs: 30_000,
  maxAttempts: 5,
  maxPauseMs: 10 * 60_000,
  holdsSecret: true,
});

export const registerTold = (context: Context): void => context.queue.register(toldKind, toldJob(context));

/** Puts a notice on its way to the browsers of people, in the language of each. */
export async function notify({ queue }: Context, trx: Trx, { users, about, url, say }: Notice): Promise<void> {
  const contacts = await listContacts(trx, users);
  for (const { uuid: subscription, user } of await listSubscriptions(trx, users)) {
    const locale = contacts.find(({ uuid }) => uuid === user)?.locale ?? 'en';
    const { title, body } = say(locale);
    const notice = { title: cut(title, titleLength), body: cut(body, textLength), lang: locale, tag: about, url };
    await queue.add(trx, toldKind, { subscription, notice, until: Date.now() + newsMs }, { tenant: user });
  }
}

const toldJob = (context: Context): JobHandler<Told> => ({
  async run(payload, { signal, finish }) {
    const row = await findSubscription(context.db, payload.subscription);
    if (!row || Date.now() > payload.until || (await isQuiet(context, row.user))) return;
    const delayMs = await send(context, row, payload.notice, signal);
    if (delayMs) return finish((trx) => context.queue.add(trx, toldKind, payload, { tenant: row.user, delayMs }));
  },
});

interface Shown {
  title: string;
  body: string;
  lang: Locale;
  /** An id; a later notice with the same takes its place. */
  tag: string;
  url: string;
}

/** Hands a notice to the service of a browser. Returns how long that wants to wait, where it does; a browser that is gone is forgotten. */
async function send(
  context: Context,
  row: PushSubscriptionTable,
  notice: Shown,
  signal: AbortSignal,
): Promise<number | undefined> {
  const { outbound, log } = context;
  if (!(await isWithin(context, pushLimit, row.uuid))) return undefined;
  const target = targetOf(context, row);
  const sent = outbound.request(target.endpoint, {
    method: 'POST',
    signal,
    timeoutMs,
    body: encryptPush(Buffer.from(JSON.stringify(notice)), target),
    headers: {
      authorization: await (await context.pushKeys()).authorize(target.endpoint, contactOf(context)),
      'content-type': 'application/octet-stream',
      'content-encoding': 'aes128gcm',
      ttl: String(newsMs / 1000),
      urgency: 'high',
      // 32 characters; a later one with the same takes its place while the device is away.
      topic: notice.tag.replaceAll('-', ''),
    },
  });
  const answer = await sent.catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'address-not-allowed') return undefined;
    throw error;
  });
  answer?.body.destroy();
  const status = answer?.status ?? 0;
  if (status >= 200 && status < 300) return undefined;
  if (answer && (status === 429 || status === 503)) return waitMs(answer.headers['retry-after']);
  if (status >= 500) throw new NotTakenError(`status-${status}`);
  // 404 and 410: the browser is gone. 0: its name leads into our network.
  if ([0, 404, 410].includes(status)) await deleteSubscription(context.db, row.uuid);
  else log.warn({ status, host: new URL(target.endpoint).host }, 'a push service refused a notice');
  return undefined;
}

const leastWaitMs = 1_000;

/** Seconds or a date (RFC 9110 §10.2.3), at most until it would be no news. */
function waitMs(header: string | string[] | undefined, now = Date.now()): number {
  const said = [header].flat()[0] ?? '';
  const asked = /^\d+$/.test(said) ? Number(said) * 1000 : Date.parse(said) - now;
  return Math.min(newsMs, Math.max(leastWaitMs, Number.isNaN(asked) ? 60_000 : asked));
}

/** Whom a push service asks when something is wrong: Apple's takes no address of a local network. */
const contactOf = ({ config }: Context) =>
  config.secure && config.BASE_URL ? new URL(config.BASE_URL).origin : `mailto:${addressIn(config.MAIL_FROM)}`;

const addressIn = (from: string) => /<([^<>]+)>/.exec(from)?.[1] ?? from;

async function isQuiet({ db }: Context, user: string): Promise<boolean> {
  const [[settings], [contact]] = await Promise.all([listSettings(db, [user]), listContacts(db, [user])]);
  return !settings || !contact || quietMs(quietOf(settings), contact.timezone) > 0;
}

/** What the browser shows; nothing for who may not see it, wants no disturbance, or has nothing new to see. */
async function noticeFor(
  context: Context,
  user: string,
  { thread: uuid, seq, mention }: Payload,
): Promise<Shown | undefined> {
  if (mention !== undefined) return mentionFor(context, user, { thread: uuid, message: mention });
  const thread = await findThreadById(context.db, uuid);
  if (thread?.guest == null || !needsPeople(thread)) return undefined;
  const member = (await listConcerned(context, thread)).find((each) => each.user === user);
  if (!member) return undefined;
  const { call, said } = await lastOf(context, uuid);
  // A newer one has a job of its own, which tells of both.
  if (!call || call.seq > seq || (call.role === 'user' && thread.unread === 0)) return undefined;
  if (await isQuiet(context, user)) return undefined;
  const [face] = await listFaces(context.db, [thread.guest]);
  const text = said && (said.text || translate(member.locale, 'notices-server:sentFile'));
  return {
    title: cut(face ? toFace(face).name : '', titleLength),
    body: cut(text ?? translate(member.locale, 'notices-server:waits'), textLength),
    lang: member.locale,
    tag: uuid,
    url: `/Friend?thread=${uuid}`,
  };
}

async function mentionFor(
  context: Context,
  user: string,
  at: { thread: string; message: string },
): Promise<Shown | undefined> {
  const found = await findMention(context, { ...at, user });
  if (!found || found.waitMs > 0) return undefined;
  const { contact, by, text } = found;
  return {
    title: cut(translate(contact.locale, 'notices-server:mentioned', { who: by }), titleLength),
    body: cut(text, textLength),
    lang: contact.locale,
    tag: at.message,
    url: `/Friend?thread=${at.thread}`,
  };
}

const cut = (text: string, most: number) => text.slice(0, most).toWellFormed();
