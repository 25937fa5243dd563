import japan from '@holiday-jp/holiday_jp';
import type { Hours } from '../../../shared/contracts/connections.ts';
import * as shared from '../../../shared/hours.ts';

// By its date alone: what the package asks of a `Date` depends on the zone of this machine.
const isJapaneseHoliday = (day: string): boolean => Object.hasOwn(japan.holidays, day);

/** Whether somebody is there at a moment, by hours that may keep the public holidays of Japan. */
export const isOpen = (hours: Hours | null, now = Date.now()): boolean => shared.isOpen(hours, now, isJapaneseHoliday);

/** Whether a moment is on a day that is closed whatever the week says. */
export const isHoliday = (hours: Hours | null, now = Date.now()): boolean =>
  shared.isHoliday(hours, now, isJapaneseHoliday);

/** So many are told to pages, about a year of them: pages have no calendar of their own. */
const told = 20;

/** The public holidays of Japan from yesterday on, as 2026-12-31; what is today depends on where one is. */
export function nextJapaneseHolidays(now = Date.now()): string[] {
  const yesterday = shared.dayAfter(new Date(now).toISOString().slice(0, 10), -1);
  return Object.keys(japan.holidays)
    .filter((day) => day >= yesterday)
    .slice(0, told);
}
