import { sql } from 'kysely';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { inbox } from '../../../shared/contracts/inbox.ts';
import { visitors } from '../../../shared/contracts/visitors.ts';
import { webhookEvents, webhooks, type DeliveryState } from '../../../shared/contracts/webhooks.ts';
import { eventually, startTestApp, type Person, type TestApp } from '../../testing/app.ts';
import { aChannel, aPublishedBot, aVisitor } from '../../testing/channels.ts';
import { changeGuestThread } from '../conversations/guest-threads.ts';
import { signatureOf } from './send.ts';
import { sendKind } from './webhooks.ts';

interface Got {
  path: string | undefined;
  headers: IncomingMessage['headers'];
  body: string;
}

let app: TestApp;
let boss: Person;
let server: Server;
let url: string;
/** What the address got, and what it answers next. */
const got: Got[] = [];
let answers: number[] = [];
beforeAll(async () => {
  server = createServer((request, reply) => {
    let body = '';
    request.on('data', (part) => (body += part));
    request.on('end', () => {
      got.push({ path: request.url, headers: request.headers, body });
      const status = answers.shift() ?? 200;
      if (status === 0) request.socket.destroy();
      else reply.writeHead(status, status === 302 ? { location: 'http://127.0.0.1:1/' } : {}).end('thanks');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // it listens on a port
  url = `http://127.0.0.1:${port}/hook`;
  app = await startTestApp({ ALLOW_PRIVATE_HOSTS: `127.0.0.1:${port}` });
});
beforeEach(async () => {
  boss = await app.aPerson();
  got.length = 0;
  answers = [];
});
afterEach(async () => {
  for (const { uuid } of (await boss.call(webhooks.list)).body.data)
    await boss.call(webhooks.remove, { params: { uuid } });
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await app.stop();
});

const eventsOf = () => got.map(({ headers }) => headers['kotae-event']);

test('an address is told what happens, signed, and again until it has taken it', async () => {
  const made = await boss.call(webhooks.create, {
    body: { url, events: ['conversation.created', 'message.received', 'conversation.handed-off'] },
  });
  const { uuid, secret } = made.body.data;
  answers = [500, 0, 302];
  const visitor = await aVisitor(app, (await aChannel(boss, null)).uuid);
  await visitor.write('Hello from a visitor');
  await eventually(
    'everything is taken',
    async () => {
      const { data } = (await boss.call(webhooks.deliveries, { params: { uuid } })).body;
      return data.length === 3 && data.every(({ state }) => state === 'sent');
    },
    60_000,
  );
  expect(new Set(eventsOf())).toEqual(new Set(['conversation.created', 'message.received', 'conversation.handed-off']));
  expect(got).toHaveLength(6);
  for (const { headers, body } of got) {
    const signature = String(headers['kotae-signature']);
    const seconds = Number(/^t=(\d+)/.exec(signature)?.[1]);
    expect(Math.abs(seconds - Date.now() / 1000)).toBeLessThan(120);
    expect(signature).toBe(signatureOf(secret, body, seconds));
    expect(JSON.parse(body)).toMatchObject({ id: headers['kotae-delivery'], event: headers['kotae-event'] });
  }
  const received = got.find(({ headers }) => headers['kotae-event'] === 'message.received');
  expect(JSON.parse(received?.body ?? '{}').data).toMatchObject({
    conversation: { channel: 'web', status: 'waiting' },
    message: { role: 'user', text: 'Hello from a visitor', seq: 1 },
  });
  const before = got.length;
  const [last] = (await boss.call(webhooks.deliveries, { params: { uuid } })).body.data;
  await boss.call(webhooks.replay, { params: { uuid, delivery: last!.uuid } });
  await eventually('it is sent once more', async () => got.length === before + 1);
  expect(got.at(-1)?.body).toBe(last?.payload);
  const wrong = await boss.call(webhooks.replay, { params: { uuid, delivery: uuid } });
  expect(wrong.error.code).toBe('webhook-not-found');
});

const eventsTo = async (uuid: string) =>
  (await boss.call(webhooks.deliveries, { params: { uuid } })).body.data.map(({ event }) => event);

test('nothing that was not asked for is sent, nor to an address that is switched off', async () => {
  const { uuid } = (await boss.call(webhooks.create, { body: { url, events: ['conversation.resolved'] } })).body.data;
  const { thread, visitor } = await aConversation();
  await visitor.call(visitors.person);
  // What is told comes in order: when this is there, nothing else will come.
  await boss.call(inbox.resolve, { params: { thread } });
  await eventually('it is told', async () => (await eventsTo(uuid)).length > 0);
  expect(await eventsTo(uuid)).toEqual(['conversation.resolved']);
  await boss.call(webhooks.update, { params: { uuid }, body: { active: false, events: ['message.received'] } });
  const other = (await boss.call(webhooks.create, { body: { url, events: ['message.received'] } })).body.data.uuid;
  await visitor.write('Hello again');
  await eventually('another address is told', async () => (await eventsTo(other)).length > 0);
  expect(await eventsTo(uuid)).toEqual(['conversation.resolved']);
});

/** A conversation with people, in which something was said. */
async function aConversation() {
  const visitor = await aVisitor(app, (await aChannel(boss, null)).uuid);
  await visitor.write('Hello');
  const [newest] = (await boss.call(inbox.threads)).body.data;
  return { visitor, thread: newest?.uuid ?? '' };
}

test('a conversation that begins with the wish for a person is told as a new one, before everything else', async () => {
  const own = await app.aPerson();
  const { uuid } = (await own.call(webhooks.create, { body: { url, events: [...webhookEvents] } })).body.data;
  const told = async () => (await own.call(webhooks.deliveries, { params: { uuid } })).body.data;
  const visitor = await aVisitor(app, (await aChannel(own, await aPublishedBot(own))).uuid);
  await visitor.call(visitors.person);
  await visitor.write('Hello');
  const all = await eventually('what they write is told', async () => {
    const data = await told();
    return data.some(({ event }) => event === 'message.received') && data;
  });
  const created = all.filter(({ event }) => event === 'conversation.created');
  expect(created).toHaveLength(1);
  expect(all.map(({ event }) => event)).toContain('conversation.handed-off');
  for (const { createdAt } of all) expect(createdAt >= created[0]!.createdAt).toBe(true);
});

test('an answer that ended before its first word is not told', async () => {
  const { uuid } = (await boss.call(webhooks.create, { body: { url, events: ['message.sent'] } })).body.data;
  const { thread } = await aConversation();
  await changeGuestThread(app.server.context, thread, () => ({ rows: [{ role: 'assistant', text: '' }] }));
  await boss.call(inbox.reply, { params: { thread }, body: { key: crypto.randomUUID(), text: 'At nine.' } });
  const told = await eventually('the answer after it is told', async () => {
    const { data } = (await boss.call(webhooks.deliveries, { params: { uuid } })).body;
    return data.some(({ payload }) => payload.includes('At nine.')) && data;
  });
  expect(told.map(({ payload }) => JSON.parse(payload).data.message.text).filter((text) => text === '')).toEqual([]);
});

test('addresses that never answer hold up neither those of others, nor notices and letters', async () => {
  let open = 0;
  let most = 0;
  const silent = createServer((request) => {
    most = Math.max(most, ++open);
    request.socket.on('close', () => open--);
  });
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const { port } = silent.address() as AddressInfo; // it listens on a port
  const own = await startTestApp({ ALLOW_PRIVATE_HOSTS: `127.0.0.1:${port},${new URL(url).host}` });
  try {
    const [unlucky, other] = [await own.aPerson(), await own.aPerson()];
    const body = { url: `http://127.0.0.1:${port}/`, events: ['message.received' as const] };
    for (let count = 0; count < 20; count++) await unlucky.call(webhooks.create, { body });
    const visitor = await aVisitor(own, (await aChannel(unlucky, null)).uuid);
    for (let count = 0; count < 10; count++) await visitor.write(`Message ${count}`);
    await eventually('they are called', async () => most > 0);
    const { uuid } = (await other.call(webhooks.create, { body: { ...body, url } })).body.data;
    await (await aVisitor(own, (await aChannel(other, null)).uuid)).write('Hello');
    await eventually(
      'the other is told',
      async () => (await other.call(webhooks.deliveries, { params: { uuid } })).body.data[0]?.state === 'sent',
      5_000,
    );
    expect(most).toBeLessThanOrEqual(2);
    const { db } = own.server.context;
    const jobs = await db.selectFrom('job').select(['kind', 'lane']).where('kind', '=', sendKind.name).execute();
    expect(new Set(jobs.map(({ lane }) => lane))).toEqual(new Set(['webhooks']));
    // One for each address, however much waits for it.
    const waiting = await db
      .selectFrom('job')
      .select('uuid')
      .where('lane', '=', 'webhooks')
      .where('unique_key', 'is not', null)
      .execute();
    expect(waiting.length).toBeLessThanOrEqual(21);
  } finally {
    silent.closeAllConnections();
    silent.close();
    await own.stop();
  }
});

test('an address that keeps failing is left alone for a while, until somebody tries it', async () => {
  const { uuid } = (await boss.call(webhooks.create, { body: { url, events: ['message.received'] } })).body.data;
  const read = async () => (await boss.call(webhooks.list)).body.data.find((each) => each.uuid === uuid);
  const find = async () => (await read())?.pausedUntil ?? null;
  expect((await read())?.waitingSince).toBeNull();
  for (let failed = 0; failed < 3; failed++) {
    answers = [500];
    const { body } = await boss.call(webhooks.test, { params: { uuid } });
    await eventually('it failed', async () => {
      const { data } = (await boss.call(webhooks.deliveries, { params: { uuid } })).body;
      return data.find((each) => each.uuid === body.data.uuid)?.error === 'status-500';
    });
  }
  expect(Date.parse((await find()) ?? '')).toBeGreaterThan(Date.now());
  const { data } = (await boss.call(webhooks.deliveries, { params: { uuid } })).body;
  expect((await read())?.waitingSince).toBe(data.findLast(({ state }) => state === 'queued')?.createdAt);
  await boss.call(webhooks.test, { params: { uuid } });
  await eventually(
    'everything is taken',
    async () => {
      const { data } = (await boss.call(webhooks.deliveries, { params: { uuid } })).body;
      return data.every(({ state }) => state === 'sent');
    },
    15_000,
  );
  expect(await find()).toBeNull();
});

test('the log is read by state and event and tells whom it is about; what has failed is sent again in one go', async () => {
  // An address of its own, since those of the other tests hear of the same message.
  const own = { url: `${url}/log`, events: ['message.received' as const] };
  const { uuid } = (await boss.call(webhooks.create, { body: own })).body.data;
  const params = { uuid };
  const eventsHere = () => got.filter(({ path }) => path === '/hook/log').map(({ headers }) => headers['kotae-event']);
  const read = async (state?: DeliveryState) =>
    (await boss.call(webhooks.deliveries, { params, query: { state } })).body;
  const visitor = await aVisitor(app, (await aChannel(boss, null)).uuid);
  await visitor.write('Is the terrace open?');
  await eventually('it is taken', async () => (await read('sent')).data.length === 1);
  const [taken] = (await read()).data;
  expect(taken?.about).toMatchObject({ name: expect.stringMatching(/^guest-/), text: 'Is the terrace open?' });
  expect(taken?.tookMs).toBeGreaterThanOrEqual(0);
  await boss.call(webhooks.test, { params });
  await eventually('the test is taken', async () => (await read('sent')).data.length === 2);
  expect((await read()).data[0]).toMatchObject({ event: 'test', about: null });
  expect(
    (await boss.call(webhooks.deliveries, { params, query: { event: 'test', state: 'sent' } })).body,
  ).toMatchObject({
    data: [{ event: 'test' }],
    counts: { sent: 1, failed: 0, queued: 0 },
  });

  const { db } = app.server.context;
  await db
    .updateTable('webhook_delivery')
    .set({ state: 'failed', error: 'unreachable' })
    .where('target', '=', uuid)
    .execute();
  expect(await read('failed')).toMatchObject({ data: [{}, {}], counts: { sent: 0, failed: 2, queued: 0 } });
  const { week } = webhooks;
  const failed = (await boss.call(week, { params })).body.data;
  expect(failed.days).toHaveLength(7);
  expect(failed.days.at(-1)).toMatchObject({ sent: 0, failed: 2, queued: 0 });
  expect(failed.tookMs).toBeNull();
  expect(eventsHere()).toEqual(['message.received', 'test']);
  expect((await boss.call(webhooks.retry, { params })).status).toBe(200);
  await eventually('all is taken', async () => (await read()).counts?.sent === 2);
  expect(eventsHere()).toEqual(['message.received', 'test', 'message.received', 'test']);
  const taking = (await boss.call(week, { params })).body.data;
  expect(taking.days.at(-1)).toMatchObject({ sent: 2, failed: 0, queued: 0 });
  expect(taking.tookMs).toBeGreaterThanOrEqual(0);
  for (const [event, took] of [
    ['test', 10],
    ['message.received', 40],
  ] as const)
    await db
      .updateTable('webhook_delivery')
      .set({ ended_at: sql`queued_at + ${sql.lit(took)}` })
      .where('target', '=', uuid)
      .where('event', '=', event)
      .execute();
  expect((await boss.call(week, { params })).body.data.tookMs).toBe(25);
  expect(await read('failed')).toMatchObject({ data: [], meta: { nextCursor: null } });

  // Of an address that is off, what is known of its failures stays.
  await db.updateTable('webhook_delivery').set({ state: 'failed', attempts: 16 }).where('target', '=', uuid).execute();
  await boss.call(webhooks.update, { params, body: { active: false } });
  await boss.call(webhooks.retry, { params });
  expect(await read()).toMatchObject({ counts: { failed: 2 }, data: [{ attempts: 16 }, { attempts: 16 }] });
});

test('what waits for another attempt is sent at once when its settings change, and a test does not wait for it', async () => {
  const { uuid } = (await boss.call(webhooks.create, { body: { url, events: ['message.received'] } })).body.data;
  const params = { uuid };
  const all = async () => (await boss.call(webhooks.deliveries, { params })).body.data;
  const { db, queue } = app.server.context;
  const ended = (delivery: string) =>
    eventually('it is taken', async () => (await all()).find((each) => each.uuid === delivery)?.state === 'sent');
  answers = [500];
  const first = (await boss.call(webhooks.test, { params })).body.data.uuid;
  await eventually('it failed', async () => (await all())[0]?.error === 'status-500');
  // In two hours, as after many attempts.
  const later = async () =>
    db
      .updateTable('webhook_delivery')
      .set({ due_at: Date.now() + 7_200_000 })
      .where('uuid', '=', first)
      .execute();
  await later();
  answers = [];
  await boss.call(webhooks.test, { params });
  await eventually('the test is taken', async () => (await all())[0]?.state === 'sent');
  expect((await all()).find((each) => each.uuid === first)?.state).toBe('queued');
  await boss.call(webhooks.update, { params, body: { active: true } });
  queue.wake();
  await ended(first);
});

test('an address inside of the network is refused before and when it is called', async () => {
  for (const address of [
    'http://127.0.0.1:9/',
    'http://169.254.169.254/',
    'ftp://example.com/',
    'https://user@example.com/',
  ])
    expect((await boss.call(webhooks.create, { body: { url: address, events: ['message.sent'] } })).status).toBe(400);
  const { uuid } = (
    await boss.call(webhooks.create, { body: { url: 'http://localtest.invalid/', events: ['message.sent'] } })
  ).body.data;
  await boss.call(webhooks.test, { params: { uuid } });
  const [failed] = await eventually('it is tried', async () => {
    const { data } = (await boss.call(webhooks.deliveries, { params: { uuid } })).body;
    return data[0]?.error ? data : undefined;
  });
  expect(failed).toMatchObject({ event: 'test', state: 'queued', error: 'address-not-allowed', status: null });
});
