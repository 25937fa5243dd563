import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openai } from '../../shared/contracts/openai.ts';
import { bodyLimits } from '../infra/bodies.ts';
import { startTestApp, type Person, type TestApp } from '../testing/app.ts';
import { everyRoute } from '../features.ts';

let app: TestApp;
let person: Person;
beforeAll(async () => {
  app = await startTestApp();
  person = await app.aPerson();
});
afterAll(() => app.stop());

const megabyte = 1024 * 1024;
const nobody = '00000000-0000-7000-8000-000000000000';

/** A connection on which a request is written by hand. */
async function open(method: string, path: string, headers: Record<string, string>): Promise<Socket> {
  const { hostname, port } = new URL(app.url);
  const socket = connect(Number(port), hostname);
  await new Promise((done) => socket.once('connect', done));
  const lines = Object.entries({ Host: new URL(app.url).host, ...headers }).map(([name, value]) => `${name}: ${value}`);
  socket.write(`${[`${method} ${path} HTTP/1.1`, ...lines].join('\r\n')}\r\n\r\n`);
  return socket;
}

const statusOf = (socket: Socket) =>
  new Promise<string>((resolve) => {
    socket.on('error', () => resolve('reset'));
    socket.once('data', (part) => {
      socket.destroy();
      resolve(String(part).split(' ')[1] ?? '');
    });
  });

describe.each(
  everyRoute.filter(({ method }) => method !== 'GET').map((route) => [`${route.method} ${route.path}`, route] as const),
)('%s', (_, route) => {
  const path = route.path.replace(/:(\w+)/g, nobody);

  test('answers who may not call it, or sends too much, before the body has come', async () => {
    const types = ['application/json', ...(route.kind === 'multipart' ? ['multipart/form-data; boundary=b'] : [])];
    for (const type of types) {
      const announced = route.access === 'anyone' ? bodyLimits.anyone + 1 : 900_000;
      const socket = await open(route.method, path, { 'Content-Type': type, 'Content-Length': String(announced) });
      expect(await statusOf(socket)).toBe(route.access === 'anyone' ? '413' : '401');
    }
  });
});

describe('while a large body comes in', () => {
  const send = (body: string) =>
    person.fetch(openai.completions.path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });

  test.each([
    ['millions of empty objects', () => `[${'{},'.repeat(6_000_000)}{}]`],
    ['a million names', () => `{${Array.from({ length: 1_500_000 }, (_, at) => `"k${at}":1`).join()}}`],
    ['a string of escapes', () => `{"a":"${'\\"'.repeat(9_000_000)}"}`],
    ['nothing but spaces', () => `{${' '.repeat(19_000_000)}}`],
    ['one long number', () => '1'.repeat(19_000_000)],
  ])('of %s, others are answered', async (_, make) => {
    const body = make();
    const before = process.threadCpuUsage();
    const response = await send(body);
    expect(response.status).toBe(400);
    // The test itself shares the thread, and sends what the server reads. How long others wait is left to the machine.
    const { user, system } = process.threadCpuUsage(before);
    expect((user + system) / 1e3).toBeLessThan(1500);
  });

  test('it is read like a small one', async () => {
    const picture = `data:image/png;base64,${'A'.repeat(3 * megabyte)}`;
    const response = await send(
      JSON.stringify({
        model: nobody,
        messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: picture } }] }],
      }),
    );
    expect(response.status).toBe(404);
    const wrong = await send(`{"model":"x","model":"${'x'.repeat(3 * megabyte)}"}`);
    expect(await wrong.json()).toMatchObject({ error: { code: 'malformed-json' } });
  });
});

test('one address holds no more than its share of memory, and has it back', async () => {
  const length = 18 * megabyte;
  const held = await Promise.all(
    Array.from({ length: 3 }, async () => {
      const socket = await open('POST', openai.completions.path, {
        Authorization: `Bearer ${person.jwt}`,
        'Content-Type': 'application/json',
        'Content-Length': String(length),
      });
      await new Promise((done) => socket.write(`{"a":"${'x'.repeat(length - megabyte)}`, done));
      return socket;
    }),
  );
  const call = () =>
    person.fetch(openai.completions.path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: `{"a":"${'x'.repeat(length)}"}`,
    });
  const refused = await call();
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '2']);
  // What is small still comes in.
  expect((await person.fetch('/api/users/me')).status).toBe(200);
  expect(
    (
      await person.fetch('/api/user/bot', {
        method: 'POST',
        body: '{}',
        headers: { 'content-type': 'application/json' },
      })
    ).status,
  ).toBe(400);
  for (const socket of held) socket.destroy();
  await expect.poll(async () => (await call()).status, { timeout: 20_000 }).toBe(400);
});

test('who loses access while their body is on its way has lost it', async () => {
  const leaving = await app.aPerson();
  const body = JSON.stringify({ name: 'late' });
  const socket = await open('POST', '/api/user/bot', {
    Authorization: `Bearer ${leaving.jwt}`,
    'Content-Type': 'application/json',
    'Content-Length': String(body.length),
  });
  socket.write(body.slice(0, 5));
  await new Promise((done) => setTimeout(done, 1100));
  await leaving.fetch('/api/auth/sign-out', {
    method: 'POST',
    headers: { origin: app.url, cookie: leaving.cookies.map((cookie) => cookie.split(';')[0]).join('; ') },
  });
  socket.write(body.slice(5));
  expect(await statusOf(socket)).toBe('401');
});

test('a call that names two hosts is refused', async () => {
  const socket = await open('GET', '/healthz', { host: 'evil.example' });
  expect(await statusOf(socket)).toBe('400');
  socket.destroy();
});
