import { graphicKind, linesOf, shown } from './drawing.ts';
import { columnName, createGrid, type GridCell, type Span } from './grid.ts';
import { createNumberFormats } from './number-formats.ts';
import { isOle, openOffice, type OfficePackage, type Relation } from './opc.ts';
import { ParseError } from './parser.ts';
import type { Block, Draft, Parser } from './parser.ts';
import { collectBlocks } from './sheet.ts';
import { addressBehind, isZip, maxCharacters } from './text.ts';
import { createWarnings } from './warnings.ts';
import { child, elements, type Element, type XmlReader } from './xml.ts';

export const xlsx: Parser = {
  name: 'Excel',
  extensions: ['xlsx', 'xlsm'],
  mime: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  isPlain: false,
  accepts: (head) => isZip(head) || isOle(head),
  async parse(file, onProgress) {
    const office = await openOffice(file, 'xl/', 'xl/workbook.xml');
    onProgress(0.05);
    return { title: null, pages: null, ...(await readWorkbook(office, onProgress)) };
  },
};

interface Sheet {
  name: string;
  target: string;
  /** The last word of its relation: `worksheet`, `chartsheet`, … */
  kind: string;
  isHidden: boolean;
}

interface Book {
  office: OfficePackage;
  texts: string[];
  /** The text that a cell shows for a number or a text, in the style that it has. */
  format(value: number | string, style: number): string;
  warnings: ReturnType<typeof createWarnings>;
  add(block: Block): void;
}

/**
 * SpreadsheetML (ECMA-376 part 1, 18) to blocks: of each sheet that is not hidden its tables, as a spreadsheet shows their cells, and the words of its
 * shapes. Formulas have the result that was last calculated. Hidden rows, columns and sheets, comments, charts and
 * pictures are left out and told.
 */
async function readWorkbook(
  office: OfficePackage,
  onProgress: (share: number) => void,
): Promise<Pick<Draft, 'blocks' | 'warnings'>> {
  const workbook = await office.read(office.main);
  if (!workbook) throw new ParseError('file-damaged');
  const relations = await office.relationsOf(office.main);
  const sheets = sheetsOf(workbook, relations);
  const partOf = (type: string) => relations.find((each) => each.type === type)?.target;
  const texts = await sharedTexts(office, partOf('sharedStrings'));
  const styles = await office.read(partOf('styles'));
  const { show, codeOf } = await createNumberFormats({
    isJapanese: isJapanese(texts, sheets, styles),
    is1904: isTrue(child(workbook, 'workbookPr')?.attributes['date1904']),
  });
  const codes = new Map(
    elements(child(styles, 'numFmts')).map(({ attributes }) => [attributes['numFmtId'], attributes['formatCode']]),
  );
  const formats = elements(child(styles, 'cellXfs')).map(({ attributes }) => {
    const id = attributes['numFmtId'] ?? '0';
    return codes.get(id) ?? codeOf(Number(id));
  });
  const warnings = createWarnings();
  const { blocks, add } = collectBlocks();
  const book: Book = {
    office,
    texts,
    warnings,
    add,
    format: (value, style) => show(value, formats[style] ?? 'General'),
  };
  for (const [at, sheet] of sheets.entries()) {
    if (sheet.isHidden) warnings.add('hidden-sheet', sheet.name);
    else if (sheet.kind === 'chartsheet') warnings.add('drawing', sheet.name);
    else if (sheet.kind === 'worksheet') await readSheet(book, sheet);
    onProgress(0.1 + (0.85 * (at + 1)) / sheets.length);
  }
  return { blocks, warnings: warnings.list() };
}

function sheetsOf(workbook: Element, relations: Relation[]): Sheet[] {
  const byId = new Map(relations.map((relation) => [relation.id, relation]));
  return elements(child(workbook, 'sheets')).flatMap(({ attributes }) => {
    const relation = byId.get(attributes['r:id'] ?? '');
    if (!relation) return [];
    const isHidden = ['hidden', 'veryHidden'].includes(attributes['state'] ?? '');
    return [{ name: attributes['name'] ?? '', target: relation.target, kind: relation.type, isHidden }];
  });
}

const kana = /[ぁ-んァ-ヶ]/;

/** Excel in Japan marks its fonts as Japanese (character set 128), whatever stands in the cells. */
function isJapanese(texts: string[], sheets: Sheet[], styles: Element | undefined): boolean {
  return (
    elements(child(styles, 'fonts')).some((font) => child(font, 'charset')?.attributes['val'] === '128') ||
    sheets.some(({ name }) => kana.test(name)) ||
    texts.some((text) => kana.test(text))
  );
}

