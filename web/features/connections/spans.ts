import type { Hours, RuleSchedule } from '../../../shared/contracts/connections.ts';

export type Day = Hours['week'][number];
export type Span = Day[number];

export const mostSpans = 4;

const toMinutes = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
const toTime = (minutes: number) =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;

/** What is offered next on a day: its usual hours, or the afternoon after what it has. Nothing where midnight is near. */
export function nextSpan(day: Day): Span | undefined {
  if (day.length >= mostSpans) return undefined;
  const last = Math.max(0, ...day.map(endOf));
  if (last === 0) return { from: '09:00', to: '18:00' };
  const from = last + 60;
  return from < 24 * 60 ? { from: toTime(from), to: toTime(Math.min(from + 4 * 60, 24 * 60)) } : undefined;
}

/** Whether a span goes on into the next day. */
export const isOvernight = ({ from, to }: Span): boolean => to <= from;

/** In minutes since its day began. */
const endOf = (span: Span): number => toMinutes(span.to) + (isOvernight(span) ? 24 * 60 : 0);

/** Whether a span lies over one before it on its day. */
export function isOverlapping(day: Day, at: number): boolean {
  const span = day[at];
  return (
    span !== undefined &&
    day.slice(0, at).some((one) => toMinutes(one.from) < endOf(span) && toMinutes(span.from) < endOf(one))
  );
}

export const hasProblem = (hours: Hours | null): boolean =>
  hours?.week.some((day) => day.some((_, at) => isOverlapping(day, at))) ?? false;

/** A field of the browser knows no 24:00. */
export const toField = (time: string) => (time === '24:00' ? '00:00' : time);
export const fromField = (time: string, end: keyof Span) => (time === '00:00' && end === 'to' ? '24:00' : time);

/** From Monday to Friday, in the timezone of whoever sets it. */
export function usualHours(timezone: string): Hours {
  const day = [{ from: '09:00', to: '18:00' }];
  return { timezone, week: [[], day, day, day, day, day, []], holidays: [], closed: [], japaneseHolidays: false };
}

/** A week begins on Monday here; the contract's on Sunday. */
export const order = [1, 2, 3, 4, 5, 6, 0];

/** Every day and all day, until somebody says which. */
export const usualSchedule = (timezone: string): RuleSchedule => ({
  timezone,
  first: null,
  last: null,
  weekdays: [0, 1, 2, 3, 4, 5, 6],
  from: '00:00',
  to: '24:00',
});

/** Neighbours that are alike, together. */
export function runsOf<T>(all: readonly T[], likeness: (one: T) => string): T[][] {
  const runs: T[][] = [];
  for (const each of all) {
    const before = runs.at(-1);
    if (before?.[0] !== undefined && likeness(before[0]) === likeness(each)) before.push(each);
    else runs.push([each]);
  }
  return runs;
}
