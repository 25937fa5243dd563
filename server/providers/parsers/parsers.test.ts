import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { formats, textFormats } from '../../../shared/formats.ts';
import { translate } from '../../infra/translate.ts';
import { pdfOf } from '../../testing/pdf.ts';
import type { Block } from './parser.ts';
import { findParser, parsers } from './registry.ts';
import { finish } from './text.ts';

const fixtures = new URL('../../../e2e/fixtures/', import.meta.url);
const fixture = (name: string) => readFileSync(new URL(name, fixtures));

async function read(name: string, file: Uint8Array | string = fixture(name)) {
  const parser = findParser(name.split('.').at(-1) ?? '');
  if (!parser) throw new Error(`no parser for ${name}`);
  const shares: number[] = [];
  const document = finish(
    await parser.parse(typeof file === 'string' ? Buffer.from(file) : file, (share) => shares.push(share)),
  );
  return {
    ...document,
    shares,
    lines: document.blocks.map((block) => `${block.kind}${block.level ?? ''}: ${block.text}`),
  };
}

const samples: Record<string, { file: string; language: string; says: string }> = {
  PDF: { file: 'guide-en.pdf', language: 'en', says: 'Delivery within Japan costs 480 yen.' },
  Word: { file: 'handbook.docx', language: 'en', says: 'it needs eighteen minutes to reach 93 degrees.' },
  Markdown: { file: 'faq-ja.md', language: 'ja', says: '開封後は2週間以内にお飲みいただくのがおすすめです。' },
  Text: { file: 'faq-ja.txt', language: 'ja', says: '定員は6名、参加費は3,300円です。' },
  Excel: { file: 'prices.xlsx', language: 'en', says: 'Product: Hand grinder Tsumiki' },
  PowerPoint: { file: 'tasting.pptx', language: 'en', says: 'Each guest tries four cups.' },
  'OpenDocument text': { file: 'lending.odt', language: 'en', says: 'A book may be taken home for two weeks' },
  'OpenDocument spreadsheet': { file: 'rota.ods', language: 'en', says: 'Day: Thursday' },
  'OpenDocument presentation': { file: 'harvest.odp', language: 'en', says: 'nine tons of coffee cherries.' },
  HTML: { file: 'about.html', language: 'en', says: 'We buy from eleven farms in five countries' },
  CSV: { file: 'prices.csv', language: 'en', says: 'Product: Hand grinder Tsumiki' },
  JSON: { file: 'shops.json', language: 'ja', says: 'address.city: 神戸' },
  Mail: { file: 'reply.eml', language: 'en', says: 'The lamp can be returned within 30 days.' },
  EPUB: { file: 'roasting.epub', language: 'en', says: 'Light roasts take nine minutes.' },
  RTF: { file: 'notice-ja.rtf', language: 'ja', says: '夏季休業は8月11日から15日までです。' },
};

/** Pictures hold no text of their own; scans.test.ts has them read. */
const withText = parsers.filter(({ extensions }) => extensions.some((each) => each in textFormats));

