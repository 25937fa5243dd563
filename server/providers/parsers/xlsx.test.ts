import { expect, test } from 'vitest';
import { relation, relations, workbookOf, type TestSheet } from '../../testing/office.ts';
import { finish } from './text.ts';
import { xlsx } from './xlsx.ts';

async function read(sheets: TestSheet[], more: Parameters<typeof workbookOf>[1] = {}) {
  const { blocks, warnings } = finish(await xlsx.parse(await workbookOf(sheets, more), () => {}));
  return {
    lines: blocks.map(({ kind, level, text }) => (kind === 'table' ? text : `${kind}${level ?? ''}: ${text}`)),
    warnings,
  };
}

const cell = (at: string, text: string) => `<c r="${at}" t="inlineStr"><is><t>${text}</t></is></c>`;
const number = (at: string, value: number | string, style = 0) => `<c r="${at}" s="${style}"><v>${value}</v></c>`;
const row = (at: number, cells: string, more = '') => `<row r="${at}" ${more}>${cells}</row>`;
/** Rows of words from A1 on; empty ones leave a cell out. */
const rowsOf = (...rows: string[][]) =>
  rows
    .map((words, at) =>
      row(
        at + 1,
        words
          .map((word, column) => (word === '' ? '' : cell(`${String.fromCharCode(65 + column)}${at + 1}`, word)))
          .join(''),
      ),
    )
    .join('');
const merged = (...ranges: string[]) =>
  `<mergeCells>${ranges.map((range) => `<mergeCell ref="${range}"/>`).join('')}</mergeCells>`;

test('each sheet is a heading, and the rows of its tables name their columns', async () => {
  const { lines } = await read([
    { name: '料金', rows: rowsOf(['貸室料金'], [], ['室', '料金'], ['ホール', '8800円'], ['会議室', '1200円']) },
    { name: 'Hours', rows: rowsOf(['Day', 'Open'], ['Monday', 'nine']) },
    { name: 'Empty', rows: '' },
  ]);
  expect(lines).toEqual([
    'heading1: 料金',
    'heading2: 貸室料金',
    '室：ホール\n料金：8800円',
    '室：会議室\n料金：1200円',
    'heading1: Hours',
    'Day: Monday\nOpen: nine',
  ]);
});

test('merged cells belong to every row and column that they span, and move no figure', async () => {
  const { lines } = await read([
    {
      name: 'Fees',
      rows: rowsOf(
        ['Region', 'Parcels', '', 'Note'],
        ['', 'Small', 'Large', ''],
        ['North', '800', '1100', ''],
        ['', '850', '1200', 'Sunday'],
        ['South', 'closed', '', ''],
      ),
      after: merged('A1:A2', 'B1:C1', 'D1:D2', 'A3:A4', 'B5:C5'),
    },
  ]);
  expect(lines).toEqual([
    'heading1: Fees',
    'Region: North\nParcels Small: 800\nParcels Large: 1100',
    'Region: North\nParcels Small: 850\nParcels Large: 1200\nNote: Sunday',
    'Region: South\nParcels Small: closed\nParcels Large: closed',
  ]);
});

test('a label over the whole width heads its rows, and one of a row is said once', async () => {
  const { lines } = await read([
    {
      name: 'Menu',
      rows: rowsOf(['Item', 'Size', 'Price'], ['Drinks', '', ''], ['Tea', 'small', '300'], ['Sum', '', '300']),
      after: merged('A2:C2', 'A4:B4'),
    },
  ]);
  expect(lines).toEqual([
    'heading1: Menu',
    'heading3: Drinks',
    'Item: Tea\nSize: small\nPrice: 300',
    'Item: Sum\nPrice: 300',
  ]);
});

test('a form laid out over many narrow columns reads like any other table', async () => {
  const { lines } = await read([
    {
      name: 'Form',
      rows: [1, 2]
        .map((at) => row(at, cell(`A${at}`, at === 1 ? 'Name' : 'Abe') + cell(`K${at}`, at === 1 ? 'Age' : '41')))
        .join(''),
      after: merged('A1:J1', 'K1:T1', 'A2:J2', 'K2:T2'),
    },
  ]);
  expect(lines).toEqual(['heading1: Form', 'Name: Abe\nAge: 41']);
});

