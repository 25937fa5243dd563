import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { keys } from '../../../shared/contracts/keys.ts';
import { documents, knowledge, usualSettings } from '../../../shared/contracts/knowledge.ts';
import { workspaces } from '../../../shared/contracts/workspaces.ts';
import { eventually, startTestApp, type Person, type TestApp } from '../../testing/app.ts';
import { unzip, zipOf, zipOfMany } from '../../testing/zip.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ MAX_UPLOAD_MB: '2' });
});
afterAll(() => app.stop());

const settings = {
  ...usualSettings,
  chunking: { size: 300, overlap: 0.1 },
  retrieval: { ...usualSettings.retrieval, passages: 3 },
};
const guide = `# Opening\n\nThe shop opens at nine in the morning.\n\n# Parking\n\nThere are six places behind the house.\n\n# Pets\n\nDogs are welcome on a lead.\n\n# Payment\n\nWe take cash and cards.`;
const page = Buffer.from('<html><title>About us</title><body><p>We have been here since 1931.</p></body></html>');

const aBase = async (person: Person, name = '営業案内') =>
  (await person.call(knowledge.create, { body: { name, description: 'Hours', settings } })).body.data.uuid;
const listOf = async (person: Person, base: string) =>
  (await person.call(documents.list, { params: { knowledge: base }, query: { sort: 'added' } })).body.data;
const chunksOf = async (person: Person, document: string) =>
  (await person.call(documents.embeddings, { params: { uuid: document } })).body.data;
const isRead = (person: Person, base: string) =>
  eventually('all documents are read', async () => {
    const list = await listOf(person, base);
    return list.every(({ status }) => status === 'indexed' || status === 'failed') && list;
  });

async function exportOf(person: Person, base: string): Promise<Buffer> {
  const response = await person.fetch(knowledge.export.path.replace(':uuid', base));
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/zip']);
  return Buffer.from(await response.arrayBuffer());
}

async function send(person: Person, bytes: Buffer, headers: Record<string, string> = {}) {
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(bytes)]), 'base.kotae-base.zip');
  const response = await person.fetch(knowledge.import.path, { method: 'POST', body: form, headers });
  const { data, meta, error } = JSON.parse(await response.text());
  return { status: response.status, data, meta, error };
}

/** A base with a document of each source, and every kind of change to the chunks of one. */
async function aWholeBase(person: Person) {
  const base = await aBase(person);
  const at = { params: { knowledge: base } };
  await person.call(documents.add, { ...at, body: { source: 'text', name: 'guide.md', text: guide } });
  await person.call(documents.add, {
    ...at,
    body: { source: 'qa', name: 'よくある質問', pairs: [{ question: 'Is there Wi-Fi?', answer: 'Yes, it is free.' }] },
  });
  const form = new FormData();
  form.append('file', new Blob([page]), 'menu/about.html');
  await person.fetch(documents.add.path.replace(':knowledge', base), { method: 'POST', body: form });
  const [text, , file] = await isRead(person, base);
  const [opening, parking, pets, payment] = await chunksOf(person, text?.uuid ?? '');
  const own = (embedding?: { uuid: string }) => ({
    params: { uuid: text?.uuid ?? '', embedding: embedding?.uuid ?? '' },
  });
  await person.call(documents.updateEmbedding, { ...own(opening), body: { text: 'The shop opens at ten.' } });
  await person.call(documents.updateEmbedding, {
    ...own(parking),
    body: { questions: ['Can I come by car?'], keywords: ['駐車場'] },
  });
  await person.call(documents.updateEmbedding, { ...own(pets), body: { enabled: false } });
  await person.call(documents.removeEmbedding, own(payment));
  await person.call(documents.addEmbedding, {
    params: { uuid: text?.uuid ?? '' },
    body: { text: 'Ask for Mari.', questions: ['Who helps me?'], after: parking?.uuid },
  });
  await person.call(documents.update, {
    params: { knowledge: base, document: file?.uuid ?? '' },
    body: { enabled: false, name: 'About the house' },
  });
  // As a page of a website is kept.
  await app.server.context.db
    .updateTable('document')
    .set({ source: 'url', url: 'https://shop.example/about', leave_out: JSON.stringify(['abcdefghijklmnop']) })
    .where('uuid', '=', file?.uuid ?? '')
    .execute();
  return base;
}

