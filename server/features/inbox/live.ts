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
import { listPeople } from '../users/users.ts';
import { beginTyping, listMessages } from './inbox.ts';
import { showMessages, showThreads, toStaff } from './shown.ts';

/** Tells the team: their lists, those who have the thread open, and everyone when a visitor writes. */
export async function tellTeam(context: Context, thread: GuestThread, { message, isNew }: GuestNews): Promise<void> {
  // What a maker tries is nobody's business.
  if (thread.temporary === 1) return;
  const { workspace, uuid } = thread;
  const [shown] = await showThreads(context, [thread]);
  const [told] = message ? await showMessages(context, [message]) : [];
  if (told) context.sockets.toRoom(`thread:${uuid}`, inboxMessage, () => ({ thread: uuid, message: told }));
  if (!shown || thread.last_at === null) return;
  context.sockets.toWorkspace(workspace, threadChanged, { workspace, thread: shown }, 'converse');
  if (!isNew || message?.role !== 'user' || !told) return;
  context.sockets.toWorkspace(
    workspace,
    messageSent,
    {
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
    },
    'converse',
  );
}

/** How long somebody counts as writing who has not said that they stopped. */
const typingMs = 8_000;

/** Who of the team writes where, on this node. */
export type Typing = Map<string, Map<string, number>>;

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
    await leave(`thread:${thread}`);
    if (listener.kind === 'member') context.typing.get(thread)?.delete(listener.user);
    tellPresenceSoon(context, thread);
    return done;
  }),
  handleRequest(typeInInbox, async ({ thread: uuid, isTyping }, { listener }) => {
    const { thread, user } = await mustBeStaff(context, listener, uuid);
    const writing = context.typing.get(uuid) ?? new Map<string, number>();
    if (isTyping) writing.set(user, Date.now() + typingMs);
    else writing.delete(user);
    if (writing.size > 0) context.typing.set(uuid, writing);
    else context.typing.delete(uuid);
    if (isTyping) await beginTyping(context, { user, workspace: thread.workspace }, thread);
    const [person] = await listPeople(context.db, [user]);
    if (thread.guest && person)
      context.sockets.toRoom(`guest:${thread.guest}`, visitorTyping, () => ({ name: person.username, isTyping }));
    tellPresenceSoon(context, uuid);
    return done;
  }),
];

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
export async function tellPresence(context: Context, uuid: string, visitorTypes = false): Promise<void> {
  const thread = await findThreadById(context.db, uuid);
  if (thread?.guest == null) return;
  const [here, visitors] = await Promise.all([
    context.sockets.inRoom(`thread:${uuid}`),
    context.sockets.inRoom(`guest:${thread.guest}`),
  ]);
  const users = [...new Set(here.flatMap((listener) => (listener.kind === 'member' ? [listener.user] : [])))];
  const writing = context.typing.get(uuid);
  const now = Date.now();
  const members = (await listPeople(context.db, users)).map((person) => ({
    ...toStaff(person),
    isTyping: (writing?.get(person.uuid) ?? 0) > now,
  }));
  context.sockets.toRoom(`thread:${uuid}`, presence, () => ({
    thread: uuid,
    members,
    visitor: { isTyping: visitorTypes, isOnline: visitors.length > 0 },
  }));
}

/** Nobody waits for it: while another node does not answer, who is there is not known. */
function tellPresenceSoon(context: Context, uuid: string, visitorTypes = false): void {
  tellPresence(context, uuid, visitorTypes).catch((err: unknown) =>
    context.log.warn({ err, thread: uuid }, 'who is at a conversation could not be told'),
  );
}

export function tellTyping(context: Context, thread: GuestThread, isTyping: boolean): void {
  tellPresenceSoon(context, thread.uuid, isTyping);
}
