import { expect, test } from 'vitest';
import { openDocumentOf } from '../../testing/open-document.ts';
import { odp, ods, odt } from './odf.ts';
import { finish } from './text.ts';

type More = Parameters<typeof openDocumentOf>[2];

async function read(kind: 'text' | 'spreadsheet' | 'presentation', body: string, more: More = {}) {
  const parser = { text: odt, spreadsheet: ods, presentation: odp }[kind];
  const document = finish(await parser.parse(await openDocumentOf(kind, body, more), () => {}));
  return {
    ...document,
    lines: document.blocks.map(({ kind: each, level, page, text }) => `${page ?? ''}${each}${level ?? ''}: ${text}`),
  };
}

const p = (text: string, style = '') => `<text:p text:style-name="${style}">${text}</text:p>`;
const cell = (text: string, more = '') => `<table:table-cell ${more}>${text === '' ? '' : p(text)}</table:table-cell>`;
const covered = '<table:covered-table-cell/>';
const row = (cells: string, more = '') => `<table:table-row ${more}>${cells}</table:table-row>`;

test('a text has its headings, paragraphs, notes and links, without what is deleted or hidden', async () => {
  const { lines, title, warnings } = await read(
    'text',
    `<text:tracked-changes><text:changed-region>${p('deleted')}</text:changed-region></text:tracked-changes>` +
      `<text:h text:outline-level="2">Prices</text:h>` +
      p(
        'Tea<text:s text:c="3"/>costs<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>with tax</text:p></text:note-body></text:note> <text:a xlink:href="https://example.com/">this</text:a>.<text:span text:style-name="T1">secret</text:span><text:line-break/>Soon<office:annotation><text:p>Really?</text:p></office:annotation>',
      ) +
      p(
        'Box:<draw:frame><draw:text-box><text:p>Parking</text:p></draw:text-box></draw:frame><draw:frame><draw:image/></draw:frame>',
      ) +
      `<text:section text:display="none">${p('hidden')}</text:section>`,
    {
      automatic: '<style:style style:name="T1"><style:text-properties text:display="none"/></style:style>',
      masters:
        '<style:master-page><style:header><text:p>Version 4, page <text:page-number>1</text:page-number></text:p></style:header><style:footer-left><text:p>Version 4, page <text:page-number>2</text:page-number></text:p></style:footer-left></style:master-page>',
    },
  );
  expect(title).toBe('Prices');
  expect(lines).toEqual([
    'paragraph: Version 4, page',
    'heading2: Prices',
    'paragraph: Tea costs[1] this (https://example.com/).\nSoon',
    'paragraph: [1] with tax',
    'paragraph: Box:',
    'paragraph: Parking',
  ]);
  expect(warnings.map(({ kind, count }) => `${kind} ${count}`)).toEqual(['comment 1', 'picture 1']);
});

test('words under readings are whole, and each reading stands behind its word once', async () => {
  const ruby =
    '<text:ruby><text:ruby-base>東京</text:ruby-base><text:ruby-text>とうきょう</text:ruby-text></text:ruby>';
  expect((await read('text', p(`${ruby}へ行く。`) + p(`${ruby}から帰る。`))).lines).toEqual([
    'paragraph: 東京（とうきょう）へ行く。',
    'paragraph: 東京から帰る。',
  ]);
});

test('lists and headings have the numbers that they are shown with', async () => {
  const item = (inside: string, more = '') => `<text:list-item ${more}>${inside}</text:list-item>`;
  const list = (inside: string, more = '') => `<text:list text:style-name="L" ${more}>${inside}</text:list>`;
  const heading = (level: number, text: string) => `<text:h text:outline-level="${level}">${text}</text:h>`;
  const { lines } = await read(
    'text',
    heading(1, '総則') +
      heading(2, '目的') +
      list(item(p('one') + `<text:list>${item(p('in'))}</text:list>`) + item(p('two'))) +
      p('between') +
      list(item(p('three')) + item(p('nine'), 'text:start-value="9"'), 'text:continue-numbering="true"') +
      heading(2, '範囲') +
      `<text:list text:style-name="B">${item(p('a'))}${item(p('b') + p('more'))}</text:list>`,
    {
      styles:
        '<text:outline-style><text:outline-level-style text:level="1" style:num-format="1" style:num-prefix="第" style:num-suffix="章"/><text:outline-level-style text:level="2" style:num-format="1" text:display-levels="2"/></text:outline-style>' +
        '<text:list-style style:name="L"><text:list-level-style-number text:level="1" style:num-format="1" style:num-suffix="."/><text:list-level-style-number text:level="2" style:num-format="a" style:num-suffix=")"/></text:list-style>' +
        '<text:list-style style:name="B"><text:list-level-style-bullet text:level="1"/></text:list-style>',
    },
  );
  expect(lines).toEqual([
    'heading1: 第1章 総則',
    'heading2: 1.1 目的',
    'list: 1. one\n  a) in\n2. two',
    'paragraph: between',
    'list: 3. three\n9. nine',
    'heading2: 1.2 範囲',
    'list: - a\n- b\n  more',
  ]);
});

