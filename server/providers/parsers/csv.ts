import { labelled } from '../../../shared/characters.ts';
import { ParseError } from './parser.ts';
import type { Block, Draft, Parser } from './parser.ts';
import { decodeText, isTextHead, maxCharacters } from './text.ts';
import { createWarnings } from './warnings.ts';

export const csv: Parser = {
  name: 'CSV',
  extensions: ['csv', 'tsv'],
  mime: 'text/csv',
  isPlain: true,
  accepts: isTextHead,
  async parse(file, onProgress) {
    const text = decodeText(file);
    return { title: null, pages: null, ...(await readSheet(text, onProgress)) };
  },
};

/** How many rows of a table say whether its first one names the columns. */
const looked = 20;

/** Blank lines part tables. Lines of one cell above a table are its title and notes. */
async function readSheet(
  source: string,
  onProgress: (share: number) => void,
): Promise<Pick<Draft, 'blocks' | 'warnings'>> {
  const { parse } = await import('csv-parse');
  // Excel reads the delimiter from such a first line, and shows no row of it.
  const [line, told] = /^sep=(.)\n/u.exec(source.slice(0, 10)) ?? ['', undefined];
  const body = source.slice(line.length);
  const delimiter = told ?? delimiterOf(body);
  const warnings = createWarnings();
  let counted = { at: 0, line: line === '' ? 1 : 2 };
  const lineOf = (at: number) => {
    let number = counted.line;
    for (let next = body.indexOf('\n', counted.at); next >= 0 && next < at; next = body.indexOf('\n', next + 1))
      number++;
    counted = { at, line: number };
    return number;
  };
  // The stream hands over rows one at a time: a whole sheet as arrays of cells takes several times the memory of its text.
  const rows: AsyncIterable<{ record: string[]; info: { empty_lines: number } }> = parse(
    withoutStrayQuotes(body, delimiter, (at) => warnings.add('stray-quote', lineOf(at))),
    {
      delimiter,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      info: true,
      bom: true,
    },
  );
  const blocks: Block[] = [];
  let characters = 0;
  const isOneColumn = !body.includes(delimiter);
  let titles: string[] = [];
  let names: string[] = [];
  /** The first rows of a table, until they tell whether it has a head. */
  let waiting: string[][] | undefined = [];
  const add = (block: Block) => {
    characters += block.text.length;
    if (characters > maxCharacters) throw new ParseError('too-much-text');
    blocks.push(block);
    if (blocks.length % 1000 === 0) onProgress(Math.min(0.95, characters / (source.length * 2)));
  };
  const begin = (table: string[][]) => {
    const first = isOneColumn ? 0 : table.findIndex((cells) => countOf(cells) > 1);
    titles.push(...table.slice(0, first < 0 ? table.length : first).map((cells) => cells.find(Boolean) ?? ''));
    const [head, ...others] = first < 0 ? [] : table.slice(first);
    if (!head) return;
    const [title, ...notes] = titles;
    titles = [];
    if (title) add({ kind: 'heading', level: 2, text: title, page: null });
    for (const text of notes) add({ kind: 'paragraph', text, page: null });
    const isNamed = hasNames(head, others, names);
    if (isNamed) names = toldApart(head);
    else if (head.length !== names.length) names = [];
    // Names and nothing else are still a text.
    if (isNamed && others.length === 0) add({ kind: 'table', text: head.join(' | '), page: null });
    for (const cells of isNamed ? others : [head, ...others]) add(rowBlock(names, cells));
  };
  let emptyLines = 0;
  for await (const { record, info } of rows) {
    const cells = record.map((cell) => cell.trim());
    const isEmpty = countOf(cells) === 0;
    if (isEmpty || info.empty_lines > emptyLines) {
      if (waiting) begin(waiting);
      waiting = [];
    }
    emptyLines = info.empty_lines;
    if (isEmpty) continue;
    if (!waiting) add(rowBlock(names, cells));
    else if (waiting.push(cells) > looked) {
      begin(waiting);
      waiting = undefined;
    }
  }
  if (waiting) begin(waiting);
  for (const text of titles) add({ kind: 'paragraph', text, page: null });
  return { blocks, warnings: warnings.list() };
}

const countOf = (cells: string[]) => cells.filter((cell) => cell !== '').length;

const questionNames = /^(?:q|questions?|faq|ご?質問(?:文|内容)?|問い?|お問い?合わせ(?:内容)?)$/i;
const answerNames = /^(?:a|answers?|repl(?:y|ies)|ご?回答(?:文|内容)?|答え?)$/i;

/** Each row repeats the names of its columns ("Price: 300"), so that it can be read without the rows before it. */
export function rowBlock(names: string[], cells: string[]): Block {
  if (names.length === 0) return { kind: 'table', text: cells.join(' | '), page: null };
  const ask = names.findIndex((name) => questionNames.test(name));
  const reply = names.findIndex((name) => answerNames.test(name));
  const isQa = Boolean(cells[ask] && cells[reply]);
  const others = cells.flatMap((cell, index) =>
    cell === '' || (isQa && (index === ask || index === reply))
      ? []
      : [names[index] ? labelled(names[index], cell) : cell],
  );
  const pair = isQa ? [`Q: ${cells[ask]}`, `A: ${cells[reply]}`] : [];
  return { kind: isQa ? 'qa' : 'table', text: [...pair, ...others].join('\n'), page: null };
}

