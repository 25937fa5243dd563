import { AppError } from '../../../shared/errors.ts';
import type { Context } from '../../feature.ts';
import type { Position } from '../../infra/page.ts';
import {
  changeGuestThread,
  happened,
  listLeftAlone,
  listQuietThreads,
  listSnoozed,
  listTyped,
} from '../conversations/guest-threads.ts';
import { endTypedClaim, findTypedClaim } from '../conversations/typed-claims.ts';
import { settingsOf } from './connections.ts';
import { listReturning } from './connections.store.ts';
import { goOn } from './receive.ts';

const batch = 200;
const minuteMs = 60_000;

/** Conversations come back that were put away until now. */
export async function wakeSnoozed(context: Context, signal: AbortSignal, now = Date.now()): Promise<void> {
  const batches = batchesOf((after) => listSnoozed(context.db, { now, limit: batch, after }));
  await changeEach(context, signal, batches, ({ uuid }) =>
    changeGuestThread(context, uuid, (thread) =>
      thread.status === 'snoozed'
        ? {
            rows: [happened('woken')],
            changes: { status: thread.assignee ? 'staff' : 'waiting', snoozed_until: null, waiting_since: now },
          }
        : undefined,
    ),
  );
}

/** Conversations that somebody took over by typing, and left. */
export async function releaseTyped(context: Context, signal: AbortSignal, now = Date.now()): Promise<void> {
  const batches = batchesOf((after) => listTyped(context.db, { now, limit: batch, after }));
  await changeEach(context, signal, batches, async ({ uuid }) => {
    const claim = await findTypedClaim(context.db, uuid);
    const { thread, messages } = await changeGuestThread(context, uuid, (thread) => {
      if (thread.typed_until === null || thread.typed_until > now) return undefined;
      return claim && thread.status === 'staff'
        ? endTypedClaim(thread, claim, null)
        : { changes: { typed_until: null } };
    });
    if (messages.length > 0 && thread.status === 'bot') await goOn(context, thread);
  });
}

/** Conversations that people have and in which nothing was said or done for a while are the bot's again. */
export async function returnQuiet(context: Context, signal: AbortSignal, now = Date.now()): Promise<void> {
  await changeEach(context, signal, quietBatches(context, now), ({ uuid, last_seq: seen, bot }) =>
    changeGuestThread(context, uuid, (thread) =>
      thread.status === 'staff' &&
      thread.typed_until === null &&
      thread.last_role !== 'user' &&
      thread.last_seq === seen
        ? {
            rows: [happened('returned')],
            changes: { status: 'bot', bot, assignee: null, reason: null, waiting_since: null },
          }
        : undefined,
    ),
  );
}

/** Of each channel where a bot may have them back, with the bot. */
async function* quietBatches({ db }: Context, now: number) {
  for (const row of await listReturning(db)) {
    const { bot, channel_id: channelId } = row;
    const { returnMinutes } = settingsOf(row).handoff;
    if (returnMinutes === null) continue;
    const before = now - returnMinutes * minuteMs;
    const batches = batchesOf((after) => listQuietThreads(db, { channelId, before, limit: batch, after }));
    for await (const threads of batches) yield threads.map((thread) => ({ ...thread, bot }));
  }
}

/** Each begins where the one before ended, so that what could not be changed is not met again. */
async function* batchesOf<Row extends Position>(list: (after: Position | undefined) => Promise<Row[]>) {
  let rows: Row[] = [];
  do {
    rows = await list(rows.at(-1));
    if (rows.length > 0) yield rows;
  } while (rows.length === batch);
}

/** One that cannot be changed holds up no other. Throws at the end where that is so of all in a batch: then it may not be the threads. */
async function changeEach<Row extends Position>(
  { log }: Context,
  signal: AbortSignal,
  batches: AsyncIterable<Row[]>,
  change: (thread: Row) => Promise<unknown>,
): Promise<void> {
  let lost: { err: unknown; thread: string } | undefined;
  for await (const threads of batches) {
    const failures: { err: unknown; thread: string }[] = [];
    for (const thread of threads) {
      signal.throwIfAborted();
      await change(thread)
        .catch(unlessGone)
        .catch((err: unknown) => failures.push({ err, thread: thread.uuid }));
    }
    if (failures.length === threads.length) lost ??= failures[0];
    else for (const failure of failures) log.warn(failure, 'a conversation stayed as it was');
  }
  if (lost) throw new Error(`no conversation of a batch changed, from ${lost.thread} on`, { cause: lost.err });
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
