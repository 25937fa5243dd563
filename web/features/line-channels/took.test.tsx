import { expect, test } from 'vitest';
import { formatTook } from './took.ts';

test.each([
  [800, '0.8 s'],
  [12_000, '12 s'],
  [60_000, '1 min'],
  [4_447_000, '1 hr 14 min'],
  [7_200_000, '2 hr'],
  [618_252_000, '7 days 3 hr'],
])('%i ms are said as %s', (ms, said) => {
  expect(formatTook(ms)).toBe(said);
});
