import { createRequire } from 'node:module';
import { dirname, join, sep } from 'node:path';
import { ParseError } from './parser.ts';
import type { Block, Draft, Parser } from './parser.ts';
import { clean, closeUp, isPdf, unwrap } from './text.ts';

const maxPages = 5_000;

export const pdf: Parser = {
  name: 'PDF',
  extensions: ['pdf'],
  mime: 'application/pdf',
  isPlain: false,
  accepts: isPdf,
  async parse(file, onProgress) {
    const document = await open(file);
    const count = document.numPages;
    if (count === 0) throw new ParseError('no-pages');
    if (count > maxPages) throw new ParseError('too-many-pages');
    const pages: Line[][] = [];
    let broken = 0;
    for (let number = 1; number <= count; number++) {
      // One broken page does not spoil the others; it counts as a page without text.
      const items = await readPage(document, number).catch(() => undefined);
      if (!items) broken++;
      pages.push(items && !isGarbled(items) ? linesOf(items, number) : []);
      onProgress(number / count);
    }
    if (broken === count) throw new ParseError('file-damaged');
    const metadata = await document.getMetadata().catch(() => undefined);
    await document.loadingTask.destroy();
    return draftOf(withoutRunningLines(pages), titleIn(metadata?.info));
  },
};

type Document = Awaited<ReturnType<typeof open>>;

async function open(file: Uint8Array) {
  const { getDocumentProxy } = await import('unpdf');
  // Only the data of pdfjs-dist is used, its code never: both in one process fail. Without these tables a Japanese font that a file does not embed reads as nothing.
  const tables = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'));
  try {
    // pdf.js keeps the bytes that it is given, and refuses Node's Buffer.
    return await getDocumentProxy(new Uint8Array(file), {
      cMapUrl: join(tables, 'cmaps') + sep,
      cMapPacked: true,
      standardFontDataUrl: join(tables, 'standard_fonts') + sep,
      useSystemFonts: false,
      verbosity: 0,
    });
  } catch (cause) {
    throw new ParseError(
      cause instanceof Error && cause.name === 'PasswordException' ? 'file-encrypted' : 'file-damaged',
      { cause },
    );
  }
}

async function readPage(document: Document, number: number): Promise<Item[]> {
  const page = await document.getPage(number);
  const { items } = await page.getTextContent();
  page.cleanup();
  return items.filter((item) => 'str' in item);
}

/** As pdf.js gives it: PDF points, y upwards; `transform` holds the font size and, last, the place of the baseline. */
interface Item {
  str: string;
  dir: string;
  width: number;
  height: number;
  transform: number[];
  fontName: string;
}

interface Line {
  /** What stands apart by a wide gap: the cells of a table's row. */
  cells: string[];
  isItem: boolean;
  x: number;
  end: number;
  y: number;
  size: number;
  page: number;
}

const textOf = (line: Line) => line.cells.join(' ');
const itemMark = /^\s*(?:[•●○■□▪◦‣∙·・➢✓]|[-–*]\s|\(?\d{1,2}[.)]\s|\([a-z\d]{1,2}\)|[①-⑳])\s*(?=\S)/u;

