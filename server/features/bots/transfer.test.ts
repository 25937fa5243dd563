import { createHash, randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { files } from '../../../shared/contracts/accounts.ts';
import { bots } from '../../../shared/contracts/bots.ts';
import { documents, knowledge } from '../../../shared/contracts/knowledge.ts';
import { builtInService } from '../../../shared/contracts/services.ts';
import { eventually, startTestApp, type Person, type TestApp } from '../../testing/app.ts';
import { unzip, zipOf, zipOfMany } from '../../testing/zip.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ MAX_UPLOAD_MB: '2' });
});
afterAll(() => app.stop());

const opening = 'The shop opens at nine in the morning and closes at six.';

async function exportOf(person: Person, uuid: string): Promise<{ bytes: Buffer; headers: Headers }> {
  const response = await person.fetch(`/api/user/bot/${uuid}/export`);
  expect(response.status).toBe(200);
  return { bytes: Buffer.from(await response.arrayBuffer()), headers: response.headers };
}

async function send(person: Person, bytes: Buffer, headers: Record<string, string> = {}) {
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(bytes)]), 'bot.kotae-bot.zip');
  const response = await person.fetch(bots.import.path, { method: 'POST', body: form, headers });
  const { data, error } = JSON.parse(await response.text());
  return { status: response.status, data, error };
}

/** A bot with everything that a file carries. */
async function aWholeBot(person: Person) {
  const base = (await person.call(knowledge.create, { body: { name: '営業案内', description: 'Hours' } })).body.data
    .uuid;
  const gone = (await person.call(knowledge.create, { body: { name: 'Gone' } })).body.data.uuid;
  for (const [name, text] of [
    ['hours', opening],
    ['休業日.md', '# 休業日\n\n水曜日はお休みです。'],
  ] as const)
    await person.call(documents.add, { params: { knowledge: base }, body: { source: 'text', name, text } });
  const list = (await person.call(documents.list, { params: { knowledge: base } })).body.data;
  const closed = list.find(({ name }) => name.endsWith('.md'))?.uuid ?? '';
  await person.call(documents.update, { params: { knowledge: base, document: closed }, body: { enabled: false } });
  const picture = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#c33' } })
    .png()
    .toBuffer();
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(picture)], { type: 'image/png' }), 'x.png');
  const avatar = JSON.parse(await (await person.fetch(files.uploadImage.path, { method: 'POST', body: form })).text())
    .data.uuid;
  const tools = [
    {
      name: 'order',
      description: '',
      method: 'GET' as const,
      url: 'https://example.com/{id}',
      headers: [{ name: 'X-Key', value: '{{secret.KEY}}' }],
      parameters: [{ name: 'id', in: 'path' as const, type: 'string' as const, description: '', required: true }],
      approved: true,
    },
  ];
  const bot = (
    await person.call(bots.create, {
      body: {
        name: '窓口 / "A"',
        description: 'For guests',
        avatar,
        greeting: 'ようこそ',
        fallback: builtInService,
        knowledges: [gone, base],
        tools,
      },
    })
  ).body.data;
  await person.call(bots.setSecret, {
    params: { uuid: bot.uuid },
    body: { name: 'KEY', value: 'canary-secret', origins: ['example.com'] },
  });
  await person.call(knowledge.remove, { params: { uuid: gone } });
  return { bot, base, tools };
}

/** Everything that an import could leave behind. */
async function everythingOf(person: Person) {
  const { db } = app.server.context;
  const count = async (table: 'bot' | 'knowledge' | 'document' | 'file' | 'bot_version') =>
    Number(
      (
        await db
          .selectFrom(table)
          .select((select) => select.fn.countAll().as('rows'))
          .executeTakeFirstOrThrow()
      ).rows,
    );
  return {
    rows: [await count('bot'), await count('knowledge'), await count('document'), await count('file')],
    listed: [(await person.call(bots.list)).body.data.length, (await person.call(knowledge.list)).body.data.length],
    kept: (await readdir(join(app.folder, 'files'), { recursive: true, withFileTypes: true })).filter((entry) =>
      entry.isFile(),
    ).length,
  };
}

