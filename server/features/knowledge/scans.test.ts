import { readFile } from 'node:fs/promises';
import PdfDocument from 'pdfkit';
import sharp from 'sharp';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { documents, knowledge, usualSettings } from '../../../shared/contracts/knowledge.ts';
import { eventually, startTestApp, type Person, type TestApp } from '../../testing/app.ts';
import { pdf } from '../../providers/parsers/pdf.ts';
import { pdfOf } from '../../testing/pdf.ts';

const drawn = (name: string) => readFile(new URL(`../../testing/scans/${name}.png`, import.meta.url));
const white = { background: '#fff' };
// A page takes seconds, and many times that where the machine has other work.
const slow = { timeout: 300_000 };

let app: TestApp;
let notice: Buffer;
let columns: Buffer;
beforeAll(async () => {
  [app, notice, columns] = await Promise.all([startTestApp(), drawn('notice'), drawn('columns')]);
});
afterAll(() => app.stop());

async function aBase(person: Person, scans = true) {
  const settings = { ...usualSettings, reading: { scans } };
  return (await person.call(knowledge.create, { body: { name: 'Guest house', settings } })).body.data.uuid;
}

async function read(person: Person, base: string, name: string, file: Buffer) {
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(file)]), name);
  const reply = await person.fetch(`/api/user/knowledge/${base}/document`, { method: 'POST', body: form });
  const { data } = (await reply.json()) as { data: { uuid: string }[] };
  const params = { knowledge: base, document: data[0]?.uuid ?? '' };
  return eventually(
    'the document is read',
    async () => {
      const { data: document } = (await person.call(documents.get, { params })).body;
      return !['queued', 'parsing', 'chunking', 'embedding'].includes(document.status) && document;
    },
    240_000,
  );
}

const found = async (person: Person, base: string, query: string) =>
  (await person.call(knowledge.search, { params: { uuid: base }, body: { query } })).body.data.map(
    ({ embedding: { text, page } }) => ({ text, page }),
  );

/** Pages that are pictures, or lines of text. */
function scanOf(pages: (Buffer | string)[]): Promise<Buffer> {
  const document = new PdfDocument({ autoFirstPage: false, size: 'A5', margin: 20 });
  for (const page of pages) {
    document.addPage();
    if (typeof page === 'string') document.text(page);
    else document.image(page, { fit: [380, 540] });
  }
  document.end();
  return buffer(document);
}

test('a page that cannot be read from its picture does not spoil the others', slow, async () => {
  const person = await app.aPerson();
  const base = await aBase(person);
  const file = new PdfDocument({ autoFirstPage: false, margin: 0 });
  file.addPage({ size: [0.5, 800], margin: 0 });
  for (let y = 0; y < 800; y += 20) file.rect(0, y, 0.5, 10).fill('#000');
  file.addPage({ size: 'A5', margin: 20 });
  file.text('The rules of the house and of the garden.');
  file.end();
  const document = await read(person, base, 'Sliver.pdf', await buffer(file));
  expect(document).toMatchObject({ error: null, pages: 2, status: 'indexed-with-warnings' });
});

test('a question finds the words of a scanned page, in its place among pages with text', slow, async () => {
  const person = await app.aPerson();
  const base = await aBase(person);
  const file = await scanOf(['Rules of the house and of the garden.', notice, columns, 'The end of the rules.']);
  const document = await read(person, base, 'Rules.pdf', file);
  expect(document).toMatchObject({ status: 'indexed', pages: 4, warnings: [] });
  const [ferry] = await found(person, base, 'When does the last ferry leave?');
  expect(ferry).toMatchObject({ page: 2 });
  expect(ferry?.text).toContain('The last ferry back leaves the island of Torishima at 6:45 in the evening.');
  expect((await found(person, base, '返却は何時まで'))[0]?.text).toContain(
    '返却は午後5時30分までに、駅前の受付へお願いいたします。',
  );
  expect((await found(person, base, '門限は何時'))[0]).toMatchObject({
    text: expect.stringContaining('門限は夜の十一時であり、'),
    page: 3,
  });
});

test('prices keep their commas', slow, async () => {
  const person = await app.aPerson();
  const base = await aBase(person);
  await read(person, base, 'Notice.png', notice);
  expect((await found(person, base, '半日の料金'))[0]?.text).toContain('1,800円、半日は1,200円です。');
});

