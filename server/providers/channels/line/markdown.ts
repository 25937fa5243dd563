import { labelled } from '../../../../shared/characters.ts';

/** A part of a text in which no mark of Markdown is left. */
export type Part = { type: 'text'; text: string } | { type: 'table'; head: string[]; rows: string[][] };

/**
 * A model's Markdown for a place that knows none: CommonMark and GitHub's tables as far as models write them. Each character is
 * looked at a bounded number of times, whatever the text: what draws answers in browsers may take seconds for one that was made to,
 * and here everybody would wait for it.
 */
export function readMarkdown(text: string): Part[] {
  const lines = text
    .split(/\r\n|\r|\n/)
    .map((line) => line.replace(/^[ \t]+/, (blank) => blank.replaceAll('\t', '    ')));
  const parts: Part[] = [];
  let current: string[] = [];
  const end = () => {
    const text = tidy(current).join('\n');
    if (text !== '') parts.push({ type: 'text', text });
    current = [];
  };
  read(lines, 0, (block) => {
    if (block.type === 'lines') for (const line of block.lines) current.push(line);
    else {
      end();
      parts.push(block);
    }
  });
  end();
  return parts;
}

/** A table where there is no room for one: a line for each of its cells, with the head that it stands under. */
export function tableLines({ head, rows }: { head: string[]; rows: string[][] }): string[] {
  const told = rows.filter((row) => row.some(Boolean));
  if (told.length === 0) return [head.filter(Boolean).join(' / ')];
  return told.flatMap((row, at) => [
    ...(at > 0 ? [''] : []),
    ...row.flatMap((cell, column) => {
      if (cell === '') return [];
      return [head[column] ? labelled(head[column], cell) : cell];
    }),
  ]);
}

type Block = { type: 'lines'; lines: string[] } | Extract<Part, { type: 'table' }>;

const deepest = 12;
const fence = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/;
const heading = /^ {0,3}#{1,6}(?=\s|$)/;
const item = /^( {0,3})([-*+]|\d{1,9}[.)])(?: (.*)|)$/;
const quote = /^ {0,3}> ?/;

/** Empty lines stay where they were written, one for many. */
function read(lines: string[], depth: number, give: (block: Block) => void): void {
  const say = (said: string[]) => give({ type: 'lines', lines: said });
  const inner = (inside: string[]): string[] => {
    const found: string[] = [];
    read(inside, depth + 1, (block) => {
      for (const line of block.type === 'lines' ? block.lines : tableLines(block)) found.push(line);
    });
    return tidy(found);
  };
  if (depth > deepest) return say(lines);
  for (let at = 0; at < lines.length;) {
    const line = lines[at] ?? '';
    const from = at++;
    const opening = fence.exec(line)?.[1];
    const listed = item.exec(line);
    if (line.trim() === '') say(['']);
    else if (opening !== undefined) {
      while (at < lines.length && !closes(lines[at] ?? '', opening)) at++;
      say(lines.slice(from + 1, at).map((code) => (code.trim() === '' ? '' : `  ${code}`)));
      at++;
    } else if (heading.test(line)) say([readSpans(headingText(line))]);
    else if (isRule(line)) say(['――――']);
    else if (quote.test(line)) {
      while (quote.test(lines[at] ?? '')) at++;
      const quoted = lines.slice(from, at).map((each) => each.replace(quote, ''));
      say(inner(quoted).map((each) => `｜${each}`));
    } else if (listed) {
      const [, indent = '', mark = '', first = ''] = listed;
      at = endOfItem(lines, at, indent.length);
      const [head = '', ...rest] = inner([first.trimStart(), ...outdented(lines.slice(from + 1, at))]);
      const isSpaced = (lines[at - 1] ?? '').trim() === '';
      say([`${/\d/.test(mark) ? mark : '•'} ${head}`, ...rest.map((each) => (each === '' ? '' : `  ${each}`))]);
      if (isSpaced) say(['']);
    } else if (isTable(line, lines[at])) {
      at++;
      while ((lines[at] ?? '').includes('|')) at++;
      const head = cellsOf(line);
      give({ type: 'table', head, rows: lines.slice(from + 2, at).map((row) => fitted(cellsOf(row), head.length)) });
    } else if (/^ {4}/.test(line) && (from === 0 || (lines[from - 1] ?? '').trim() === '')) say([line.slice(2)]);
    else {
      while ((lines[at] ?? '').trim() !== '' && !begins(lines, at) && !isUnderline(lines[at] ?? '')) at++;
      const paragraph = lines.slice(from, at).map((each) => each.trim().replace(/\\$/, ''));
      if (isUnderline(lines[at] ?? '')) at++;
      say(readSpans(paragraph.join('\n')).split('\n'));
    }
  }
}

