import { request } from 'node:http';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../testing/app.ts';
import { createHostCheck } from './hosts.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ ALLOWED_HOSTS: 'kotae.example.org' });
});
afterAll(() => app.stop());

/** A call under a name that leads here. */
async function under(host: string, path: string, { body, accept = '*/*' }: { body?: object; accept?: string } = {}) {
  const { hostname, port } = new URL(app.url);
  const asked = request({
    hostname,
    port,
    path,
    method: body ? 'POST' : 'GET',
    headers: { host: `${host}:${port}`, origin: `http://${host}:${port}`, accept, 'content-type': 'application/json' },
  });
  asked.end(body && JSON.stringify(body));
  const [response] = await once(asked, 'response');
  let text = '';
  for await (const part of response.setEncoding('utf8')) text += part;
  return { status: Number(response.statusCode), type: String(response.headers['content-type']), text };
}

const first = { username: 'mallory', email: 'mallory@example.com', password: 'correct horse battery' };

test('a page whose name was led to this machine makes no first account, and reads nothing', async () => {
  for (const path of ['/api/auth/local/register', '/v1/chat/completions']) {
    const refused = await under('rebound.example', path, { body: first });
    expect([refused.status, JSON.parse(refused.text).error.code]).toEqual([421, 'host-unknown']);
  }
  for (const path of ['/', '/api/service', '/healthz', '/embed.js', '/nothing', '/socket.io/?EIO=4&transport=polling'])
    expect((await under('rebound.example', path)).status).toBeOneOf([400, 403, 421]);
  const { status, text } = await under('localhost', '/api/auth/local/register', { body: first });
  expect([status, JSON.parse(text).user?.username]).toEqual([200, 'mallory']);
});

test.each(['localhost', '127.0.0.1', '[::1]', 'kotae.localhost', 'kotae.example.org'])('%s is known', async (host) => {
  expect((await under(host, '/api/service')).status).toBe(200);
  expect((await under(host, '/socket.io/?EIO=4&transport=polling')).status).toBe(200);
});

test.each(['rebound.example', '10.0.0.7', '127.0.0.1.rebound.example', 'localhost.rebound.example', 'kotae'])(
  'on a fresh server %s is not',
  async (host) => {
    expect((await under(host, '/api/service')).status).toBe(421);
  },
);

test.each([
  [
    { BASE_URL: 'https://kotae.example.com' },
    { 'kotae.example.com': true, 'rebound.example': false, '10.0.0.7:3000': true },
  ],
  [
    { HOST: '0.0.0.0' },
    { '192.168.1.5:3000': true, kotae: true, '[fe80::1]:3000': true, 'rebound.example:3000': false },
  ],
  [
    { BASE_URL: 'https://app.example.com', API_BASE_URL: 'https://api.example.com' },
    { 'api.example.com': true, 'app.example.com': true, 'other.example.com': false },
  ],
  [{ ALLOWED_ORIGINS: ['https://app.example.com'] }, { 'app.example.com': true, 'other.example.com': false }],
  [{}, { 'a b': false, '': false, 'user@localhost': true }],
])('with %j', (given, expected) => {
  const isOurs = createHostCheck({
    HOST: '127.0.0.1',
    BASE_URL: undefined,
    API_BASE_URL: undefined,
    ALLOWED_ORIGINS: [],
    ALLOWED_HOSTS: [],
    ...given,
  });
  expect(Object.fromEntries(Object.keys(expected).map((host) => [host, isOurs(host)]))).toEqual(expected);
});
