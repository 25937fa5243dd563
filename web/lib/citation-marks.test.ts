import { expect, test } from 'vitest';
import { withoutCitations } from '../../shared/citation-marks.ts';

test('numbers of passages that are not shown go, and other numbers in brackets stay', () => {
  const citations = [{ number: 1 }, { number: 2 }];
  expect(withoutCitations('We open at nine [1][2]. 月曜は定休日です。[1] See a[3].', citations)).toBe(
    'We open at nine. 月曜は定休日です。 See a[3].',
  );
});