const shown = async (person: Person, base: string) => {
  const all = await isRead(person, base);
  return Promise.all(
    all.map(async ({ uuid, name, source, url, enabled, mime, bytes, status }) => ({
      name,
      source,
      url,
      enabled,
      mime,
      bytes,
      status,
      chunks: (await chunksOf(person, uuid)).map((chunk) => ({
        text: chunk.text,
        original: chunk.original,
        byHand: chunk.byHand,
        enabled: chunk.enabled,
        questions: chunk.questions,
        keywords: chunk.keywords,
        headings: chunk.headings,
      })),
      original: Buffer.from(
        await (await person.fetch(`/api/user/knowledge/${base}/document/${uuid}/file`)).arrayBuffer(),
      ).toString('base64'),
    })),
  );
};

test(
  'a base goes into a file and comes back in another workspace with all that people made of it',
  { timeout: 240_000 },
  async () => {
    const sender = await app.aPerson();
    const base = await aWholeBase(sender);
    const before = await shown(sender, base);
    expect(before[0]?.chunks.map(({ text, enabled }) => [text, enabled])).toEqual([
      ['The shop opens at ten.', true],
      ['There are six places behind the house.', true],
      ['Ask for Mari.', true],
      ['Dogs are welcome on a lead.', false],
    ]);

    const receiver = await app.aPerson();
    const { status, data, meta } = await send(receiver, await exportOf(sender, base));
    expect([status, meta]).toEqual([201, { left: [] }]);
    expect(data).toMatchObject({ name: '営業案内', description: 'Hours', settings, documentCount: 3, bots: [] });
    expect(data.uuid).not.toBe(base);
    expect(await shown(receiver, data.uuid)).toEqual(before);
    expect((await receiver.call(knowledge.get, { params: { uuid: data.uuid } })).body.data).toMatchObject({
      failedCount: 0,
      chunkCount: (await sender.call(knowledge.get, { params: { uuid: base } })).body.data.chunkCount,
    });
    const { db } = app.server.context;
    const stored = await db
      .selectFrom('document')
      .select(['leave_out', 'name'])
      .where('knowledge', '=', data.uuid)
      .where('source', '=', 'url')
      .executeTakeFirstOrThrow();
    expect(stored).toEqual({ leave_out: '["abcdefghijklmnop"]', name: 'About the house' });

    const find = async (query: string) =>
      (await receiver.call(knowledge.search, { params: { uuid: data.uuid }, body: { query } })).body.data.map(
        ({ embedding }) => embedding.text,
      );
    expect((await find('Can I come by car?'))[0]).toContain('six places');
    expect((await find('Who helps me?'))[0]).toBe('Ask for Mari.');
    expect((await find('opens'))[0]).toBe('The shop opens at ten.');
    expect(await find('dogs welcome lead')).not.toContain('Dogs are welcome on a lead.');
    expect(await find('cash and cards')).not.toContain('We take cash and cards.');

    // Once more from there, and its changes are still changes.
    const again = await send(sender, await exportOf(receiver, data.uuid));
    expect(await shown(sender, again.data.uuid)).toEqual(before);
  },
);

test('the file has no id of this installation', async () => {
  const person = await app.aPerson();
  const entries = await unzip(await exportOf(person, await aWholeBase(person)));
  expect([...entries.keys()]).toEqual([
    'documents/0.md',
    'changes/0.jsonl',
    'documents/1.csv',
    'documents/2.html',
    'base.json',
  ]);
  expect([...entries.values()].join()).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-/);
  expect(JSON.parse(String(entries.get('base.json')))).toMatchObject({ format: 'kotae-base', version: 1, left: [] });
  expect(entries.get('documents/2.html')).toEqual(page);
});

test('an empty base goes as well', async () => {
  const person = await app.aPerson();
  const { status, data } = await send(person, await exportOf(person, await aBase(person, 'Empty')));
  expect([status, data.name, data.documentCount]).toEqual([201, 'Empty', 0]);
});

test('what was never stored, or is gone, is left out and named', async () => {
  const person = await app.aPerson();
  const base = await aWholeBase(person);
  const { db, storage } = app.server.context;
  const [first, second] = await db
    .selectFrom('document')
    .innerJoin('file', 'file.uuid', 'document.file')
    .select(['document.uuid', 'document.name', 'file.storage_key'])
    .where('document.knowledge', '=', base)
    .orderBy('document.created_at')
    .execute();
  await db
    .updateTable('document')
    .set({ file: null })
    .where('uuid', '=', first?.uuid ?? '')
    .execute();
  await storage.remove(second?.storage_key ?? '');
  const { status, data, meta } = await send(person, await exportOf(person, base));
  expect([status, data.documentCount]).toEqual([201, 1]);
  expect(meta.left).toEqual([
    { name: first?.name, reason: 'missing' },
    { name: second?.name, reason: 'missing' },
  ]);
});

