import { expect, test } from 'vitest';
import { namesOf, readBook, sheetOf } from './sheet-rows.ts';

const first = (csv: string) => {
  const book = readBook(csv);
  const sheet = book.Sheets[namesOf(book)[0] ?? ''];
  if (!sheet) throw new Error('no sheet');
  return sheet;
};

test('a table of text keeps each cell as it was written', () => {
  const { columns, rows, isCut } = sheetOf(first('Code;Day\n007;1/2\n'));
  expect(columns.map(({ name }) => name)).toEqual(['A', 'B']);
  expect(rows.map(({ number, cells }) => [number, ...cells.map((cell) => cell?.text)])).toEqual([
    [1, 'Code', 'Day'],
    [2, '007', '1/2'],
  ]);
  expect(isCut).toBe(false);
});

test('rows and columns beyond what is drawn are told, and merged cells that never end as well', () => {
  expect(sheetOf(first('a\n'.repeat(2001))).isCut).toBe(true);
  expect(sheetOf(first('a,'.repeat(101))).isCut).toBe(true);
  const { columns, rows } = sheetOf({
    '!ref': 'A1:XFD1048576',
    '!merges': [{ s: { r: 0, c: 0 }, e: { r: 1_048_575, c: 16_383 } }],
    A1: { t: 's', v: 'wide' },
  });
  expect([columns.length, rows.length]).toEqual([100, 2000]);
  expect(rows[0]?.cells[0]).toMatchObject({ text: 'wide', columns: 100, rows: 2000 });
});