test('a photo is read upright as its camera was held, and aslant', slow, async () => {
  const person = await app.aPerson();
  const base = await aBase(person);
  const photo = await sharp(await sharp(notice).rotate(1.5, white).toBuffer())
    .rotate(270)
    .jpeg()
    .withMetadata({ orientation: 6 })
    .toBuffer();
  expect((await read(person, base, 'IMG_0815.JPG', photo)).status).toBe('indexed');
  expect((await found(person, base, 'last ferry'))[0]).toMatchObject({
    text: expect.stringContaining('at 6:45 in the evening'),
    page: 1,
  });
});

test.each([90, 180, 270])('a page that was scanned turned by %i degrees is read', slow, async (turn) => {
  const person = await app.aPerson();
  const base = await aBase(person);
  const file = await sharp(notice).rotate(turn).webp().toBuffer();
  await read(person, base, 'Turned.webp', file);
  expect((await found(person, base, 'last ferry'))[0]?.text).toContain('at 6:45 in the evening');
});

test('a page that was hard to read is told with its number, and its words are there all the same', async () => {
  const words = {
    str: 'last ferry',
    dir: 'ltr',
    width: 60,
    height: 10,
    transform: [10, 0, 0, 10, 50, 700],
    fontName: '',
  };
  const file = await scanOf(['Rules of the house.', notice]);
  const { blocks, warnings } = await pdf.parse(file, () => {}, [{ page: 2, items: [words], confidence: 60 }]);
  expect(blocks.at(-1)).toMatchObject({ text: 'last ferry', page: 2 });
  expect(warnings).toEqual([{ kind: 'page-in-doubt', count: 1, places: ['2'] }]);
});

test('a base that reads no scans tells of pages without text', slow, async () => {
  const person = await app.aPerson();
  const base = await aBase(person, false);
  expect(await read(person, base, 'Rules.pdf', await scanOf(['Rules of the house.', notice]))).toMatchObject({
    status: 'indexed-with-warnings',
    warnings: [{ kind: 'page-without-text', count: 1, places: ['2'] }],
  });
  expect(await read(person, base, 'Notice.png', notice)).toMatchObject({
    status: 'failed',
    error: { code: 'no-text' },
  });
});

test('what shows no words has no text', slow, async () => {
  const person = await app.aPerson();
  const base = await aBase(person);
  const blank = await sharp({ create: { width: 600, height: 400, channels: 3, background: '#fff' } })
    .png()
    .toBuffer();
  const noise = await sharp({
    create: {
      width: 500,
      height: 400,
      channels: 3,
      background: '#888',
      noise: { type: 'gaussian', mean: 128, sigma: 60 },
    },
  })
    .blur(3)
    .jpeg()
    .toBuffer();
  expect((await read(person, base, 'Blank.png', blank)).error?.code).toBe('no-text');
  expect((await read(person, base, 'Noise.jpg', noise)).error?.code).toBe('no-text');
  expect((await read(person, base, 'Empty.pdf', pdfOf([{}]))).error?.code).toBe('no-text');
});

test('pictures in every usual form are read', slow, async () => {
  const person = await app.aPerson();
  const base = await aBase(person);
  const small = sharp(notice).extract({ left: 0, top: 280, width: 1000, height: 162 });
  const forms = {
    'sixteen bits.png': await small.clone().toColourspace('grey16').png().toBuffer(),
    'inks.tif': await small.clone().toColourspace('cmyk').tiff({ compression: 'lzw' }).toBuffer(),
    'see-through.webp': await small.clone().unflatten().webp().toBuffer(),
    'film.gif': await small.clone().gif().toBuffer(),
    'passes.jpeg': await small.clone().jpeg({ progressive: true }).toBuffer(),
  };
  for (const [name, file] of Object.entries(forms))
    expect.soft([name, (await read(person, base, name, file)).status]).toEqual([name, 'indexed']);
});

test('pictures that are a danger are refused', slow, async () => {
  const person = await app.aPerson();
  const base = await aBase(person);
  const bomb = await sharp({ create: { width: 14_000, height: 14_000, channels: 3, background: '#fff' } })
    .png({ palette: true, compressionLevel: 9 })
    .toBuffer();
  expect((await read(person, base, 'Bomb.png', bomb)).error?.code).toBe('file-unsafe');
  expect((await read(person, base, 'Half.png', notice.subarray(0, 9_000))).error?.code).toBe('file-damaged');
});
