import { expect, test } from 'vitest';
import { elements, readXml, scanXml, type Element } from './xml.ts';

const xml =
  '<?xml version="1.0"?><!-- a > b --><x:list xmlns:x="urn:x" a = "1>2" b=\'&lt;\'><x:item  c="d"/>Fish &amp; chips<![CDATA[<&>]]><x:rows><x:row>1</x:row></x:rows></x:list>\n';

async function* piecesOf(bytes: Buffer, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function scanned(bytes: Buffer, size: number, skipped?: string): Promise<Element | undefined> {
  const root: Element = { name: '', attributes: {}, children: [] };
  const open = [root];
  await scanXml(piecesOf(bytes, size), {
    open(name, attributes) {
      const element = { name, attributes, children: [] };
      open.at(-1)?.children.push(element);
      open.push(element);
      return name === skipped ? 'skip' : undefined;
    },
    text: (text) => void open.at(-1)?.children.push(text),
    close: () => void open.pop(),
  });
  return elements(root)[0];
}

test('a text that comes in pieces reads like the whole, wherever it is cut', async () => {
  for (const bytes of [Buffer.from(xml), Buffer.from(`\uFEFF${xml}あ`.replace('あ', ''), 'utf16le')])
    for (let size = 2; size < bytes.length + 1; size++) expect(await scanned(bytes, size)).toEqual(readXml(bytes));
});

test('what is inside an element may be passed over', async () => {
  for (let size = 1; size < 40; size++) {
    const list = await scanned(Buffer.from(xml), size, 'rows');
    expect(elements(list).map(({ name, children }) => [name, children.length])).toEqual([
      ['item', 0],
      ['rows', 0],
    ]);
  }
});

test.each([
  '<a><b></a>',
  '<a',
  '<a b=',
  '<a/><b/>',
  '<!DOCTYPE a><a/>',
  '',
  '<a>&b;</a>',
  '<a>&constructor;</a>',
  '</a>',
])('what is not well-formed is damaged, in pieces as well: %s', async (text) => {
  expect(() => readXml(Buffer.from(text))).toThrow(expect.objectContaining({ code: 'file-damaged' }));
  await expect(scanned(Buffer.from(text), 1)).rejects.toMatchObject({ code: 'file-damaged' });
});
