import type { Attachment, Feedback, Message, Thread, Trace } from '../../../shared/contracts/conversations.ts';
import { AppError } from '../../../shared/errors.ts';
import { lockRow, type Db, type Trx } from '../../infra/db.ts';
import type { Caller } from '../../infra/http.ts';
import { page, readCursor } from '../../infra/page.ts';
import { hashSecret, newSecret } from '../../infra/sealed.ts';
import { toJson, type Context, type ExportedFile } from '../../feature.ts';
import { erasableBefore } from '../../infra/trash.ts';
import { record } from '../audit/audit.ts';
import { findBotNames } from '../bots/bots.ts';
import { avatarUrl, eraseFiles, listStored, takeUnsent } from '../files/files.ts';
import { listPassages } from '../knowledge/knowledge.ts';
import type { MessageTable, ThreadTable } from './conversations.tables.ts';
import { announce } from './live.ts';
import { mustFindThread, type Owner } from './own-thread.ts';
import { speakerOf } from '../users/speaker.ts';
import { usualMaxMs } from '../answers/answer.ts';
import { releaseStrayHolds } from '../usage/ledger.ts';
import { stop } from './resume.ts';
import {
  closeThread,
  findMessage,
  rewrite,
  unsay,
  deleteMessages,
  deleteTemporaryThreads,
  deleteThread,
  findMessageOf,
  findSharedThread,
  findThread,
  findWorkspaceThread,
  forgetBots,
  listAttachedElsewhere,
  listBranch,
  listErasableThreads,
  listEveryMessage,
  listMessagesOf,
  listSiblings,
  listStreaming,
  listThreads,
  listThreadsIn,
  listThreadsOf,
  newestBelow,
  pinnedOffset,
  updateMessage,
  updateThread,
} from './conversations.store.ts';
import type { KeptTrace } from '../answers/answered.ts';
import { botOf, previewOf, toMessage, toThread } from './messages.ts';

const maxShared = 1_000;
const dayMs = 86_400_000;

export async function listOwnThreads(
  { db }: Context,
  owner: Owner,
  query: { bot?: string | undefined; q?: string | undefined; limit: number; cursor?: string | undefined },
) {
  const rows = await listThreads(db, owner, {
    bot: query.bot,
    q: query.q,
    limit: query.limit,
    after: readCursor(query.cursor),
  });
  const shown = page(rows, query.limit, (each) =>
    each.pinned_at === null ? each.updated_at : each.updated_at + pinnedOffset,
  );
  return { data: shown.rows.map(toThread), meta: { nextCursor: shown.nextCursor } };
}

export async function getThread(context: Context, owner: Owner, uuid: string): Promise<Thread> {
  return toThread(await mustFindThread(context, owner, uuid));
}

/** The branch that is shown, from its end; a page goes on before the last message of the one before. */
export async function listThreadMessages(
  context: Context,
  owner: Owner,
  uuid: string,
  query: { limit: number; cursor?: string | undefined },
) {
  const thread = await mustFindThread(context, owner, uuid);
  const cursor = readCursor(query.cursor);
  const last = cursor && (await findMessageOf(context.db, uuid, cursor.uuid));
  if (cursor && !last) throw new AppError('validation-failed', { fields: [{ path: 'cursor', code: 'invalid' }] });
  const shown = page(
    await listBranch(context.db, last ? last.parent : thread.head, query.limit + 1),
    query.limit,
    (each) => each.seq,
  );
  const siblings = await listSiblings(context.db, uuid, shown.rows);
  return {
    data: shown.rows.toReversed().map((each) => toMessage(each, owner.locale, siblings.get(each.parent))),
    meta: { nextCursor: shown.nextCursor },
  };
}

export async function changeThread(
  context: Context,
  owner: Owner,
  uuid: string,
  given: {
    title?: string | undefined;
    pinned?: boolean | undefined;
    temporary?: false | undefined;
    status?: 'bot' | undefined;
  },
): Promise<Thread> {
  await mustFindThread(context, owner, uuid);
  const changes = {
    ...(given.title !== undefined && { title: given.title }),
    ...(given.pinned !== undefined && { pinned_at: given.pinned ? Date.now() : null }),
    ...(given.temporary !== undefined && { temporary: 0 as const }),
    ...(given.status !== undefined && { status: given.status }),
  };
  if (Object.keys(changes).length > 0) await updateThread(context.db, uuid, changes);
  return getThread(context, owner, uuid);
}

