import type { InboxMessage, InboxThread, InboxView } from '../../../shared/contracts/inbox.ts';
import { inboxViews } from '../../../shared/contracts/inbox.ts';
import { AppError } from '../../../shared/errors.ts';
import { excerpt } from '../../../shared/excerpt.ts';
import { may } from '../../../shared/roles.ts';
import type { Context } from '../../feature.ts';
import type { Caller } from '../../infra/http.ts';
import { page, readCursor } from '../../infra/page.ts';
import { findConnectionOf, whyUnreachable } from '../connections/connections.ts';
import { goOn } from '../connections/receive.ts';
import {
  changeGuestThread,
  countGuestThreads,
  findGuestThread,
  findMessageOf,
  findSaid,
  happened,
  indexMessages,
  listGuestThreads,
  placeIn,
  putOffTyped,
  listLine,
  listTexts,
  sendAgain,
  soon,
  type MessageTable,
  type ThreadTable,
  type Written,
} from '../conversations/guest-threads.ts';
import { endTypedClaim, findTypedClaim } from '../conversations/typed-claims.ts';
import { guestsNamed, listTagNames, taggedGuests } from '../guests/guests.ts';
import { snapshotRich } from '../rich-messages/rich-messages.ts';
import { countOpen } from '../unanswered/unanswered.ts';
import { listPeople } from '../users/users.ts';
import { listMembers } from '../workspaces/memberships.ts';
import { keepMentions, listUnseen } from './mentions.ts';
import { showMessages, showThreads, toStaff } from './shown.ts';

interface ListQuery {
  view: InboxView;
  q?: string | undefined;
  channel?: string | undefined;
  bot?: string | undefined;
  tag?: string | undefined;
  limit: number;
  cursor?: string | undefined;
}

const foundLength = 160;

export async function listThreads(context: Context, caller: Caller, query: ListQuery) {
  const { db } = context;
  const { workspace, user } = caller;
  const { q } = query;
  if (q) await indexMessages(context, soon);
  const said = q ? await findSaid(context, { workspace, q }) : undefined;
  const rows = await listGuestThreads(db, {
    workspace,
    user,
    view: query.view,
    channel: query.channel,
    bot: query.bot,
    ...(query.tag && { guests: taggedGuests(db, workspace, query.tag) }),
    ...(q && { q, named: guestsNamed(db, workspace, q), said: [...(said?.keys() ?? [])] }),
    limit: query.limit,
    after: readCursor(query.cursor),
  });
  const shown = page(rows, query.limit, (row) => placeIn(query.view, row));
  const texts = await listTexts(
    db,
    shown.rows.flatMap(({ uuid }) => said?.get(uuid) ?? []),
  );
  const data = await showThreads(context, shown.rows);
  return {
    data: data.map((thread) => {
      const found = texts.get(said?.get(thread.uuid) ?? '');
      return q && found !== undefined ? { ...thread, found: excerpt(found, q, foundLength) } : thread;
    }),
    meta: { nextCursor: shown.nextCursor },
  };
}

const mostCounted = 1000;

export async function countViews(context: Context, caller: Caller) {
  const { db } = context;
  const { workspace, user } = caller;
  const counted = await Promise.all(
    inboxViews.map(
      async (view) => [view, await countGuestThreads(db, { workspace, user, view }, mostCounted)] as const,
    ),
  );
  return {
    // A border: `Object.fromEntries` forgets the names.
    views: Object.fromEntries(counted) as Record<InboxView, number>,
    unread: await countGuestThreads(db, { workspace, user, view: 'all', unread: true }, mostCounted),
    mentions: (await listUnseen(db, { workspace, user })).map(({ thread }) => thread),
    unanswered: may(caller.role, 'edit') ? (await countOpen(context, workspace)).open : 0,
    tags: await listTagNames(db, workspace),
  };
}

const mostNotes = 5;

