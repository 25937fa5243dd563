import type { Context } from '../../feature.ts';
import { jobKind, type JobHandler } from '../../infra/queue.ts';
import {
  changeGuestThread,
  findThreadById,
  happened,
  listLine,
  type Happening,
  type MessageTable,
  type ThreadTable,
} from '../conversations/guest-threads.ts';
import { goOnSoon } from './inbox.ts';

const minuteMs = 60_000;
/** However long the page stays open, who has sent nothing by then and writes no more has gone. */
const mostMs = 15 * minuteMs;

interface Payload {
  thread: string;
}

export const unsentKind = jobKind<Payload>({
  name: 'inbox.unsent',
  lane: 'upkeep',
  timeoutMs: minuteMs,
  // Who is there is not known while another node does not answer.
  maxAttempts: 60,
});

const lookAgain = { delayMs: minuteMs };
const keyOf = ({ thread }: Payload) => `unsent:${thread}`;

/** The first letter that one of the team writes makes the bot silent; a thread that is somebody's stays theirs. */
export async function beginTyping(context: Context, user: string, thread: ThreadTable): Promise<void> {
  if (thread.status === 'staff') return;
  const { queue } = context;
  const payload = { thread: thread.uuid };
  await changeGuestThread(context, thread.uuid, (now) => {
    if (now.status === 'staff') return undefined;
    const { status, assignee, waiting_since, snoozed_until, workspace } = now;
    const before = { status, assignee, waiting_since, snoozed_until };
    return {
      rows: [
        {
          ...happened('taken', { by: user, reason: 'staff', before }),
          with: (trx) =>
            queue.add(trx, unsentKind, payload, { uniqueKey: keyOf(payload), tenant: workspace, ...lookAgain }),
        },
      ],
      changes: { status: 'staff', assignee: assignee ?? user, snoozed_until: null, waiting_since: null },
    };
  });
}

/** Whoever took a thread over by a letter has deleted it: when nothing has happened since, it is what it was. */
export async function endTyping(context: Context, user: string, thread: ThreadTable): Promise<void> {
  const [last] = await listLine(context.db, { thread: thread.uuid, limit: 1, internal: true });
  const claim = last && claimOf(thread, last);
  if (claim?.by === user) await release(context, thread.uuid, { ...claim, seen: claim.seq });
}

interface Claim {
  seq: number;
  by: string | null;
  at: number;
  before: NonNullable<Happening['before']>;
}

function claimOf({ status }: ThreadTable, { seq, happening: json, created_at: at }: MessageTable): Claim | undefined {
  const happening: Happening | null = JSON.parse(json ?? 'null');
  if (status !== 'staff' || happening?.kind !== 'taken' || !happening.before) return undefined;
  return { seq, by: happening.by, at, before: happening.before };
}

/** True where the thread is what it was before a letter was written; not where something has come since it was `seen`. */
async function release(
  context: Context,
  uuid: string,
  { seen, by, before }: Pick<Claim, 'by' | 'before'> & { seen: number },
): Promise<boolean> {
  const { thread, messages } = await changeGuestThread(context, uuid, (now) =>
    now.status === 'staff' && now.last_seq === seen
      ? { rows: [happened('released', { by })], changes: before }
      : undefined,
  );
  if (messages.length === 0) return false;
  if (thread.status === 'bot') goOnSoon(context, thread);
  return true;
}

const mostSince = 100;

/** What only a letter has taken over, and nothing was done in since, whatever the visitor has said. */
async function findUnsent({ db }: Context, uuid: string) {
  const thread = await findThreadById(db, uuid);
  if (!thread) return undefined;
  const lines = await listLine(db, { thread: uuid, limit: mostSince, internal: true });
  const last = lines.findLast(({ role }) => role !== 'user');
  const claim = last && claimOf(thread, last);
  return claim && { ...claim, seen: thread.last_seq };
}

/** They have the thread open, and write in it or took it not long ago. */
async function isAtWork({ sockets }: Context, thread: string, { by, at }: Claim): Promise<boolean> {
  const now = Date.now();
  return (await sockets.inRoom(`thread:${thread}`)).some(
    (listener) =>
      listener.kind === 'member' &&
      listener.user === by &&
      (now - at < mostMs || (listener.writes?.thread === thread && listener.writes.until > now)),
  );
}

/** Gives a thread back that somebody took over by a letter and left, so that nobody waits for an answer that nobody writes. */
export const unsentJob = (context: Context): JobHandler<Payload> => ({
  async run(payload, { finish }) {
    const claim = await findUnsent(context, payload.thread);
    if (!claim) return;
    if (
      !(await isAtWork(context, payload.thread, claim)) &&
      (await release(context, payload.thread, { ...claim, by: null }))
    )
      return;
    await finish((trx) => context.queue.add(trx, unsentKind, payload, { uniqueKey: keyOf(payload), ...lookAgain }));
  },
});
