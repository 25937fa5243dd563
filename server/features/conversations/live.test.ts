import { randomBytes } from 'node:crypto';
import { io, type Socket } from 'socket.io-client';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { accounts } from '../../../shared/contracts/accounts.ts';
import { bots } from '../../../shared/contracts/bots.ts';
import { conversations, messageSent, unwatchThread, watchThread } from '../../../shared/contracts/conversations.ts';
import { keys } from '../../../shared/contracts/keys.ts';
import type { EventData } from '../../../shared/event.ts';
import { readConfig } from '../../infra/config.ts';
import { createLog } from '../../infra/log.ts';
import { startServer } from '../../server.ts';
import { eventually, startTestApp, type Person, type TestApp } from '../../testing/app.ts';

const redis = process.env['TEST_REDIS_URL'];
const isShared = process.env['TEST_ENGINE'] === 'postgres' && redis !== undefined;

let app: TestApp;
let person: Person;
let bot: string;
let thread: string;
const open: Socket[] = [];
beforeAll(async () => {
  app = await startTestApp(isShared ? { REDIS_URL: redis, MASTER_KEY: randomBytes(32).toString('base64') } : {});
  person = await app.aPerson();
  bot = (await person.call(bots.create, { body: { name: 'Bot' } })).body.data.uuid;
  thread = (await ask('When do you open?')).thread.uuid;
});
afterEach(() => open.splice(0).forEach((socket) => socket.close()));
afterAll(() => app.stop());

const ask = async (text: string, threadUuid?: string) =>
  (
    await person.call(conversations.send, {
      body: { bot, message: { text }, ...(threadUuid && { thread: threadUuid }) },
    })
  ).body.data;

async function connect(who: Person, url = app.url): Promise<Socket> {
  const socket = io(url, {
    path: '/socket.io',
    transports: ['websocket'],
    auth: { token: who.jwt },
    forceNew: true,
    reconnection: false,
  });
  open.push(socket);
  await new Promise<void>((resolve, reject) => socket.on('connect', resolve).on('connect_error', reject));
  return socket;
}

type Heard = EventData<typeof messageSent>;
function follow(socket: Socket): Heard[] {
  const heard: Heard[] = [];
  socket.on(messageSent.name, (data: Heard) => heard.push(messageSent.data.parse(data)));
  return heard;
}

const watch = async (socket: Socket, data: object) => socket.timeout(5_000).emitWithAck(watchThread.name, data);

test('whoever watches a thread gets what was said since, and hears question and answer as they are written', async () => {
  const thread = (await ask('When do you open?')).thread.uuid;
  const socket = await connect(person);
  const heard = follow(socket);
  const all = watchThread.reply.parse((await watch(socket, { thread, since: 0 })).data);
  expect(all.messages.map(({ role, seq }) => [role, seq])).toEqual([
    ['user', 1],
    ['assistant', 2],
  ]);
  expect((await watch(socket, { thread, since: 1 })).data.messages).toHaveLength(1);
  const { message } = await ask('And on Sundays?', thread);
  await eventually('both are heard', async () => heard.length === 2);
  expect(heard.map(({ message: { role, seq, message: text } }) => [role, seq, text])).toEqual([
    ['user', 3, 'And on Sundays?'],
    ['assistant', 4, message.text],
  ]);
  expect(heard[0]?.thread).toEqual({ uuid: thread, guest: { name: person.user.username, avatar: null } });
  expect((await socket.timeout(5_000).emitWithAck(unwatchThread.name, { thread })).data).toEqual({ ok: true });
  await ask('And at night?', thread);
  expect(heard).toHaveLength(2);
});

test('who was away asks for what came after the last that they have', async () => {
  const before = watchThread.reply.parse((await watch(await connect(person), { thread, since: 0 })).data);
  const last = before.messages.at(-1)?.seq ?? 0;
  open.splice(0).forEach((socket) => socket.close());
  await ask('Is there parking?', thread);
  const missed = watchThread.reply.parse((await watch(await connect(person), { thread, since: last })).data);
  expect(missed.messages.map(({ seq }) => seq)).toEqual([last + 1, last + 2]);
  expect(missed.hasMore).toBe(false);
});

test('long messages come in parts, and a number that no message has is refused', async () => {
  const long = (await ask(`${'a'.repeat(7_900)} 1`)).thread.uuid;
  for (let at = 2; at <= 9; at++) await ask(`${`a${'\u0301'.repeat(14)}`.repeat(7_900)} ${at}`, long);
  const socket = await connect(person);
  const seen: number[] = [];
  for (let hasMore = true, parts = 0; hasMore; parts++) {
    const part = watchThread.reply.parse((await watch(socket, { thread: long, since: seen.at(-1) ?? 0 })).data);
    expect(JSON.stringify(part).length).toBeLessThan(1_000_000);
    seen.push(...part.messages.map(({ seq }) => seq));
    ({ hasMore } = part);
    expect(parts).toBeLessThan(10);
  }
  expect(seen).toEqual(Array.from({ length: 18 }, (_, at) => at + 1));
  expect((await watch(socket, { thread: long, since: 2 ** 31 })).error.code).toBe('bad-request');
});

