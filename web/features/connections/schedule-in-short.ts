import type { RuleSchedule } from '../../../shared/contracts/connections.ts';
import { formatDay } from '../../lib/format.ts';
import { currentLocale, formatLocale } from '../../lib/i18n.ts';
import { order, runsOf } from './spans.ts';

export const dayName = (day: number, weekday: 'short' | 'long') =>
  new Intl.DateTimeFormat(formatLocale(), { weekday, timeZone: 'UTC' }).format(Date.UTC(2026, 1, 1 + day));

/** One beside the other, where a line has no room for more. */
export const joinDays = (days: string[]) => days.join(currentLocale() === 'ja' ? '・' : ', ');

/** In one line: the days, and the time unless it is all of the day. */
export function scheduleInShort({ first, last, weekdays, from, to }: RuleSchedule): string {
  const runs = runsOf(order, (day) => String(weekdays.includes(day))).filter(([day]) => weekdays.includes(day ?? -1));
  const days = runs.map((run) =>
    run.length > 2
      ? `${dayName(run[0] ?? 0, 'short')}–${dayName(run.at(-1) ?? 0, 'short')}`
      : joinDays(run.map((day) => dayName(day, 'short'))),
  );
  return [
    ...(first === null && last === null
      ? []
      : [`${first === null ? '' : formatDay(first)}–${last === null ? '' : formatDay(last)}`]),
    ...(weekdays.length < 7 ? [joinDays(days)] : []),
    ...(from === '00:00' && to === '24:00' ? [] : [`${from}–${to}`]),
  ].join(' ');
}