test('tables that stand side by side keep apart', async () => {
  const { lines } = await read([
    {
      name: 'Two',
      rows: rowsOf(
        ['Item', 'Price', '', 'Item', 'Price'],
        ['Tea', '300', '', 'Rice', '500'],
        ['', '', '', 'Soup', '200'],
      ),
    },
  ]);
  expect(lines).toEqual(['heading1: Two', 'Item: Tea\nPrice: 300', 'Item: Rice\nPrice: 500', 'Item: Soup\nPrice: 200']);
});

test.each([
  ['¥#,##0', 1234.5, '¥1,235'],
  ['#,##0;"▲"#,##0', -5000, '▲5,000'],
  ['0.0%', 0.256, '25.6%'],
  ['[h]:mm', 1.5, '36:00'],
  ['yyyy"年"m"月"d"日"(aaa)', 45000, '2023年3月15日(水)'],
  ['[$-411]ggge"年"m"月"d"日"', 45000, '令和5年3月15日'],
  ['[$-411]ge.m.d', 43500, 'H31.2.4'],
  ['[$-ja-JP-x-gannen]ggge"年";@', 43600, '令和元年'],
  ['000-0000', 1234567, '123-4567'],
  ['0;;"none";@', 0, 'none'],
  ['General', 4901234567894, '4901234567894'],
  ['General', 0.1 + 0.2, '0.3'],
  ['no format ] at all', 7, '7'],
])('a number in the format %s: %d is shown as %s', async (format, value, shown) => {
  const { lines } = await read([{ name: 'あ', rows: row(1, number('A1', value, 1)) }], { formats: [format] });
  expect(lines.at(-1)).toBe(`paragraph: ${shown}`);
});

test('a date is shown as in Japan only in a Japanese file, and from 1904 where the file says so', async () => {
  const builtIn = (id: number) => ({
    'xl/styles.xml': `<styleSheet><cellXfs><xf numFmtId="${id}"/></cellXfs></styleSheet>`,
  });
  const date = (name: string, id: number, properties = '') =>
    read([{ name, rows: row(1, number('A1', 45000)) }], { parts: builtIn(id), properties });
  expect((await date('Sheet', 14)).lines.at(-1)).toBe('paragraph: 3/15/2023');
  expect((await date('シート', 14)).lines.at(-1)).toBe('paragraph: 2023/3/15');
  expect((await date('シート', 28)).lines.at(-1)).toBe('paragraph: 令和5年3月15日');
  expect((await date('Sheet', 14, 'date1904="1"')).lines.at(-1)).toBe('paragraph: 3/16/2027');
});

test('texts are read whole and without the readings above them; truth values and errors as they are shown', async () => {
  const { lines } = await read(
    [
      {
        name: 'S',
        rows: row(
          1,
          `<c r="A1" t="s"><v>0</v></c><c r="B1" t="b"><v>1</v></c><c r="C1" t="e"><v>#N/A</v></c><c r="D1" t="str"><f>A1</f><v>done_x000D_</v></c>`,
        ),
      },
    ],
    {
      texts:
        '<si><r><t>東京</t></r><r><t xml:space="preserve"> to Kyoto</t></r><rPh sb="0" eb="2"><t>トウキョウ</t></rPh><phoneticPr fontId="1"/></si>',
    },
  );
  expect(lines.at(-1)).toBe('東京 to Kyoto | TRUE | #N/A | done');
});

test('a formula has the result that was stored, and one without a result is told', async () => {
  const { lines, warnings } = await read([
    {
      name: 'Sums',
      rows: row(1, '<c r="A1"><f>1+2</f><v>3</v></c><c r="B1"><f>A1*2</f><v/></c><c r="C1"><f>A1</f></c>'),
    },
  ]);
  expect(lines).toEqual(['heading1: Sums', 'paragraph: 3']);
  expect(warnings).toEqual([{ kind: 'formula', count: 2, places: ['Sums!B1', 'Sums!C1'] }]);
});

test('hidden rows, columns and sheets are left out and told, with a label that goes on in a row that is shown kept', async () => {
  const { lines, warnings } = await read([
    {
      name: 'Stock',
      before: '<cols><col min="2" max="2" hidden="1"/></cols>',
      rows: [
        row(1, cell('A1', 'Item') + cell('B1', 'Cost') + cell('C1', 'Price')),
        row(2, cell('A2', 'Tea') + cell('B2', '90') + cell('C2', '300')),
        row(3, cell('A3', 'Rice') + cell('C3', '500'), 'hidden="1"'),
        row(4, cell('A4', 'Soup') + cell('C4', '200'), 'hidden="1"'),
        row(5, '', 'hidden="1"'),
        row(6, cell('A6', 'Bread'), 'hidden="1"'),
        row(7, cell('C7', '400')),
      ].join(''),
      after: merged('A6:A7'),
    },
    { name: 'Old', state: 'veryHidden', rows: rowsOf(['Secret']) },
  ]);
  expect(lines).toEqual(['heading1: Stock', 'Item: Tea\nPrice: 300', 'Item: Bread\nPrice: 400']);
  expect(warnings).toEqual([
    { kind: 'hidden-row', count: 3, places: ['Stock!3–4', 'Stock!B'] },
    { kind: 'hidden-sheet', count: 1, places: ['Old'] },
  ]);
});

