import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accounts } from '../../../shared/contracts/accounts.ts';
import { documents, knowledge } from '../../../shared/contracts/knowledge.ts';
import { trash } from '../../../shared/contracts/trash.ts';
import { workspaces } from '../../../shared/contracts/workspaces.ts';
import { during, eventually, startTestApp, type Person, type TestApp } from '../../testing/app.ts';
import { newId, openDatabase } from '../../infra/db.ts';
import { migrate } from '../../infra/migrate.ts';
import { migrations } from '../../migrations/migrations.ts';
import { createDatabase } from '../../testing/database.ts';
import { sumBytes } from '../files/files.store.ts';
import { exportDocuments, newDocument } from './documents.ts';
import { replacementOf, updateDocument } from './knowledge.store.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

const dayMs = 86_400_000;
const nowhere = '00000000-0000-7000-8000-000000000000';
const zebra = (price: string) => `A zebra costs ${price} coins.`;

async function aBase(person: Person, headers: Record<string, string> = {}) {
  const base = (await person.call(knowledge.create, { headers, body: { name: 'Manual' } })).body.data.uuid;
  const path = documents.list.path.replace(':knowledge', base);
  const send = (method: string, address: string, name: string, text: string) => {
    const body = new FormData();
    body.append('file', new Blob([text]), name);
    return person.fetch(address, { method, body, headers });
  };
  const at = (document: string) => ({ params: { knowledge: base, document }, headers });
  const read = (document: string) =>
    eventually('the document is read', async () => {
      const { data } = (await person.call(documents.get, at(document))).body;
      return !['queued', 'parsing', 'chunking', 'embedding'].includes(data.status) && data;
    });
  const replace = (document: string, name: string, text: string) => send('PUT', `${path}/${document}/file`, name, text);
  return {
    base,
    at,
    read,
    replace,
    add: async (name: string, text: string): Promise<string> => {
      const response = await send('POST', path, name, text);
      const [{ uuid }] = ((await response.json()) as { data: [{ uuid: string }] }).data;
      await read(uuid);
      return uuid;
    },
    become: async (document: string, name: string, text: string) => {
      expect((await replace(document, name, text)).status).toBe(202);
      return read(document);
    },
    versions: async (document: string, query: { q?: string; limit?: number; cursor?: string } = {}) =>
      (await person.call(documents.versions, { ...at(document), query })).body,
    restore: (document: string, version: string) =>
      person.call(documents.restoreVersion, { headers, params: { knowledge: base, document, version } }),
    fileOf: (document: string, version: string) =>
      person.fetch(`${path}/${document}/versions/${version}/file`, { headers }),
    original: async (document: string) => (await person.fetch(`${path}/${document}/file`, { headers })).text(),
    told: async () =>
      (
        await person.call(knowledge.search, { headers, params: { uuid: base }, body: { query: 'zebra costs' } })
      ).body.data.map(({ embedding }) => embedding.text),
  };
}

const filesOf = (person: Person) =>
  app.server.context.db
    .selectFrom('file')
    .select(['uuid', 'bytes'])
    .where('workspace', '=', person.user.workspaces[0]?.uuid ?? '')
    .where('kind', '=', 'document')
    .execute();
const roomOf = (person: Person) => sumBytes(app.server.context.db, person.user.workspaces[0]?.uuid ?? '');