test.each(withText.map((parser) => [parser.name, parser] as const))(
  '%s keeps the contract of parsers',
  async (name, parser) => {
    const sample = samples[name];
    if (!sample) throw new Error(`a new format needs a sample: ${name}`);
    const { language, blocks, shares } = await read(sample.file);
    expect(parser.accepts(fixture(sample.file).subarray(0, 65_536))).toBe(true);
    expect(parser.accepts(Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'))).toBe(false);
    expect(language).toBe(sample.language);
    expect(blocks.some((block) => block.text.includes(sample.says))).toBe(true);
    expect(
      blocks.every(
        (block) => block.text.trim() !== '' && block.text.isWellFormed() && !/[^\P{Cc}\n\t]/u.test(block.text),
      ),
    ).toBe(true);
    expect(shares.every((share) => share >= 0 && share <= 1)).toBe(true);
  },
);

test('people are told of every format that can be read, and of no other', () => {
  expect(Object.keys(formats)).toHaveLength(parsers.length);
  expect(new Set(Object.keys(formats).map(findParser))).toEqual(new Set(parsers));
  expect(translate('en', 'errors:file-type-not-supported')).toBe(
    'This kind of file cannot be read. Use PDF, DOCX, XLSX, PPTX, ODT, ODS, ODP, Markdown, TXT, HTML, CSV, JSON, EML, EPUB, RTF, JPEG, PNG, WebP, GIF, or TIFF.',
  );
  expect(translate('ja', 'errors:file-type-not-supported')).toBe(
    'この形式のファイルは読み込めません。PDF、DOCX、XLSX、PPTX、ODT、ODS、ODP、Markdown、TXT、HTML、CSV、JSON、EML、EPUB、RTF、JPEG、PNG、WebP、GIF、TIFFに対応しています。',
  );
});

test('a PDF gives its headings, paragraphs and tables with their pages', async () => {
  const { title, pages, blocks, shares } = await read('guide-en.pdf');
  expect(title).toBe('Komorebi Coffee: Guide for Customers');
  expect(pages).toBe(3);
  expect(shares).toEqual([1 / 3, 2 / 3, 1]);
  expect(
    blocks.filter((block) => block.kind === 'heading').map(({ text, level, page }) => [text, level, page]),
  ).toEqual([
    ['Guide for Customers', 1, 1],
    ['Opening hours', 2, 1],
    ['How to find us', 2, 1],
    ['Delivery', 2, 2],
    ['Returns and refunds', 2, 2],
    ['Subscription', 2, 3],
    ['Prices of beans', 2, 3],
  ]);
  expect(blocks.find((block) => block.text.startsWith('Grinders'))?.text).toBe(
    'Grinders and kettles carry a guarantee of twenty-four months. The receipt is enough; the box need not be kept.',
  );
  expect(blocks.at(-1)).toMatchObject({ kind: 'table', page: 3 });
  expect(blocks.at(-1)?.text).toContain('Deep Forest | dark | 1,240 yen');
});

test('a Japanese PDF reads without the spaces and breaks of its layout', async () => {
  const { language, blocks } = await read('guide-ja.pdf');
  expect(language).toBe('ja');
  expect(blocks.find((block) => block.text.startsWith('国内の送料'))).toEqual({
    kind: 'paragraph',
    page: 2,
    text: '国内の送料は480円です。5,000円以上のご注文は送料無料となります。正午までのご注文は当日に発送します。鮮度をお約束できないため、海外への発送は行っておりません。',
  });
});

test('a header that repeats is read once, page numbers never, and a word cut at the end of a line is whole', async () => {
  const { lines } = await read(
    'rules.pdf',
    pdfOf(
      [1, 2, 3, 4].map((number) => ({
        top: `(Shop rules, page ${number})`,
        body: ['(We roast and spe-)', `(cialize in light coffee of day ${number}.)`],
        foot: `(${number})`,
      })),
    ),
  );
  expect(lines).toEqual([
    'paragraph: Shop rules, page 1',
    ...[1, 2, 3, 4].map((number) => `paragraph: We roast and specialize in light coffee of day ${number}.`),
  ]);
});

test('a page whose characters have no meaning counts as a page without text', async () => {
  const { warnings, lines } = await read(
    'scan.pdf',
    pdfOf([{ body: ['(Readable words stand here.)'] }, { body: ['(\\001\\002\\003\\004\\005\\006)'] }, { body: [] }]),
  );
  expect(lines).toEqual(['paragraph: Readable words stand here.']);
  expect(warnings).toEqual([{ kind: 'page-without-text', count: 2, places: ['2', '3'] }]);
});

test('Word headings, tables and paragraphs keep their order', async () => {
  const { title, lines } = await read('handbook.docx');
  expect(title).toBe('Handbook for the Shop');
  expect(lines.slice(-3)).toEqual([
    'heading2: Who has the keys',
    'table: | Day | Keys |\n| --- | --- |\n| Wednesday | Haruka |\n| Thursday to Sunday | Ken |',
    'paragraph: 店の鍵は三本あります。なくした場合は、すぐに店長へ連絡してください。',
  ]);
});

test('Markdown divides into its blocks, without inline marks, comments and tags', async () => {
  const { title, lines } = await read(
    'x.md',
    '---\ntitle: "The shop"\n---\n# Top *of* page\nSoft\nbreak and **bold** `code`,\n[a link](https://x.test/a) and [a place](#here).\n\n<!-- gone\ngone -->\nSetext\n---\n- one\n  more\n- two\n\n```js\nlet a = "**b**";\n\n# no heading\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\nAfter <b>it</b> &amp; more\n> quoted\n',
  );
  expect(title).toBe('The shop');
  expect(lines).toEqual([
    'heading1: Top of page',
    'paragraph: Soft break and bold code, a link (https://x.test/a) and a place.',
    'heading2: Setext',
    'list: - one\n  more\n- two',
    'code: ```js\nlet a = "**b**";\n\n# no heading\n```',
    'table: | a | b |\n|---|---|\n| 1 | 2 |',
    'paragraph: After it & more quoted',
  ]);
});

test('a Japanese line break in Markdown leaves no space', async () => {
  expect((await read('x.md', '七日以内にご連絡くだ\nさい。')).lines).toEqual(['paragraph: 七日以内にご連絡ください。']);
});

test.each([
  ['Q: Where?\nA: Here.', 'Q: Where?\nA: Here.'],
  ['Q．どこですか\n\nA．ここです\n続きです', 'Q．どこですか\nA．ここです\n続きです'],
  ['質問：いつですか\n回答：今です', '質問：いつですか\n回答：今です'],
  ['Q1. 予約は？\nA1. できます', 'Q1. 予約は？\nA1. できます'],
])('a question and its answer in a text are one block: %s', async (text, together) => {
  expect((await read('x.txt', text)).blocks).toEqual([{ kind: 'qa', text: together, page: null }]);
});

test('a text has paragraphs at blank lines and Japanese section marks as headings', async () => {
  const { lines } = await read(
    'x.txt',
    '■ 営業時間\n平日は九時から\n土日は十時から\n\nA plain line.\r\n\r\n・豆\n・水',
  );
  expect(lines).toEqual([
    'heading2: ■ 営業時間',
    'paragraph: 平日は九時から\n土日は十時から',
    'paragraph: A plain line.',
    'paragraph: ・豆\n・水',
  ]);
});

const japanese = 'こんにちは、世界。営業時間は九時からです。';
test.each([
  ['UTF-8 with a mark', Buffer.from(`\uFEFF${japanese}`)],
  ['UTF-16LE', Buffer.from(`\uFEFF${japanese}`, 'utf16le')],
  ['UTF-16BE', Buffer.from(`\uFEFF${japanese}`, 'utf16le').swap16()],
  ['Shift_JIS', Buffer.from('82b182f182c982bf82cd81419090a28a458142', 'hex')],
  ['EUC-JP', Buffer.from('a4b3a4f3a4cba4c1a4cfa1a2c0a4b3a6a1a3', 'hex')],
])('a text in %s is read', async (name, file) => {
  const { language, blocks } = await read('x.txt', file);
  expect(language).toBe('ja');
  expect(blocks[0]?.text).toMatch(name === 'Shift_JIS' ? /^こんにちは、/ : /^こんにちは、世界。/);
});

test.each([
  // Russian in Windows-1251, which no rule of ours knows.
  ['x.txt', 'encoding-unknown', Buffer.from('cff0e8e2e5f22c20eae0ea20e4e5ebe03f', 'hex')],
  ['x.txt', 'type-mismatch', Buffer.from('abc\0def')],
  ['x.csv', 'type-mismatch', Buffer.from('abc\0def')],
  ['x.txt', 'no-text', Buffer.from(' \n\t\n')],
  ['x.md', 'no-text', Buffer.from('<!-- only this -->')],
  ['x.html', 'no-text', Buffer.from('<script>alert(1)</script>')],
  [
    'x.html',
    'drawn-by-script',
    Buffer.from('<noscript>Turn it on.</noscript><div id=app></div><script src=a.js></script>'),
  ],
  ['x.csv', 'no-text', Buffer.from('')],
  ['x.pdf', 'no-pages', pdfOf([])],
  ['x.pdf', 'no-text', pdfOf([{ body: [] }])],
  [
    'x.pdf',
    'file-encrypted',
    pdfOf(
      [{ body: ['(secret)'] }],
      '/ID [<00112233445566778899aabbccddeeff> <00112233445566778899aabbccddeeff>] /Encrypt << /Filter /Standard /V 1 /R 2 /Length 40 /P -4 /O <' +
        '11'.repeat(32) +
        '> /U <' +
        '22'.repeat(32) +
        '> >>',
    ),
  ],
  ['x.pdf', 'file-damaged', Buffer.from(`%PDF-1.4\n${'broken '.repeat(100)}`)],
  ['x.docx', 'type-mismatch', Buffer.from('d0cf11e0a1b11ae1' + '00'.repeat(600), 'hex')],
  [
    'x.docx',
    'file-encrypted',
    Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.from('EncryptedPackage', 'utf16le')]),
  ],
  ['x.xlsx', 'type-mismatch', Buffer.from('PK\u0005\u0006' + '\0'.repeat(18), 'latin1')],
  ...['WordDocument', 'Workbook', 'PowerPoint Document'].map(
    (stream) =>
      [
        'x.docx',
        'file-too-old',
        Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.from(stream, 'utf16le')]),
      ] as const,
  ),
  ['x.docx', 'file-damaged', Buffer.from('PK\u0003\u0004 and no more', 'latin1')],
] as const)('%s that cannot be read says %s (%#)', async (name, code, file) => {
  await expect(read(name, file)).rejects.toMatchObject({ code });
});

