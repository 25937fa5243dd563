import type { Place, Sticker } from '../../../shared/contracts/conversations.ts';
import type { RichSnapshot } from '../../../shared/line-content.ts';
import { richInWords } from '../../../shared/rich-line.ts';
import type { ThreadHappening } from '../../../shared/contracts/inbox.ts';
import { AppError } from '../../../shared/errors.ts';
import { languageOf } from '../../../shared/text.ts';
import type { Context } from '../../feature.ts';
import { lockRow, newId, type Trx } from '../../infra/db.ts';
import { createTurns } from '../../infra/turns.ts';
import type { Sender } from '../../providers/channels/channel.ts';
import { markSent, type Attacher } from '../files/files.ts';
import { deleteGuest, mergeGuests, noteWriting, splitGuest } from '../guests/guests.ts';
import type { Guest } from '../users/speaker.ts';
import { takeAttachments } from './attachments.ts';
import { withoutGuest } from './ask.ts';
import {
  findByKey,
  findMessageOf,
  findOpenThread,
  findThreadById,
  insertMessage,
  insertThread,
  moveThreads,
  updateMessage,
  updateThread,
} from './conversations.store.ts';
import type { MessageTable, ThreadTable } from './conversations.tables.ts';
import { deliveryOf, queueDelivery } from './deliver.ts';
import { announce } from './live.ts';
import { newRow, previewOf, titleOf } from './messages.ts';

export type { MessageTable, ThreadTable } from './conversations.tables.ts';

interface Opening {
  bot: string | null;
  status: 'bot' | 'waiting';
  text: string;
  /** The guest's own words of it, if there are any. */
  written?: string | undefined;
}

/** What shares a transaction does not wait for its locks, so in one process there is a turn for each guest and each thread. */
const turns = createTurns();

/**
 * A new conversation of a guest on their channel, with whom it is said. Of two first messages at once, the second finds the
 * first's. Who has written once is kept; who never does is forgotten after a while.
 */
export function openThread(context: Context, guest: Guest, first: Opening): Promise<ThreadTable> {
  return turns(guest.guest, () => open(context, guest, first));
}

async function open(context: Context, guest: Guest, { bot, status, text, written }: Opening): Promise<ThreadTable> {
  const now = Date.now();
  const thread: ThreadTable = {
    uuid: newId(),
    workspace: guest.workspace,
    bot,
    user: null,
    api_key: null,
    channel: guest.channel,
    title: titleOf(text),
    status,
    language: guest.language ?? languageOf(written ?? '') ?? guest.locale,
    last_seq: 0,
    running: null,
    head: null,
    pinned_at: null,
    temporary: guest.isPreview ? 1 : 0,
    share_hash: null,
    deleted_at: null,
    ...withoutGuest,
    guest: guest.guest,
    identity: guest.identity,
    channel_id: guest.channelId,
    created_at: now,
    updated_at: now,
  };
  return context.write(
    async (trx) => {
      await noteWriting(trx, guest);
      const meanwhile = await findOpenThread(trx, guest);
      if (meanwhile) return meanwhile;
      await insertThread(trx, thread);
      return thread;
    },
    { mixes: true },
  );
}

export interface Written {
  role: MessageTable['role'];
  text: string;
  files?: string[] | undefined;
  /** Whose the files are. */
  by?: Attacher;
  sticker?: Sticker | undefined;
  location?: Place | undefined;
  sender?: Sender | undefined;
  /** The message that it refers to. */
  quotes?: string | undefined;
  /** The model that has written it down, of something said. */
  heard?: string | undefined;
  /** Shown by channels that can; its text says what stands for it elsewhere. */
  rich?: RichSnapshot | undefined;
  /** A guest has said it to others: nobody has to answer it. */
  isAside?: boolean | undefined;
  /** What marks it, so that it is there once. */
  key?: string;
  author?: string | null;
  internal?: boolean;
  happening?: Happening;
  /** The guest is to get it; where it cannot reach them, why. */
  goesOut?: true | { fails: string };
  /** Writes what belongs to it, in the same transaction. */
  with?(trx: Trx, message: MessageTable): Promise<unknown>;
}

/** What happened, as it is stored: people by their ids. */
export type Happening = Pick<ThreadHappening, 'kind' | 'reason' | 'until'> & {
  by: string | null;
  to: string | null;
  /** What the thread was, where it can be that again. */
  before?: Pick<ThreadTable, 'status' | 'assignee' | 'waiting_since' | 'snoozed_until'>;
  /** The answer that it ended. */
  cut?: string;
};

