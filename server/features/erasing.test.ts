import { randomBytes } from 'node:crypto';
import { readdir, readFile, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accounts, files } from '../../shared/contracts/accounts.ts';
import { bots } from '../../shared/contracts/bots.ts';
import { conversations } from '../../shared/contracts/conversations.ts';
import { inbox } from '../../shared/contracts/inbox.ts';
import { documents, knowledge } from '../../shared/contracts/knowledge.ts';
import { unanswered } from '../../shared/contracts/unanswered.ts';
import { visitors } from '../../shared/contracts/visitors.ts';
import { webhookEvents, webhooks } from '../../shared/contracts/webhooks.ts';
import { workspaces } from '../../shared/contracts/workspaces.ts';
import { eventually, startTestApp, type Person, type TestApp } from '../testing/app.ts';
import { aChannel, aPublishedBot, aVisitor, type TestVisitor } from '../testing/channels.ts';
import { sendMail } from './mail/mail.ts';

const dayMs = 86_400_000;
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

const aCanary = () => `canary${randomBytes(12).toString('hex')}`;

async function upload(person: Person, path: string, name: string, bytes: Buffer | string): Promise<string> {
  const form = new FormData();
  form.append('file', new Blob([typeof bytes === 'string' ? bytes : new Uint8Array(bytes)]), name);
  const { data } = JSON.parse(await (await person.fetch(path, { method: 'POST', body: form })).text());
  return (Array.isArray(data) ? data[0] : data).uuid;
}

async function aBase(person: Person, text: string): Promise<{ base: string; document: string }> {
  const base = (await person.call(knowledge.create, { body: { name: 'Base', description: text } })).body.data.uuid;
  return { base, document: await aDocument(person, base, text) };
}

async function aDocument(person: Person, base: string, text: string): Promise<string> {
  const { data } = (
    await person.call(documents.add, {
      params: { knowledge: base },
      body: {
        source: 'text',
        name: `${text}.md`,
        text: `# Opening\n\nThe ${text} opens at nine. ${'It is kept dry. '.repeat(200)}`,
      },
    })
  ).body;
  const uuid = data[0]!.uuid;
  await eventually('it is read', async () => {
    const { body } = await person.call(documents.get, { params: { knowledge: base, document: uuid } });
    return body.data.status === 'indexed';
  });
  return uuid;
}

/** A bot of which everything says the text, with a picture, and a conversation with a document attached. */
async function aBot(person: Person, text: string, { avatar, base }: { avatar: string; base: string }) {
  const { uuid } = (
    await person.call(bots.create, {
      body: { name: 'Bot', description: text, instructions: text, knowledges: [base], avatar },
    })
  ).body.data;
  await person.call(bots.setSecret, { params: { uuid }, body: { name: 'KEY', value: text, origins: ['example.com'] } });
  await person.call(bots.publish, { params: { uuid }, body: { note: text } });
  const file = await upload(person, conversations.attach.path, 'menu.md', `# Menu\n\n${text} costs 620 yen.`);
  return { uuid, file, thread: await aThread(person, uuid, text, file) };
}

async function aThread(person: Person, bot: string, text: string, file: string): Promise<string> {
  const { body, status } = await person.call(conversations.send, {
    body: { bot, message: { text: `When does the ${text} open?`, files: [file] } },
  });
  expect(status).toBe(200);
  return body.data.thread.uuid;
}

/** Puts what is in the trash so many days into the past. */
async function age(days: number): Promise<void> {
  const { db } = app.server.context;
  for (const table of ['bot', 'knowledge', 'document', 'thread'] as const)
    await db
      .updateTable(table)
      .set({ deleted_at: Date.now() - days * dayMs })
      .where('deleted_at', 'is not', null)
      .execute();
}

