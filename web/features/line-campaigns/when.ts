import type { BroadcastBase } from '../../../shared/contracts/line-campaigns.ts';
import { formatAgo, formatMoment } from '../../lib/format.ts';
import { currentLocale, formatLocale } from '../../lib/i18n.ts';
import { getUser } from '../../lib/session.ts';

/** A time on the wall, whichever zone it is of. */
export const readable = (local: string) =>
  new Intl.DateTimeFormat(formatLocale(), { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' }).format(
    new Date(`${local}:00Z`),
  );

const here = () => getUser()?.timezone || Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Dec 20, 10:00 AM; with its year where that is another. */
export function formatShort(iso: string, timeZone = here()): string {
  const at = new Date(iso);
  const yearOf = (day: Date) => new Intl.DateTimeFormat('en', { year: 'numeric', timeZone }).format(day);
  return new Intl.DateTimeFormat(formatLocale(), {
    ...(yearOf(at) !== yearOf(new Date()) && { year: 'numeric' }),
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZone,
  }).format(at);
}

/** When it goes out, as it was set; with the zone that was named, where the reader's clock says something else. */
export function dueOf({ time, dueAt }: BroadcastBase): string {
  const timeZone = time?.timezone ?? here();
  const moment = formatShort(dueAt ?? '', timeZone);
  return moment === formatShort(dueAt ?? '') ? moment : `${moment} ${shortZone(timeZone)}`;
}

/** A moment by the reader's clock, with its zone. */
export const hereOf = (iso: string) => `${formatMoment(iso)} ${shortZone(here())}`;

/** JST for Asia/Tokyo: each language knows the short names of its own zones, and another says GMT+9. */
function shortZone(timeZone: string): string {
  const names = [currentLocale(), 'ja', 'en'].map(
    (locale) =>
      new Intl.DateTimeFormat(locale, { timeZone, timeZoneName: 'short' })
        .formatToParts()
        .find(({ type }) => type === 'timeZoneName')?.value ?? timeZone,
  );
  return names.find((name) => !name.startsWith('GMT')) ?? names[0] ?? timeZone;
}

/** What people call a zone: Japan Standard Time for Asia/Tokyo, 日本時間 in Japanese. */
export const zoneName = (timezone: string) =>
  new Intl.DateTimeFormat(formatLocale(), { timeZone: timezone, timeZoneName: 'longGeneric' })
    .formatToParts()
    .find(({ type }) => type === 'timeZoneName')
    ?.value.replace(/標準時$/, '時間') ?? timezone;

const dayMs = 86_400_000;

/** How long it is until then, in days where that is more than one. */
export function aheadOf(dueAt: string, now = Date.now()): string {
  const days = Math.round((Date.parse(dueAt) - now) / dayMs);
  if (days < 2) return formatAgo(dueAt, now);
  const text = new Intl.RelativeTimeFormat(formatLocale()).format(days, 'day');
  return currentLocale() === 'ja' ? text.replaceAll(' ', '') : text;
}

/** A calendar day as whoever uses the other language reads it. */
export const dayElsewhere = (day: string) =>
  new Intl.DateTimeFormat(formatLocale() === 'ja' ? 'en' : 'ja', {
    month: 'short',
    day: 'numeric',
    timeZone: 'UTC',
  }).format(Date.parse(day));
