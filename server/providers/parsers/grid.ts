import type { Block } from './parser.ts';
import { createTables, type Row } from './sheet.ts';
import { longestRepeated } from './table.ts';
import type { createWarnings } from './warnings.ts';

/** Rows and columns count from 1. */
export interface Span {
  top: number;
  left: number;
  bottom: number;
  right: number;
}

export interface GridCell {
  column: number;
  text: string;
  /** The last column that it spans, if that is another one. */
  right?: number;
}

export interface GridRow {
  number: number;
  /** From left to right, none of them empty. */
  cells: GridCell[];
  isHidden?: boolean;
}

/** A label that goes down over several rows. */
interface Label extends Span {
  text: string;
}

/** A row with the labels that reach into it from above. */
interface FullRow extends GridRow {
  labels: Label[];
}

/** The columns of a table in which cells begin, and which of them each is. */
interface Columns {
  columns: number[];
  places: ReadonlyMap<number, number>;
}

/** A table, or one of several that stand side by side. */
interface Table extends Columns {
  tables: ReturnType<typeof createTables>;
  blocks: Block[];
}

/** How many rows say which columns there are. */
const looked = 20;
const deepestHead = 5;

/**
 * Makes blocks of the rows of a spreadsheet, whose cells may be merged: a label that goes down belongs to each of its rows, a cell that
 * goes across to each of its columns, unless it is the label of its row; names of columns in several rows become one name. Only columns in which
 * cells begin count, so that a sheet whose cells are laid out over hundreds of narrow columns reads like any other.
 * `merged` is ordered by `top`.
 */
export function createGrid({
  name,
  add: addBlock,
  warnings,
  merged,
  isHidden: isHiddenColumn,
}: {
  /** The heading of all that the sheet gives. */
  name: string;
  add(block: Block): void;
  warnings: ReturnType<typeof createWarnings>;
  merged: Span[];
  isHidden(column: number): boolean;
}) {
  let isNamed = false;
  const add = (block: Block): void => {
    if (!isNamed) addBlock({ kind: 'heading', level: 1, text: name, page: null });
    isNamed = true;
    addBlock(block);
  };
  const hiddenRows: number[] = [];
  const hiddenColumns = new Set<number>();
  const main: Table = { columns: [], places: new Map(), tables: createTables(add), blocks: [] };
  let region: Table[] | undefined;
  let waiting: FullRow[] = [];
  /** By column: no two can be in one. */
  const labels = new Map<number, Label>();
  let nextMerge = 0;
  /** The last row that belongs to what is above it. */
  let reached = 0;
  let lastColumns = '';

  function row({ number, cells, isHidden = false }: GridRow): void {
    const spans = new Map<number, Span>();
    for (let span = merged[nextMerge]; span && span.top <= number; span = merged[++nextMerge])
      if (span.top === number) spans.set(span.left, span);
    for (const [column, { bottom }] of labels) if (bottom < number) labels.delete(column);
    const above = [...labels.values()];
    const shown: GridCell[] = [];
    for (const { column, text, right = spans.get(column)?.right ?? column } of cells) {
      let from = column;
      while (from < right && isHiddenColumn(from)) from++;
      if (isHiddenColumn(from)) {
        if (!isHidden) hiddenColumns.add(column);
        continue;
      }
      shown.push({ column: from, text, right });
      const span = spans.get(column);
      if (span && span.bottom > number && text.length <= longestRepeated)
        labels.set(from, { ...span, left: from, text });
    }
    if (isHidden) {
      // What goes down into rows that are not hidden is shown there.
      if (shown.some(({ column }) => labels.get(column)?.top !== number)) hiddenRows.push(number);
      if (number === reached + 1) reached = number;
      return;
    }
    if (shown.length === 0) return;
    if (number > reached + 1) endRegion();
    reached = number;
    for (const { bottom } of labels.values()) reached = Math.max(reached, bottom);
    const full = { number, cells: shown, labels: above };
    if (region) pass(region, full);
    else if (waiting.push(full) > looked) begin();
  }

  function begin(): void {
    const columns = tablesIn(waiting);
    const key = columns.map((each) => each.join()).join(';');
    if (key !== lastColumns && columns.some((each) => each.length > 1)) {
      main.tables.forget();
      lastColumns = key;
    }
    region = columns.map((own, at) => {
      const places = new Map(own.map((column, place) => [column, place]));
      if (at === 0) return { ...main, columns: own, places };
      const blocks: Block[] = [];
      return { columns: own, places, tables: createTables((block) => void blocks.push(block)), blocks };
    });
    for (const table of region) {
      const rows = waiting.flatMap((each) => partOf(each, table, region ?? []) ?? []);
      for (const each of withHead(rows, table)) table.tables.row(each);
    }
    waiting = [];
  }

  function endRegion(): void {
    if (!region && waiting.length > 0) begin();
    for (const [at, { tables, blocks }] of (region ?? []).entries()) {
      if (at === 0) tables.gap();
      else tables.end();
      for (const block of blocks) add(block);
    }
    region = undefined;
  }

  return {
    row,
    /** Adds what stands on the sheet beside its cells. */
    add,
    endRows(): void {
      endRegion();
      main.tables.end();
      for (const [from, to] of runsOf(hiddenRows))
        warnings.add('hidden-row', `${name}!${from === to ? from : `${from}–${to}`}`, to - from + 1);
      for (const column of [...hiddenColumns].toSorted((one, other) => one - other))
        warnings.add('hidden-row', `${name}!${columnName(column)}`);
    },
  };
}

function pass(region: Table[], full: FullRow): void {
  for (const table of region) {
    const part = partOf(full, table, region);
    if (part) table.tables.row(rowOf(part, table));
  }
}

