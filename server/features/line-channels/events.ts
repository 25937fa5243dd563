import { setTimeout as sleep } from 'node:timers/promises';
import type { Attachment } from '../../../shared/contracts/conversations.ts';
import { labelled } from '../../../shared/characters.ts';
import { AppError, errors } from '../../../shared/errors.ts';
import { languageOf } from '../../../shared/text.ts';
import type { Context, GuestThread } from '../../feature.ts';
import type { Trx } from '../../infra/db.ts';
import { limit } from '../../infra/limits.ts';
import { isTextKey, translate } from '../../infra/translate.ts';
import type { Incoming } from '../../providers/channels/channel.ts';
import type { Line } from '../../providers/channels/line/api.ts';
import { personData } from '../../providers/channels/line/format.ts';
import type { LineContent, LineEvent, LineSource, ReceivedMessage } from '../../providers/channels/line/events.ts';
import { findConnectionOf, mustFindConnectionOf, settingsOf as rulesOf } from '../connections/connections.ts';
import { askForPerson, receive, type Received } from '../connections/receive.ts';
import { findRule } from '../connections/rules.ts';
import { languageFor } from '../connections/notice.ts';
import {
  changeGuestThread,
  eraseUnsent,
  findByKeyOf,
  findMessage,
  findOpenThread,
  findThreadById,
  happened,
  openThread,
  rewriteMessage,
  silence,
  unsayFile,
  unsayMessage,
  type Happening,
  type Written,
} from '../conversations/guest-threads.ts';
import { asSpeaker, findByIdentity, updateIdentity } from '../guests/guests.ts';
import { writtenOf } from '../rich-messages/rich-messages.ts';
import type { Guest } from '../users/speaker.ts';
import { lineOf } from './access.ts';
import { grant, takeLink, wishIn, type LinkWish } from './account-link.ts';
import {
  countParts,
  findChannelRow,
  findLineMessage,
  isTakenBack,
  listImageSet,
  listUnknown,
  putLineMessage,
  redactEvents,
  redactMessage,
  takeReadToken,
  updateEvent,
} from './line-channels.store.ts';
import type { LineChannelTable, LineEventTable } from './line-channels.tables.ts';
import { keepMedia } from './media.ts';
import { knowChat, senderOf, type Known } from './people.ts';
import { settingsOf } from './settings.ts';
import { hear, type Heard, type Voice } from './voices.ts';

/** What became of an event, and what is stored together with that. */
export type Became = { also?(trx: Trx): Promise<unknown> } & Pick<LineEventTable, 'state' | 'reason'> &
  Partial<Pick<LineEventTable, 'thread' | 'guest' | 'message' | 'attempts' | 'due_at'>>;

interface Happened {
  stored: LineEventTable;
  event: LineEvent;
}

const ignored = (reason: string): Became => ({ state: 'ignored', reason });
const done = (more: Partial<Became> = {}): Became => ({ state: 'done', reason: null, ...more });

/** What is so whether we answer or not: what was taken back is gone, and who has left or come is known. Nothing for everything else. */
export async function learnOf(
  context: Context,
  row: LineChannelTable,
  { event: { what, source } }: Happened,
  signal: AbortSignal,
): Promise<Became | undefined> {
  if (what.type === 'unsent') return takeBack(context, row, what.messageId, source);
  if (!source) return undefined;
  switch (what.type) {
    case 'followed':
    case 'joined':
      return done({
        guest: (await knowChat(context, row, lineOf(context, row, signal), source, { isBack: true })).uuid,
      });
    case 'unfollowed':
    case 'left':
      return lose(context, row, source);
    default:
      return undefined;
  }
}

/** Does what an event asks for. Throws what may pass, after which it is tried again. */
export async function happen(
  context: Context,
  row: LineChannelTable,
  happened: Happened,
  signal: AbortSignal,
): Promise<Became> {
  const { stored, event } = happened;
  const { what, source } = event;
  const line = lineOf(context, row, signal);
  if (what.type === 'linked' && what.result !== 'ok') return done({ reason: 'link-failed' });
  if (!source) return (await learnOf(context, row, happened, signal)) ?? ignored('nobody');
  switch (what.type) {
    case 'message':
      return takeMessage(context, row, line, { stored, event, source, received: what, signal });
    case 'edited':
      return edit(context, row, line, { stored, event, source, received: what, signal });
    case 'followed':
    case 'joined':
      return greet(context, row, stored, await knowChat(context, row, line, source, { isBack: true }));
    case 'postback':
      return takePostback(context, row, line, { stored, event, source, posted: what, signal });
    case 'linked':
      return link(context, row, line, { stored, event, source, nonce: what.nonce });
    default:
      return (await learnOf(context, row, happened, signal)) ?? ignored(what.type === 'other' ? 'unknown' : 'unused');
  }
}