/** Pieces of text on one baseline, in the order of the content stream, which in columns is the order of reading. */
function linesOf(items: Item[], page: number): Line[] {
  const lines: (Line & { longest: number })[] = [];
  for (const item of items) {
    if (item.str.trim() === '') continue;
    const [a = 0, b = 0, , , left = 0, baseline = 0] = item.transform;
    const isVertical = item.dir === 'ttb';
    // Vertical writing is read as if the page were turned: downwards is along the line, and the next line is further left.
    const [x, y, width] = isVertical ? [-baseline, left, item.height] : [left, baseline, item.width];
    const size = Math.hypot(a, b) || item.height;
    const line = lines.at(-1);
    const gap = line ? x - line.end : 0;
    if (line && Math.abs(y - line.y) < Math.max(line.size, size) * 0.55 && gap > -size) {
      if (gap > size * 1.6) line.cells.push(item.str);
      else line.cells.push(`${line.cells.pop() ?? ''}${gap > size * 0.15 ? ' ' : ''}${item.str}`);
      line.end = x + width;
      // The longest piece tells the line's size: a footnote's mark or a large initial does not.
      if (item.str.length > line.longest) Object.assign(line, { size, y, longest: item.str.length });
    } else lines.push({ cells: [item.str], isItem: false, x, end: x + width, y, size, page, longest: item.str.length });
  }
  for (const line of lines) {
    line.isItem = itemMark.test(line.cells[0] ?? '');
    line.cells = line.cells.map(tidy).filter((cell) => cell !== '');
  }
  return lines.filter((line) => line.cells.length > 0);
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

/** A font without a key to its characters yields controls, private, unassigned or replacement characters. */
function isGarbled(items: Item[]): boolean {
  const text = items
    .map((item) => item.str)
    .join('')
    .replace(/\s+/g, '');
  const bad = text.match(/[\uFFFD\p{Cc}\p{Co}\p{Cn}]|\(cid:\d+\)/gu)?.join('').length ?? 0;
  return bad > text.length * 0.1;
}

/** Without headers, footers and page numbers: what is first or last, digits aside, on three pages in ten (left and right ones may differ). */
function withoutRunningLines(pages: Line[][]): Line[][] {
  if (pages.length < 3) return pages;
  const shape = (line: Line) => textOf(line).replace(/\d+|^[ivxlc]+$/g, '#');
  const edges = pages.map((lines) => {
    const down = lines.toSorted((one, other) => other.y - one.y);
    // Of a short page more would be its text: forms and certificates repeat that too.
    const lineCount = lines.length < 8 ? 1 : 2;
    return new Set([...down.slice(0, lineCount), ...down.slice(-lineCount)]);
  });
  const counts = new Map<string, number>();
  for (const edge of edges)
    for (const each of new Set([...edge].map(shape))) counts.set(each, (counts.get(each) ?? 0) + 1);
  const least = Math.max(3, pages.length * 0.3);
  const kept = pages.map((lines, index) =>
    lines.filter(
      (line) => !edges[index]?.has(line) || (counts.get(shape(line)) ?? 0) < (shape(line) === '#' ? 3 : least),
    ),
  );
  return kept.some((lines) => lines.length > 0) ? kept : pages;
}

function draftOf(pages: Line[][], title: string | null): Draft {
  const all = pages.flat();
  const body = mostCommon(all.map((line) => [half(line.size), textOf(line).length]));
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
  for (const lines of groups(all, isTitle, leading)) {
    const [first] = lines;
    const before = blocks.at(-1);
    if (!first) continue;
    const { page } = first;
    if (before?.kind === 'paragraph' && !first.isItem && !isTitle(first) && continues(latest, lines)) {
      // A column or a page ended in the middle of a sentence; the paragraph stays where it began.
      latest = [...latest, ...lines];
      before.text = joinLines(latest);
      continue;
    }
    latest = lines;
    if (isTitle(first))
      blocks.push({
        kind: 'heading',
        level: Math.min(6, sizes.indexOf(half(first.size)) + 1),
        text: joinLines(lines),
        page,
      });
    else if (isTable(lines))
      blocks.push({ kind: 'table', text: lines.map((line) => line.cells.join(' | ')).join('\n'), page });
    else if (first.isItem) {
      const text = joinLines(lines).replace(/^[•●○■□▪◦‣∙·・➢✓–*-]\s*/u, '- ');
      if (before?.kind === 'list' && before.page === page) before.text += `\n${text}`;
      else blocks.push({ kind: 'list', text, page });
    } else blocks.push({ kind: 'paragraph', text: joinLines(lines), page });
  }
  return {
    title:
      title ?? blocks.find((block) => block.kind === 'heading' && block.page === 1 && block.level === 1)?.text ?? null,
    pages: pages.length,
    pagesWithoutText: pages.flatMap((lines, index) => (lines.length === 0 ? [index + 1] : [])),
    blocks,
  };
}

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
  for (const line of lines) {
    const group = all.at(-1);
    if (group && belongs(group, line, isTitle, leading)) group.push(line);
    else all.push([line]);
  }
  return all;
}

function belongs(group: Line[], line: Line, isTitle: (line: Line) => boolean, leading: number): boolean {
  const before = group.at(-1);
  if (!before || line.page !== before.page || line.isItem) return false;
  const drop = (before.y - line.y) / before.size;
  const isHeadingPart = isTitle(before);
  if (isHeadingPart !== isTitle(line) || (isHeadingPart && (group.length > 3 || textOf(line).startsWith('第'))))
    return false;
  if (Math.abs(before.size - line.size) > before.size * 0.12) return false;
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

const isTable = (lines: Line[]) =>
  lines.length > 1 &&
  lines.every((line) => line.cells.length > 1) &&
  (lines.length > 2 || lines.some((line) => line.cells.length > 2));

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

/** A word cut by a hyphen is whole again ("spe-⏎cialize"), unless what follows is capital or a number ("Wi-⏎Fi", "2019-⏎2020"). */
function joinLines(lines: Line[]): string {
  const text = lines.map(textOf).join('\n');
  return closeUp(unwrap(text.replace(/(?<=\p{Ll})-\n(?=\p{Ll})/gu, '')));
}

/** The title that the file gives itself, unless a program filled it in with a file's name. */
function titleIn(info: object | undefined): string | null {
  const title =
    info && 'Title' in info && typeof info.Title === 'string'
      ? clean(info.Title)
          .normalize('NFKC')
          .trim()
          .replace(/^Microsoft \w+ - /, '')
      : '';
  return title.length < 3 || /\.\w{2,5}$|^\W?(?:untitled|anonymous)|^about:|^https?:|^無題/i.test(title) ? null : title;
}
