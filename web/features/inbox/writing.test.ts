import { describe, expect, test } from 'vitest';
import { askedFor, findUnfilled, inPlainWords, isNothingYet, otherLanguage, put, withoutMarks } from './writing.ts';

describe('what is asked for while one writes', () => {
  test.each([
    ['/', '/', ''],
    ['/so', '/', 'so'],
    ['Hello /so', '/', 'so'],
    ['Hello\n/so', '/', 'so'],
    ['/おわび', '/', 'おわび'],
    ['@ta', '@', 'ta'],
    ['＠ta', '@', 'ta'],
    ['／so', '/', 'so'],
  ])('%j', (text, sign, word) => {
    expect(askedFor(text, text.length, '/@')).toEqual({ sign, word, from: text.length - word.length - 1 });
  });

  test.each(['and/or', 'https://kotae.test', 'name@example.com', '1/2', '/so ', 'Hello'])(
    '%j asks for nothing',
    (text) => {
      expect(askedFor(text, text.length, '/@')).toBeUndefined();
    },
  );

  test('nothing but what the field has', () => {
    expect(askedFor('/so', 3, '@')).toBeUndefined();
  });

  test('is replaced where it stands, and one writes on behind it', () => {
    const text = 'Hello /so, bye';
    const asked = askedFor(text, 9, '/');
    expect(asked && put(text, asked, 'we are sorry')).toEqual({ text: 'Hello we are sorry, bye', caret: 18 });
  });
});

test('what stands for nothing is found where it stands', () => {
  expect(findUnfilled('{{name}} {{ order }} {{}}', ['name']).map(({ text }) => text)).toEqual(['{{ order }}', '{{}}']);
  expect(findUnfilled('{name} }} {{ a\nb }}')).toEqual([]);
});

test('to look at canned replies is not to write', () => {
  expect(['', ' ', '/', '/so', '／'].map(isNothingYet)).not.toContain(false);
  expect(['H', '/so ', 'Hello /', '//'].map(isNothingYet)).not.toContain(true);
});

test('a suggested reply has no marks of sources', () => {
  expect(withoutMarks('We open at nine. [1] On Sundays never.[2][3]')).toBe('We open at nine. On Sundays never.');
  expect(inPlainWords('The documents say:\n\n> We open at **nine**. [1]')).toBe(
    'The documents say:\n\nWe open at nine.',
  );
});

test('a text is translated into the language that it is not in', () => {
  expect(otherLanguage('営業時間は？')).toBe('en');
  expect(otherLanguage('When do you open?')).toBe('ja');
});