/** What of a row stands in a table; nothing where it has no cell of its own there. */
function partOf(row: FullRow, table: Table, region: Table[]): FullRow | undefined {
  if (region.length === 1) return row;
  const at = region.indexOf(table);
  const from = at === 0 ? 0 : (table.columns[0] ?? 0);
  const to = region[at + 1]?.columns[0] ?? Infinity;
  const isIn = (column: number) => column >= from && column < to;
  const cells = row.cells.filter(({ column }) => isIn(column));
  return cells.length === 0 ? undefined : { ...row, cells, labels: row.labels.filter(({ left }) => isIn(left)) };
}

/** The columns of each table of some rows. A column without any cell parts tables that begin in different rows or with the same name. */
function tablesIn(rows: FullRow[]): number[][] {
  const several = rows.filter(({ cells }) => cells.length > 1);
  const ends = new Map<number, number>();
  for (const { cells } of several.length > 0 ? several : rows)
    for (const { column, right = column } of cells) ends.set(column, Math.max(ends.get(column) ?? 0, right));
  const parts: number[][] = [];
  let reached = 0;
  for (const [column, right] of [...ends].toSorted(([one], [other]) => one - other)) {
    if (parts.length === 0 || column > reached + 1) parts.push([]);
    parts.at(-1)?.push(column);
    reached = Math.max(reached, right);
  }
  const tables: number[][] = [];
  for (const part of parts) {
    const before = tables.at(-1);
    if (before && !standApart(headOf(several, before), headOf(several, part))) before.push(...part);
    else tables.push([...part]);
  }
  return tables;
}

/** The first row with more than one cell in these columns. */
function headOf(rows: FullRow[], columns: number[]): { number: number; texts: string[] } | undefined {
  const [first = 0, last = first] = [columns[0], columns.at(-1)];
  if (first === last) return undefined;
  for (const { number, cells } of rows) {
    const texts = cells.filter(({ column }) => column >= first && column <= last).map(({ text }) => text);
    if (texts.length > 1) return { number, texts };
  }
  return undefined;
}

function standApart(one: ReturnType<typeof headOf>, other: ReturnType<typeof headOf>): boolean {
  if (!one || !other) return false;
  return one.number !== other.number || one.texts[0] === other.texts[0];
}

/** Names of columns that stand in several rows, groups above what they have, become the names in one row. */
function withHead(rows: FullRow[], table: Columns): Row[] {
  const at = rows.findIndex((row) => row.cells.length > 1);
  if (at < 0) return rows.map((row) => rowOf(row, table));
  const head: string[][] = [];
  for (let next = at; next < at + deepestHead; next++) {
    const row = rows[next];
    if (!row) break;
    head.push(cellsOf(row, table, true));
    if (!goesOn(row, rows[next + 1], table.columns)) break;
  }
  const names = (head[0] ?? []).map((_, column) => [...new Set(head.map((cells) => cells[column] ?? ''))]);
  return [
    ...rows.slice(0, at).map((row) => rowOf(row, table)),
    {
      cells: names.map((parts) => parts.filter(Boolean).join(' ')),
      role: head.length > 1 ? 'names' : undefined,
    },
    ...rows.slice(at + head.length).map((row) => rowOf(row, table)),
  ];
}

/** Whether the row below names the columns of a group in this one. A cell that goes across from the first column is the label of a row. */
function goesOn(row: FullRow, below: FullRow | undefined, columns: number[]): boolean {
  return row.cells.some(({ column, right = column }) => {
    const isInside = (each: number) => each >= column && each <= right;
    const isGroup = right > column && column !== columns[0] && columns.filter(isInside).length > 1;
    return isGroup && (below?.cells.filter((cell) => isInside(cell.column)).length ?? 0) > 1;
  });
}

function rowOf(row: FullRow, table: Columns): Row {
  const { columns } = table;
  const [only, ...more] = row.cells;
  const isWide = only !== undefined && columns.length > 1 && (only.right ?? only.column) >= (columns.at(-1) ?? 0);
  if (isWide && more.length === 0 && only.column <= (columns[0] ?? 0)) return { cells: [only.text], role: 'section' };
  return { cells: cellsOf(row, table, false) };
}

/** The texts of a row in the columns of its table; what begins in none of them stands at the end. */
function cellsOf({ cells, labels }: FullRow, { columns, places }: Columns, isHead: boolean): string[] {
  const texts = columns.map(() => '');
  const others: string[] = [];
  for (const { column, text } of cells) {
    const at = places.get(column);
    if (at === undefined) others.push(text);
    else texts[at] = text;
  }
  if (cells.length === 1 && labels.length === 0) return [...texts, ...others];
  const spread = (text: string, left: number, right: number) => {
    if (text.length > longestRepeated) return;
    const first = places.get(left);
    if (first !== undefined && texts[first] === '') texts[first] = text;
    if (!isHead && left === columns[0]) return;
    for (let at = (first ?? columns.length) + 1; (columns[at] ?? Infinity) <= right; at++) texts[at] ||= text;
  };
  for (const { left, right, text } of labels) spread(text, left, right);
  for (const { column, right = column, text } of cells) if (right > column) spread(text, column, right);
  return [...texts, ...others];
}

/** `A` for 1, `AA` for 27. */
export function columnName(column: number): string {
  let name = '';
  for (let rest = column; rest > 0; rest = Math.floor((rest - 1) / 26))
    name = String.fromCharCode(65 + ((rest - 1) % 26)) + name;
  return name;
}

/** Neighbouring numbers as their first and last. */
function runsOf(numbers: number[]): [from: number, to: number][] {
  const runs: [number, number][] = [];
  for (const number of numbers) {
    const last = runs.at(-1);
    if (last && number === last[1] + 1) last[1] = number;
    else runs.push([number, number]);
  }
  return runs;
}
