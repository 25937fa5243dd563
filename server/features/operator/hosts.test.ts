import dns from 'node:dns';
import { createServer, type Server } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { bots } from '../../../shared/contracts/bots.ts';
import { operator } from '../../../shared/contracts/operator.ts';
import { modelKeys, services } from '../../../shared/contracts/services.ts';
import { webChannels } from '../../../shared/contracts/web-channels.ts';
import { webhooks } from '../../../shared/contracts/webhooks.ts';
import { featureSettings } from '../../features.ts';
import { readConfig } from '../../infra/config.ts';
import { createLog } from '../../infra/log.ts';
import { startServer } from '../../server.ts';
import { startTestApp, type Person, type TestApp } from '../../testing/app.ts';
import { goodKey, startDouble, type Double } from '../../testing/models/double.ts';
import { wire } from '../../testing/models/openai-compatible.ts';

let app: TestApp;
let boss: Person;
let person: Person;
let bot: string;
let site: string;
let ollama: Double;
/** Programs on this machine: one that the environment lists, and one that nobody lists. */
let listed: Awaited<ReturnType<typeof startProgram>>;
let hidden: Awaited<ReturnType<typeof startProgram>>;

async function startProgram(on = { port: 0, host: '127.0.0.1' }) {
  const state = { calls: 0, connections: 0, location: '' };
  const server: Server = createServer((_request, response) => {
    state.calls++;
    if (state.location) return void response.writeHead(302, { location: state.location }).end();
    response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Hello</p>');
  }).on('connection', () => state.connections++);
  await new Promise<void>((resolve) => server.listen(on.port, on.host, resolve));
  const address = server.address();
  const port = address && typeof address === 'object' ? address.port : 0;
  const stop = () => void server.close().closeAllConnections();
  return { state, port, host: `127.0.0.1:${port}`, url: `http://127.0.0.1:${port}/`, stop };
}

beforeAll(async () => {
  [ollama, listed, hidden] = [await startDouble(wire), await startProgram(), await startProgram()];
  app = await startTestApp({ ALLOW_PRIVATE_HOSTS: `${listed.host},169.254.10.10:80` });
  [boss, person] = [await app.aPerson(), await app.aPerson()];
  bot = (await boss.call(bots.create, { body: { name: 'Guide' } })).body.data.uuid;
  site = (await boss.call(webChannels.create, { body: { name: 'Shop', bot } })).body.data.uuid;
});
afterEach(async () => {
  dns.lookup = resolve;
  syncBuiltinESMExports();
  for (const { uuid } of await allowed()) await boss.call(operator.forbidHost, { params: { uuid } });
  listed.state.location = '';
});
afterAll(async () => {
  await app.stop();
  await ollama.stop();
  [listed, hidden].forEach(({ stop }) => stop());
});

const resolve = dns.lookup;
/** Names lead where the test says, as they do for whoever owns a domain. */
function leadTo(names: Record<string, string[]>): void {
  const lookup = (name: string, options: dns.LookupAllOptions, answer: (...given: unknown[]) => void) => {
    const found = names[name];
    if (!found) return resolve(name, options, answer);
    const addresses = found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    answer(null, addresses);
  };
  // A border: of the forms that a lookup has, only the one for all addresses is asked here.
  dns.lookup = lookup as unknown as typeof dns.lookup;
  syncBuiltinESMExports();
}

const allow = (url: string, by: Person = boss) => by.call(operator.allowHost, { body: { url } });
const allowed = async () => (await boss.call(operator.hosts)).body.data.allowed;
const addKey = (by: Person, baseUrl: string) =>
  by.call(modelKeys.create, { body: { provider: 'openai-compatible', baseUrl, apiKey: goodKey } });
const refusal = { status: 400, error: { code: 'validation-failed' } };
const fieldOf = (reply: { error?: { details: Record<string, unknown> } }) => reply.error?.details['fields'];
const refused = (reason: string) => [expect.objectContaining({ path: 'baseUrl', code: 'address-not-allowed', reason })];
const auditOf = async (action: string) =>
  (await boss.call(operator.audit, { query: { action } })).body.data.map(({ subject }) => subject);
const hostOf = (url: string) => new URL(url).host;

