import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Block } from '../../providers/parsers/parser.ts';
import { chunk, chunkSizes, documentText } from './chunking.ts';

const block = (kind: Block['kind'], text: string, more: Partial<Block> = {}): Block => ({
  kind,
  text,
  page: null,
  ...more,
});
const paragraph = (text: string, page: number | null = null) => block('paragraph', text, { page });
const heading = (level: number, text: string) => block('heading', text, { level });
const texts = (...blocks: Block[]) => chunk({ blocks }).map((each) => each.text);
const sentence = (index: number) => `Sentence number ${index} has about sixty letters in all, I think. `;

test('short paragraphs become one chunk, up to 1,000 Latin or 400 CJK characters', () => {
  expect(texts(paragraph('a'.repeat(400)), paragraph('b'.repeat(400)), paragraph('c'.repeat(400)))).toEqual([
    `${'a'.repeat(400)}\n\n${'b'.repeat(400)}`,
    'c'.repeat(400),
  ]);
  expect(texts(paragraph('あ'.repeat(160)), paragraph('い'.repeat(160)), paragraph('う'.repeat(160)))).toEqual([
    `${'あ'.repeat(160)}\n\n${'い'.repeat(160)}`,
    'う'.repeat(160),
  ]);
});

test('a chunk never crosses a heading, and knows the headings above it', () => {
  const chunks = chunk({
    blocks: [
      paragraph('before'),
      heading(1, 'Shop'),
      paragraph('one'),
      heading(2, 'Hours'),
      paragraph('two'),
      heading(2, 'Prices'),
      paragraph('three'),
      heading(1, 'End'),
      paragraph('four'),
    ],
  });
  expect(chunks.map(({ headings, text }) => [headings.join(' > '), text])).toEqual([
    ['', 'before'],
    ['Shop', 'one'],
    ['Shop > Hours', 'two'],
    ['Shop > Prices', 'three'],
    ['End', 'four'],
  ]);
});

test('a heading with nothing under it is found all the same', () => {
  expect(
    chunk({ blocks: [heading(1, 'Shop'), heading(2, 'Closed for ever'), heading(2, 'Hours'), paragraph('nine')] }).map(
      ({ headings, text }) => [headings, text],
    ),
  ).toEqual([
    [['Shop'], 'Closed for ever'],
    [['Shop', 'Hours'], 'nine'],
  ]);
});

test('a long paragraph is cut at sentences, and only there something is repeated', () => {
  const long = Array.from({ length: 40 }, (_, index) => sentence(index))
    .join('')
    .trim();
  const chunks = chunk({ blocks: [paragraph(long)] });
  expect(chunks.length).toBeGreaterThan(2);
  for (const each of chunks) expect(each.text).toMatch(/^Sentence number .*I think\.$/s);
  for (const [index, each] of chunks.entries())
    if (index > 0) expect(each.start).toBeLessThan(chunks[index - 1]?.end ?? 0);
  const plain = chunk({ blocks: [paragraph('a'.repeat(900)), paragraph('b'.repeat(900))] });
  expect(plain.map(({ start, end }) => [start, end])).toEqual([
    [0, 900],
    [902, 1802],
  ]);
});

test('a Japanese sentence ends after its closing bracket', () => {
  const long = '彼は「明日は休みですか？」と聞いた。'.repeat(50);
  for (const text of texts(paragraph(long))) expect(text).toMatch(/^(?:彼は|」?と)[^]*(?:。|？」)$/);
});

test('a question stays with its answer, apart from others', () => {
  const qa = (index: number) => block('qa', `Q: question ${index}\nA: answer ${index}`);
  expect(texts(paragraph('intro'), qa(1), qa(2), paragraph('end'))).toEqual([
    'intro',
    'Q: question 1\nA: answer 1',
    'Q: question 2\nA: answer 2',
    'end',
  ]);
  expect(texts(block('qa', `Q: long\nA: ${'x'.repeat(3500)}`))).toHaveLength(1);
});

test('an answer beyond the hard cap is cut at its lines, and each part repeats the question', () => {
  const parts = texts(
    block(
      'qa',
      `Q: How?\n${Array.from({ length: 100 }, (_, index) => `Step ${index}: ${'do '.repeat(20)}`).join('\n')}`,
    ),
  );
  expect(parts.length).toBeGreaterThan(3);
  for (const part of parts) expect(part).toMatch(/^Q: How\?\nStep/);
});

test('code is whole up to the hard cap', () => {
  const code = `\`\`\`\n${'let a = 1;\n'.repeat(300)}\`\`\``;
  expect(texts(block('code', code))).toEqual([code]);
});

test('a large table is cut between rows, and each part repeats the header', () => {
  const rows = Array.from({ length: 100 }, (_, index) => `| item ${index} | ${index * 10} yen |`);
  const parts = texts(block('table', ['| name | price |', '| --- | --- |', ...rows].join('\n')));
  expect(parts.length).toBeGreaterThan(1);
  for (const part of parts)
    expect(part).toMatch(/^\| name \| price \|\n\| --- \| --- \|\n(?:\| item \d+ \| \d+ yen \|\n?)+$/);
  expect(parts.flatMap((part) => part.split('\n').filter((line) => line.startsWith('| item')))).toEqual(rows);
});

test('a chunk ends with its page, so that a citation names the right one', () => {
  expect(chunk({ blocks: [paragraph('one', 3), paragraph('two', 3), paragraph('three', 4)] })).toMatchObject([
    { page: 3, pageEnd: 3, text: 'one\n\ntwo' },
    { page: 4, pageEnd: 4, text: 'three' },
  ]);
});

test('whatever the document, no character is lost and none is cut, chunks are in order, inside their size and where they say', () => {
  const piece = fc.oneof(
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 3000 }),
    fc.integer({ min: 1, max: 4000 }).map((length) =>
      '漢字かな。😀 '
        .repeat(length)
        .slice(0, length * 2)
        .toWellFormed(),
    ),
    fc
      .array(fc.string({ minLength: 1, maxLength: 80 }), { minLength: 1, maxLength: 200 })
      .map((lines) => lines.join('\n')),
  );
  const anyBlock = fc
    .record({
      kind: fc.constantFrom<Block['kind'][]>('heading', 'paragraph', 'list', 'table', 'code', 'qa'),
      text: piece,
      level: fc.integer({ min: 1, max: 6 }),
    })
    .filter(({ text }) => text.trim() !== '' && text.isWellFormed())
    .map(({ kind, text, level }) => block(kind, text, kind === 'heading' ? { level } : {}));
  fc.assert(
    fc.property(fc.array(anyBlock, { maxLength: 12 }), (blocks) => {
      const text = documentText({ blocks });
      const chunks = chunk({ blocks });
      const covered = new Uint8Array(text.length);
      for (const [index, each] of chunks.entries()) {
        expect(each.position).toBe(index);
        expect(each.start).toBeGreaterThanOrEqual(chunks[index - 1]?.start ?? 0);
        expect(each.text.endsWith(text.slice(each.start, each.end))).toBe(true);
        expect(each.text.isWellFormed()).toBe(true);
        expect(each.text.length).toBeLessThanOrEqual(chunkSizes.hardCap + chunkSizes.target / 2);
        covered.fill(1, each.start, each.end);
      }
      let at = 0;
      for (const { kind, text: own } of blocks) {
        if (kind !== 'heading')
          for (let index = at; index < at + own.length; index++)
            if (text[index]?.trim() !== '') expect(covered[index]).toBe(1);
        at += own.length + 2;
      }
    }),
    { numRuns: 60 },
  );
});
