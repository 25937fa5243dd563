import type { BotConfig } from '../../../shared/contracts/bots.ts';
import type { ConnectionSettings } from '../../../shared/contracts/connections.ts';
import { AppError, errors, type ErrorCode } from '../../../shared/errors.ts';
import type { Context } from '../../feature.ts';
import { translate } from '../../infra/translate.ts';
import { languageOf } from '../../../shared/text.ts';
import { channelOf } from '../answers/answer.ts';
import {
  answerLast,
  askAsGuest,
  changeGuestThread,
  findByKey,
  findByKeyOf,
  findMessage,
  findOpenThread,
  findThreadById,
  happened,
  openThread,
  updateThread,
  type Following,
  type Listen,
  type MessageTable,
  type ThreadTable,
  type Written,
} from '../conversations/guest-threads.ts';
import { hasUnread } from '../conversations/attachments.ts';
import { asSpeaker, findByIdentityId, tagGuest } from '../guests/guests.ts';
import type { Incoming } from '../../providers/channels/channel.ts';
import { writtenOf } from '../rich-messages/rich-messages.ts';
import { isSpent } from '../usage/ledger.ts';
import type { Guest } from '../users/speaker.ts';
import { mustFindConnectionOf, settingsOf, type ConnectionRow } from './connections.ts';
import { configFor, wantsPerson } from './asks-for-person.ts';
import { decide, isHandedOver, type Reason } from './decide.ts';
import { isOpen } from './hours.ts';
import { isQuestion, kindOf, onlyConfirms, toHandling } from './kinds.ts';
import { answersOn, askedNoticeOf, languageFor, noticeOf } from './notice.ts';
import { findRule } from './rules.ts';

export interface Received {
  thread: ThreadTable;
  /** The message as it is stored; nothing where `following` tells of it. */
  message?: MessageTable;
  /** The answer that is being written to it. */
  following?: Following;
  /** Why the bot does not answer it, which the conversation says. */
  refused?: ErrorCode;
}

/**
 * Takes what a guest writes: a rule, the bot or people answer it. Nothing is acknowledged before it is stored. What the bot throws
 * before that is thrown on, unless the channel keeps its messages all the same.
 */
export async function receive(
  context: Context,
  guest: Guest,
  { isToUs = false, mayAsk, isKept = () => false, ...incoming }: Incoming,
  listen: Listen = () => {},
  found?: ConnectionRow,
): Promise<Received> {
  const [connection, known, open] = await Promise.all([
    found ?? mustFindConnectionOf(context, guest),
    findByKeyOf(context.db, guest, incoming.key),
    findOpenThread(context.db, guest),
  ]);
  const settings = settingsOf(connection);
  const silent = await whyNot(context, connection, guest);
  const { text, words, picked, isTap, isAside = false, reply: instead, ...more } = incoming;
  const written = isTap || incoming.sticker || incoming.location ? '' : (words ?? text);
  const taken = known && (await findThreadById(context.db, known.thread));
  if (taken) return { thread: taken, message: known };
  const rule = isAside ? undefined : settings.rules[findRule(settings, text)];
  const kind =
    isAside || rule || instead !== undefined
      ? undefined
      : (kindOf(incoming) ?? (await confirmed(context, open, incoming)));
  const begun =
    open ??
    (await openThread(context, guest, {
      bot: connection.bot,
      status: silent && (!kind || settings.kinds[kind].does === 'staff') ? 'waiting' : 'bot',
      text,
      written,
    }));
  const thread = isAside ? begun : await tuneTo(context, guest, begun, written);
  const mayWant =
    !isAside && isToUs && settings.handoff.offered && thread.status !== 'staff' && thread.status !== 'waiting';
  const config = mayWant ? await configFor(context, { ...connection, isPreview: guest.isPreview }) : undefined;
  const asks = mayWant && wantsPerson(text, config) && (!mayAsk || (await mayAsk()));
  // Of a recording that is written down everything can be read.
  const canBeRead = isAside || instead !== undefined || silent || incoming.heard;
  const unread = !canBeRead && (await hasUnread(context, guest, incoming.files));
  // The bot's own thread, and nothing special: question and place for the answer are stored at once.
  const isBots = !isAside && instead === undefined && !silent && !rule && !kind && !asks && !unread;
  // What else is said at the same moment moves the end of the thread, where the question goes: then it is tried once more.
  let now = isBots ? thread : undefined;
  for (let tries = 0; now?.status === 'bot' && now.bot === connection.bot && now.running === null && tries < 2; tries++)
    try {
      const following = await askAsGuest(context, guest, now, incoming, listen);
      after(context, guest, following);
      return { thread: now, following };
    } catch (error) {
      const meanwhile = await findByKey(context.db, thread.uuid, incoming.key);
      if (meanwhile) return { thread, message: meanwhile };
      if (!isBusy(error) && !isKept(error)) throw error;
      now = isBusy(error) ? await findThreadById(context.db, thread.uuid) : undefined;
    }
  const said: Written = {
    ...more,
    text,
    isAside,
    role: 'user',
    by: { guest: guest.guest },
    with: async (trx) => {
      if (rule?.tag) await tagGuest(trx, { uuid: guest.guest, workspace: guest.workspace }, rule.tag);
    },
  };
  const locale = languageFor(settings, thread);
  const goesOn = answersOn(settings) && !silent;
  const handling = kind && !asks ? toHandling(settings, kind, { locale, picked }) : undefined;
  const [shown] = rule?.rich
    ? await writtenOf(context, guest.workspace, [{ type: 'rich', message: rule.rich }], { name: '', locale })
    : [];
  const changed = await changeGuestThread(context, thread.uuid, (now) => {
    if (isAside) return { rows: [said] };
    if (instead !== undefined && now.status === 'bot')
      return {
        rows: [
          { ...said, isAside: true },
          { role: 'assistant', text: instead(locale), goesOut: true },
        ],
      };
    const { status, comesBack, reply, rich, handsOff, tells, ...decided } = decide(now, {
      silent,
      rule,
      asks,
      handling,
      unread,
      answersOn: goesOn,
    });
    const sent = rich !== null && shown ? [shown] : [];
    return {
      rows: [
        { ...said, isAside: decided.isAside },
        ...(comesBack ? [happened(comesBack)] : []),
        ...[...(reply ? [{ text: reply }] : []), ...sent].map((answer): Written => ({
          ...answer,
          role: 'assistant',
          goesOut: true,
          isAside: decided.isAside,
        })),
        ...(!handsOff
          ? []
          : tells
            ? handedOver(settings, locale, handsOff, config)
            : [happened('handed-off', { reason: handsOff })]),
      ],
      changes: {
        status,
        ...(status === 'bot' && { bot: connection.bot, assignee: null }),
        ...(handsOff && waiting(handsOff)),
        ...(comesBack === 'woken' && { snoozed_until: null, waiting_since: Date.now() }),
      },
    };
  });
  const message = changed.messages[0];
  const continued =
    changed.thread.last_role === 'user' &&
    !unread &&
    !changed.messages.some(({ happening }) => happening !== null && JSON.parse(happening).kind === 'handed-off')
      ? await continueBot(context, guest, thread.uuid, connection, listen)
      : {};
  return { thread: changed.thread, ...(message && { message }), ...continued };
}

