const fence = /^ {0,3}(`{3,}|~{3,})/;
const indentedFence = /^\s*(`{3,}|~{3,})/;
const item = /^ {0,3}(?:[-*+]|\d{1,9}[.)])(?:\s|$)/;
const definition = /^ {0,3}\[[^\]\n]+\]:/m;

/**
 * Cuts a Markdown text where one top-level block ends and the next begins, so that only the block that grows is drawn
 * again while an answer comes. The pieces put together are the text.
 */
export function splitBlocks(text: string): string[] {
  // What a link or a footnote refers to may stand anywhere, so such a text stays whole.
  if (definition.test(text)) return [text];
  const blocks: string[] = [];
  let current = '';
  let open = '';
  let isBegun = false;
  let isList = false;
  let isAfterBlank = false;
  for (const line of text.match(/[^\n]+\n?|\n/g) ?? []) {
    const isBlank = line.trim() === '';
    if (isAfterBlank && !isBlank && open === '' && !goesOn(line, isList)) {
      blocks.push(current);
      current = '';
      isBegun = false;
    }
    if (!isBegun && !isBlank) isList = item.test(line);
    isBegun ||= !isBlank;
    current += line;
    open = stillOpen(open, line, isList);
    isAfterBlank = isBlank && open === '';
  }
  if (current !== '') blocks.push(current);
  return blocks;
}

/** After an empty line a list goes on with its next item or with what is indented below one; indented code goes on, too. */
const goesOn = (line: string, isList: boolean) => /^(?: {2,}|\t)/.test(line) || (isList && item.test(line));

/** The fence of code or formulas that the line leaves open. */
function stillOpen(open: string, line: string, isList: boolean): string {
  if (open === '$$') return line.includes('$$') ? '' : open;
  if (open !== '') {
    const end = indentedFence.exec(line)?.[1] ?? '';
    return end.startsWith(open) && line.trim() === end ? '' : open;
  }
  const begin = (isList ? indentedFence : fence).exec(line)?.[1];
  if (begin !== undefined) return begin.startsWith('`') && line.trim().slice(begin.length).includes('`') ? '' : begin;
  return /^\s{0,3}\$\$/.test(line) && !line.trim().slice(2).includes('$$') ? '$$' : '';
}

const maxNesting = 30;
const nested = new RegExp(`^(?:[ \\t]*(?:>|[-*+](?=[ \\t>])|\\d{1,9}[.)](?=[ \\t]))){${maxNesting},}`, 'm');
const indented = new RegExp(`^[ \\t]{${maxNesting * 4},}(?:[-*+]|\\d{1,9}[.)])[ \\t]`, 'm');
const brackets = /[[\]*_~`]{200,}|(?:[[*_~][^\n[*_~]{0,3}){2000,}/;
const maxCharacters = 60_000;

/** What is nested so deep or grown so long that drawing it would keep the page from answering; it is shown as it was written. */
export const isTooMuch = (block: string): boolean =>
  block.length > maxCharacters || nested.test(block) || indented.test(block) || brackets.test(block);