test('tables of a text keep every figure in its column', async () => {
  const { lines } = await read(
    'text',
    `<table:table><table:table-header-rows>${row(cell('Region') + cell('Fee', 'table:number-columns-spanned="2"') + covered)}</table:table-header-rows>${row(cell('North', 'table:number-rows-spanned="2"') + cell('80') + cell('90'))}${row(covered + cell('85') + cell('95'))}</table:table>`,
  );
  expect(lines).toEqual(['table: | Region | Fee |  |\n| --- | --- | --- |\n| North | 80 | 90 |\n| North | 85 | 95 |']);
});

test('a spreadsheet reads like one of Excel: merged cells, what is shown, hidden parts told', async () => {
  const { lines, warnings } = await read(
    'spreadsheet',
    `<table:table table:name="Fees"><table:table-column/><table:table-column table:visibility="collapse"/><table:table-column table:number-columns-repeated="1000"/>` +
      row(cell('Region') + cell('Cost') + cell('Price')) +
      row(cell('North', 'table:number-rows-spanned="2"') + cell('9') + cell('¥1,235', 'office:value="1234.5"')) +
      row(covered + cell('') + `<table:table-cell table:formula="of:=[.A1]"/>${cell('later')}`) +
      row(cell('South') + cell('') + cell('80'), 'table:visibility="filter" table:number-rows-repeated="3"') +
      row(
        cell('West') +
          cell('') +
          cell('70').replace('<text:p', '<office:annotation><text:p>?</text:p></office:annotation><text:p'),
      ) +
      row(cell('', 'table:number-columns-repeated="16384"'), 'table:number-rows-repeated="1048570"') +
      '</table:table>' +
      `<table:table table:name="Old" table:style-name="ta2">${row(cell('Secret'))}</table:table>`,
    {
      automatic: '<style:style style:name="ta2"><style:table-properties table:display="false"/></style:style>',
    },
  );
  expect(lines).toEqual([
    'heading1: Fees',
    'table: Region: North\nPrice: ¥1,235',
    'table: Region: North\nlater',
    'table: Region: West\nPrice: 70',
  ]);
  expect(warnings.toSorted((one, other) => one.kind.localeCompare(other.kind))).toEqual([
    { kind: 'comment', count: 1, places: ['Fees!C7'] },
    { kind: 'formula', count: 1, places: ['Fees!C3'] },
    { kind: 'hidden-row', count: 4, places: ['Fees!4–6', 'Fees!B'] },
    { kind: 'hidden-sheet', count: 1, places: ['Old'] },
  ]);
});

test('cells and rows that repeat a million times are not written out', async () => {
  const blank = row(cell('', 'table:number-columns-repeated="16384"'), 'table:number-rows-repeated="1048576"');
  const { lines } = await read(
    'spreadsheet',
    `<table:table table:name="S">${blank.repeat(500)}${row(cell('End'))}</table:table>`,
  );
  expect(lines).toEqual(['heading1: S', 'paragraph: End']);
  const same = row(
    cell('Closed', 'table:number-columns-repeated="999999999"'),
    'table:number-rows-repeated="999999999"',
  );
  const repeated = await read('spreadsheet', `<table:table table:name="S">${same}${row(cell('End'))}</table:table>`);
  expect(repeated.lines.join(' ').split('Closed')).toHaveLength(10_001);
  const hidden = row(cell('No'), 'table:number-rows-repeated="999999999" table:visibility="collapse"');
  const sheet = `<table:table table:name="S">${row(cell('Yes'))}${hidden}</table:table>`;
  expect((await read('spreadsheet', sheet)).warnings).toMatchObject([{ kind: 'hidden-row', count: 1_048_575 }]);
});