/** A confirmation of what the bot has told, where that was no question. */
async function confirmed(
  { db }: Context,
  open: ThreadTable | undefined,
  incoming: Parameters<typeof onlyConfirms>[0],
): Promise<'thanks' | undefined> {
  if (open?.last_role !== 'assistant' || open.head === null || !onlyConfirms(incoming)) return undefined;
  const last = await findMessage(db, open.head);
  return last && !isQuestion(last.text) ? 'thanks' : undefined;
}

const isBusy = (error: unknown) => error instanceof AppError && error.code === 'thread-busy';

/** Why the bot of a connection may not answer this guest: it is not published, or its channel has used up what it may cost. */
async function whyNot(
  context: Context,
  { bot, bot_version }: ConnectionRow,
  guest: Guest,
): Promise<'no-bot' | 'spent' | null> {
  if (bot === null || (bot_version === null && !guest.isPreview)) return 'no-bot';
  const channel = await channelOf(context, guest);
  return channel && (await isSpent(context.db, channel)) ? 'spent' : null;
}

const waiting = (reason: Reason) => ({
  status: 'waiting' as const,
  reason,
  waiting_since: Date.now(),
  snoozed_until: null,
});

/** The conversation in what its channel says of the guest, else in what they write, else as it was. */
async function tuneTo({ db }: Context, guest: Guest, thread: ThreadTable, written: string): Promise<ThreadTable> {
  const language = guest.language ?? languageOf(written) ?? thread.language;
  if (language === thread.language) return thread;
  await updateThread(db, thread.uuid, { language });
  return { ...thread, language };
}

/** What the guest is told of a hand-over, honestly, and what the team sees of it. */
const handedOver = (
  settings: ConnectionSettings,
  locale: 'en' | 'ja',
  reason: Reason,
  config?: BotConfig,
): Written[] => [
  {
    role: 'system',
    text: reason === 'asked' ? askedNoticeOf(settings, locale, config) : noticeOf(settings, locale),
    goesOut: true,
  },
  happened('handed-off', { reason }),
];

