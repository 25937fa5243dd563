import { AppError, errors } from '../../../shared/errors.ts';
import type { Context } from '../../feature.ts';
import type { Db, Trx } from '../../infra/db.ts';
import { jobKind, type JobHandler } from '../../infra/queue.ts';
import { readEvent } from '../../providers/channels/line/events.ts';
import { findConnectionOf } from '../connections/connections.ts';
import { happen, learnOf, maxAttempts, type Became } from './events.ts';
import { findChannelRow, findDue, listForgotten, listPending, updateEvent } from './line-channels.store.ts';
import type { LineEventTable } from './line-channels.tables.ts';

interface Payload {
  channel: string;
  workspace: string;
}

/** Works on what happens on a channel: chats beside each other, and what happens in one of them one after another. */
export const eventsKind = jobKind<Payload>({ name: 'line.events', lane: 'events', timeoutMs: 600_000 });

/** Chats of a channel at once: most of it waits for LINE, which sends pictures and names. */
const maxChats = 16;
/** After this the job ends and another goes on, so that none grows old; */
const turnMs = 60_000;
/** and after this where one chat takes so long that the others would wait for it. */
const longTurnMs = 400_000;
/** What another process has stored is looked for so often, while there is something to do. */
const lookMs = 300;
const maxRead = 200;
const pauseMs = (attempt: number) => Math.min(60_000, 1_000 * 4 ** attempt);

/** Said where something was stored meanwhile. */
class MoreError extends Error {}

/** In the transaction of what has happened: the row of a job that is there is locked, so that it cannot end without having seen it. */
export const queueEvents = (
  { queue }: Pick<Context, 'queue'>,
  trx: Trx | Db,
  { channel, workspace }: Payload,
  delayMs = 0,
): Promise<void> =>
  queue.add(
    trx,
    eventsKind,
    { channel, workspace },
    { uniqueKey: `line:${channel}`, tenant: workspace, sooner: true, delayMs },
  );

/** Jobs of this process that look for more. */
const looking = new Map<string, () => void>();

/** Something has happened: a job of this process that works on the channel looks at once, and the queue only where there is none. */
export function wake({ queue }: Pick<Context, 'queue'>, channel: string): void {
  const look = looking.get(channel);
  if (look) look();
  else queue.wake();
}

export const eventsJob = (context: Context): JobHandler<Payload> => ({
  async run({ channel, workspace }, { signal, finish }) {
    const begun = Date.now();
    const until = begun + turnMs;
    /** Chats that somebody works on. */
    const busy = new Map<string, Promise<void>>();
    const failed: unknown[] = [];
    let ready: [chat: string, events: LineEventTable[]][] = [];
    try {
      for (;;) {
        signal.throwIfAborted();
        if (failed.length > 0) throw failed[0];
        const more = Promise.withResolvers<void>();
        looking.set(channel, more.resolve);
        if (ready.length === 0 && Date.now() < (busy.size > 0 ? begun + longTurnMs : until))
          ready = [...(await listReady(context.db, channel, busy))];
        while (busy.size < maxChats) {
          const next = ready.shift();
          if (!next) break;
          const [chat, events] = next;
          const work = workOn(context, events, signal)
            .catch((error: unknown) => void failed.push(error))
            .finally(() => {
              busy.delete(chat);
              looking.get(channel)?.();
            });
          busy.set(chat, work);
        }
        if (busy.size > 0) {
          const late = setTimeout(more.resolve, lookMs);
          await more.promise;
          clearTimeout(late);
          continue;
        }
        // From here on whoever stores something wakes the queue.
        looking.delete(channel);
        const isOver = await finish(async (trx) => {
          const due = await findDue(trx, channel);
          if (due === undefined) return;
          if (due <= Date.now() && Date.now() < until) throw new MoreError();
          await queueEvents(context, trx, { channel, workspace }, Math.max(0, due - Date.now()));
        }).then(
          () => true,
          (error: unknown) => {
            if (error instanceof MoreError) return false;
            throw error;
          },
        );
        if (isOver) return;
      }
    } finally {
      looking.delete(channel);
      // Whoever takes the job up next finds nobody at work.
      await Promise.all(busy.values());
    }
  },
});

/** What is due, by chat, but for those that are being worked on: also where that ends while it is read, and is read as if it had not. */
async function listReady(
  db: Db,
  channel: string,
  busy: ReadonlyMap<string, unknown>,
): Promise<Map<string, LineEventTable[]>> {
  const before = new Set(busy.keys());
  const events = await listPending(db, { channel, now: Date.now(), most: maxRead });
  return Map.groupBy(
    events.filter(({ chat }) => !before.has(chat)),
    ({ chat }) => chat,
  );
}

/** What has happened in one chat, in its order, until something has to wait. */
async function workOn(context: Context, events: LineEventTable[], signal: AbortSignal): Promise<void> {
  for (const event of events) {
    signal.throwIfAborted();
    const now = Date.now();
    const became = await work(context, event, signal).catch((error: unknown) => failedWith(context, event, error));
    signal.throwIfAborted();
    const settled = await settle(context, event, became, now).catch((error: unknown) => {
      signal.throwIfAborted();
      // What cannot be stored is tried no more often than what cannot be done.
      return settle(context, event, failedWith(context, event, error), now);
    });
    if (settled.state === 'pending') return;
  }
}

async function settle(
  { write }: Context,
  { uuid }: LineEventTable,
  { also, ...changes }: Became,
  now: number,
): Promise<Pick<Became, 'state'>> {
  await write(
    async (trx) => {
      await Promise.all([
        updateEvent(trx, uuid, { ...changes, ...(changes.state !== 'pending' && { done_at: now, voice: null }) }),
        also?.(trx),
      ]);
    },
    { mixes: true },
  );
  return changes;
}

/** What may pass is tried again a few times, before what came after it in its chat. */
function failedWith({ log }: Context, { uuid, attempts }: LineEventTable, err: unknown): Became {
  // What is refused now is refused each time.
  if (err instanceof AppError && !errors[err.code].retry) return { state: 'failed', reason: err.code };
  log.warn({ err, event: uuid }, 'what happened on LINE could not be worked on');
  return attempts + 1 < maxAttempts
    ? { state: 'pending', reason: null, attempts: attempts + 1, due_at: Date.now() + pauseMs(attempts) }
    : { state: 'failed', reason: 'attempts', attempts: attempts + 1 };
}

async function work(context: Context, event: LineEventTable, signal: AbortSignal): Promise<Became> {
  const [[row], [connection]] = await Promise.all([
    findChannelRow(context.db, { uuid: event.channel }),
    findConnectionOf(context.db, { channel: 'line', channelId: event.channel }),
  ]);
  if (!row || !connection) return { state: 'ignored', reason: 'channel-gone' };
  const isQuiet = connection.active === 0 ? 'channel-off' : event.mode === 'active' ? undefined : 'standby';
  const read = readEvent(JSON.parse(event.raw), () => event.line_id);
  const happened = { stored: event, event: read };
  return isQuiet === undefined
    ? happen(context, row, happened, signal)
    : ((await learnOf(context, row, happened, signal)) ?? { state: 'ignored', reason: isQuiet });
}

/** Takes up what was left: its job is gone, which no way leads to that we know. */
export async function takeUpForgotten(context: Context): Promise<void> {
  const forgotten = await listForgotten(context.db, Date.now() - 60_000);
  for (const each of forgotten) await queueEvents(context, context.db, each);
  if (forgotten.length > 0) context.queue.wake();
}
