import type { Block, Draft } from './parser.ts';
import { clean, closeUp, unwrap } from './text.ts';
import { createWarnings } from './warnings.ts';

/** As pdf.js gives it: PDF points, y upwards; `transform` holds the font size and, last, the place of the baseline. */
export interface Item {
  str: string;
  dir: string;
  width: number;
  height: number;
  transform: number[];
  fontName: string;
}

/** What is written on a page. */
export interface Sheet {
  items: Item[];
  /** How sure the words are that were read from a picture, 0 to 100. */
  confidence?: number;
}

/** Of pages in trials, those read with a confidence of 83 had 3 wrong characters in a hundred, those with 27 nearly all; none was between. */
const inDoubt = 80;

/** Text in one place, as if the page were upright and written from left to right: y upwards, in points. */
interface Piece {
  text: string;
  x: number;
  end: number;
  y: number;
  size: number;
  /** Its place in the content stream. */
  at: number;
}

interface Line {
  /** What stands apart by a wide gap: the cells of a table's row. */
  cells: { text: string; x: number; end: number }[];
  isItem: boolean;
  x: number;
  end: number;
  y: number;
  size: number;
  page: number;
}

const textOf = (line: Line) => line.cells.map(({ text }) => text).join(' ');
const itemMark = /^\s*(?:[•●○■□▪◦‣∙·・➢✓]|[-–*]\s|\(?\d{1,2}[.)]\s|\([a-z\d]{1,2}\)|[①-⑳])\s*(?=\S)/u;

const linesOf = (items: Item[], page: number): Line[] =>
  columnsOf(rowsOf(upright(items).toSorted((one, other) => other.y - one.y)), page, 0);

/** Pieces in the direction in which most of the page is written. What is printed twice in the same place, to look bold or to have a shadow, is there once. */
function upright(items: Item[]): Piece[] {
  const written = items.filter((item) => item.str.trim() !== '');
  const isDown = isWrittenDown(written);
  const turns = written.map(({ transform: [a = 0, b = 0] }) => Math.round(Math.atan2(b, a) / (Math.PI / 2)));
  const turn = mostCommon(turns.map((each, at) => [each, written[at]?.str.length ?? 0]));
  const places = new Map<string, Piece[]>();
  let count = 0;
  return written.flatMap((item, index) => {
    const [a = 0, b = 0, , , e = 0, f = 0] = item.transform;
    const size = Math.hypot(a, b) || item.height;
    const angle = ((turns[index] === turn ? turn : 0) * Math.PI) / 2;
    const [right, up] = [e * Math.cos(angle) + f * Math.sin(angle), f * Math.cos(angle) - e * Math.sin(angle)];
    // Vertical writing is read as if the page were turned: downwards is along the line, and the next line is further left.
    const isColumn = isDown || item.dir === 'ttb';
    const [x, y, length] = isColumn
      ? [-up, right, isDown ? size * item.str.length : item.height]
      : [right, up, item.width];
    const piece = { text: item.str, x, end: x + length, y, size, at: count };
    const same = places.get(item.str) ?? [];
    const step = (length / item.str.length) * 0.6;
    if (same.some((other) => Math.abs(other.x - x) < step && Math.abs(other.y - y) < size * 0.3)) return [];
    places.set(item.str, [piece, ...same.slice(0, 50)]);
    count++;
    return [piece];
  });
}

/** Whether characters stand one below the other, as browsers print Japanese that is written downwards. */
function isWrittenDown(items: Item[]): boolean {
  let below = 0;
  for (const [at, { str, transform }] of items.entries()) {
    const [size = 0, , , , x = 0, y = 0] = transform;
    const [, , , , beforeX = 0, beforeY = 0] = items[at - 1]?.transform ?? [];
    const drop = beforeY - y;
    if (str.length === 1 && Math.abs(x - beforeX) < size * 0.3 && drop > size * 0.7 && drop < size * 2.5) below++;
  }
  return below > items.length * 0.5;
}

/** Pieces on one baseline, from left to right. */
function rowsOf(pieces: Piece[]): Piece[][] {
  const rows: Piece[][] = [];
  for (const piece of pieces) {
    const row = rows.at(-1);
    // The largest piece tells where a line stands: a footnote's mark does not.
    const first = row?.reduce((most, each) => (each.size > most.size ? each : most));
    // Small print below large letters is a line of its own, unless it hangs from them as an index does.
    const reach = first && first.size > piece.size * 2 ? 0.3 : 0.55;
    if (row && first && first.y - piece.y < Math.max(first.size, piece.size) * reach && row.length < 500)
      row.push(piece);
    else rows.push([piece]);
  }
  return rows.map((row) => row.toSorted((one, other) => one.x - other.x));
}