test('a bot goes into a file and comes back in another workspace with its knowledge and its look', async () => {
  const sender = await app.aPerson();
  const { bot, base, tools } = await aWholeBot(sender);
  const { bytes, headers } = await exportOf(sender, bot.uuid);
  expect(headers.get('content-disposition')).toContain(encodeURIComponent('窓口 _ _A_.kotae-bot.zip'));
  expect(headers.get('content-type')).toBe('application/zip');

  const receiver = await app.aPerson();
  const { status, data } = await send(receiver, bytes);
  expect(status).toBe(201);
  expect(data).toMatchObject({
    name: bot.name,
    description: 'For guests',
    published: null,
    secrets: [],
    botgroup: null,
    draft: {
      greeting: 'ようこそ',
      service: builtInService,
      fallback: builtInService,
      tools: [{ ...tools[0], approved: false }],
    },
  });
  const picture = await receiver.fetch(data.avatar.url);
  expect((await sharp(Buffer.from(await picture.arrayBuffer())).metadata()).format).toBe('webp');

  const [imported = ''] = data.draft.knowledges;
  expect([data.draft.knowledges.length, imported === base]).toEqual([1, false]);
  await eventually(
    'the documents are read',
    async () => (await receiver.call(knowledge.get, { params: { uuid: imported } })).body.data.busyCount === 0,
  );
  expect((await receiver.call(knowledge.get, { params: { uuid: imported } })).body.data).toMatchObject({
    name: '営業案内',
    description: 'Hours',
    documentCount: 2,
    failedCount: 0,
  });
  const list = (await receiver.call(documents.list, { params: { knowledge: imported } })).body.data;
  expect(list.map(({ name, source, status, enabled }) => [name, source, status, enabled]).toSorted()).toEqual(
    [
      ['hours.txt', 'text', 'indexed', true],
      ['休業日.md', 'text', 'indexed', false],
    ].toSorted(),
  );
  const original = await receiver.fetch(
    `/api/user/knowledge/${imported}/document/${list.find(({ name }) => name === 'hours.txt')?.uuid}/file`,
  );
  expect(await original.text()).toBe(opening);
  expect(
    (await receiver.call(knowledge.search, { params: { uuid: imported }, body: { query: 'When does the shop open?' } }))
      .body.data[0]?.embedding.text,
  ).toContain('nine in the morning');
});

test('the file has no secret, and no id of this installation', async () => {
  const person = await app.aPerson();
  const { bot } = await aWholeBot(person);
  const entries = await unzip((await exportOf(person, bot.uuid)).bytes);
  expect([...entries.keys()]).toEqual([
    'bot.json',
    'avatar.webp',
    'knowledge/0/base.json',
    'knowledge/0/files/0.txt',
    'knowledge/0/files/1.md',
  ]);
  const texts = [...entries].filter(([name]) => name.endsWith('.json')).map(([, bytes]) => bytes.toString('utf8'));
  expect(texts.join()).not.toMatch(/canary-secret|[0-9a-f]{8}-[0-9a-f]{4}-/);
  expect(JSON.parse(texts[0] ?? '')).toMatchObject({
    format: 'kotae-bot',
    version: 1,
    config: { service: { provider: 'built-in' }, knowledges: [0] },
  });
});

test('a bot that names a model which is not here answers with the built-in one', async () => {
  const person = await app.aPerson();
  const file = {
    format: 'kotae-bot',
    version: 1,
    name: 'Small',
    description: '',
    avatar: false,
    config: {
      service: { provider: 'elsewhere', modelId: 'big-1', name: 'Big' },
      fallback: { provider: 'elsewhere', modelId: 'big-1', name: 'Big' },
      knowledges: [],
    },
  };
  const { status, data } = await send(person, await zipOf([['bot.json', JSON.stringify(file)]]));
  expect([status, data.name, data.draft.service, data.draft.fallback]).toEqual([201, 'Small', builtInService, null]);
});

