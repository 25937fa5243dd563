import { afterAll, beforeAll, expect, test } from 'vitest';
import { accounts } from '../../../shared/contracts/accounts.ts';
import { bots } from '../../../shared/contracts/bots.ts';
import { conversations } from '../../../shared/contracts/conversations.ts';
import { images, sampleService } from '../../../shared/contracts/images.ts';
import { documents, knowledge } from '../../../shared/contracts/knowledge.ts';
import { trash, type TrashKind } from '../../../shared/contracts/trash.ts';
import { workspaces } from '../../../shared/contracts/workspaces.ts';
import { eventually, startTestApp, type Person, type TestApp } from '../../testing/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

const list = async (person: Person, query: { kind?: TrashKind; q?: string; limit?: number; cursor?: string } = {}) =>
  (await person.call(trash.list, { query })).body;
const names = async (person: Person, query: Parameters<typeof list>[1] = {}) =>
  (await list(person, query)).data.map(({ name }) => name);
const aBase = async (person: Person, name: string) =>
  (await person.call(knowledge.create, { body: { name } })).body.data.uuid;
const aDocument = async (person: Person, base: string, name: string) =>
  (
    await person.call(documents.add, {
      params: { knowledge: base },
      body: { source: 'text', name, text: `The ${name} opens at nine.` },
    })
  ).body.data[0]!.uuid;
const aBot = async (person: Person, name: string) =>
  (await person.call(bots.create, { body: { name } })).body.data.uuid;

/** A bot, a base and a document, all deleted in this order. */
async function withTrash() {
  const person = await app.aPerson();
  const bot = await aBot(person, 'Guide');
  const base = await aBase(person, 'Manual');
  const living = await aBase(person, 'Menu');
  const document = await aDocument(person, living, 'Tea.md');
  // While it is read it changes, also in the trash.
  await eventually('it is read', async () => {
    const { body } = await person.call(documents.get, { params: { knowledge: living, document } });
    return body.data.status === 'indexed';
  });
  await person.call(bots.remove, { params: { uuid: bot } });
  await person.call(knowledge.remove, { params: { uuid: base } });
  await person.call(documents.remove, { params: { knowledge: living, document } });
  return { person, bot, base, living, document };
}

test('the trash lists what was deleted, by whom and until when it can be restored', async () => {
  const { person, bot, base, living, document } = await withTrash();
  const { data, meta } = await list(person);
  const by = { uuid: person.user.uuid, name: person.user.username };
  expect(data).toMatchObject([
    { kind: 'document', uuid: document, knowledge: { uuid: living, name: 'Menu', isDeleted: false }, deletedBy: by },
    { kind: 'knowledge', uuid: base, name: 'Manual', knowledge: null, deletedBy: by },
    { kind: 'bot', uuid: bot, name: 'Guide', deletedBy: by },
  ]);
  expect(meta).toEqual({ nextCursor: null, total: 3 });
  for (const { deletedAt, erasedAt } of data)
    expect(Date.parse(erasedAt) - Date.parse(deletedAt)).toBe(30 * 86_400_000);
  expect(await names(person, { kind: 'bot' })).toEqual(['Guide']);
  expect(await names(person, { q: 'MAN' })).toEqual(['Manual']);
  const first = await list(person, { limit: 2 });
  const second = await list(person, { limit: 2, cursor: first.meta.nextCursor ?? '' });
  expect([...first.data, ...second.data]).toEqual(data);

  await person.call(bots.restore, { params: { uuid: bot } });
  await person.call(knowledge.restore, { params: { uuid: base } });
  await person.call(documents.restore, { params: { knowledge: living, document } });
  expect(await list(person)).toEqual({ data: [], meta: { nextCursor: null, total: 0 } });
});

test('what is in the trash of one workspace is nowhere in that of another', async () => {
  const { bot, base, document } = await withTrash();
  const other = await app.aPerson();
  expect(await names(other)).toEqual([]);
  for (const [route, uuid] of [
    [trash.eraseBot, bot],
    [trash.eraseKnowledge, base],
    [trash.eraseDocument, document],
  ] as const)
    expect((await other.call(route, { params: { uuid } })).status).toBe(404);
  expect((await other.call(trash.empty)).body).toEqual({ ok: true, erased: 0 });
});

test('what is not in the trash is not erased', async () => {
  const person = await app.aPerson();
  const bot = await aBot(person, 'Guide');
  const base = await aBase(person, 'Manual');
  const document = await aDocument(person, base, 'Tea.md');
  expect((await person.call(trash.eraseBot, { params: { uuid: bot } })).error.code).toBe('bot-not-found');
  expect((await person.call(trash.eraseKnowledge, { params: { uuid: base } })).error.code).toBe('knowledge-not-found');
  const reply = await person.call(trash.eraseDocument, { params: { uuid: document } });
  expect(reply.error.code).toBe('document-not-found');
  expect((await person.call(bots.get, { params: { uuid: bot } })).status).toBe(200);
});

