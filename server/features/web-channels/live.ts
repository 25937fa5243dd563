import { seeAsVisitor, visitorMessage, visitorThread, writeAsVisitor } from '../../../shared/contracts/visitors.ts';
import { AppError } from '../../../shared/errors.ts';
import { done } from '../../../shared/list.ts';
import type { Context, GuestNews, GuestThread } from '../../feature.ts';
import { handleRequest, type Listener, type SocketHandler } from '../../infra/sockets.ts';
import { findConnectionOf } from '../connections/connections.ts';
import { announce, findOpenThread, markDelivered, seeThread } from '../conversations/guest-threads.ts';
import { toVisitorMessages, toVisitorThread } from './visitors.ts';

/** Tells the visitor's pages that are connected here what is new. */
export async function tellVisitor(context: Context, thread: GuestThread, { message }: GuestNews): Promise<void> {
  if (thread.channel !== 'web' || thread.guest === null || thread.channel_id === null) return;
  const room = `guest:${thread.guest}:${thread.channel_id}` as const;
  const { here } = context.sockets;
  if (!here.isHeard(room)) return;
  // Their page shows one conversation: of one that they have left it hears nothing.
  const open = await findOpenThread(context.db, { guest: thread.guest, channelId: thread.channel_id });
  if (open?.uuid !== thread.uuid) return;
  const [connection] = await findConnectionOf(context.db, { channel: 'web', channelId: thread.channel_id });
  if (connection?.active === 0) return;
  const shown = await toVisitorThread(context, thread);
  const guest = {
    locale: thread.language,
    channelId: thread.channel_id,
    workspace: thread.workspace,
    isPreview: thread.temporary === 1,
  };
  const [told] = message && message.internal === 0 ? await toVisitorMessages(context, guest, [message]) : [];
  if (told) here.toRoom(room, visitorMessage, { message: told, thread: shown });
  else here.toRoom(room, visitorThread, { thread: shown });
}

export const visitorRequests = (context: Context): SocketHandler[] => [
  handleRequest(writeAsVisitor, async ({ isTyping }, { listener, setWriting }) => {
    const thread = await findOpenThread(context.db, mustBeGuest(listener));
    if (!thread) return done;
    setWriting(thread.uuid, isTyping);
    for (const { guestTyping } of context.features) guestTyping?.(context, thread);
    return done;
  }),
  handleRequest(seeAsVisitor, async ({ seq }, { listener }) => {
    const thread = await findOpenThread(context.db, mustBeGuest(listener));
    const seen = thread && (await seeThread(context.db, thread.uuid, seq));
    if (!seen) return done;
    for (const message of await markDelivered(context.db, thread.uuid, seq))
      announce(context, thread.uuid, { message, isNew: false });
    return done;
  }),
];

function mustBeGuest(listener: Listener) {
  if (listener.kind !== 'guest') throw new AppError('not-allowed');
  return listener;
}
