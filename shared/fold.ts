const katakana = /[ァ-ヶヽヾ]/g;
const hiraganaFrom = 'ァ'.charCodeAt(0) - 'ぁ'.charCodeAt(0);

/** The time of `normalize` grows with the square of a run of marks; no writing needs more: https://unicode.org/reports/tr15/#Stream_Safe_Text_Format */
const endlessMarks = /(\p{M}{30})\p{M}+/gu;

/** A text as a search sees it: in one width, one case and one kana, without spaces. */
export const fold = (text: string): string =>
  text
    .replace(endlessMarks, '$1')
    .normalize('NFKC')
    .toLowerCase()
    .replace(katakana, (kana) => String.fromCharCode(kana.charCodeAt(0) - hiraganaFrom))
    .replace(/\s+/g, '');

/** Several texts to search in, one on each line, so that none is found across two. */
export const foldLines = (texts: string[]): string => texts.map(fold).filter(Boolean).join('\n');

/** What a search looks for, in any order: what stands between its spaces, folded. */
export const foldedPieces = (q: string): string[] => [...new Set(q.split(/\s+/).map(fold).filter(Boolean))];

// A character and what is written on it, also as a mark of half width.
const written = /[^][\p{M}\uff9e\uff9f]*/gu;

/** A folded text, and between which places of the text each of its units was written. */
export function foldWithPlaces(text: string): { folded: string; places: { from: number; to: number }[] } {
  const parts: string[] = [];
  const places: { from: number; to: number }[] = [];
  for (const { 0: part, index } of text.matchAll(written)) {
    const folded = fold(part);
    parts.push(folded);
    const place = { from: index, to: index + part.length };
    for (let unit = 0; unit < folded.length; unit++) places.push(place);
  }
  return { folded: parts.join(''), places };
}