async function sweep(work = 'trash.empty'): Promise<void> {
  const { db } = app.server.context;
  const dueAt = async () =>
    (await db.selectFrom('recurring').select('due_at').where('name', '=', work).executeTakeFirst())?.due_at;
  await eventually('it is known', dueAt);
  await db.updateTable('recurring').set({ due_at: 0 }).where('name', '=', work).execute();
  await eventually('it was begun', async () => (await dueAt()) !== 0);
}

/** Every table and file in which the text is. */
async function whereIs(text: string): Promise<string[]> {
  const { db, engine } = app.server.context;
  const tables = sql<{ name: string }>`${
    engine === 'sqlite'
      ? sql`select name from sqlite_schema where type = 'table' and sql not like '%virtual%'`
      : sql`select table_name as name from information_schema.tables where table_schema = 'public'`
  }`;
  const found: string[] = [];
  for (const { name } of (await tables.execute(db)).rows)
    if (JSON.stringify((await sql`select * from ${sql.table(name)}`.execute(db)).rows).includes(text)) found.push(name);
  if (engine === 'sqlite') await sql`pragma wal_checkpoint(truncate)`.execute(db);
  for (const entry of await readdir(app.folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile() && (await readIfThere(join(entry.parentPath, entry.name))).includes(text))
      found.push(entry.name);
  return found;
}

/** The sweep may erase a file between the look at its folder and the look at it. */
const readIfThere = (path: string) =>
  readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    return Buffer.alloc(0);
  });