test('the address of a link stands behind its words', async () => {
  const { lines } = await read([
    {
      name: 'Links',
      rows: row(
        1,
        cell('A1', 'Apply') +
          '<c r="B1" t="str"><f>HYPERLINK("https://example.com/b","Book")</f><v>Book</v></c>' +
          cell('C1', 'Top'),
      ),
      after: '<hyperlinks><hyperlink ref="A1" r:id="l"/><hyperlink ref="C1" location="A1"/></hyperlinks>',
      relations: relation('l', 'hyperlink', 'https://example.com/a', 'TargetMode="External"'),
    },
  ]);
  expect(lines.at(-1)).toBe('Apply (https://example.com/a) | Book (https://example.com/b) | Top');
});

test('words in shapes are read; comments, charts, pictures and files inside are told with their place', async () => {
  const shape = (row: number, text: string) =>
    `<twoCellAnchor><from><col>0</col><row>${row}</row></from><sp><txBody><p><r><t>${text}</t></r></p></txBody></sp></twoCellAnchor>`;
  const { lines, warnings } = await read(
    [
      {
        name: 'Map',
        rows: rowsOf(['Floors', 'Rooms']),
        relations:
          relation('d', 'drawing', '../drawings/drawing1.xml') +
          relation('c', 'comments', '../comments1.xml') +
          relation('o', 'oleObject', '../embeddings/a.bin'),
      },
    ],
    {
      parts: {
        'xl/drawings/drawing1.xml': `<wsDr xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006">${shape(9, 'Exit')}${shape(2, 'Lift')}<oneCellAnchor><pic/></oneCellAnchor><mc:AlternateContent><mc:Choice><twoCellAnchor><graphicFrame><graphic><graphicData uri="http://x/chart"/></graphic></graphicFrame></twoCellAnchor></mc:Choice><mc:Fallback><twoCellAnchor><pic/></twoCellAnchor></mc:Fallback></mc:AlternateContent></wsDr>`,
        'xl/drawings/_rels/drawing1.xml.rels': relations(''),
        'xl/comments1.xml': '<comments><commentList><comment ref="B2"><text/></comment></commentList></comments>',
      },
    },
  );
  expect(lines.slice(-2)).toEqual(['paragraph: Lift', 'paragraph: Exit']);
  expect(warnings.toSorted((one, other) => one.kind.localeCompare(other.kind))).toEqual([
    { kind: 'comment', count: 1, places: ['Map!B2'] },
    { kind: 'drawing', count: 1, places: ['Map'] },
    { kind: 'file-inside', count: 1, places: ['Map'] },
    { kind: 'picture', count: 1, places: ['Map'] },
  ]);
});

test('the name of a column in which nothing stands is kept', async () => {
  expect((await read([{ name: 'S', rows: rowsOf(['Item', 'Note', 'Price'], ['Tea', '', '300']) }])).lines).toEqual([
    'heading1: S',
    'Item: Tea\nPrice: 300',
    'Note',
  ]);
});

test('a cell merged over a million rows, and a long text in each of them, do not explode', async () => {
  const rows = Array.from({ length: 2000 }, (_, at) => row(at * 500 + 1, number(`B${at * 500 + 1}`, at))).join('');
  const { lines } = await read([
    {
      name: 'S',
      rows: rows.replace('<c r="B1"', `${cell('A1', 'x'.repeat(600))}<c r="B1"`),
      after: merged('A1:A1048576'),
    },
  ]);
  expect(lines.join('').length).toBeLessThan(50_000);
  await expect(
    read(
      [
        {
          name: 'S',
          rows: Array.from({ length: 30_000 }, (_, at) => row(at + 1, `<c r="A${at + 1}" t="s"><v>0</v></c>`)).join(''),
        },
      ],
      {
        texts: `<si><t>${'y'.repeat(1000)}</t></si>`,
      },
    ),
  ).rejects.toMatchObject({ code: 'too-much-text' });
});