describe('a file that is none', () => {
  let person: Person;
  let whole: Map<string, Buffer>;
  let bytes: Buffer;
  let before: string[];
  const onTheirWay = async () => (await readdir(tmpdir())).filter((name) => name.startsWith('kotae-import-'));
  beforeAll(async () => {
    before = await onTheirWay();
    person = await app.aPerson();
    const { bot } = await aWholeBot(person);
    ({ bytes } = await exportOf(person, bot.uuid));
    whole = await unzip(bytes);
    await eventually(
      'the documents are read',
      async () => (await person.call(documents.all, { query: { status: 'busy' } })).body.data.length === 0,
    );
  });

  const changed = (changes: Record<string, Buffer | string | undefined>) =>
    zipOf(
      [...new Map<string, Buffer | string | undefined>([...whole, ...Object.entries(changes)])].flatMap(
        ([name, content]): [string, Buffer | string][] => (content === undefined ? [] : [[name, content]]),
      ),
    );
  const readBot = (): { config: { tools: object[] } } => JSON.parse(String(whole.get('bot.json')));
  const readBase = (): { documents: object[] } => JSON.parse(String(whole.get('knowledge/0/base.json')));
  const botFile = (changes: object) => changed({ 'bot.json': JSON.stringify({ ...readBot(), ...changes }) });
  const config = (changes: object) => botFile({ config: { ...readBot().config, ...changes } });
  const base = (changes: object) => changed({ 'knowledge/0/base.json': JSON.stringify({ ...readBase(), ...changes }) });
  const document = (changes: object) => base({ documents: [{ ...readBase().documents[0], ...changes }] });
  /** The name as it is in the bytes; both places of it. */
  const renamed = (from: string, to: string) => Buffer.from(bytes.toString('latin1').replaceAll(from, to), 'latin1');
  const flipped = () => {
    const copy = Buffer.from(bytes);
    const at = copy.indexOf(opening);
    copy[at] = (copy[at] ?? 0) ^ 1;
    return copy;
  };
  const zeros = (mb: number) => Buffer.alloc(mb * 1024 * 1024);
  /** A directory that says an entry is smaller than what it unpacks to. */
  const lying = async () => {
    const zip = await changed({ 'knowledge/0/files/0.txt': 'x'.repeat(500_000) });
    const size = Buffer.alloc(4);
    size.writeUInt32LE(500_000);
    const small = Buffer.alloc(4);
    small.writeUInt32LE(50);
    return Buffer.from(zip.toString('latin1').replaceAll(size.toString('latin1'), small.toString('latin1')), 'latin1');
  };

  const cases: [string, string, () => Buffer | Promise<Buffer>][] = [
    ['nothing', 'import-unreadable', () => Buffer.alloc(0)],
    ['random bytes', 'import-unreadable', () => createHash('sha512').update('x').digest()],
    ['half of it', 'import-unreadable', () => bytes.subarray(0, bytes.length / 2)],
    ['all but its last bytes', 'import-unreadable', () => bytes.subarray(0, -30)],
    ['a bit that has changed', 'import-unreadable', flipped],
    ['a foreign zip', 'import-unreadable', () => zipOf([['word/document.xml', '<x/>']])],
    ['a bot.json that is no JSON', 'import-unreadable', () => changed({ 'bot.json': '{' })],
    [
      'a bot.json with __proto__',
      'import-unreadable',
      () => changed({ 'bot.json': '{"format":"kotae-bot","version":1,"__proto__":{}}' }),
    ],
    ['another format', 'import-unreadable', () => botFile({ format: 'other' })],
    ['a newer version', 'import-newer', () => botFile({ version: 2, config: 'whatever' })],
    ['a version that is none', 'import-unreadable', () => botFile({ version: '1' })],
    ['a name that is a number', 'import-unreadable', () => botFile({ name: 5 })],
    ['a name of 81 characters', 'import-unreadable', () => botFile({ name: 'x'.repeat(81) })],
    ['an unknown field', 'import-unreadable', () => config({ mood: 'good' })],
    ['instructions that are a list', 'import-unreadable', () => config({ instructions: [] })],
    [
      'a tool twice',
      'import-unreadable',
      () => config({ tools: [...readBot().config.tools, ...readBot().config.tools] }),
    ],
    ['a base that is not there', 'import-unreadable', () => config({ knowledges: [0, 1] })],
    ['a base outside of it', 'import-unreadable', () => config({ knowledges: ['../../etc'] })],
    ['no base.json', 'import-unreadable', () => changed({ 'knowledge/0/base.json': undefined })],
    ['a base without a name', 'import-unreadable', () => base({ name: '' })],
    ['documents that are no list', 'import-unreadable', () => base({ documents: {} })],
    ['a document that is not there', 'import-unreadable', () => document({ file: 'files/9.txt' })],
    ['a document outside of it', 'import-unreadable', () => document({ file: '../../bot.json' })],
    [
      'a document twice',
      'import-unreadable',
      () => base({ documents: [...readBase().documents, ...readBase().documents] }),
    ],
    ['a program for a document', 'import-unreadable', () => document({ name: 'run.exe' })],
    ['an empty document', 'import-unreadable', () => changed({ 'knowledge/0/files/0.txt': '' })],
    ['a document that is another kind than its name', 'import-unreadable', () => document({ name: 'hours.pdf' })],
    [
      'a document over the limit',
      'file-too-large',
      () => changed({ 'knowledge/0/files/0.txt': randomBytes(1_600_000).toString('base64') }),
    ],
    ['a picture that is none', 'image-invalid', () => changed({ 'avatar.webp': 'not a picture' })],
    ['no picture', 'import-unreadable', () => changed({ 'avatar.webp': undefined })],
    [
      'a name that leaves its folder',
      'file-unsafe',
      () => renamed('knowledge/0/files/0.txt', '../../../../../../x.txt'),
    ],
    ['an absolute name', 'file-unsafe', () => renamed('knowledge/0/files/0.txt', '/nowledge/0/files/0.txt')],
    ['a name twice', 'import-unreadable', () => zipOf([...whole, ['bot.json', '{}']])],
    ['a bomb', 'file-unsafe', () => changed({ 'bomb.bin': zeros(20) })],
    ['more than it says', 'import-unreadable', lying],
    [
      '2,001 entries',
      'file-unsafe',
      () =>
        zipOf([...whole, ...Array.from({ length: 2_001 - whole.size }, (_, at): [string, string] => [`x${at}`, ''])]),
    ],
    ['100,000 entries', 'file-unsafe', () => zipOfMany(100_000)],
  ];
  test.each(cases)('%s gets %s and leaves nothing', async (_, code, make) => {
    const before = await everythingOf(person);
    const { status, error } = await send(person, await make(), { 'accept-language': 'ja' });
    expect([error?.code, status]).toEqual([code, code === 'file-too-large' ? 413 : 422]);
    expect(error.message).toMatch(/[ぁ-ん].*。$/);
    expect(await everythingOf(person)).toEqual(before);
  });

  test('is not sent, or not in a form', async () => {
    const without = await person.fetch(bots.import.path, { method: 'POST' });
    const empty = await person.fetch(bots.import.path, { method: 'POST', body: new FormData() });
    const form = new FormData();
    form.append('bot', new Blob([new Uint8Array(bytes)]), 'bot.zip');
    const elsewhere = await person.fetch(bots.import.path, { method: 'POST', body: form });
    expect([without.status, empty.status, elsewhere.status]).toEqual([415, 400, 400]);
  });

  test('leaves nothing in the folder for what is on its way', async () => {
    await eventually('the folder is empty', async () => (await onTheirWay()).every((name) => before.includes(name)));
  });
});

