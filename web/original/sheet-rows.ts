import { mostColumns, mostRows } from '../lib/original-frame.ts';
import { read, utils, type WorkBook, type WorkSheet } from '@e965/xlsx';

export interface Cell {
  text: string;
  isNumber: boolean;
  columns: number;
  rows: number;
}

export interface Sheet {
  columns: { name: string; width: number | undefined }[];
  /** Where another cell reaches over, there is none. */
  rows: { number: number; cells: (Cell | undefined)[] }[];
  isCut: boolean;
}

/** A row more than is drawn, so that it can be told. */
export const readBook = (data: ArrayBuffer | string): WorkBook =>
  typeof data === 'string'
    ? read(data, { type: 'string', raw: true, sheetRows: mostRows + 1 })
    : read(data, { type: 'array', cellFormula: false, cellHTML: false, cellStyles: true, sheetRows: mostRows + 1 });

/** Those that programs show. */
export const namesOf = ({ SheetNames, Workbook }: WorkBook): string[] =>
  SheetNames.filter((_, at) => !Workbook?.Sheets?.[at]?.Hidden);

export function sheetOf(sheet: WorkSheet): Sheet {
  const { s: start, e: end } = utils.decode_range(sheet['!ref'] ?? 'A1');
  const full = sheet['!fullref'] ? utils.decode_range(String(sheet['!fullref'])).e : end;
  const lastRow = Math.min(end.r, mostRows - 1);
  const lastColumn = Math.min(end.c, mostColumns - 1);
  const isHidden = (kind: '!rows' | '!cols', at: number) => sheet[kind]?.[at]?.hidden === true;
  const places = (kind: '!rows' | '!cols', last: number) =>
    Array.from({ length: Math.max(0, last + 1) }, (_, at) => at).filter((at) => !isHidden(kind, at));
  const columns = places('!cols', lastColumn);
  const covers = new Map<string, Pick<Cell, 'rows' | 'columns'> | undefined>();
  for (const { s, e } of sheet['!merges'] ?? []) {
    const [rows, wide] = [
      places('!rows', Math.min(e.r, lastRow)).filter((at) => at >= s.r),
      columns.filter((at) => at >= s.c && at <= e.c),
    ];
    for (const r of rows) for (const c of wide) covers.set(`${r},${c}`, undefined);
    covers.set(`${s.r},${s.c}`, { rows: Math.max(1, rows.length), columns: Math.max(1, wide.length) });
  }
  return {
    columns: columns.map((at) => ({ name: utils.encode_col(at), width: sheet['!cols']?.[at]?.wpx })),
    rows: places('!rows', lastRow).map((row) => ({
      number: row + 1,
      cells: columns.map((column) => {
        const place = `${row},${column}`;
        const size = covers.get(place);
        if (covers.has(place) && !size) return undefined;
        const cell = sheet[utils.encode_cell({ r: row, c: column })];
        return {
          text: row < start.r || column < start.c ? '' : String(cell?.w ?? cell?.v ?? ''),
          isNumber: cell?.t === 'n',
          ...(size ?? { rows: 1, columns: 1 }),
        };
      }),
    })),
    isCut: full.r >= mostRows || full.c >= mostColumns,
  };
}