async function blobs(): Promise<string[]> {
  const entries = await readdir(join(app.folder, 'files', 'blobs'), { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

test('what was in the trash for a month is gone from every table and file, and the rest is as it was', async () => {
  const person = await app.aPerson();
  const gone = aCanary();
  const kept = aCanary();

  const living = await aBase(person, kept);
  const picture = await upload(person, files.uploadImage.path, 'a.png', pixel);
  const shared = await upload(person, files.uploadImage.path, 'b.png', pixel);
  const bot = await aBot(person, kept, { avatar: shared, base: living.base });

  const doomed = await aBase(person, gone);
  const single = await aDocument(person, living.base, gone);
  const doomedBot = await aBot(person, gone, { avatar: picture, base: doomed.base });
  const twin = await aBot(person, gone, { avatar: shared, base: doomed.base });
  const thread = await aThread(person, bot.uuid, gone, bot.file);
  expect(await whereIs(gone)).toEqual(
    expect.arrayContaining(['bot', 'bot_version', 'chunk', 'document', 'file', 'knowledge', 'message', 'thread']),
  );

  for (const uuid of [doomedBot.uuid, twin.uuid]) await person.call(bots.remove, { params: { uuid } });
  await person.call(knowledge.remove, { params: { uuid: doomed.base } });
  await person.call(documents.remove, { params: { knowledge: living.base, document: single } });
  await person.call(conversations.remove, { params: { thread } });

  await age(29);
  await sweep();
  expect((await person.call(bots.restore, { params: { uuid: doomedBot.uuid } })).status).toBe(200);
  await person.call(bots.remove, { params: { uuid: doomedBot.uuid } });

  await age(31);
  expect((await person.call(bots.restore, { params: { uuid: doomedBot.uuid } })).status).toBe(404);
  await sweep();
  await eventually('nothing is left of it', async () => (await whereIs(gone)).length === 0, 8_000).catch(async () =>
    expect(await whereIs(gone)).toEqual([]),
  );
  expect((await app.anyone.fetch(`/api/avatar/${picture}`)).status).toBe(404);
  expect((await app.anyone.fetch(`/api/avatar/${shared}`)).status).toBe(200);
  const { db } = app.server.context;
  const secrets = await db
    .selectFrom('bot_secret')
    .select('bot')
    .where('bot', 'in', [bot.uuid, doomedBot.uuid, twin.uuid])
    .execute();
  expect(secrets.map((secret) => secret.bot)).toEqual([bot.uuid]);
  const names = await blobs();
  for (const erased of [picture, doomedBot.file, twin.file]) expect(names).not.toContain(erased);
  for (const kept of [shared, bot.file]) expect(names).toContain(kept);

  const found = await person.call(knowledge.search, {
    params: { uuid: living.base },
    body: { query: `When does the ${kept} open?` },
  });
  expect(found.body.data[0]?.embedding.text).toContain(kept);
  const again = await aThread(person, bot.uuid, kept, bot.file);
  expect((await person.call(conversations.messages, { params: { thread: again } })).body.data).toHaveLength(2);
});

test('what a person attached in a workspace of others goes with them, and its text too', async () => {
  const [boss, leaving] = [await app.aPerson(), await app.aPerson()];
  const { uuid: workspace } = (await boss.call(workspaces.create, { body: { name: 'Shop' } })).body.data;
  await app.server.context.db
    .insertInto('member')
    .values({ workspace, user: leaving.user.uuid, role: 'editor', created_at: Date.now(), updated_at: Date.now() })
    .execute();
  const text = aCanary();
  const form = new FormData();
  form.append('file', new Blob([`# Menu\n\n${text}`]), 'menu.md');
  await leaving.fetch(conversations.attach.path, { method: 'POST', headers: { 'x-workspace': workspace }, body: form });
  expect(await whereIs(text)).toHaveLength(2);
  expect((await leaving.call(accounts.remove, { body: { password: 'correct horse battery' } })).status).toBe(200);
  expect(await whereIs(text)).toEqual([]);
});

test('what was attached and never sent is gone after a day, and what was sent is not', async () => {
  const person = await app.aPerson();
  const { db } = app.server.context;
  const [unsent, old, sent, fresh] = [aCanary(), aCanary(), aCanary(), aCanary()];
  const attach = (text: string) => upload(person, conversations.attach.path, 'menu.md', `# Menu\n\n${text}`);
  await attach(unsent);
  const { base } = await aBase(person, aCanary());
  const picture = await upload(person, files.uploadImage.path, 'a.png', pixel);
  const bot = await aBot(person, aCanary(), { avatar: picture, base });
  await aThread(person, bot.uuid, aCanary(), await attach(sent));
  await db
    .updateTable('file')
    .set({ created_at: Date.now() - 1.1 * dayMs })
    .where('user', '=', person.user.uuid)
    .execute();
  // Nothing ran for a long time.
  await attach(old);
  await db
    .updateTable('file')
    .set({ created_at: Date.now() - 400 * dayMs })
    .where('user', '=', person.user.uuid)
    .where('created_at', '>', Date.now() - dayMs)
    .execute();
  await attach(fresh);
  await sweep('attachments.sweep');
  await eventually('it is gone', async () => (await whereIs(unsent)).length + (await whereIs(old)).length === 0);
  for (const kept of [sent, fresh]) expect((await whereIs(kept)).length).toBeGreaterThan(1);
});

test('a picture that nothing shows is gone after a day, replaced or never used, and what is shown anywhere stays', async () => {
  const person = await app.aPerson();
  const { db } = app.server.context;
  const picture = () => upload(person, files.uploadImage.path, 'a.png', pixel);
  const wear = async (avatar: string) =>
    expect((await person.call(accounts.update, { body: { avatar } })).status).toBe(200);
  const [unused, replaced, worn, ofBot, before, ofTrash, ofShop] = [
    await picture(),
    await picture(),
    await picture(),
    await picture(),
    await picture(),
    await picture(),
    await picture(),
  ];
  await wear(replaced);
  await wear(worn);
  const aBotWith = async (avatar: string) =>
    (await person.call(bots.create, { body: { name: 'Bot', avatar } })).body.data.uuid;
  const bot = await aBotWith(before);
  await person.call(bots.update, { params: { uuid: bot }, body: { avatar: ofBot } });
  const trashed = await aBotWith(ofTrash);
  await person.call(bots.remove, { params: { uuid: trashed } });
  await person.call(workspaces.create, { body: { name: 'Shop', avatar: ofShop } });
  const { base, document } = await aBase(person, aCanary());
  await db
    .updateTable('file')
    .set({ created_at: Date.now() - 1.1 * dayMs })
    .where('user', '=', person.user.uuid)
    .execute();
  const fresh = await picture();
  await sweep('pictures.sweep');
  const statusOf = async (uuid: string) => (await app.anyone.fetch(`/api/avatar/${uuid}`)).status;
  await eventually('they are gone', async () => {
    const left = await blobs();
    return ![unused, replaced, before].some((uuid) => left.includes(uuid));
  });
  for (const uuid of [unused, replaced, before]) expect(await statusOf(uuid)).toBe(404);
  for (const uuid of [worn, ofBot, ofTrash, ofShop, fresh]) expect(await statusOf(uuid)).toBe(200);
  const original = documents.file.path.replace(':knowledge', base).replace(':document', document);
  expect((await person.fetch(original)).status).toBe(200);
  // What was taken away is nobody's any more.
  expect((await person.call(accounts.update, { body: { avatar: unused } })).status).toBe(404);
});

test('a temporary conversation is gone after a day, with what was attached to it', async () => {
  const person = await app.aPerson();
  const { db } = app.server.context;
  const [text, written] = [aCanary(), aCanary()];
  const { base } = await aBase(person, aCanary());
  const picture = await upload(person, files.uploadImage.path, 'a.png', pixel);
  const bot = await aBot(person, aCanary(), { avatar: picture, base });
  const file = await upload(person, conversations.attach.path, 'menu.md', `# Menu\n\n${written}`);
  const { body } = await person.call(conversations.send, {
    body: { bot: bot.uuid, temporary: true, message: { text: `When does the ${text} open?`, files: [file] } },
  });
  await db
    .updateTable('thread')
    .set({ updated_at: Date.now() - 1.1 * dayMs })
    .where('uuid', '=', body.data.thread.uuid)
    .execute();
  await sweep('threads.sweep');
  await eventually('it has ended', async () => {
    const row = await db
      .selectFrom('thread')
      .select('deleted_at')
      .where('uuid', '=', body.data.thread.uuid)
      .executeTakeFirst();
    return row?.deleted_at !== null;
  });
  await sweep();
  await eventually(
    'nothing is left of it',
    async () => [...(await whereIs(text)), ...(await whereIs(written))].length === 0,
  );
});

test('a mail that was kept is gone after a week, with its file, and a younger one is not', async () => {
  const [old, young] = [await app.aPerson(aCanary()), await app.aPerson(aCanary())];
  const fileOf = async ({ user }: Person) => {
    await app.anyone.call(accounts.forgotPassword, { body: { email: user.email } });
    return eventually('the mail is kept', async () =>
      (await whereIs(user.email)).find((each) => each.endsWith('.eml')),
    );
  };
  const [gone, kept] = [await fileOf(old), await fileOf(young)];
  const aWeekAgo = Date.now() - 7.1 * dayMs;
  await utimes(join(app.folder, 'mail', gone), aWeekAgo / 1000, aWeekAgo / 1000);
  await app.server.context.db
    .updateTable('mail')
    .set({ created_at: aWeekAgo })
    .where('recipient', '=', old.user.email)
    .execute();
  await sweep('mails.sweep');
  const bodies = async ({ user }: Person) =>
    app.server.context.db
      .selectFrom('mail')
      .select('uuid')
      .where('recipient', '=', user.email)
      .where('body', 'is not', null)
      .execute();
  await eventually('its text is gone', async () => (await bodies(old)).length === 0);
  expect(await readdir(join(app.folder, 'mail'))).not.toContain(gone);
  expect(await readdir(join(app.folder, 'mail'))).toContain(kept);
  expect(await bodies(young)).toHaveLength(1);
});

test('of an account that is deleted no table, file, kept mail or extracted text is left', async () => {
  const name = aCanary();
  const person = await app.aPerson(name);
  const text = aCanary();
  const { base } = await aBase(person, text);
  const picture = await upload(person, files.uploadImage.path, 'a.png', pixel);
  const bot = await aBot(person, text, { avatar: picture, base });
  await aThread(person, bot.uuid, text, bot.file);
  await app.anyone.call(accounts.forgotPassword, { body: { email: `${name}@example.com` } });
  await eventually('the mail is kept', async () =>
    (await whereIs(`${name}@example.com`)).some((each) => each.endsWith('.eml')),
  );
  expect((await person.call(accounts.remove, { body: { password: 'correct horse battery' } })).status).toBe(200);
  expect(await whereIs(text)).toEqual([]);
  // Who did what stays known, under the name that they had.
  await eventually('all else is gone', async () => (await whereIs(`${name}@example.com`)).length === 0);
  expect((await whereIs(name)).filter((each) => !each.startsWith('kotae.db'))).toEqual(['audit']);
});

test('of a visitor who is erased nothing is left that they said or were called, anywhere', async () => {
  const { context } = app.server;
  const person = await app.aPerson();
  const bot = await aPublishedBot(person);
  const { uuid: channel } = await aChannel(person, bot);
  // It takes nothing, so that what it was to be told is kept.
  await person.call(webhooks.create, { body: { url: 'http://hook.invalid/', events: [...webhookEvents] } });
  const open = async () => (await person.call(unanswered.list, { query: { bot } })).body.data;
  const [gone, named, kept] = [aCanary(), aCanary(), aCanary()];
  const says = async (visitor: TestVisitor, text: string, asked: number) => {
    await visitor.write(text);
    await eventually('it is noted', async () => (await open()).reduce((sum, { count }) => sum + count, 0) === asked);
  };
  const [visitor, other] = [await aVisitor(app, channel), await aVisitor(app, channel)];
  await says(visitor, `Do you sell ${gone} wrapping paper?`, 1);
  await says(other, `Do you sell ${kept} wrapping paper?`, 2);
  await says(visitor, `Which famous painter repaired the ${gone}?`, 3);
  expect(await open()).toHaveLength(2);
  const thread = (await person.call(inbox.threads, { query: { q: gone } })).body.data[0]!;
  const { uuid: guest } = thread.guest;
  await person.call(inbox.updateGuest, { params: { uuid: guest }, body: { name: named } });
  await visitor.call(visitors.person);
  await person.call(inbox.reply, {
    params: { thread: thread.uuid },
    body: { key: crypto.randomUUID(), text: `Dear ${named}` },
  });
  const outbox = { ...context, queue: { add: async () => {} } };
  await sendMail(outbox, context.db, {
    kind: 'visitor-waits',
    to: person.user.email,
    locale: 'en',
    link: 'http://localhost/',
    thread: thread.uuid,
    values: { username: 'a', workspace: 'b', guest: named, question: gone },
  });
  await eventually('the address is to be told', async () => (await whereIs(named)).includes('webhook_delivery'));
  expect(await whereIs(gone)).toEqual(expect.arrayContaining(['message', 'unanswered', 'webhook_delivery']));
  expect((await person.call(inbox.eraseGuest, { params: { uuid: guest } })).status).toBe(200);
  for (const text of [gone, named]) expect(await whereIs(text)).toEqual([]);
  expect(await context.db.selectFrom('mail').select('uuid').where('kind', '=', 'visitor-waits').execute()).toEqual([]);
  expect(await open()).toMatchObject([{ question: `Do you sell ${kept} wrapping paper?`, count: 1 }]);
  expect(await whereIs(kept)).toEqual(expect.arrayContaining(['message', 'unanswered', 'webhook_delivery']));
});
