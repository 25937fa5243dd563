import { describe, expect, test } from 'vitest';
import { newId } from '../../infra/db.ts';
import { mustStayLinear } from '../../../shared/testing/growth.ts';
import type { FoundPassage } from '../knowledge/knowledge.ts';
import { createCitations } from './citations.ts';

const passage = (text: string): FoundPassage => ({
  score: 1,
  coverage: 1,
  tokens: 10,
  scores: { words: 1, bigrams: 0, kanji: 0 },
  knowledge: newId(),
  url: null,
  mime: 'text/markdown',
  document: { uuid: newId(), name: 'FAQ.md' },
  embedding: { uuid: newId(), position: 0, page: null, headings: [], text },
});
const passages = [
  passage('We open at nine.\nWe close at six.'),
  passage('| Item | Price |\n|---|---|\n| Tea | 480 |\n| Cake | 620 |'),
];

/** What is shown of an answer that comes in pieces of a length. */
function show(text: string, { given = passages, length = text.length } = {}) {
  const citations = createCitations(given.map((each, at) => ({ ...each, number: at + 1 })));
  const parts: ReturnType<typeof citations.push>[] = [];
  for (let at = 0; at < text.length; at += length) parts.push(citations.push(text.slice(at, at + length)));
  parts.push(citations.end());
  return {
    text: parts.map((part) => part.text).join(''),
    all: citations.all(),
    told: parts.flatMap((part) => part.citations),
  };
}

const prose = [
  ['a number that a passage has', 'We open at nine [1].', 'We open at nine [1].', [1]],
  ['a number that none has', 'We open at nine [7].', 'We open at nine.', []],
  ['two at once', 'Nine [1][2], six [1], [2].', 'Nine [1][2], six [1], [2].', [1, 2]],
  ['one without a space before it', '九時に開きます[1]。十時です[9]。', '九時に開きます[1]。十時です。', [1]],
  ['a quote that stands in the passage', '> We open at nine. [1]', '> We open at nine. [1]', [1]],
  ['a quote that does not', '> We open at eight. [1]', '> We open at eight.', []],
  [
    'a quote whose first line does not',
    '> We never open.\n> We close at six. [1]',
    '> We never open.\n> We close at six.',
    [],
  ],
  [
    'a row with its header',
    '> | Item | Price |\n> |---|---|\n> | Cake | 620 | [2]',
    '> | Item | Price |\n> |---|---|\n> | Cake | 620 | [1]',
    [1],
  ],
  ['the source below its quote', '> We open at nine.\n> — [1]', '> We open at nine.\n> — [1]', [1]],
  ['the later passage first', 'Tea [2], nine [1], cake[2].', 'Tea [1], nine [2], cake[1].', [1, 2]],
  ['prices', 'It costs $5 [1] or $7 [2].', 'It costs $5 [1] or $7 [2].', [1, 2]],
  [
    'a link',
    '[1](https://kotae.test) and [Menu](https://kotae.test) [1]',
    '[1](https://kotae.test) and [Menu](https://kotae.test) [1]',
    [1],
  ],
  [
    'a list after code',
    'Run `a[1]`. [1]\n\n```\nb[1]\n```\n\n- Nine [1]',
    'Run `a[1]`. [1]\n\n```\nb[1]\n```\n\n- Nine [1]',
    [1],
  ],
  ['a name in brackets first', '[2024年] の料金は九時 [1]。[9]', '[2024年] の料金は九時 [1]。', [1]],
  ['a name in quotes and brackets', '["A"プラン] は九時 [1]', '["A"プラン] は九時 [1]', [1]],
  ['a place to fill in', '{name} さん、九時です [1]', '{name} さん、九時です [1]', [1]],
  ['a colon before it', '料金:[1] Price:[2]', '料金:[1] Price:[2]', [1, 2]],
  ['a variable', 'Set $HOME first [1], then go.', 'Set $HOME first [1], then go.', [1]],
  ['a stray backtick', 'The ` key.\n\nNine [1]', 'The ` key.\n\nNine [1]', [1]],
] as const;

const kept = [
  ['an answer in JSON', '{"ids":[7],"code":"a[0]=b[12];"}'],
  ['an answer that is an array', '[[1],[7]]'],
  ['an array of objects', '[\n  {"id": [7]}\n]'],
  ['an array of texts', '["a", "b[7]"]'],
  ['a fence', 'So:\n\n```js\na[7] = b[12];\nc = [9]\n```\n'],
  ['a fence within a list', '1. So:\n\n   ~~~\n   a[7]\n   ~~~\n'],
  ['a fence that is not closed', '```\na[7]'],
  ['code within a line', 'Take `a[7]` or ``b`[9]``.'],
  ['formulas', String.raw`With $x_{[7]}$, $$y[9]$$, \(z[8]\) and \[w [7]\].`],
  ['arrays in a sentence', 'Send ids:[7] and rows[12] = x[0].'],
] as const;

describe.each([1, 2, 3, 7, 1000])('in pieces of %i', (length) => {
  test.each(prose)('%s', (_, answer, shown, numbers) => {
    const { text, all } = show(answer, { length });
    expect([text, all.map(({ number }) => number)]).toEqual([shown, numbers]);
  });

  test.each(kept)('%s passes as it is', (_, answer) =>
    expect(show(answer, { length })).toEqual({ text: answer, all: [], told: [] }),
  );
});

test('a number is that of the first mention, and its place is where it is shown', () => {
  const given = Array.from({ length: 120 }, (_, at) => passage(`Passage ${at + 1}`));
  const citations = createCitations(given.map((each, at) => ({ ...each, number: at + 1 })));
  const text =
    ['Far [1', '20], near [3][120]', ' and [99].'].map((part) => citations.push(part).text).join('') +
    citations.end().text;
  expect(text).toBe('Far [1], near [2][1] and [3].');
  expect(citations.marks().map(({ number, start, end }) => [number, text.slice(start, end)])).toEqual([
    [1, '[1]'],
    [2, '[2]'],
    [1, '[1]'],
    [3, '[3]'],
  ]);
  expect(citations.all().map(({ quote }) => quote)).toEqual(['Passage 120', 'Passage 3', 'Passage 99']);
});

test('without passages nothing is read', () => {
  const answer = 'x[1] [2] > [3]';
  expect(show(answer, { given: [], length: 1 }).text).toBe(answer);
});

test('a passage that is quoted twice is cited with both quotes, told anew', () => {
  const { all, told } = show('Nine [1]\n\n> We open at nine. [1]\n\n> We close at six. [1]', { length: 4 });
  expect(all.map(({ quote }) => quote)).toEqual(['We open at nine.\nWe close at six.']);
  expect(told.map(({ quote }) => quote)).toEqual([
    'We open at nine.\nWe close at six.',
    'We open at nine.',
    'We open at nine.\nWe close at six.',
  ]);
});

test('an answer is read in time with its length, whatever it is made of', async () => {
  await mustStayLinear((text) => void show(`> ${text}`), { size: 1500 });
  await mustStayLinear((text) => void show(text, { length: 5 }), { size: 1500 });
}, 60_000);
