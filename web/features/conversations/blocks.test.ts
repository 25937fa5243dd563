import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isTooMuch, splitBlocks } from './blocks.ts';

const lines = fc.array(
  fc.constantFrom(
    'Words',
    '',
    '```js',
    '```',
    '~~~',
    '- item',
    '1. one',
    '  below',
    '    deeper',
    '> quote',
    '| a | b |',
    '|---|---|',
    '$$',
    '# Title',
    '<b>',
    '[1]: x',
  ),
  { maxLength: 30 },
);

describe('an answer cut into its blocks', () => {
  test('is whole when they are put together', () => {
    fc.assert(fc.property(lines, (each) => splitBlocks(each.join('\n')).join('') === each.join('\n')));
  });

  test('changes only at its end as it grows', () => {
    const text =
      '# Title\n\nWords\n\n```js\na\n\nb\n```\n\n- one\n\n- two\n\n  below\n\nEnd\n\n| a |\n|---|\n| 1 |\n\nDone';
    const whole = splitBlocks(text);
    for (let at = 1; at < text.length; at++) {
      const sure = splitBlocks(text.slice(0, at)).slice(0, -2);
      expect(sure).toEqual(whole.slice(0, sure.length));
    }
  });

  test.each([
    ['paragraphs', 'One\n\nTwo', 2],
    ['code with empty lines', '```js\na\n\nb\n```\n\nWords', 2],
    ['code that has not ended', 'Words\n\n```\na\n\nb', 2],
    ['a list with empty lines between its items', '1. one\n\n2. two\n\n   more of two\n\nWords', 2],
    ['code below an item', '- one\n\n  ```\n  a\n\n  b\n  ```\n\n- two', 1],
    ['a formula with an empty line', '$$\na\n\nb\n$$\n\nWords', 2],
    ['links that are told at the end', 'See [it][1]\n\nWords\n\n[1]: https://example.com', 1],
    ['nothing', '', 0],
  ])('knows %s', (_, text, blocks) => {
    expect(splitBlocks(text)).toHaveLength(blocks);
  });
});

test.each([
  ['quotes in quotes', '>'.repeat(10_000), true],
  ['lists in lists', `${'- '.repeat(5_000)}a`, true],
  ['an item far to the right', `${' '.repeat(4_000)}- a`, true],
  ['open brackets', '['.repeat(20_000), true],
  ['an ordinary answer', '> a\n> > b\n\n- c\n  - d\n    - e', false],
  ['stars near each other', '**a '.repeat(400), false],
  ['a rule', '-'.repeat(300), false],
  ['a table', `| a | b |\n|---|---|\n${'| **x** | [y](https://example.com) |\n'.repeat(300)}`, false],
])('whether it is too much to draw: %s', (_, text, expected) => {
  expect(isTooMuch(text)).toBe(expected);
});
