import { expect, test } from 'vitest';
import { markdown } from './markdown.ts';

const read = async (text: string) =>
  (await markdown.parse(Buffer.from(text), () => {})).blocks.map(
    (block) => `${block.kind}${block.level ?? ''}: ${block.text}`,
  );

test('inline code stays as it is written, inside emphasis too', async () => {
  expect(await read('Use `set <key>`, `__init__` and **bold `a*b` text**; ``x ` y``.')).toEqual([
    'paragraph: Use set <key>, __init__ and bold a*b text; x ` y.',
  ]);
});

test('code between the fences of a list stays as it is written', async () => {
  expect(await read('1. run:\n\n   ```sh\n   export KEY=<key>\n   ```\n2. **next**')).toEqual([
    'list: 1. run:\n   ```sh\n   export KEY=<key>\n   ```\n2. next',
  ]);
});

test('a table that is written in HTML is a table', async () => {
  expect(
    await read('Before\n<table>\n<tr><th>A</th><th>B</th></tr>\n<tr><td>1</td><td>2</td></tr>\n</table>\nAfter'),
  ).toEqual(['paragraph: Before', 'table: | A | B |\n| --- | --- |\n| 1 | 2 |', 'paragraph: After']);
});

test('a heading needs no space, and a hashtag is no heading', async () => {
  expect(await read('#案内\n##時間\n九時から\n\nfind us: #shop\n#coffee #tea')).toEqual([
    'heading1: 案内',
    'heading2: 時間',
    'paragraph: 九時から',
    'paragraph: find us: #shop #coffee #tea',
  ]);
});
