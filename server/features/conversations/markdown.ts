/** A text of one line that means nothing but itself in Markdown: https://spec.commonmark.org/0.31.2/#backslash-escapes */
export const plain = (text: string): string =>
  text
    .replace(/[\r\n]+/g, ' ')
    .replace(/[\\`*_[\]<>~|&$#!]/g, '\\$&')
    .replace(/^[ \t]+/, (spaces) => '\u00a0'.repeat(spaces.length))
    .replace(/^[-+=]/, '\\$&')
    .replace(/^(\d+)([.)])/, '$1\\$2');

/**
 * Markdown as a bot wrote it, without what reaches beyond the place in which it stands: tags, pictures from elsewhere and
 * definitions of links that would change other parts of the file. Code stays as it is where every reader sees it as code.
 */
export const contained = (markdown: string): string => read(markdown, (line) => line).text;

/**
 * The same for a place that nothing closes: its headings are below those of the file, and a fence that is open at its end is
 * closed. Undefined where readers may differ on what is a fence.
 * https://spec.commonmark.org/0.31.2/#leaf-blocks
 */
export function closed(markdown: string): string | undefined {
  const { text, fence, isLost } = read(markdown, (line, former) => {
    // A line under another one would make a heading of it.
    if (/^ {0,3}=+[ \t]*$/.test(line)) return line.replace('=', '\\=');
    if (/^ {0,3}-+[ \t]*$/.test(line) && former.trim() !== '') return `\n${line}`;
    return line.replace(/^( {0,3})(#{1,6})(?=[ \t]|$)/, (_, indent: string, marks: string) =>
      indent.concat('#'.repeat(Math.min(6, marks.length + 2))),
    );
  });
  if (isLost) return undefined;
  return fence === undefined ? text : `${text}\n${fence}`;
}

/** @param place What a line that is no code is in its place, by the one before it. */
function read(markdown: string, place: (line: string, former: string) => string) {
  let fence: string | undefined;
  let isLost = false;
  /** Whether code within lines is surely what it seems: nothing before it in the paragraph is left open. */
  let isSure = true;
  const lines = markdown.split(/\r\n|\r|\n/);
  const text = lines
    .map((written, at) => {
      if (fence !== undefined) {
        const end = /^ {0,3}(`{3,}|~{3,})[ \t]*$/.exec(written)?.[1];
        if (end?.startsWith(fence)) fence = undefined;
        return written;
      }
      const line = place(written, lines[at - 1] ?? '');
      // Further in a line it may belong to a list and end with it: from there on nothing is surely code.
      if (/^[\s>*+\-\d.)]+(?:`{3,}|~{3,})/.test(line)) isLost = true;
      if (isLost) return withoutReach(line, true);
      fence = /^(`{3,}(?=[^`]*$)|~{3,})/.exec(line)?.[1];
      if (line.trim() === '') isSure = true;
      if (fence !== undefined) return line;
      const { parts, isClosed } = isSure ? spansOf(line) : { parts: [line], isClosed: false };
      isSure = isClosed;
      return parts.map((part, at) => (at % 2 === 1 ? part : withoutReach(part, at === 0))).join('');
    })
    .join('\n');
  return { text, fence, isLost };
}

/** What is not code and what is, by turns, and whether a run of backticks is left that a later line may close. */
function spansOf(line: string): { parts: string[]; isClosed: boolean } {
  // In a table a bar ends its cell, in code or not.
  if (line.includes('\\`') || line.includes('|')) return { parts: [line], isClosed: false };
  const parts = [''];
  let wanted: string | undefined;
  for (const piece of line.split(/(`+)/)) {
    const isRun = piece.startsWith('`');
    if (isRun && wanted === undefined) {
      wanted = piece;
      parts.push(piece);
    } else {
      parts[parts.length - 1] += piece;
      if (isRun && piece === wanted) {
        wanted = undefined;
        parts.push('');
      }
    }
  }
  return wanted === undefined ? { parts, isClosed: true } : { parts: [line], isClosed: false };
}

const withoutReach = (text: string, isBegin: boolean): string =>
  (isBegin ? text.replace(/^((?:\s|>|[-*+]\s|\d+[.)]\s)*)\[(?=(?:[^\]\\]|\\.)*(?:\]:|$))/, '$1\\[') : text).replace(
    /<(?=[A-Za-z/!?])(?!https?:[^\s<>]*>)|!(?=\[)/g,
    (sign, at: number, whole: string) => (isEscaped(whole, at) ? sign : `\\${sign}`),
  );

function isEscaped(text: string, at: number): boolean {
  let from = at;
  while (text[from - 1] === '\\') from--;
  return (at - from) % 2 === 1;
}
