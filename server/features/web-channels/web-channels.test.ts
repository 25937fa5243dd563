import { createHmac, randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bots } from '../../../shared/contracts/bots.ts';
import { connections } from '../../../shared/contracts/connections.ts';
import { inbox, watchInbox } from '../../../shared/contracts/inbox.ts';
import { seeAsVisitor, visitors, writeAsVisitor } from '../../../shared/contracts/visitors.ts';
import { keys } from '../../../shared/contracts/keys.ts';
import { usualEmbed, webChannels } from '../../../shared/contracts/web-channels.ts';
import { eventually, startTestApp, type Person, type TestApp } from '../../testing/app.ts';
import { aChannel, aPublishedBot, aVisitor, connect } from '../../testing/channels.ts';
import { eraseOldThreads, sweepVisitors } from './retention.ts';
import { isAllowed } from './web-channels.ts';

let app: TestApp;
let maker: Person;
let bot: string;
let site: Server;
let siteUrl: string;
let page = { html: '', headers: {} as Record<string, string> };
beforeAll(async () => {
  site = createServer((_, reply) =>
    reply.writeHead(200, { 'content-type': 'text/html', ...page.headers }).end(page.html),
  );
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  const { port } = site.address() as AddressInfo; // it listens on a port
  siteUrl = `http://127.0.0.1:${port}/`;
  app = await startTestApp({ ALLOW_PRIVATE_HOSTS: `127.0.0.1:${port}` });
  maker = await app.aPerson();
  bot = await aPublishedBot(maker);
});
afterAll(async () => {
  site.close();
  await app.stop();
});

const settingFor = (channel: string, origin?: string) =>
  app.anyone.call(visitors.setting, { query: { channel }, ...(origin && { headers: { origin } }) });

test('a channel says how many conversations visitors have begun there in a week', async () => {
  const owner = await app.aPerson();
  const { uuid } = await aChannel(owner, await aPublishedBot(owner));
  const { uuid: other } = await aChannel(owner, null);
  for (let visitor = 0; visitor < 2; visitor++) await (await aVisitor(app, uuid)).say('When does the shop open?');
  // Who only looks has not begun one.
  await aVisitor(app, other);
  const listed = (await owner.call(webChannels.list, {})).body.data;
  const figures = listed.map((each) => [
    each.uuid,
    { perDay: each.conversationsPerDay, all: each.conversations, unaided: each.unaided },
  ]);
  expect(Object.fromEntries(figures)).toEqual({
    [uuid]: { perDay: [0, 0, 0, 0, 0, 0, 2], all: 2, unaided: 2 },
    [other]: { perDay: [0, 0, 0, 0, 0, 0, 0], all: 0, unaided: 0 },
  });
  expect((await owner.call(webChannels.get, { params: { uuid } })).body.data.conversations).toBe(2);
});

test('a widget gets its setting on the domains of its channel, and nothing that only makers should know', async () => {
  const channel = await aChannel(maker, bot, { domains: ['shop.example', '*.branch.example', 'localhost'] });
  expect(channel.seenAt).toBeNull();
  for (const origin of ['https://shop.example', 'https://a.branch.example', 'http://localhost:8080']) {
    const reply = await settingFor(channel.uuid, origin);
    expect([origin, reply.status, reply.headers.get('access-control-allow-origin')]).toEqual([origin, 200, origin]);
  }
  for (const origin of [
    'https://evil.example',
    'http://shop.example',
    'https://shop.example.evil.example',
    'null',
    'https://branch.example',
  ]) {
    // Why, its pages may read.
    const reply = await settingFor(channel.uuid, origin);
    expect([origin, reply.error.code, reply.headers.get('access-control-allow-origin')]).toEqual([
      origin,
      'site-not-listed',
      origin,
    ]);
  }
  const { data } = (await settingFor(channel.uuid)).body;
  expect(data).toMatchObject({ bot: { name: 'Shop' }, person: { offered: true, open: true } });
  expect(JSON.stringify(data)).not.toMatch(/domains|limits|secret|instructions/);
  const seen = (await maker.call(webChannels.get, { params: { uuid: channel.uuid } })).body.data;
  expect(seen.seenOn).toBe('shop.example');
  for (const wrong of [randomUUID(), 'my-shop']) expect((await settingFor(wrong)).error.code).toBe('channel-not-found');
});

