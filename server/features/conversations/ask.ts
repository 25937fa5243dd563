import type { Attachment } from '../../../shared/contracts/conversations.ts';
import { AppError } from '../../../shared/errors.ts';
import { languageOf } from '../../../shared/text.ts';
import type { Context } from '../../feature.ts';
import { newId } from '../../infra/db.ts';
import { mustBeServing } from '../answers/answer.ts';
import { mustFitQuestion } from '../answers/guardrails.ts';
import { getSpeakingBot, type SpeakingBot } from '../bots/bots.ts';
import { markSent } from '../files/files.ts';
import type { Incoming } from '../../providers/channels/channel.ts';
import type { Guest } from '../users/speaker.ts';
import { attacherOf, takeAttachments } from './attachments.ts';
import {
  claimGuestThread,
  claimThread,
  findMessageOf,
  findThread,
  insertClaimed,
  insertMessage,
  listSiblings,
  updateMessage,
} from './conversations.store.ts';
import type { MessageTable, ThreadTable } from './conversations.tables.ts';
import { announce, tellMessage } from './live.ts';
import { botOf, newRow, previewOf, titleOf, toMessage, toThread } from './messages.ts';
import { follow, leaseMs, openRun, type Following, type Listen } from './runs.ts';
import { mustFindThread, type Owner } from './own-thread.ts';
import { writeAnswer } from './write-answer.ts';

/** For editors: another version or service than the draft's. */
interface Preview {
  version?: string | undefined;
  service?: string | undefined;
}

interface Question {
  bot: string;
  thread?: string | undefined;
  text: string;
  files?: string[] | undefined;
  temporary?: boolean | undefined;
  preview?: Preview | undefined;
}

interface Place {
  thread: string;
  message: string;
}

/** Beyond this many answers a commit is shared by many, and asking each model early costs more than it saves: 860 instead of 1,450 whole answers/s. */
const maxEarly = 8;

/** Stores the question, starts the answer and tells `listen` everything from the thread to the end. */
export async function ask(
  context: Context,
  owner: Owner,
  { bot: uuid, thread: threadUuid, text, files = [], temporary = false, preview }: Question,
  listen: Listen,
): Promise<Following> {
  const bot = await getSpeakingBot(context, owner, uuid, preview);
  mustFitQuestion(bot.config, text);
  const known = threadUuid ? await findThread(context.db, owner, threadUuid) : undefined;
  if (threadUuid && known?.bot !== uuid) throw new AppError('thread-not-found');
  const thread = known ?? newThread(owner, bot, { text, temporary });
  return begin(context, { owner, bot, thread, isNew: !known, parent: thread.head, asked: { text, files }, listen });
}

function newThread(
  owner: Owner,
  bot: SpeakingBot,
  { text, temporary }: { text: string; temporary: boolean },
): ThreadTable {
  const now = Date.now();
  return {
    uuid: newId(),
    workspace: bot.workspace,
    bot: bot.uuid,
    user: owner.kind === 'guest' ? null : owner.user,
    api_key: owner.kind === 'key' ? owner.key : null,
    channel: 'app',
    title: titleOf(text),
    status: 'bot',
    language: languageOf(text) ?? owner.locale,
    last_seq: 0,
    running: null,
    head: null,
    pinned_at: null,
    temporary: temporary ? 1 : 0,
    share_hash: null,
    deleted_at: null,
    ...withoutGuest,
    created_at: now,
    updated_at: now,
  };
}

/** What a thread has of a guest, where there is none. */
export const withoutGuest = {
  guest: null,
  identity: null,
  channel_id: null,
  assignee: null,
  reason: null,
  waiting_since: null,
  snoozed_until: null,
  typed_until: null,
  unread: 0,
  seen_seq: 0,
  last_text: null,
  last_role: null,
  last_author: null,
  last_at: null,
  left_at: null,
} satisfies Partial<ThreadTable>;

/** Answers what a guest writes in a thread that is the bot's. Throws `thread-busy` when it no longer is, or an answer is being written. */
export async function askAsGuest(
  context: Context,
  owner: Guest,
  thread: ThreadTable,
  { text, files = [], ...asked }: Incoming,
  listen: Listen,
): Promise<Following> {
  const bot = await getSpeakingBot(context, owner, botOf(thread));
  mustFitQuestion(bot.config, text);
  return begin(context, {
    owner,
    bot,
    thread,
    parent: thread.head,
    asked: { ...asked, text, files },
    listen,
  });
}

