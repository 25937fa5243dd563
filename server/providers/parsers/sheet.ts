import { labelled } from '../../../shared/characters.ts';
import { ParseError } from './parser.ts';
import type { Block } from './parser.ts';
import { longestHeading, maxCharacters, unwrap } from './text.ts';

/** A row of a sheet. Where merged cells tell what it is, it need not be guessed: it names the columns, or it heads the rows below it. */
export interface Row {
  cells: string[];
  role?: 'names' | 'section' | undefined;
}

/** How many rows of a table say whether its first one names the columns. */
const looked = 20;

/** Gathers blocks. Throws 'too-much-text' above `maxCharacters`. */
export function collectBlocks() {
  const blocks: Block[] = [];
  let characters = 0;
  return {
    blocks,
    add(block: Block): void {
      characters += block.text.length;
      if (characters > maxCharacters) throw new ParseError('too-much-text');
      blocks.push(block);
    },
    characters: () => characters,
  };
}

/**
 * Makes blocks of the rows of a sheet, for CSV as for spreadsheets. Each row of a table is a block of its own, with the names of its
 * columns. Gaps part tables; lines of one cell above a table are its title and notes.
 */
export function createTables(add: (block: Block) => void, isOneColumn = false) {
  let titles: string[] = [];
  let names: string[] = [];
  /** Names that no row has repeated yet. */
  let unsaid = new Set<number>();
  /** The first rows of a table, until they tell whether it has a head. */
  let waiting: Row[] | undefined = [];

  /** Whether there is more than titles. */
  function begin(table: Row[]): boolean {
    const first = isOneColumn ? 0 : table.findIndex(({ cells }) => countOf(cells) > 1);
    const above = table.slice(0, first < 0 ? table.length : first);
    titles.push(...above.map(({ cells }) => cells.find(Boolean) ?? ''));
    const [head, ...others] = first < 0 ? [] : table.slice(first);
    if (!head) return false;
    addTitles();
    const rows = others.filter(({ role }) => role !== 'section').map(({ cells }) => cells);
    const isNamed = head.role === 'names' || hasNames(head.cells, rows, names);
    if (isNamed) {
      names = toldApart(head.cells.map(unwrap));
      unsaid = new Set(names.flatMap((name, at) => (name === '' ? [] : [at])));
    } else if (head.cells.length !== names.length) names = [];
    for (const row of isNamed ? others : [head, ...others]) addRow(row);
    return true;
  }

  function addRow(row: Row): void {
    add(rowBlock(names, row));
    if (unsaid.size > 0 && row.role !== 'section') for (const at of unsaid) if (row.cells[at]) unsaid.delete(at);
  }

  function endTable(): void {
    if (waiting) begin(waiting);
    // Names with nothing below them are still a text.
    if (unsaid.size > 0) add({ kind: 'table', text: [...unsaid].map((at) => names[at]).join(' | '), page: null });
    unsaid = new Set();
    waiting = [];
  }

  function addTitles(): void {
    const [title, ...notes] = titles;
    titles = [];
    if (title && title.length <= longestHeading) add({ kind: 'heading', level: 2, text: title, page: null });
    else if (title) notes.unshift(title);
    for (const text of notes) add({ kind: 'paragraph', text, page: null });
  }

  return {
    row(row: Row): void {
      if (!waiting) addRow(row);
      else if (waiting.push(row) > looked) waiting = begin(waiting) ? undefined : [];
    },
    gap: endTable,
    /** What comes has nothing to do with the columns before. */
    forget: (): void => void (names = []),
    end(): void {
      endTable();
      for (const text of titles) add({ kind: 'paragraph', text, page: null });
      titles = [];
    },
  };
}

export const countOf = (cells: string[]) => cells.filter((cell) => cell !== '').length;

const questionNames = /^(?:q|questions?|faq|ご?質問(?:文|内容)?|問い?|お問い?合わせ(?:内容)?)$/i;
const answerNames = /^(?:a|answers?|repl(?:y|ies)|ご?回答(?:文|内容)?|答え?)$/i;

/** Each row repeats the names of its columns ("Price: 300"), so that it can be read without the rows before it. */
export function rowBlock(names: string[], { cells, role }: Row): Block {
  if (role === 'section') return sectionBlock(cells.find(Boolean) ?? '');
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

/** A short text over the whole width of a table is a heading for what is below it, a sentence a note. */
const sectionBlock = (text: string): Block =>
  isSentence(text) ? { kind: 'paragraph', text, page: null } : { kind: 'heading', level: 3, text, page: null };

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
