import { expect, test } from 'vitest';
import { markDifferences } from './mark-differences.ts';

const written = (html: string) => Object.assign(document.createElement('div'), { innerHTML: html });

test.each([
  ['en', '<p>Delivery costs 370 yen.<sup>[1]</sup></p>', '<p>Delivery costs 370 yen.</p>', 'same'],
  ['en', '<p>Delivery costs <b>370</b> yen.</p>', '<p>Delivery costs 400 yen.</p>', 'differs'],
  ['ja', '<p>送料は全国一律370円です。</p>', '<p>送料は全国一律400円です。</p>', 'differs'],
  ['en', '<p>Delivery costs 370 yen.</p>', '<p>We could not find this anywhere.</p>', 'apart'],
] as const)('of two answers it is told how alike they are (%s: %s and %s)', (locale, one, other, likeness) => {
  expect(markDifferences(written(one), written(other), locale)).toBe(likeness);
});