test('an address that a key was refused for works once an operator has allowed it, without a restart', async () => {
  const before = await addKey(person, ollama.url);
  expect(before).toMatchObject(refusal);
  expect(fieldOf(before)).toEqual(refused('port'));
  const reply = await allow(ollama.url);
  expect(reply.status).toBe(200);
  expect(reply.body.data).toMatchObject({ host: hostOf(ollama.url) });
  const key = await addKey(person, ollama.url);
  expect(key.body.data).toMatchObject({ state: 'ready', message: null });
  const mine = async () => (await person.call(services.list)).body.filter(({ modelId }) => modelId === 'double-1');
  expect(await mine()).toMatchObject([{ availability: 'ready' }]);
  await app.restart();
  expect(await allowed()).toEqual([reply.body.data]);
  expect((await person.call(modelKeys.check, { params: { uuid: key.body.data.uuid } })).body.data.state).toBe('ready');
  await boss.call(operator.forbidHost, { params: { uuid: reply.body.data.uuid } });
  expect(await mine()).toMatchObject([{ availability: 'needs-key', reason: 'address-not-allowed' }]);
  expect(fieldOf(await addKey(person, ollama.url))).toEqual(refused('port'));
  await person.call(modelKeys.remove, { params: { uuid: key.body.data.uuid } });
  expect((await auditOf('host.allowed'))[0]).toBe(hostOf(ollama.url));
  expect((await auditOf('host.forbidden'))[0]).toBe(hostOf(ollama.url));
});

test('nobody else can allow an address, see the list or take one back', async () => {
  const { uuid } = (await allow(hidden.url)).body.data;
  expect((await allow(ollama.url, person)).status).toBe(403);
  expect((await person.call(operator.hosts)).status).toBe(403);
  expect((await person.call(operator.forbidHost, { params: { uuid } })).status).toBe(403);
  expect((await app.anyone.call(operator.allowHost, { body: { url: ollama.url } })).status).toBe(401);
  expect((await allowed()).map(({ host }) => host)).toEqual([hidden.host]);
});

test('an address is in the list once, beside those of the environment, and what is gone cannot be taken back', async () => {
  const replies = await Promise.all([hidden.url, `${hidden.url}other/path?x#y`].map((url) => allow(url)));
  expect(new Set(replies.map(({ body }) => body.data.uuid)).size).toBe(1);
  expect((await boss.call(operator.hosts)).body.data).toMatchObject({
    allowed: [{ host: hidden.host }],
    environment: [listed.host, '169.254.10.10:80'],
  });
  const params = { uuid: replies[0]?.body.data.uuid ?? '' };
  expect((await boss.call(operator.forbidHost, { params })).status).toBe(200);
  const again = await boss.call(operator.forbidHost, { params });
  expect([again.status, again.error.code]).toEqual([404, 'host-not-found']);
});

test('what is allowed on one node holds on another at once, and what is taken back no longer does', async () => {
  // The embedded database belongs to one process.
  if (!app.settings['DATABASE_URL']) return;
  const second = await startServer(readConfig(app.settings, featureSettings), createLog('silent'), ['web']);
  const there = async () => {
    const response = await fetch(`${second.address}${modelKeys.create.path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${person.jwt}`, 'content-type': 'application/json' },
      body: JSON.stringify({ provider: 'openai-compatible', baseUrl: ollama.url, apiKey: goodKey }),
    });
    return response.status;
  };
  try {
    expect(await there()).toBe(400);
    const { uuid } = (await allow(ollama.url)).body.data;
    expect(await there()).toBe(201);
    await boss.call(operator.forbidHost, { params: { uuid } });
    expect(await there()).toBe(400);
  } finally {
    await second.stop();
  }
});

/** The answers of everything that calls what a person names. */
async function tries(url: string): Promise<number[]> {
  const tool = {
    name: 'look',
    description: '',
    method: 'GET' as const,
    url,
    parameters: [],
    headers: [],
    approved: true,
  };
  return [
    (await boss.call(webhooks.create, { body: { url, events: ['message.received'] } })).status,
    (await boss.call(bots.tryTool, { params: { uuid: bot }, body: { tool, input: {} } })).status,
    (await boss.call(webChannels.check, { params: { uuid: site }, body: { url } })).status,
  ];
}

test('webhooks, tools and the check of a site call what is allowed, and nothing beside it', async () => {
  expect(await tries(hidden.url)).toEqual([400, 400, 400]);
  const { uuid } = (await allow(hidden.url)).body.data;
  expect(await tries(hidden.url)).toEqual([201, 200, 200]);
  // Another port, other names of the same machine, and what a program there redirects to.
  for (const other of [
    `http://127.0.0.1:${ollamaPort()}/`,
    `http://127.0.0.1./`,
    `http://localhost:${hidden.port}/`,
    `http://127.0.0.2:${hidden.port}/`,
    `http://[::1]:${hidden.port}/`,
    `http://[::ffff:127.0.0.1]:${hidden.port}/`,
  ])
    expect([other, await tries(other)]).toEqual([other, [400, 400, 400]]);
  // A connection that is still open serves nobody after that.
  await boss.call(operator.forbidHost, { params: { uuid } });
  const { calls } = hidden.state;
  expect(await tries(hidden.url)).toEqual([400, 400, 400]);
  expect(hidden.state.calls).toBe(calls);
});

