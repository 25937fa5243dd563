import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createOutbound } from '../../../infra/outbound.ts';
import { mustStayLinear } from '../../../../shared/testing/growth.ts';
import type { FakeLine } from '../../../testing/line/fake-line.ts';
import { startLine } from '../../../testing/line/start.ts';
import type { Outgoing } from '../channel.ts';
import { createLine, lineAddress, type LineMessage } from './api.ts';
import { plainOf, toPieces } from './format.ts';

let line: FakeLine;
let validate: (messages: LineMessage[]) => Promise<void>;
beforeAll(async () => {
  line = await startLine({ allowHttp: true });
  const { channel, url } = line;
  const bot = createLine({
    request: createOutbound([new URL(url).host]).request,
    address: lineAddress(url),
    access: { channelId: channel.id, secret: channel.secret },
  });
  validate = async (messages) => {
    for (let at = 0; at < messages.length; at += 5) await bot.validate('reply', messages.slice(at, at + 5));
  };
});
afterAll(() => line.close());

const outgoing = (more: Partial<Outgoing>): Outgoing => ({
  key: 'k',
  role: 'assistant',
  text: '',
  citations: [],
  files: [],
  suggestions: [],
  offersPerson: false,
  locale: 'en',
  ...more,
});

const toLineMessages = (given: Outgoing): LineMessage[] => toPieces(given).map(({ message }) => message);
const toPlainMessages = (given: Outgoing): LineMessage[] =>
  toPieces(given)
    .flatMap(plainOf)
    .map(({ message }) => message);

/** Messages that LINE takes, in both forms. */
async function made(more: Partial<Outgoing>): Promise<LineMessage[]> {
  const messages = toLineMessages(outgoing(more));
  await validate(messages);
  const plain = toPlainMessages(outgoing(more));
  await validate(plain);
  expect(plain.filter(({ type }) => type === 'flex')).toEqual([]);
  return messages;
}
const texts = (messages: LineMessage[]) => messages.map(({ text }) => String(text));
const said = async (text: string) => texts(await made({ text })).join('\n-----\n');