export const lineAnswers = limit(
  'line-answers',
  20,
  60,
  'messages of one person or group on LINE that are answered in a minute',
);

/** Whoever writes that much is heard, and not answered each time; people miss nothing of what is theirs. */
async function isTooMuch({ limits, db }: Context, guest: Guest): Promise<boolean> {
  try {
    await limits.take(lineAnswers, guest.guest);
    return false;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'too-many-requests') throw error;
    const open = await findOpenThread(db, guest);
    return !open || open.status === 'bot';
  }
}

export const maxAttempts = 6;

/** LINE has been told that it is here: only what may pass is tried again first, and not for ever. */
const isKept =
  ({ attempts }: LineEventTable) =>
  (error: unknown): boolean =>
    !(error instanceof AppError && errors[error.code].retry) || attempts + 1 >= maxAttempts;

interface Taken extends Happened {
  source: LineSource;
  received: ReceivedMessage;
  signal: AbortSignal;
}

async function takeMessage(
  context: Context,
  row: LineChannelTable,
  line: Line,
  { stored, source, received, signal }: Taken,
): Promise<Became> {
  const { messageId, message, quoteToken, quotedMessageId, markAsReadToken } = received;
  const [before, known, quoted] = await Promise.all([
    findLineMessage(context.db, row.uuid, messageId),
    knowChat(context, row, line, source),
    quotedMessageId === undefined ? undefined : findLineMessage(context.db, row.uuid, quotedMessageId),
  ]);
  if (before?.unsent_at != null || (await isTakenBack(context.db, stored, messageId)))
    return { ...ignored('unsent'), also: (trx) => redactEvents(trx, [stored]) };
  // It has come with others that were sent at once.
  if (before?.message != null) return done({ guest: known.uuid, thread: before.thread, message: before.message });
  if (known.blocked_at !== null) return { ...ignored('blocked'), guest: known.uuid };
  const guest = await speakerOf(context, known, message.type === 'text' ? message.words : '');
  const settings = settingsOf(row);
  const isGroup = source.kind !== 'user';
  const sender = isGroup ? await senderOf(line, row, source) : undefined;
  const set = await gather(context, stored, message);
  if (set === 'waits') return { state: 'pending', reason: null, due_at: Date.now() + lookAgainMs };
  const { voice, kept, ...content } = await contentOf(context, guest, line, { messageId, message, set, signal });
  const isHeard = !isGroup || settings.groups !== 'none';
  const wish = message.type === 'text' && isHeard ? wishIn(settings, content.text) : undefined;
  const isForOthers =
    isGroup &&
    settings.groups !== 'all' &&
    (settings.groups === 'none' ||
      message.type !== 'text' ||
      (!message.isSelfMentioned && !(await hasRule(context, guest, content.text))));
  const isFlood = !isForOthers && (await isTooMuch(context, guest));
  const isAside = isForOthers || isFlood;
  const heard = voice && !isAside ? await listen(voice) : undefined;
  if (heard && (await isTakenBack(context.db, stored, messageId))) {
    await eraseUnsent(context, { before: Date.now(), guest: guest.guest });
    return {
      ...ignored('unsent'),
      guest: known.uuid,
      also: async (trx) => {
        await heard.enter(trx, { thread: null, message: null });
        await redactEvents(trx, [stored]);
      },
    };
  }
  const more = { sender, quotes: quoted?.message ?? undefined };
  const {
    thread,
    message: taken,
    following,
    refused,
  } = wish
    ? await obey(context, row, line, { wish, source, known, signal, key: messageId, said: { ...content, ...more } })
    : await receive(context, guest, {
        key: messageId,
        ...content,
        ...heard?.said,
        ...(heard?.said && { reply: undefined }),
        ...more,
        isAside,
        isToUs: message.type === 'text' ? !isGroup || message.isSelfMentioned : !isGroup && heard?.said !== undefined,
        isKept: isKept(stored),
      });
  const reason = isFlood ? 'flood' : (heard?.reason ?? refused ?? null);
  const written = taken ?? (await findByKeyOf(context.db, guest, messageId));
  const of = { message: written?.uuid ?? null, thread: thread.uuid };
  for (const other of set ?? []) {
    if (other.uuid === stored.uuid) continue;
    await putLineMessage(context.db, {
      channel: row.uuid,
      line_id: other.messageId,
      ...of,
      file: kept?.get(other.messageId) ?? null,
    });
    await updateEvent(context.db, other.uuid, { ...done({ ...of, guest: known.uuid }), done_at: Date.now() });
  }
  if (following && !isGroup && settings.loading) void showLoading(context, row, source.chat, following.ended);
  const readToken = settings.markRead ? markAsReadToken : undefined;
  // In the bot's own conversation a rule answers in its place.
  const isAnswered = following !== undefined || wish !== undefined || (!isGroup && !isFlood && thread.status === 'bot');
  if (isAnswered && readToken !== undefined) markRead(context, line, readToken);
  return {
    ...done({ ...of, guest: thread.guest, reason }),
    also: async (trx) => {
      await putLineMessage(trx, {
        channel: row.uuid,
        line_id: messageId,
        ...of,
        file: kept?.get(messageId) ?? null,
        quote_token: quoteToken ?? null,
        // What the bot does not answer is read by whoever of the team opens it.
        read_token: isAnswered ? null : (readToken ?? null),
      });
      await heard?.enter(trx, of);
    },
  };

  /** Meanwhile it is shown that the bot is busy with it, where it is the bot's. */
  async function listen(voice: Voice): Promise<Heard> {
    const open = await findOpenThread(context.db, guest);
    const hearing = hear(context, row, { stored, guest, ...voice, signal });
    if (settings.transcription && settings.loading && !isGroup && (!open || open.status === 'bot'))
      void showLoading(context, row, source.chat, hearing);
    return hearing;
  }
}

