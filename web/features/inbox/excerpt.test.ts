import { expect, test } from 'vitest';
import { excerpt, findWords } from '../../../shared/excerpt.ts';
import { fold } from '../../../shared/fold.ts';
import { hostileTexts, mustStayLinear } from '../../../shared/testing/growth.ts';

test('words of a search are found as they are written, in other forms, and in Japanese', () => {
  const found = (text: string, q: string) => findWords(text, q).map(({ from, to }) => text.slice(from, to));
  expect(found('Our Deliveries take two days. Delivery is free.', 'delivery')).toEqual(['Delivery']);
  expect(found('Our deliveries are free.', 'delivery free')).toEqual(['deliver', 'free']);
  expect(found('抹茶ラテはありますか', '抹茶ラテ')).toEqual(['抹茶ラテ']);
  expect(found('ｻｸﾗの会、山田　太郎、ｶﾞﾗｽ', 'さくら 山田太郎 がら')).toEqual(['ｻｸﾗ', '山田　太郎', 'ｶﾞﾗ']);
  expect(found('item?id=B-0020&x', 'ｂ－００２０')).toEqual(['B-0020']);
  expect(found('Nothing of it', 'xyz')).toEqual([]);
  expect(found('free', 'free free')).toEqual(['free']);
  expect(findWords('', '')).toEqual([]);
});

test('an excerpt has what was found in it', () => {
  const long = `${'word '.repeat(60)}the parcel\nwas lost ${'word '.repeat(60)}`;
  const cut = excerpt(long, 'parcel', 80);
  expect(cut).toContain('the parcel was lost');
  expect([cut.startsWith('…'), cut.length <= 81]).toEqual([true, true]);
  expect(excerpt('The parcel was lost', 'parcel', 80)).toBe('The parcel was lost');
  expect(excerpt(long, 'nowhere', 20)).toBe('word word word word ');
});

test('folding and marking take no more than their share', { timeout: 240_000 }, () =>
  mustStayLinear((text) => [fold(text), findWords(text, 'parcel ｻｸﾗ')], {
    texts: { ...hostileTexts, 'marks of two places': (n) => '\u0315\u0300'.repeat(n / 2) },
  }),
);