test.each([
  ['shop.example', 'https://shop.example', true],
  ['shop.example', 'https://shop.example:8443', false],
  ['shop.example:8443', 'https://shop.example:8443', true],
  ['*.shop.example', 'https://shop.example', false],
  ['*.shop.example', 'https://a.b.shop.example', true],
  ['shop.example:443', 'https://shop.example', true],
  ['*.shop.example:443', 'https://a.shop.example', true],
  ['localhost:80', 'http://localhost', true],
  ['shop.example:80', 'https://shop.example', false],
  ['localhost', 'http://localhost:5173', true],
  ['127.0.0.1', 'http://127.0.0.1:80', true],
  ['shop.example', 'http://shop.example', false],
  ['shop.example', 'javascript:alert(1)', false],
])('a widget for %s on %s: %s', (domain, origin, expected) => expect(isAllowed([domain], origin)).toBe(expected));

test('a channel that is switched off or deleted lets nobody in, and its conversations stay', async () => {
  const { uuid, connection } = await aChannel(maker, bot);
  const visitor = await aVisitor(app, uuid);
  await visitor.write('When does it open?');
  await maker.call(connections.update, { params: { uuid: connection }, body: { active: false } });
  expect((await settingFor(uuid)).error.code).toBe('channel-not-found');
  await expect(visitor.write('Hello?')).rejects.toThrow('channel-not-found');
  await maker.call(connections.update, { params: { uuid: connection }, body: { active: true } });
  const [thread] = (await maker.call(inbox.threads, { query: { channel: uuid } })).body.data;
  expect((await maker.call(webChannels.remove, { params: { uuid } })).status).toBe(200);
  expect((await app.anyone.call(visitors.begin, { body: { channel: uuid } })).error.code).toBe('channel-not-found');
  const params = { thread: thread!.uuid };
  expect((await maker.call(inbox.messages, { params })).body.data).toHaveLength(2);
  const reply = await maker.call(inbox.reply, { params, body: { key: randomUUID(), text: 'Hello' } });
  expect(reply.body.data).toMatchObject({ delivery: 'failed', deliveryError: 'channel-gone' });
});

test('what the form asks has to be answered before the first message', async () => {
  const form = {
    enabled: true,
    fields: [
      { field: 'name' as const, required: false },
      { field: 'email' as const, required: true },
    ],
    consent: true,
  };
  const { uuid } = await aChannel(maker, bot, { form });
  const visitor = await aVisitor(app, uuid);
  expect(visitor.guest.needsForm).toBe(true);
  await expect(visitor.write('Hello')).rejects.toThrow('form-needed');
  const answer = (body: object) => visitor.call(visitors.form, { body });
  expect((await answer({ consent: true })).error.details['fields']).toMatchObject([{ path: 'email', code: 'empty' }]);
  expect((await answer({ email: 'nobody', consent: true })).error.details['fields']).toMatchObject([
    { path: 'email', code: 'email-form' },
  ]);
  expect((await answer({ email: 'sora@example.com' })).error.code).toBe('consent-needed');
  expect((await answer({ email: 'sora@example.com', name: 'Sora', consent: true })).status).toBe(200);
  await visitor.write('Hello');
  const [thread] = (await maker.call(inbox.threads, { query: { channel: uuid } })).body.data;
  expect(thread?.guest.name).toBe('Sora');
});