export async function removeThread(context: Context, owner: Owner, uuid: string): Promise<void> {
  await stop(context, owner, uuid);
  await updateThread(context.db, uuid, { deleted_at: Date.now(), share_hash: null });
}

/** Switches to the branch of a message, and to its newest end. */
export async function showBranch(
  context: Context,
  owner: Owner,
  at: { thread: string; message: string },
): Promise<Thread> {
  await mustFindThread(context, owner, at.thread);
  await context.db.transaction().execute(async (trx) => {
    await lockRow(trx, 'thread', at.thread);
    if ((await findThread(trx, owner, at.thread))?.running) throw new AppError('thread-busy');
    if (!(await findMessageOf(trx, at.thread, at.message))) throw new AppError('message-not-found');
    await updateThread(trx, at.thread, { head: await newestBelow(trx, at.message) });
  });
  return getThread(context, owner, at.thread);
}

export async function rateMessage(
  context: Context,
  owner: Owner,
  at: { thread: string; message: string },
  given: { rating: 'up' | 'down' | null; reasons?: Feedback['reasons'] | undefined; text?: string | undefined },
): Promise<Message> {
  await mustFindThread(context, owner, at.thread);
  const found = await findMessageOf(context.db, at.thread, at.message);
  if (found?.role !== 'assistant') throw new AppError('message-not-found');
  const feedback: Feedback | null = given.rating && {
    rating: given.rating,
    reasons: [...new Set(given.reasons)],
    text: given.text ?? '',
  };
  await updateMessage(context.db, at.message, { feedback: feedback && JSON.stringify(feedback) });
  // Figures are counted again where a visitor's conversation has changed.
  if (owner.kind === 'guest') await updateThread(context.db, at.thread, { updated_at: Date.now() });
  const siblings = await listSiblings(context.db, at.thread, [found]);
  return toMessage(
    { ...found, feedback: feedback && JSON.stringify(feedback) },
    owner.locale,
    siblings.get(found.parent),
  );
}

/** How an answer came about, as it was recorded; passages that no longer exist have no document. */
export async function explainMessage(
  { db }: Context,
  owner: Owner,
  at: { thread: string; message: string },
): Promise<Trace> {
  if (!(await findWorkspaceThread(db, owner.workspace, owner.kind === 'key' ? owner.bots : null, at.thread)))
    throw new AppError('thread-not-found');
  const found = await findMessageOf(db, at.thread, at.message);
  if (found?.role !== 'assistant') throw new AppError('message-not-found');
  const kept: KeptTrace = found.trace === null ? {} : JSON.parse(found.trace);
  const rows = new Map(
    (
      await listPassages(
        db,
        (kept.passages ?? []).map(({ embedding }) => embedding),
      )
    ).map((row) => [row.uuid, row]),
  );
  const { tools, usage, citations } = toMessage(found, owner.locale);
  const cited = new Map(citations.map(({ embedding, number }) => [embedding, number]));
  return {
    query: kept.query ?? null,
    coverage: kept.coverage ?? null,
    threshold: kept.threshold ?? null,
    refused: kept.refused ?? false,
    searchMs: kept.searchMs ?? null,
    passages: (kept.passages ?? []).map(({ embedding, score, used, number = null }) => {
      const row = rows.get(embedding);
      return {
        embedding,
        score,
        used,
        number,
        cited: cited.get(embedding) ?? null,
        document: row ? { uuid: row.document, name: row.document_name } : null,
        knowledge: row?.knowledge ?? null,
        page: row?.page ?? null,
        headings: row ? JSON.parse(row.headings) : [],
        text: row?.text ?? '',
      };
    }),
    prompt: kept.prompt ?? null,
    omitted: kept.omitted ?? 0,
    service: usage?.serviceName || null,
    without: kept.without ?? [],
    failed: kept.failed ?? [],
    tools,
    usage,
  };
}

/** A link that anyone can open; one that was made before works no longer. */
export async function shareThread(context: Context, caller: Caller, uuid: string): Promise<{ url: string }> {
  const thread = await mustFindThread(context, speakerOf(caller), uuid);
  const token = newSecret();
  await setShare(context, caller, thread, { share_hash: hashSecret(token) }, 'conversation.shared');
  return { url: context.links.to(`/Shared/${token}`, {}).replace(/\?$/, '') };
}