/** Conversations that wait for somebody, and those that the caller has, each up to 1,000; and the notes that name them. */
export async function findMine({ db }: Context, { workspace, user }: Caller) {
  const [waiting, mine, unseen] = await Promise.all([
    countGuestThreads(db, { workspace, user, view: 'waiting' }, mostCounted),
    countGuestThreads(db, { workspace, user, view: 'mine' }, mostCounted),
    listUnseen(db, { workspace, user }),
  ]);
  const found = await Promise.all(
    unseen.slice(0, mostNotes).map(({ thread, message }) => findMessageOf(db, thread, message)),
  );
  const notes = found.filter((note) => note !== undefined);
  const authors = await listPeople(
    db,
    notes.flatMap(({ author }) => author ?? []),
  );
  return {
    waiting,
    mine,
    mentions: notes.map(({ thread, author, text }) => ({
      thread,
      by: authors.find(({ uuid }) => uuid === author)?.username ?? '',
      text,
    })),
  };
}

export async function mustFindThread({ db }: Context, workspace: string, uuid: string): Promise<ThreadTable> {
  const thread = await findGuestThread(db, workspace, uuid);
  if (!thread) throw new AppError('thread-not-found');
  return thread;
}

export async function getThread(context: Context, caller: Caller, uuid: string): Promise<InboxThread> {
  return show(context, await mustFindThread(context, caller.workspace, uuid));
}

async function show(context: Context, row: ThreadTable): Promise<InboxThread> {
  const [thread] = await showThreads(context, [row]);
  if (!thread) throw new AppError('thread-not-found');
  return thread;
}

export const pageSize = 50;

export async function listMessages(
  context: Context,
  workspace: string,
  thread: string,
  { before, after, limit = pageSize }: { before?: number | undefined; after?: number | undefined; limit?: number },
) {
  await mustFindThread(context, workspace, thread);
  const rows = await listLine(context.db, { thread, before, after, limit: limit + 1, internal: true });
  const shown = after === undefined ? rows.slice(-limit) : rows.slice(0, limit);
  return { data: await showMessages(context, shown), meta: { hasMore: rows.length > limit } };
}

/** What a thread becomes when one of the team takes it. */
const taken = (caller: Caller) => ({
  status: 'staff' as const,
  assignee: caller.user,
  snoozed_until: null,
  typed_until: null,
  waiting_since: null,
});

/** Answers as a person; the bot is silent from here on, also in the middle of an answer. */
export async function reply(
  context: Context,
  caller: Caller,
  uuid: string,
  {
    key,
    text,
    files = [],
    rich,
    quotes,
  }: {
    key: string;
    text: string;
    files?: string[] | undefined;
    rich?: string | undefined;
    quotes?: string | undefined;
  },
): Promise<InboxMessage> {
  // What a rich message says stands in it.
  if (rich !== undefined && (text !== '' || files.length > 0))
    throw new AppError('validation-failed', { fields: [{ path: 'rich', code: 'invalid' }] });
  if (text === '' && files.length === 0 && rich === undefined)
    throw new AppError('validation-failed', { fields: [{ path: 'text', code: 'empty' }] });
  const thread = await mustFindThread(context, caller.workspace, uuid);
  const problem = await whyUnreachable(context, thread);
  const quoted = quotes === undefined ? undefined : await findMessageOf(context.db, uuid, quotes);
  if (quotes !== undefined && quoted?.internal !== 0) throw new AppError('message-not-found');
  const claim = thread.typed_until === null ? undefined : await findTypedClaim(context.db, uuid);
  const snapshot = rich === undefined ? undefined : await snapshotRich(context, caller.workspace, rich);
  const said: Written = {
    role: 'staff',
    text: snapshot?.alt ?? text,
    rich: snapshot,
    quotes,
    files,
    by: { user: caller.user },
    key,
    author: caller.user,
    goesOut: problem ? { fails: problem } : true,
  };
  return write(context, uuid, (now) => {
    // Who has only typed has it no longer when another answers.
    const had = claim && now.typed_until !== null ? claim.before.assignee : now.assignee;
    const assignee = had ?? caller.user;
    return {
      rows: [
        ...(now.status === 'staff' && now.assignee === assignee
          ? []
          : [happened('taken', { by: caller.user, reason: 'staff' })]),
        said,
      ],
      changes: { ...taken(caller), assignee, unread: 0 },
    };
  });
}