/** Without empty lines at its ends, and never two of them after another. */
function tidy(lines: string[]): string[] {
  const kept = lines.filter((line, at) => line.trim() !== '' || (at > 0 && (lines[at - 1] ?? '').trim() !== ''));
  if ((kept.at(-1) ?? '').trim() === '') kept.pop();
  return kept;
}

const begins = (lines: string[], at: number): boolean => {
  const line = lines[at] ?? '';
  return (
    fence.test(line) ||
    heading.test(line) ||
    (isRule(line) && !isUnderline(line)) ||
    quote.test(line) ||
    item.test(line) ||
    isTable(line, lines[at + 1])
  );
};

const closes = (line: string, opening: string): boolean =>
  line.trim().startsWith(opening) && line.trim().replaceAll(opening[0] ?? '', '') === '';

const bare = (line: string) => (line.length < 200 ? line.replaceAll(/\s/g, '') : line);
const isRule = (line: string): boolean => /^(?:-{3,}|\*{3,}|_{3,})$/.test(bare(line));
/** Makes a heading of the line above. */
const isUnderline = (line: string): boolean => /^(?:=+|-{2,})$/.test(line.trim());

/** What stands between the marks; those at the end count only after a space. */
function headingText(line: string): string {
  const text = line.trim().replace(/^#+/, '').trim();
  let end = text.length;
  while (text[end - 1] === '#') end--;
  return end === 0 || /\s/.test(text[end - 1] ?? '') ? text.slice(0, end).trimEnd() : text;
}

const indentOf = (line: string): number => line.length - line.trimStart().length;

/** Where an item ends: with the next of the same depth, or with what is neither indented nor goes on from the line before. */
function endOfItem(lines: string[], start: number, indent: number): number {
  let end = start;
  for (let at = start; at < lines.length; at++) {
    const line = lines[at] ?? '';
    const isBlank = line.trim() === '';
    const isInside = indentOf(line) >= indent + 2;
    if (isBlank) continue;
    const isAfterBlank = (lines[at - 1] ?? '').trim() === '';
    if (!isInside && (isAfterBlank || begins(lines, at))) break;
    end = at + 1;
  }
  // One empty line stays with it, so that what comes after it keeps its distance.
  return end < lines.length && (lines[end] ?? '').trim() === '' ? end + 1 : end;
}

/** Lines below an item begin where the least indented of them does. */
function outdented(lines: string[]): string[] {
  let least = 8;
  for (const line of lines) if (line.startsWith(' ') && line.trim() !== '') least = Math.min(least, indentOf(line));
  return lines.map((line) => line.slice(Math.min(least, indentOf(line))));
}

/** `next` is the line of dashes below a head, which has as many cells. */
function isTable(line: string, next: string | undefined): boolean {
  if (!line.includes('|') || next === undefined || !/^[\s|:-]+$/.test(next) || !next.includes('-')) return false;
  const dashes = cut(next);
  return dashes.length === cut(line).length && dashes.every((cell) => /^:?-+:?$/.test(cell));
}

function cut(line: string): string[] {
  const row = line.trim();
  const cells = row.split(/(?<!\\)\|/).map((cell) => cell.trim());
  if (row.startsWith('|')) cells.shift();
  if (cells.length > 1 && cells.at(-1) === '') cells.pop();
  return cells;
}

const cellsOf = (line: string): string[] => cut(line).map((cell) => readSpans(cell.replaceAll('\\|', '|')));

/** As many cells as the head has, and nothing lost where there are more. */
function fitted(cells: string[], count: number): string[] {
  const row = Array.from({ length: count }, (_, at) => cells[at] ?? '');
  if (cells.length > count) row.push([row.pop(), ...cells.slice(count)].filter(Boolean).join(' '));
  return row;
}

// What has a meaning, and the runs of text between, each with a greatest length where it is looked for.
const token =
  /\\[!-/:-@[-`{-~]|`+|\*+|_+|~~|!?\[|\]|<(?:https?:|mailto:)[^\s<>]{1,2000}>|<br ?\/?>|https?:\/\/[^\s<>*()[\]`「」『』（）【】、。]{1,2000}|&(?:amp|lt|gt|quot|nbsp|#39);|[^\\`*_~![\]<&h]+|[^]/gi;
const target =
  /\([ \n]?(?:<([^<>\n]{0,2000})>|([^\s()<>]{0,2000}(?:\([^\s()<>]{0,500}\)[^\s()<>]{0,500}){0,8}))(?:[ \n]{1,2}(?:"[^"\n]{0,300}"|'[^'\n]{0,300}'))?[ \n]?\)/y;
const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ', '#39': "'" };

/** In tokens. */
const longestLabel = 1000;

/** Running text without the marks of emphasis and code, each link with its address behind it. One pass. */
function readSpans(text: string): string {
  const tokens = [...text.matchAll(token)];
  /** What becomes of each token. A mark that nothing closes stays. */
  const made: string[] = [];
  const codes = placesOf(tokens);
  const open = new Map<string, number>();
  let brackets: { at: number; isPicture: boolean }[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const { 0: raw, index } = tokens[at] ?? { 0: '', index: 0 };
    const after = index + raw.length;
    made[at] = raw;
    if (raw.startsWith('`')) {
      const end = codes.nextAfter(raw, at);
      if (end === undefined) continue;
      made[at] = '';
      for (let inside = at + 1; inside < end; inside++) made[inside] = tokens[inside]?.[0] ?? '';
      made[end] = '';
      at = end;
    } else if (raw.startsWith('\\') && raw.length === 2) made[at] = raw.slice(1);
    else if (raw.startsWith('&') && raw.length > 1) made[at] = entities[raw.slice(1, -1).toLowerCase()] ?? raw;
    else if (/^<br/i.test(raw)) made[at] = '\n';
    else if (raw.startsWith('<') && raw.length > 1) made[at] = raw.slice(1, -1).replace(/^mailto:/i, '');
    else if (raw === '[' || raw === '![') {
      brackets.push({ at, isPicture: raw.length === 2 });
      if (brackets.length > deepest) brackets.shift();
    } else if (raw === ']') {
      const begin = brackets.pop();
      target.lastIndex = after;
      const found = begin && at - begin.at < longestLabel ? target.exec(text) : null;
      if (!begin || !found) continue;
      const label = made
        .slice(begin.at + 1, at)
        .join('')
        .trim();
      made[begin.at] = '';
      made[at] = addressed(label, found[1] ?? found[2] ?? '');
      for (let inside = begin.at + 1; inside < at; inside++) made[inside] = '';
      // Nothing that was opened inside of it is closed behind it, and a link stands in no other.
      for (const [mark, place] of open) if (place > begin.at) open.delete(mark);
      if (!begin.isPicture) brackets = [];
      const last = target.lastIndex;
      for (let next = tokens[at + 1]; next && next.index < last; next = tokens[at + 1])
        made[++at] = next[0].slice(last - next.index);
    } else if (/^(?:\*{1,3}|_{1,3}|~~)$/.test(raw)) {
      const [before, behind] = [text[index - 1] ?? ' ', text[after] ?? ' '];
      const begun = open.get(raw);
      if (isInWord(raw, before, behind)) continue;
      if (begun !== undefined && !/\s/.test(before) && at > begun + 1) {
        made[begun] = '';
        made[at] = '';
        open.delete(raw);
      } else if (!/\s/.test(behind)) open.set(raw, at);
    }
  }
  return made.join('');
}

/** 2*3*4 and a_name have no emphasis; in Japanese it needs no space around it. */
const isInWord = (mark: string, before: string, behind: string): boolean =>
  mark.startsWith('_')
    ? /[\p{L}\p{N}]/u.test(before) && /[\p{L}\p{N}]/u.test(behind)
    : /[A-Za-z0-9]/.test(before) && /[A-Za-z0-9]/.test(behind);

/** A link as it can be read: its words and its address, one of them where they are the same. */
function addressed(label: string, address: string): string {
  if (!/^(?:https?:|mailto:|tel:)/i.test(address)) return label || address;
  const plain = address.replace(/^(?:mailto|tel):/i, '');
  const short = (url: string) => url.replace(/^https?:\/\//i, '').replace(/\/$/, '');
  return label === '' || short(label) === short(plain) ? plain : `${label} (${plain})`;
}

/** Where each run of backticks stands, asked in ascending order. */
function placesOf(tokens: RegExpExecArray[]) {
  const places = new Map<string, { at: number[]; next: number }>();
  for (const [at, { 0: raw }] of tokens.entries()) {
    if (!raw.startsWith('`')) continue;
    const known = places.get(raw) ?? { at: [], next: 0 };
    known.at.push(at);
    places.set(raw, known);
  }
  return {
    nextAfter(run: string, at: number): number | undefined {
      const known = places.get(run);
      if (!known) return undefined;
      while ((known.at[known.next] ?? Infinity) <= at) known.next++;
      return known.at[known.next];
    },
  };
}
