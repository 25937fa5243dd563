import type { Hours } from './contracts/connections.ts';

/** Whether somebody is there at a moment; without hours, always. A span ends before its last minute. */
export function isOpenAt(hours: Hours | null, at: Date): boolean {
  if (!hours) return true;
  const { day, date, time } = clockIn(hours.timezone, at);
  return !hours.holidays.includes(date) && (hours.week[day] ?? []).some(({ from, to }) => from <= time && time < to);
}

const days = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

/** What calendar and clock show there, written so that texts compare as times do. */
function clockIn(timezone: string, at: Date): { day: number; date: string; time: string } {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone: timezone,
    hourCycle: 'h23',
    weekday: 'short',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  }).formatToParts(at);
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.find((each) => each.type === type)?.value ?? '';
  return {
    day: days.indexOf(part('weekday')),
    date: `${part('year')}-${part('month')}-${part('day')}`,
    time: `${part('hour')}:${part('minute')}`,
  };
}