describe.each([
  [
    'marks of emphasis and code go, and what looks like them stays',
    [
      ['**bold** *weak* ***both*** __bold__ _weak_ ~~gone~~', 'bold weak both bold weak gone'],
      ['これは**「強調」**です。LINE**公式**は*すごい*です', 'これは「強調」です。LINE公式はすごいです'],
      ['2*3*4, 2**10, 3**5, snake_case_name, 日本_語_です', '2*3*4, 2**10, 3**5, snake_case_name, 日本_語_です'],
      ['**open, * alone, 5 * 3 * 2', '**open, * alone, 5 * 3 * 2'],
      ['`**x**` and ``a ` b`` and `open', '**x** and a ` b and `open'],
      [String.raw`\*kept\* \[1\] &amp; &lt;b&gt; &copy;`, '*kept* [1] & <b> &copy;'],
      ['{name} {{variable}} {} } {', '{name} {{variable}} {} } {'],
      ['one<br>two<br/>three', 'one\ntwo\nthree'],
    ],
  ],
  [
    'headings, lists, quotes, rules and code are drawn with letters',
    [
      ['# One\nText\n\n## Two ##\n\n\n\nMore', 'One\nText\n\nTwo\n\nMore'],
      ['Title\n=====\nText\nOther\n---', 'Title\nText\nOther'],
      ['- a\n  - b\n    - **c**\n- d', '• a\n  • b\n    • c\n• d'],
      ['* a\n    * b\n        * c', '• a\n  • b\n    • c'],
      ['1. one\n   - sub\n   more\n2) two', '1. one\n  • sub\n    more\n2) two'],
      ['- one\n\n- two\n\n  below\n\nEnd', '• one\n\n• two\n\n  below\n\nEnd'],
      ['Items:\n- a\n- b\nlazy', 'Items:\n• a\n• b\n  lazy'],
      ['> said\n> > twice\n>\n> - a', '｜said\n｜｜twice\n｜\n｜• a'],
      ['a\n\n---\n\nb\n\n* * *', 'a\n\n――――\n\nb\n\n――――'],
      ['```js\nif (a) {\n\n  **b**\n}\n```\nend', '  if (a) {\n\n    **b**\n  }\nend'],
      ['- run\n  ```\n  npm start\n  ```', '• run\n    npm start'],
      ['```\nopen', '  open'],
      ['text\n\n    code *x*', 'text\n\n  code *x*'],
    ],
  ],
  [
    'a link has its address behind it, unless that is all it says',
    [
      ['[Shop](https://shop.example/a_b_c)', 'Shop (https://shop.example/a_b_c)'],
      ['[https://shop.example](https://shop.example/)', 'https://shop.example/'],
      ['<https://a.example> https://b.example/x_y_z.', 'https://a.example https://b.example/x_y_z.'],
      ['[Foo (bar)](https://en.wikipedia.org/wiki/Foo_(bar)).', 'Foo (bar) (https://en.wikipedia.org/wiki/Foo_(bar)).'],
      ['[a [b] c](https://a.example "title") d', 'a [b] c (https://a.example) d'],
      [
        '**[bold](https://a.example)** and [**x** `y`](<https://b.example>)',
        'bold (https://a.example) and x y (https://b.example)',
      ],
      ['![cat](https://a.example/cat.png)', 'cat (https://a.example/cat.png)'],
      ['![](https://a.example/cat.png)', 'https://a.example/cat.png'],
      ['[![i](https://a.example/i.png)](https://b.example)', 'i (https://a.example/i.png) (https://b.example)'],
      [
        '[mail](mailto:a@b.example) <mailto:a@b.example> [tel](tel:0312345678)',
        'mail (a@b.example) a@b.example tel (0312345678)',
      ],
      ['[page](/inside) [up](#top) [x](javascript:alert(1))', 'page up x'],
      ['See [1] and [23], [see [1]](https://a.example).', 'See [1] and [23], see [1] (https://a.example).'],
      [
        '詳しくは[こちら](https://a.example/ja)をご覧ください。',
        '詳しくはこちら (https://a.example/ja)をご覧ください。',
      ],
    ],
  ],
])('%s', (_, cases) => {
  test.each(cases)('%j', async (text, expected) => {
    expect(await said(text)).toBe(expected);
  });
});

test('only what a bot writes is Markdown', async () => {
  for (const role of ['staff', 'system'] as const)
    expect(texts(await made({ role, text: '**as** it _stands_\n- here' }))).toEqual(['**as** it _stands_\n- here']);
});

const table = '| Day | Hours |\n|---|:-:|\n| Mon | **9**–18 |\n| Sun | |\n| Sat | 10–17 [1] |';

test('a table is drawn, and says the same without a drawing', async () => {
  const [before, drawn, after] = await made({ text: `Hours:\n\n${table}\n\nSee you!` });
  expect([before?.text, after?.text]).toEqual(['Hours:', 'See you!']);
  const plain = 'Day: Mon\nHours: 9–18\n\nDay: Sun\n\nDay: Sat\nHours: 10–17 [1]';
  expect(drawn).toMatchObject({ type: 'flex', altText: plain, contents: { type: 'bubble', size: 'giga' } });
  expect(texts(toPlainMessages(outgoing({ text: `Hours:\n\n${table}` })))).toEqual(['Hours:', plain]);
});

test('a table of many columns is drawn row by row; one in a list is told in lines', async () => {
  const wide = '| Plan | Price | Users | Support |\n|-|-|-|-|\n| Basic | ¥0 | 1 | — |\n| Pro | ¥980 | 5 | Mail |';
  const [drawn] = await made({ text: wide });
  expect(JSON.stringify(drawn?.['contents'])).toContain('"layout":"baseline"');
  expect(await said(`- see\n\n  ${table.replaceAll('\n', '\n  ')}`)).toContain('  Day: Mon\n  Hours: 9–18');
  expect(await said('a | b\nno table | here')).toBe('a | b\nno table | here');
});

