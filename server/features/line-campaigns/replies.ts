import type { Context } from '../../feature.ts';
import { wroteSince } from '../conversations/guest-threads.ts';
import { countReachedAmong, updateBroadcast } from './broadcasts.store.ts';
import type { BroadcastTable } from './line-campaigns.tables.ts';

/** What somebody writes later than this answers something else. */
export const replyMs = 7 * 86_400_000;

/** The younger one is, the more its replies change: they are counted again after a sixtieth of its age. */
const shareOfAge = 1 / 60;
const maxAgeMs = 5 * 60_000;
/** One takes 0.1 s where 20,000 wrote since, and SQLite serves nobody else meanwhile: the rest is counted the next time. */
const maxSpentMs = 50;

/** Never is 0, and so is a moment to come: then the clock was set back. */
const countedAt = ({ replies_at: at }: BroadcastTable, now: number) => (at === null || at > now ? 0 : at);

function isDue(broadcast: BroadcastTable, now: number): boolean {
  const since = broadcast.started_at;
  if (since === null) return false;
  const counted = countedAt(broadcast, now);
  const isOver = counted >= since + replyMs && broadcast.replies !== null;
  return !isOver && now - counted > Math.min(maxAgeMs, (counted - since) * shareOfAge);
}

/** How many who got each wrote within a week, as it was counted last; null where it has not been counted. Counting reads what a week has brought, so it is kept. */
export async function repliesTo(
  { db, log }: Pick<Context, 'db' | 'log'>,
  broadcasts: BroadcastTable[],
): Promise<Map<string, number | null>> {
  const began = Date.now();
  const replies = new Map(broadcasts.map((row) => [row.uuid, row.replies]));
  // Those first that wait longest, so that none is passed over for ever.
  const due = broadcasts
    .filter((row) => isDue(row, began))
    .toSorted((one, other) => countedAt(one, began) - countedAt(other, began));
  for (const { uuid, channel, started_at: since } of due) {
    if (since === null) continue;
    const now = Date.now();
    if (now - began > maxSpentMs) break;
    try {
      const count = await countReachedAmong(db, uuid, wroteSince(db, channel, since, since + replyMs));
      replies.set(uuid, count);
      await updateBroadcast(db, uuid, { replies: count, replies_at: now });
    } catch (err) {
      // The list is told all the same, and they are counted again.
      log.warn({ err, broadcast: uuid }, 'the replies to a broadcast were not counted');
      // Others have their turn first. What was counted before the week was over is not the last word, and a later count must be due.
      const isOver = now >= since + replyMs;
      if (isOver) replies.set(uuid, null);
      await updateBroadcast(db, uuid, { replies_at: now, ...(isOver && { replies: null }) }).catch(() => undefined);
    }
  }
  return replies;
}