test('another base is none to export, and a reader exports but does not import', async () => {
  const owner = await app.aPerson();
  const base = await aWholeBase(owner);
  const path = knowledge.export.path.replace(':uuid', base);
  const stranger = await app.aPerson();
  const foreign = await stranger.fetch(path);
  const none = await stranger.fetch(path.replace(/[^/]+(?=\/export)/, '00000000-0000-4000-8000-000000000000'));
  expect([foreign.status, none.status]).toEqual([404, 404]);
  expect(JSON.parse(await foreign.text()).error.code).toBe('knowledge-not-found');

  const team = (await owner.call(workspaces.create, { body: { name: 'Team' } })).body.data.uuid;
  const inTeam = { 'x-workspace': team };
  const made = await send(owner, await exportOf(owner, base), inTeam);
  expect(made.status).toBe(201);
  const { url } = (await owner.call(workspaces.invite, { headers: inTeam, body: { role: 'viewer' } })).body.data;
  const reader = await app.aPerson();
  await reader.call(workspaces.acceptInvitation, { body: { code: new URL(url).searchParams.get('code') ?? '' } });
  const exported = await reader.fetch(knowledge.export.path.replace(':uuid', made.data.uuid), { headers: inTeam });
  expect(exported.status).toBe(200);
  const bytes = Buffer.from(await exported.arrayBuffer());
  expect((await send(reader, bytes, inTeam)).status).toBe(403);

  const keyOf = async (scope: 'read' | 'edit') =>
    (await owner.call(keys.create, { headers: inTeam, body: { name: scope, scopes: [scope] } })).body.data.key;
  const withKey = async (scope: 'read' | 'edit') => {
    const form = new FormData();
    form.append('file', new Blob([new Uint8Array(bytes)]), 'base.zip');
    const headers = { authorization: `Bearer ${await keyOf(scope)}` };
    return (await app.anyone.fetch(knowledge.import.path, { method: 'POST', body: form, headers })).status;
  };
  expect([await withKey('read'), await withKey('edit')]).toEqual([403, 201]);
});

/** Everything that an import could leave behind. */
async function everything() {
  const { db } = app.server.context;
  const count = async (table: 'knowledge' | 'document' | 'chunk' | 'file') =>
    (await db.selectFrom(table).select('uuid').execute()).length;
  return {
    rows: [await count('knowledge'), await count('document'), await count('chunk'), await count('file')],
    kept: (await readdir(join(app.folder, 'files'), { recursive: true, withFileTypes: true })).filter((entry) =>
      entry.isFile(),
    ).length,
    onTheWay: (await readdir(tmpdir())).filter((name) => name.startsWith('kotae-import-')).length,
  };
}

