import { AppError, errors } from '../../../shared/errors.ts';
import type { Context } from '../../feature.ts';
import type { Db, Trx } from '../../infra/db.ts';
import { jobKind, type JobHandler } from '../../infra/queue.ts';
import { readEvent } from '../../providers/channels/line/events.ts';
import { findConnectionOf } from '../connections/connections.ts';
import { happen, type Became } from './events.ts';
import { findChannelRow, listForgotten, listPending, updateEvent } from './line-channels.store.ts';
import type { LineEventTable } from './line-channels.tables.ts';

interface Payload {
  channel: string;
}

/** Works on what happens on a channel: chats beside each other, and what happens in one of them one after another. */
export const eventsKind = jobKind<Payload>({ name: 'line.events', lane: 'events', timeoutMs: 600_000 });

/** Chats of a channel at once: most of it waits for LINE, which sends pictures and names. */
const maxChats = 8;
/** After this the job ends and another goes on, so that none grows old. */
const turnMs = 60_000;
/** What another process has stored is looked for so often, while there is something to do. */
const lookMs = 300;
const maxRead = 200;
const maxAttempts = 6;
const pauseMs = (attempt: number) => Math.min(60_000, 1_000 * 4 ** attempt);

/** Said where something was stored meanwhile. */
class MoreError extends Error {}

/** In the transaction of what has happened: the row of a job that is there is locked, so that it cannot end without having seen it. */
export const queueEvents = (
  { queue }: Pick<Context, 'queue'>,
  trx: Trx | Db,
  channel: string,
  delayMs = 0,
): Promise<void> => queue.add(trx, eventsKind, { channel }, { uniqueKey: `line:${channel}`, sooner: true, delayMs });

/** Jobs of this process that look for more. */
const looking = new Map<string, () => void>();

/** Something has happened that a job of this process may know of at once. */
export const wake = (channel: string): void => looking.get(channel)?.();

export const eventsJob = (context: Context): JobHandler<Payload> => ({
  async run({ channel }, { signal, finish }) {
    const until = Date.now() + turnMs;
    const busy = new Map<string, Promise<void>>();
    const failed: unknown[] = [];
    for (;;) {
      signal.throwIfAborted();
      const more = Promise.withResolvers<void>();
      looking.set(channel, more.resolve);
      const events = await listPending(context.db, { channel, most: maxRead });
      for (const [chat, waiting] of Date.now() < until ? Map.groupBy(events, (event) => event.chat) : []) {
        if (busy.size >= maxChats) break;
        if (busy.has(chat) || (waiting[0]?.due_at ?? 0) > Date.now()) continue;
        const work = workOn(context, waiting, signal)
          .catch((error: unknown) => void failed.push(error))
          .finally(() => {
            busy.delete(chat);
            more.resolve();
            wake(channel);
          });
        busy.set(chat, work);
      }
      if (failed.length > 0) throw failed[0];
      if (busy.size > 0) {
        const late = setTimeout(more.resolve, lookMs);
        await more.promise;
        clearTimeout(late);
        continue;
      }
      looking.delete(channel);
      const isOver = await finish(async (trx) => {
        const left = await listPending(trx, { channel, most: maxRead });
        const due = Math.min(...left.map(({ due_at: at }) => at));
        if (due <= Date.now() && Date.now() < until) throw new MoreError();
        if (left.length > 0) await queueEvents(context, trx, channel, Math.max(0, due - Date.now()));
      }).then(
        () => true,
        (error: unknown) => {
          if (error instanceof MoreError) return false;
          throw error;
        },
      );
      if (isOver) return;
    }
  },
});

/** What has happened in one chat, in its order, until something has to wait. */
async function workOn(context: Context, events: LineEventTable[], signal: AbortSignal): Promise<void> {
  for (const event of events) {
    signal.throwIfAborted();
    const now = Date.now();
    const became = await work(context, event, signal).catch((error: unknown) => failedWith(context, event, error));
    signal.throwIfAborted();
    const isWaiting = became.state === 'pending';
    await context.write((trx) => updateEvent(trx, event.uuid, { ...became, ...(!isWaiting && { done_at: now }) }), {
      mixes: true,
    });
    if (isWaiting) return;
  }
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
    findConnectionOf(context.db, { channelId: event.channel }),
  ]);
  if (!row || !connection) return { state: 'ignored', reason: 'channel-gone' };
  if (connection.active === 0) return { state: 'ignored', reason: 'channel-off' };
  if (event.mode !== 'active') return { state: 'ignored', reason: 'standby' };
  const read = readEvent(JSON.parse(event.raw), () => event.line_id);
  return happen(context, row, { stored: event, event: read }, signal);
}

/** Takes up what was left: its job is gone, which no way leads to that we know. */
export async function takeUpForgotten(context: Context): Promise<void> {
  const forgotten = await listForgotten(context.db, Date.now() - 60_000);
  for (const { channel } of forgotten) await queueEvents(context, context.db, channel);
  if (forgotten.length > 0) context.queue.wake();
}
