import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { inbox } from '../../../shared/contracts/inbox.ts';
import { readBytes } from '../../infra/outbound.ts';
import type { Channel } from '../../providers/channels/channel.ts';
import { splitText } from '../../providers/channels/split.ts';
import { eventually, startTestApp, type Person, type TestApp } from '../../testing/app.ts';
import { aChannel, aPublishedBot, aVisitor } from '../../testing/channels.ts';

/* A channel whose server has to be called, as it is where guests have no page of ours: here the website's stands in for one. */

let app: TestApp;
let staff: Person;
let bot: string;
let peer: Server;
/** What the channel's server does with each call, in this order; after them it takes everything. */
let script: ((call: IncomingMessage, reply: ServerResponse) => void)[] = [];
/** What it has taken, once for each key, and how often it was called. */
const taken = new Map<string, string>();
let calls = 0;
let giveBack: () => void;

/** Ends in an error of the network, the message taken or not. */
const breaks = (call: IncomingMessage) => void call.socket.destroy();
const answers =
  (status: number) =>
  (_: IncomingMessage, reply: ServerResponse): void =>
    void reply.writeHead(status).end();

const post: Channel = {
  kind: 'web',
  maxTogether: 1,
  async send({ access, to, messages, request, signal }) {
    const [message] = messages;
    if (!message) return { state: 'sent' };
    const answer = await request(access['url'] ?? '', {
      method: 'POST',
      headers: { 'x-key': message.key, 'x-to': Buffer.from(to).toString('hex') },
      body: splitText(message.text, 100).join('|'),
      timeoutMs: 2_000,
      signal,
    });
    await readBytes(answer, 10_000);
    if (answer.status === 200 || answer.status === 409) return { state: 'sent' };
    return answer.status === 429 || answer.status >= 500
      ? { state: 'again', reason: 'busy' }
      : { state: 'failed', reason: 'refused' };
  },
};

beforeAll(async () => {
  peer = createServer(async (call, reply) => {
    calls++;
    const key = String(call.headers['x-key']);
    const words = await textOf(call);
    const next = script.shift();
    // Whatever it answers, it may have taken it: that is what keys are for.
    if (next === breaks || !next) {
      if (taken.has(key)) return void reply.writeHead(409).end();
      taken.set(key, words);
    }
    if (next) next(call, reply);
    else reply.writeHead(200).end('{}');
  });
  await new Promise<void>((resolve) => peer.listen(0, '127.0.0.1', resolve));
  const { port } = peer.address() as AddressInfo; // it listens on a port
  app = await startTestApp({ ALLOW_PRIVATE_HOSTS: `127.0.0.1:${port}` });
  staff = await app.aPerson();
  bot = await aPublishedBot(staff);
  const { channels, features } = app.server.context;
  const { web } = channels;
  const website = features.find(({ name }) => name === 'web-channels') ?? expect.fail('no website');
  channels.web = post;
  website.channelAccess = async () => ({ url: `http://127.0.0.1:${port}/` });
  // The files that follow share both.
  giveBack = () => {
    channels.web = web;
    delete website.channelAccess;
  };
});
afterAll(async () => {
  giveBack();
  peer.close();
  await app.stop();
});
beforeEach(() => {
  script = [];
  taken.clear();
  calls = 0;
});

async function aThread(given: string | null = null): Promise<string> {
  const { uuid: channel } = await aChannel(staff, given);
  const visitor = await aVisitor(app, channel);
  await visitor.write('When does the shop open?');
  return (await staff.call(inbox.threads, { query: { channel } })).body.data[0]!.uuid;
}

const say = (thread: string, text: string) =>
  staff.call(inbox.reply, { params: { thread }, body: { key: randomUUID(), text } });

const sent = async (thread: string) =>
  (await staff.call(inbox.messages, { params: { thread } })).body.data
    .filter(({ role, internal }) => role !== 'user' && !internal)
    .map(({ text, delivery, deliveryError }) => ({ text, delivery, deliveryError }));

/** Pauses between attempts are not waited for. */
async function hurry(): Promise<void> {
  const { db, queue } = app.server.context;
  await db.updateTable('job').set({ run_at: 0 }).where('lane', '=', 'channels').where('state', '=', 'queued').execute();
  queue.wake();
}