test('a table that is too large for LINE is told in lines, and nothing of it is lost', async () => {
  const rows = Array.from({ length: 300 }, (_, at) => `| 商品${at} | ${at * 100}円 |`).join('\n');
  const messages = await made({ text: `| 商品 | 価格 |\n|---|---|\n${rows}` });
  expect(messages.map(({ type }) => type)).not.toContain('flex');
  const all = texts(messages).join('\n');
  for (let at = 0; at < 300; at++) expect(all).toContain(`商品：商品${at}\n価格：${at * 100}円`);
});

test('12,000 characters are three messages, 30,000 are seven, and no character is cut', async () => {
  const sentence = 'The shop 👩‍👩‍👧‍👦 opens at nine. お待ちしています。\n';
  for (const [length, count] of [
    [12_000, 3],
    [30_000, 7],
  ] as const) {
    const text = sentence.repeat(length / sentence.length);
    const messages = await made({ text });
    expect(messages).toHaveLength(count);
    expect(texts(messages).every((part) => part.length <= 4900 && part.isWellFormed())).toBe(true);
    expect(texts(messages).join('').replace(/\s/g, '')).toBe(text.replace(/\s/g, ''));
  }
});

const citation = (number: number, more: object = {}) => ({
  number,
  title: `Guide ${number}.pdf`,
  page: number === 2 ? null : number,
  url: `https://kotae.example/source?message=m&key=k&number=${number}`,
  ...more,
});

test('sources are rows that open their passage, in the language of the person', async () => {
  const [text, drawn] = await made({ text: 'At nine [1][2].', citations: [citation(1), citation(2)] });
  expect(text?.text).toBe('At nine [1][2].');
  expect(drawn).toMatchObject({
    type: 'flex',
    altText: expect.stringMatching(/^Sources\n\[1\] Guide 1\.pdf · p\. 1\nhttps/),
  });
  const contents = JSON.stringify(drawn?.['contents']);
  for (const { url } of [citation(1), citation(2)]) expect(contents).toContain(`"uri":"${url}"`);
  const [, japanese] = await made({ text: '9時です[1]。', citations: [citation(1)], locale: 'ja' });
  expect(japanese?.['altText']).toMatch(/^出典\n\[1\] Guide 1\.pdf · 1ページ目\n/);
});

test('of many sources eight are shown and the others counted', async () => {
  const citations = Array.from({ length: 11 }, (_, at) => citation(at + 1, { title: 'あ'.repeat(300) }));
  const [, drawn] = await made({ text: 'x', citations });
  const contents = JSON.stringify(drawn?.['contents']);
  expect([contents.includes('[8]'), contents.includes('[9]'), contents.includes('and 3 more')]).toEqual([
    true,
    false,
    true,
  ]);
  expect(String(drawn?.['altText']).length).toBeLessThanOrEqual(1500);
  const [, japanese] = await made({ text: 'x', citations, locale: 'ja' });
  expect(JSON.stringify(japanese?.['contents'])).toContain('ほか3件');
});

test('sources that a phone cannot open are words below the answer; those of this machine are for trying out', async () => {
  const closed = [citation(1, { url: 'http://intranet.example/source?number=1' }), citation(2)];
  expect(texts(await made({ text: 'At nine [1].', citations: closed }))).toEqual([
    'At nine [1].\n\nSources\n[1] Guide 1.pdf · p. 1\n[2] Guide 2.pdf',
  ]);
  const here = await made({ text: 'x', citations: [citation(1, { url: 'http://127.0.0.1:3000/source?number=1' })] });
  expect(here[1]?.type).toBe('flex');
});

const file = (name: string, mime: string, bytes = 1_234_567) => ({
  uuid: 'f',
  name,
  mime,
  bytes,
  url: 'https://kotae.example/api/public/sent/file?message=m&key=k&file=f',
});