test('HTML gives what a visitor reads and what is folded away: no scripts, styles or menus', async () => {
  const { title, lines } = await read('about.html');
  expect(title).toBe('About Komorebi Coffee');
  expect(lines.slice(0, 3).map((line) => line.slice(0, 30))).toEqual([
    'heading1: About us',
    'paragraph: Komorebi Coffee was',
    'heading2: Where our beans come',
  ]);
  expect(lines).toContain(
    'list: - Ethiopia: Yirgacheffe, washed\n- Colombia: Huila, washed\n  - since 2019 also a honey process\n- Brazil: Sul de Minas, natural',
  );
  expect(lines).toContain(
    'table: Evenings in spring\n| Date | Topic | Seats |\n| --- | --- | --- |\n| 12 March | Light and dark | 8 |\n| 9 April | Water | 6 |',
  );
  expect(lines).toContain(
    'qa: Q: Do I have to book a seat?\nA: Yes, by telephone on 0467-00-0000, until the evening before.',
  );
  expect(lines).toContain('paragraph: This sentence is hidden.');
  expect(lines.join('\n')).not.toMatch(/script-was-read|color:red|Home/);
});

test('HTML without a body, with pre, line breaks and headings inside a list, keeps everything', async () => {
  const { lines } = await read(
    'x.html',
    '<title>T</title><h1>One</h1><p>a<br>b<pre>x\n  y</pre><ul><li><h3>Card</h3>Its text</ul><table><tr><td>only</table>',
  );
  expect(lines).toEqual([
    'heading1: One',
    'paragraph: a\nb',
    'code: ```\nx\n  y\n```',
    'heading3: Card',
    'paragraph: Its text',
    'paragraph: only',
  ]);
});