export async function note(
  context: Context,
  caller: Caller,
  uuid: string,
  { key, text }: { key: string; text: string },
): Promise<InboxMessage> {
  const { workspace } = await mustFindThread(context, caller.workspace, uuid);
  const staff = await listStaff(context, workspace);
  return write(context, uuid, () => ({
    rows: [
      {
        role: 'staff',
        text,
        key,
        author: caller.user,
        internal: true,
        with: (trx, message) => keepMentions(trx, { message, workspace, staff }),
      },
    ],
  }));
}

/** Writes to a thread, and shows the message itself. */
async function write(
  context: Context,
  uuid: string,
  decide: Parameters<typeof changeGuestThread>[2],
): Promise<InboxMessage> {
  const { messages } = await changeGuestThread(context, uuid, decide);
  const written = messages.find((row) => row.happening === null);
  const [shown] = written ? await showMessages(context, [written]) : [];
  if (!shown) throw new AppError('message-not-found');
  return shown;
}

async function change(
  context: Context,
  caller: Caller,
  uuid: string,
  decide: Parameters<typeof changeGuestThread>[2],
): Promise<InboxThread> {
  await mustFindThread(context, caller.workspace, uuid);
  const { thread } = await changeGuestThread(context, uuid, decide);
  return show(context, thread);
}

/** The thread is the caller's, and the bot silent in it. */
export async function take(context: Context, caller: Caller, uuid: string): Promise<InboxThread> {
  return change(context, caller, uuid, (now) =>
    now.status === 'staff' && now.assignee === caller.user && now.typed_until === null
      ? undefined
      : { rows: [happened('taken', { by: caller.user, reason: 'staff' })], changes: taken(caller) },
  );
}

/** Who has written no letter for so long, and sent nothing, has gone. */
const typedMs = 5 * 60_000;

/** The first letter that one of the team writes makes the bot silent; a thread that is somebody's stays theirs. */
export async function beginTyping(context: Context, caller: { user: string; workspace: string }, thread: ThreadTable) {
  const until = Date.now() + typedMs;
  if (thread.typed_until !== null) await putOffTyped(context.db, thread.uuid, until);
  if (thread.status === 'staff') return;
  await changeGuestThread(context, thread.uuid, (now) => {
    if (now.status === 'staff') return undefined;
    const { status, assignee, waiting_since, snoozed_until, running } = now;
    const before = { status, assignee, waiting_since, snoozed_until };
    return {
      rows: [happened('taken', { by: caller.user, reason: 'staff', before, ...(running && { cut: running }) })],
      changes: {
        status: 'staff',
        assignee: assignee ?? caller.user,
        snoozed_until: null,
        waiting_since: null,
        typed_until: until,
      },
    };
  });
}

/** Whoever took a thread over by a letter has deleted it: when nothing has happened since, it is given back. */
export async function endTyping(context: Context, caller: { user: string }, thread: ThreadTable): Promise<void> {
  if (thread.typed_until === null) return;
  const claim = await findTypedClaim(context.db, thread.uuid);
  if (claim?.by !== caller.user) return;
  const { thread: released } = await changeGuestThread(context, thread.uuid, (now) =>
    now.status === 'staff' && now.last_seq === claim.seq ? endTypedClaim(now, claim, caller.user) : undefined,
  );
  if (released.status === 'bot') goOnSoon(context, released);
}

/** The bot answers what nobody has answered; nobody waits for it. */
function goOnSoon(context: Context, thread: ThreadTable): void {
  goOn(context, thread).catch((err: unknown) =>
    context.log.warn({ err, thread: thread.uuid }, 'a conversation could not go on'),
  );
}

