import type { KeywordRule } from '../../../shared/contracts/connections.ts';

/** However it is typed: half or full width, capitals, spaces and marks at the ends. */
const plain = (text: string) =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .replace(/^[\s\p{P}]+|[\s\p{P}]+$/gu, '');

/** The first rule that a message fits, counted from 0; -1 for none. */
export function findRule(rules: KeywordRule[], message: string): number {
  const said = plain(message);
  return rules.findIndex(({ phrases, match }) =>
    phrases.some((phrase) => {
      const words = plain(phrase);
      return words !== '' && (match === 'exact' ? said === words : said.includes(words));
    }),
  );
}
