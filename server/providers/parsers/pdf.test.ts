import { expect, test } from 'vitest';
import { pdfOf } from '../../testing/pdf.ts';
import { pdf } from './pdf.ts';

const at = (x: number, y: number, text: string, { size = 12, turned = false } = {}) =>
  `BT /F ${size} Tf ${turned ? '0 1 -1 0' : '1 0 0 1'} ${x} ${y} Tm (${text}) Tj ET\n`;

const read = async (...pages: Parameters<typeof pdfOf>[0]) =>
  (await pdf.parse(pdfOf(pages), () => {})).blocks.map(({ kind, text, page }) => `${page} ${kind}: ${text}`);
const onOnePage = (...content: string[]) => read({ raw: content.join('') });

test('empty cells stay in their column, and lines of one row are one', async () => {
  expect(
    await onOnePage(
      at(60, 700, 'Item'),
      at(200, 700, 'Counted'),
      at(300, 700, 'Note'),
      at(60, 670, 'Lamp'),
      at(300, 670, 'to be'),
      at(300, 656, 'checked'),
      at(60, 626, 'Wick'),
      at(200, 626, '30'),
    ),
  ).toEqual(['1 table: | Item | Counted | Note |\n| --- | --- | --- |\n| Lamp |  | to be checked |\n| Wick | 30 |  |']);
});

test('the table of a page that is turned is a table', async () => {
  const turned = { turned: true };
  expect(
    await onOnePage(
      ...['Room', 'Single', 'Double'].flatMap((name, row) => [
        at(100 + row * 20, 60, name, turned),
        at(100 + row * 20, 200, `${row}0`, turned),
        at(100 + row * 20, 300, `${row}5`, turned),
      ]),
    ),
  ).toEqual(['1 table: | Room | 00 | 05 |\n| --- | --- | --- |\n| Single | 10 | 15 |\n| Double | 20 | 25 |']);
});

test('a table that goes on over a page has the names of its columns there, too', async () => {
  const rows = (from: number) =>
    [0, 1, 2].map(
      (row) =>
        at(60, 700 - row * 20, `Lamp ${from + row}`) +
        at(200, 700 - row * 20, `${from}7`) +
        at(300, 700 - row * 20, 'x'),
    );
  const [, second] = await read(
    { raw: [at(60, 720, 'Item'), at(200, 720, 'Price'), at(300, 720, 'Size'), ...rows(1)].join('') },
    { raw: rows(4).join('') },
  );
  expect(second).toMatch(/^2 table: \| Item \| Price \| Size \|\n.*\n\| Lamp 4 \| 47 \| x \|/);
});

test('columns that are painted line by line are read one after the other', async () => {
  const left = [
    'The garden is open from April to',
    'October. Visitors may picnic on the',
    'north lawn. Dogs are welcome there.',
  ];
  const right = [
    'Tickets are sold at the south gate',
    'until one hour before closing. The',
    'family ticket covers two adults now.',
  ];
  const blocks = await onOnePage(
    ...left.flatMap((line, row) => [at(60, 700 - row * 14, line), at(320, 700 - row * 14, right[row] ?? '')]),
  );
  expect(blocks.join(' ')).toMatch(/from April to October\..* welcome there\..*Tickets are sold.* adults now\./);
});

test('small print close below a large line is a line of its own', async () => {
  expect(
    await onOnePage(
      at(99, 540, 'Big', { size: 116 }),
      at(99, 495, 'Small'),
      at(301, 540, 'Text', { size: 116 }),
      at(134, 495, 'Print'),
    ),
  ).toEqual(['1 heading: Big Text', '1 paragraph: Small Print']);
});

test('headings that are painted last stand above their text', async () => {
  const body = at(60, 680, 'We are open from ten to six, on Fridays until eight in the evening.');
  expect(await onOnePage(body, at(60, 705, 'Opening hours', { size: 18 }))).toEqual([
    '1 heading: Opening hours',
    expect.stringContaining('We are open'),
  ]);
});

test('what is printed twice is read once, and double letters stay', async () => {
  const line = 'All coffee in the cellar is free.';
  expect(await onOnePage(at(60, 700, line), at(60.4, 700, line))).toEqual([`1 paragraph: ${line}`]);
  // A pair of letters that stand a little closer than their widths.
  expect(await onOnePage(at(60, 700, 'hel'), at(74.9, 700, 'lo'))).toEqual(['1 paragraph: hello']);
});

test('words that are painted apart are no cells', async () => {
  expect(
    await onOnePage(at(60, 700, 'Ring'), at(120, 700, 'now.'), at(60, 686, 'Then wait.'), at(86.5, 700, 'them')),
  ).toEqual(['1 paragraph: Ring them now. Then wait.']);
});

test('what is filled into a form stands beside its label, and only what is chosen is ticked', async () => {
  const field = (y: number, more: string) =>
    `<< /Type /Annot /Subtype /Widget /Rect [180 ${y} 380 ${y + 20}] /T (f${y}) ${more} >>`;
  const states = '/AP << /N << /Yes 3 0 R /Off 3 0 R >> >>';
  const text = (
    await read({
      raw: at(60, 700, 'Model:') + at(60, 660, 'Repair') + at(60, 620, 'Exchange'),
      fields: [
        field(694, '/FT /Tx /V (HX-2200)'),
        field(654, `/FT /Btn /V /Off /AS /Off ${states}`),
        field(614, `/FT /Btn /V /Yes /AS /Yes ${states}`),
      ],
    })
  ).join('\n');
  expect(text).toMatch(/Model:[ |]+HX-2200/);
  expect(text).toMatch(/Repair[ |]+☐/);
  expect(text).toMatch(/Exchange[ |]+☒/);
});

test('lines at the edges of pages are kept once, and those that differ are kept', async () => {
  const months = [1, 2, 3, 4].map((month) => ({
    top: '(Call us: 0800 555 0199)',
    body: [`(Total of month ${month}: ${month * 1077} yen)`, '(A)', '(B)'],
    foot: '(0120-000-111)',
  }));
  const text = (await read(...months)).join('\n');
  expect(text.match(/0800 555 0199/g)).toHaveLength(1);
  expect(text.match(/0120-000-111/g)).toHaveLength(1);
  for (const { body } of months) expect(text).toContain(body[0]?.slice(1, -1));
});

test('a sentence that goes over a page stays where it began, and the next one is of its own page', async () => {
  const [first, second] = await read(
    { body: ['(The night porter keeps the spare keys in the steel box and)', '(never hands one to a person that is)'] },
    { body: ['(not on the list. A new card costs nine euros at the desk and)', '(is ready on the next day.)'] },
  );
  expect(first).toMatch(/^1 .*not on the list\.$/);
  expect(second).toMatch(/^2 .*A new card costs nine euros/);
});