interface Posted extends Happened {
  source: LineSource;
  posted: Extract<LineEvent['what'], { type: 'postback' }>;
  signal: AbortSignal;
}

/** A tap that says something to us without a word in the chat: what stands behind it, and what was picked, is what they have written. */
async function takePostback(
  context: Context,
  row: LineChannelTable,
  line: Line,
  { stored, source, posted: { data, params, menu }, signal }: Posted,
): Promise<Became> {
  const known = await knowChat(context, row, line, source);
  if (menu) return done({ guest: known.uuid, reason: `menu-${menu.status.toLowerCase()}`.slice(0, 60) });
  if (known.blocked_at !== null) return { ...ignored('blocked'), guest: known.uuid };
  if (source.kind !== 'user' && settingsOf(row).groups === 'none') return { ...ignored('unused'), guest: known.uuid };
  const wish = wishIn(settingsOf(row), data);
  if (wish) {
    const { thread } = await obey(context, row, line, { wish, source, known, signal, key: stored.line_id });
    return done({ guest: thread.guest, thread: thread.uuid });
  }
  const guest = await speakerOf(context, known);
  if (data === personData) {
    const thread = await askForPerson(context, guest);
    return done({ guest: known.uuid, thread: thread.uuid });
  }
  const isAside = await isTooMuch(context, guest);
  const picked = params['datetime'] ?? params['date'] ?? params['time'];
  const { thread, message, following, refused } = await receive(context, guest, {
    key: stored.line_id,
    isTap: true,
    picked,
    text: picked === undefined ? data : labelled(data, picked.replace('T', ' ')),
    sender: source.kind === 'user' ? undefined : await senderOf(line, row, source),
    isAside,
    isKept: isKept(stored),
  });
  if (following && source.kind === 'user' && settingsOf(row).loading)
    void showLoading(context, row, source.chat, following.ended);
  const written = message ?? (await findByKeyOf(context.db, guest, stored.line_id));
  return done({
    guest: known.uuid,
    thread: thread.uuid,
    message: written?.uuid ?? null,
    reason: isAside ? 'flood' : (refused ?? null),
  });
}

interface Obeying {
  wish: LinkWish;
  source: LineSource;
  known: Known;
  signal: AbortSignal;
  /** What marks it, so that it is answered once. */
  key: string;
  /** What they wrote, where it is a message. */
  said?: Omit<Written, 'role'>;
}

