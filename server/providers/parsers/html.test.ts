import { expect, test } from 'vitest';
import { html } from './html.ts';

const read = async (text: string) =>
  (await html.parse(Buffer.from(text), () => {})).blocks.map(
    (block) => `${block.kind}${block.level ?? ''}: ${block.text}`,
  );

test.each([
  ['a hidden panel', '<p>a</p><p hidden>b</p>', ['paragraph: a', 'paragraph: b']],
  ['a button with what it opens', '<button aria-expanded=false>Why?</button><div>So.</div>', ['qa: Q: Why?\nA: So.']],
  ['a picture', '<p><img alt="Open 9 to 5"></p>', ['paragraph: Open 9 to 5']],
  [
    'addresses',
    '<p><a href="mailto:a@b.test">mail</a> <a href="tel:0311">03-11</a></p>',
    ['paragraph: mail (a@b.test) 03-11'],
  ],
  ['options', '<select><option>A</option><option>B</option></select>', ['paragraph: - A\n- B']],
  [
    'a reading once',
    '<ruby>山<rp>(</rp><rt>やま</rt><rp>)</rp></ruby>と<ruby>山<rt>やま</rt></ruby>',
    ['paragraph: 山（やま）と山'],
  ],
  [
    'numbers of a list',
    '<ol start=4><li>x<pre>a  b</pre><li value=9>y</ol>',
    ['list: 4. x\n   ```\n   a  b\n   ```\n9. y'],
  ],
  [
    'merged cells',
    '<table><tr><th>A<th>B<tr><td rowspan=2>1<td>2<tr><td>3</table>',
    ['table: | A | B |\n| --- | --- |\n| 1 | 2 |\n| 1 | 3 |'],
  ],
  [
    'names in the first column',
    '<table><tr><th>A<td>1<tr><th>B<td>2</table>',
    ['table: |  |  |\n| --- | --- |\n| A | 1 |\n| B | 2 |'],
  ],
  [
    'a table in a table',
    '<table><tr><th>A<th>B<tr><td>1<td><table><tr><td>x<td>y</table></table>',
    ['table: | A | B |\n| --- | --- |\n| 1 | x / y |'],
  ],
  ['text between cells', '<table>stray<tr><td>a<td>b</table>', ['table: stray\n| a | b |\n| --- | --- |']],
  ['powers', '<p>10<sup>3</sup> m CO<sub>2</sub></p>', ['paragraph: 10³ m CO₂']],
  [
    'no menus, but what stands beside them',
    '<nav><a href=/>Home</a></nav><footer><ul><li><a href=/a>A</a><li><a href=/b>B</a></ul><p>Quay 3</p></footer>',
    ['paragraph: Quay 3'],
  ],
])('a page gives %s', async (_, page, blocks) => {
  expect(await read(page)).toEqual(blocks);
});
