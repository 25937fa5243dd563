import { currentLocale } from './i18n.ts';
import { getUser } from './session.ts';

/** Where the reader is. */
export const zoneOfReader = () => getUser()?.timezone || Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Dec 20, 10:00 AM; with its year where that is another than now. */
export function formatShortly(iso: string, timeZone = zoneOfReader()): string {
  const at = new Date(iso);
  const yearOf = (day: Date) => new Intl.DateTimeFormat('en', { year: 'numeric', timeZone }).format(day);
  return new Intl.DateTimeFormat(currentLocale(), {
    ...(yearOf(at) !== yearOf(new Date()) && { year: 'numeric' }),
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZone,
  }).format(at);
}