test('a document whose base is in the trash says so, and comes back with it', async () => {
  const { person, living, document } = await withTrash();
  await person.call(knowledge.remove, { params: { uuid: living } });
  expect((await list(person, { kind: 'document' })).data).toMatchObject([{ knowledge: { isDeleted: true } }]);
  const params = { knowledge: living, document };
  const refused = await person.call(documents.restore, { params });
  expect([refused.status, refused.error.code]).toEqual([409, 'knowledge-in-trash']);
  expect(refused.error.message).toContain('Menu');
  await person.call(knowledge.restore, { params: { uuid: living } });
  expect((await person.call(documents.restore, { params })).status).toBe(200);
});

test('what is deleted for good is gone at once for everybody, and soon from every table; the rest stays', async () => {
  const { person, bot, base, living, document } = await withTrash();
  const kept = await aBot(person, 'Kept');
  await person.call(bots.remove, { params: { uuid: kept } });
  await person.call(trash.eraseBot, { params: { uuid: bot } });
  await person.call(trash.eraseKnowledge, { params: { uuid: base } });
  await person.call(trash.eraseDocument, { params: { uuid: document } });
  expect(await names(person)).toEqual(['Kept']);
  expect((await person.call(bots.restore, { params: { uuid: bot } })).status).toBe(404);
  expect((await person.call(knowledge.restore, { params: { uuid: base } })).status).toBe(404);
  expect((await person.call(documents.restore, { params: { knowledge: living, document } })).status).toBe(404);
  const { db } = app.server.context;
  const left = async () => [
    ...(await db.selectFrom('bot').select('uuid').where('uuid', '=', bot).execute()),
    ...(await db.selectFrom('knowledge').select('uuid').where('uuid', '=', base).execute()),
    ...(await db.selectFrom('document').select('uuid').where('uuid', '=', document).execute()),
    ...(await db.selectFrom('chunk').select('uuid').where('document', '=', document).execute()),
  ];
  await eventually('they are erased', async () => (await left()).length === 0);
  expect((await person.call(bots.restore, { params: { uuid: kept } })).status).toBe(200);
});

test('emptying takes everything that is in the trash and nothing that is not', async () => {
  const { person, living } = await withTrash();
  const bot = await aBot(person, 'Living');
  expect((await person.call(trash.empty)).body).toEqual({ ok: true, erased: 3 });
  expect((await list(person)).meta.total).toBe(0);
  expect((await person.call(bots.get, { params: { uuid: bot } })).status).toBe(200);
  expect((await person.call(knowledge.get, { params: { uuid: living } })).status).toBe(200);
});

test('many bots that are thrown away while rounds run leave no conversation and no file behind', async () => {
  const person = await app.aPerson();
  const { db } = app.server.context;
  const workspace = person.user.workspaces[0]?.uuid ?? '';
  for (let at = 0; at < 8; at++) {
    const bot = await aBot(person, `Guide ${at}`);
    const form = new FormData();
    form.append('file', new Blob([`# Menu ${at}`]), 'menu.md');
    const sent = await person.fetch(conversations.attach.path, { method: 'POST', body: form });
    const { data } = JSON.parse(await sent.text());
    const body = { bot, message: { text: 'Hello', files: [data[0].uuid] } };
    expect((await person.call(conversations.send, { body })).status).toBe(200);
    await person.call(bots.remove, { params: { uuid: bot } });
  }
  const left = async () => {
    const rows = await Promise.all([
      db.selectFrom('bot').select('uuid').where('workspace', '=', workspace).execute(),
      db.selectFrom('thread').select('uuid').where('workspace', '=', workspace).execute(),
      db.selectFrom('file').select('uuid').where('workspace', '=', workspace).execute(),
    ]);
    return rows.map(({ length }) => length);
  };
  expect(await left()).toEqual([8, 8, 8]);
  await eventually('the work is known', async () =>
    db.selectFrom('recurring').select('name').where('name', '=', 'trash.empty').executeTakeFirst(),
  );
  expect((await person.call(trash.empty)).body).toEqual({ ok: true, erased: 8 });
  await eventually('all is erased', async () => (await left()).every((count) => count === 0));
});

