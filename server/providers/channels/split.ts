/** Where a text is best cut, best first: between paragraphs, lines, sentences, words. */
const cuts = [/\n\n+/g, /\n/g, /(?<=[。！？])|(?<=[.!?])\s/g, /\s/g];

/**
 * Splits a text into parts of at most `most` UTF-16 code units, between paragraphs, lines, sentences or words where that leaves
 * no part under half of it, and never inside of what is read as one character unless that alone is longer.
 */
export function splitText(text: string, most: number): string[] {
  const parts: string[] = [];
  let rest = text.trim();
  while (rest.length > most) {
    const at = cutAt(rest, most);
    parts.push(rest.slice(0, at).trimEnd());
    rest = rest.slice(at).trimStart();
  }
  return rest === '' ? parts : [...parts, rest];
}

const characters = new Intl.Segmenter();

function cutAt(text: string, most: number): number {
  const head = text.slice(0, most + 1);
  for (const cut of cuts) {
    const at = [...head.matchAll(cut)].findLast(({ index }) => index >= most / 2 && index <= most)?.index;
    if (at !== undefined) return at;
  }
  // A little more than fits tells whether the last character goes on.
  const last = [...characters.segment(text.slice(Math.max(0, most - 200), most + 200))].findLast(
    ({ index }) => Math.max(0, most - 200) + index <= most,
  );
  const at = Math.max(0, most - 200) + (last?.index ?? 0);
  return at > 0 ? at : most;
}
