import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { visitors } from '../../../shared/contracts/visitors.ts';
import { webhooks } from '../../../shared/contracts/webhooks.ts';
import { eventually, startTestApp, type Person, type TestApp } from '../../testing/app.ts';
import { aChannel, aVisitor } from '../../testing/channels.ts';
import { signatureOf } from './send.ts';

interface Got {
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
      got.push({ headers: request.headers, body });
      const status = answers.shift() ?? 200;
      if (status === 0) request.socket.destroy();
      else reply.writeHead(status, status === 302 ? { location: 'http://127.0.0.1:1/' } : {}).end('thanks');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // it listens on a port
  url = `http://127.0.0.1:${port}/hook`;
  app = await startTestApp({ ALLOW_PRIVATE_HOSTS: `127.0.0.1:${port}` });
  boss = await app.aPerson();
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

test('nothing that was not asked for is sent, nor to an address that is switched off', async () => {
  const { uuid } = (await boss.call(webhooks.create, { body: { url, events: ['conversation.resolved'] } })).body.data;
  const visitor = await aVisitor(app, (await aChannel(boss, null)).uuid);
  await visitor.write('Hello');
  await visitor.call(visitors.person);
  expect((await boss.call(webhooks.deliveries, { params: { uuid } })).body.data).toEqual([]);
  await boss.call(webhooks.update, { params: { uuid }, body: { active: false, events: ['message.received'] } });
  await visitor.write('Hello again');
  expect((await boss.call(webhooks.deliveries, { params: { uuid } })).body.data).toEqual([]);
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
