import { expect, test } from 'vitest';
import { toExcerpt, toPlainText } from './plain-text.ts';

test.each([
  ['headings', '# Delivery\n\n## Fees\n\nIt is free.', 'Delivery\n\nFees\n\nIt is free.'],
  [
    'bold, slanted and struck words',
    'It costs **480 yen**, *always*, not ~~500~~.',
    'It costs 480 yen, always, not 500.',
  ],
  ['bold words inside Japanese', '送料は**480円**です', '送料は480円です'],
  ['links and pictures', 'See [our shop](https://example.com) ![map](map.png)', 'See our shop map'],
  ['code', 'Run `npm start`:\n\n```sh\nnpm start\n```', 'Run npm start:\n\nnpm start\n'],
  ['lists and quotes', '- one\n  * two\n> three', '• one\n  • two\nthree'],
  [
    'tables',
    '| Region | Fee |\n|---|---:|\n| Kansai | 480 yen |\n| Okinawa |  |\nEnd',
    'Region · Fee\nKansai · 480 yen\nOkinawa\nEnd',
  ],
  ['a table that is cut off', '| Region | Fee |\n| --- | --- |\n| Kans', 'Region · Fee\nKans'],
])('a passage is shown without the marks of %s', (_, markdown, plain) => {
  expect(toPlainText(markdown)).toBe(plain);
});

test.each([
  '2**3 and 4**5',
  '3 * 4 * 5',
  'def __init__(self)',
  'snake_case_name',
  '#1 of 3',
  'a | b',
  '5 - 3',
  'A–B [1] (see below)',
  '-12 °C\n-15 °C',
])('%s stays as it is', (text) => {
  expect(toPlainText(text)).toBe(text);
});

test('an excerpt has no empty lines', () => {
  expect(toExcerpt('# Delivery\n\nIt is **free**.\n \nAlways.\n')).toBe('Delivery\nIt is free.\nAlways.');
});
