import { gridBlocks } from './table.ts';
import type { Block } from './parser.ts';

/** How a row says that its cells are: `\trowd`, and `\cellx` for each cell. */
export interface RowLayout {
  cells: { right: number; isMergedAcross: boolean; isMergedDown: boolean }[];
}

export interface RtfTable {
  rows: { cells: string[]; layout: RowLayout }[];
  /** Of the row that is being read. */
  cells: string[];
  /** Of the cell that is being read. */
  texts: string[];
  /** Tables and notes in its cells. */
  later: Block[];
}

export const emptyTable = (): RtfTable => ({ rows: [], cells: [], texts: [], later: [] });

/** Edges that are as near as this, in twentieths of a point, are one. */
const sameEdge = 40;
/** As many columns as Word has at most. */
const mostColumns = 63;
/** To repeat a long text in each of many rows would take more than it tells. */
const longestRepeated = 500;

/** Rows of a table; a cell over several columns is wider than others, so columns are what lies between all edges. */
export function tableBlocks(table: RtfTable): Block[] {
  const edges: number[] = [];
  // Rows may share one layout.
  const layouts = new Set(table.rows.map(({ layout }) => layout));
  const rights = new Set([...layouts].flatMap(({ cells }) => cells.map(({ right }) => right)));
  for (const right of [...rights].sort((one, other) => one - other))
    if (edges.length === 0 || right - (edges.at(-1) ?? 0) > sameEdge) edges.push(right);
  const columnAfter = (right: number | undefined, place: number) => {
    if (right === undefined || edges.length > mostColumns) return place + 1;
    return Math.max(place + 1, edges.findLastIndex((edge) => edge <= right) + 1);
  };
  let above: string[] = [];
  const rows = table.rows.map(({ cells, layout }) => {
    const row: string[] = [];
    const next: string[] = [];
    for (const [at, text] of cells.entries()) {
      const cell = layout.cells[at];
      const place = row.length;
      const shown = cell?.isMergedDown && text === '' ? (above[place] ?? '') : text;
      next[place] = shown.length <= longestRepeated ? shown : '';
      row.push(shown);
      while (row.length < Math.min(mostColumns, columnAfter(cell?.right, place))) row.push('');
    }
    above = next;
    return row;
  });
  const said = rows.filter((row) => row.some((text) => text !== ''));
  return [...(said.length > 0 ? gridBlocks(said) : []), ...table.later].filter(({ text }) => text !== '');
}
