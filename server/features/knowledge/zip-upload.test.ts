import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { z } from 'zod';
import { documents, knowledge } from '../../../shared/contracts/knowledge.ts';
import { eventually, startTestApp, type Person, type TestApp } from '../../testing/app.ts';
import { zipOf } from '../../testing/zip.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ MAX_UPLOAD_MB: '2', WORKSPACE_STORAGE_MB: '3' });
});
afterAll(() => app.stop());
afterEach(() => vi.unstubAllEnvs());

const aBase = async (person: Person) =>
  (await person.call(knowledge.create, { body: { name: 'Manual' } })).body.data.uuid;

type Reply = z.output<typeof documents.add.reply> & { error?: { code: string; message: string } };

async function send(person: Person, base: string, files: [name: string, bytes: Buffer | string][], locale = 'en') {
  const form = new FormData();
  for (const [name, bytes] of files) form.append('file', new Blob([new Uint8Array(Buffer.from(bytes))]), name);
  const response = await person.fetch(`/api/user/knowledge/${base}/document`, {
    method: 'POST',
    body: form,
    headers: { 'accept-language': locale },
  });
  // A border: what a contract says of its reply, or an error.
  const reply = (await response.json()) as Reply;
  return { status: response.status, ...reply };
}

const namesIn = async (person: Person, base: string) =>
  (await person.call(documents.list, { params: { knowledge: base }, query: { sort: 'name' } })).body.data.map(
    ({ name }) => name,
  );

/** Changes what the directory and the entry itself say of an entry, wherever both say it. */
function patched(zip: Buffer, name: string, change: { name?: Buffer; flags?: (flags: number) => number }): Buffer {
  const copy = Buffer.from(zip);
  for (const [mark, flagsAt, nameAt] of [
    ['PK\u0003\u0004', 6, 30],
    ['PK\u0001\u0002', 8, 46],
  ] as const)
    for (let at = copy.indexOf(mark); at >= 0; at = copy.indexOf(mark, at + 1)) {
      if (
        !copy
          .subarray(at + nameAt)
          .toString('latin1', 0, name.length)
          .startsWith(name)
      )
        continue;
      change.name?.copy(copy, at + nameAt);
      copy.writeUInt16LE(change.flags?.(copy.readUInt16LE(at + flagsAt)) ?? 0, at + flagsAt);
    }
  return copy;
}

/** A text that does not pack as well as a bomb does. */
const numbered = (word: string, length: number) =>
  Array.from({ length: length / 4 }, (_, at) => `${word}${at} `)
    .join('')
    .slice(0, length);

const isLocked = (flags: number) => flags | 1;
const isUntold = (flags: number) => flags & ~0x8_00;