/** Rows as lines: where running text stands in columns, one column after the other. */
function columnsOf(rows: Piece[][], page: number, depth: number): Line[] {
  const starts = startsOf(rows);
  const lines = rows.map((row) => lineOf(row, page, starts));
  const gutter = depth < 6 ? gutterOf(lines) : undefined;
  if (!gutter) return lines.filter((line) => line.cells.length > 0);
  const { at, from, to } = gutter;
  const sides = rows.slice(from, to);
  const side = (isOnIt: (piece: Piece) => boolean) =>
    sides.map((row) => row.filter(isOnIt)).filter((row) => row.length > 0);
  return [
    ...columnsOf(rows.slice(0, from), page, depth + 1),
    ...columnsOf(
      side((piece) => piece.x < at),
      page,
      depth + 1,
    ),
    ...columnsOf(
      side((piece) => piece.x >= at),
      page,
      depth + 1,
    ),
    ...columnsOf(rows.slice(to), page, depth + 1),
  ];
}

/** Where running text is parted into a left and a right column, and from which row to which. Lines of running text fill their column, cells of a table do not. */
function gutterOf(lines: Line[]): { at: number; from: number; to: number } | undefined {
  const gaps = lines.flatMap(({ cells }) =>
    cells
      .slice(1)
      .map(({ x }, index) => ({ from: cells[index]?.end ?? 0, to: x, middle: ((cells[index]?.end ?? 0) + x) / 2 })),
  );
  const step = Math.max(1, Math.floor(gaps.length / 50));
  const [best] = gaps
    .filter((_, index) => index % step === 0)
    .map(({ middle }) => ({ middle, votes: gaps.filter(({ from, to }) => from < middle && to > middle).length }))
    .toSorted((one, other) => other.votes - one.votes);
  if (!best || best.votes < 3) return undefined;
  const at = best.middle;
  const crosses = (line: Line) => line.cells.some(({ x, end }) => x < at && end > at);
  const isParted = (line: Line) => !crosses(line) && line.x < at && line.end > at;
  const one = lines.findIndex(isParted);
  const first = lines.slice(0, one).findLastIndex(crosses) + 1;
  const length = lines.slice(one).findIndex(crosses);
  const to = length < 0 ? lines.length : one + length;
  const run = lines.slice(first, to);
  if (run.filter(isParted).length < 3) return undefined;
  const isRunning = (cells: Line['cells'][]) => {
    const own = cells.filter((each) => each.length > 0);
    const texts = own.map((each) => each.map(({ text }) => text).join(' '));
    const end = own.reduce((most, each) => Math.max(most, each.at(-1)?.end ?? 0), 0);
    const start = own.reduce((least, each) => Math.min(least, each[0]?.x ?? 0), end);
    const full = own.filter((each) => (each.at(-1)?.end ?? 0) > end - (end - start) * 0.25);
    return full.length >= own.length * 0.5 && widthOf(texts.join('')) >= own.length * 20;
  };
  const left = run.map(({ cells }) => cells.filter(({ x }) => x < at));
  const right = run.map(({ cells }) => cells.filter(({ x }) => x >= at));
  return isRunning(left) && isRunning(right) ? { at, from: first, to } : undefined;
}

/** In halves of a CJK character. */
const widthOf = (text: string) => text.length + (text.match(/[\u3000-\u9FFF\uFF01-\uFF60]/g)?.length ?? 0);

/** How many rows have text that begins at a place, behind a gap or at their left end. */
function startsOf(rows: Piece[][]): Map<number, number> {
  const starts = new Map<number, number>();
  for (const row of rows)
    for (const [at, { x, size }] of row.entries())
      if (at === 0 || x - (row[at - 1]?.end ?? 0) > size * 0.6)
        starts.set(Math.round(x), (starts.get(Math.round(x)) ?? 0) + 1);
  return starts;
}

/** After it no blank parts words. */
const cjkAtEnd = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}。、]$/u;

