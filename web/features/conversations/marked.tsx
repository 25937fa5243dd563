import { Fragment } from 'react';
import { toPlainText } from '../../lib/plain-text.ts';

interface Props {
  text: string;
  words: string;
  /** What is shown of a part. */
  as?: (part: string) => string;
}

/** A passage, without the marks of Markdown, in which each line of `words` is marked where it stands. */
export function Marked({ text, words, as = toPlainText }: Props) {
  const parts: { text: string; isMarked: boolean }[] = [];
  let at = 0;
  for (const { start, end } of rangesOf(text, words)) {
    parts.push({ text: text.slice(at, start), isMarked: false }, { text: text.slice(start, end), isMarked: true });
    at = end;
  }
  parts.push({ text: text.slice(at), isMarked: false });
  return parts.map((part, index) =>
    part.isMarked ? <mark key={index}>{as(part.text)}</mark> : <Fragment key={index}>{as(part.text)}</Fragment>,
  );
}

/** Where the words stand: all of them at once, or their lines, in whatever order. */
function rangesOf(text: string, words: string): { start: number; end: number }[] {
  const find = (part: string) => ({ start: text.indexOf(part), end: text.indexOf(part) + part.length });
  const whole = find(words.trim());
  if (words.trim() !== '' && whole.start >= 0) return [whole];
  const found = words
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .map(find)
    .filter(({ start }) => start >= 0)
    .toSorted((one, other) => one.start - other.start);
  return found.filter(({ start }, at) => found.slice(0, at).every(({ end }) => end <= start));
}
