import type { ListedBroadcast } from '../../../shared/contracts/line-campaigns.ts';
import { formatAgo, formatMoment } from '../../lib/format.ts';
import { currentLocale } from '../../lib/i18n.ts';
import { getUser } from '../../lib/session.ts';

/** A time on the wall, whichever zone it is of. */
export const readable = (local: string) =>
  new Intl.DateTimeFormat(currentLocale(), { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' }).format(
    new Date(`${local}:00Z`),
  );

/** When it goes out, as it was set; with the zone that was named, where it is not the reader's. */
export function dueOf({ time, dueAt }: ListedBroadcast): { moment: string; zone?: string } {
  const here = getUser()?.timezone || Intl.DateTimeFormat().resolvedOptions().timeZone;
  return time && time.timezone !== here
    ? { moment: readable(time.local), zone: zoneName(time.timezone) }
    : { moment: formatMoment(dueAt ?? '') };
}

/** What people call a zone: Japan Standard Time for Asia/Tokyo. */
export const zoneName = (timezone: string) =>
  new Intl.DateTimeFormat(currentLocale(), { timeZone: timezone, timeZoneName: 'longGeneric' })
    .formatToParts()
    .find(({ type }) => type === 'timeZoneName')?.value ?? timezone;

const dayMs = 86_400_000;

/** How long it is until then, in days where that is more than one. */
export function aheadOf(dueAt: string, now = Date.now()): string {
  const days = Math.round((Date.parse(dueAt) - now) / dayMs);
  if (days < 2) return formatAgo(dueAt, now);
  const text = new Intl.RelativeTimeFormat(currentLocale()).format(days, 'day');
  return currentLocale() === 'ja' ? text.replaceAll(' ', '') : text;
}
