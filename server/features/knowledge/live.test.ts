import { randomBytes } from 'node:crypto';
import { io, type Socket } from 'socket.io-client';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { accounts } from '../../../shared/contracts/accounts.ts';
import { documents, knowledge, type Document } from '../../../shared/contracts/knowledge.ts';
import { readConfig } from '../../infra/config.ts';
import { createLog } from '../../infra/log.ts';
import { startServer } from '../../server.ts';
import { eventually, startTestApp, type Person, type TestApp } from '../../testing/app.ts';

const redis = process.env['TEST_REDIS_URL'];
const isShared = process.env['TEST_ENGINE'] === 'postgres' && redis !== undefined;

let app: TestApp;
const open: Socket[] = [];
beforeAll(async () => {
  app = await startTestApp(isShared ? { REDIS_URL: redis, MASTER_KEY: randomBytes(32).toString('base64') } : {});
});
afterEach(() => open.splice(0).forEach((socket) => socket.close()));
afterAll(() => app.stop());

const connect = (url: string, token: unknown, headers: Record<string, string> = {}) => {
  const socket = io(url, {
    path: '/socket.io',
    transports: ['websocket'],
    auth: { token },
    forceNew: true,
    reconnection: false,
    extraHeaders: headers,
  });
  open.push(socket);
  return socket;
};
const connected = (socket: Socket) =>
  new Promise<void>((resolve, reject) => socket.on('connect', resolve).on('connect_error', reject));

async function addText(person: Person) {
  const base = (await person.call(knowledge.create, { body: { name: 'Live' } })).body.data.uuid;
  return (
    await person.call(documents.add, {
      params: { knowledge: base },
      body: { source: 'text', name: 'a.txt', text: 'The zebra crosses at midnight.' },
    })
  ).body.data[0]?.uuid;
}

/** A file that is read in a process of its own takes long enough to be seen on its way. */
async function addPage(person: Person): Promise<string> {
  const base = (await person.call(knowledge.create, { body: { name: 'Live' } })).body.data.uuid;
  const form = new FormData();
  form.append('file', new Blob(['<!doctype html><title>Zoo</title><p>The zebra crosses at midnight.</p>']), 'zoo.html');
  const path = documents.add.path.replace(':knowledge', base);
  const { data } = JSON.parse(await (await person.fetch(path, { method: 'POST', body: form })).text());
  return data[0].uuid;
}

const follow = (socket: Socket) => {
  const seen: Document[] = [];
  socket.on('document', (document: Document) => seen.push(document));
  return seen;
};

test('whoever is in the workspace sees a document come in, and nobody else does', async () => {
  const [person, stranger] = [await app.aPerson(), await app.aPerson()];
  const mine = connect(app.url, person.jwt);
  const theirs = connect(app.url, stranger.jwt);
  const [seen, unseen] = [follow(mine), follow(theirs)];
  await Promise.all([connected(mine), connected(theirs)]);
  const uuid = await addPage(person);
  await eventually('it is told to be ready', async () =>
    seen.some((document) => document.uuid === uuid && document.status === 'indexed'),
  );
  expect(seen.map((document) => document.status)).toContain('parsing');
  expect(unseen).toEqual([]);
});

test.each([
  ['no', undefined],
  ['a wrong', 'nonsense'],
  ['an endless', 'x'.repeat(5000)],
  ['a curious', { $ne: 1 }],
])('%s token is refused', async (_, token) => {
  await expect(connected(connect(app.url, token))).rejects.toThrow('not-signed-in');
});

test('a page of another site gets no connection, whatever it has', async () => {
  const person = await app.aPerson();
  await expect(connected(connect(app.url, person.jwt, { origin: 'https://evil.example' }))).rejects.toThrow();
});

test('signing out ends the connection', async () => {
  const person = await app.aPerson();
  const socket = connect(app.url, person.jwt);
  await connected(socket);
  const cookie = person.cookies.find((each) => each.startsWith('session='))?.split(';')[0] ?? '';
  await app.anyone.call(accounts.signOut, { headers: { cookie, origin: app.url } });
  await eventually('it is closed', async () => socket.disconnected, 10_000);
});

test('strange events change nothing', async () => {
  const person = await app.aPerson();
  const socket = connect(app.url, person.jwt);
  await connected(socket);
  socket.emit('__proto__', { a: 1 });
  socket.emit('document', 5, 'not a function');
  socket.emit('join', { room: 'workspace:other' });
  expect((await person.call(accounts.me)).status).toBe(200);
  expect(socket.connected).toBe(true);
});

test.runIf(isShared)('what one node does is seen on another', async () => {
  const other = await startServer(readConfig(app.settings, {}), createLog('silent'), ['web']);
  try {
    const person = await app.aPerson();
    const socket = connect(other.address ?? '', person.jwt);
    const seen = follow(socket);
    await connected(socket);
    const uuid = await addText(person);
    await eventually('it is told to be ready', async () =>
      seen.some((document) => document.uuid === uuid && document.status === 'indexed'),
    );
  } finally {
    await other.stop();
  }
});