function lineOf(row: Piece[], page: number, starts: Map<number, number>): Line {
  const cells: Line['cells'] = [];
  let [longest = { text: '', x: 0, end: 0, y: 0, size: 0, at: 0 }] = row;
  let before = -1;
  for (const piece of row) {
    const cell = cells.at(-1);
    const size = Math.max(longest.size, piece.size);
    const gap = cell ? piece.x - cell.end : 0;
    // Where something else is painted in between, or cells of other rows begin, a cell may stand near the one before it.
    const isOwn = piece.at !== before + 1 || (starts.get(Math.round(piece.x)) ?? 0) > 1;
    const isPacked = piece.at !== before + 1 && cjkAtEnd.test(cell?.text ?? '');
    const isApart = gap > size * (isPacked ? 0.2 : isOwn ? 0.6 : 1.6);
    before = piece.at;
    if (!cell || isApart) cells.push({ text: piece.text, x: piece.x, end: piece.end });
    else {
      const text = gap < 0 ? withoutOverlap(cell.text, piece, -gap) : piece.text;
      cell.text += `${gap > size * 0.15 ? ' ' : ''}${text}`;
      cell.end = Math.max(cell.end, piece.end);
    }
    // The longest piece tells the line's size: a footnote's mark or a large initial does not.
    if (piece.text.length > longest.text.length) longest = piece;
  }
  const kept = cells.map((cell) => ({ ...cell, text: tidy(cell.text) })).filter(({ text }) => text !== '');
  return {
    cells: kept,
    isItem: itemMark.test(kept[0]?.text ?? ''),
    x: kept[0]?.x ?? 0,
    end: kept.at(-1)?.end ?? 0,
    y: longest.y,
    size: longest.size,
    page,
  };
}

/** Without the letters at its beginning that are printed over the same letters before it. */
function withoutOverlap(before: string, { text, x, end }: Piece, overlap: number): string {
  const most = Math.min(text.length, Math.round(overlap / ((end - x) / text.length)));
  for (let length = most; length > 0; length--) if (before.endsWith(text.slice(0, length))) return text.slice(length);
  return text;
}

/** NFKC undoes ligatures, halfwidth kana and compatibility ideographs, in which PDFs are rich; Chromium writes ・ as U+2027; dots that lead to a page number are cut short. */
const tidy = (text: string) =>
  closeUp(
    clean(text)
      .normalize('NFKC')
      .replaceAll('\u2027', '・')
      .replace(/(?:[.·…]\s?){4,}/g, ' … ')
      .replace(/\s+/g, ' ')
      .trim(),
  );

/**
 * Lines at the edges of three pages in ten (left and right ones may differ) that say the same but for the number of the page stand
 * once: heads where they are first, feet where they are last. Numbers of pages alone go.
 */
function withoutRunningLines(pages: Line[][]): Line[][] {
  if (pages.length < 3) return pages;
  const alike = new Map<string, { line: Line; isHead: boolean }[]>();
  for (const lines of pages) {
    const down = lines.toSorted((one, other) => other.y - one.y);
    // Of a short page more would be its text: forms and certificates repeat that too.
    const count = down.length < 8 ? 1 : 2;
    for (const [at, line] of down.entries())
      if (at < count || at >= down.length - count) {
        const shape = textOf(line).replace(/\d+/g, '#');
        const same = alike.get(shape) ?? [];
        same.push({ line, isHead: at < count });
        alike.set(shape, same);
      }
  }
  const body = bodySizeOf(pages.flat());
  const gone = new Set<Line>();
  for (const [shape, all] of alike) {
    const isNumber = !/\p{L}/u.test(shape) && new Set(all.map(({ line }) => textOf(line))).size > 1;
    const least = Math.max(3, isNumber ? 0 : pages.length * 0.3);
    const lines = all.map(({ line }) => line);
    if (lines.length < least || !isOfPages(lines, body)) continue;
    const kept = isNumber ? undefined : all[0]?.isHead ? all[0].line : all.at(-1)?.line;
    for (const { line } of all) if (line !== kept) gone.add(line);
  }
  return pages.map((lines) => lines.filter((line) => !gone.has(line)));
}

