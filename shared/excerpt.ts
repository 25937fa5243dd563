import { foldedPieces, foldWithPlaces } from './fold.ts';

const isJapanese = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

/** Where a text has the words of a search, or else how they begin, as other forms of a word do; each once, in order. */
export function findWords(text: string, q: string): { from: number; to: number }[] {
  const { folded, places } = foldWithPlaces(text);
  return foldedPieces(q)
    .flatMap((word) => {
      const least = isJapanese.test(word) ? 2 : 3;
      for (let length = word.length; length >= Math.min(least, word.length) && length > 0; length--) {
        const at = folded.indexOf(word.slice(0, length));
        const [first, last] = [places[at], places[at + length - 1]];
        if (first && last) return [{ from: first.from, to: last.to }];
      }
      return [];
    })
    .toSorted((one, other) => one.from - other.from)
    .filter(({ from }, at, all) => at === 0 || from >= (all[at - 1]?.to ?? 0));
}

const before = 24;

/** What of a text stands around the first word of a search, on one line. */
export function excerpt(text: string, q: string, length: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  const at = q === '' ? 0 : (findWords(line, q)[0]?.from ?? 0);
  const from = at > before * 2 ? at - before : 0;
  return (from > 0 ? '…' : '') + line.slice(from, from + length).toWellFormed();
}