/** Texts that cells name by number: without the readings above them. */
async function sharedTexts(office: OfficePackage, target: string | undefined): Promise<string[]> {
  const texts: string[] = [];
  let characters = 0;
  const item = textReader();
  await office.scan(target, {
    open(name) {
      if (name === 'si') item.start();
      item.open(name);
    },
    text: (text) => item.text(text),
    close(name) {
      item.close(name);
      if (name !== 'si') return;
      const text = item.take();
      characters += text.length;
      if (characters > maxCharacters) throw new ParseError('too-much-text');
      texts.push(text);
    },
  });
  return texts;
}

/** Gathers the text of `t`, in a cell or in the table of texts, and passes over readings. */
function textReader() {
  let whole = '';
  let isText = false;
  let readings = 0;
  return {
    start: (): void => void (whole = ''),
    open(name: string): void {
      if (name === 'rPh') readings++;
      isText = name === 't' && readings === 0;
    },
    text(text: string): void {
      if (isText) whole += text;
    },
    close(name: string): void {
      if (name === 'rPh') readings--;
      isText = false;
    },
    take: () => withoutEscapes(whole),
  };
}

/** Characters that XML cannot hold stand as `_x000D_`. */
const withoutEscapes = (text: string): string =>
  text.includes('_x')
    ? text.replace(/_x([\dA-F]{4})_/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : text;

const isTrue = (value: string | undefined) => value === '1' || value === 'true';

/** What stands around the rows of a sheet, most of it after them. */
interface Frame {
  merged: Span[];
  hidden: Set<number>;
  /** Addresses by cell. */
  links: Map<string, string>;
}

async function readSheet(book: Book, sheet: Sheet): Promise<void> {
  const { office, warnings, add } = book;
  const relations = await office.relationsOf(sheet.target);
  const frame = await readFrame(office, sheet, relations);
  const grid = createGrid({
    name: sheet.name,
    add,
    warnings,
    merged: frame.merged,
    isHidden: (column) => frame.hidden.has(column),
  });
  await office.scan(sheet.target, rowReader(book, { sheet, links: frame.links, onRow: grid.row }));
  grid.endRows();
  for (const relation of relations) {
    if (relation.type === 'drawing') await readDrawing(book, { sheet, target: relation.target, add: grid.add });
    else if (relation.type === 'comments')
      for (const comment of elements(child(await office.read(relation.target), 'commentList')))
        warnings.add('comment', `${sheet.name}!${comment.attributes['ref'] ?? ''}`);
    else if (relation.type === 'oleObject' || relation.type === 'package') warnings.add('file-inside', sheet.name);
  }
}

/** Excel's own limit. */
const mostColumns = 16_384;

/** Merged cells come after the rows that they are in, so all but the rows is read first. */
async function readFrame(office: OfficePackage, sheet: Sheet, relations: Relation[]): Promise<Frame> {
  const frame: Frame = { merged: [], hidden: new Set(), links: new Map() };
  let lastColumn = 0;
  const addresses = new Map(relations.map(({ id, target }) => [id, target]));
  await office.scan(sheet.target, {
    open(name, attributes) {
      if (name === 'sheetData') return 'skip';
      if (name === 'col') {
        const isHidden = isTrue(attributes['hidden']) || Number(attributes['width'] ?? 1) === 0;
        // They stand in order, so that none is counted twice.
        const from = Math.max(lastColumn + 1, Number(attributes['min']));
        lastColumn = Math.min(mostColumns, Number(attributes['max']));
        if (isHidden) for (let column = from; column <= lastColumn; column++) frame.hidden.add(column);
      } else if (name === 'mergeCell') {
        const [from, to] = (attributes['ref'] ?? '').split(':').map(placeOf);
        if (from && to) frame.merged.push({ top: from.row, left: from.column, bottom: to.row, right: to.column });
      } else if (name === 'hyperlink') {
        const [cell = ''] = (attributes['ref'] ?? '').split(':');
        const target = addresses.get(attributes['r:id'] ?? '');
        if (target) frame.links.set(cell, target);
      }
    },
    text() {},
    close() {},
  });
  frame.merged.sort((one, other) => one.top - other.top);
  return frame;
}

/** A cell while it is read. */
interface Cell {
  place: string;
  column: number;
  type: string;
  style: number;
  isPicture: boolean;
  formula: string | undefined;
  value: string;
}

function rowReader(
  { texts, format, warnings }: Book,
  {
    sheet,
    links,
    onRow,
  }: {
    sheet: Sheet;
    links: Map<string, string>;
    onRow(row: { number: number; cells: GridCell[]; isHidden: boolean }): void;
  },
): XmlReader {
  let number = 0;
  let isHidden = false;
  let column = 0;
  let cells: GridCell[] = [];
  let cell: Cell | undefined;
  let reading: 'value' | 'formula' | undefined;
  let characters = 0;
  const inline = textReader();

  function textOf({ place, type, style, isPicture, formula, value }: Cell): string {
    switch (type) {
      case 's':
        return format(texts[Number(value)] ?? '', style);
      case 'inlineStr':
        return format(inline.take(), style);
      case 'str':
        return format(withoutEscapes(value), style);
      case 'b':
        return value === '' ? '' : isTrue(value) ? 'TRUE' : 'FALSE';
      case 'e':
        if (!isPicture) return value;
        warnings.add('picture', sheet.name);
        return '';
      case 'd':
        return value;
      default:
        if (value === '' && formula !== undefined) warnings.add('formula', `${sheet.name}!${place}`);
        return value === '' || Number.isNaN(Number(value)) ? value : format(Number(value), style);
    }
  }

  function endCell(done: Cell): void {
    const text = textOf(done).trim();
    if (text === '') return;
    // HYPERLINK("https://…","Words") shows its words.
    const address = links.get(done.place) ?? /^HYPERLINK\("([^"]{1,2000})"/i.exec(done.formula ?? '')?.[1];
    const whole = text + addressBehind(text, address);
    characters += whole.length;
    if (characters > maxCharacters) throw new ParseError('too-much-text');
    cells.push({ column: done.column, text: whole });
  }

  return {
    open(name, attributes) {
      if (name === 'row') {
        number = Number(attributes['r'] ?? number + 1);
        isHidden = isTrue(attributes['hidden']) || Number(attributes['ht'] ?? 1) === 0;
        column = 0;
        cells = [];
      } else if (name === 'c') {
        const place = attributes['r'] ?? '';
        column = placeOf(place)?.column ?? column + 1;
        cell = {
          place: place || `${columnName(column)}${number}`,
          column,
          type: attributes['t'] ?? 'n',
          style: Number(attributes['s'] ?? 0),
          isPicture: attributes['vm'] !== undefined,
          formula: undefined,
          value: '',
        };
        inline.start();
      } else if (name === 'v') reading = 'value';
      else if (name === 'f' && cell) {
        reading = 'formula';
        cell.formula = '';
      }
      inline.open(name);
    },
    text(text) {
      inline.text(text);
      if (!cell) return;
      if (reading === 'value') cell.value += text;
      else if (reading === 'formula') cell.formula += text;
    },
    close(name) {
      inline.close(name);
      reading = undefined;
      if (name === 'c' && cell) {
        endCell(cell);
        cell = undefined;
      } else if (name === 'row') onRow({ number, cells, isHidden });
    },
  };
}

