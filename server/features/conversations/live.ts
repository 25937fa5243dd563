import {
  maxMissed,
  messageSent,
  unwatchThread,
  watchThread,
  type Message,
} from '../../../shared/contracts/conversations.ts';
import { AppError } from '../../../shared/errors.ts';
import { done } from '../../../shared/list.ts';
import type { Context, GuestNews } from '../../feature.ts';
import { handleRequest, type SocketHandler, type Listener } from '../../infra/sockets.ts';
import { createTurns } from '../../infra/turns.ts';
import { avatarUrl } from '../files/files.ts';
import { findThreadById, listMessagesAfter, listSiblings } from './conversations.store.ts';
import type { MessageTable, ThreadTable } from './conversations.tables.ts';
import { toMessage } from './messages.ts';
import type { Owner } from './own-thread.ts';

/** Tells whoever watches the thread, on every node. */
export function tellMessage({ sockets }: Context, thread: string, owner: Owner, message: Message): void {
  sockets.toRoom(`thread:${thread}`, messageSent, () => ({
    message: {
      uuid: message.uuid,
      seq: message.seq,
      role: message.role,
      message: message.text,
      sticker: null,
      location: null,
      images: message.files.filter(({ mime }) => mime.startsWith('image/')).map(({ uuid }) => `/api/chat/file/${uuid}`),
    },
    thread: {
      uuid: thread,
      guest: { name: owner.name, avatar: owner.avatar === null ? null : { url: avatarUrl(owner.avatar) } },
    },
  }));
}

/** What comes later of a thread is told later. */
const turns = createTurns();

/**
 * Tells every feature that looks after guests what is new in a guest's thread, in the order in which it is called. One that fails
 * keeps nothing from the others. `stored` is the thread as it was written with the news; without it, it is read.
 */
export function announce(context: Context, uuid: string, news: GuestNews, stored?: ThreadTable): void {
  inOrder(context, uuid, async () => {
    const thread = stored ?? (await findThreadById(context.db, uuid));
    if (thread?.guest == null) return;
    context.sockets.toNodes({ thread, news } satisfies Announced);
    await tellEach(context, 'guestThreadHere', thread, news);
    await tellEach(context, 'guestThread', thread, news);
  });
}

interface Announced {
  thread: ThreadTable;
  news: GuestNews;
}

/** What another node has announced: whoever is connected to this one hears it, too. */
export function hearNews(context: Context, given: unknown): void {
  const { thread, news } = given as Announced; // a border: only `announce` hands anything over
  inOrder(context, thread.uuid, () => tellEach(context, 'guestThreadHere', thread, news));
}

async function tellEach(
  context: Context,
  how: 'guestThread' | 'guestThreadHere',
  thread: ThreadTable,
  news: GuestNews,
): Promise<void> {
  for (const feature of context.features)
    await Promise.resolve(feature[how]?.(context, thread, news)).catch(untold(context, thread.uuid, feature.name));
}

const untold = (context: Context, thread: string, feature: string) => (err: unknown) =>
  context.log.warn({ err, thread, feature }, 'news of a conversation could not be told');

function inOrder(context: Context, uuid: string, tell: () => Promise<void>): void {
  void turns(uuid, () => tell().catch(untold(context, uuid, 'conversations')));
}

export const threadRequests = (context: Context): SocketHandler[] => [
  handleRequest(watchThread, async ({ thread: uuid, since }, { listener, join }) => {
    const thread = await mustFindWatched(context, listener, uuid);
    // Joined before reading, so that a message written in between comes twice rather than never.
    await join(`thread:${uuid}`);
    const { rows, hasMore } = await listMissed(context, uuid, since);
    const siblings = await listSiblings(context.db, thread.uuid, rows);
    return { messages: rows.map((row) => toMessage(row, listener.locale, siblings.get(row.parent))), hasMore };
  }),
  handleRequest(unwatchThread, async ({ thread }, { leave }) => {
    await leave(`thread:${thread}`);
    return done;
  }),
];

const batch = 5;
const maxCharacters = 100_000;

/** The messages after `since`, fewer when they are long: one may ask again from the last. */
async function listMissed({ db }: Context, thread: string, since: number) {
  const rows: MessageTable[] = [];
  for (let characters = 0; rows.length < maxMissed && characters < maxCharacters;) {
    const next = await listMessagesAfter(db, thread, rows.at(-1)?.seq ?? since, batch + 1);
    rows.push(...next.slice(0, batch));
    characters += next.reduce(
      (sum, { text, reasoning, tools }) => sum + text.length + reasoning.length + tools.length,
      0,
    );
    if (next.length <= batch) return { rows, hasMore: false };
  }
  return { rows, hasMore: true };
}

/** One's own thread, in a workspace that one is still in. */
async function mustFindWatched({ db }: Context, listener: Listener, uuid: string): Promise<ThreadTable> {
  const thread = await findThreadById(db, uuid);
  const isOwn =
    listener.kind === 'member' &&
    thread?.user === listener.user &&
    thread.api_key === null &&
    listener.workspaces.some((workspace) => workspace.uuid === thread.workspace);
  if (!thread || !isOwn) throw new AppError('thread-not-found');
  return thread;
}