const settled = (thread: string) =>
  eventually(
    'nothing waits any more',
    async () => {
      await hurry();
      const messages = await sent(thread);
      return messages.every(({ delivery }) => delivery !== 'queued') && messages;
    },
    30_000,
  );

test('what is said goes out in order, once each, whatever the network does', async () => {
  const thread = await aThread();
  await settled(thread);
  taken.clear();
  const texts = Array.from({ length: 12 }, (_, at) => `answer ${at}`);
  script = [breaks, answers(500), breaks, answers(429), answers(503), breaks];
  await Promise.all([
    hurry(),
    (async () => {
      for (const text of texts) expect((await say(thread, text)).body.data.delivery).toBe('queued');
    })(),
  ]);
  const messages = await settled(thread);
  expect([...taken.values()]).toEqual(texts);
  expect(messages.slice(-12)).toEqual(texts.map((text) => ({ text, delivery: 'sent', deliveryError: null })));
  expect(calls).toBeGreaterThan(texts.length);
});

test('what a channel will never take is failed with its reason, and what comes after goes on; sent again it arrives', async () => {
  const thread = await aThread();
  await settled(thread);
  taken.clear();
  script = [answers(400)];
  await say(thread, 'refused');
  await say(thread, 'taken');
  const messages = await settled(thread);
  expect(messages.slice(-2)).toEqual([
    { text: 'refused', delivery: 'failed', deliveryError: 'refused' },
    { text: 'taken', delivery: 'sent', deliveryError: null },
  ]);
  const failed = (await staff.call(inbox.messages, { params: { thread } })).body.data.find(
    ({ delivery }) => delivery === 'failed',
  );
  const again = await staff.call(inbox.retry, { params: { thread, message: failed!.uuid } });
  expect(again.body.data.delivery).toBe('queued');
  await settled(thread);
  expect([...taken.values()]).toEqual(['taken', 'refused']);
});

test('the bot’s answer goes out like everything else, and a note does not', async () => {
  const thread = await aThread(bot);
  const [answer] = await settled(thread);
  expect(answer?.text).toContain('nine');
  await staff.call(inbox.note, { params: { thread }, body: { key: randomUUID(), text: 'For us alone' } });
  await say(thread, 'From a person');
  await settled(thread);
  expect([...taken.values()]).toEqual([answer?.text, 'From a person']);
});

test('a text that is longer than the channel takes goes out in parts', async () => {
  const thread = await aThread();
  await settled(thread);
  taken.clear();
  await say(thread, 'The shop opens at nine and closes at six. '.repeat(3));
  await settled(thread);
  expect([...taken.values()]).toEqual([
    'The shop opens at nine and closes at six. The shop opens at nine and closes at six.|The shop opens at nine and closes at six.',
  ]);
});

test('conversations do not wait for each other', async () => {
  const [slow, quick] = [await aThread(), await aThread()];
  await settled(slow);
  await settled(quick);
  taken.clear();
  let free = () => {};
  script = [(_, reply) => (free = () => void reply.writeHead(500).end())];
  await say(slow, 'slow');
  await eventually('it is tried', async () => script.length === 0);
  await say(quick, 'quick');
  await eventually('the other has arrived', async () => [...taken.values()].includes('quick'));
  free();
  await settled(slow);
  expect([...taken.values()]).toEqual(['quick', 'slow']);
});

test('what cannot be sent for a whole day is failed, and a person may send it again', async () => {
  const thread = await aThread();
  await settled(thread);
  const { db } = app.server.context;
  script = [answers(500)];
  await say(thread, 'Too late');
  await eventually('it has failed once', async () => script.length === 0);
  script = [answers(500)];
  await eventually('it waits for another attempt', async () => {
    const { numUpdatedRows } = await db
      .updateTable('job')
      .set({ attempts: 99, run_at: 0 })
      .where('lane', '=', 'channels')
      .where('state', '=', 'queued')
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  });
  const messages = await settled(thread);
  expect(messages.at(-1)).toEqual({ text: 'Too late', delivery: 'failed', deliveryError: 'unreachable' });
});