export async function unshareThread(context: Context, caller: Caller, uuid: string): Promise<void> {
  const thread = await mustFindThread(context, speakerOf(caller), uuid);
  if (thread.share_hash !== null)
    await setShare(context, caller, thread, { share_hash: null }, 'conversation.unshared');
}

/** What is in a conversation is for whoever has the link, so the log names its bot. */
async function setShare(
  { db }: Context,
  caller: Caller,
  { uuid, ...thread }: Pick<ThreadTable, 'uuid' | 'bot'>,
  changes: Pick<ThreadTable, 'share_hash'>,
  action: 'conversation.shared' | 'conversation.unshared',
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await updateThread(trx, uuid, changes);
    const [named] = await findBotNames(trx, caller.workspace, [botOf(thread)]);
    await record(trx, caller, action, named?.name ?? '', { conversation: uuid });
  });
}

/** What anyone with the link sees: the messages, and nothing about who wrote them. */
export async function getSharedThread({ db }: Context, token: string) {
  const thread = await findSharedThread(db, hashSecret(token));
  if (!thread) throw new AppError('thread-not-found');
  const rows = await listBranch(db, thread.head, maxShared);
  return {
    title: thread.title,
    bot: {
      uuid: botOf(thread),
      name: thread.bot_name,
      avatar: thread.bot_avatar ? { url: avatarUrl(thread.bot_avatar) } : null,
      mark: thread.bot_mark,
    },
    messages: rows
      .toReversed()
      .filter(({ status }) => status !== 'streaming')
      .map((row) => {
        const { uuid, role, text, citations, createdAt } = toMessage(row, thread.language);
        return { uuid, role, text, citations, createdAt };
      }),
    createdAt: new Date(thread.created_at).toISOString(),
  };
}

/** Temporary threads end after a day, and are erased with the next round of the trash. */
export const sweepThreads = (db: Db, now = Date.now()) => deleteTemporaryThreads(db, now - dayMs);

/** Longer than any answer takes, from the first of its calls until it is paid for. */
const strayMs = usualMaxMs + 10 * 60_000;

/** Frees what was set aside for answers that nobody writes any more. */
export const sweepHolds = (context: Context, now = Date.now()) =>
  releaseStrayHolds(
    context,
    async (messages) => {
      const held = await Promise.all(context.features.map(({ holds }) => holds?.(context, messages) ?? []));
      return new Set([...(await listStreaming(context.db, messages)), ...held.flat()]);
    },
    now - strayMs,
  );

/** A person's conversations. */
export async function* exportThreads({ db }: Context, user: string): AsyncGenerator<ExportedFile> {
  const moment = (ms: number) => new Date(ms).toISOString();
  for (const { uuid, title, bot, created_at } of await listThreadsOf(db, user)) {
    const messages = (await listEveryMessage(db, uuid)).map((message) => ({
      ...message,
      citations: JSON.parse(message.citations),
      created_at: moment(message.created_at),
    }));
    yield {
      name: `conversations/${uuid}.json`,
      content: toJson({ title, bot, createdAt: moment(created_at), messages }),
    };
  }
}

/** Rows of one transaction, which on SQLite holds up everyone else while it runs. */
const eraseBatch = 64;

/** Erases conversations whose time in the trash is over, or whose bot's is, with their attachments. */
export async function emptyThreadTrash(context: Context, signal: AbortSignal): Promise<void> {
  await forgetBots(context.db, erasableBefore());
  for (;;) {
    const threads = await listErasableThreads(context.db, erasableBefore(), eraseBatch);
    if (threads.length === 0) return;
    for (const thread of threads) {
      signal.throwIfAborted();
      await eraseThread(context, thread);
    }
  }
}

/** Erases these conversations, a little at a time; with `before` those to which nothing was written since. */
export async function eraseThreadRows(
  context: Context,
  threads: Pick<ThreadTable, 'uuid' | 'user' | 'workspace' | 'guest'>[],
  before?: number,
): Promise<void> {
  for (const thread of threads)
    if (await closeThread(context.db, thread.uuid, before)) await eraseThread(context, thread);
}

interface Unsaid {
  /** Which of its files, where the others stay. */
  file: string | null;
  alongside(trx: Trx): Promise<unknown>;
}