export const happened = (kind: Happening['kind'], more: Partial<Happening> = {}): Written => ({
  role: 'system',
  text: '',
  internal: true,
  happening: { kind, by: null, reason: null, to: null, until: null, ...more },
});

type Changes = Partial<
  Pick<
    ThreadTable,
    'status' | 'bot' | 'assignee' | 'reason' | 'waiting_since' | 'snoozed_until' | 'typed_until' | 'unread' | 'left_at'
  >
>;

export interface Change {
  rows?: Written[];
  changes?: Changes;
}

/**
 * Writes at the end of a guest's thread and changes it, in one transaction, from what it is at that moment; `decide` may refuse
 * by throwing, or do nothing, and may be asked twice. A key that is there already changes nothing. Whoever looks after guests is told after it.
 */
export async function changeGuestThread(
  context: Context,
  uuid: string,
  decide: (thread: ThreadTable) => Change | undefined,
): Promise<{ thread: ThreadTable; messages: MessageTable[] }> {
  const { isChanged, ...changed } = await turns(uuid, () =>
    context.write(
      async (trx): Promise<Applied> => {
        await lockRow(trx, 'thread', uuid);
        const thread = await findThreadById(trx, uuid);
        if (thread?.guest == null) throw new AppError('thread-not-found');
        const change = decide(thread);
        return change ? apply(context, trx, thread, change) : { thread, messages: [], isChanged: false };
      },
      { mixes: 'guest threads' },
    ),
  );
  if (!isChanged) return changed;
  // From here on no answer can begin; the one that is being written ends.
  if (changed.thread.status === 'staff') await silence(context, changed.thread);
  if (changed.messages.some(({ delivery }) => delivery === 'queued')) context.queue.wake();
  for (const message of changed.messages) announce(context, uuid, { message, isNew: true }, changed.thread);
  if (changed.messages.length === 0) announce(context, uuid, { message: null, isNew: false }, changed.thread);
  return changed;
}

interface Applied {
  thread: ThreadTable;
  messages: MessageTable[];
  /** Not where everything was there already. */
  isChanged: boolean;
}

async function apply(
  context: Context,
  trx: Trx,
  thread: ThreadTable,
  { rows = [], changes = {} }: Change,
): Promise<Applied> {
  const now = Date.now();
  const messages: MessageTable[] = [];
  const next = { ...thread, ...changes };
  const endsTypedClaim =
    next.status !== thread.status ||
    next.assignee !== thread.assignee ||
    rows.some(
      ({ role, internal, happening }) => (role === 'staff' && !internal) || (happening && happening.by !== null),
    );
  if (endsTypedClaim && changes.typed_until === undefined) next.typed_until = null;
  // Before anything is written: what is returned from here on is stored.
  for (const { key } of rows) {
    const known = key === undefined ? undefined : await findByKey(trx, thread.uuid, key);
    if (known) return { thread, messages: [known], isChanged: false };
  }
  for (const row of rows) {
    const files =
      row.files && row.files.length > 0 && row.by
        ? await takeAttachments({ ...context, db: trx }, { workspace: thread.workspace, by: row.by }, row.files)
        : [];
    const text = row.rich && thread.channel !== 'line' ? richInWords(row.rich) : row.text;
    const message = newRow({
      uuid: newId(),
      thread: thread.uuid,
      seq: ++next.last_seq,
      role: row.role,
      parent: next.head,
      text,
      files,
      status: 'done',
      now,
      channel_key: row.key ?? null,
      sticker: row.sticker,
      location: row.location,
      sender: row.sender,
      rich: row.rich,
      quotes: row.quotes,
      heard: row.heard,
      author: row.author ?? null,
      internal: row.internal ? 1 : 0,
      happening: row.happening ? JSON.stringify(row.happening) : null,
      delivery: row.goesOut === undefined ? null : row.goesOut === true ? deliveryOf(context, thread) : 'failed',
      delivery_error: row.goesOut === undefined || row.goesOut === true ? null : row.goesOut.fails,
      // A happening has no words.
      indexed: text === '' ? null : 0,
    });
    await insertMessage(trx, message);
    await row.with?.(trx, message);
    if (files.length > 0 && row.by) await markSent(trx, { by: row.by, uuids: files.map((file) => file.uuid), now });
    messages.push(message);
    // What only the team sees is no part of what a model is told.
    if (row.internal) continue;
    next.last_at = now;
    // A question that still waits for its answer stays at the end.
    if (row.isAside && next.last_role === 'user' && next.status !== 'staff') continue;
    next.head = message.uuid;
    // What is said by itself tells nobody what the conversation is about.
    if (row.role === 'system') continue;
    next.last_text = previewOf(text, files);
    // Whoever answers what stands at the end has nothing to do with it.
    next.last_role = row.isAside ? 'system' : row.role;
    next.last_author = row.author ?? null;
    if (row.role !== 'user' || row.isAside) continue;
    next.unread = (changes.unread ?? next.unread) + 1;
    // Nobody has it who does more than type.
    if (next.typed_until !== null) next.waiting_since ??= now;
  }
  if (messages.some(({ delivery }) => delivery === 'queued')) await queueDelivery(context, trx, thread);
  const { uuid: _, created_at: __, running: ___, ...values } = next;
  await updateThread(trx, thread.uuid, { ...values, updated_at: now });
  return { thread: next, messages, isChanged: true };
}

