import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hostileMarkdown, mustStayLinear } from '../../../shared/testing/growth.ts';
import { isTooMuch, splitBlocks } from './blocks.ts';
import { joinLines, partsOf, toParts, type Part } from './markdown.ts';

/** The tree in one line: names of what is not plain text, in brackets what is in it. */
const show = (parts: Part[]): string => parts.map(showOne).join('');

function showOne(part: Part): string {
  switch (part.type) {
    case 'text':
      return part.tokens ? show(partsOf(part.tokens)) : part.text;
    case 'escape':
      return part.text;
    case 'space':
      return '';
    case 'paragraph':
      return `${show(partsOf(part.tokens))}¶`;
    case 'link':
      return `link(${part.href} ${show(partsOf(part.tokens))})`;
    case 'formula':
      return `${part.display ? 'display' : 'formula'}(${part.text})`;
    case 'citation':
      return `citation(${part.number})`;
    case 'list':
      return `list(${part.items.map((item) => `item(${show(partsOf(item.tokens))})`).join('')})`;
    case 'table':
      return `table(${[part.header, ...part.rows].map((row) => row.map(({ tokens }) => show(partsOf(tokens))).join('|')).join('/')})`;
    default:
      return `${part.type}(${'tokens' in part ? show(partsOf(part.tokens)) : 'text' in part ? part.text : ''})`;
  }
}

describe.each([
  [
    'emphasis in Japanese needs no spaces',
    [
      ['これは**「強調」**です', 'これはstrong(「強調」)です¶'],
      ['**重要：**これ', 'strong(重要：)これ¶'],
      ['文**(注)**文', '文strong((注))文¶'],
      [
        '彼は**「はい」**と*「いいえ」*を言った。**終わり。**次',
        '彼はstrong(「はい」)とem(「いいえ」)を言った。strong(終わり。)次¶',
      ],
      ['**A**と**B（C）**、**「D」**', 'strong(A)とstrong(B（C）)、strong(「D」)¶'],
      ['a***「b」***c', 'aem(strong(「b」))c¶'],
      ['日本_語_です', '日本_語_です¶'],
      ['a**"b"**c', 'a**"b"**c¶'],
    ],
  ],
  [
    'a citation is a number in brackets',
    [
      ['See [1] and [23].', 'See citation(1) and citation(23).¶'],
      ['**所要時間は2時間です[1]。**', 'strong(所要時間は2時間ですcitation(1)。)¶'],
      ['`[1]` and ``[2]``', 'codespan([1]) and codespan([2])¶'],
      ['[1](https://a.example)', 'link(https://a.example 1)¶'],
      ['[see [1]](https://a.example)', 'link(https://a.example see [1])¶'],
      ['[1]\n\n[1]: https://a.example', 'link(https://a.example 1)¶def()'],
      ['[1234] [a] [ ]', '[1234] [a] [ ]¶'],
    ],
  ],
  [
    'formulas',
    [
      ['So \\(x^2\\) it is', 'So formula(x^2) it is¶'],
      ['\\[\nE = mc^2\n\\]', 'display(E = mc^2)'],
      ['$$a+b$$', 'display(a+b)'],
      ['Words\n$$\na\n\nb\n$$\nmore', 'Words¶display(a\n\nb)more¶'],
      ['In $$x$$ and \\[y\\].', 'In formula(x) and display(y).¶'],
      ['If $x$ and $y+1$.', 'If formula(x) and formula(y+1).¶'],
      ['**is $x^*$ and $y^*$**', 'strong(is formula(x^*) and formula(y^*))¶'],
      ['| $a_1$ |\n|---|\n| \\(b\\) |', 'table(formula(a_1)/formula(b))'],
      ['It costs $5 and then $10.', 'It costs $5 and then $10.¶'],
      ['$5-$10, \\$5 and $', '$5-$10, $5 and $¶'],
      ['`echo $a $b` and\n```sh\necho $a$\n```', 'codespan(echo $a $b) and¶code(echo $a$)'],
      ['$$ $$', '$$ $$¶'],
    ],
  ],
  [
    'an address ends where the sentence or the bracket does',
    [
      ['詳しくはhttps://a.example/b。', '詳しくはlink(https://a.example/b https://a.example/b)。¶'],
      ['（https://a.example/b）', '（link(https://a.example/b https://a.example/b)）¶'],
      [
        'https://a.example/日本 mail@a.example.',
        'link(https://a.example/日本 https://a.example/日本) link(mailto:mail@a.example mail@a.example).¶',
      ],
    ],
  ],
  [
    'the rest is as everywhere',
    [
      ['- [ ] a\n- [x] b', 'list(item(checkbox()a)item(checkbox()b))'],
      ['| a | b |\n|--|:-:|\n| **x** [1] | <br> |', 'table(a|b/strong(x) citation(1)|html(<br>))'],
      ['<img src=x onerror=y> a', 'html(<img src=x onerror=y>) a¶'],
      ['<div>\n*a*\n</div>', 'html(<div>\n*a*\n</div>)'],
      ['~~gone~~ \\*here\\*', 'del(gone) *here*¶'],
    ],
  ],
])('%s', (_, cases) => {
  test.each(cases)('%j', (text, expected) => {
    expect(show(toParts(text))).toBe(expected);
  });
});

test('lines of Japanese are joined without a space', () => {
  expect(joinLines('一行目。\n二行目 a\nb\n三')).toBe('一行目。二行目 a\nb\n三');
});

test('nothing but blanks is lost, whatever the marks', () => {
  const pieces = fc.array(
    fc.constantFrom(
      'a',
      '文',
      ' ',
      '**',
      '*',
      '_',
      '`',
      '[1]',
      '[',
      '](x)',
      '$',
      '$$',
      '\\(',
      '\\)',
      '「',
      '」',
      '\n',
      '\n\n',
      '- ',
      '> ',
      '<b>',
      '~~',
      '😀',
    ),
    { maxLength: 40 },
  );
  const bare = (text: string) => text.replace(/\s/g, '');
  fc.assert(
    fc.property(
      pieces,
      (each) =>
        bare(
          toParts(each.join(''))
            .map(({ raw }) => raw)
            .join(''),
        ) === bare(each.join('')),
    ),
    { numRuns: 1000 },
  );
});

test.each(['😀**a ', '**（x*\n', '~~x~\n', '$x\\[\n', '](b)*a '])(
  'more marks than can be paired in a moment are given up: %j',
  (piece) => {
    const text = piece.repeat(Math.floor(55_000 / piece.length));
    expect(() => isTooMuch(text) || !toParts(text)).toThrow(RangeError);
  },
);

test('a text takes no more than its share to be cut and read, or is given up', { timeout: 240_000 }, async () => {
  const read = (text: string) => splitBlocks(text).map((block) => isTooMuch(block) || toParts(block));
  await mustStayLinear(read, { texts: hostileMarkdown });
});
