import {
  maxMissed,
  messageSent,
  unwatchThread,
  watchThread,
  type Message,
} from '../../../shared/contracts/conversations.ts';
import { AppError } from '../../../shared/errors.ts';
import { done } from '../../../shared/list.ts';
import type { Context } from '../../feature.ts';
import { handleRequest, type SocketHandler, type Listener } from '../../infra/sockets.ts';
import { avatarUrl } from '../files/files.ts';
import { findThreadById, listMessagesAfter, listSiblings } from './conversations.store.ts';
import type { ThreadTable } from './conversations.tables.ts';
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

export const threadRequests = (context: Context): SocketHandler[] => [
  handleRequest(watchThread, async ({ thread: uuid, since }, { listener, join }) => {
    const thread = await mustFindWatched(context, listener, uuid);
    // Joined before reading, so that a message written in between comes twice rather than never.
    await join(`thread:${uuid}`);
    const rows = await listMessagesAfter(context.db, uuid, since, maxMissed + 1);
    const shown = rows.slice(0, maxMissed);
    const siblings = await listSiblings(context.db, thread.uuid, shown);
    return {
      messages: shown.map((row) => toMessage(row, listener.locale, siblings.get(row.parent))),
      hasMore: rows.length > maxMissed,
    };
  }),
  handleRequest(unwatchThread, async ({ thread }, { leave }) => {
    await leave(`thread:${thread}`);
    return done;
  }),
];

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
