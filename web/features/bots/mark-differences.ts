import { diffArrays } from 'diff';

/** How far two answers agree. */
export type Likeness = 'same' | 'differs' | 'apart';

interface Word {
  text: string;
  node: Text;
  start: number;
}

const name = 'differs';
/** Below this share of common words, marks would cover nearly everything. */
const leastInCommon = 0.25;

/**
 * Marks in two texts on the page the words that only one of them has, and says how alike they are. The page itself stays
 * as it is: see https://developer.mozilla.org/docs/Web/API/CSS_Custom_Highlight_API.
 */
export function markDifferences(one: Element, other: Element, locale: string): Likeness {
  unmark();
  const segmenter = new Intl.Segmenter(locale, { granularity: 'word' });
  const [first, second] = [wordsIn(one, segmenter), wordsIn(other, segmenter)];
  const parts = diffArrays(
    first.map(({ text }) => text),
    second.map(({ text }) => text),
    { timeout: 500 },
  );
  if (!parts) return 'apart';
  const [only, common]: [Word[], Word[]] = [[], []];
  let [at, otherAt] = [0, 0];
  for (const { added, removed, count } of parts) {
    if (added) only.push(...second.slice(otherAt, otherAt + count));
    else (removed ? only : common).push(...first.slice(at, at + count));
    if (!added) at += count;
    if (!removed) otherAt += count;
  }
  if (only.length === 0) return 'same';
  if (common.length < leastInCommon * Math.max(first.length, second.length)) return 'apart';
  // Browsers that cannot mark have the sentence that tells.
  if ('highlights' in CSS) CSS.highlights.set(name, new Highlight(...only.map(toRange)));
  return 'differs';
}

export const unmark = () => void ('highlights' in CSS && CSS.highlights.delete(name));

/** The numbers of sources are no words. */
function wordsIn(root: Element, segmenter: Intl.Segmenter): Word[] {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const words: Word[] = [];
  while (walker.nextNode()) {
    const node = walker.currentNode;
    if (!(node instanceof Text) || node.parentElement?.closest('sup, button')) continue;
    for (const { segment, index, isWordLike } of segmenter.segment(node.data))
      if (isWordLike) words.push({ text: segment, node, start: index });
  }
  return words;
}

function toRange({ text, node, start }: Word): Range {
  const range = new Range();
  range.setStart(node, start);
  range.setEnd(node, start + text.length);
  return range;
}
