/** Every time zone of today differs from UTC by whole ones. */
export const quarterMs = 15 * 60_000;
/** No time zone is further from UTC. */
const mostQuarters = 15 * 4;

export interface Day {
  /** As `2026-01-31`. */
  day: string;
  /** Epoch milliseconds: its first moment, and the first of the day after it. */
  since: number;
  before: number;
}

/** How a moment's calendar day is called in a time zone. */
export function dayNamer(timezone: string): (at: number) => string {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone: timezone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  });
  return (at) => format.format(at);
}

/** The calendar days from one to another, both of them included, as they begin and end in a time zone: some have 23 hours, some 25. */
export function listDays(timezone: string, from: string, until: string): Day[] {
  const nameOf = dayNamer(timezone);
  const days: Day[] = [];
  const last = Date.parse(until);
  for (let utc = Date.parse(from); utc <= last; utc += 86_400_000) {
    const day = new Date(utc).toISOString().slice(0, 10);
    const since = days.at(-1)?.before ?? beginningOf(utc, nameOf);
    days.push({ day, since, before: beginningOf(utc + 86_400_000, nameOf) });
  }
  return days;
}

/** The first quarter of an hour whose day is this one or a later one; `utc` is the beginning of the day in UTC. */
function beginningOf(utc: number, nameOf: (at: number) => string): number {
  const day = new Date(utc).toISOString().slice(0, 10);
  let [low, high] = [-mostQuarters, mostQuarters];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (nameOf(utc + middle * quarterMs) >= day) high = middle;
    else low = middle + 1;
  }
  return utc + low * quarterMs;
}
