import { setTimeout as sleep } from 'node:timers/promises';
import { AppError, errors } from '../../../shared/errors.ts';
import type { Context } from '../../feature.ts';
import type { Db, Trx } from '../../infra/db.ts';
import { jobKind, type JobHandler } from '../../infra/queue.ts';
import { readEvent } from '../../providers/channels/line/events.ts';
import { findConnectionOf } from '../connections/connections.ts';
import { happen, type Became } from './events.ts';
import { findChannelRow, findPending, listForgotten, updateEvent } from './line-channels.store.ts';
import type { LineEventTable } from './line-channels.tables.ts';

interface Payload {
  channel: string;
  chat: string;
}

/** Works on what happened in one chat, one after another; what cannot be done is tried for some minutes, and holds up what came after it. */
export const eventsKind = jobKind<Payload>({
  name: 'line.events',
  lane: 'events',
  timeoutMs: 300_000,
  maxAttempts: 6,
  maxPauseMs: 60_000,
});

const pauseMs = 300;

/** Said where something was stored meanwhile. */
class MoreError extends Error {}

export async function queueEvents(
  { queue }: Pick<Context, 'queue'>,
  trx: Trx | Db,
  channel: string,
  chats: string[],
): Promise<void> {
  // In one order, and with the row of a job that is there locked: it cannot end without having seen what is stored here.
  for (const chat of chats.toSorted())
    await queue.add(trx, eventsKind, { channel, chat }, { uniqueKey: `line:${channel}:${chat}`, sooner: true });
}

export const eventsJob = (context: Context): JobHandler<Payload> => ({
  async run({ channel, chat }, { signal, fenced, finish }) {
    for (;;) {
      signal.throwIfAborted();
      const [event] = await findPending(context.db, { channel, chat });
      if (event) {
        const became = await work(context, event, signal);
        signal.throwIfAborted();
        if (became.state === 'pending') {
          // The rest of what was sent at once is on its way.
          await sleep(pauseMs, undefined, { signal });
          continue;
        }
        await fenced((trx) =>
          updateEvent(trx, event.uuid, { ...became, attempts: event.attempts + 1, done_at: Date.now() }),
        );
        continue;
      }
      const isOver = await finish(async (trx) => {
        if ((await findPending(trx, { channel, chat })).length > 0) throw new MoreError();
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
  async dead({ channel, chat }) {
    const [event] = await findPending(context.db, { channel, chat });
    // What came after it is taken up by the minute's round.
    if (event) await updateEvent(context.db, event.uuid, { state: 'failed', reason: 'attempts', done_at: Date.now() });
  },
});

/** What became of an event; throws where it may yet be done. */
async function work(context: Context, event: LineEventTable, signal: AbortSignal): Promise<Became> {
  const [row] = await findChannelRow(context.db, { uuid: event.channel });
  if (!row) return { state: 'ignored', reason: 'channel-gone' };
  const [connection] = await findConnectionOf(context.db, { channelId: row.uuid });
  if (!connection || connection.active === 0) return { state: 'ignored', reason: 'channel-off' };
  if (event.mode !== 'active') return { state: 'ignored', reason: 'standby' };
  try {
    return await happen(
      context,
      row,
      { stored: event, event: readEvent(JSON.parse(event.raw), () => event.line_id) },
      signal,
    );
  } catch (error) {
    // What is refused now is refused each time.
    if (error instanceof AppError && !errors[error.code].retry) return { state: 'failed', reason: error.code };
    throw error;
  }
}

/** Takes up what was left: its job is gone, which no way leads to that we know. */
export async function takeUpForgotten(context: Context): Promise<void> {
  const forgotten = await listForgotten(context.db, Date.now() - 60_000, 1000);
  for (const { channel, chat } of forgotten) await queueEvents(context, context.db, channel, [chat]);
  if (forgotten.length > 0) context.queue.wake();
}