/** Whether lines of one form say the same, but for a number that goes up with the pages; in a heading that may be its own, as in "3月分". */
function isOfPages(lines: Line[], body: number): boolean {
  const numbers = lines.map((line) => textOf(line).match(/\d+/g)?.map(Number) ?? []);
  return (numbers[0] ?? []).every((first, at) => {
    const own = numbers.map((each) => each[at] ?? 0);
    const offset = first - (lines[0]?.page ?? 0);
    if (own.every((each) => each === first)) return true;
    const isPages = own.every((each, index) => each - (lines[index]?.page ?? 0) === offset);
    return isPages && lines.every(({ size }) => size <= body * 1.05);
  });
}

/**
 * Blocks in reading order of what is written where on each page: columns, headings, lists, tables. A page without a line gives the warning
 * `page-without-text`, one whose words are not sure `page-in-doubt`. The title is the one that the file gives itself, else the largest heading of the first page.
 */
export function layOut(sheets: Sheet[], title: string | null): Draft {
  const pages = withoutRunningLines(sheets.map(({ items }, index) => linesOf(items, index + 1)));
  const all = pages.flat();
  const body = bodySizeOf(all);
  // Lines of running text, from baseline to baseline, in font sizes: paragraphs stand further apart than this.
  const leading =
    mostCommon(
      all.flatMap((line, index) => {
        const drop = ((all[index - 1]?.y ?? line.y) - line.y) / line.size;
        return drop > 0.8 && drop < 3 ? [[Math.round(drop * 20) / 20, 1]] : [];
      }),
    ) || 1.3;
  const isTitle = headingTest(all, body);
  const sizes = [...new Set(all.filter(isTitle).map((line) => half(line.size)))].toSorted((one, other) => other - one);
  const blocks: Block[] = [];
  let latest: Line[] = [];
  let head: { names: string[]; page: number } = { names: [], page: 0 };
  const join = joining(all);
  for (const lines of groups(all, isTitle, leading)) {
    const [first] = lines;
    const before = blocks.at(-1);
    if (!first) continue;
    const { page } = first;
    if (before?.kind === 'paragraph' && !first.isItem && !isTitle(first) && continues(latest, lines)) {
      // A column or a page ended in the middle of a sentence, which stays where it began; the sentences after it are of the next page.
      const text = join([...latest, ...lines]);
      const rest = page === latest.at(-1)?.page ? '' : afterSentence(text, join(latest).length);
      before.text = rest === '' ? text : text.slice(0, -rest.length).trimEnd();
      if (rest !== '') blocks.push({ kind: 'paragraph', text: rest, page });
      latest = rest === '' ? [...latest, ...lines] : lines;
      continue;
    }
    latest = lines;
    if (isTitle(first))
      blocks.push({
        kind: 'heading',
        level: Math.min(6, sizes.indexOf(half(first.size)) + 1),
        text: join(lines),
        page,
      });
    else if (isTable(lines)) {
      const table = tableOf(lines);
      // A table that goes on over a page has the names of its columns there, too.
      const goesOn = page !== head.page && table[0]?.length === head.names.length && before?.kind === 'table';
      const rows = goesOn && table[0]?.join() !== head.names.join() ? [head.names, ...table] : table;
      head = { names: rows[0] ?? [], page };
      blocks.push({ kind: 'table', text: inMarkdown(rows), page });
    } else if (first.isItem) {
      const text = join(lines).replace(/^[•●○■□▪◦‣∙·・➢✓–*-]\s*/u, '- ');
      if (before?.kind === 'list' && before.page === page) before.text += `\n${text}`;
      else blocks.push({ kind: 'list', text, page });
    } else blocks.push({ kind: 'paragraph', text: join(lines), page });
  }
  const warnings = createWarnings();
  for (const [index, lines] of pages.entries())
    if (lines.length === 0) warnings.add('page-without-text', index + 1);
    else if ((sheets[index]?.confidence ?? 100) < inDoubt) warnings.add('page-in-doubt', index + 1);
  return {
    title:
      title ?? blocks.find((block) => block.kind === 'heading' && block.page === 1 && block.level === 1)?.text ?? null,
    pages: pages.length,
    warnings: warnings.list(),
    blocks,
  };
}

const bodySizeOf = (lines: Line[]) => mostCommon(lines.map((line) => [half(line.size), textOf(line).length]));

const half = (size: number) => Math.round(size * 2) / 2;

function mostCommon(weighted: [value: number, weight: number][]): number {
  const sums = new Map<number, number>();
  for (const [value, weight] of weighted) sums.set(value, (sums.get(value) ?? 0) + weight);
  return [...sums].reduce((best, each) => (each[1] > best[1] ? each : best), [0, 0])[0];
}