/** Answers what stands at the end of a guest's thread. Throws `question-too-long` where the bot takes none of its length. */
export async function answerLast(
  context: Context,
  owner: Guest,
  thread: ThreadTable,
  listen: Listen,
): Promise<Following> {
  const bot = await getSpeakingBot(context, owner, botOf(thread));
  const last = thread.head === null ? undefined : await findMessageOf(context.db, thread.uuid, thread.head);
  mustFitQuestion(bot.config, last?.text ?? '');
  return begin(context, { owner, bot, thread, parent: thread.head, listen });
}

/** Answers a question once more, beside the answer that is there. */
export async function regenerate(
  context: Context,
  owner: Owner,
  at: Place,
  preview: Preview | undefined,
  listen: Listen,
): Promise<Following> {
  const { thread, message } = await mustFindMessage(context, owner, at, 'assistant');
  const beside = await listVersions(context, thread, message);
  const bot = await getSpeakingBot(context, owner, botOf(thread), preview);
  return begin(context, { owner, bot, thread, parent: message.parent, beside, listen });
}

/** Asks in other words, beside the question that is there. */
export async function editQuestion(
  context: Context,
  owner: Owner,
  at: Place,
  text: string,
  listen: Listen,
): Promise<Following> {
  const { thread, message } = await mustFindMessage(context, owner, at, 'user');
  const beside = await listVersions(context, thread, message);
  const bot = await getSpeakingBot(context, owner, botOf(thread));
  mustFitQuestion(bot.config, text);
  const files = (JSON.parse(message.files) as Attachment[]).map(({ uuid }) => uuid); // written by us only
  return begin(context, { owner, bot, thread, parent: message.parent, beside, asked: { text, files }, listen });
}

const maxVersions = 100;

/** Every message names those beside it, so their number is limited. */
async function listVersions({ db }: Context, thread: ThreadTable, message: MessageTable): Promise<string[]> {
  const versions = (await listSiblings(db, thread.uuid, [message])).get(message.parent) ?? [];
  if (versions.length >= maxVersions) throw new AppError('too-many', { limit: maxVersions });
  return versions;
}

/** Goes on with an answer that ended early. */
export async function continueAnswer(context: Context, owner: Owner, at: Place, listen: Listen): Promise<Following> {
  const { runs, write } = context;
  mustBeServing(context);
  const { thread, message: seen } = await mustFindMessage(context, owner, at, 'assistant');
  if (!isCut(seen)) throw new AppError('conflict');
  const bot = await getSpeakingBot(context, owner, botOf(thread));
  const now = Date.now();
  const message = await write(async (trx) => {
    const [claimed] = await claimThread(trx, {
      uuid: thread.uuid,
      status: thread.status,
      answer: seen.uuid,
      places: 0,
      now,
      head: null,
    });
    if (!claimed) throw new AppError('thread-busy');
    // Another request may have finished it meanwhile; from here on the thread is ours.
    const message = await findMessageOf(trx, thread.uuid, seen.uuid);
    if (!message || !isCut(message)) throw new AppError('conflict');
    await updateMessage(trx, message.uuid, {
      status: 'streaming',
      error: null,
      finish: null,
      stop_requested: 0,
      lease_owner: runs.owner,
      lease_until: now + leaseMs,
    });
    return message;
  });
  const siblings = await listSiblings(context.db, thread.uuid, [message]);
  const run = openRun(
    runs,
    { ...thread, running: message.uuid, head: message.uuid },
    {
      ...toMessage(message, owner.locale, siblings.get(message.parent)),
      status: 'streaming',
      error: null,
      finish: null,
    },
  );
  listen({ type: 'thread', thread: toThread(run.thread) });
  listen({ type: 'message', message: { ...run.message } });
  run.ended = writeAnswer(context, run, { owner, bot, stored: Promise.resolve(), earlier: message }).finally(() =>
    runs.active.delete(message.uuid),
  );
  return follow(run, listen);
}

const isCut = ({ status, text, finish }: MessageTable) =>
  status === 'interrupted' || (status === 'failed' && text !== '') || (finish === 'length' && status !== 'streaming');

interface Beginning {
  owner: Owner;
  bot: SpeakingBot;
  thread: ThreadTable;
  isNew?: boolean;
  /** What the question follows, or, without a question of its own, the question to answer. */
  parent: string | null;
  /** What follows the same message already. */
  beside?: string[];
  asked?: Pick<Incoming, 'text' | 'sticker' | 'location' | 'sender' | 'quotes' | 'heard'> & {
    files: string[];
    key?: string;
  };
  listen: Listen;
}