test('a site proves who its visitor is: the same person on every device, and never by a wrong hash', async () => {
  const { uuid } = await aChannel(maker, bot);
  const { secret } = (await maker.call(webChannels.secret, { params: { uuid } })).body.data;
  const hash = createHmac('sha256', secret).update('customer-7').digest('hex');
  const identify = { id: 'customer-7', hash, name: 'Sora' };
  const begin = (more: object) => app.anyone.call(visitors.begin, { body: { channel: uuid, ...more } });
  expect((await begin({ identify: { ...identify, hash: '0'.repeat(64) } })).error.code).toBe('identify-wrong-hash');
  const anonymous = await aVisitor(app, uuid);
  await anonymous.write('I wrote before I signed in');
  const phone = (await begin({ identify, token: anonymous.token })).body.data;
  expect(phone.guest.name).toBe('Sora');
  expect(phone.messages[0]?.text).toBe('I wrote before I signed in');
  const laptop = (await begin({ identify })).body.data;
  expect(laptop.guest.uuid).toBe(phone.guest.uuid);
  expect(laptop.thread?.uuid).toBe(phone.thread?.uuid);
  const other = { id: 'customer-8', hash: createHmac('sha256', secret).update('customer-8').digest('hex') };
  const sameMachine = (await begin({ identify: other, token: phone.token })).body.data;
  expect(sameMachine.guest.uuid).not.toBe(phone.guest.uuid);
  expect(sameMachine.thread).toBeNull();
  expect(sameMachine.token).not.toBe(phone.token);
});

test('a maker tries the draft as a visitor would, and the team hears nothing of it', async () => {
  const { uuid: draft } = (await maker.call(bots.create, { body: { name: 'Draft', greeting: 'Hello from the draft' } }))
    .body.data;
  const { uuid: channel } = await aChannel(maker, draft);
  expect((await settingFor(channel)).body.data.bot).toBeNull();
  const preview = { channel, preview: true };
  expect((await app.anyone.call(visitors.begin, { body: preview })).error.code).toBe('not-signed-in');
  expect((await (await app.aPerson()).call(visitors.begin, { body: preview })).error.code).toBe('channel-not-found');
  expect((await maker.call(visitors.setting, { query: { channel } })).body.data.bot?.greeting).toBe(
    'Hello from the draft',
  );
  for (const scope of ['chat', 'edit'] as const) {
    const { key } = (await maker.call(keys.create, { body: { name: scope, scopes: [scope] } })).body.data;
    const headers = { 'x-api-key': key };
    for (const query of [{ channel }, { bot: draft }]) {
      const body = { ...query, preview: true };
      expect((await app.anyone.call(visitors.begin, { headers, body })).error.code).toBe('channel-not-found');
    }
    expect((await app.anyone.call(visitors.setting, { headers, query: { bot: draft } })).status).toBe(404);
  }
  for (const body of [preview, { bot: draft, preview: true }]) {
    const { token } = (await maker.call(visitors.begin, { body })).body.data;
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const reply = await app.anyone.fetch('/api/visitor/message', {
      method: 'POST',
      headers,
      body: JSON.stringify({ key: randomUUID(), text: 'Hello' }),
    });
    expect(await reply.text()).toContain('"type":"done"');
  }
  expect((await maker.call(inbox.threads, { query: { channel } })).body.data).toEqual([]);
  expect((await app.anyone.call(visitors.begin, { body: { bot: draft } })).status).toBe(401);
});

test('conversations that are kept no longer are erased, and after a month whoever has none', async () => {
  const { uuid } = await aChannel(maker, null, { history: { policy: 'last', retentionDays: 7 } });
  const [writer, silent] = [await aVisitor(app, uuid), await aVisitor(app, uuid)];
  await writer.write('Remember me');
  const { signal } = new AbortController();
  const day = 86_400_000;
  await eraseOldThreads(app.server.context, signal, Date.now() + 6 * day);
  expect((await writer.page()).messages.length).toBeGreaterThan(0);
  await eraseOldThreads(app.server.context, signal, Date.now() + 8 * day);
  expect(await writer.page()).toEqual({ thread: null, messages: [], hasMore: false });
  await sweepVisitors(app.server.context, signal, Date.now() + 31 * day);
  expect((await silent.call(visitors.messages)).error.code).toBe('visitor-unknown');
  expect((await writer.call(visitors.messages)).error.code).toBe('visitor-unknown');
});

