import { expect, test } from 'vitest';
import { csv } from './csv.ts';

const read = async (text: string) =>
  (await csv.parse(Buffer.from(text), () => {})).blocks.map(({ kind, text }) =>
    kind === 'table' ? text : `${kind}: ${text}`,
  );

test.each([
  ['semicolons', 'a;b\n1,5;2'],
  ['tabs', 'a\tb\n1,5\t2'],
  ['bars', 'a|b\n1,5|2'],
  ['what its first line tells Excel', 'sep=;\na;b\n1,5;2'],
  ['semicolons below a title with commas', 'One, two, three\n\na;b\n1,5;2'],
])('a CSV with %s is divided there', async (_, text) => {
  expect((await read(text)).at(-1)).toBe('a: 1,5\nb: 2');
});

test('lines above the names are title and notes, lines below the table are kept', async () => {
  expect(await read('Rooms 2025\nwith tax\n\nRoom,Price\nHall,8800\nStudio,\n\nClosed on Mondays\n')).toEqual([
    'heading: Rooms 2025',
    'paragraph: with tax',
    'Room: Hall\nPrice: 8800',
    'Room: Studio',
    'paragraph: Closed on Mondays',
  ]);
});

test.each([
  ['years', 'Tea,2022,2023,2024\nGreen,1200,1350,1500\nBlack,800,,950', 'Tea: Black\n2022: 800\n2024: 950'],
  ['months', '店舗,11月,12月,1月\n北口店,412,398,455\n南口店,287,,276', '店舗：南口店\n11月：287\n1月：276'],
  [
    'the same name twice',
    '氏名,電話,電話\n山田,090-0000-0001,03-0000-0001\n鈴木,,03-0000-0002',
    '氏名：鈴木\n電話 (2)：03-0000-0002',
  ],
  ['a corner without a name', ',Adult,Child\nMorning,500,200\nEvening,,300', 'Evening\nChild: 300'],
])('columns may be named by %s', async (_, text, last) => {
  expect((await read(text)).at(-1)).toBe(last);
});

test.each([
  [
    'values that come again in their column',
    'カルガモ,北の池,一年中\nサギ,南の池,夏だけ\nカワセミ,北の池,一年中',
    'カルガモ | 北の池 | 一年中',
  ],
  ['figures above figures', 'Apple,300\nPear,200', 'Apple | 300'],
  ['sentences', 'We open at nine.,Come in.\nWe close at six.,Go home.', 'We open at nine. | Come in.'],
])('a first row of %s is a row like the others, with its empty cells', async (_, text, first) => {
  expect((await read(`${text}\nx,,`))[0]).toBe(first);
  expect((await read(`${text}\nx,,y`)).at(-1)).toBe('x |  | y');
});

test('a table below an empty line has its own names, or goes on with those above it', async () => {
  const sales = 'Shop,April,May\nNorth,412,398';
  expect((await read(`${sales}\n\nShop,Closed\nNorth,Tuesday`)).at(-1)).toBe('Shop: North\nClosed: Tuesday');
  expect((await read(`${sales}\n,,\nSouth,287,301`)).at(-1)).toBe('Shop: South\nApril: 287\nMay: 301');
});

test('a quote that nothing closes is a mark like any other, and those that are closed keep their lines', async () => {
  expect(await read('Name,Price,Note\nScreen,24800,"27 inches\nCable,980,"two\nlines"\n"5"" pipe",3,x')).toEqual([
    'Name: Screen\nPrice: 24800\nNote: "27 inches',
    'Name: Cable\nPrice: 980\nNote: two\nlines',
    'Name: 5" pipe\nPrice: 3\nNote: x',
  ]);
});

test('the line of a quotation mark that nothing closes is told', async () => {
  const { warnings } = await csv.parse(
    Buffer.from('Name,Note\nScreen,"27 inches\nCable,"two\nlines"\nPipe,"x" y\nCord,z'),
    () => {},
  );
  expect(warnings).toEqual([{ kind: 'stray-quote', count: 2, places: ['2', '5'] }]);
});
