import type { Db } from '../../infra/db.ts';
import { wroteSince } from '../conversations/guest-threads.ts';
import { countReached, updateBroadcast } from './broadcasts.store.ts';
import type { BroadcastTable } from './line-campaigns.tables.ts';

/** What somebody writes later than this answers something else. */
export const replyMs = 7 * 86_400_000;

/** The younger one is, the more its replies change: they are counted again after a sixtieth of its age. */
const shareOfAge = 1 / 60;
const longestMs = 5 * 60_000;

function isDue({ started_at: since, replies_at: counted }: BroadcastTable, now: number): boolean {
  if (since === null) return false;
  if (counted === null) return true;
  return counted < since + replyMs && now - counted > Math.min(longestMs, (counted - since) * shareOfAge);
}

/** How many who got each wrote within a week. Counting reads what a week has brought, so it is kept for a while. */
export async function repliesTo(db: Db, broadcasts: BroadcastTable[]): Promise<Map<string, number>> {
  const now = Date.now();
  const due = broadcasts.flatMap((row) =>
    row.started_at !== null && isDue(row, now)
      ? [{ uuid: row.uuid, among: wroteSince(db, row.channel, row.started_at, row.started_at + replyMs) }]
      : [],
  );
  const counted = await countReached(db, due);
  for (const { uuid } of due) await updateBroadcast(db, uuid, { replies: counted.get(uuid) ?? 0, replies_at: now });
  const isCounted = new Set(due.map(({ uuid }) => uuid));
  return new Map(
    broadcasts.map(({ uuid, replies }) => [uuid, (isCounted.has(uuid) ? counted.get(uuid) : replies) ?? 0]),
  );
}