/** Answers a wish to link an account by itself: neither the bot nor people are asked, whoever has the conversation. */
async function obey(
  context: Context,
  row: LineChannelTable,
  line: Line,
  { wish, source, known, signal, key, said }: Obeying,
): Promise<Received> {
  const { locale } = await speakerOf(context, known, said?.text);
  const answer = await grant(context, row, line, wish, { source, identity: known.identity, locale, signal });
  const guest = await whoIsNow(context, row, source, locale);
  const phrase = wish.setting[wish.what];
  const { thread, messages } = await changeGuestThread(context, await threadFor(context, guest, phrase), () => ({
    rows: said
      ? [
          { ...said, role: 'user', isAside: true, key },
          { ...answer, role: 'system', goesOut: true },
        ]
      : [{ ...answer, role: 'system', goesOut: true, key }],
  }));
  const [message] = messages;
  return { thread, ...(message && { message }) };
}

/** Somebody of a chat, who may have become another guest. */
async function whoIsNow(
  { db }: Context,
  { uuid: channelId }: LineChannelTable,
  { chat }: LineSource,
  locale: Guest['locale'],
): Promise<Guest> {
  const [now] = await findByIdentity(db, { channel: 'line', channelId, external: chat });
  if (!now) throw new AppError('guest-not-found');
  return asSpeaker(now, locale);
}

/** Somebody comes back from the shop's sign-in page. */
async function link(
  context: Context,
  row: LineChannelTable,
  line: Line,
  { stored, event, source, nonce }: Happened & { source: LineSource; nonce: string },
): Promise<Became> {
  const { accountLink } = settingsOf(row);
  if (!accountLink || source.kind !== 'user') return ignored('unused');
  const known = await knowChat(context, row, line, source);
  if (known.blocked_at !== null) return { ...ignored('blocked'), guest: known.uuid };
  const { locale } = await speakerOf(context, known);
  const { uuid, line_id: id } = stored;
  const given = { event: uuid, nonce, at: event.at, identity: known.identity };
  const became = await takeLink(context, row, accountLink, given);
  const guest = await whoIsNow(context, row, source, locale);
  // Their pages on a website come back as who they are.
  if (guest.guest !== known.uuid) context.sockets.endGuest(known.uuid);
  const text =
    became === 'linked'
      ? translate(locale, 'line-channels-server:link.done', { phrase: accountLink.unlink })
      : became === 'link-off'
        ? translate(locale, 'line-channels-server:link.unavailable')
        : translate(locale, 'line-channels-server:link.failed', { phrase: accountLink.link });
  const thread = await threadFor(context, guest, text);
  await changeGuestThread(context, thread, () => ({
    rows: [{ role: 'system', text, goesOut: true, key: `${id} ${became}` }],
  }));
  const of = { guest: guest.guest, thread };
  return became === 'linked' ? done(of) : { ...ignored(became), ...of };
}

const markRead = (context: Context, line: Line, token: string): void =>
  void line
    .markAsRead(token)
    .catch((err: unknown) => context.log.debug({ err }, 'LINE did not mark a message as read'));

/** Somebody of the team has seen what came: whoever wrote it is shown that. */
export async function tellRead(context: Context, { uuid, channel, channel_id, unread }: GuestThread): Promise<void> {
  if (channel !== 'line' || channel_id === null || unread > 0) return;
  const token = await takeReadToken(context.db, uuid);
  const [row] = token === undefined ? [] : await findChannelRow(context.db, { uuid: channel_id });
  if (row && token !== undefined) markRead(context, lineOf(context, row), token);
}

/** Whether a rule has these words; one for any message calls nobody in a group. */
async function hasRule(context: Context, guest: Guest, text: string): Promise<boolean> {
  const { rules, hours } = rulesOf(await mustFindConnectionOf(context, guest));
  return findRule({ rules: rules.filter(({ match }) => match !== 'any'), hours }, text) >= 0;
}

/** Somebody of a chat, with what our own texts are said to them in. */
async function speakerOf(context: Context, known: Known, written = ''): Promise<Guest> {
  const guest = asSpeaker(known, known.language ?? languageOf(written) ?? 'ja');
  const [connection] = await findConnectionOf(context.db, guest);
  const open = guest.language === null && !languageOf(written) ? await findOpenThread(context.db, guest) : undefined;
  const language = open?.language ?? guest.locale;
  return { ...guest, locale: connection ? languageFor(rulesOf(connection), { language }) : language };
}

interface Member {
  uuid: string;
  messageId: string;
  index: number;
}

/** How long the rest of some pictures that were sent at once may take, and how often it is looked for. */
const setMs = 3_000;
const lookAgainMs = 300;

