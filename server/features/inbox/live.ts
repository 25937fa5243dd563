import {
  inboxMessage,
  presence,
  threadChanged,
  typeInInbox,
  unwatchInbox,
  watchInbox,
} from '../../../shared/contracts/inbox.ts';
import { visitorTyping } from '../../../shared/contracts/visitors.ts';
import { messageSent } from '../../../shared/contracts/conversations.ts';
import { AppError } from '../../../shared/errors.ts';
import { done } from '../../../shared/list.ts';
import { may } from '../../../shared/roles.ts';
import type { Context, GuestNews, GuestThread } from '../../feature.ts';
import { handleRequest, type Listener, type SocketHandler } from '../../infra/sockets.ts';
import { findThreadById } from '../conversations/guest-threads.ts';
import { displayNameOf, listPeople } from '../users/users.ts';
import { beginTyping, endTyping, listMessages } from './inbox.ts';
import { showMessages, showThreads, toStaff } from './shown.ts';

/** Tells the team who are connected here: their lists, those who have the thread open, and everyone when a visitor writes. */
export async function tellTeam(context: Context, thread: GuestThread, { message, isNew }: GuestNews): Promise<void> {
  // What a maker tries is nobody's business.
  if (thread.temporary === 1) return;
  const { workspace, uuid } = thread;
  const { here } = context.sockets;
  const team = `workspace:${workspace}:converse` as const;
  if (!here.isHeard(team) && !here.isHeard(`thread:${uuid}`)) return;
  const [shown] = await showThreads(context, [thread]);
  const [told] = message ? await showMessages(context, [message]) : [];
  if (told) here.toRoom(`thread:${uuid}`, inboxMessage, { thread: uuid, message: told });
  if (!shown || thread.last_at === null) return;
  here.toRoom(team, threadChanged, { workspace, thread: shown });
  if (!isNew || message?.role !== 'user' || !told) return;
  here.toRoom(team, messageSent, {
    message: {
      uuid: message.uuid,
      seq: message.seq,
      role: message.role,
      message: message.text,
      sticker: told.sticker,
      location: told.location,
      images: told.files
        .filter(({ mime }) => mime.startsWith('image/'))
        .map((file) => `/api/inbox/thread/${uuid}/file/${file.uuid}`),
    },
    thread: { uuid, guest: { name: shown.guest.name, avatar: shown.guest.avatar } },
    workspace,
  });
}

export const inboxRequests = (context: Context): SocketHandler[] => [
  handleRequest(watchInbox, async ({ thread, since }, { listener, join }) => {
    const { workspace } = await mustBeStaff(context, listener, thread);
    // Joined before reading, so that a message written in between comes twice rather than never.
    await join(`thread:${thread}`);
    const { data, meta } = await listMessages(context, workspace, thread, { after: since, limit: 100 });
    tellPresenceSoon(context, thread);
    return { messages: data, hasMore: meta.hasMore };
  }),
  handleRequest(unwatchInbox, async ({ thread }, { leave, listener }) => {
    await mustBeStaff(context, listener, thread);
    await leave(`thread:${thread}`);
    tellPresenceSoon(context, thread);
    return done;
  }),
  handleRequest(typeInInbox, async ({ thread: uuid, isTyping, nothing }, { listener, setWriting }) => {
    const { thread, user } = await mustBeStaff(context, listener, uuid);
    setWriting(uuid, isTyping);
    if (isTyping) await beginTyping(context, { user, workspace: thread.workspace }, thread);
    else if (nothing && !(await isAnotherAt(context, uuid, user))) await endTyping(context, { user }, thread);
    const [person] = await listPeople(context.db, [user]);
    if (thread.guest && thread.channel_id && thread.left_at === null && person)
      context.sockets.toRoom(`guest:${thread.guest}:${thread.channel_id}`, visitorTyping, () => ({
        name: displayNameOf(person, thread.language),
        isTyping,
      }));
    tellPresenceSoon(context, uuid);
    return done;
  }),
];

/** Somebody else has begun to write there, too: who thinks for a while does not say so. */
const isAnotherAt = async ({ sockets }: Context, thread: string, user: string): Promise<boolean> =>
  (await sockets.inRoom(`thread:${thread}`)).some(
    (listener) => listener.kind === 'member' && listener.user !== user && listener.writes?.thread === thread,
  );

/** Who may answer visitors where the thread is. */
async function mustBeStaff(context: Context, listener: Listener, uuid: string) {
  const thread = await findThreadById(context.db, uuid);
  const isStaff =
    listener.kind === 'member' &&
    thread?.guest != null &&
    thread.temporary === 0 &&
    listener.workspaces.some(({ uuid: workspace, role }) => workspace === thread.workspace && may(role, 'converse'));
  if (!thread || !isStaff) throw new AppError('thread-not-found');
  return { thread, user: listener.user, workspace: thread.workspace };
}

/** Tells those who have a thread open who else does, and who writes. */
export async function tellPresence(context: Context, uuid: string): Promise<void> {
  const thread = await findThreadById(context.db, uuid);
  if (thread?.guest == null) return;
  const [here, visitors] = await Promise.all([
    context.sockets.inRoom(`thread:${uuid}`),
    thread.channel_id === null ? [] : context.sockets.inRoom(`guest:${thread.guest}:${thread.channel_id}`),
  ]);
  const now = Date.now();
  const isWriting = (listeners: Listener[]) =>
    listeners.some((listener) => listener.writes?.thread === uuid && listener.writes.until > now);
  const tabs = Map.groupBy(
    here.filter((listener) => listener.kind === 'member'),
    ({ user }) => user,
  );
  const members = (await listPeople(context.db, [...tabs.keys()])).map((person) => ({
    ...toStaff(person),
    isTyping: isWriting(tabs.get(person.uuid) ?? []),
  }));
  context.sockets.toRoom(`thread:${uuid}`, presence, () => ({
    thread: uuid,
    members,
    visitor: { isTyping: isWriting(visitors), isOnline: visitors.length > 0 },
  }));
}

/** Nobody waits for it: while another node does not answer, who is there is not known. */
export function tellPresenceSoon(context: Context, uuid: string): void {
  tellPresence(context, uuid).catch((err: unknown) =>
    context.log.warn({ err, thread: uuid }, 'who is at a conversation could not be told'),
  );
}