/** Shapes by their place on the sheet, row by row. */
async function readDrawing(
  { office, warnings }: Book,
  { sheet, target, add }: { sheet: Sheet; target: string; add(block: Block): void },
): Promise<void> {
  const links = new Map((await office.relationsOf(target)).map((relation) => [relation.id, relation.target]));
  const read = (each: Element): void => {
    if (each.name === 'pic') warnings.add('picture', sheet.name);
    else if (each.name === 'graphicFrame') {
      if (/^(?:chart|chartex|diagram)$/.test(graphicKind(each))) warnings.add('drawing', sheet.name);
    } else if (each.name === 'sp' || each.name === 'cxnSp') {
      const text = linesOf(child(each, 'txBody'), links)
        .map((line) => line.text)
        .join('\n');
      if (text !== '') add({ kind: 'paragraph', text, page: null });
    } else for (const inside of shown(each)) read(inside);
  };
  const at = (anchor: Element, name: string) => Number(child(anchor, 'from', name)?.children.join('') ?? 0);
  const anchors = shown(await office.read(target)).toSorted(
    (one, other) => at(one, 'row') - at(other, 'row') || at(one, 'col') - at(other, 'col'),
  );
  for (const anchor of anchors) read(anchor);
}

function placeOf(reference: string): { row: number; column: number } | undefined {
  const [, letters, digits] = /^\$?([A-Z]{1,3})\$?(\d{1,7})$/i.exec(reference) ?? [];
  if (!letters || !digits) return undefined;
  let column = 0;
  for (const letter of letters.toUpperCase()) column = column * 26 + letter.charCodeAt(0) - 64;
  return { row: Number(digits), column };
}
