import { AppError } from '../../../shared/errors.ts';
import type { Context } from '../../feature.ts';
import {
  changeGuestThread,
  happened,
  listLeftAlone,
  listQuietThreads,
  listSnoozed,
} from '../conversations/guest-threads.ts';
import { settingsOf } from './connections.ts';
import { listReturning } from './connections.store.ts';
import { goOn } from './receive.ts';

const batch = 200;
const minuteMs = 60_000;

/** Conversations come back that were put away until now. */
export async function wakeSnoozed(context: Context, signal: AbortSignal, now = Date.now()): Promise<void> {
  for (const { uuid } of await listSnoozed(context.db, now, batch)) {
    signal.throwIfAborted();
    await changeGuestThread(context, uuid, (thread) =>
      thread.status === 'snoozed'
        ? {
            rows: [happened('woken')],
            changes: { status: thread.assignee ? 'staff' : 'waiting', snoozed_until: null, waiting_since: now },
          }
        : undefined,
    ).catch(unlessGone);
  }
}

/** Conversations that people have and in which nothing was said or done for a while are the bot's again. */
export async function returnQuiet(context: Context, signal: AbortSignal, now = Date.now()): Promise<void> {
  for (const row of await listReturning(context.db)) {
    const { bot, channel_id: channelId } = row;
    const { returnMinutes } = settingsOf(row).handoff;
    if (returnMinutes === null) continue;
    const before = now - returnMinutes * minuteMs;
    for (const { uuid, last_seq: seen } of await listQuietThreads(context.db, channelId, before, batch)) {
      signal.throwIfAborted();
      await changeGuestThread(context, uuid, (thread) =>
        thread.status === 'staff' && thread.last_role !== 'user' && thread.last_seq === seen
          ? {
              rows: [happened('returned')],
              changes: { status: 'bot', bot, assignee: null, reason: null, waiting_since: null },
            }
          : undefined,
      )
        .catch(unlessGone)
        // One that cannot be changed holds up no other.
        .catch((err: unknown) => context.log.warn({ err, thread: uuid }, 'a conversation was not given back'));
    }
  }
}

const lateMs = 30_000;
const longAgoMs = 24 * 60 * minuteMs;

/** What a guest wrote and nobody came to answer, because a process ended, is answered after all, and what was handed over is told. */
export async function goOnLate(context: Context, signal: AbortSignal, now = Date.now()): Promise<void> {
  const span = { since: now - longAgoMs, before: now - lateMs, limit: batch };
  for (const thread of await listLeftAlone(context.db, span)) {
    signal.throwIfAborted();
    await goOn(context, thread).catch((err: unknown) =>
      context.log.warn({ err, thread: thread.uuid }, 'a conversation could not go on'),
    );
  }
}

/** A conversation may be erased between being listed and being changed. */
function unlessGone(error: unknown): void {
  if (!(error instanceof AppError) || error.code !== 'thread-not-found') throw error;
}
