import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bots } from '../../../shared/contracts/bots.ts';
import { documents, knowledge } from '../../../shared/contracts/knowledge.ts';
import { visitors } from '../../../shared/contracts/visitors.ts';
import { usualEmbed, webChannels } from '../../../shared/contracts/web-channels.ts';
import { eventually, startTestApp, type Person, type TestApp } from '../../testing/app.ts';
import { aChannel, aVisitor, type TestVisitor } from '../../testing/channels.ts';

const withPages = { shown: { ...usualEmbed.shown, pages: true } };
const question = 'How much does delivery within Japan cost?';

let app: TestApp;
let maker: Person;
let pdf: Uint8Array<ArrayBuffer>;
beforeAll(async () => {
  app = await startTestApp();
  maker = await app.aPerson();
  pdf = new Uint8Array(await readFile('e2e/fixtures/guide-en.pdf'));
});
afterAll(() => app.stop());

type Files = [name: string, bytes: string | Uint8Array<ArrayBuffer>][];

/** A published bot that knows some files. */
async function aReader(files: Files, by = maker) {
  const base = (await by.call(knowledge.create, { body: { name: 'Base' } })).body.data.uuid;
  const form = new FormData();
  for (const [name, bytes] of files) form.append('file', new Blob([bytes]), name);
  await by.fetch(`/api/user/knowledge/${base}/document`, { method: 'POST', body: form });
  const read = await eventually('they are read', async () => {
    const { data } = (await by.call(documents.list, { params: { knowledge: base } })).body;
    return data.every(({ status }) => !['queued', 'parsing', 'chunking', 'embedding'].includes(status)) && data;
  });
  const { uuid: bot } = (await by.call(bots.create, { body: { name: 'Shop', knowledges: [base] } })).body.data;
  await by.call(bots.publish, { params: { uuid: bot }, body: { note: '' } });
  return { base, bot, documents: files.map(([name]) => read.find((each) => each.name === name)?.uuid ?? 'none') };
}

/** Somebody whose answer cites a page of a PDF that they may see. */
async function aGuideReader(settings: Parameters<typeof aChannel>[2] = withPages, more: Files = []) {
  const reader = await aReader([['guide.pdf', pdf], ...more]);
  const [document = '', ...others] = reader.documents;
  const channel = await aChannel(maker, reader.bot, settings);
  const visitor = await aVisitor(app, channel.uuid);
  const answer = await visitor.say(question);
  return { ...reader, document, others, channel, visitor, answer };
}

const load = async (visitor: TestVisitor, document: string) => {
  const reply = await visitor.fetch(visitors.document.path.replace(':uuid', document));
  const bytes = new Uint8Array(await reply.arrayBuffer());
  return { status: reply.status, headers: reply.headers, bytes, text: new TextDecoder().decode(bytes) };
};
const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const expectNothing = async (visitor: TestVisitor, document: string) => {
  const { status, text } = await load(visitor, document);
  expect([status, JSON.parse(text).error.code]).toEqual([404, 'document-not-found']);
};

test('a visitor gets the PDF that an answer of theirs cites', async () => {
  const { visitor, document, answer } = await aGuideReader();
  expect(answer.citations[0]).toMatchObject({ document: 'guide.pdf', file: document, page: expect.any(Number) });
  expect((await visitor.page()).messages.at(-1)?.citations).toEqual(answer.citations);
  const told = (await visitor.write(question)).flatMap((each) => (each.type === 'citation' ? [each.citation] : []));
  expect(told.map(({ file }) => file)).toContain(document);
  const { status, headers, bytes } = await load(visitor, document);
  expect([status, digest(bytes)]).toEqual([200, digest(pdf)]);
  expect(Object.fromEntries(headers)).toMatchObject({
    'content-type': 'application/pdf',
    'content-length': String(pdf.length),
    'content-disposition': 'attachment',
    'content-security-policy': "sandbox; default-src 'none'",
    'x-content-type-options': 'nosniff',
    'cache-control': 'private, no-cache',
  });
});

describe('nothing is told of a file, and nothing is given', () => {
  test.each([
    ['while the channel does not show pages', {}],
    ['while the channel shows no citations', { shown: { ...withPages.shown, citations: false } }],
  ])('%s', async (_, settings) => {
    const { visitor, document, answer } = await aGuideReader(settings);
    expect(JSON.stringify([answer, await visitor.page()])).not.toContain(document);
    await expectNothing(visitor, document);
  });

  test('from the moment that its maker ends it', async () => {
    const { visitor, document, channel } = await aGuideReader();
    await maker.call(webChannels.update, { params: { uuid: channel.uuid }, body: { shown: usualEmbed.shown } });
    await expectNothing(visitor, document);
    expect(JSON.stringify(await visitor.page())).not.toContain(document);
  });

  test('of what is no PDF', async () => {
    const reader = await aReader([['guide.md', '# Delivery\n\nDelivery within Japan costs 480 yen.']]);
    const visitor = await aVisitor(app, (await aChannel(maker, reader.bot, withPages)).uuid);
    const { citations } = await visitor.say(question);
    expect(citations.map(({ file }) => file)).toEqual([null]);
    await expectNothing(visitor, reader.documents[0] ?? '');
  });
});