/** Pictures that were sent at once are one message: `waits` until they are all there, or it has taken too long. */
async function gather(
  { db }: Context,
  stored: LineEventTable,
  message: LineContent,
): Promise<Member[] | 'waits' | undefined> {
  if (message.type !== 'image' || message.imageSet === undefined) return undefined;
  const { id, total = 1 } = message.imageSet;
  const members = await listImageSet(db, stored, id);
  if (members.length < total && stored.created_at > Date.now() - setMs) return 'waits';
  return members.toSorted((one, other) => one.index - other.index);
}

/** A sticker in words. LINE names what it shows in English, whatever the friend reads; a word that we cannot say in their language is left out. */
function stickerIn(locale: Guest['locale'], keywords: string[]): string {
  const keys = keywords.map((word) => `line-channels-server:stickers.${word.toLowerCase()}`);
  const known = keys.find(isTextKey);
  const what = known ? translate(locale, known) : locale === 'en' ? keywords[0] : undefined;
  return translate(locale, `line-channels-server:${what ? 'stickerOf' : 'sticker'}`, { what });
}

/** A message as the conversation has it: what it is in words, for lists, searches and the bot, and the things themselves. */
async function contentOf(
  context: Context,
  guest: Guest,
  line: Line,
  {
    messageId,
    message,
    set,
    signal,
  }: { messageId: string; message: LineContent; set: Member[] | undefined; signal: AbortSignal },
): Promise<Omit<Incoming, 'key'> & { voice?: Voice; kept?: Map<string, string> }> {
  const say = (key: 'gone' | 'sticker' | 'unknown') => translate(guest.locale, `line-channels-server:${key}`);
  const replies = (key: 'unread' | 'unheard') => (locale: 'en' | 'ja') =>
    translate(locale, `line-channels-server:${key}`);
  switch (message.type) {
    case 'text':
      return { text: message.plain || message.text, words: message.words };
    case 'sticker': {
      const { packageId, stickerId, keywords, text } = message;
      return {
        text: text ?? stickerIn(guest.locale, keywords),
        sticker: { packageId, stickerId, keywords },
      };
    }
    case 'location': {
      const { title = '', address = '', latitude, longitude } = message;
      const words = [title, address].filter(Boolean).join('\n') || `${latitude}, ${longitude}`;
      return { text: words, location: { title, address, latitude, longitude } };
    }
    case 'other':
      return { text: say('unknown'), isAside: true };
    default: {
      const files: Attachment[] = [];
      const kept = new Map<string, string>();
      for (const id of set?.map((each) => each.messageId) ?? [messageId]) {
        const file = await keepMedia(context, guest, line, { messageId: id, media: message, signal });
        if (file === undefined) continue;
        files.push(file);
        kept.set(id, file.uuid);
      }
      const { type } = message;
      if (files.length === 0) return { text: say('gone'), reply: replies('unread') };
      return {
        text: '',
        files: files.map(({ uuid }) => uuid),
        kept,
        ...(type === 'audio' && { reply: replies('unheard') }),
        // How long what lies elsewhere takes, only whoever sent it has said.
        ...(type === 'audio' &&
          message.content.provider === 'line' &&
          files[0] && { voice: { recording: files[0], durationMs: message.durationMs } }),
      };
    }
  }
}

/** Shows that an answer is being written until that is over: LINE takes it away by itself after each while, and with the answer. */
async function showLoading(
  context: Context,
  row: LineChannelTable,
  chat: string,
  until: Promise<unknown>,
): Promise<void> {
  const line = lineOf(context, row);
  const over = until.then(
    () => true,
    () => true,
  );
  try {
    do await line.loading(chat, 20);
    while (!(await Promise.race([over, sleep(15_000, false, { ref: false })])));
  } catch (err) {
    context.log.debug({ err, channel: row.uuid }, 'LINE did not show that an answer is being written');
  }
}

