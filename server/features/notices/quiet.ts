import type { Quiet } from '../../../shared/contracts/notices.ts';
import { wallClock } from '../../../shared/hours.ts';

const dayMinutes = 24 * 60;
const minutesOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

/** Milliseconds until somebody may be disturbed again; 0 when they may be now. */
export function quietMs(quiet: Quiet | null, timezone: string, now = Date.now()): number {
  if (quiet === null) return 0;
  const [from, to, at] = [quiet.from, quiet.to, wallClock(timezone, now).time].map(minutesOf) as [
    number,
    number,
    number,
  ]; // three in, three out
  const isQuiet = from < to ? from <= at && at < to : at >= from || at < to;
  return isQuiet ? ((to - at + dayMinutes) % dayMinutes) * 60_000 : 0;
}
