import { mentioned } from '../../../shared/contracts/inbox.ts';
import { attend } from '../../../shared/contracts/notices.ts';
import { AppError } from '../../../shared/errors.ts';
import { done } from '../../../shared/list.ts';
import { may } from '../../../shared/roles.ts';
import type { Context, GuestNews, GuestThread } from '../../feature.ts';
import { handleRequest, type SocketHandler } from '../../infra/sockets.ts';
import { findThreadById, type MessageTable } from '../conversations/guest-threads.ts';
import { listMentions, seeMentions } from '../inbox/mentions.ts';
import { toStaff } from '../inbox/shown.ts';
import { sendsMail } from '../mail/mail.ts';
import { touchSessions } from '../users/sessions.ts';
import { listPeople } from '../users/users.ts';
import { awayMs, letterKey, letterKind } from './letter.ts';
import { mentionKey, mentionKind } from './mention.ts';
import { callsPeople, isPeoples, listConcerned } from './notices.ts';
import { listSubscriptions, unmarkMailed } from './notices.store.ts';
import { newsMs, pushKind } from './push.ts';

/** Puts notices on their way when a visitor's message needs people; whoever looks at the conversation gets none. */
export async function tellPeople(context: Context, thread: GuestThread, { message, isNew }: GuestNews): Promise<void> {
  const { db, queue } = context;
  if (thread.temporary === 1) return;
  if (thread.unread === 0) await unmarkMailed(db, thread.uuid);
  if (message && isNew && message.internal === 1 && message.author !== null)
    await tellMentioned(context, thread, message);
  if (!message || !isNew || !isPeoples(thread) || !callsPeople(message)) return;
  const concerned = (await listConcerned(context, thread)).map(({ user }) => user);
  const subscribed = await listSubscriptions(db, concerned);
  // Every node is asked who looks, so only where somebody would be told.
  const looking = subscribed.length > 0 ? await listLooking(context, thread.uuid) : [];
  const browsers = subscribed.filter(({ user }) => !looking.includes(user));
  const { uuid, seq } = message;
  for (const { uuid: subscription, user } of browsers)
    await queue.add(
      db,
      pushKind,
      { subscription, thread: thread.uuid, seq, until: Date.now() + newsMs },
      { uniqueKey: `push:${subscription}:${uuid}`, tenant: user },
    );
  const letter = { thread: thread.uuid, user: null };
  if (sendsMail(context))
    await queue.add(db, letterKind, letter, {
      uniqueKey: letterKey(letter),
      tenant: thread.workspace,
      delayMs: awayMs,
    });
  if (browsers.length > 0) queue.wake();
}

async function listLooking(context: Context, thread: string): Promise<string[]> {
  const here = await context.sockets.inRoom(`attend:${thread}`);
  return [...new Set(here.flatMap((listener) => (listener.kind === 'member' ? [listener.user] : [])))];
}

/** Whoever a note names is told of it where they are, in their browsers, and by mail when they are not there; unless they look at it. */
async function tellMentioned(context: Context, thread: GuestThread, message: MessageTable): Promise<void> {
  const { db, queue, sockets } = context;
  const mentions = (await listMentions(db, [message.uuid])).filter(({ seen_at }) => seen_at === null);
  if (mentions.length === 0) return;
  const looking = await listLooking(context, thread.uuid);
  if (looking.length > 0) await seeMentions(db, thread.uuid, looking);
  const users = mentions.map(({ user }) => user).filter((user) => !looking.includes(user));
  const [author] = await listPeople(db, [message.author ?? '']);
  if (!author) return;
  const { uuid, text, seq } = message;
  for (const user of users) {
    sockets.toUser(user, mentioned, {
      workspace: thread.workspace,
      thread: thread.uuid,
      message: uuid,
      by: toStaff(author),
      text,
    });
    const letter = { message: uuid, thread: thread.uuid, user };
    if (sendsMail(context))
      await queue.add(db, mentionKind, letter, {
        uniqueKey: mentionKey(letter),
        tenant: thread.workspace,
        delayMs: awayMs,
      });
  }
  for (const { uuid: subscription, user } of await listSubscriptions(db, users))
    await queue.add(
      db,
      pushKind,
      { subscription, thread: thread.uuid, seq, mention: uuid, until: Date.now() + newsMs },
      { uniqueKey: `push:${subscription}:${uuid}`, tenant: user },
    );
  queue.wake();
}

export const noticeRequests = (context: Context): SocketHandler[] => [
  handleRequest(attend, async ({ thread: uuid, isActive }, { listener, join, leave }) => {
    const thread = await findThreadById(context.db, uuid);
    const isTeam =
      listener.kind === 'member' &&
      listener.workspaces.some((each) => each.uuid === thread?.workspace && may(each.role, 'converse'));
    if (thread?.guest == null || !isTeam) throw new AppError('thread-not-found');
    await (isActive ? join : leave)(`attend:${uuid}`);
    if (isActive) await seeMentions(context.db, uuid, [listener.user]);
    return done;
  }),
];

const touchMs = 30_000;
const batch = 500;

/** A page that is open counts as somebody there, also while they do nothing. */
export async function noteLive({ db, sockets }: Context, now = Date.now()): Promise<void> {
  const sessions = sockets.sessionsHere();
  for (let at = 0; at < sessions.length; at += batch)
    await touchSessions(db, { sessions: sessions.slice(at, at + batch), now, before: now - touchMs / 2 });
}

export function watchLive(context: Context): () => Promise<void> {
  const clock = setInterval(
    () => void noteLive(context).catch((err: unknown) => context.log.warn({ err }, 'who is there was not noted')),
    touchMs,
  );
  clock.unref();
  return async () => clearInterval(clock);
}