/** A guest asks for a person. Asked again, nothing more is said. */
export async function askForPerson(context: Context, guest: Guest): Promise<ThreadTable> {
  const connection = await mustFindConnectionOf(context, guest);
  const settings = settingsOf(connection);
  const thread =
    (await findOpenThread(context.db, guest)) ??
    (await openThread(context, guest, {
      bot: connection.bot,
      status: 'bot',
      text: translate(languageFor(settings, { language: guest.locale }), 'connections-server:wantsPerson'),
    }));
  const locale = languageFor(settings, thread);
  const config = await configFor(context, { ...connection, isPreview: guest.isPreview });
  const changed = await changeGuestThread(context, thread.uuid, (now) =>
    now.status === 'staff' && now.typed_until !== null
      ? { changes: { waiting_since: now.waiting_since ?? Date.now() } }
      : now.status === 'waiting' || now.status === 'staff'
        ? undefined
        : { rows: handedOver(settings, locale, 'asked', config), changes: waiting('asked') },
  );
  return changed.thread;
}

/**
 * After an answer: what it handed over is told, and what came meanwhile is answered. Where people have been asked, an answer without
 * words leaves its question at the end, `asked`, which is not begun again by itself.
 */
function after(context: Context, guest: Guest, following: Following, asked?: string | null): void {
  following.ended
    .then((thread) =>
      thread && isHandedOver(thread) && thread.head === asked
        ? undefined
        : settleAfter(context, guest, following.thread, thread),
    )
    .catch((err: unknown) => context.log.warn({ err, thread: following.thread }, 'a conversation could not go on'));
}

async function settleAfter(context: Context, guest: Guest, uuid: string, left?: ThreadTable): Promise<void> {
  const thread = left ?? (await findThreadById(context.db, uuid));
  if (!thread || !(isUntold(thread) || thread.last_role === 'user')) return;
  const connection = await mustFindConnectionOf(context, guest).catch(() => undefined);
  if (!connection) return;
  if (isUntold(thread)) {
    const settings = settingsOf(connection);
    const locale = languageFor(settings, thread);
    // The bot has said itself that it hands over, unless it failed; what it does not know is whether somebody is there.
    await changeGuestThread(context, uuid, (now) =>
      isUntold(now)
        ? {
            rows: [
              ...(isOpen(settings.hours) && now.reason !== 'failed'
                ? []
                : [{ role: 'system', text: noticeOf(settings, locale), goesOut: true } satisfies Written]),
              happened('handed-off', { reason: now.reason ?? 'asked' }),
            ],
            changes: { waiting_since: Date.now() },
          }
        : undefined,
    );
  } else await continueBot(context, guest, uuid, connection, () => {});
}

/** The bot's answer has handed it over, and nobody was told. */
const isUntold = ({ status, waiting_since }: ThreadTable) => status === 'waiting' && waiting_since === null;

/**
 * The bot answers what stands at the end, where the conversation is its own, or it goes on answering until people are there; the bot
 * that the connection has now. Where it cannot, the conversation says so, or is people's.
 */
async function continueBot(
  context: Context,
  guest: Guest,
  uuid: string,
  connection: ConnectionRow,
  listen: Listen,
): Promise<Pick<Received, 'following' | 'refused'>> {
  const thread = await findThreadById(context.db, uuid);
  const settings = settingsOf(connection);
  const isBots = (now: ThreadTable) =>
    now.running === null && (now.status === 'bot' || (isHandedOver(now) && answersOn(settings)));
  if (!thread || !isBots(thread) || thread.left_at !== null) return {};
  const locale = languageFor(settings, thread);
  const say = async (said: Parameters<typeof changeGuestThread>[2]) =>
    void (await changeGuestThread(context, uuid, (now) => (isBots(now) ? said(now) : undefined)));
  const leaveTo = (reason: Reason) =>
    say((now) =>
      now.status === 'bot' ? { rows: handedOver(settings, locale, reason), changes: waiting(reason) } : undefined,
    );
  const silent = await whyNot(context, connection, guest);
  if (silent) {
    await leaveTo(silent);
    return {};
  }
  try {
    if (thread.bot !== connection.bot) await updateThread(context.db, uuid, { bot: connection.bot });
    const following = await answerLast(context, guest, { ...thread, bot: connection.bot }, listen);
    after(context, guest, following, thread.head);
    return { following };
  } catch (error) {
    if (isBusy(error)) return {};
    const refused = error instanceof AppError ? error.code : 'internal-error';
    if (error instanceof AppError && errors[error.code].retry) throw error;
    if (error instanceof AppError && error.code === 'question-too-long') {
      const text = translate(locale, `errors:${error.code}`, error.details);
      await say(() => ({ rows: [{ role: 'assistant', text, goesOut: true }] }));
    } else {
      context.log.warn({ err: error, thread: uuid }, 'the bot cannot answer, so people are asked');
      await leaveTo('refused');
    }
    return { refused };
  }
}

/** Goes on with a thread that was left in the middle, since the process that had it is gone or staff have given it back. */
export async function goOn(context: Context, thread: ThreadTable): Promise<void> {
  if (!thread.identity) return;
  const [guest] = await findByIdentityId(context.db, { identity: thread.identity });
  if (guest) await settleAfter(context, asSpeaker(guest, thread.language), thread.uuid);
}
