import type { Hours, RuleSchedule } from './contracts/connections.ts';

type IsPublicHoliday = (day: string) => boolean;

/** Whether somebody is there at a moment, in the time of the hours' own zone; without hours somebody always is. */
export function isOpen(hours: Hours | null, now: number, isPublicHoliday: IsPublicHoliday): boolean {
  if (hours === null) return true;
  const { day, weekday, time } = wallClock(hours.timezone, now);
  const spansOf = (date: string, of: number) =>
    isClosedOn(hours, date, isPublicHoliday) ? [] : (hours.week[of] ?? []);
  return (
    spansOf(day, weekday).some(({ from, to }) => from <= time && (time < to || to <= from)) ||
    spansOf(dayAfter(day, -1), (weekday + 6) % 7).some(({ from, to }) => to <= from && time < to)
  );
}

/** Whether a moment is on a day that is closed whatever the week says. */
export const isHoliday = (hours: Hours | null, now: number, isPublicHoliday: IsPublicHoliday): boolean =>
  hours !== null && isClosedOn(hours, wallClock(hours.timezone, now).day, isPublicHoliday);

const isClosedOn = (
  { holidays, closed, japaneseHolidays }: Hours,
  day: string,
  isPublicHoliday: IsPublicHoliday,
): boolean =>
  holidays.includes(day) ||
  closed.some((days) => ('first' in days ? days.first <= day && day <= days.last : isNth(days, day))) ||
  (japaneseHolidays && isPublicHoliday(day));

/** Whether a date is that weekday of its month: the third is one of its days 15 to 21, the last has none a week later. */
function isNth({ weekday, nth }: { weekday: number; nth: number }, day: string): boolean {
  if (new Date(day).getUTCDay() !== weekday) return false;
  return nth === -1 ? dayAfter(day, 7).slice(0, 7) !== day.slice(0, 7) : Math.ceil(Number(day.slice(8)) / 7) === nth;
}

/** Whether a moment is in a schedule, by the clock of its zone; a night belongs to the day on which it begins. */
export function isScheduled(
  { timezone, first, last, weekdays: on, from, to }: RuleSchedule,
  now = Date.now(),
): boolean {
  const { day, weekday, time } = wallClock(timezone, now);
  const isOn = (date: string, of: number) =>
    on.includes(of) && (first === null || first <= date) && (last === null || date <= last);
  if (from < to) return from <= time && time < to && isOn(day, weekday);
  return (from <= time && isOn(day, weekday)) || (time < to && isOn(dayAfter(day, -1), (weekday + 6) % 7));
}

const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

/** What a clock and a calendar on the wall show there. */
export function wallClock(timeZone: string, now: number): { day: string; weekday: number; time: string } {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    weekday: 'short',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  }).formatToParts(now);
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.find((each) => each.type === type)?.value ?? '';
  return {
    day: `${part('year')}-${part('month')}-${part('day')}`,
    weekday: weekdays.indexOf(part('weekday')),
    time: `${part('hour')}:${part('minute')}`,
  };
}

const dayMs = 86_400_000;

/** When a clock on the wall shows this there: the first time where it does twice, and as much later as it skips where it never does. */
export function momentAt(timeZone: string, day: string, time: string): number {
  const wanted = Date.parse(`${day}T${time}Z`);
  const shownAt = (at: number) => {
    const shown = wallClock(timeZone, at);
    return Date.parse(`${shown.day}T${shown.time}Z`);
  };
  const moments = [wanted - dayMs, wanted + dayMs].map((at) => wanted - (shownAt(at) - at));
  const exact = moments.filter((at) => shownAt(at) === wanted);
  return exact.length > 0 ? Math.min(...exact) : Math.max(...moments);
}

/** The date so many days later. */
export const dayAfter = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10);
