import { expect, test } from 'vitest';
import { tablesIn } from './chunk-text.tsx';

test('a table is told from what stands before and after it', () => {
  expect(
    tablesIn('Boxes:\n\n| Size | Price |\n| :--- | ---: |\n| Small | 150 |\n| a \\| b | 250 |\n\nThat is all.'),
  ).toEqual([
    { text: 'Boxes:' },
    {
      head: ['Size', 'Price'],
      rows: [
        ['Small', '150'],
        ['a | b', '250'],
      ],
      aligns: ['start', 'end'],
    },
    { text: 'That is all.' },
  ]);
});

test('what only looks like a table stays as it is written', () => {
  for (const text of ['| one |', '| a | b |\n| --- |\n| c | d |', '| a |\n| b |', 'a | b\n--- | ---', '|', '|\n|'])
    expect(tablesIn(text)).toEqual([{ text }]);
});

test('one that is wider or longer than anybody reads stays as it is written', () => {
  const wide = `|${'a|'.repeat(50)}\n|${'-|'.repeat(50)}\n|${'b|'.repeat(50)}`;
  const long = `| a |\n| - |\n${'| b |\n'.repeat(1000)}`.trim();
  for (const text of [wide, long]) expect(tablesIn(text)).toEqual([{ text }]);
});