async function takeBack(
  context: Context,
  row: LineChannelTable,
  messageId: string,
  source: LineSource | null,
): Promise<Became> {
  const known = await findLineMessage(context.db, row.uuid, messageId);
  const message = known?.message == null ? undefined : await findMessage(context.db, known.message);
  const note = { channel: row.uuid, line_id: messageId, unsent_at: Date.now() };
  // Unsent before it came, it is kept out when it comes.
  if (!message) {
    const events = source ? await listUnknown(context.db, { channel: row.uuid, chat: source.chat, messageId }) : [];
    await context.db.transaction().execute(async (trx) => {
      await redactEvents(trx, events);
      await putLineMessage(trx, note);
    });
    return done();
  }
  // Of pictures that were sent at once the others stay.
  const others = await countParts(context.db, { channel: row.uuid, message: message.uuid, besides: messageId });
  await (others > 0 ? unsayFile : unsayMessage)(context, message, {
    file: known?.file ?? null,
    async alongside(trx) {
      await redactMessage(trx, row.uuid, messageId);
      await putLineMessage(trx, note);
    },
  });
  if (others === 0) await stopAnswerTo(context, message);
  return done({ thread: message.thread, message: message.uuid });
}

/** The answer to a message ends, where it is being written. */
async function stopAnswerTo(
  context: Context,
  { uuid, thread }: NonNullable<Awaited<ReturnType<typeof findMessage>>>,
): Promise<void> {
  const now = await findThreadById(context.db, thread);
  const answer = now?.running ? await findMessage(context.db, now.running) : undefined;
  if (now && answer?.parent === uuid) await silence(context, now);
}

/** Of several edits the one with the latest time counts, in whichever order they come, also before what they edit. */
async function edit(context: Context, row: LineChannelTable, line: Line, taken: Taken): Promise<Became> {
  const { event, received } = taken;
  const known = await findLineMessage(context.db, row.uuid, received.messageId);
  if (known?.unsent_at != null) return ignored('unsent');
  if (known?.edited_at != null && known.edited_at >= event.at) return ignored('older');
  const note = { channel: row.uuid, line_id: received.messageId, edited_at: event.at };
  const message = known?.message == null ? undefined : await findMessage(context.db, known.message);
  if (!message) {
    const became = await takeMessage(context, row, line, taken);
    return {
      ...became,
      async also(trx) {
        await became.also?.(trx);
        await putLineMessage(trx, note);
      },
    };
  }
  if (received.message.type !== 'text') return ignored('unused');
  const [writer] = await findByIdentity(context.db, {
    channel: 'line',
    channelId: row.uuid,
    external: taken.source.chat,
  });
  if (writer?.blocked_at != null) return ignored('blocked');
  await rewriteMessage(context, message, received.message.plain || received.message.text);
  await putLineMessage(context.db, note);
  return done({ thread: message.thread, message: message.uuid });
}

/** Somebody has become a friend, or has taken the account into a group: they are greeted. */
async function greet(context: Context, row: LineChannelTable, stored: LineEventTable, known: Known): Promise<Became> {
  const guest = await speakerOf(context, known);
  const { greeting } = settingsOf(row);
  await note(context, guest, 'followed');
  if (greeting.length === 0 || known.blocked_at !== null) return done({ guest: known.uuid });
  const said = await writtenOf(context, row.workspace, greeting, { name: known.name, locale: guest.locale });
  const [first] = said;
  if (!first) return done({ guest: known.uuid });
  const thread = await threadFor(context, guest, first.text);
  await changeGuestThread(context, thread, () => ({
    rows: said.map((each, at) => ({
      ...each,
      key: `${stored.line_id} ${at}`,
      role: 'system' as const,
      goesOut: true as const,
    })),
  }));
  return done({ guest: known.uuid, thread });
}

/** Their conversation that is open, or a new one. */
export async function threadFor(context: Context, guest: Guest, text: string): Promise<string> {
  const open = await findOpenThread(context.db, guest);
  if (open) return open.uuid;
  const { bot } = await mustFindConnectionOf(context, guest);
  return (await openThread(context, guest, { bot, status: 'bot', text })).uuid;
}

/** Says in a conversation that is there what its team should know. */
async function note(context: Context, guest: Guest, kind: Happening['kind']): Promise<void> {
  const open = await findOpenThread(context.db, guest);
  if (open) await changeGuestThread(context, open.uuid, () => ({ rows: [happened(kind)] }));
}

/** They have blocked the account, or taken it out of their group: nothing reaches them there until they are back. */
async function lose(context: Context, row: LineChannelTable, source: LineSource): Promise<Became> {
  const [known] = await findByIdentity(context.db, { channel: 'line', channelId: row.uuid, external: source.chat });
  if (!known) return ignored('nobody');
  await updateIdentity(context.db, known.identity, { left_at: Date.now() });
  await note(context, asSpeaker(known, 'ja'), 'unfollowed');
  return done({ guest: known.uuid });
}
