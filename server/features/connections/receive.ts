import type { ConnectionSettings } from '../../../shared/contracts/connections.ts';
import type { ThreadHappening } from '../../../shared/contracts/inbox.ts';
import { AppError } from '../../../shared/errors.ts';
import { languageOf } from '../../../shared/text.ts';
import type { Context } from '../../feature.ts';
import { translate } from '../../infra/translate.ts';
import {
  answerLast,
  askAsGuest,
  changeGuestThread,
  findByKey,
  findThreadById,
  happened,
  openThread,
  type Following,
  type Listen,
  type MessageTable,
  type ThreadTable,
  type Written,
} from '../conversations/guest-threads.ts';
import { asSpeaker, findByIdentityId, tagGuest, updateGuestRow } from '../guests/guests.ts';
import type { Guest } from '../users/speaker.ts';
import { mustFindConnectionOf, settingsOf, type ConnectionRow } from './connections.ts';
import { isOpen } from '../../../shared/hours.ts';
import { findRule } from './rules.ts';

interface Incoming {
  /** What marks it: the same message sent twice is there once. */
  key: string;
  text: string;
  files?: string[] | undefined;
}

export interface Received {
  thread: ThreadTable;
  /** The message as it is stored; nothing where `following` tells of it. */
  message?: MessageTable;
  /** The answer that is being written to it. */
  following?: Following;
}

/** Takes what a guest writes: a rule, the bot or people answer it. Nothing is acknowledged before it is stored. */
export async function receive(
  context: Context,
  guest: Guest,
  incoming: Incoming,
  listen: Listen = () => {},
): Promise<Received> {
  const connection = await mustFindConnectionOf(context, guest);
  const settings = settingsOf(connection);
  const hasBot = canAnswer(connection, guest);
  const { text } = incoming;
  const thread = await openThread(context, guest, {
    bot: connection.bot,
    status: hasBot ? 'bot' : 'waiting',
    text,
  });
  await remember(context, guest, thread);
  const known = await findByKey(context.db, thread.uuid, incoming.key);
  if (known) return { thread, message: known };
  const rule = settings.rules[findRule(settings.rules, text)];
  const isBots = hasBot && (thread.status === 'bot' || thread.status === 'resolved');
  // The bot's own thread, and nothing special: question and place for the answer are stored at once.
  if (thread.status === 'bot' && hasBot && thread.bot === connection.bot && !rule && thread.running === null)
    try {
      const following = await askAsGuest(context, guest, thread, incoming, listen);
      after(context, guest, following);
      return { thread, following };
    } catch (error) {
      const meanwhile = await findByKey(context.db, thread.uuid, incoming.key);
      if (meanwhile) return { thread, message: meanwhile };
      if (!(error instanceof AppError) || error.code !== 'thread-busy') throw error;
    }
  const said: Written = {
    role: 'user',
    text,
    files: incoming.files,
    by: { guest: guest.guest },
    key: incoming.key,
  };
  const locale = localeFor(settings, guest, text);
  const changed = await changeGuestThread(context, thread.uuid, (now) => {
    const rows: Written[] = [said];
    if (rule && (now.status === 'bot' || now.status === 'resolved')) {
      if (rule.reply) rows.push({ role: 'assistant', text: rule.reply, delivery: 'sent' });
      if (rule.handOff) return { rows: [...rows, ...handedOver(settings, locale, 'rule')], changes: waiting('rule') };
      if (rule.reply) return { rows, changes: now.status === 'resolved' ? { status: 'bot' } : {} };
    }
    if (now.status === 'snoozed')
      return {
        rows: [...rows, happened('woken')],
        changes: { status: now.assignee ? 'staff' : 'waiting', snoozed_until: null, waiting_since: Date.now() },
      };
    if (now.status === 'resolved')
      return {
        rows: [...rows, happened('reopened')],
        changes: hasBot ? { status: 'bot', assignee: null } : waiting('no-bot'),
      };
    if (now.status === 'bot' && !hasBot)
      return { rows: [...rows, ...handedOver(settings, locale, 'no-bot')], changes: waiting('no-bot') };
    // Nobody was there, and nothing has been said of it yet.
    if (now.last_at === null && now.status === 'waiting')
      return { rows: [...rows, ...handedOver(settings, locale, 'no-bot')], changes: waiting('no-bot') };
    return { rows };
  });
  if (rule?.tag)
    await context.db
      .transaction()
      .execute((trx) => tagGuest(trx, { uuid: guest.guest, workspace: guest.workspace }, rule.tag));
  const [message] = changed.messages;
  if (isBots && changed.thread.status === 'bot' && changed.thread.last_role === 'user' && !changed.thread.running) {
    const following = await continueBot(context, guest, thread.uuid, connection, listen);
    if (following) return { thread: changed.thread, ...(message && { message }), following };
  }
  return { thread: changed.thread, ...(message && { message }) };
}