describe('a file that is none', () => {
  let person: Person;
  let whole: Map<string, Buffer>;
  let bytes: Buffer;
  beforeAll(async () => {
    person = await app.aPerson();
    const base = await aWholeBase(person);
    bytes = await exportOf(person, base);
    whole = await unzip(bytes);
    await eventually('old chunks are cleared', async () => {
      const jobs = await app.server.context.db.selectFrom('job').select(['kind', 'state']).execute();
      return jobs.every(({ kind, state }) => kind === 'knowledge.sweep-copy' || state === 'done');
    });
  });

  const changed = (changes: Record<string, Buffer | string | undefined>) =>
    zipOf(
      [...new Map<string, Buffer | string | undefined>([...whole, ...Object.entries(changes)])].flatMap(
        ([name, content]): [string, Buffer | string][] => (content === undefined ? [] : [[name, content]]),
      ),
    );
  const readBase = (): { documents: object[] } => JSON.parse(String(whole.get('base.json')));
  const base = (changes: object) => changed({ 'base.json': JSON.stringify({ ...readBase(), ...changes }) });
  const document = (changes: object) =>
    base({ documents: [{ ...readBase().documents[0], ...changes }, ...readBase().documents.slice(1)] });
  const chunk = (changes: object) => {
    const [first] = String(whole.get('changes/0.jsonl')).split('\n');
    return changed({ 'changes/0.jsonl': JSON.stringify({ ...JSON.parse(first ?? ''), ...changes }) });
  };
  const renamed = (from: string, to: string) => Buffer.from(bytes.toString('latin1').replaceAll(from, to), 'latin1');
  const flipped = () => {
    const copy = Buffer.from(bytes);
    const at = copy.indexOf('since 1931');
    copy[at] = (copy[at] ?? 0) ^ 1;
    return copy;
  };

  const cases: [string, string, () => Buffer | Promise<Buffer>][] = [
    ['nothing', 'import-unreadable', () => Buffer.alloc(0)],
    ['half of it', 'import-unreadable', () => bytes.subarray(0, bytes.length / 2)],
    ['a bit of its last original that has changed', 'import-unreadable', flipped],
    ['a foreign zip', 'import-unreadable', () => zipOf([['word/document.xml', '<x/>']])],
    ['a bot', 'import-unreadable', () => zipOf([['bot.json', '{"format":"kotae-bot","version":1}']])],
    ['a base.json that is no JSON', 'import-unreadable', () => changed({ 'base.json': '{' })],
    ['a base.json that is nested deeply', 'import-unreadable', () => changed({ 'base.json': '['.repeat(100_000) })],
    [
      'a base.json of very many values',
      'import-unreadable',
      () => changed({ 'base.json': `[${'0,'.repeat(300_000)}0]` }),
    ],
    [
      'a base.json with __proto__',
      'import-unreadable',
      () => changed({ 'base.json': '{"format":"kotae-base","version":1,"__proto__":{}}' }),
    ],
    ['another format', 'import-unreadable', () => base({ format: 'kotae-bot' })],
    ['a newer version', 'import-newer', () => base({ version: 2, documents: 'whatever' })],
    ['a version that is none', 'import-unreadable', () => base({ version: '1' })],
    ['a base without a name', 'import-unreadable', () => base({ name: ' ' })],
    ['a name of 81 characters', 'import-unreadable', () => base({ name: 'x'.repeat(81) })],
    ['a name with half of a character', 'import-unreadable', () => base({ name: 'x\ud800' })],
    ['settings out of bounds', 'import-unreadable', () => base({ settings: { ...settings, chunking: { size: 1 } } })],
    ['documents that are no list', 'import-unreadable', () => base({ documents: {} })],
    ['a document that is not there', 'import-unreadable', () => document({ file: 'documents/9.txt' })],
    ['a document outside of it', 'import-unreadable', () => document({ file: '../../etc/passwd' })],
    [
      'a document twice',
      'import-unreadable',
      () => base({ documents: [...readBase().documents, ...readBase().documents] }),
    ],
    ['a document without a name', 'import-unreadable', () => document({ name: '' })],
    ['an address that is a script', 'import-unreadable', () => document({ url: 'javascript:alert(1)' })],
    ['an unknown source', 'import-unreadable', () => document({ source: 'mail' })],
    ['changes that are not there', 'import-unreadable', () => document({ changes: 'changes/7.jsonl' })],
    ['changes that are no JSON', 'import-unreadable', () => changed({ 'changes/0.jsonl': 'x' })],
    ['a change that is a list', 'import-unreadable', () => changed({ 'changes/0.jsonl': '[]' })],
    ['a change to an id', 'import-unreadable', () => chunk({ uuid: '00000000-0000-4000-8000-000000000000' })],
    ['a change of too many characters', 'import-unreadable', () => chunk({ text: 'x'.repeat(6001) })],
    ['a change with a NUL', 'import-unreadable', () => chunk({ text: 'x\0' })],
    ['a change of too many questions', 'import-unreadable', () => chunk({ questions: Array(21).fill('Why?') })],
    ['a place that is none', 'import-unreadable', () => chunk({ start: 1e300 })],
    [
      '10,001 changes',
      'import-unreadable',
      () => {
        const line = JSON.parse(String(whole.get('changes/0.jsonl')).split('\n')[0] ?? '');
        const lines = Array.from({ length: 10_001 }, (_, at) => JSON.stringify({ ...line, text: `${at * at}` }));
        return changed({ 'changes/0.jsonl': lines.join('\n') });
      },
    ],
    ['an empty original', 'import-unreadable', () => changed({ 'documents/0.md': '' })],
    ['a program', 'import-unreadable', async () => renamed('documents/0.md', 'documents/0.sh')],
    [
      'an original over the limit',
      'file-too-large',
      () => changed({ 'documents/0.md': randomBytes(1_600_000).toString('base64') }),
    ],
    ['a name that leaves its folder', 'file-unsafe', () => renamed('documents/0.md', '../../../../xx')],
    ['a name twice', 'import-unreadable', () => zipOf([...whole, ['base.json', '{}']])],
    ['a bomb', 'file-unsafe', () => changed({ 'bomb.bin': Buffer.alloc(20 * 1024 * 1024) })],
    ['6,001 entries', 'file-unsafe', () => zipOfMany(6_001)],
  ];
  test.each(cases)('%s gets %s and leaves nothing', async (_, code, make) => {
    const before = await everything();
    const { status, error } = await send(person, await make(), { 'accept-language': 'ja' });
    expect([error?.code, status]).toEqual([code, code === 'file-too-large' ? 413 : 422]);
    expect(error.message).toMatch(/[ぁ-ん].*。$/);
    expect(await everything()).toEqual(before);
  });

  test('is not sent, or not in a form', async () => {
    const post = async (body?: FormData) =>
      (await person.fetch(knowledge.import.path, { method: 'POST', ...(body && { body }) })).status;
    const form = new FormData();
    form.append('base', new Blob([new Uint8Array(bytes)]), 'base.zip');
    expect([await post(), await post(new FormData()), await post(form)]).toEqual([415, 400, 400]);
  });

  test('names that look like paths are names, and the same bytes are kept once', async () => {
    const { status, data, meta } = await send(
      person,
      await changed({
        'documents/9.md': whole.get('documents/0.md'),
        'base.json': JSON.stringify({
          ...readBase(),
          documents: [
            { ...readBase().documents[0], name: '../../../evil\u202egpj.md' },
            { ...readBase().documents[1], name: 'guide.md' },
            { ...readBase().documents[0], file: 'documents/9.md', name: 'guide.md', changes: null },
          ],
        }),
      }),
    );
    expect([status, meta.left]).toEqual([201, [{ name: 'guide.md', reason: 'same' }]]);
    const list = await isRead(person, data.uuid);
    expect(list.map(({ name }) => name)).toEqual(['evilgpj.md', 'guide.md']);
  });

  test('changes to what the original does not say are put in where people wrote them, and change nothing else', async () => {
    const line = { original: null, questions: [], keywords: [], enabled: true, deleted: false, byHand: false };
    const { data } = await send(
      person,
      await changed({
        'changes/0.jsonl': [
          { ...line, text: 'Nobody wrote this.', deleted: true, start: 0, end: 9 },
          { ...line, text: 'Nor this.', enabled: false, start: 0, end: 9 },
          { ...line, text: 'Somebody wrote this.', original: 'Instead of this.', start: 2_000_000_000, end: 5 },
        ]
          .map((each) => JSON.stringify(each))
          .join('\n'),
      }),
    );
    const [first] = await isRead(person, data.uuid);
    expect((await chunksOf(person, first?.uuid ?? '')).map(({ text, byHand }) => [text, byHand])).toEqual([
      ['The shop opens at nine in the morning.', false],
      ['There are six places behind the house.', false],
      ['Dogs are welcome on a lead.', false],
      ['We take cash and cards.', false],
      ['Somebody wrote this.', true],
    ]);
  });
});

test('a workspace without room takes nothing of it', async () => {
  const person = await app.aPerson();
  const base = await aWholeBase(person);
  const zip = await exportOf(person, base);
  const { config } = app.server.context;
  const before = await everything();
  const limit = config.WORKSPACE_STORAGE_MB;
  // A border: a limit is whole megabytes, and this base is smaller.
  Object.assign(config, { WORKSPACE_STORAGE_MB: 0.0001 });
  const { status, error } = await send(person, zip).finally(() =>
    Object.assign(config, { WORKSPACE_STORAGE_MB: limit }),
  );
  expect([status, error.code]).toEqual([422, 'workspace-full']);
  expect(await everything()).toEqual(before);
});

test('a disk that fills up on the way takes nothing of it', async () => {
  const person = await app.aPerson();
  const zip = await exportOf(person, await aWholeBase(person));
  const before = await everything();
  const { storage } = app.server.context;
  const put = storage.put;
  let left = 2;
  storage.put = (key, stream) =>
    --left === 0 ? Promise.reject(Object.assign(new Error('disk is full'), { code: 'ENOSPC' })) : put(key, stream);
  const { status } = await send(person, zip).finally(() => (storage.put = put));
  expect(status).toBe(507);
  expect(await everything()).toEqual(before);
});