test('where each visit begins anew, a conversation goes on within half an hour', async () => {
  const { uuid } = await aChannel(maker, bot, { history: { policy: 'new', retentionDays: null } });
  const visitor = await aVisitor(app, uuid);
  await visitor.write('When does it open?');
  expect((await aVisitor(app, uuid, { token: visitor.token })).messages).toHaveLength(2);
  const { db } = app.server.context;
  await db
    .updateTable('thread')
    .set({ last_at: Date.now() - 31 * 60_000 })
    .where('channel_id', '=', uuid)
    .execute();
  expect((await aVisitor(app, uuid, { token: visitor.token })).messages).toEqual([]);
  expect((await visitor.call(visitors.restart)).status).toBe(200);
});

test('a picture is sent and read by both sides, and by nobody else', async () => {
  const { uuid } = await aChannel(maker, null, { shown: { ...usualEmbed.shown, upload: true } });
  const visitor = await aVisitor(app, uuid);
  const upload = (bytes: Buffer, name: string) => {
    const form = new FormData();
    form.append('file', new Blob([new Uint8Array(bytes)]), name);
    return visitor.fetch('/api/visitor/file', { method: 'POST', body: form });
  };
  const pixel = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
    'base64',
  );
  const zip = Buffer.from('504b0304140000000000', 'hex');
  expect((await upload(zip, 'photo.png')).status).toBe(422);
  const sent: { data: [{ uuid: string }] } = JSON.parse(await (await upload(pixel, 'photo.png')).text());
  const [{ uuid: file }] = sent.data;
  const other = await aVisitor(app, uuid);
  expect((await other.fetch(`/api/visitor/file/${file}`)).status).toBe(404);
  await expect(other.write('', { files: [file] })).rejects.toThrow('file-not-found');
  await visitor.write('', { files: [file] });
  expect((await visitor.fetch(`/api/visitor/file/${file}`)).headers.get('content-type')).toBe('image/webp');
  const [thread] = (await maker.call(inbox.threads, { query: { channel: uuid } })).body.data;
  expect((await maker.fetch(`/api/inbox/thread/${thread!.uuid}/file/${file}`)).status).toBe(200);
  expect((await other.fetch(`/api/visitor/file/${file}`)).status).toBe(404);
  const closed = await aVisitor(app, (await aChannel(maker, null)).uuid);
  await expect(closed.write('', { files: [file] })).rejects.toThrow('not-allowed');
});

test('whatever a visitor sends, the answer is an error or it is stored as it was', async () => {
  const { uuid } = await aChannel(maker, null);
  const visitor = await aVisitor(app, uuid);
  const post = async (body: string) => {
    const headers = { 'content-type': 'application/json' };
    return (await visitor.fetch('/api/visitor/message', { method: 'POST', headers, body })).status;
  };
  const key = randomUUID();
  for (const [body, status] of [
    [JSON.stringify({ key, text: 'x'.repeat(1_100_000) }), 413],
    [JSON.stringify({ key, text: 'x'.repeat(8_001) }), 400],
    [JSON.stringify({ key, text: '' }), 400],
    [JSON.stringify({ key, text: '\u0000' }), 400],
    [JSON.stringify({ key: 'x', text: 'Hello' }), 400],
    [JSON.stringify({ text: 'Hello' }), 400],
    [JSON.stringify({ key, text: 'Hello', role: 'staff' }), 400],
    ['{"key":', 400],
  ] as const)
    expect([body.slice(0, 40), await post(body)]).toEqual([body.slice(0, 40), status]);
  const family = '👨‍👩‍👧‍👦'.repeat(500);
  for (const text of ['<script>alert(1)</script>', family, '\u202Eabc', '{{name}} ${x}'])
    expect((await visitor.write(text))[1]).toMatchObject({ type: 'message', message: { role: 'user', text } });
});