test('what was made is taken back when something fails on the way', async () => {
  const sender = await app.aPerson();
  const { bot } = await aWholeBot(sender);
  const { bytes } = await exportOf(sender, bot.uuid);
  const person = await app.aPerson();
  const { storage } = app.server.context;
  const put = storage.put;
  let left = 2;
  storage.put = (key, stream) =>
    key.startsWith('document/') && --left === 0
      ? Promise.reject(Object.assign(new Error('disk is full'), { code: 'ENOSPC' }))
      : put(key, stream);
  const { status, error } = await send(person, bytes).finally(() => (storage.put = put));
  expect([status, error.code]).toEqual([507, 'storage-full']);
  expect([
    (await person.call(bots.list)).body.data,
    (await person.call(knowledge.list)).body.data,
    (await person.call(documents.all)).body.data,
  ]).toEqual([[], [], []]);
});

test('an original that is gone breaks the download off visibly, and the server goes on', async () => {
  const person = await app.aPerson();
  const { bot } = await aWholeBot(person);
  const { db, storage } = app.server.context;
  const { storage_key: key } = await db
    .selectFrom('file')
    .innerJoin('document', 'document.file', 'file.uuid')
    .select('storage_key')
    .where('file.user', '=', person.user.uuid)
    .executeTakeFirstOrThrow();
  await storage.remove(key);
  await expect(
    person.fetch(`/api/user/bot/${bot.uuid}/export`).then((response) => response.arrayBuffer()),
  ).rejects.toThrow();
  expect((await app.anyone.fetch('/readyz')).status).toBe(200);
});