async function blobs(): Promise<string[]> {
  const entries = await readdir(join(app.folder, 'files', 'blobs'), { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

async function age(document: string, ms: number): Promise<void> {
  const at = { created_at: Date.now() - ms };
  await app.server.context.db.updateTable('document_version').set(at).where('document', '=', document).execute();
}

async function emptyTrash(): Promise<void> {
  const { db } = app.server.context;
  const dueAt = async () =>
    (await db.selectFrom('recurring').select('due_at').where('name', '=', 'trash.empty').executeTakeFirst())?.due_at;
  await eventually('it is known', dueAt);
  await db.updateTable('recurring').set({ due_at: 0 }).where('name', '=', 'trash.empty').execute();
  await eventually('it was begun', async () => (await dueAt()) !== 0);
}

test('each file whose place another takes stays for 30 days, and any of them comes back', async () => {
  const person = await app.aPerson();
  const { add, become, versions, fileOf, restore, read, original, told, at } = await aBase(person);
  const document = await add('one.txt', zebra('ninety'));
  expect(await versions(document)).toEqual({ data: [], meta: { nextCursor: null } });
  const prices = `# Prices\n\n${zebra('a hundred')}`;
  await become(document, 'two.md', prices);
  await become(document, 'three 三.txt', zebra('seventy'));

  const { data } = await versions(document);
  const [second, first] = data;
  const by = { uuid: person.user.uuid, name: person.user.username };
  expect(data).toMatchObject([
    { name: 'two.md', mime: 'text/markdown', bytes: prices.length, by },
    { name: 'one.txt', mime: 'text/plain', bytes: zebra('ninety').length, by },
  ]);
  for (const { replacedAt, keptUntil } of data) expect(Date.parse(keptUntil) - Date.parse(replacedAt)).toBe(30 * dayMs);
  if (!first || !second) throw new Error('a version is missing');
  const file = await fileOf(document, first.uuid);
  expect(await file.text()).toBe(zebra('ninety'));
  const whole = await person.fetch(
    documents.file.path.replace(':knowledge', at(document).params.knowledge).replace(':document', document),
  );
  for (const header of ['content-security-policy', 'cache-control', 'content-type', 'x-content-type-options'])
    expect([header, file.headers.get(header)]).toEqual([header, whole.headers.get(header)]);
  expect(file.headers.get('content-disposition')).toBe("attachment; filename*=UTF-8''one.txt");
  expect(await (await fileOf(document, second.uuid)).text()).toBe(prices);
  const room = await roomOf(person);
  expect(room).toBe(prices.length + zebra('ninety').length + zebra('seventy').length);

  const reply = await restore(document, first.uuid);
  expect([reply.status, reply.body.data]).toMatchObject([
    202,
    { uuid: document, duplicate: false, fileName: 'one.txt', status: 'queued' },
  ]);
  expect(await read(document)).toMatchObject({ name: 'one.txt', status: 'indexed', error: null });
  expect(await told()).toEqual([zebra('ninety')]);
  expect(await original(document)).toBe(zebra('ninety'));
  expect((await versions(document)).data.map(({ name }) => name)).toEqual(['three 三.txt', 'two.md']);
  expect(await roomOf(person)).toBe(room);
  expect((await restore(document, first.uuid)).error.code).toBe('version-not-found');
});

test('versions come page by page, by their names too', async () => {
  const { add, become, versions } = await aBase(await app.aPerson());
  const document = await add('a.txt', zebra('1'));
  for (const name of ['b.txt', 'c.txt', 'd.txt']) await become(document, name, zebra(name));
  const seen: string[] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const { data, meta } = await versions(document, { limit: 1, ...(cursor && { cursor }) });
    seen.push(...data.map(({ name }) => name));
    cursor = meta.nextCursor;
  }
  expect(seen).toEqual(['c.txt', 'b.txt', 'a.txt']);
  expect((await versions(document, { q: 'B.T' })).data.map(({ name }) => name)).toEqual(['b.txt']);
});

test('what people wrote stays when a version comes back, and the old passages answer until it is read', async () => {
  const person = await app.aPerson();
  const { add, become, versions, restore, read, told } = await aBase(person);
  const long = Array.from({ length: 2000 }, (_, at) => `Paragraph ${at} about giraffes of number ${at}.`).join('\n\n');
  const document = await add('a.txt', `${zebra('ninety')}\n\n${long}`);
  await become(document, 'a.txt', zebra('a hundred'));
  await person.call(documents.addEmbedding, { params: { uuid: document }, body: { text: 'Ask Kai about a zebra.' } });
  const [version] = (await versions(document)).data;
  await restore(document, version?.uuid ?? '');
  const heard: string[] = [];
  await eventually('the version answers', async () => {
    heard.push((await told()).flatMap((text) => /zebra costs (ninety|a hundred)/.exec(text)?.[1] ?? []).join());
    return heard.at(-1) === 'ninety';
  });
  expect(heard.slice(0, -1).every((each) => each === 'a hundred')).toBe(true);
  await read(document);
  expect(await told()).toContain('Ask Kai about a zebra.');
});

test('while a document is being read no version comes back', async () => {
  const { add, become, versions, restore, original } = await aBase(await app.aPerson());
  const document = await add('a.txt', zebra('ninety'));
  await become(document, 'a.txt', zebra('a hundred'));
  const [version] = (await versions(document)).data;
  const [reply] = await during(app, (trx) => updateDocument(trx, document, { status: 'queued' }), [
    () => restore(document, version?.uuid ?? ''),
  ]);
  expect([reply?.status, reply?.error.code]).toEqual([409, 'document-busy']);
  expect(await original(document)).toBe(zebra('a hundred'));
  expect((await versions(document)).data).toHaveLength(1);
});

test('a file that cannot be read, or that is canceled, makes no version', async () => {
  const person = await app.aPerson();
  const { add, become, replace, versions, at } = await aBase(person);
  const document = await add('a.txt', zebra('ninety'));
  expect((await become(document, 'a.pdf', '%PDF-1.7\nnothing more')).error?.code).toBe('file-damaged');
  await replace(document, 'a.txt', '<div>'.repeat(200_000));
  await person.call(documents.cancel, at(document));
  expect((await versions(document)).data).toEqual([]);
  await eventually('only its own is left', async () => (await filesOf(person)).length === 1);
});

test('a version that cannot be read, or is canceled, stays a version', async () => {
  const person = await app.aPerson();
  const { add, become, versions, restore, read, at, original, fileOf } = await aBase(person);
  const document = await add('broken.pdf', '%PDF-1.7\nnothing more');
  await become(document, 'long.txt', '<div>'.repeat(200_000));
  await become(document, 'a.txt', zebra('ninety'));
  const [long, broken] = (await versions(document)).data;
  if (!long || !broken) throw new Error('a version is missing');
  await restore(document, broken.uuid);
  expect(await read(document)).toMatchObject({ status: 'indexed', name: 'a.txt', error: { code: 'file-damaged' } });
  for (let round = 0; round < 3; round++) {
    expect((await restore(document, long.uuid)).status).toBe(202);
    await person.call(documents.cancel, at(document));
  }
  expect(await read(document)).toMatchObject({ status: 'indexed', name: 'a.txt' });
  await eventually('what was to be cleared is', async () => {
    const jobs = app.server.context.db.selectFrom('job').select('uuid').where('state', 'in', ['queued', 'running']);
    return (await jobs.where('kind', 'like', 'knowledge.%').execute()).length === 0;
  });
  expect(await original(document)).toBe(zebra('ninety'));
  expect((await versions(document)).data).toEqual([long, broken]);
  expect(await (await fileOf(document, long.uuid)).text()).toHaveLength(1_000_000);
  expect((await fileOf(document, broken.uuid)).status).toBe(200);
});

test('a killed server goes on with a version that was coming back', async () => {
  const person = await app.aPerson();
  const { add, become, versions, restore, read, original } = await aBase(person);
  const document = await add('a.txt', zebra('ninety'));
  await become(document, 'a.txt', zebra('a hundred'));
  const [version] = (await versions(document)).data;
  await restore(document, version?.uuid ?? '');
  await app.restart();
  expect(await read(document)).toMatchObject({ status: 'indexed', error: null });
  expect(await original(document)).toBe(zebra('ninety'));
  expect((await versions(document)).data).toHaveLength(1);
});

test('what the base has already is told, and no version comes back for it', async () => {
  const { add, become, versions, restore, read } = await aBase(await app.aPerson());
  const document = await add('a.txt', zebra('ninety'));
  await become(document, 'b.txt', zebra('a hundred'));
  const [version] = (await versions(document)).data;
  const other = await add('other.txt', zebra('ninety'));
  const reply = await restore(document, version?.uuid ?? '');
  expect(reply.body.data).toMatchObject({ uuid: other, duplicate: true, fileName: 'a.txt' });
  expect(await read(document)).toMatchObject({ name: 'b.txt', error: null });
  expect((await versions(document)).data).toHaveLength(1);
});

test('of a document twenty versions are kept, and the oldest goes with its file', async () => {
  const person = await app.aPerson();
  const { add, become, versions, restore, read } = await aBase(person);
  const document = await add('a.txt', zebra('0'));
  for (let at = 1; at <= 21; at++) await become(document, 'a.txt', zebra(`${at} and more`.repeat(at)));
  const { data } = await versions(document);
  expect(data).toHaveLength(20);
  expect(data.map(({ bytes }) => bytes)).not.toContain(zebra('0').length);
  await eventually('its file is gone', async () => (await filesOf(person)).length === 21);
  await restore(document, data.at(-1)?.uuid ?? '');
  await read(document);
  expect((await versions(document)).data).toHaveLength(20);
  await eventually('nothing more is gone', async () => (await filesOf(person)).length === 21);
});

test('after 30 days a version is gone with its file, and one that is coming back is not', async () => {
  const person = await app.aPerson();
  const { add, become, versions, restore, fileOf, original } = await aBase(person);
  const document = await add('a.txt', zebra('ninety'));
  await become(document, 'a.txt', zebra('a hundred'));
  const [version] = (await versions(document)).data;
  const own = await app.server.context.db
    .selectFrom('document_version')
    .select('file')
    .where('document', '=', document)
    .executeTakeFirstOrThrow();
  await age(document, 29 * dayMs);
  await emptyTrash();
  expect((await versions(document)).data).toHaveLength(1);

  await age(document, 30 * dayMs + 1);
  expect((await versions(document)).data).toEqual([]);
  expect((await restore(document, version?.uuid ?? '')).error.code).toBe('version-not-found');
  expect((await fileOf(document, version?.uuid ?? '')).status).toBe(404);
  await age(document, 31 * dayMs);
  await updateDocument(app.server.context.db, document, { replacement: '{}' });
  await emptyTrash();
  await emptyTrash();
  expect(await filesOf(person)).toHaveLength(2);
  await updateDocument(app.server.context.db, document, { replacement: null });
  await emptyTrash();
  await eventually('its file is gone', async () => (await filesOf(person)).length === 1);
  expect(await blobs()).not.toContain(own.file);
  expect(await original(document)).toBe(zebra('a hundred'));
});

test('a document, a base and an account take their versions along when they are erased', async () => {
  const person = await app.aPerson();
  const { db } = app.server.context;
  const one = await aBase(person);
  const made: string[] = [];
  for (const name of ['a.txt', 'b.txt']) {
    const document = await one.add(name, zebra(`${name} one`));
    await one.become(document, name, zebra(`${name} two`));
    made.push(document);
  }
  const all = (await filesOf(person)).map(({ uuid }) => uuid);
  expect(all).toHaveLength(4);
  const [first = ''] = made;
  const [version] = (await one.versions(first)).data;
  await one.restore(first, version?.uuid ?? '');
  await person.call(documents.remove, one.at(first));
  expect((await one.fileOf(first, version?.uuid ?? '')).status).toBe(404);
  await person.call(trash.eraseDocument, { params: { uuid: first } });
  await eventually('the files of one are gone', async () => (await filesOf(person)).length === 2);
  await person.call(knowledge.remove, { params: { uuid: one.base } });
  await person.call(trash.eraseKnowledge, { params: { uuid: one.base } });
  await eventually('the files of the base are gone', async () => (await filesOf(person)).length === 0);

  const other = await aBase(person);
  const document = await other.add('c.txt', zebra('ninety'));
  await other.become(document, 'c.txt', zebra('a hundred'));
  all.push(...(await filesOf(person)).map(({ uuid }) => uuid));
  expect((await person.call(accounts.remove, { body: { password: 'correct horse battery' } })).status).toBe(200);
  expect(
    await db
      .selectFrom('document_version')
      .select('uuid')
      .where('document', 'in', [...made, document])
      .execute(),
  ).toEqual([]);
  await eventually('no bytes are left', async () => {
    const left = new Set(await blobs());
    return all.every((uuid) => !left.has(uuid));
  });
});

test('what is exported of a workspace has versions beside the originals', async () => {
  const person = await app.aPerson();
  const { add, become } = await aBase(person);
  const document = await add('a.txt', zebra('ninety'));
  await become(document, 'b.txt', zebra('a hundred'));
  const found: [string, string][] = [];
  for await (const { name, content } of exportDocuments(app.server.context, person.user.workspaces[0]?.uuid ?? '')) {
    const bytes = typeof content === 'function' ? Buffer.concat(await (await content()).toArray()) : content;
    found.push([name.replace(/[0-9a-f]{6}/g, '#'), bytes.toString()]);
  }
  expect(found).toEqual([
    ['knowledge/Manual-#/#-b.txt', zebra('a hundred')],
    ['knowledge/Manual-#/#-version-#-a.txt', zebra('ninety')],
  ]);
});

test('a viewer sees versions and takes none back, and whoever replaced one and is gone has no name', async () => {
  const [owner, editor, viewer] = [await app.aPerson(), await app.aPerson(), await app.aPerson()];
  const workspace = owner.user.workspaces[0]?.uuid ?? '';
  const headers = { 'x-workspace': workspace };
  for (const [person, role] of [
    [editor, 'editor'],
    [viewer, 'viewer'],
  ] as const) {
    const { url } = (await owner.call(workspaces.invite, { body: { role } })).body.data;
    await person.call(workspaces.acceptInvitation, { body: { code: new URL(url).searchParams.get('code') ?? '' } });
  }
  const { base, add, become, at } = await aBase(editor, headers);
  const document = await add('a.txt', zebra('ninety'));
  await become(document, 'a.txt', zebra('a hundred'));
  const list = async () => (await viewer.call(documents.versions, { ...at(document), query: {} })).body.data;
  const [version] = await list();
  expect(version?.by).toEqual({ uuid: editor.user.uuid, name: editor.user.username });
  const params = { knowledge: base, document, version: version?.uuid ?? '' };
  const refused = await viewer.call(documents.restoreVersion, { headers, params });
  expect([refused.status, refused.error.code]).toEqual([403, 'not-allowed']);
  expect((await editor.call(accounts.remove, { body: { password: 'correct horse battery' } })).status).toBe(200);
  expect((await list())[0]?.by).toEqual({ uuid: editor.user.uuid, name: null });
});

test('versions of another document, base or workspace are the same 404 as none', async () => {
  const theirs = await aBase(await app.aPerson());
  const document = await theirs.add('a.txt', zebra('ninety'));
  await theirs.become(document, 'a.txt', zebra('a hundred'));
  const sibling = await theirs.add('b.txt', zebra('fifty'));
  const version = (await theirs.versions(document)).data[0]?.uuid ?? '';
  expect((await theirs.restore(sibling, version)).error.code).toBe('version-not-found');
  expect((await theirs.fileOf(sibling, version)).status).toBe(404);

  const stranger = await app.aPerson();
  const own = await aBase(stranger);
  const mine = await own.add('a.txt', zebra('seventy'));
  for (const [base, of] of [
    [theirs.base, document],
    [own.base, document],
    [own.base, mine],
    [own.base, newId()],
  ] as const) {
    const missing = of === mine ? 'version-not-found' : 'document-not-found';
    for (const each of [version, nowhere]) {
      const params = { knowledge: base, document: of, version: each };
      expect((await stranger.call(documents.restoreVersion, { params })).error.code).toBe(missing);
      const path = documents.versionFile.path
        .replace(':knowledge', base)
        .replace(':document', of)
        .replace(':version', each);
      expect((await stranger.fetch(path)).status).toBe(404);
    }
    if (of !== mine) {
      const list = await stranger.call(documents.versions, { params: { knowledge: base, document: of }, query: {} });
      expect(list.error.code).toBe('document-not-found');
    }
  }
  expect((await theirs.restore(document, 'x')).status).toBe(404);
  expect(await theirs.original(document)).toBe(zebra('a hundred'));
});

test('a file that waited for its place before there were versions still knows from where it is', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kotae-upgrade-'));
  const made = await createDatabase();
  const database = openDatabase({ DATA_DIR: folder, ...made.settings });
  try {
    const { db } = database;
    // What came later only adds columns, which the rows below have.
    await migrate(
      database,
      migrations.filter(({ name }) => name !== '0104-document-versions'),
    );
    const [workspace, base] = [newId(), newId()];
    await sql`insert into workspace (uuid, created_at, updated_at, name) values (${workspace}, 1, 1, 'Shop')`.execute(
      db,
    );
    await sql`insert into knowledge (uuid, created_at, updated_at, workspace, name, description, settings)
      values (${base}, 1, 1, ${workspace}, 'Manual', '', '{}')`.execute(db);
    const file = { name: 'b', mime: 'text/html', extension: 'html', bytes: 1, sha256: 'b', file: newId() };
    const former = { status: 'indexed' as const, error: null };
    const place = { source: 'url', url: 'https://shop.example/', leave_out: '["a"]' } as const;
    const rows = [
      { ...file, isFetched: true, former },
      { ...file, former },
    ].map((replacement, at) => ({
      ...newDocument({ knowledge: base, ...file, sha256: `${at}`, ...place }),
      file: null,
      replacement: JSON.stringify(replacement),
    }));
    for (const row of rows) await db.insertInto('document').values(row).execute();
    await migrate(database, migrations);
    const found = await db.selectFrom('document').selectAll().orderBy('sha256').execute();
    expect(found.map(replacementOf)).toMatchObject([
      { ...file, ...place, former, by: null },
      { ...file, source: 'file', url: null, leave_out: null, former, by: null },
    ]);
  } finally {
    await database.close();
    await made.drop();
    await rm(folder, { recursive: true });
  }
});