test('a presentation has its slides as pages, with notes and repeated texts once, prompts and hidden slides left out', async () => {
  const frame = (text: string, more = '') =>
    `<draw:frame ${more}><draw:text-box>${p(text)}</draw:text-box></draw:frame>`;
  const slide = (inside: string, style = '') =>
    `<draw:page draw:style-name="${style}" draw:master-page-name="M">${inside}</draw:page>`;
  const { lines, title, pages, warnings } = await read(
    'presentation',
    slide(
      frame('Below', 'svg:x="1cm" svg:y="9cm" svg:width="5cm" svg:height="2cm"') +
        frame('Above', 'svg:x="1cm" svg:y="30mm" svg:width="5cm" svg:height="2cm"') +
        frame('Opening', 'presentation:class="title"') +
        frame('Click here', 'presentation:placeholder="true"') +
        frame('Komorebi', 'presentation:class="footer"') +
        `<presentation:notes>${frame('Speak slowly.')}</presentation:notes>`,
    ) +
      slide(frame('Secret'), 'dp2') +
      slide(frame('Closing', 'presentation:class="title"') + frame('Komorebi', 'presentation:class="footer"')),
    {
      automatic:
        '<style:style style:name="dp2"><style:drawing-page-properties presentation:visibility="hidden"/></style:style>',
      masters: `<style:master-page style:name="M">${frame('Title', 'presentation:class="title"')}${frame('Version 4')}</style:master-page>`,
    },
  );
  expect([title, pages]).toEqual(['Opening', 3]);
  expect(lines).toEqual([
    '1heading1: Opening',
    '1paragraph: Komorebi',
    '1paragraph: Above',
    '1paragraph: Below',
    '1paragraph: Version 4',
    '1paragraph: Speak slowly.',
    '3heading1: Closing',
  ]);
  expect(warnings).toEqual([{ kind: 'hidden-slide', count: 1, places: ['2'] }]);
});

test('charts, formulas and documents inside are told', async () => {
  const object = (name: string) =>
    `<draw:frame><draw:object xlink:href="./${name}"/><draw:image xlink:href="./Replacements/${name}"/></draw:frame>`;
  const { warnings } = await read('text', p(`Menu${object('Object 1')}${object('Object 2')}`), {
    parts: {
      'Object 1/content.xml': '<math xmlns="http://www.w3.org/1998/Math/MathML"/>',
      'Object 2/content.xml':
        '<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"><office:body><office:spreadsheet/></office:body></office:document-content>',
    },
  });
  expect(warnings.map(({ kind, count }) => `${kind} ${count}`)).toEqual(['drawing 1', 'file-inside 1']);
});

test('the document types of old files do no harm', async () => {
  const { lines, warnings } = await read(
    'text',
    p('Area<draw:frame><draw:object xlink:href="./Object 1"/></draw:frame> of the field'),
    {
      parts: {
        'META-INF/manifest.xml':
          '<!DOCTYPE manifest PUBLIC "-//OpenOffice.org//DTD Manifest 1.0//EN" "Manifest.dtd"><manifest/>',
        'Object 1/content.xml':
          '<!DOCTYPE math PUBLIC "-//OpenOffice.org//DTD Modified W3C MathML 1.01//EN" "math.dtd"><math/>',
      },
    },
  );
  expect(lines).toEqual(['paragraph: Area of the field']);
  expect(warnings.map(({ kind }) => kind)).toEqual(['drawing']);
});

test.each([
  ['a password', 'META-INF/manifest.xml', '<manifest><file-entry><encryption-data/></file-entry></manifest>'],
  ['a password of the newer kind', 'encrypted-package', 'x'],
])('a file with %s is encrypted', async (_, name, part) => {
  await expect(read('text', p('Words.'), { parts: { [name]: part } })).rejects.toMatchObject({
    code: 'file-encrypted',
  });
});

test('a spreadsheet under the name of a text is of another kind', async () => {
  await expect(odt.parse(await openDocumentOf('spreadsheet', ''), () => {})).rejects.toMatchObject({
    code: 'type-mismatch',
  });
});
