import { formatLocale } from '../../lib/i18n.ts';
import { getUser } from '../../lib/session.ts';

/** With its year only where that is another than now. */
export function formatShortly(iso: string): string {
  const zone = { timeZone: getUser()?.timezone || undefined };
  const at = new Date(iso);
  const yearOf = (date: Date) => date.toLocaleDateString('en', { year: 'numeric', ...zone });
  return new Intl.DateTimeFormat(formatLocale(), {
    ...(yearOf(at) !== yearOf(new Date()) && { year: 'numeric' }),
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    ...zone,
  }).format(at);
}
