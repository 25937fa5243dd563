import { expect, test } from 'vitest';
import { findWords, squeeze } from './find-words.ts';

const find = (page: string, words: string) => {
  const whole = squeeze(page);
  return findWords(whole, words).map(({ start, end }) => whole.slice(start, end));
};

test('words are found whatever spaces and marks stand between them', () => {
  expect(find('We open\n at  nine.', '**We open** at nine.')).toEqual(['Weopenatnine.']);
  expect(find('Ａ：１０時から', 'A:10時から')).toEqual(['A:10時から']);
});

test('lines are found one after another, and the cells of a row without the names of their columns', () => {
  expect(find('Keys: Haruka. Haruka again', 'Keys: Haruka\nHaruka')).toEqual(['Keys:Haruka', 'Haruka']);
  expect(find('Day|Barista|Wednesday|Haruka', 'Day: Wednesday\nBarista: Haruka')).toEqual(['Wednesday', 'Haruka']);
  expect(find('Day|Barista', 'No\nsuch line')).toEqual([]);
});