test('each file in a ZIP becomes a document under its path, and whatever does not is told by name', async () => {
  const person = await app.aPerson();
  const base = await aBase(person);
  const zip = await zipOf([
    ['menu/lunch.txt', 'Curry costs 900 yen.'],
    ['menu/dinner.md', '# Dinner\n\nNoodles cost 1,200 yen.'],
    ['again.txt', 'Curry costs 900 yen.'],
    ['film.mp4', 'x'],
    ['secret.txt', 'x'.repeat(100)],
    ['inner.zip', await zipOf([['a.txt', 'a']])],
    ['none.txt', ''],
    ['page.pdf', 'no page'],
    ['long.txt', numbered('x', 2_400_000)],
    ['broken.txt', 'The first bytes of it have changed since it was packed.'],
    ['__MACOSX/menu/._lunch.txt', 'x'],
    ['menu/.DS_Store', 'x'],
    ['menu/Thumbs.db', 'x'],
  ]);
  const [header] = await zipOf([['broken.txt', 'The first bytes of it have changed since it was packed.']]).then(
    (one) => [one.subarray(40, 60)],
  );
  const at = zip.indexOf(header ?? '');
  zip[at + 10] = (zip[at + 10] ?? 0) ^ 0x40;
  const { status, data, meta } = await send(person, base, [
    ['shop.zip', patched(zip, 'secret.txt', { flags: isLocked })],
  ]);
  expect(status).toBe(202);
  expect(data.map(({ fileName, name, duplicate }) => [fileName, name, duplicate])).toEqual([
    ['menu/lunch.txt', 'menu/lunch.txt', false],
    ['menu/dinner.md', 'menu/dinner.md', false],
    ['again.txt', 'menu/lunch.txt', true],
  ]);
  expect(meta.skipped.map(({ name, code }) => [name, code])).toEqual([
    ['film.mp4', 'file-type-not-supported'],
    ['secret.txt', 'file-encrypted'],
    ['inner.zip', 'archive-inside'],
    ['none.txt', 'file-empty'],
    ['page.pdf', 'file-not-as-named'],
    ['long.txt', 'file-too-large'],
    ['broken.txt', 'file-damaged'],
  ]);
  expect(meta.skipped.map(({ message }) => message)).toContain(
    'A ZIP inside a ZIP is not opened. Unpack it and add its files.',
  );
  expect(await namesIn(person, base)).toEqual(['menu/dinner.md', 'menu/lunch.txt']);
  const [lunch] = data;
  await eventually('the document is read', async () => {
    const at = { params: { knowledge: base, document: lunch?.uuid ?? '' } };
    return (await person.call(documents.get, at)).body.data.status === 'indexed';
  });
  const file = await person.fetch(`/api/user/knowledge/${base}/document/${lunch?.uuid}/file`);
  expect(file.headers.get('content-disposition')).toBe("attachment; filename*=UTF-8''lunch.txt");
  expect(await file.text()).toBe('Curry costs 900 yen.');
});

test.each([
  ['Shift_JIS, as Windows in Japan packs them', '8381836a8385815b2f835c815b83582e747874', 'メニュー/ソース.txt'],
  [
    'UTF-8 that does not say so, as a Mac packs them',
    Buffer.from('メニュー/汁.txt').toString('hex'),
    'メニュー/汁.txt',
  ],
  ['CP437', Buffer.from('Men\u0081/caf\u0082.txt', 'latin1').toString('hex'), 'Menü/café.txt'],
  ['backslashes between folders', Buffer.from('menu\\lunch.txt').toString('hex'), 'menu/lunch.txt'],
])('names in a ZIP are read in %s', async (_, hex, name) => {
  const person = await app.aPerson();
  const base = await aBase(person);
  const raw = Buffer.from(hex, 'hex');
  const placeholder = 'x'.repeat(raw.length);
  const zip = patched(await zipOf([[placeholder, 'Curry']]), placeholder, { name: raw, flags: isUntold });
  expect((await send(person, base, [['shop.zip', zip]])).data.map((each) => each.name)).toEqual([name]);
});