/** A short line that is clearly larger than the running text, in a size that is rare in a longer document; or an article of a contract (第3条). */
function headingTest(lines: Line[], body: number): (line: Line) => boolean {
  const shares = new Map<number, number>();
  for (const line of lines) shares.set(half(line.size), (shares.get(half(line.size)) ?? 0) + textOf(line).length);
  const total = [...shares.values()].reduce((sum, each) => sum + each, 0);
  return (line) => {
    const text = textOf(line);
    if (!/\p{L}/u.test(text) || / … /.test(text)) return false;
    const isRare = total < 1000 || (shares.get(half(line.size)) ?? 0) < total * 0.2;
    const isLarge =
      isRare && line.size >= body * 1.15 && text.length <= 120 && line.cells.length < 3 && !/[。、;]$/.test(text);
    return isLarge || /^第[\d〇一二三四五六七八九十百]+[章節条][^。、]{0,40}$/u.test(text);
  };
}

/** Lines that belong together: the lines of a paragraph, a heading, an item of a list, the rows of a table. */
function groups(lines: Line[], isTitle: (line: Line) => boolean, leading: number): Line[][] {
  const all: Line[][] = [];
  let columns: Span[] = [];
  for (const line of lines) {
    const group = all.at(-1);
    if (group && (isRowOf(columns, group, line, isTitle) || belongs(group, line, isTitle, leading))) group.push(line);
    else {
      all.push([line]);
      columns = [];
    }
    if (columns.length <= mostColumns && (columns.length > 0 || line.cells.length > 1))
      columns = spansOf([...columns, ...line.cells]);
  }
  return all;
}

interface Span {
  x: number;
  end: number;
}

/** What stands above each other, together: the columns of a table. */
function spansOf(cells: Span[]): Span[] {
  const spans: Span[] = [];
  for (const { x, end } of cells.toSorted((one, other) => one.x - other.x)) {
    const last = spans.at(-1);
    if (last && x < last.end) last.end = Math.max(last.end, end);
    else spans.push({ x, end });
  }
  return spans;
}

const mostColumns = 60;

/** Whether a line goes on with the table above it: each of its cells below one column, or beside all. */
function isRowOf(columns: Span[], group: Line[], line: Line, isTitle: (line: Line) => boolean): boolean {
  const before = group.at(-1);
  if (!before || columns.length < 2 || columns.length > mostColumns || line.page !== before.page || isTitle(line))
    return false;
  const drop = (before.y - line.y) / before.size;
  if (drop < 0 || drop > (line.cells.length > 1 ? 3 : 2.2)) return false;
  const under = line.cells.map(({ x, end }) => columns.filter((column) => x < column.end && end > column.x).length);
  return under.every((count) => count <= 1) && (line.cells.length > 1 || under[0] === 1);
}

function belongs(group: Line[], line: Line, isTitle: (line: Line) => boolean, leading: number): boolean {
  const before = group.at(-1);
  if (!before || line.page !== before.page || line.isItem) return false;
  const drop = (before.y - line.y) / before.size;
  const isHeadingPart = isTitle(before);
  if (isHeadingPart !== isTitle(line) || (isHeadingPart && (group.length > 3 || textOf(line).startsWith('第'))))
    return false;
  if (Math.abs(before.size - line.size) > before.size * (isHeadingPart ? 0.03 : 0.12)) return false;
  const isRow = line.cells.length > 1;
  // Rows of a table may stand apart; how far is seen in tables with a line around each cell.
  if (drop < -0.5 || drop > (isRow ? 3 : Math.max(leading * 1.3, isHeadingPart ? 2 : 0))) return false;
  if (isHeadingPart) return true;
  if (isRow !== before.cells.length > 1) return false;
  if (isRow) return true;
  const left = Math.min(...group.slice(-20).map((each) => each.x));
  const right = Math.max(...group.slice(-20).map((each) => each.end));
  const endsSentence = /[.!?:。！？：」』）)”"…]$/u.test(textOf(before));
  const isIndented = line.x - left > line.size * 0.8;
  const isShort = before.end < right - (right - left) * 0.2;
  return !(endsSentence && (isIndented || isShort));
}

const isTable = (lines: Line[]) => {
  const rows = lines.filter((line) => line.cells.length > 1);
  return rows.length > 1 && (rows.length > 2 || rows.some((line) => line.cells.length > 2));
};

