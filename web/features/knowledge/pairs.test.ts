import { expect, test } from 'vitest';
import { cutTo, toPairs } from './pairs.ts';

test('two columns of a spreadsheet are pairs, with the lines, tabs and quotes that are in a cell', () => {
  expect(toPairs('When?\tAt nine.\r\nWhere?\t"Behind the ""blue"" house.\nUpstairs."\r\n')).toEqual([
    { question: 'When?', answer: 'At nine.' },
    { question: 'Where?', answer: 'Behind the "blue" house.\nUpstairs.' },
  ]);
  expect(toPairs('いつ開きますか\t9時です\tmemo\n\n\t答えだけ')).toEqual([
    { question: 'いつ開きますか', answer: '9時です' },
    { question: '', answer: '答えだけ' },
  ]);
});

test('text without a second column stays text', () => {
  expect(toPairs('When do you open?\nAt nine.')).toBeUndefined();
  expect(toPairs('Say "yes" to it')).toBeUndefined();
  expect(toPairs('')).toBeUndefined();
});

test('a quote that is never closed does not hang', () => {
  expect(toPairs(`"${'a\t'.repeat(5_000)}`)?.length).toBe(1);
});

test('what is too long is cut before a character and not in one', () => {
  expect(cutTo('はい😀', 3)).toBe('はい');
  expect(cutTo('はい😀', 4)).toBe('はい😀');
});