describe('a PDF stays closed', () => {
  test('to a visitor of the same channel whose answers do not cite it', async () => {
    const { channel, document } = await aGuideReader();
    const other = await aVisitor(app, channel.uuid);
    await expectNothing(other, document);
    await other.say('Who won the football championship of 1998?');
    await expectNothing(other, document);
    expect((await app.anyone.call(visitors.document, { params: { uuid: document } })).status).toBe(401);
  });

  test('to the same person on another channel, with the same bot', async () => {
    const { bot, document } = await aGuideReader();
    const other = await aVisitor(app, (await aChannel(maker, bot, withPages)).uuid);
    await expectNothing(other, document);
  });

  test('beside the one that is cited, also where what is quoted names it', async () => {
    const scan = new Uint8Array(await readFile('e2e/fixtures/jpeg2000.pdf'));
    const { visitor, document, others, base } = await aGuideReader(withPages, [['scan.pdf', scan]]);
    const [secret = ''] = others;
    expect((await load(visitor, document)).status).toBe(200);
    await expectNothing(visitor, secret);
    await expectNothing(visitor, base);
    const naming = await aReader([['vault.md', `# The vault\n\nThe key of the vault is ${secret} and nothing else.`]]);
    const reader = await aVisitor(app, (await aChannel(maker, naming.bot, withPages)).uuid);
    const answer = await reader.say('What is the key of the vault?');
    expect(answer.citations[0]?.quote).toContain(secret);
    await expectNothing(reader, secret);
  });

  test('in another workspace, whatever the answer says', async () => {
    const { document } = await aGuideReader();
    const stranger = await app.aPerson();
    const reader = await aReader([['guide.pdf', pdf]], stranger);
    const visitor = await aVisitor(app, (await aChannel(stranger, reader.bot, withPages)).uuid);
    await visitor.say(question);
    const { db } = app.server.context;
    const [own = ''] = reader.documents;
    const thread = (await visitor.page()).thread?.uuid ?? '';
    const rows = await db.selectFrom('message').select(['uuid', 'citations']).where('thread', '=', thread).execute();
    for (const { uuid, citations } of rows)
      await db
        .updateTable('message')
        .set({ citations: citations.replaceAll(own, document) })
        .where('uuid', '=', uuid)
        .execute();
    expect((await visitor.page()).messages.at(-1)?.citations[0]?.file).toBe(document);
    await expectNothing(visitor, document);
  });

  test('in the trash, while it is switched off, and in a base in the trash', async () => {
    const { visitor, document, base } = await aGuideReader();
    const params = { knowledge: base, document };
    const isOpen = async () => expect((await load(visitor, document)).status).toBe(200);
    await isOpen();
    await maker.call(documents.update, { params, body: { enabled: false } });
    await expectNothing(visitor, document);
    await maker.call(documents.update, { params, body: { enabled: true } });
    await isOpen();
    await maker.call(documents.remove, { params });
    await expectNothing(visitor, document);
    await maker.call(documents.restore, { params });
    await isOpen();
    await maker.call(knowledge.remove, { params: { uuid: base } });
    await expectNothing(visitor, document);
  });

  test('when its conversation was left, or cites it in a note alone', async () => {
    const { visitor, document } = await aGuideReader();
    const { db } = app.server.context;
    const thread = (await visitor.page()).thread?.uuid ?? '';
    const hide = (internal: 0 | 1) =>
      db
        .updateTable('message')
        .set({ internal })
        .where('thread', '=', thread)
        .where('role', '=', 'assistant')
        .execute();
    await hide(1);
    await expectNothing(visitor, document);
    await hide(0);
    expect((await load(visitor, document)).status).toBe(200);
    await visitor.call(visitors.restart);
    await expectNothing(visitor, document);
  });
});

test('settings from before there were pages show none, and are changed as ever', async () => {
  const { uuid } = await aChannel(maker, null);
  const { pages: _, ...shown } = usualEmbed.shown;
  const { db } = app.server.context;
  const old = JSON.stringify({ ...usualEmbed, shown: { ...shown, sound: true } });
  await db
    .updateTable('web_channel')
    .set({ settings: old, updated_at: Date.now() + 1 })
    .where('uuid', '=', uuid)
    .execute();
  const read = (await maker.call(webChannels.get, { params: { uuid } })).body.data.settings.shown;
  expect(read).toEqual({ ...usualEmbed.shown, sound: true });
  const told = (await app.anyone.call(visitors.setting, { query: { channel: uuid } })).body.data.shown;
  expect(told.pages).toBe(false);
  expect((await maker.call(webChannels.update, { params: { uuid }, body: { shown } })).status).toBe(200);
});

test('whoever loads one again and again has to wait', async () => {
  const limited = await startTestApp({ RATE_LIMITS: 'true', LIMITS: 'visitor-pages=2/60' });
  try {
    const boss = await limited.aPerson();
    const visitor = await aVisitor(limited, (await aChannel(boss, null, withPages)).uuid);
    const statuses = [];
    for (let at = 0; at < 3; at++) statuses.push((await load(visitor, crypto.randomUUID())).status);
    expect(statuses).toEqual([404, 404, 429]);
  } finally {
    await limited.stop();
  }
});