/** Rows of cells, each in its column; lines of one row, which stand closer than rows do, are one. */
function tableOf(lines: Line[]): string[][] {
  const columns = spansOf(lines.flatMap(({ cells }) => cells));
  if (columns.length > mostColumns) return lines.map(({ cells }) => cells.map(({ text }) => text));
  const drops = lines.slice(1).map((line, at) => ((lines[at]?.y ?? 0) - line.y) / line.size);
  const widest = drops.reduce((most, drop) => Math.max(most, drop), 0);
  const rows: string[][] = [];
  for (const [at, line] of lines.entries()) {
    const cells = columns.map(() => '');
    for (const { text, x } of line.cells) {
      const column = columns.findLastIndex((each) => each.x <= x);
      cells[column] = `${cells[column] ? `${cells[column]} ` : ''}${text}`;
    }
    const row = rows.at(-1);
    const drop = drops[at - 1] ?? Infinity;
    const goesOn = row && cells.every((cell, column) => cell === '' || row[column] !== '') && cells.includes('');
    const isAlone = cells[0] === '' && line.cells.length === 1;
    if (goesOn && drop < 1.5 && (drop < widest * 0.85 || isAlone)) {
      for (const [column, cell] of cells.entries()) if (cell !== '') row[column] += `\n${cell}`;
    } else rows.push(cells);
  }
  return rows.map((row) => row.map(unwrap));
}

const inMarkdown = (rows: string[][]) => {
  const line = (cells: string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  const [head = [], ...others] = rows;
  return [line(head), line(head.map(() => '---')), ...others.map(line)].join('\n');
};

/** Lines of a paragraph that goes on over pages, since each page joins all of them again. */
const maxContinued = 500;

function continues(before: Line[], lines: Line[]): boolean {
  const [last, first] = [before.at(-1), lines[0]];
  if (
    !last ||
    !first ||
    before.length < 2 ||
    before.length > maxContinued ||
    Math.abs(last.size - first.size) > last.size * 0.12 ||
    first.cells.length > 1
  )
    return false;
  if (first.page === last.page && first.y < last.y) return false;
  const [end, start] = [textOf(last), textOf(first)];
  return /^\p{Ll}/u.test(start)
    ? /[\p{L}\p{N},;-]$/u.test(end)
    : /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(start) &&
        /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー、]$/u.test(end);
}

/**
 * Joins lines of a text whose lines these are. A hyphen at the end of a line goes where the word stands elsewhere without it, and stays
 * where it stands there with it or where both halves are words of the text ("long-⏎term"), or what follows is capital or a number.
 */
function joining(all: Line[]): (lines: Line[]) => string {
  const words = new Set<string>();
  let isCut = false;
  for (const text of all.map(textOf)) {
    const own = text.toLowerCase().match(/[\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)*/gu) ?? [];
    // Halves at the ends of lines are what is to be decided.
    const isRest = isCut;
    isCut = /\p{L}-$/u.test(text);
    for (const word of own.slice(Number(isRest), isCut ? -1 : undefined)) words.add(word);
  }
  const has = (word: string) => words.has(word.toLowerCase());
  const hyphen = (before: string, after: string) => {
    const word =
      before
        .slice(0, -1)
        .split(/[^\p{L}\p{N}-]/u)
        .at(-1) ?? '';
    const rest = /^\p{Ll}+/u.exec(after)?.[0];
    if (!before.endsWith('-') || !/\p{L}$/u.test(word) || rest === undefined) return undefined;
    const isOfWord = word.includes('-') || has(`${word}-${rest}`) || (has(word) && has(rest));
    return isOfWord && !has(word + rest) ? '-' : '';
  };
  return (lines) => {
    let text = '';
    let last = '';
    for (const each of lines.map(textOf)) {
      const joint = hyphen(last, each);
      text = joint === undefined ? `${text}\n${each}` : `${text.slice(0, -1)}${joint}${each}`;
      last = each;
    }
    return closeUp(unwrap(text));
  };
}

/** What stands behind the sentence that begins before `from`; nothing where that is the last one. */
function afterSentence(text: string, from: number): string {
  const end = /[。！？]|[.!?](?= )/u.exec(text.slice(from));
  return end ? text.slice(from + end.index + 1).trim() : '';
}
