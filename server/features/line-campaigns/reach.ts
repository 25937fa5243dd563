import type { LineReach } from '../../../shared/contracts/line-campaigns.ts';
import type { Context } from '../../feature.ts';
import type { Caller } from '../../infra/http.ts';
import { momentOf } from '../../infra/page.ts';
import { countReachable } from '../guests/guests.ts';
import { lineOf } from '../line-channels/access.ts';
import { mustFindOwn, type LineChannelTable } from '../line-channels/line-channels.ts';
import { placeOf } from './audience.ts';
import { findReach, findTakeOver, takeReach, updateReach } from './friends.store.ts';

export async function getReach(context: Context, caller: Pick<Caller, 'workspace'>, uuid: string): Promise<LineReach> {
  const { row } = await mustFindOwn(context, caller, uuid);
  const reach = await reachOf(context, row);
  const takeOver = await findTakeOver(context.db, uuid);
  return {
    known: await countKnown(context, row),
    reached: reach?.reached ?? null,
    day: reach?.day ?? null,
    takeOver: takeOver
      ? {
          state: takeOver.state,
          reason: takeOver.reason,
          found: takeOver.found,
          added: takeOver.added,
          startedAt: new Date(takeOver.started_at).toISOString(),
          endedAt: momentOf(takeOver.ended_at),
        }
      : null,
  };
}

/** Whom a channel knows, and still reaches. */
export const countKnown = ({ db }: Context, { workspace, uuid }: Pick<LineChannelTable, 'workspace' | 'uuid'>) =>
  countReachable(db, placeOf({ workspace, channel: uuid }), {});

/** LINE counts in Japan's time. */
const japanMs = 9 * 3_600_000;
const dayMs = 86_400_000;
/** LINE answers sixty such questions in an hour, and counts a day some hours after it. */
const askMs = 10 * 60_000;
const maxDays = 4;

/** How many friends an account has who have not blocked it, on the newest day of which LINE tells. Nothing while it has told of none. */
export async function reachOf(
  context: Context,
  row: LineChannelTable,
): Promise<{ day: string; reached: number } | undefined> {
  const known = await findReach(context.db, row.uuid);
  const days = Array.from({ length: maxDays }, (_, at) =>
    new Date(Date.now() + japanMs - (at + 1) * dayMs).toISOString().slice(0, 10),
  );
  const newer = days.filter((day) => day > (known?.day ?? ''));
  if (newer.length === 0 || !(await takeReach(context.db, row.uuid, { now: Date.now(), everyMs: askMs })))
    return shown(known);
  const line = lineOf(context, row);
  try {
    for (const day of newer) {
      const { status, followers, blocks, targetedReaches } = await line.followersInsight(day.replaceAll('-', ''));
      if (status !== 'ready' || followers === null) continue;
      // `targetedReaches` has only those whose age and gender LINE is sure of; a broadcast goes to all who have not blocked it.
      const told = { day, reached: Math.max(followers - (blocks ?? 0), targetedReaches ?? 0) };
      await updateReach(context.db, row.uuid, told);
      return told;
    }
  } catch (err) {
    context.log.debug({ err, channel: row.uuid }, 'LINE did not tell how many friends there are');
  }
  return shown(known);
}

const shown = (known: { day: string | null; reached: number | null } | undefined) =>
  known?.day == null || known.reached === null ? undefined : { day: known.day, reached: known.reached };