/** A second column of the same name is `Name (2)`. */
function toldApart(names: string[]): string[] {
  const times = new Map<string, number>();
  return names.map((name) => {
    const time = (times.get(name) ?? 0) + 1;
    times.set(name, time);
    return name === '' || time === 1 ? name : `${name} (${time})`;
  });
}

/** A number, a date, an amount, a code: figures with hardly a letter. */
const isFigure = (cell: string) => /\d/.test(cell) && (cell.match(/\p{L}/gu)?.length ?? 0) <= 4;
const isAddress = (cell: string) => /@|https?:/.test(cell);

/**
 * Whether a first row names the columns of those below it. A name stands above figures or runs on as years and months do, and never
 * occurs in its own column. Where nothing speaks for either, names differ from each other and are neither figures nor addresses;
 * below an earlier table, `earlier`, such a row names its columns only where their number is another.
 */
function hasNames(head: string[], rows: string[][], earlier: string[]): boolean {
  const named = head.filter((cell) => cell !== '');
  if (named.length < head.length / 2) return false;
  const isSeries = runsOn(head) && !runsOn(rows[0] ?? []);
  const known = new Set(earlier);
  const shares = named.some((cell) => known.has(cell));
  const score = head.reduce(
    (sum, name, at) => {
      const below = rows.flatMap((cells) => cells[at] || []);
      const isAboveFigures = below.filter(isFigure).length > below.length / 2;
      if (name === '' || isSeries) return sum;
      if (below.includes(name) || isSentence(name)) return sum - 1;
      return isAboveFigures ? sum + (isFigure(name) ? -1 : 1) : sum;
    },
    Number(isSeries) + Number(shares),
  );
  if (score !== 0) return score > 0;
  const mayName = earlier.length === 0 || head.length !== earlier.length;
  return mayName && new Set(named).size === named.length && !named.some((cell) => isFigure(cell) || isAddress(cell));
}

const isSentence = (cell: string) => cell.length > 60 || /[。.!！]$/.test(cell);

/** Cells whose whole numbers go up by one from column to column: 2022, 2023 or 4月, 5月. */
function runsOn(cells: string[]): boolean {
  const figures = cells.filter((cell) => /\d/.test(cell));
  const numbers = figures.map((cell) => Number(/\d+/.exec(cell)?.[0]));
  const forms = new Set(figures.map((cell) => cell.replace(/\d+/, '')));
  return (
    figures.length > 1 &&
    forms.size === 1 &&
    numbers.every(
      (each, at) => at === 0 || each === (numbers[at - 1] ?? 0) + 1 || (each === 1 && numbers[at - 1] === 12),
    )
  );
}

/** The one of , ; tab | that cuts the most of the first lines into equally many cells, and into the most. */
function delimiterOf(text: string): string {
  const lines = text
    .slice(0, 20_000)
    .split('\n')
    .slice(0, 20)
    .map((line) => line.replace(/"[^"]*"/g, ''));
  const score = (delimiter: string) => {
    const times = new Map<number, number>();
    for (const line of lines) {
      const count = line.split(delimiter).length - 1;
      times.set(count, (times.get(count) ?? 0) + 1);
    }
    return Math.max(...[...times].map(([count, lines]) => count * lines ** 2));
  };
  return [',', ';', '\t', '|'].reduce((best, each) => (score(each) > score(best) ? each : best));
}

/**
 * A quote at the beginning of a cell that no quote at the end of one closes stands for itself, as in `24,"27 inches`: a blank before
 * it says so to the parser, which would take all that follows for one cell.
 */
function withoutStrayQuotes(text: string, delimiter: string, onStray: (at: number) => void): string {
  const parts: string[] = [];
  let from = 0;
  // Where no quote is left that closes, none is looked for again.
  let isOpen = false;
  for (let at = text.indexOf('"'); at >= 0; at = text.indexOf('"', at + 1)) {
    if (at > 0 && text[at - 1] !== '\n' && text[at - 1] !== delimiter) continue;
    const end: number = isOpen ? -1 : endOfCell(text, at + 1);
    const after: string | undefined = end < 0 ? undefined : text.charAt(end + 1);
    isOpen ||= end < 0;
    if (after === '' || after === '\n' || after === delimiter) at = end;
    else {
      onStray(at);
      parts.push(text.slice(from, at), ' ');
      from = at;
    }
  }
  return [...parts, text.slice(from)].join('');
}

/** The next quote that is not one of two. */
function endOfCell(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at >= 0; at = text.indexOf('"', at + 2)) if (text[at + 1] !== '"') return at;
  return -1;
}