/** The thread is the bot's again, who answers what nobody has answered. */
export async function giveBack(context: Context, caller: Caller, uuid: string): Promise<InboxThread> {
  const { channel, channel_id: channelId } = await mustFindThread(context, caller.workspace, uuid);
  const [connection] =
    channel === 'app' || channelId === null ? [] : await findConnectionOf(context.db, { channel, channelId });
  if (!connection?.bot) throw new AppError('bot-not-found');
  const shown = await change(context, caller, uuid, (now) =>
    now.status === 'bot'
      ? undefined
      : {
          rows: [happened('returned', { by: caller.user })],
          changes: {
            status: 'bot',
            bot: connection.bot,
            assignee: null,
            reason: null,
            waiting_since: null,
            snoozed_until: null,
          },
        },
  );
  goOnSoon(context, await mustFindThread(context, caller.workspace, uuid));
  return shown;
}

export async function assign(
  context: Context,
  caller: Caller,
  uuid: string,
  user: string | null,
): Promise<InboxThread> {
  if (user !== null && !(await listStaff(context, caller.workspace)).some((member) => member.uuid === user))
    throw new AppError('member-not-found');
  return change(context, caller, uuid, (now) =>
    now.assignee === user
      ? undefined
      : {
          rows: [happened('assigned', { by: caller.user, to: user })],
          changes: { assignee: user, ...(user !== null && now.status === 'bot' && { status: 'staff' as const }) },
        },
  );
}

const mostSnoozedMs = 366 * 86_400_000;

export const snooze = (context: Context, caller: Caller, uuid: string, until: string) =>
  change(context, caller, uuid, () => {
    const at = Date.parse(until);
    if (at <= Date.now() || at > Date.now() + mostSnoozedMs)
      throw new AppError('validation-failed', { fields: [{ path: 'until', code: 'invalid' }] });
    return {
      rows: [happened('snoozed', { by: caller.user, until: new Date(at).toISOString() })],
      changes: { status: 'snoozed', snoozed_until: at, waiting_since: null },
    };
  });

export const resolve = (context: Context, caller: Caller, uuid: string) =>
  change(context, caller, uuid, (now) =>
    now.status === 'resolved'
      ? undefined
      : {
          rows: [happened('resolved', { by: caller.user })],
          changes: { status: 'resolved', snoozed_until: null, waiting_since: null, unread: 0 },
        },
  );

export const reopen = (context: Context, caller: Caller, uuid: string) =>
  change(context, caller, uuid, (now) =>
    now.status === 'resolved' || now.status === 'snoozed'
      ? {
          rows: [happened('reopened', { by: caller.user })],
          changes: { status: now.assignee ? 'staff' : 'waiting', snoozed_until: null, waiting_since: Date.now() },
        }
      : undefined,
  );

export const see = (context: Context, caller: Caller, uuid: string, unread: boolean) =>
  change(context, caller, uuid, (now) => {
    const next = unread ? Math.max(1, now.unread) : 0;
    return now.unread === next ? undefined : { changes: { unread: next } };
  });

/** Sends a message again that did not reach its channel. */
export async function retry(
  context: Context,
  caller: Caller,
  at: { thread: string; message: string },
): Promise<InboxMessage> {
  const thread = await mustFindThread(context, caller.workspace, at.thread);
  const found: MessageTable | undefined = await findMessageOf(context.db, at.thread, at.message);
  if (found?.delivery !== 'failed') throw new AppError('message-not-found');
  if (await whyUnreachable(context, thread)) throw new AppError('channel-not-found');
  const [shown] = await showMessages(context, [await sendAgain(context, thread, found)]);
  if (!shown) throw new AppError('message-not-found');
  return shown;
}

/** Members who may answer visitors. */
export const listStaff = async ({ db }: Context, workspace: string) =>
  (await listMembers(db, workspace))
    .filter(({ role, suspended_at }) => suspended_at === null && may(role, 'converse'))
    .map(({ user, username, avatar }) => toStaff({ uuid: user, username, avatar }));
