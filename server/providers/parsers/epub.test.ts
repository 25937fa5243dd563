import { expect, test } from 'vitest';
import { zipOf } from '../../testing/zip.ts';
import { epub } from './epub.ts';
import { finish } from './text.ts';

const container =
  '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="OPS/book.opf"/></rootfiles></container>';

const bookOf = (items: string, spine: string, more = '') =>
  `<package xmlns="http://www.idpf.org/2007/opf"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>Tea</dc:title><dc:creator>Haruka</dc:creator><dc:creator>Ken</dc:creator></metadata><manifest>${items}</manifest><spine>${spine}</spine>${more}</package>`;

const page = (inside: string) =>
  `<?xml version="1.0"?><!DOCTYPE html><html xmlns="http://www.w3.org/1999/xhtml"><head><title/></head><body>${inside}</body></html>`;

const item = (id: string, more = '') =>
  `<item id="${id}" href="${id}.xhtml" media-type="application/xhtml+xml" ${more}/>`;
const inOrder = (...ids: string[]) => ids.map((id) => `<itemref idref="${id}"/>`).join('');

const aBook = (files: Record<string, string>) =>
  zipOf([['mimetype', 'application/epub+zip'], ['META-INF/container.xml', container], ...Object.entries(files)]);

async function read(files: Record<string, string>) {
  const { title, blocks, warnings } = finish(await epub.parse(await aBook(files), () => {}));
  return { title, warnings, lines: blocks.map(({ kind, level = '', text }) => `${kind}${level}: ${text}`) };
}

test('a book is read in the order of its spine, without its list of contents', async () => {
  const { title, lines } = await read({
    'OPS/book.opf': bookOf(item('nav', 'properties="nav"') + item('a') + item('b'), inOrder('nav', 'b', 'a')),
    'OPS/nav.xhtml': page('<nav><ol><li><a href="b.xhtml">Brewing</a></li></ol></nav>'),
    'OPS/a.xhtml': page('<h1>Serving</h1><p>Hot.<a id="x"/> Or cold.</p>'),
    'OPS/b.xhtml': page(
      '<h1>Brewing</h1><p><ruby>煎茶<rt>せんちゃ</rt></ruby>は二分。</p><aside>1. Use soft water.</aside>',
    ),
  });
  expect(title).toBe('Tea');
  expect(lines).toEqual([
    'heading1: Tea',
    'paragraph: Haruka, Ken',
    'heading1: Brewing',
    'paragraph: 煎茶（せんちゃ）は二分。',
    'paragraph: 1. Use soft water.',
    'heading1: Serving',
    'paragraph: Hot. Or cold.',
  ]);
});

test('pictures, sounds and pages that are not there are told with their place', async () => {
  const { warnings } = await read({
    'OPS/book.opf': bookOf(item('a') + item('gone'), inOrder('a', 'gone')),
    'OPS/a.xhtml': page('<p>Tea</p><img src="a.png" alt="A cup"/><audio src="a.mp3"/>'),
  });
  expect(warnings).toEqual([
    { kind: 'picture', count: 1, places: ['OPS/a.xhtml'] },
    { kind: 'file-inside', count: 1, places: ['OPS/a.xhtml'] },
    { kind: 'elsewhere', count: 1, places: ['OPS/gone.xhtml'] },
  ]);
});

const locked = (method: string, uri: string) =>
  `<encryption xmlns="urn:oasis:names:tc:opendocument:xmlns:container" xmlns:enc="http://www.w3.org/2001/04/xmlenc#"><enc:EncryptedData><enc:EncryptionMethod Algorithm="${method}"/><enc:CipherData><enc:CipherReference URI="${uri}"/></enc:CipherData></enc:EncryptedData></encryption>`;

test('a book that needs a licence is refused, one whose fonts are garbled is not', async () => {
  const files = { 'OPS/book.opf': bookOf(item('a'), inOrder('a')), 'OPS/a.xhtml': page('<p>Tea</p>') };
  const aes = 'http://www.w3.org/2001/04/xmlenc#aes256-cbc';
  await expect(read({ ...files, 'META-INF/encryption.xml': locked(aes, 'OPS/a.xhtml') })).rejects.toMatchObject({
    code: 'file-encrypted',
  });
  const garbled = locked('http://www.idpf.org/2008/embedding', 'OPS/font.otf');
  expect((await read({ ...files, 'META-INF/encryption.xml': garbled })).lines).toContain('paragraph: Tea');
});

test('a zip of another kind is no book', async () => {
  await expect(epub.parse(await zipOf([['a.txt', 'a']]), () => {})).rejects.toMatchObject({ code: 'type-mismatch' });
});
