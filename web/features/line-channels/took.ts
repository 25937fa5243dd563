import { currentLocale } from '../../lib/i18n.ts';
import { formatWait } from '../../lib/format.ts';

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** How long an answer took, as one says it: 0.8 s, 12 s, 5 min, 1 hr 14 min. */
export function formatTook(ms: number): string {
  const at = units.findIndex(([, size]) => ms >= size);
  const largest = units[at];
  if (!largest) return formatWait(ms);
  const [unit, size] = largest;
  const rest = units[at + 1];
  const parts: [string, number][] = [[unit, Math.floor(ms / size)]];
  if (rest) parts.push([rest[0], Math.floor((ms % size) / rest[1])]);
  const locale = currentLocale();
  const text = parts
    .filter(([, count]) => count > 0)
    .map(([name, count]) =>
      new Intl.NumberFormat(locale, { style: 'unit', unit: name, unitDisplay: 'short' }).format(count),
    )
    .join(' ');
  return locale === 'ja' ? text.replaceAll(' ', '') : text;
}
