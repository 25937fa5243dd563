import type { ConnectionSettings } from '../../../shared/contracts/connections.ts';
import { isScheduled } from '../../../shared/hours.ts';
import { isOpen } from './hours.ts';

const maxLength = 8000;

/** However it is typed: half or full width, capitals, spaces and marks at the ends. */
export function plain(text: string): string {
  const words = text.normalize('NFKC').slice(0, maxLength).toLowerCase().replace(/\s+/g, ' ');
  // By hand: a pattern that ends with `+$` begins anew at each mark inside of the text.
  let end = words.length;
  while (end > 0 && isEdge(words.charAt(end - 1))) end--;
  let start = 0;
  while (start < end && isEdge(words.charAt(start))) start++;
  return words.slice(start, end);
}

const isEdge = (character: string) => /[\s\p{P}]/u.test(character);

/** The first rule that a message fits at a time, counted from 0; -1 for none. */
export function findRule(
  { rules, hours }: Pick<ConnectionSettings, 'rules' | 'hours'>,
  message: string,
  now = Date.now(),
): number {
  if (rules.length === 0) return -1;
  const said = plain(message);
  const isThere = isOpen(hours, now) ? 'open' : 'closed';
  return rules.findIndex(
    ({ phrases, match, when, schedule }) =>
      (when === 'always' || when === isThere || (schedule !== null && when === 'schedule')) &&
      (match === 'any' ||
        phrases.some((phrase) => {
          const words = plain(phrase);
          return words !== '' && (match === 'exact' ? said === words : said.includes(words));
        })) &&
      // Last, since to read a clock takes the longest.
      (when !== 'schedule' || schedule === null || isScheduled(schedule, now)),
  );
}
