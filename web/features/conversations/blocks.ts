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
  let isList = false;
  let isAfterBlank = false;
  for (const line of text.match(/[^\n]*\n|[^\n]+$/g) ?? []) {
    const isBlank = line.trim() === '';
    if (isAfterBlank && !isBlank && open === '' && !goesOn(line, isList)) {
      blocks.push(current);
      current = '';
    }
    if (current.trim() === '' && !isBlank) isList = item.test(line);
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

const mostNested = 30;
const nested = new RegExp(`^(?:[ \\t]*(?:>|[-*+](?=[ \\t>])|\\d{1,9}[.)](?=[ \\t]))){${mostNested},}`, 'm');
const indented = new RegExp(`^[ \\t]{${mostNested * 4},}(?:[-*+]|\\d{1,9}[.)])[ \\t]`, 'm');
const brackets = /[[\]*_~`]{200,}|(?:[[*_~][^\n]{0,3}){2000,}/;
const mostCharacters = 60_000;

/** What is nested so deep or grown so long that drawing it would keep the page from answering; it is shown as it was written. */
export const isTooMuch = (block: string): boolean => block.length > mostCharacters || nested.test(block) || indented.test(block) || brackets.test(block);

/** Whether a formula may be in the text: what looks for them is fetched only then. */
export const mayHaveMath = (text: string): boolean => /\$[^\s$]|\$\$|\\\[|\\\(/.test(text) && (/\$[^$]*\$/.test(text) || /\\[[(]/.test(text));

export const mayHaveCode = (text: string): boolean => /^\s*(?:`{3,}|~{3,})\s*[\w+#-]/m.test(text);

/**
 * Formulas in the one way that the parser knows: `$$…$$`. `\(…\)` and `\[…\]` are what most models write; a single dollar
 * counts as Pandoc counts it (https://pandoc.org/MANUAL.html#extension-tex_math_dollars), since prices have dollars, too.
 */
export function toMath(text: string): string {
  return text
    .split(/(^[ \t]*(?:`{3,}|~{3,})[\s\S]*?(?:^[ \t]*(?:`{3,}|~{3,})[ \t]*$|(?![\s\S]))|`[^`\n]*`)/m)
    .map((part, at) => (at % 2 === 1 ? part : rewrite(part)))
    .join('');
}

function rewrite(text: string): string {
  return text
    .replace(/\\\[([\s\S]+?)\\\]/g, (_, formula: string) => display(formula))
    .replace(/\\\(([^\n]+?)\\\)/g, (_, formula: string) => `$$${formula.trim()}$$`)
    .replace(/^[ \t]*\$\$([^\n$]+)\$\$[ \t]*$/gm, (_, formula: string) => display(formula))
    .replace(/(^|[^$\\])\$(?![\s$])([^$\n]*?[^\s$\\])\$(?![\d$])/g, (_, before: string, formula: string) => `${before}$$${formula}$$`);
}

const display = (formula: string) => `\n$$\n${formula.trim()}\n$$\n`;