test('a visitor who writes too much is told so in the words of the channel', async () => {
  const limited = await startTestApp({ RATE_LIMITS: 'true' });
  try {
    const boss = await limited.aPerson();
    const { texts, limits } = usualEmbed;
    const { uuid } = await aChannel(boss, null, {
      texts: { ...texts, en: { ...texts.en, limit: 'Please slow down.' } },
      limits: { ...limits, visitorPerMinute: 2 },
    });
    const visitor = await aVisitor(limited, uuid, { locale: 'en' });
    await visitor.write('one');
    await visitor.write('two');
    await expect(visitor.write('three')).rejects.toThrow('Please slow down.');
    const other = await aVisitor(limited, uuid);
    await other.write('one');
  } finally {
    await limited.stop();
  }
});

test('over the socket a visitor reaches their own conversation only, whatever they send', async () => {
  const { uuid } = await aChannel(maker, null);
  const [visitor, other] = [await aVisitor(app, uuid), await aVisitor(app, uuid)];
  await visitor.write('Hello');
  const { thread } = await visitor.page();
  const socket = await connect(app.url, other.token);
  const ask = (name: string, data: unknown) => socket.timeout(5_000).emitWithAck(name, data);
  expect((await ask(watchInbox.name, { thread: thread?.uuid, since: 0 })).error.code).toBe('thread-not-found');
  expect((await ask(seeAsVisitor.name, { seq: 1e9 })).data).toEqual({ ok: true });
  expect((await visitor.page()).thread?.seen).toBe(0);
  for (const data of [{ seq: -1 }, { seq: 'x' }, { seq: 1, thread: thread?.uuid }, null, '\u0000', { isTyping: 1 }])
    expect((await ask(writeAsVisitor.name, data)).error.code).toBe('bad-request');
  await expect(connect(app.url, 'kv_wrong')).rejects.toThrow('not-signed-in');
  await maker.call(inbox.eraseGuest, { params: { uuid: other.guest.uuid } });
  const gone = eventually('they are cut off', async () => !socket.connected, 8_000);
  socket.emit(writeAsVisitor.name, { isTyping: true }, () => {});
  await gone;
});

test('“check my site” says what the widget is missing on a page', async () => {
  const { port } = new URL(siteUrl);
  const channel = await aChannel(maker, bot, { domains: ['shop.example'] });
  const check = async (url: string) =>
    (await maker.call(webChannels.check, { params: { uuid: channel.uuid }, body: { url } })).body.data.checks.map(
      ({ what, state }) => `${what} ${state}`,
    );
  page = { html: '<html></html>', headers: { 'content-security-policy': "default-src 'self'" } };
  expect(await check(siteUrl)).toEqual(['reached good', 'snippet unknown', 'domain bad', 'policy bad']);
  await maker.call(webChannels.update, { params: { uuid: channel.uuid }, body: { domains: [`127.0.0.1:${port}`] } });
  const snippet = (id: string) => `<script async src="${app.url}/embed.js" data-channel="${id}"></script>`;
  page = { html: snippet(randomUUID()), headers: {} };
  expect(await check(siteUrl)).toEqual(['reached good', 'snippet good', 'channel bad', 'domain good', 'policy good']);
  page = { html: snippet(channel.uuid), headers: { 'content-security-policy': `default-src 'self' ${app.url}` } };
  expect(await check(siteUrl)).toEqual(['reached good', 'snippet good', 'domain good', 'policy good']);
  const refused = await maker.call(webChannels.check, {
    params: { uuid: channel.uuid },
    body: { url: 'http://169.254.169.254/' },
  });
  expect(refused.error.code).toBe('address-not-allowed');
  const unknown = await maker.call(webChannels.check, {
    params: { uuid: channel.uuid },
    body: { url: 'https://no-such-shop.invalid/' },
  });
  expect(unknown.body.data.checks).toMatchObject([
    { what: 'reached', state: 'bad', text: expect.stringContaining('“no-such-shop.invalid” could not be found') },
  ]);
});
