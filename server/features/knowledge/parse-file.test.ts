import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { crc32, deflateRawSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import type { Turn } from '../../infra/fair-line.ts';
import { parseFile } from './parse-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'kotae-parse-'));
afterAll(() => rmSync(folder, { recursive: true }));

let count = 0;
function parse(
  extension: string,
  content: string | Uint8Array,
  options: { timeoutMs?: number; signal?: AbortSignal; turn?: Turn; isPreview?: boolean } = {},
) {
  const path = join(folder, `${++count}.${extension}`);
  writeFileSync(path, content);
  return parseFile({ file: path, extension, turn: { tenant: 'a' }, ...options });
}

test('a file comes back as its document, its chunks, and progress on the way', async () => {
  const shares: number[] = [];
  const { document, chunks } = await parseFile({
    file: fileURLToPath(new URL('../../../e2e/fixtures/guide-ja.pdf', import.meta.url)),
    extension: 'pdf',
    turn: { tenant: 'a' },
    onProgress: (share) => shares.push(share),
  });
  expect(document).toMatchObject({ title: 'こもれび珈琲 ご利用案内', language: 'ja', pages: 2, warnings: [] });
  expect(chunks.find((chunk) => chunk.text.includes('送料無料'))).toMatchObject({
    headings: ['ご利用案内', '配送について'],
    page: 2,
  });
  expect(shares).toEqual([0.5, 1]);
});

test('a title and sizes that are asked for are kept', async () => {
  const { document, chunks } = await parseFile({
    file: fileURLToPath(new URL('../../../e2e/fixtures/about.html', import.meta.url)),
    extension: 'html',
    turn: { tenant: 'a' },
    title: 'Ours',
    chunking: { target: 100, cap: 100, hardCap: 200, overlap: 0 },
  });
  expect(document.title).toBe('Ours');
  expect(chunks.every((chunk) => chunk.text.length <= 200)).toBe(true);
});

test('more text than fits in one message arrives whole and in order', async () => {
  const { document, chunks } = await parse(
    'txt',
    Array.from({ length: 20_000 }, (_, index) => `Paragraph number ${index} says ${'word '.repeat(10)}`).join('\n\n'),
  );
  expect(document.blocks).toHaveLength(20_000);
  expect(document.blocks.at(-1)?.text).toMatch(/^Paragraph number 19999 /);
  expect(chunks.map((chunk) => chunk.position)).toEqual(chunks.map((_, index) => index));
});

const refusals: [what: string, code: string, extension: string, content: () => string | Uint8Array][] = [
  [
    'an unpacked entry of 40 MB in 40 KB',
    'file-unsafe',
    'docx',
    () => zip({ '[Content_Types].xml': 'x', 'word/document.xml': Buffer.alloc(40_000_000) }),
  ],
  [
    '6,000 entries',
    'file-unsafe',
    'docx',
    () => zip(Object.fromEntries(Array.from({ length: 6000 }, (_, index) => [`word/${index}.xml`, '']))),
  ],
  ['a name that leaves the folder', 'file-unsafe', 'docx', () => zip({ '../../evil.xml': 'x' })],
  [
    'a directory that lies about sizes',
    'file-damaged',
    'docx',
    () => zip({ '[Content_Types].xml': 'x', 'word/document.xml': Buffer.alloc(40_000_000) }, 500),
  ],
  ['a zip that is no Word file', 'type-mismatch', 'docx', () => zip({ 'a.txt': 'x' })],
  ['a picture', 'type-mismatch', 'pdf', () => Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')],
  ['a format nobody reads', 'type-mismatch', 'exe', () => 'x'],
  ['nothing', 'no-text', 'txt', () => ''],
  ['a heading on each of 110,000 lines', 'too-much-text', 'md', () => '# a\n'.repeat(110_000)],
  ['a question in each of 110,000 rows', 'too-much-text', 'csv', () => `question,answer\n${'a,b\n'.repeat(110_000)}`],
  [
    'a cross-reference table that points at itself',
    'no-text',
    'pdf',
    () =>
      pdf(
        [
          '<< /Type /Catalog /Pages 2 0 R >>',
          '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
          '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] >>',
        ],
        true,
      ),
  ],
  [
    'a tree of pages that holds itself',
    'file-damaged',
    'pdf',
    () => pdf(['<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Kids [2 0 R] /Count 1 >>']),
  ],
  [
    '100,000 pages',
    'too-many-pages',
    'pdf',
    () =>
      pdf([
        '<< /Type /Catalog /Pages 2 0 R >>',
        `<< /Type /Pages /Kids [${'3 0 R '.repeat(100_000)}] /Count 100000 >>`,
        '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] >>',
      ]),
  ],
  [
    'a document type that names a file of the system',
    'file-damaged',
    'docx',
    () =>
      zip({
        ...wordParts,
        'word/document.xml': `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>${wordDocument('&e;')}`,
      }),
  ],
];
test.each(refusals)('%s ends as %s', async (_, code, extension, content) => {
  await expect(parse(extension, content())).rejects.toMatchObject({ name: 'ParseError', code });
});

test('a file that is not there is missing', async () => {
  await expect(
    parseFile({ file: join(folder, 'none.txt'), extension: 'txt', turn: { tenant: 'a' } }),
  ).rejects.toMatchObject({
    code: 'file-missing',
  });
});

const heavy: [what: string, extension: string, content: () => string, says: string][] = [
  ['ten million characters in one line', 'txt', () => 'a'.repeat(10_000_000), 'aaaa'],
  ['three million opening brackets', 'md', () => '['.repeat(3_000_000), '[[[['],
  ['three million unfinished tags', 'md', () => '<a'.repeat(3_000_000), '<a<a'],
  [
    'a table of 100,000 columns',
    'csv',
    () => `${Array.from({ length: 100_000 }, (__, index) => `c${index}`).join(',')}\n${'1,'.repeat(99_999)}last`,
    'c99999: last',
  ],
  [
    'tags nested 30,000 deep',
    'html',
    () => `${'<div>'.repeat(30_000)}the bottom${'</div>'.repeat(30_000)}`,
    'the bottom',
  ],
  ['lists nested 20,000 deep', 'html', () => `${'<ul><li>'.repeat(20_000)}the bottom`, 'the bottom'],
];
test.each(heavy)(
  '%s is read in time',
  async (_, extension, content, says) => {
    const { document, chunks } = await parse(extension, content(), { timeoutMs: 30_000 });
    expect(document.blocks.at(-1)?.text).toContain(says);
    expect(chunks.length).toBeGreaterThan(0);
    expect(Math.max(...chunks.map((chunk) => chunk.text.length))).toBeLessThanOrEqual(4000);
  },
  40_000,
);

test('what takes too long is stopped', async () => {
  await expect(parse('html', '<div>'.repeat(200_000), { timeoutMs: 700 })).rejects.toMatchObject({
    code: 'parser-timeout',
  });
});

test('what takes too much memory is stopped, and the next file is read', async () => {
  const before = process.memoryUsage.rss();
  await expect(parse('html', '<br>'.repeat(3_000_000), { timeoutMs: 30_000 })).rejects.toMatchObject({
    code: 'parser-memory',
  });
  expect(process.memoryUsage.rss() - before).toBeLessThan(256 * 1024 * 1024);
  expect((await parse('txt', 'still here')).chunks).toHaveLength(1);
}, 40_000);

test('an abort stops a running file and one that waits its turn', async () => {
  const stop = new AbortController();
  const slow = () => parse('html', '<div>'.repeat(200_000), { signal: stop.signal });
  const all = Promise.allSettled([slow(), slow(), slow()]);
  setTimeout(() => stop.abort(new Error('not wanted any more')), 300);
  for (const result of await all)
    expect(result).toMatchObject({ status: 'rejected', reason: { message: 'not wanted any more' } });
  expect((await parse('txt', 'still here')).chunks).toHaveLength(1);
});

test('reading a page makes no request to the addresses in it', async () => {
  let requests = 0;
  const server = createServer((_, reply) => void reply.end(String(++requests)));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  const origin = `http://127.0.0.1:${address && typeof address === 'object' ? address.port : 0}`;
  const { chunks } = await parse(
    'html',
    `<link rel="stylesheet" href="${origin}/a.css"><script src="${origin}/a.js"></script><img src="${origin}/a.png"><iframe src="${origin}"></iframe><p>Text</p>`,
  );
  server.close();
  expect(chunks.map((chunk) => chunk.text)).toEqual(['Text']);
  expect(requests).toBe(0);
});

describe.runIf(existsSync('/proc/self/status'))('small plain files', () => {
  /** The children of this process that read files, by their ids. */
  const children = () =>
    readdirSync('/proc').filter((name) => {
      try {
        return (
          /^\d+$/.test(name) &&
          readFileSync(`/proc/${name}/cmdline`, 'utf8').includes('parse-child') &&
          new RegExp(`^PPid:\\s+${process.pid}$`, 'm').test(readFileSync(`/proc/${name}/status`, 'latin1'))
        );
      } catch {
        return false;
      }
    });

  test('are read by one child after another, until one ends badly', async () => {
    await parse('txt', 'first');
    const [child, ...more] = children();
    expect(more).toEqual([]);
    const all = await Promise.all(
      ['txt', 'md', 'csv'].flatMap((extension) =>
        Array.from({ length: 10 }, (_, index) => parse(extension, `text ${index} in ${extension}`)),
      ),
    );
    expect(all.map(({ chunks }) => chunks[0]?.text)).toEqual(
      ['txt', 'md', 'csv'].flatMap((extension) =>
        Array.from({ length: 10 }, (_, index) => expect.stringContaining(`text ${index} in ${extension}`)),
      ),
    );
    expect(children()).toEqual([child]);
    await expect(parse('txt', '   ')).rejects.toMatchObject({ code: 'no-text' });
    expect(children()).toEqual([]);
  });

  test('do not wait for the files that have a child each', async () => {
    const stop = new AbortController();
    const large = Promise.allSettled(
      [1, 2, 3].map(() => parse('html', '<div>'.repeat(200_000), { signal: stop.signal })),
    );
    expect((await parse('txt', 'still here')).chunks).toHaveLength(1);
    stop.abort();
    await large;
  });

  test.each([false, true])('of one workspace hold up no file of another, as previews: %s', async (isPreview) => {
    const stop = new AbortController();
    const large = Promise.allSettled(
      Array.from({ length: 20 }, () => parse('md', '# a\n'.repeat(90_000), { isPreview, signal: stop.signal })),
    );
    expect((await parse('txt', 'next', { isPreview, turn: { tenant: 'b', isVisitors: true } })).chunks).toHaveLength(1);
    stop.abort();
    expect((await large).filter(({ status }) => status === 'rejected').length).toBeGreaterThan(15);
  });

  test('whose child was killed in between are read by another', async () => {
    await parse('txt', 'one');
    const [child] = children();
    process.kill(Number(child), 'SIGKILL');
    expect((await parse('txt', 'other')).chunks).toHaveLength(1);
  });
});

const wordParts = {
  '[Content_Types].xml':
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>',
  '_rels/.rels':
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>',
};

function wordDocument(text: string): string {
  return `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body><w:p><w:r><w:t>${text}</w:t></w:r></w:p></w:body></w:document>`;
}

/** A zip; with `claimed` its directory says that every entry unpacks to so many bytes. */
function zip(files: Record<string, string | Uint8Array>, claimed?: number): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of Object.entries(files)) {
    const data = Buffer.from(content);
    const packed = deflateRawSync(data);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(8, 4);
    common.writeUInt32LE(crc32(data), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(claimed ?? data.length, 18);
    common.writeUInt16LE(Buffer.byteLength(name), 22);
    const local = Buffer.concat([Buffer.from('PK\u0003\u0004', 'latin1'), common, Buffer.from(name), packed]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    directory.push(
      Buffer.concat([Buffer.from('PK\u0001\u0002\u0014\u0000', 'latin1'), common, tail, Buffer.from(name)]),
    );
    locals.push(local);
    offset += local.length;
  }
  const listing = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\u0005\u0006', 'latin1');
  end.writeUInt16LE(directory.length, 8);
  end.writeUInt16LE(directory.length, 10);
  end.writeUInt32LE(listing.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, listing, end]);
}

function pdf(objects: string[], loops = false): string {
  let file = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const offset = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  return `${file}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join('')}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${loops ? `/Prev ${file.length}` : ''} >>\nstartxref\n${file.length}\n%%EOF`;
}
