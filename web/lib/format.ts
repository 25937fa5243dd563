import { currentLocale, formatLocale, translate } from './i18n.ts';
import { getUser } from './session.ts';

const zone = () => getUser()?.timezone || undefined;

export const formatNumber = (value: number) => new Intl.NumberFormat(formatLocale()).format(value);

/** 0.4 as 40%. */
export const formatShare = (share: number) => `${Math.round(share * 100)}%`;

/** One of them: "A, B, or C". */
export const formatChoice = (values: string[]) =>
  new Intl.ListFormat(formatLocale(), { type: 'disjunction' }).format(values);

/** All of them: "A, B, and C". */
export const formatList = (values: string[]) => new Intl.ListFormat(formatLocale()).format(values);

export function formatBytes(bytes: number): string {
  const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;
  const at = Math.min(units.length - 1, bytes > 0 ? Math.floor(Math.log10(bytes) / 3) : 0);
  // In short, English has no plural of a byte.
  return new Intl.NumberFormat(formatLocale(), {
    style: 'unit',
    unit: units[at] ?? 'byte',
    unitDisplay: at === 0 ? 'long' : 'short',
    maximumFractionDigits: at > 1 ? 1 : 0,
  }).format(bytes / 1000 ** at);
}

/** Seconds, or minutes and what is left of seconds. */
export function formatDuration(seconds: number): string {
  const part = (value: number, unit: 'minute' | 'second') =>
    new Intl.NumberFormat(formatLocale(), { style: 'unit', unit, unitDisplay: 'short' }).format(value);
  const minutes = Math.floor(seconds / 60);
  const left = seconds % 60;
  return [minutes > 0 && part(minutes, 'minute'), (left > 0 || minutes === 0) && part(left, 'second')]
    .filter(Boolean)
    .join(' ');
}

export const formatMoment = (iso: string) =>
  new Intl.DateTimeFormat(formatLocale(), { dateStyle: 'long', timeStyle: 'short', timeZone: zone() }).format(
    new Date(iso),
  );

/** Sunday 22 November, for the reader. */
export const formatToday = () =>
  new Intl.DateTimeFormat(formatLocale(), { weekday: 'long', day: 'numeric', month: 'long', timeZone: zone() }).format(
    new Date(),
  );

/** Monday, November 23, 2026. */
export const formatDate = (iso: string) =>
  new Intl.DateTimeFormat(formatLocale(), { dateStyle: 'full', timeZone: zone() }).format(new Date(iso));

/** 14:21 */
export const formatTimeOfDay = (iso: string) =>
  new Intl.DateTimeFormat(formatLocale(), { timeStyle: 'short', timeZone: zone() }).format(new Date(iso));

/** 14:21:09, where a minute is long. */
export const formatSecond = (iso: string) =>
  new Intl.DateTimeFormat(formatLocale(), { timeStyle: 'medium', timeZone: zone() }).format(new Date(iso));

/** Today where the reader is, as `2026-01-31`; or so many days before. */
export const dayHere = (daysBefore = 0) =>
  new Date(
    Date.parse(new Intl.DateTimeFormat('en-CA', { timeZone: zone() }).format(new Date())) - daysBefore * 86_400_000,
  )
    .toISOString()
    .slice(0, 10);

/** A calendar day such as 2026-01-31, which belongs to no timezone. */
export const formatDay = (day: string) =>
  new Intl.DateTimeFormat(formatLocale(), { month: 'short', day: 'numeric', timeZone: 'UTC' }).format(
    new Date(`${day}T00:00:00Z`),
  );

/** The calendar day of a moment, where the reader is. */
export const dayOf = (iso: string) => new Intl.DateTimeFormat('en-CA', { timeZone: zone() }).format(new Date(iso));

/** Such a day in full, for a heading over what happened on it. */
export const formatLongDay = (day: string) =>
  new Intl.DateTimeFormat(formatLocale(), { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(`${day}T00:00:00Z`));

const steps: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
];

/** Japanese has no spaces around numbers; where some air is wanted, the browser sets it. */
const unspaced = (text: string) => (currentLocale() === 'ja' ? text.replaceAll(' ', '') : text);

export function formatAgo(iso: string, now = Date.now()): string {
  const seconds = (new Date(iso).getTime() - now) / 1000;
  const relative = new Intl.RelativeTimeFormat(formatLocale(), { numeric: 'auto' });
  const step = steps.find(([, size]) => Math.abs(seconds) >= size);
  if (!step) return translate('common:justNow');
  const amount = seconds / step[1];
  // What has passed is complete; what is to come was a whole amount a moment ago.
  return unspaced(relative.format(amount > 0 ? Math.round(amount) : Math.trunc(amount), step[0]));
}

/** Between two sentences. */
export const gap = () => (currentLocale() === 'ja' ? '' : ' ');

/** A short wait: 32 ms, 1.4 s, 12 s; beside a longer one in the unit of that. */
export function formatWait(ms: number, beside?: number): string {
  if (beside === undefined ? ms < 100 : beside < 1000)
    return translate('common:milliseconds', { milliseconds: formatNumber(Math.max(1, Math.round(ms))) });
  const digits = ms < 10_000 ? 1 : 0;
  const seconds = new Intl.NumberFormat(formatLocale(), {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(ms / 1000);
  return translate('common:seconds', { seconds });
}