const ollamaPort = () => new URL(ollama.url).port;

test('a program that is allowed cannot send a request on to one that is not', async () => {
  const check = () => boss.call(webChannels.check, { params: { uuid: site }, body: { url: listed.url } });
  const { connections } = hidden.state;
  for (const location of [hidden.url, 'http://169.254.169.254/latest/', 'file:///etc/passwd']) {
    listed.state.location = location;
    const reply = await check();
    expect([location, reply.status, reply.error.code]).toEqual([location, 400, 'address-not-allowed']);
  }
  expect(hidden.state.connections).toBe(connections);
  await allow(hidden.url);
  listed.state.location = hidden.url;
  expect((await check()).status).toBe(200);
});

test.each([
  'http://169.254.169.254/',
  'http://169.254.169.254:8080/latest/meta-data/',
  'http://169.254.170.2/',
  'http://2852039166/',
  'http://0xa9fea9fe/',
  'http://0251.0376.0251.0376/',
  'http://[::ffff:169.254.169.254]/',
  'http://[64:ff9b::a9fe:a9fe]/',
  'http://[2002:a9fe:a9fe::]/',
  'http://[fe80::1]:11434/',
  'http://[fd00:ec2::254]/',
  'http://100.100.100.200/',
  'http://168.63.129.16/',
  'http://user:secret@127.0.0.1:11434/',
  'ftp://127.0.0.1:21/',
  'http://127.0.0.1\\@example.com/',
  'nonsense',
])('%s can never be allowed', async (url) => {
  const reply = await allow(url);
  expect([reply.status, fieldOf(reply)]).toEqual([
    400,
    [expect.objectContaining({ path: 'url', code: 'address-forbidden' })],
  ]);
  expect(await allowed()).toEqual([]);
});

test('what the environment lists is not called either where no one may', async () => {
  expect(fieldOf(await addKey(person, 'http://169.254.10.10:80/v1'))).toEqual(refused('forbidden'));
});

test('a name that leads to what nobody can allow is refused, also when it leads there only later', async () => {
  const inside = await startProgram();
  const url = `http://cloud.test:${inside.port}/`;
  leadTo({ 'cloud.test': ['127.0.0.1', '169.254.169.254'] });
  expect(fieldOf(await allow(url))).toMatchObject([{ code: 'address-forbidden' }]);
  leadTo({ 'cloud.test': ['127.0.0.1'] });
  expect((await allow(url)).status).toBe(200);
  for (const other of ['169.254.169.254', 'fe80::1', '::ffff:a9fe:a9fe', '100.100.100.200']) {
    leadTo({ 'cloud.test': ['127.0.0.1', other] });
    expect([other, (await tries(url)).slice(1)]).toEqual([other, [400, 200]]);
  }
  expect(inside.state.connections).toBe(0);
  leadTo({ 'cloud.test': ['127.0.0.1'] });
  expect(await tries(url)).toEqual([201, 200, 200]);
  expect(inside.state.calls).toBe(2);
  inside.stop();
});

test('a name on a usual port is told apart for operators only: one that leads inside, and one that nobody has', async () => {
  leadTo({ 'llm.test': ['10.9.8.7'] });
  expect((await addKey(person, 'http://llm.test:8080/v1')).body.data).toMatchObject({ state: 'unreachable' });
  expect(fieldOf(await addKey(boss, 'http://llm.test:8080/v1'))).toEqual(refused('name'));
  expect((await addKey(boss, 'http://nobody-has-this.invalid:8080/v1')).body.data.state).toBe('unreachable');
});

test('a name on a usual port works while it is allowed, also over a connection that is still open', async () => {
  const part = () => 1 + Math.floor(Math.random() * 254);
  const host = `127.${part()}.${part()}.${part()}`;
  const inside = await startProgram({ port: 8443, host });
  leadTo({ 'llm.test': [host] });
  const url = 'http://llm.test:8443/';
  const look = async () => [(await tries(url))[1], inside.state.calls];
  expect(await look()).toEqual([400, 0]);
  const { uuid } = (await allow(url)).body.data;
  expect(await look()).toEqual([200, 2]);
  await boss.call(operator.forbidHost, { params: { uuid } });
  expect(await look()).toEqual([400, 2]);
  inside.stop();
});
