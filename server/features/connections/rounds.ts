import type { Context } from '../../feature.ts';
import {
  changeGuestThread,
  happened,
  listQuietThreads,
  listSnoozed,
  listUnanswered,
} from '../conversations/guest-threads.ts';
import { settingsOf } from './connections.ts';
import { listReturning } from './connections.store.ts';
import { answerLate } from './receive.ts';

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
    );
  }
}

/** Conversations that people have answered and in which nothing was said for a while are the bot's again. */
export async function returnQuiet(context: Context, signal: AbortSignal, now = Date.now()): Promise<void> {
  for (const row of await listReturning(context.db)) {
    const { returnMinutes } = settingsOf(row).handoff;
    if (returnMinutes === null) continue;
    const before = now - returnMinutes * minuteMs;
    for (const { uuid } of await listQuietThreads(context.db, row.channel_id, before, batch)) {
      signal.throwIfAborted();
      await changeGuestThread(context, uuid, (thread) =>
        thread.status === 'staff' && thread.bot !== null && (thread.last_at ?? now) < before
          ? {
              rows: [happened('returned')],
              changes: { status: 'bot', assignee: null, reason: null, waiting_since: null },
            }
          : undefined,
      );
    }
  }
}

const lateMs = 30_000;
const longAgoMs = 60 * minuteMs;

/** What a guest wrote and nobody came to answer, because a process ended, is answered after all. */
export async function answerUnanswered(context: Context, signal: AbortSignal, now = Date.now()): Promise<void> {
  for (const thread of await listUnanswered(context.db, now - longAgoMs, now - lateMs, batch)) {
    signal.throwIfAborted();
    await answerLate(context, thread).catch((err: unknown) =>
      context.log.warn({ err, thread: thread.uuid }, 'a message could not be answered later'),
    );
  }
}