test('a bot that is answering is erased when it has ended, with its conversation', async () => {
  const person = await app.aPerson();
  const bot = await aBot(person, 'Guide');
  const { thread } = (await person.call(conversations.send, { body: { bot, message: { text: 'Hello' } } })).body.data;
  const { db } = app.server.context;
  const running = (uuid: string | null) =>
    db.updateTable('thread').set({ running: uuid }).where('uuid', '=', thread.uuid).execute();
  const dueAt = async () =>
    (await db.selectFrom('recurring').select('due_at').where('name', '=', 'trash.empty').executeTakeFirst())?.due_at;
  const isThere = async (table: 'bot' | 'thread', uuid: string) =>
    (await db.selectFrom(table).select('uuid').where('uuid', '=', uuid).execute()).length > 0;
  await running(bot);
  await person.call(bots.remove, { params: { uuid: bot } });
  await eventually('the work is known', dueAt);
  await person.call(trash.eraseBot, { params: { uuid: bot } });
  await eventually('a round was begun', async () => (await dueAt()) !== 0);
  const other = await aBot(person, 'Other');
  await person.call(bots.remove, { params: { uuid: other } });
  await person.call(trash.eraseBot, { params: { uuid: other } });
  await eventually('the other is erased', async () => !(await isThere('bot', other)));
  expect([await isThere('bot', bot), await isThere('thread', thread.uuid)]).toEqual([true, true]);
  await running(null);
  await db.updateTable('recurring').set({ due_at: 0 }).where('name', '=', 'trash.empty').execute();
  await eventually('it is erased', async () => !(await isThere('bot', bot)));
  expect(await isThere('thread', thread.uuid)).toBe(false);
});

test('of who deleted a thing nothing is known once the person is gone', async () => {
  const owner = await app.aPerson();
  const { uuid } = (await owner.call(workspaces.create, { body: { name: 'Shop' } })).body.data;
  const headers = { 'x-workspace': uuid };
  const editor = await app.aPerson();
  await app.server.context.db
    .insertInto('member')
    .values({ workspace: uuid, user: editor.user.uuid, role: 'editor', created_at: Date.now(), updated_at: Date.now() })
    .execute();
  const bot = (await owner.call(bots.create, { headers, body: { name: 'Guide' } })).body.data.uuid;
  await editor.call(bots.remove, { headers, params: { uuid: bot } });
  expect((await owner.call(trash.list, { headers })).body.data).toMatchObject([
    { deletedBy: { name: editor.user.username } },
  ]);
  expect((await editor.call(accounts.remove, { body: { password: 'correct horse battery' } })).status).toBe(200);
  expect((await owner.call(trash.list, { headers })).body.data).toMatchObject([{ name: 'Guide', deletedBy: null }]);
});

test('one is told of a bot of another workspace only where one is a member', async () => {
  const [member, stranger] = [await app.aPerson(), await app.aPerson()];
  const shop = (await member.call(workspaces.create, { body: { name: 'Shop' } })).body.data.uuid;
  const bot = (await member.call(bots.create, { headers: { 'x-workspace': shop }, body: { name: 'Guide' } })).body.data
    .uuid;
  const ask = (person: Person, uuid: string) => person.call(bots.place, { params: { uuid } });
  expect((await ask(member, bot)).body.data).toEqual({ uuid: shop, name: 'Shop' });
  const nowhere = await ask(stranger, '00000000-0000-7000-8000-000000000000');
  expect((await ask(stranger, bot)).error).toEqual(nowhere.error);
  expect(nowhere.status).toBe(404);
  await member.call(bots.remove, { headers: { 'x-workspace': shop }, params: { uuid: bot } });
  expect((await ask(member, bot)).status).toBe(404);
});

test('a picture that was deleted is in the trash by its words, comes back from there, and goes for good', async () => {
  const person = await app.aPerson();
  const { data } = (
    await person.call(images.create, { body: { prompt: `Hills ${'and more '.repeat(60)}`, service: sampleService } })
  ).body;
  const params = { uuid: data[0]?.uuid ?? '' };
  expect((await person.call(trash.eraseImage, { params })).status).toBe(404);
  await person.call(images.remove, { params });
  const [item] = (await list(person, { kind: 'image', q: 'hills' })).data;
  expect(item).toMatchObject({ kind: 'image', uuid: params.uuid, deletedBy: { name: person.user.username } });
  expect([item?.name.length, item?.name.startsWith('Hills and more')]).toEqual([120, true]);
  await person.call(images.restore, { params });
  expect((await list(person)).meta.total).toBe(0);
  await person.call(images.remove, { params });
  const other = await app.aPerson();
  expect((await other.call(trash.eraseImage, { params })).status).toBe(404);
  expect((await person.call(trash.eraseImage, { params })).status).toBe(200);
  expect((await person.call(images.restore, { params })).status).toBe(404);
  expect((await list(person)).meta.total).toBe(0);
});