test('who asks for everything at once is answered one after another, and told when it is too much', async () => {
  const socket = await connect(person);
  const given = await Promise.all(Array.from({ length: 40 }, () => watch(socket, { thread, since: 0 })));
  expect(given.filter(({ data }) => data).length).toBeGreaterThan(0);
  expect(new Set(given.flatMap(({ error }) => (error ? [error.code] : [])))).toEqual(new Set(['too-many-requests']));
});

test("another's thread, one of a key, and one that was deleted are as if they did not exist", async () => {
  const nowhere = '00000000-0000-7000-8000-000000000000';
  const stranger = await app.aPerson();
  const theirs = await connect(stranger);
  const heard = follow(theirs);
  const foreign = await watch(theirs, { thread, since: 0 });
  const unknown = await watch(theirs, { thread: nowhere, since: 0 });
  expect(foreign.error).toMatchObject({ status: 404, code: 'thread-not-found' });
  expect(foreign).toEqual(unknown);
  await ask('Does anybody listen?', thread);
  expect(heard).toEqual([]);

  const mine = await connect(person);
  const { key } = (await person.call(keys.create, { body: { name: 'Key', scopes: ['chat'] } })).body.data;
  const headers = { 'x-api-key': key };
  const question = { bot, message: { text: 'When?' } };
  const ofKey = (await app.anyone.call(conversations.send, { headers, body: question })).body.data.thread.uuid;
  expect((await watch(mine, { thread: ofKey, since: 0 })).error.code).toBe('thread-not-found');
  const gone = (await person.call(conversations.send, { body: question })).body.data.thread.uuid;
  await person.call(conversations.remove, { params: { thread: gone } });
  expect((await watch(mine, { thread: gone, since: 0 })).error.code).toBe('thread-not-found');
});

describe('a request that is none', () => {
  test.each([
    ['of another shape', { thread: 'x', since: 0 }],
    ['with a field too many', { thread: '00000000-0000-7000-8000-000000000000', since: 0, user: 'x' }],
    ['of nothing', null],
    ['of a list', [[[]]]],
    ['with a NUL', { thread: 'a\u0000', since: 0 }],
    ['with a number beyond all', { thread: '00000000-0000-7000-8000-000000000000', since: 1e300 }],
  ])('%s is refused in words', async (_, data) => {
    const reply = await (await connect(person)).timeout(5_000).emitWithAck(watchThread.name, data);
    expect(reply.error).toMatchObject({ status: 400, code: 'bad-request', message: expect.stringMatching(/\w/) });
  });

  test('of an unknown name, or without a function for the answer, is told by an event', async () => {
    const socket = await connect(person);
    const failed: unknown[] = [];
    socket.on('failed', (value) => failed.push(value));
    socket.emit('__proto__', { x: 1 });
    socket.emit('no.such.request', 'x', 5);
    socket.emit(watchThread.name, { thread, since: 0 }, 'not a function');
    socket.emit(watchThread.name);
    await eventually('all are told', async () => failed.length === 4);
    expect((await person.call(accounts.me)).status).toBe(200);
  });

  test('too many in a second are refused, and a flood ends the connection', async () => {
    const socket = await connect(person);
    const replies = await Promise.all(Array.from({ length: 40 }, () => watch(socket, { thread, since: 1e6 })));
    expect(replies.some(({ error }) => error?.code === 'too-many-requests')).toBe(true);
    const flood = await connect(person);
    for (let sent = 0; sent < 500; sent++) flood.emit(watchThread.name, { thread, since: 0 }, () => {});
    await eventually('it is cut off', async () => flood.disconnected);
  });
});

test('who signed out elsewhere is cut off at the next request at the latest', async () => {
  const socket = await connect(person);
  const { db } = app.server.context;
  const session: string = JSON.parse(Buffer.from(person.jwt.split('.')[1] ?? '', 'base64url').toString()).sid;
  const row = await db.selectFrom('session').selectAll().where('uuid', '=', session).executeTakeFirstOrThrow();
  await db.deleteFrom('session').where('uuid', '=', session).execute();
  await expect(socket.timeout(1_000).emitWithAck(watchThread.name, { thread, since: 0 })).rejects.toThrow();
  await eventually('it is cut off', async () => socket.disconnected);
  await db.insertInto('session').values(row).execute();
});

test.skipIf(!isShared)('a message that was written on one node is heard on the other', async () => {
  const second = await startServer(readConfig(app.settings, {}), createLog('silent'), ['web'], {
    webFolder: app.folder,
  });
  try {
    const socket = await connect(person, second.address);
    const heard = follow(socket);
    await watch(socket, { thread, since: 0 });
    await ask('Can you hear me?', thread);
    await eventually('it is heard', async () => heard.some(({ message }) => message.message === 'Can you hear me?'));
  } finally {
    open.splice(0).forEach((each) => each.close());
    await second.stop();
  }
});

test('a connection asks once to be let in, however often it does', async () => {
  const session = async (path: string, body?: string) =>
    (
      await fetch(`${app.url}/socket.io/?EIO=4&transport=polling${path}`, { ...(body && { method: 'POST', body }) })
    ).text();
  const { sid }: { sid: string } = JSON.parse((await session('')).slice(1));
  const connects = Array.from({ length: 500 }, () => `40${JSON.stringify({ token: person.jwt })}`);
  await session(`&sid=${sid}`, connects.join('\u001e'));
  expect((await session(`&sid=${sid}`)).split('40{').length - 1).toBeLessThan(2);
});