/** Two guests are one from here on, with what both have said. */
export async function uniteGuests(trx: Trx, workspace: string, uuid: string, other: string): Promise<void> {
  await mergeGuests(trx, workspace, uuid, other);
  await moveThreads(trx, other, uuid);
  await deleteGuest(trx, other);
}

/** One identity of a guest becomes a guest of its own, with what was said there. Returns that guest. */
export async function partGuest(trx: Trx, workspace: string, uuid: string, identity: string): Promise<string> {
  const own = await splitGuest(trx, workspace, uuid, identity);
  await moveThreads(trx, uuid, own, identity);
  return own;
}

export const lockThread = (trx: Trx, uuid: string) => lockRow(trx, 'thread', uuid);

/** Ends the answer that is being written in a thread, here or on another node. */
export async function silence(context: Context, thread: Pick<ThreadTable, 'running'>): Promise<void> {
  if (!thread.running) return;
  const run = context.runs.active.get(thread.running);
  if (run) run.abort.abort();
  else await updateMessage(context.db, thread.running, { stop_requested: 1 });
}

/** A message that could not reach its channel is on its way once more, unless somebody else was faster. */
export async function sendAgain(context: Context, thread: ThreadTable, message: MessageTable): Promise<MessageTable> {
  const changes = { delivery: deliveryOf(context, thread), delivery_error: null, sending: null };
  await context.db.transaction().execute(async (trx) => {
    await lockRow(trx, 'thread', thread.uuid);
    // What an attempt has noted keeps the message from being sent twice.
    if ((await findMessageOf(trx, thread.uuid, message.uuid))?.delivery !== 'failed') return;
    await updateMessage(trx, message.uuid, changes);
    if (changes.delivery === 'queued') await queueDelivery(context, trx, thread);
  });
  context.queue.wake();
  announce(context, message.thread, { message: { ...message, ...changes }, isNew: false });
  return { ...message, ...changes };
}

export {
  countGuestThreads,
  findByKey,
  findByKeyOf,
  findGuestThread,
  findMessage,
  findMessageOf,
  findNamedFile,
  findOpenThread,
  findThreadById,
  leaveThreads,
  listCitations,
  listFirstWritten,
  listGuestThreads,
  placeIn,
  listLatestThreads,
  listLeftAlone,
  listLine,
  listOldThreads,
  listQueued,
  listQuoted,
  listQuietThreads,
  listSnoozed,
  listTyped,
  putOffTyped,
  findTaken,
  wasActedOn,
  wasCutOff,
  listTexts,
  listThreadsOfGuest,
  markDelivered,
  seeThread,
  updateMessage,
  updateThread,
  whatHappened,
  wroteSince,
} from './conversations.store.ts';
export { answerLast, askAsGuest } from './ask.ts';
export { deliverKind } from './deliver.ts';
export { announce } from './live.ts';
export { eraseThreadRows, eraseThreads, eraseUnsent, rewriteMessage, unsayFile, unsayMessage } from './threads.ts';
export { findSaid, indexMessages, soon } from './message-index.ts';
export type { Following, Listen } from './runs.ts';
