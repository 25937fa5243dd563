import { expect, test } from 'vitest';
import { sortMatches, matchesIn } from './matches.ts';

const marked = (text: string, question: string) =>
  matchesIn(text, question).flatMap((part) => (part.isMatch ? [part.text] : []));

test.each([
  ['Delivery costs 480 yen.', 'How much does delivery cost?', ['Delivery', 'costs']],
  ['It is delivered in the morning.', 'When is the delivery?', ['delivered']],
  ['送料は全国一律370円です。', '送料はいくらですか？', ['送料']],
  ['ＰＤＦ files are read.', 'pdf', ['ＰＤＦ']],
  ['The art of starting.', 'art', ['art']],
  ['We are open.', 'what are we?', []],
])('of “%s”, the words of “%s” are marked', (text, question, words) => {
  expect(marked(text, question)).toEqual(words);
});

test('words of the question are told once each, and what only asks is not', () => {
  const count = (text: string, question: string) => sortMatches(text, question);
  expect(count('Delivery costs 480 yen. Delivery is fast.', 'How much does delivery cost?')).toEqual({
    found: ['delivery', 'cost'],
    missing: [],
    parts: { found: 2, of: 2 },
  });
  expect(count('国内の送料は500円です。', '送料は現金で払えますか？')).toMatchObject({ found: ['送料'] });
  expect(count('駐車場はございません。', '駐車場はありますか？')).toMatchObject({ found: ['駐車場'] });
  expect(count('We are open.', 'Are you?')).toMatchObject({ found: [], missing: [] });
  expect(count('国内は無料、海外の送料は500円です。', '国内送料は？').found).toEqual(['国内', '送料']);
});

test('a question has as many words whatever a text has of them', () => {
  const of = (text: string) => sortMatches(text, '営業時間を教えてください').parts.of;
  expect(new Set(['営業日は平日です。', '営業の時間は9時から。', '営業時間は9時から。', 'カフェ'].map(of)).size).toBe(
    1,
  );
});

test('the parts are the text again, whatever it has', () => {
  for (const text of ['', 'a', '送料 <b>delivery</b>\n\n👩‍👩‍👧‍👦 delivery'])
    expect(
      matchesIn(text, 'delivery 送料')
        .map((part) => part.text)
        .join(''),
    ).toBe(text);
});