test('HTML in the encoding that it names is read', async () => {
  const file = Buffer.concat([
    Buffer.from('<meta charset="windows-1252"><p>Caf'),
    Buffer.from([0xe9]),
    Buffer.from(' au lait</p>'),
  ]);
  expect((await read('x.html', file)).blocks[0]?.text).toBe('Café au lait');
});

test('each row of a CSV names its columns, with quotes and line breaks kept', async () => {
  const { blocks } = await read('prices.csv');
  expect(blocks).toHaveLength(5);
  expect(blocks[1]?.text).toBe(
    'SKU: KB-201\nProduct: Deep Forest 200 g\nPrice (yen): 1240\nStock: 31\nNote: dark roast, cedar and "burnt" sugar',
  );
  expect(blocks[4]?.text).toContain('Note: thin spout,\nfor pouring by hand');
});

test('a CSV of questions and answers gives pairs, and one without a header loses no row', async () => {
  expect((await read('qa.csv')).blocks[1]).toEqual({
    kind: 'qa',
    text: 'Q: カフェインレスの豆はありますか？\nA: はい。「静かな夜」がカフェインレスです。\n分類：商品',
    page: null,
  });
  expect((await read('x.csv', '1,apple\n2,pear')).blocks.map((block: Block) => block.text)).toEqual([
    '1 | apple',
    '2 | pear',
  ]);
});

test('above twenty million characters a document is refused', async () => {
  const row = `${'x'.repeat(99_999)}\n`;
  await expect(read('x.csv', `name\n${row.repeat(201)}`)).rejects.toMatchObject({ code: 'too-much-text' });
});

test('radicals that a font writes for characters are these characters, in every format', async () => {
  for (const name of ['a.txt', 'a.md', 'a.html', 'a.csv'])
    expect((await read(name, '部⻑は⻄口で⾷べた。\n')).lines.join()).toContain('部長は西口で食べた。');
});
