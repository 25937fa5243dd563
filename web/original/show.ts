import type { View } from '../lib/original-frame.ts';
import { findWords, squeeze, type Range as Found } from './find-words.ts';

/** Makes a page as large as it should be, marks the words and brings them into view. */
export function show(paper: string | undefined, { zoom, words }: View): void {
  const root = document.documentElement;
  root.style.setProperty('zoom', '1');
  const width = paper ? document.querySelector<HTMLElement>(paper)?.offsetWidth : undefined;
  root.style.setProperty('zoom', String((width ? root.clientWidth / width : 1) * zoom));
  const ranges = words === '' ? [] : rangesOf(words);
  // Browsers without it bring the words into view all the same.
  if ('Highlight' in window) CSS.highlights.set('cited', new Highlight(...ranges));
  ranges[0]?.startContainer.parentElement?.scrollIntoView({ block: 'center', inline: 'nearest' });
}

const mostCharacters = 3_000_000;

function rangesOf(words: string): Range[] {
  const walker = document.createTreeWalker(document.body ?? document.documentElement, NodeFilter.SHOW_TEXT);
  const nodes: { node: Node; from: number; text: string }[] = [];
  const parts: string[] = [];
  let length = 0;
  for (let node = walker.nextNode(); node && length < mostCharacters; node = walker.nextNode()) {
    if (node.parentElement?.closest('style, title, template')) continue;
    const text = node.nodeValue ?? '';
    const part = squeeze(text);
    if (part === '') continue;
    nodes.push({ node, from: length, text });
    parts.push(part);
    length += part.length;
  }
  return findWords(parts.join(''), words).flatMap((found) => rangeOf(nodes, found) ?? []);
}

type Place = { node: Node; offset: number };

function rangeOf(nodes: { node: Node; from: number; text: string }[], { start, end }: Found): Range | undefined {
  /** The letter that has this number in the squeezed text. */
  const placeOf = (at: number, isEnd: boolean): Place | undefined => {
    const found = nodes.findLast(({ from }) => from <= at);
    if (!found) return undefined;
    let left = at - found.from;
    let offset = 0;
    for (const char of found.text) {
      const size = squeeze(char).length;
      if (size > left) return { node: found.node, offset: isEnd ? offset + char.length : offset };
      left -= size;
      offset += char.length;
    }
    return { node: found.node, offset: found.text.length };
  };
  const [first, last] = [placeOf(start, false), placeOf(end - 1, true)];
  if (!first || !last) return undefined;
  const range = document.createRange();
  range.setStart(first.node, first.offset);
  range.setEnd(last.node, last.offset);
  return range;
}