describe('a ZIP is refused at the door, and leaves nothing, for', () => {
  const renamed = async (to: string) => {
    const placeholder = 'x'.repeat(to.length);
    return patched(await zipOf([[placeholder, 'Curry']]), placeholder, { name: Buffer.from(to), flags: isUntold });
  };
  /** The second entry says that it begins where the first one does. */
  const overlapping = async () => {
    const zip = await zipOf([
      ['a.txt', 'Curry'],
      ['b.txt', 'Curry'],
    ]);
    const second = zip.indexOf('PK\u0001\u0002', zip.indexOf('PK\u0001\u0002') + 1);
    zip.writeUInt32LE(zip.readUInt32LE(second + 42) - 8, second + 42);
    return zip;
  };
  /** Its end says that there are 5,001 entries. */
  const claiming = async () => {
    const zip = await zipOf([['a.txt', 'Curry']]);
    zip.writeUInt16LE(5_001, zip.length - 12);
    return zip;
  };
  const cases: [string, string, () => Buffer | Promise<Buffer>][] = [
    ['a bomb', 'file-unsafe', () => zipOf([['a.txt', Buffer.alloc(2_000_000)]])],
    [
      'far more in all than may be uploaded',
      'file-unsafe',
      () => zipOf(Array.from({ length: 100 }, (_, at): [string, Buffer] => [`${at}.txt`, Buffer.alloc(1_000_000)])),
    ],
    ['entries that overlap', 'file-unsafe', overlapping],
    ['a name that leaves the folder', 'file-unsafe', () => renamed('../../a.txt')],
    ['an absolute name', 'file-unsafe', () => renamed('/etc/a.txt')],
    ['a name with a drive', 'file-unsafe', () => renamed('C:\\a\\b.txt')],
    [
      'too many files',
      'archive-too-many',
      () => zipOf(Array.from({ length: 1_001 }, (_, at): [string, string] => [`${at}.txt`, String(at)])),
    ],
    ['too many entries', 'file-unsafe', claiming],
    ['being none', 'file-not-as-named', () => Buffer.from('no zip')],
    ['being cut off', 'file-not-as-named', async () => (await zipOf([['a.txt', 'Curry']])).subarray(0, 60)],
    ['being empty', 'file-empty', () => Buffer.alloc(0)],
    ['holding nothing', 'file-empty', () => zipOf([['.DS_Store', 'x']])],
    ['its size', 'file-too-large', () => Buffer.alloc(3_000_000)],
  ];
  test.each(cases)('%s: %s', async (_, code, make) => {
    const person = await app.aPerson();
    const base = await aBase(person);
    const sent: [string, Buffer | string][] = [
      ['first.txt', 'Noodles'],
      ['shop.zip', await make()],
    ];
    const { error } = await send(person, base, sent, 'ja');
    expect(error?.code).toBe(code);
    expect(error?.message).toMatch(/[ぁ-ん].*。$/);
    expect(await namesIn(person, base)).toEqual([]);
  });
});

test('where the workspace has no more room, what was added stays, and the rest is told', async () => {
  const person = await app.aPerson();
  const base = await aBase(person);
  const { data, meta } = await send(person, base, [
    ['shop.zip', await zipOf([...'abc'].map((each): [string, string] => [`${each}.txt`, numbered(each, 1_200_000)]))],
  ]);
  expect(data.map(({ name }) => name)).toEqual(['a.txt', 'b.txt']);
  expect(meta.skipped.map(({ name, code }) => [name, code])).toEqual([['c.txt', 'workspace-full']]);
});

test('a sender that leaves in the middle of a ZIP leaves nothing behind', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kotae-left-'));
  vi.stubEnv('TMPDIR', folder);
  const person = await app.aPerson();
  const base = await aBase(person);
  const body = Buffer.from(
    '--x\r\nContent-Disposition: form-data; name="file"; filename="shop.zip"\r\n\r\nPK\u0003\u0004and no more',
  );
  const sending = request(`${app.url}/api/user/knowledge/${base}/document`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${person.jwt}`,
      'content-type': 'multipart/form-data; boundary=x',
      'content-length': body.length + 1000,
    },
  }).on('error', () => {});
  sending.write(body);
  await eventually('the ZIP is coming in', async () => (await readdir(folder)).length === 1);
  sending.destroy();
  await eventually('what came in is gone', async () => (await readdir(folder)).length === 0);
  expect(await namesIn(person, base)).toEqual([]);
  await rm(folder, { recursive: true });
});

test('a file that is sent with its folders keeps them, as far as they lead down', async () => {
  const person = await app.aPerson();
  const base = await aBase(person);
  const { data } = await send(person, base, [
    ['menu/lunch.txt', 'one'],
    ['../../etc/passwd.txt', 'two'],
    ['/home/me/three.txt', 'three'],
    ['C:\\me\\four.txt', 'four'],
  ]);
  expect(data.map(({ name }) => name)).toEqual(['menu/lunch.txt', 'passwd.txt', 'three.txt', 'four.txt']);
  const named = await person.call(documents.named, {
    params: { knowledge: base },
    body: { names: ['menu/lunch.txt', 'other/lunch.txt'] },
  });
  expect(named.body.data).toEqual([{ name: 'menu/lunch.txt', document: data[0]?.uuid }]);
});