/**
 * Claims the thread and writes the question, if there is a new one, and the empty answer. The model is asked meanwhile; whatever
 * it says waits until that is stored, and where it cannot be, nobody hears of it.
 */
async function begin(
  context: Context,
  { owner, bot, thread, isNew = false, parent, beside = [], asked, listen }: Beginning,
): Promise<Following> {
  const { runs, write } = context;
  mustBeServing(context);
  const now = Date.now();
  const answer = newId();
  const attached = asked
    ? await takeAttachments(context, { workspace: owner.workspace, by: attacherOf(owner), owner }, asked.files)
    : [];
  const common = { thread: thread.uuid, seq: 0, now };
  const question =
    asked &&
    newRow({
      ...common,
      uuid: newId(),
      role: 'user',
      parent,
      text: asked.text,
      files: attached,
      status: 'done',
      channel_key: asked.key ?? null,
      sticker: asked.sticker,
      location: asked.location,
      sender: asked.sender,
      quotes: asked.quotes,
      heard: asked.heard,
      indexed: owner.kind === 'guest' ? 0 : null,
    });
  const reply = {
    ...newRow({
      ...common,
      uuid: answer,
      role: 'assistant',
      parent: question?.uuid ?? parent,
      text: '',
      files: [],
      status: 'streaming',
      indexed: owner.kind === 'guest' ? 0 : null,
    }),
    service: bot.config.service,
    lease_owner: runs.owner,
    lease_until: now + leaseMs,
  };
  let claimedThread: ThreadTable | undefined;
  const stored = write(
    async (trx) => {
      const head = owner.kind === 'guest' ? thread.head : null;
      const claim = { uuid: thread.uuid, status: thread.status, answer, places: question ? 2 : 1, now, head };
      const claimed = isNew ? insertClaimed(trx, thread, claim) : undefined;
      let last: number | undefined = claim.places;
      if (owner.kind === 'guest' && question) {
        [claimedThread] = await claimGuestThread(trx, { ...claim, text: previewOf(question.text, attached) });
        last = claimedThread?.last_seq;
      } else if (!isNew) [{ last_seq: last } = { last_seq: undefined }] = await claimThread(trx, claim);
      if (last === undefined) throw new AppError('thread-busy');
      reply.seq = last;
      if (question) question.seq = last - 1;
      const uuids = attached.map((file) => file.uuid);
      await Promise.all([
        claimed,
        question && insertMessage(trx, question),
        insertMessage(trx, reply),
        uuids.length > 0 && markSent(trx, { by: attacherOf(owner), uuids, now }),
      ]);
    },
    { mixes: true },
  );
  // Of several questions to one thread at once, only one asks the model before the thread is claimed.
  if (runs.active.size >= maxEarly || thread.running !== null || runs.beginning.has(thread.uuid)) await stored;
  const siblings = [...beside, question?.uuid ?? answer];
  const first = toMessage(reply, owner.locale, question ? undefined : siblings);
  const run = openRun(runs, { ...thread, running: answer, head: answer }, first, question);
  run.ended = writeAnswer(context, run, { owner, bot, stored }).finally(() => runs.active.delete(answer));
  runs.beginning.add(thread.uuid);
  try {
    await stored;
  } catch (error) {
    run.abort.abort();
    throw error;
  } finally {
    runs.beginning.delete(thread.uuid);
  }
  run.message.seq = reply.seq;
  listen({ type: 'thread', thread: toThread(run.thread) });
  if (question) {
    const message = toMessage(question, owner.locale, siblings);
    listen({ type: 'message', message });
    if (owner.kind === 'guest') announce(context, thread.uuid, { message: question, isNew: true }, claimedThread);
    else tellMessage(context, thread.uuid, owner, message);
  }
  listen({ type: 'message', message: run.message });
  return follow(run, listen);
}

async function mustFindMessage(
  context: Context,
  owner: Owner,
  at: Place,
  role: 'user' | 'assistant',
): Promise<{ thread: ThreadTable; message: MessageTable }> {
  const thread = await mustFindThread(context, owner, at.thread);
  const message = await findMessageOf(context.db, thread.uuid, at.message);
  if (message?.role !== role) throw new AppError('message-not-found');
  return { thread, message };
}