/** Who has written once is kept; who never does is forgotten after a while. */
async function remember({ db }: Context, guest: Guest, thread: ThreadTable): Promise<void> {
  if (thread.last_at === null) await updateGuestRow(db, guest.guest, { silent: 0 });
}

/** Whether the bot of a connection may answer this guest. */
const canAnswer = ({ bot, bot_version }: ConnectionRow, guest: Guest) =>
  bot !== null && (bot_version !== null || guest.isPreview);

type Reason = NonNullable<ThreadHappening['reason']>;

const waiting = (reason: Reason) => ({
  status: 'waiting' as const,
  reason,
  waiting_since: Date.now(),
  snoozed_until: null,
});

/** What is said in: the guest's language, or the connection's. */
const localeFor = ({ language }: ConnectionSettings, guest: Guest, text: string) =>
  language === 'visitor' ? (text ? languageOf(text) : guest.locale) : language;

/** What the team sees of a hand-over, and what the guest is told of it, honestly. */
const handedOver = (settings: ConnectionSettings, locale: 'en' | 'ja', reason: Reason): Written[] => [
  happened('handed-off', { reason }),
  { role: 'system', text: wordsOf(settings, locale), delivery: 'sent' },
];

const wordsOf = ({ hours, awayText }: ConnectionSettings, locale: 'en' | 'ja') =>
  isOpen(hours)
    ? translate(locale, 'connections-server:handedOver')
    : awayText || translate(locale, 'connections-server:away');

/** A guest asks for a person. Asked again, nothing more is said. */
export async function askForPerson(context: Context, guest: Guest): Promise<ThreadTable> {
  const connection = await mustFindConnectionOf(context, guest);
  const settings = settingsOf(connection);
  const locale = localeFor(settings, guest, '');
  const thread = await openThread(context, guest, {
    bot: connection.bot,
    status: 'bot',
    text: translate(locale, 'connections-server:wantsPerson'),
  });
  await remember(context, guest, thread);
  const changed = await changeGuestThread(context, thread.uuid, (now) =>
    now.status === 'waiting' || now.status === 'staff'
      ? undefined
      : { rows: handedOver(settings, locale, 'asked'), changes: waiting('asked') },
  );
  return changed.thread;
}

/** After an answer: what it handed over is told, and what came meanwhile is answered. */
function after(context: Context, guest: Guest, following: Following): void {
  following.ended
    .then(() => settleAfter(context, guest, following.thread))
    .catch((err: unknown) => context.log.warn({ err, thread: following.thread }, 'a conversation could not go on'));
}

async function settleAfter(context: Context, guest: Guest, uuid: string): Promise<void> {
  const thread = await findThreadById(context.db, uuid);
  if (!thread) return;
  const connection = await mustFindConnectionOf(context, guest).catch(() => undefined);
  if (!connection) return;
  if (thread.status === 'waiting' && thread.last_role === 'assistant') {
    const settings = settingsOf(connection);
    const locale = localeFor(settings, guest, thread.last_text ?? '');
    // The bot has said itself that it hands over; what it does not know is whether somebody is there.
    await changeGuestThread(context, uuid, (now) =>
      now.status === 'waiting' && now.last_role === 'assistant'
        ? {
            rows: [
              happened('handed-off', { reason: now.reason ?? 'asked' }),
              ...(isOpen(settings.hours)
                ? []
                : [{ role: 'system', text: wordsOf(settings, locale), delivery: 'sent' } satisfies Written]),
            ],
          }
        : undefined,
    );
  } else if (thread.status === 'bot' && thread.last_role === 'user' && thread.running === null)
    await continueBot(context, guest, uuid, connection, () => {});
}

async function continueBot(
  context: Context,
  guest: Guest,
  uuid: string,
  connection: ConnectionRow,
  listen: Listen,
): Promise<Following | undefined> {
  const thread = await findThreadById(context.db, uuid);
  if (!thread || thread.status !== 'bot' || thread.running !== null || !canAnswer(connection, guest)) return undefined;
  try {
    const following = await answerLast(context, guest, thread, listen);
    after(context, guest, following);
    return following;
  } catch (error) {
    if (error instanceof AppError && error.code === 'thread-busy') return undefined;
    throw error;
  }
}

/** Answers a thread whose answer nobody came to write, since the process that had taken the message is gone. */
export async function answerLate(context: Context, thread: ThreadTable): Promise<void> {
  if (!thread.identity) return;
  const [guest] = await findByIdentityId(context.db, { identity: thread.identity });
  const connection =
    guest && (await mustFindConnectionOf(context, { channelId: guest.channel_id }).catch(() => undefined));
  if (connection) await continueBot(context, asSpeaker(guest, thread.language), thread.uuid, connection, () => {});
}