/** What a guest has taken back is gone, with its files and whatever was kept of its words; that there was something stays. */
export async function unsayMessage(
  context: Context,
  message: MessageTable,
  { alongside }: Pick<Unsaid, 'alongside'>,
): Promise<void> {
  const files: Attachment[] = JSON.parse(message.files);
  const erased = files.map(({ uuid }) => uuid);
  await unsayOf(context, message, erased, async (trx) => {
    for (const feature of context.features) await feature.eraseMessages?.(context, trx, [message.uuid]);
    await unsay(trx, message, JSON.stringify({ kind: 'unsent', by: null, reason: null, to: null, until: null }));
    await alongside(trx);
  });
}

/** One of a message's files is taken back, and the others stay. */
export async function unsayFile(context: Context, message: MessageTable, { file, alongside }: Unsaid): Promise<void> {
  await unsayOf(context, message, file === null ? [] : [file], async (trx) => {
    // Another of its files may have gone meanwhile.
    const now = await findMessageOf(trx, message.thread, message.uuid);
    const files: Attachment[] = JSON.parse(now?.files ?? '[]');
    await updateMessage(trx, message.uuid, { files: JSON.stringify(files.filter(({ uuid }) => uuid !== file)) });
    await alongside(trx);
  });
}

async function unsayOf(
  context: Context,
  { uuid, thread }: MessageTable,
  files: string[],
  write: (trx: Trx) => Promise<void>,
): Promise<void> {
  await eraseFiles(context, await listStored(context.db, 'attachment', files), async (trx) => {
    await lockRow(trx, 'thread', thread);
    await write(trx);
  });
  const now = await findMessage(context.db, uuid);
  if (now) announce(context, thread, { message: now, isNew: false });
}

/** A guest has written something else instead. */
export async function rewriteMessage(context: Context, message: MessageTable, text: string): Promise<void> {
  await context.db.transaction().execute(async (trx) => {
    await lockRow(trx, 'thread', message.thread);
    await rewrite(trx, message, { text, last: previewOf(text) });
  });
  const now = await findMessage(context.db, message.uuid);
  if (now) announce(context, message.thread, { message: now, isNew: false });
}

/** Erases every conversation of a person or a workspace that goes, a little at a time. */
export async function eraseThreads(
  context: Context,
  of: { user: string } | { workspace: string } | { guest: string },
): Promise<void> {
  for (;;) {
    const threads = await listThreadsIn(context.db, of, eraseBatch);
    if (threads.length === 0) return;
    await eraseThreadRows(context, threads);
  }
}

/** Erases what was attached a day ago and never sent. */
export const sweepAttachments = (context: Context, signal: AbortSignal, now = Date.now()): Promise<void> =>
  eraseUnsent(context, { before: now - dayMs }, signal);

/** Erases what was attached before a moment, by a guest where one is said, and is in no message. */
export async function eraseUnsent(
  context: Context,
  of: { before: number; guest?: string },
  signal?: AbortSignal,
): Promise<void> {
  for (;;) {
    const files = await takeUnsent(context.db, { ...of, limit: eraseBatch });
    if (files.length === 0) return;
    for (const file of files) {
      signal?.throwIfAborted();
      await eraseFiles(context, [file], async () => {});
    }
  }
}

async function eraseThread(
  context: Context,
  thread: Pick<ThreadTable, 'uuid' | 'user' | 'workspace' | 'guest'>,
): Promise<void> {
  const { db } = context;
  for (;;) {
    const messages = await listMessagesOf(db, thread.uuid, eraseBatch);
    const attached = messages.flatMap(({ files }): Attachment[] => JSON.parse(files)).map(({ uuid }) => uuid);
    const isWhole = messages.length < eraseBatch;
    const kept = await listAttachedElsewhere(db, thread, attached);
    const own = attached.filter((uuid) => !kept.has(uuid));
    const erased = messages.map(({ uuid }) => uuid);
    await eraseFiles(context, await listStored(db, 'attachment', own), async (trx) => {
      // Before its messages, as whoever delivers them does.
      await lockRow(trx, 'thread', thread.uuid);
      if (thread.guest !== null && erased.length > 0)
        for (const feature of context.features) await feature.eraseMessages?.(context, trx, erased);
      if (isWhole) await deleteThread(trx, thread.uuid);
      else await deleteMessages(trx, erased);
    });
    if (isWhole) return;
    // Lets others write between two batches.
    await new Promise((resolve) => setImmediate(resolve));
  }
}

export { countByQuarter, countQuestions, listLateAnswers } from './conversations.store.ts';
