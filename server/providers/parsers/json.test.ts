import { expect, test } from 'vitest';
import { json } from './json.ts';
import { finish } from './text.ts';

const linesOf = async (source: string) =>
  finish(await json.parse(Buffer.from(source), () => {})).blocks.map(
    ({ kind, level = '', text }) => `${kind}${level}: ${text}`,
  );

test('each object of a list is read with the names of its values, inner ones with their path', async () => {
  expect(
    await linesOf('[{"name":"Tea","price":{"cup":300,"pot":900},"tags":["hot","green"]},{"name":"Cake","none":null}]'),
  ).toEqual(['table: name: Tea\nprice.cup: 300\nprice.pot: 900\ntags: hot, green', 'table: name: Cake\nnone: null']);
});

test('JSON Lines are read as a list, whatever the file is called', async () => {
  expect(await linesOf('{"a":1}\n\n{"a":2}\n')).toEqual(['table: a: 1', 'table: a: 2']);
});

test('questions stand with their answers', async () => {
  expect(await linesOf('{"faq":[{"question":"いつ開きますか？","answer":"9時です。","id":7}]}')).toEqual([
    'heading1: faq',
    'qa: Q: いつ開きますか？\nA: 9時です。\nid: 7',
  ]);
});

test('names of objects are headings over what they hold, and its own values come first', async () => {
  expect(
    await linesOf(
      '{"shop":{"address":{"city":"Kobe","map":{"at":{"lat":34.7}}},"phone":"007"},"open":["Mon","Tue"],"grid":[["a","b"],[1,2]]}',
    ),
  ).toEqual([
    'heading1: shop',
    'table: phone: 007',
    'heading2: address',
    'table: city: Kobe',
    'heading3: map',
    'table: at.lat: 34.7',
    'heading1: open',
    'list: - Mon\n- Tue',
    'heading1: grid',
    'table: a | b',
    'table: 1 | 2',
  ]);
});

test('numbers stay as they are written, and no name is lost or moved', async () => {
  expect(await linesOf('{"b":12345678901234567890,"1":1e999,"c":1.50,"b":"twice","__proto__":"x"}')).toEqual([
    'table: b: 12345678901234567890\n1: 1e999\nc: 1.50\nb: twice\n__proto__: x',
  ]);
});

test('escapes in strings are read, however they end', async () => {
  expect(await linesOf(String.raw`["\u3042\n\"x\"", "a\\", "\\\"b"]`)).toEqual(['list: - あ\n"x"\n- a\\\n- \\"b']);
});

test.each([
  ['a comma too many', '{\n"a": 1,\n}', 3],
  ['a comment', '{\n"a": 1 // one\n}', 2],
  ['a name without quotes', '{a: 1}', 1],
  ['a zero before a number', '[\n\n01]', 3],
  ['a string that does not end', '["a', 1],
  ['an escape that is none', '[\n"\\x"]', 2],
  ['no end', '[1,\n', 2],
])('%s is told with its line', async (_, source, line) => {
  await expect(linesOf(source)).rejects.toMatchObject({ code: 'json-invalid', line });
});

test('a hundred thousand levels are refused', async () => {
  await expect(linesOf('['.repeat(100_000))).rejects.toMatchObject({ code: 'file-unsafe' });
  await expect(linesOf('{"a":'.repeat(100_000))).rejects.toMatchObject({ code: 'file-unsafe' });
});