test('pictures are pictures, and other files have a button that opens them', async () => {
  const { url } = file('', '');
  const [text, picture, document] = await made({
    role: 'staff',
    text: 'Here',
    files: [file('shop.jpg', 'image/jpeg'), file('価格表.pdf', 'application/pdf')],
    locale: 'ja',
  });
  expect(text?.text).toBe('Here');
  expect(picture).toEqual({ type: 'image', originalContentUrl: url, previewImageUrl: `${url}&size=preview` });
  expect(document).toMatchObject({ type: 'flex', altText: `価格表.pdf (1.2 MB)\n${url}` });
  expect(JSON.stringify(document)).toContain('"label":"開く"');
  const large = await made({
    role: 'staff',
    files: [file('a.png', 'image/png', 10_000_001), file('b.webp', 'image/webp', 900)],
  });
  expect(large.map(({ altText }) => String(altText).split('\n')[0])).toEqual(['a.png (10 MB)', 'b.webp (0.9 kB)']);
  expect(texts(toPlainMessages(outgoing({ files: [file('a.pdf', 'application/pdf')] })))).toEqual([
    `a.pdf (1.2 MB)\n${url}`,
  ]);
});

test('what may be asked next stands under the last message alone', async () => {
  const suggestions = [
    'Prices?',
    '営業時間と定休日を詳しく教えていただけますか',
    ' ',
    'x'.repeat(301),
    ...Array.from({ length: 20 }, () => 'y'),
  ];
  const messages = await made({ text: 'x '.repeat(3000), citations: [citation(1)], suggestions });
  expect(messages.map(({ quickReply }) => quickReply !== undefined)).toEqual([false, false, true]);
  const items = JSON.stringify(messages[2]?.['quickReply']);
  expect(items.split('"label"')).toHaveLength(13 + 1);
  expect(items).toContain('{"type":"action","action":{"type":"message","label":"Prices?","text":"Prices?"}}');
  expect(items).toContain(
    '"label":"営業時間と定休日を詳しく教えていただけ…","text":"営業時間と定休日を詳しく教えていただけますか"',
  );
  const plain = toPlainMessages(outgoing({ text: 'x', citations: [citation(1)], suggestions: ['More?'] }));
  expect(plain.map(({ quickReply }) => quickReply !== undefined)).toEqual([false, true]);
  expect(toLineMessages(outgoing({ suggestions: ['Nothing to stand under'] }))).toEqual([]);
});

test('no text takes more than its share', { timeout: 240_000 }, () =>
  mustStayLinear((text) => {
    toLineMessages(outgoing({ text }));
    toLineMessages(outgoing({ text: `| a | b |\n|---|---|\n| ${text} |`, suggestions: [text], locale: 'ja' }));
  }),
);

test('what was made to be slow in links and lists is not', { timeout: 240_000 }, () =>
  mustStayLinear((text) => toLineMessages(outgoing({ text })), {
    texts: {
      'pictures in pictures': (n) => `${'!['.repeat(n / 6)}a${'](x)'.repeat(n / 6)}`,
      'links that never end': (n) => '[a](https://a.example/('.repeat(n / 23),
      'targets of brackets': (n) => `[a](${'(a)'.repeat(n / 3)}`,
      'lists in lists': (n) => Array.from({ length: n / 40 }, (_, at) => `${' '.repeat((at % 40) * 2)}- a`).join('\n'),
      'items and empty lines': (n) => `- a\n${'\n'.repeat(n / 2)}b`.concat('\n- a\n\n'.repeat(n / 12)),
      'quotes in items': (n) => '> - > - > 1. a\n'.repeat(n / 15),
      'fences of each kind': (n) => '```\n~~~\n````\n'.repeat(n / 13),
      'runs of many lengths': (n) => Array.from({ length: Math.sqrt(n) }, (_, at) => '`'.repeat(at)).join(' '),
      'tables in tables': (n) => '|a|b|\n|-|-|\n'.repeat(n / 12),
      'a table of many columns': (n) => `|${'a|'.repeat(n / 6)}\n|${'-|'.repeat(n / 6)}\n|${'b|'.repeat(n / 6)}`,
    },
  }),
);
