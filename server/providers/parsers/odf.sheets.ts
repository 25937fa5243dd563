import { columnName, createGrid, type GridCell, type Span } from './grid.ts';
import { createWriter, repeatsOf, type OdfFile } from './odf.text.ts';
import type { Block, Draft } from './parser.ts';
import { collectBlocks } from './sheet.ts';
import { child, elements, type Element } from './xml.ts';

/** Columns of the widest sheet and rows of the longest that LibreOffice makes. */
const mostColumns = 16_384;
const mostRows = 1_048_576;
/** A row or cell that stands there again and again says the same each time. */
const mostRepeats = 100;

interface Sheet {
  name: string;
  isHidden: boolean;
  hidden: Set<number>;
  columns: number;
  row: number;
  merged: Span[];
  shapes: Block[];
  grid: ReturnType<typeof createGrid>;
}

/**
 * A spreadsheet of OpenDocument to blocks, as Excel's. The file holds the text of each cell as it is shown. Rows are read one by one, since a sheet may have a million.
 */
export async function readSheets(file: OdfFile, onProgress: (share: number) => void): Promise<Draft> {
  const settings: Element = { name: '', attributes: {}, children: [] };
  await file.scan(
    'content.xml',
    treeReader(['office:automatic-styles'], (tree) => settings.children.push(tree), 'office:body'),
  );
  onProgress(0.1);
  const writer = createWriter(file, await file.read('styles.xml'), settings);
  const { warnings } = writer;
  const { blocks, add } = collectBlocks();
  let sheet: Sheet | undefined;

  function begin(attributes: Element['attributes']): void {
    const name = attributes['table:name'] ?? '';
    const properties = child(writer.styleOf(attributes['table:style-name']), 'style:table-properties');
    const isHidden = properties?.attributes['table:display'] === 'false';
    if (isHidden) warnings.add('hidden-sheet', name);
    const hidden = new Set<number>();
    const merged: Span[] = [];
    const grid = createGrid({ name, add, warnings, merged, isHidden: (column) => hidden.has(column) });
    sheet = { name, isHidden, hidden, columns: 0, row: 0, merged, shapes: [], grid };
  }

  function end(): void {
    if (!sheet) return;
    sheet.grid.endRows();
    for (const block of sheet.shapes) sheet.grid.add(block);
    sheet = undefined;
  }

  function take(tree: Element): void {
    if (!sheet || sheet.isHidden) return;
    if (tree.name === 'table:table-row') return readRow(tree, sheet);
    if (tree.name === 'table:table-column') {
      const last = Math.min(mostColumns, sheet.columns + repeatsOf(tree, 'table:number-columns-repeated'));
      for (let at = sheet.columns + 1; isOutOfSight(tree) && at <= last; at++) sheet.hidden.add(at);
      sheet.columns = last;
    } else for (const block of writer.blocksIn(tree, null)) sheet.shapes.push(block);
  }

  function readRow(row: Element, { name, merged, shapes, grid, row: before }: Sheet): void {
    const number = before + 1;
    const times = Math.max(1, Math.min(mostRows - before, repeatsOf(row, 'table:number-rows-repeated')));
    if (sheet) sheet.row = before + times;
    const cells: GridCell[] = [];
    let column = 0;
    for (const cell of elements(row)) {
      if (!/^table:(?:covered-)?table-cell$/.test(cell.name)) continue;
      const repeated = repeatsOf(cell, 'table:number-columns-repeated');
      const first = column + 1;
      column += repeated;
      const text =
        cell.name === 'table:table-cell' ? textOf(cell, `${name}!${columnName(first)}${number}`, shapes) : '';
      if (text === '') continue;
      for (let at = first; at <= Math.min(column, first + mostRepeats - 1, mostColumns); at++)
        cells.push({ column: at, text });
      const [down, across] = [
        repeatsOf(cell, 'table:number-rows-spanned'),
        repeatsOf(cell, 'table:number-columns-spanned'),
      ];
      if (down > 1 || across > 1)
        merged.push({ top: number, left: first, bottom: number + down - 1, right: first + across - 1 });
    }
    if (cells.length === 0 && !isOutOfSight(row)) return;
    const isHidden = isOutOfSight(row);
    for (let at = 0; at < (isHidden ? times : Math.min(times, mostRepeats)) && (cells.length > 0 || at === 0); at++)
      grid.row({ number: number + at, cells, isHidden });
  }

  /** A formula whose result nobody has stored gives neither text nor value. */
  function textOf(cell: Element, place: string, shapes: Block[]): string {
    const lines: string[] = [];
    for (const each of elements(cell)) {
      if (each.name === 'text:p') {
        const beside = { boxes: [], notes: [] };
        lines.push(writer.inlineText(each, beside));
      } else if (each.name === 'office:annotation') warnings.add('comment', place);
      else shapes.push(...writer.blocksIn({ name: '', attributes: {}, children: [each] }, null));
    }
    const text = lines.join('\n').trim();
    const value = cell.attributes['office:value'] ?? cell.attributes['office:string-value'];
    if (text === '' && value === undefined && cell.attributes['table:formula'] !== undefined)
      warnings.add('formula', place);
    return text === '' ? (value ?? '') : text;
  }

  const trees = treeReader(['table:table-row', 'table:table-column', 'table:shapes'], take);
  await file.scan('content.xml', {
    open(name, attributes) {
      if (name === 'office:automatic-styles' || name === 'office:scripts') return 'skip';
      if (name === 'table:table' && !trees.isInside()) begin(attributes);
      return trees.open(name, attributes);
    },
    text: trees.text,
    close(name) {
      trees.close();
      if (name === 'table:table' && !trees.isInside()) end();
    },
  });
  await writer.tellObjects();
  return { title: null, pages: null, blocks, warnings: warnings.list() };
}

const isOutOfSight = ({ attributes }: Element) => ['collapse', 'filter'].includes(attributes['table:visibility'] ?? '');

/** Gives each element of these names as a tree, one after the other. */
function treeReader(names: string[], onTree: (tree: Element) => void, skipped?: string) {
  const open: Element[] = [];
  return {
    isInside: () => open.length > 0,
    open(name: string, attributes: Element['attributes']): 'skip' | void {
      if (name === skipped) return 'skip';
      if (open.length === 0 && !names.includes(name)) return;
      const element = { name, attributes, children: [] };
      open.at(-1)?.children.push(element);
      open.push(element);
    },
    text: (text: string): void => void open.at(-1)?.children.push(text),
    close(): void {
      const element = open.pop();
      if (element && open.length === 0) onTree(element);
    },
  };
}
