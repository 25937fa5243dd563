import { readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { bots, emptyConfig } from '../../../shared/contracts/bots.ts';
import { keys } from '../../../shared/contracts/keys.ts';
import { operator } from '../../../shared/contracts/operator.ts';
import {
  builtInService,
  type ModelKey,
  modelKeys,
  operatorServices,
  services,
  trials,
} from '../../../shared/contracts/services.ts';
import { usage } from '../../../shared/contracts/usage.ts';
import { workspaces } from '../../../shared/contracts/workspaces.ts';
import type { BodyIn } from '../../../shared/route.ts';
import { newId } from '../../infra/db.ts';
import { askStreaming, eventually, startTestApp, type Person, type TestApp } from '../../testing/app.ts';
import { goodKey, json, startDouble, type Double } from '../../testing/models/double.ts';
import { wire as chatCompletions } from '../../testing/models/openai-compatible.ts';
import { wires } from '../../testing/models/wires.ts';
import { modelProviders } from '../../providers/models/registry.ts';
import { costOf } from '../usage/ledger.ts';
import { serviceId } from './models.ts';
import { sealedPlace } from './models.store.ts';

const unknown = '00000000-0000-7000-8000-000000000000';
const hostOf = (url: string) => new URL(url).host;
const outcome = (reply: { status: number; error?: { code: string; details: Record<string, unknown> } }) =>
  [reply.status, reply.error?.code, reply.error?.details['fields']].filter((part) => part !== undefined);
const field = (path: string, code: string) => [400, 'validation-failed', [expect.objectContaining({ path, code })]];

let app: TestApp;
let boss: Person;
/** The server that people's own keys are for, another one, and the operator's. */
let own: Double;
let second: Double;
let shared: Double;
const vendorNames = modelProviders.flatMap(({ name, kind }) => (kind === 'vendor' ? [name] : []));
const vendors: Double[] = [];
const everyDouble = () => [own, second, shared, ...vendors];
/** Everything that was said to anybody, to look for secrets in. */
const said: string[] = [];

/** Web servers that are no model provider, two of them slow or silent and one without a list, and an address where nothing listens. */
let page: { url: string; stop(): void };
let slow: { url: string; stop(): void };
let silent: { url: string; stop(): void };
let listless: { url: string; stop(): void };
const nothing = 'http://127.0.0.1:9/v1';

async function startPage(answer: (end: (status: number, text: string) => void) => void) {
  const server = createServer((_request, response) =>
    answer((status, text) => void response.writeHead(status, { 'content-type': 'text/html' }).end(text)),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    url: `http://127.0.0.1:${address && typeof address === 'object' ? address.port : 0}`,
    stop: () => server.close().closeAllConnections(),
  };
}

beforeAll(async () => {
  [own, second, shared] = [
    await startDouble(chatCompletions),
    await startDouble(chatCompletions),
    await startDouble(chatCompletions),
  ];
  for (const wire of wires) if (vendorNames.includes(wire.name)) vendors.push(await startDouble(wire));
  page = await startPage((end) => end(200, '<!doctype html><title>Welcome</title>'));
  slow = await startPage((end) => setTimeout(end, 500, 200, '<!doctype html><title>At last</title>'));
  silent = await startPage(() => {});
  listless = await startPage((end) => end(404, 'Not found'));
  app = await startTestApp({
    LOG_LEVEL: 'trace',
    OPENAI_COMPATIBLE_BASE_URL: shared.url,
    OPENAI_COMPATIBLE_API_KEY: goodKey,
    CREDIT_GRANT: '10',
    CREDIT_MARGIN: '1.5',
    ALLOW_PRIVATE_HOSTS: [
      ...[own, second, ...vendors].map(({ url }) => hostOf(url)),
      ...[page.url, slow.url, silent.url, listless.url, nothing].map(hostOf),
    ].join(','),
  });
  boss = await app.aPerson();
});
afterAll(async () => {
  await app.stop();
  await Promise.all(everyDouble().map((double) => double.stop()));
  for (const each of [page, slow, silent, listless]) each.stop();
});
beforeEach(() =>
  everyDouble().forEach((double) =>
    double.say({ text: ['Hello', ' there.'], tokens: { in: 1000, out: 20, cached: 0 } }),
  ),
);

const aKey = async (person: Person, body: Partial<BodyIn<typeof modelKeys.create>> = {}): Promise<ModelKey> => {
  const reply = await person.call(modelKeys.create, {
    body: { provider: 'openai-compatible', baseUrl: own.url, apiKey: goodKey, ...body },
  });
  said.push(JSON.stringify(reply));
  expect(reply.status).toBe(201);
  return reply.body.data;
};
const keysOf = async (person: Person) => {
  const { body } = await person.call(modelKeys.list);
  said.push(JSON.stringify(body));
  return body.data;
};
/** The services of the person's own servers: the operator's has the same model. */
const ownServices = async (person: Person) =>
  (await person.call(services.list)).body.filter(
    ({ modelId, key, uuid }) => modelId === 'double-1' && (key === 'workspace' || uuid !== sharedService),
  );
let sharedService = '';
beforeAll(async () => {
  sharedService = (await app.anyone.call(services.list)).body.find(({ modelId }) => modelId === 'double-1')?.uuid ?? '';
});
const aBot = async (person: Person, service: string, config: object = {}) =>
  (await person.call(bots.create, { body: { name: 'Guide', service, ...config } })).body.data.uuid;
const ask = async (person: Person, bot: string) => {
  const last = (await askStreaming(person, { bot, message: { text: 'Hello?' } })).at(-1);
  return last && 'message' in last ? last.message : undefined;
};
const historyOf = async (person: Person) => (await person.call(usage.history)).body;
const auditOf = async (person: Person) =>
  (await boss.call(operator.audit, { query: { user: person.user.uuid } })).body.data
    .filter(({ action }) => /^(model-key|service)\./.test(action))
    .map(({ action, subject }) => `${action} ${subject}`);

describe('a form for every kind of key', () => {
  test('names what it asks for, and where a key is to be had', async () => {
    const { data } = (await boss.call(modelKeys.providers)).body;
    expect(data.map(({ name }) => name)).toEqual(wires.map(({ name }) => name));
    for (const { name, keyUrl, settings, avatar } of data) {
      expect([name, settings['required'], avatar.url]).toEqual([
        name,
        vendorNames.includes(name) ? ['apiKey'] : ['baseUrl'],
        `/services/${name}.svg`,
      ]);
      expect(Object(settings['properties']).apiKey).toMatchObject({ title: 'API key', secret: true });
      expect(keyUrl !== null).toBe(vendorNames.includes(name));
    }
  });

  test('has a picture, which a browser asks for once', async () => {
    for (const { avatar } of (await app.anyone.call(services.list)).body) {
      const reply = await app.anyone.fetch(avatar.url);
      expect([reply.status, reply.headers.get('content-type'), reply.headers.get('cache-control')]).toEqual([
        200,
        'image/svg+xml',
        'public, max-age=86400',
      ]);
      expect(reply.headers.get('x-content-type-options')).toBe('nosniff');
      expect(reply.headers.get('content-security-policy')).toContain("script-src 'self'");
      expect(await reply.text()).toMatch(/^<svg .*<\/svg>$/);
      const etag = reply.headers.get('etag') ?? '';
      const again = await app.anyone.fetch(avatar.url, { headers: { 'if-none-match': etag } });
      expect([again.status, again.headers.get('etag'), await again.text()]).toEqual([304, etag, '']);
      const head = await app.anyone.fetch(avatar.url, { method: 'HEAD' });
      expect([head.status, head.headers.get('content-type'), await head.text()]).toEqual([200, 'image/svg+xml', '']);
    }
    expect((await app.anyone.fetch('/services/nobody.svg')).status).toBe(404);
  });

  test.each([
    ['an unknown provider', { provider: 'acme', apiKey: goodKey }, 'provider', 'invalid'],
    ['the built-in model', { provider: 'built-in', apiKey: goodKey }, 'provider', 'invalid'],
    ['no key', { provider: 'anthropic' }, 'apiKey', 'required'],
    [
      'an address for a vendor',
      { provider: 'openai', apiKey: goodKey, baseUrl: 'https://example.com' },
      'baseUrl',
      'unknown-field',
    ],
    ['no address', { provider: 'openai-compatible', apiKey: goodKey }, 'baseUrl', 'required'],
    ['no web address', { provider: 'openai-compatible', baseUrl: 'ftp://example.com' }, 'baseUrl', 'invalid'],
    [
      'a private address',
      { provider: 'openai-compatible', baseUrl: 'http://169.254.169.254/v1' },
      'baseUrl',
      'address-not-allowed',
    ],
    [
      'a port of this machine',
      { provider: 'openai-compatible', baseUrl: 'http://127.0.0.1:22/v1' },
      'baseUrl',
      'address-not-allowed',
    ],
    [
      'a password in the address',
      { provider: 'openai-compatible', baseUrl: 'https://me:secret@example.com/v1' },
      'baseUrl',
      'address-not-allowed',
    ],
  ])('refuses %s and keeps nothing', async (_, body, path, code) => {
    const person = await app.aPerson();
    const reply = await person.call(modelKeys.create, { body });
    expect(outcome(reply)).toEqual(field(path, code));
    expect(reply.error.details['fields']).toEqual([
      expect.objectContaining({ message: expect.stringMatching(/^[A-Z].+\.$/) }),
    ]);
    expect(await keysOf(person)).toEqual([]);
  });
});

describe("a workspace's own key", () => {
  test('is asked at once, opens its models, and answers for a bot without credits', async () => {
    const person = await app.aPerson();
    const key = await aKey(person, { name: 'Lab' });
    expect(key).toMatchObject({
      provider: 'openai-compatible',
      name: 'Lab',
      baseUrl: own.url,
      hint: goodKey.slice(-4),
      state: 'ready',
      message: null,
      models: 2,
      lastUsedAt: null,
    });
    expect(await keysOf(person)).toEqual([key]);
    const [service] = await ownServices(person);
    expect(service).toMatchObject({ name: 'double-1 (Lab)', key: 'workspace', availability: 'ready', price: null });
    const message = await ask(person, await aBot(person, service?.uuid ?? ''));
    expect(message).toMatchObject({
      text: 'Hello there.',
      usage: { ownKey: true, cost: 0, tokensIn: 1000, tokensOut: 20 },
    });
    const { data, meta } = await historyOf(person);
    expect(data[0]).toMatchObject({
      kind: 'use',
      amount: 0,
      use: { ownKey: true, serviceName: 'double-1 (Lab)', bot: { name: 'Guide' }, tokensIn: 1000, tokensOut: 20 },
    });
    expect(meta).toEqual({ nextCursor: null, balance: 10_000_000, reserved: 0 });
    await eventually('it is seen that the key was used', async () => (await keysOf(person))[0]?.lastUsedAt);
    expect(await auditOf(person)).toEqual(['model-key.created Lab']);
  });

  test('changes the list of services, which is otherwise made once', async () => {
    const person = await app.aPerson();
    const list = () => app.server.context.models.list(person.user.workspaces[0]?.uuid);
    const before = await list();
    expect(await list()).toBe(before);
    const { uuid } = await aKey(person);
    const after = await list();
    expect(after.length).toBeGreaterThan(before.length);
    expect(await list()).toBe(after);
    await person.call(modelKeys.remove, { params: { uuid } });
    expect((await list()).length).toBe(before.length);
  });

  test('whose server may not be called any more says so of its models', async () => {
    const person = await app.aPerson();
    const { uuid } = await aKey(person);
    const before = (await ownServices(person)).map(({ availability }) => availability);
    expect(new Set(before)).toEqual(new Set(['ready']));
    await app.server.context.db
      .updateTable('model_key')
      .set({ base_url: 'http://127.0.0.1:10/v1' })
      .where('uuid', '=', uuid)
      .execute();
    const after = (await ownServices(person)).map(({ availability, reason }) => [availability, reason]);
    expect(after).toEqual(before.map(() => ['needs-key', 'address-not-allowed']));
  });

  test('that can write down what is said is named with its models for that, and one that was refused is not asked', async () => {
    const person = await app.aPerson();
    const good = await aKey(person, { name: 'Lab' });
    const refused = await aKey(person, { name: 'Old', apiKey: 'sk-wrong-4cb1e0f9wxyz' });
    expect((await ownServices(person)).map(({ modelId }) => modelId)).not.toContain(own.wire.transcribers?.[0]);
    const before = own.received.length;
    expect((await person.call(modelKeys.transcribers)).body.data).toEqual([
      { key: good.uuid, name: 'Lab', models: own.wire.transcribers },
      { key: refused.uuid, name: 'Old', models: [] },
    ]);
    expect(own.received).toHaveLength(before + 1);
    const stranger = await app.aPerson();
    expect((await stranger.call(modelKeys.transcribers)).body.data).toEqual([]);
  });

  test('opens models for its workspace and for nobody else', async () => {
    const person = await app.aPerson();
    await aKey(person);
    const [service] = await ownServices(person);
    const uuid = service?.uuid ?? '';
    const seenBy = async (someone: Pick<Person, 'call'>) =>
      (await someone.call(services.list)).body.some((each) => each.uuid === uuid);
    const stranger = await app.aPerson();
    expect([await seenBy(person), await seenBy(stranger), await seenBy(app.anyone)]).toEqual([true, false, false]);
    expect(outcome(await stranger.call(trials.try, { body: { service: uuid } }))).toEqual([404, 'service-not-found']);
    expect(outcome(await stranger.call(bots.create, { body: { name: 'x', service: uuid } }))).toEqual([
      404,
      'service-not-found',
    ]);
  });

  test('that is refused is kept, said in the language of who reads it, used for nothing, and mended', async () => {
    const person = await app.aPerson();
    const key = await aKey(person, { apiKey: 'sk-wrong-4cb1e0f9wxyz' });
    expect(key).toMatchObject({
      state: 'rejected',
      hint: 'wxyz',
      models: 0,
      message: 'The provider does not accept this key. It says: Incorrect API key provided: …',
    });
    await app.server.context.db
      .updateTable('user')
      .set({ locale: 'ja' })
      .where('uuid', '=', person.user.uuid)
      .execute();
    expect((await keysOf(person))[0]?.message).toBe(
      'プロバイダーがこのキーを受け付けませんでした。（応答：Incorrect API key provided: …）',
    );
    expect(await ownServices(person)).toEqual([]);
    const mended = await person.call(modelKeys.update, { params: { uuid: key.uuid }, body: { apiKey: goodKey } });
    expect(mended.body.data).toMatchObject({
      uuid: key.uuid,
      state: 'ready',
      message: null,
      models: 2,
      hint: goodKey.slice(-4),
    });
    expect(await ownServices(person)).toHaveLength(1);
    expect(await auditOf(person)).toEqual([
      'model-key.updated OpenAI-compatible',
      'model-key.created OpenAI-compatible',
    ]);
  });

  test('that is refused in the middle of its work is marked, and asked again on demand', async () => {
    const person = await app.aPerson();
    const key = await aKey(person);
    const [service] = await ownServices(person);
    const bot = await aBot(person, service?.uuid ?? '');
    own.behave(
      ({ response }) =>
        void response
          .writeHead(401, { 'content-type': 'application/json' })
          .end(JSON.stringify({ error: { message: 'Revoked.' } })),
    );
    expect(await ask(person, bot)).toMatchObject({ status: 'failed', error: { code: 'provider-key-rejected' } });
    expect(await keysOf(person)).toEqual([
      expect.objectContaining({
        state: 'rejected',
        message: 'The provider does not accept this key. It says: Revoked.',
      }),
    ]);
    expect(await ownServices(person)).toEqual([
      expect.objectContaining({ availability: 'needs-key', reason: 'key-rejected' }),
    ]);
    const asked = own.received.length;
    expect(await ask(person, bot)).toMatchObject({ status: 'failed', error: { code: 'service-not-ready' } });
    expect(own.received).toHaveLength(asked);
    own.say({ text: ['Back.'] });
    expect((await person.call(modelKeys.check, { params: { uuid: key.uuid } })).body.data).toMatchObject({
      state: 'ready',
      message: null,
    });
    expect(await ask(person, bot)).toMatchObject({ text: 'Back.', usage: { ownKey: true } });
  });

  test('that is refused is tried again by itself after ten minutes', async () => {
    const person = await app.aPerson();
    const key = await aKey(person);
    const [service] = await ownServices(person);
    const bot = await aBot(person, service?.uuid ?? '');
    const refuse = (status: number, message: string) =>
      own.behave(({ response }) => json(response, status, { error: { message } }));
    const wait = () =>
      app.server.context.db
        .updateTable('model_key')
        .set({ checked_at: Date.now() - 11 * 60_000 })
        .where('uuid', '=', key.uuid)
        .execute();
    refuse(401, 'Revoked.');
    await ask(person, bot);
    await wait();
    expect(await ask(person, bot)).toMatchObject({ error: { code: 'provider-key-rejected' } });
    expect(await ask(person, bot)).toMatchObject({ error: { code: 'service-not-ready' } });
    await wait();
    own.say({ text: ['Back.'] });
    expect(await ask(person, bot)).toMatchObject({ text: 'Back.', usage: { ownKey: true } });
    await eventually('the key counts as good', async () => {
      const [{ state, message } = key] = await keysOf(person);
      return state === 'ready' && message === null;
    });
  });

  test('whose account has no credit left is told as that, in both languages', async () => {
    const person = await app.aPerson();
    const key = await aKey(person);
    const [service] = await ownServices(person);
    const bot = await aBot(person, service?.uuid ?? '');
    own.behave(({ response }) => json(response, 402, { error: { message: 'Insufficient Balance' } }));
    expect(await ask(person, bot)).toMatchObject({ status: 'failed', error: { code: 'provider-exhausted' } });
    expect(await keysOf(person)).toEqual([
      expect.objectContaining({
        uuid: key.uuid,
        state: 'exhausted',
        message: 'The account of this key has no credit left. It says: Insufficient Balance',
      }),
    ]);
    expect(await ownServices(person)).toEqual([
      expect.objectContaining({ availability: 'needs-key', reason: 'key-exhausted' }),
    ]);
    await app.server.context.db
      .updateTable('user')
      .set({ locale: 'ja' })
      .where('uuid', '=', person.user.uuid)
      .execute();
    expect((await keysOf(person))[0]?.message).toBe(
      'このキーのアカウントの残高が不足しています。（応答：Insufficient Balance）',
    );
  });

  test('stays as it is when its provider only refuses a question', async () => {
    const person = await app.aPerson();
    await aKey(person);
    const [service] = await ownServices(person);
    const bot = await aBot(person, service?.uuid ?? '');
    own.behave(({ response }) => json(response, 403, { error: { message: 'Your input was flagged.' } }));
    expect(await ask(person, bot)).toMatchObject({
      status: 'failed',
      error: { code: 'provider-refused', message: expect.stringContaining('Your input was flagged.') },
    });
    expect(await keysOf(person)).toEqual([expect.objectContaining({ state: 'ready' })]);
    own.say({ text: ['Fine.'] });
    expect(await ask(person, bot)).toMatchObject({ text: 'Fine.' });
  });

  test('that somebody corrects while the old one is being refused stays good', async () => {
    const person = await app.aPerson();
    const key = await aKey(person);
    const [service] = await ownServices(person);
    const bot = await aBot(person, service?.uuid ?? '');
    let corrected: Promise<unknown> | undefined;
    own.behave(async ({ response }) => {
      corrected ??= person.call(modelKeys.update, { params: { uuid: key.uuid }, body: { apiKey: goodKey } });
      await corrected;
      json(response, 401, { error: { message: 'Revoked.' } });
    });
    expect(await ask(person, bot)).toMatchObject({ error: { code: 'provider-key-rejected' } });
    expect(await keysOf(person)).toEqual([expect.objectContaining({ state: 'ready' })]);
  });

  test.each([
    ['nothing listens', () => nothing, 'No server answers at this address.'],
    [
      'a web page is',
      () => page.url,
      'The server at this address does not speak the API of a model provider. Check the address; it often ends in /v1.',
    ],
    ['no name is known', () => 'https://kotae.invalid/v1', 'No server answers at this address.'],
  ])('for an address where %s is kept as unreachable', async (_, url, message) => {
    const person = await app.aPerson();
    const key = await aKey(person, { baseUrl: url() });
    expect(key).toMatchObject({ state: 'unreachable', models: 0, message, baseUrl: url() });
    expect((await person.call(modelKeys.check, { params: { uuid: key.uuid } })).body.data.state).toBe('unreachable');
  });

  test('for a server that says nothing is kept after ten seconds', async () => {
    const person = await app.aPerson();
    const started = Date.now();
    expect(await aKey(person, { baseUrl: `${silent.url}/v1` })).toMatchObject({
      state: 'unreachable',
      message: 'No server answers at this address.',
    });
    expect(Date.now() - started).toBeLessThan(13_000);
  });

  test('keeps the models it had while its server is away', async () => {
    const person = await app.aPerson();
    const key = await aKey(person);
    await app.server.context.db
      .updateTable('model_key')
      .set({ base_url: nothing })
      .where('uuid', '=', key.uuid)
      .execute();
    expect((await person.call(modelKeys.check, { params: { uuid: key.uuid } })).body.data).toMatchObject({
      state: 'unreachable',
      models: 2,
    });
    expect(await ownServices(person)).toEqual([expect.objectContaining({ availability: 'ready', key: 'workspace' })]);
  });

  test('never goes to another address than the one it was given for', async () => {
    const person = await app.aPerson();
    const key = await aKey(person);
    const change = (body: BodyIn<typeof modelKeys.update>) =>
      person.call(modelKeys.update, { params: { uuid: key.uuid }, body });
    second.received.length = 0;
    expect(outcome(await change({ baseUrl: second.url }))).toEqual(field('apiKey', 'required'));
    expect(second.received).toEqual([]);
    expect(await keysOf(person)).toEqual([key]);
    // Saying the old address once more changes nothing, and needs nothing.
    expect((await change({ baseUrl: own.url })).body.data.state).toBe('ready');
    const other = 'sk-another-0123456789';
    expect((await change({ baseUrl: second.url, apiKey: other })).body.data).toMatchObject({
      baseUrl: second.url,
      state: 'rejected',
      hint: '6789',
    });
    expect(second.received.map(({ headers }) => headers.authorization)).toEqual([`Bearer ${other}`]);
  });

  test('can be renamed without asking anybody', async () => {
    const person = await app.aPerson();
    const { uuid } = await aKey(person);
    const asked = own.received.length;
    expect(
      (await person.call(modelKeys.update, { params: { uuid }, body: { name: 'Renamed' } })).body.data,
    ).toMatchObject({ name: 'Renamed', state: 'ready', models: 2 });
    expect(own.received).toHaveLength(asked);
    expect((await ownServices(person)).map(({ name }) => name)).toEqual(['double-1 (Renamed)']);
  });

  test('that somebody changes while its provider is still being asked stays as they made it', async () => {
    const person = await app.aPerson();
    const { uuid } = await aKey(person, { baseUrl: slow.url });
    const late = person.call(modelKeys.update, { params: { uuid }, body: { apiKey: 'sk-first-0123456789' } });
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(
      (
        await person.call(modelKeys.update, {
          params: { uuid },
          body: { apiKey: 'sk-second-9876543210', baseUrl: second.url },
        })
      ).status,
    ).toBe(200);
    expect(outcome(await late)).toEqual([409, 'conflict']);
    expect(await keysOf(person)).toEqual([expect.objectContaining({ baseUrl: second.url, hint: '3210' })]);
  });

  test('is needed by no server that asks for none', async () => {
    const person = await app.aPerson();
    const { data } = (
      await person.call(modelKeys.create, { body: { provider: 'openai-compatible', baseUrl: `${page.url}/v1` } })
    ).body;
    expect(data).toMatchObject({ hint: '', baseUrl: `${page.url}/v1` });
    expect(
      (await person.call(modelKeys.update, { params: { uuid: data.uuid }, body: { baseUrl: page.url } })).status,
    ).toBe(200);
  });

  test('that is short shows nothing of itself', async () => {
    expect(await aKey(await app.aPerson(), { apiKey: 'abcd' })).toMatchObject({ hint: '' });
  });

  test('that is deleted is gone, with its models', async () => {
    const person = await app.aPerson();
    const { uuid } = await aKey(person, { name: 'Old' });
    const [service] = await ownServices(person);
    const bot = await aBot(person, service?.uuid ?? '');
    expect((await person.call(modelKeys.remove, { params: { uuid } })).body).toEqual({ ok: true });
    expect([await keysOf(person), await ownServices(person)]).toEqual([[], []]);
    expect(await ask(person, bot)).toMatchObject({ status: 'failed', error: { code: 'service-not-found' } });
    expect(outcome(await person.call(modelKeys.remove, { params: { uuid } }))).toEqual([404, 'key-not-found']);
    expect(await auditOf(person)).toEqual(['model-key.deleted Old', 'model-key.created Old']);
  });

  test('of another workspace is the same 404 as none', async () => {
    const owner = await app.aPerson();
    const { uuid } = await aKey(owner);
    const before = await keysOf(owner);
    const stranger = await app.aPerson();
    for (const each of [uuid, unknown, 'nonsense']) {
      const replies = [
        await stranger.call(modelKeys.update, { params: { uuid: each }, body: { name: 'mine' } }),
        await stranger.call(modelKeys.check, { params: { uuid: each } }),
        await stranger.call(modelKeys.remove, { params: { uuid: each } }),
      ];
      for (const reply of replies) expect(reply.status).toBe(404);
      if (each !== 'nonsense') for (const reply of replies) expect(reply.error.code).toBe('key-not-found');
    }
    expect(await keysOf(stranger)).toEqual([]);
    expect(await keysOf(owner)).toEqual(before);
  });

  test('is the twentieth at most', async () => {
    const person = await app.aPerson();
    const { uuid } = await aKey(person);
    const { db } = app.server.context;
    const row = await db.selectFrom('model_key').selectAll().where('uuid', '=', uuid).executeTakeFirstOrThrow();
    await db
      .insertInto('model_key')
      .values(Array.from({ length: 18 }, () => ({ ...row, uuid: newId() })))
      .execute();
    const replies = await Promise.all(
      [1, 2, 3].map(() =>
        person.call(modelKeys.create, { body: { provider: 'openai-compatible', baseUrl: own.url, apiKey: goodKey } }),
      ),
    );
    expect(replies.map(({ status }) => status).toSorted()).toEqual([201, 422, 422]);
    expect(replies.find(({ status }) => status === 422)?.error).toMatchObject({
      code: 'too-many',
      details: { limit: 20 },
    });
    expect(await keysOf(person)).toHaveLength(20);
  });

  test.each(['editor', 'staff', 'viewer'] as const)('is nothing that %s may see', async (role) => {
    const owner = await app.aPerson();
    const { uuid } = await aKey(owner);
    const { url } = (await owner.call(workspaces.invite, { body: { role } })).body.data;
    const member = await app.aPerson();
    const joined = (
      await member.call(workspaces.acceptInvitation, { body: { code: new URL(url).searchParams.get('code') ?? '' } })
    ).body.data;
    const headers = { 'x-workspace': joined.uuid };
    const replies = [
      await member.call(modelKeys.list, { headers }),
      await member.call(modelKeys.check, { headers, params: { uuid } }),
      await member.call(modelKeys.remove, { headers, params: { uuid } }),
    ];
    for (const reply of replies) expect(outcome(reply)).toEqual([403, 'not-allowed']);
    const edits = (await owner.call(keys.create, { body: { name: 'x', scopes: ['edit'] } })).body.data.key;
    expect((await app.anyone.call(modelKeys.list, { headers: { 'x-api-key': edits } })).status).toBe(403);
  });
});

describe("what a model of a workspace's own server can do", () => {
  const opened = async (person: Person, uuid: string) =>
    (await person.call(modelKeys.models, { params: { uuid } })).body.data;
  const say = (person: Person, uuid: string, service: string, body: BodyIn<typeof modelKeys.changeModel>) =>
    person.call(modelKeys.changeModel, { params: { uuid, service }, body });
  const tools = [
    {
      name: 'stock',
      description: 'How many there are',
      method: 'GET' as const,
      url: 'https://example.com/',
      headers: [],
      parameters: [],
      approved: true,
    },
  ];

  test('is what the workspace says by hand, until that is taken back', async () => {
    const person = await app.aPerson();
    const { uuid } = await aKey(person);
    const [listed] = await ownServices(person);
    const service = listed?.uuid ?? '';
    const bot = await aBot(person, service, { tools });
    expect((await opened(person, uuid))[0]).toEqual({ ...listed, changed: false });
    await ask(person, bot);
    const before = own.last().body as { max_tokens: number };
    expect(before).toHaveProperty('tools');

    const said = { capabilities: ['json', 'reasoning', 'json'] as ('json' | 'reasoning')[], contextTokens: 100_000 };
    const changed = (await say(person, uuid, service, said)).body.data;
    const { updatedAt } = changed;
    const now = { capabilities: ['json', 'reasoning'], contextTokens: 100_000, updatedAt };
    expect(changed).toEqual({ ...listed, ...now, changed: true });
    expect(updatedAt > (listed?.updatedAt ?? '')).toBe(true);
    expect((await ownServices(person))[0]).toEqual({ ...listed, ...now });
    await ask(person, bot);
    expect(own.last().body).not.toHaveProperty('tools');
    expect((own.last().body as { max_tokens: number }).max_tokens).toBeGreaterThan(before.max_tokens);

    // It stays when the server is asked again, and one part goes without the other.
    await person.call(modelKeys.check, { params: { uuid } });
    const { capabilities, contextTokens } = now;
    expect((await opened(person, uuid))[0]).toMatchObject({ capabilities, contextTokens, changed: true });
    expect((await say(person, uuid, service, { capabilities: null })).body.data).toMatchObject({
      capabilities: listed?.capabilities,
      contextTokens: 100_000,
      changed: true,
    });
    await say(person, uuid, service, { contextTokens: 1_000 });
    await ask(person, bot);
    expect((own.last().body as { max_tokens: number }).max_tokens).toBeLessThan(1_000);
    expect((await say(person, uuid, service, { contextTokens: null })).body.data).toEqual({
      ...listed,
      changed: false,
      updatedAt: expect.any(String),
    });
    expect(await auditOf(person)).toEqual([
      ...Array(4).fill('model-key.updated OpenAI-compatible'),
      'model-key.created OpenAI-compatible',
    ]);
  });

  test('is told by some names, and by hand where a name is wrong', async () => {
    const person = await app.aPerson();
    const { uuid } = await aKey(person);
    const models = JSON.stringify([
      { id: 'qwen3-8b', name: 'Qwen3', contextTokens: 100_000, capabilities: ['vision', 'tools', 'json'] },
    ]);
    await app.server.context.db
      .updateTable('model_key')
      .set({ models, updated_at: Date.now() + 1 })
      .where('uuid', '=', uuid)
      .execute();
    const [model] = await opened(person, uuid);
    expect(model?.capabilities).toEqual(['vision', 'tools', 'json', 'reasoning']);
    const bot = await aBot(person, model?.uuid ?? '', { parameters: { ...emptyConfig.parameters, maxTokens: 500 } });
    const asked = async () => {
      await ask(person, bot);
      return own.last().body;
    };
    expect(await asked()).toMatchObject({ model: 'qwen3-8b', max_tokens: 500 + 8192 });
    await say(person, uuid, model?.uuid ?? '', { capabilities: ['tools', 'json'] });
    expect(await asked()).toMatchObject({ max_tokens: 500 });
  });

  test('is said of what was taken for something else, which answers then, or draws', async () => {
    const person = await app.aPerson();
    const { uuid } = await aKey(person);
    const models = JSON.stringify([{ id: 'guard', name: 'Guard', group: 'other', contextTokens: 0, capabilities: [] }]);
    await app.server.context.db
      .updateTable('model_key')
      .set({ models, updated_at: Date.now() + 1 })
      .where('uuid', '=', uuid)
      .execute();
    const service = (await opened(person, uuid))[0]?.uuid ?? '';
    const shown = async () => {
      const found = (await person.call(services.list)).body.find((each) => each.uuid === service);
      return [found?.group, found?.contextTokens, found?.capabilities];
    };
    expect(await shown()).toEqual(['other', 0, []]);
    await say(person, uuid, service, { group: 'model' });
    expect(await shown()).toEqual(['model', 8192, ['vision', 'tools', 'json']]);
    await say(person, uuid, service, { group: 'image-model' });
    expect(await shown()).toEqual(['image-model', 0, []]);
    await say(person, uuid, service, { group: null });
    expect(await shown()).toEqual(['other', 0, []]);
  });

  test('is named by hand where a server has no list', async () => {
    const person = await app.aPerson();
    expect(await aKey(person, { models: ' one, two、one\n' })).toMatchObject({ named: 'one, two', models: 4 });
    const key = await aKey(person, { baseUrl: listless.url });
    expect(key).toMatchObject({ state: 'unreachable', models: 0, message: expect.stringContaining('“Models”') });
    const change = (models: string) => person.call(modelKeys.update, { params: { uuid: key.uuid }, body: { models } });
    expect((await change('one, two')).body.data).toMatchObject({ state: 'ready', message: null, models: 2 });
    expect((await opened(person, key.uuid)).map(({ modelId }) => modelId)).toEqual(['one', 'two']);
    expect((await person.call(modelKeys.check, { params: { uuid: key.uuid } })).body.data).toMatchObject({ models: 2 });
    expect((await change('')).body.data).toMatchObject({ state: 'unreachable', named: '' });
  });

  test('is said of one server and not of the same model elsewhere', async () => {
    const [person, other] = [await app.aPerson(), await app.aPerson()];
    const [first, twin, foreign] = [
      await aKey(person),
      await aKey(person, { baseUrl: second.url, name: 'Second' }),
      await aKey(other),
    ];
    const [model] = await opened(person, first.uuid);
    await say(person, first.uuid, model?.uuid ?? '', { capabilities: [] });
    expect((await opened(person, first.uuid))[0]?.capabilities).toEqual([]);
    for (const [who, key] of [
      [person, twin],
      [other, foreign],
    ] as const)
      expect((await opened(who, key.uuid))[0]).toMatchObject({ capabilities: model?.capabilities, changed: false });
    expect(
      (await app.anyone.call(services.list)).body.find(({ uuid }) => uuid === sharedService)?.capabilities,
    ).toEqual(model?.capabilities);
  });

  test('is for those to say who manage the workspace, of models that its key opens', async () => {
    const [person, other] = [await app.aPerson(), await app.aPerson()];
    const { uuid } = await aKey(person);
    const service = (await opened(person, uuid))[0]?.uuid ?? '';
    expect(outcome(await other.call(modelKeys.models, { params: { uuid } }))).toEqual([404, 'key-not-found']);
    expect(outcome(await say(other, uuid, service, { capabilities: [] }))).toEqual([404, 'key-not-found']);
    for (const each of [unknown, sharedService, builtInService])
      expect(outcome(await say(person, uuid, each, { capabilities: [] }))).toEqual([404, 'service-not-found']);
    expect(outcome(await say(person, uuid, service, { contextTokens: 255 }))).toEqual(
      field('contextTokens', 'number-too-small'),
    );
    expect((await opened(person, uuid)).map(({ changed }) => changed)).toEqual([false, false]);
    // The models of a vendor are known.
    const vendor = await aKey(person, { provider: 'openai', baseUrl: undefined, apiKey: 'sk-none-0123456789' });
    expect(await opened(person, vendor.uuid)).toEqual([]);
  });
});

describe("a vendor's key", () => {
  test.each(vendorNames)('of %s opens its models and answers on its own wire', async (provider) => {
    const person = await app.aPerson();
    const vendor = vendors.find(({ wire }) => wire.name === provider);
    if (!vendor) throw new Error('no such vendor');
    // A vendor's address is its own; only the row can lead to one on this machine.
    const { db, sealer } = app.server.context;
    const [uuid, now] = [newId(), Date.now()];
    const needy = (await person.call(services.list)).body.find(
      (service) => service.provider === provider && service.group === 'model',
    );
    expect(needy).toMatchObject({ key: null, availability: 'needs-key', reason: 'no-key' });
    await db
      .insertInto('model_key')
      .values({
        uuid,
        workspace: person.user.workspaces[0]?.uuid ?? '',
        provider,
        name: '',
        base_url: vendor.url,
        sealed: sealer.seal(goodKey, sealedPlace(uuid)),
        hint: '',
        state: 'unreachable',
        message: null,
        models: '[]',
        named: '',
        abilities: '{}',
        checked_at: now,
        last_used_at: null,
        created_at: now,
        updated_at: now,
      })
      .execute();
    const { data } = (await person.call(modelKeys.check, { params: { uuid } })).body;
    expect(data).toMatchObject({ state: 'ready', message: null });
    expect(data.models).toBeGreaterThan(0);
    const opened = (await person.call(services.list)).body.filter((service) => service.provider === provider);
    expect(opened.every(({ key, availability }) => key === 'workspace' && availability === 'ready')).toBe(true);
    const { transcribers } = vendor.wire;
    expect((await person.call(modelKeys.transcribers)).body.data).toMatchObject(
      transcribers ? [{ key: uuid, models: transcribers }] : [],
    );
    const service = opened.find(({ modelId }) => modelId.startsWith(vendor.wire.model))?.uuid ?? '';
    vendor.say({ text: ['Good', ' morning.'], tokens: { in: 12, out: 4, cached: 0 } });
    expect((await person.call(trials.try, { body: { service } })).body.data).toMatchObject({
      text: 'Good morning.',
      tokensIn: 12,
      tokensOut: 4,
      service: { uuid: service },
    });
    expect((await historyOf(person)).data[0]).toMatchObject({
      amount: 0,
      use: { service, ownKey: true, channel: 'trial', bot: null, tokensIn: 12 },
    });
    await person.call(modelKeys.remove, { params: { uuid } });
    expect((await person.call(services.list)).body.find((each) => each.uuid === needy?.uuid)).toEqual(needy);
  });
});

describe('the list of services', () => {
  // https://openrouter.ai/docs/models
  test('gives away no model whose server has prices but none for it, until the operator sets one', async () => {
    const aList = (models: [string, unknown][]) =>
      JSON.stringify({ data: models.map(([id, pricing]) => ({ id, object: 'model', pricing })) });
    const priced = await startPage((end) =>
      end(
        200,
        aList([
          ['known', { prompt: '0.000001', completion: '0.000002' }],
          ['gratis', { prompt: '0', completion: '0' }],
          ['auto', { prompt: '-1', completion: '-1' }],
          ['odd', { prompt: 'ask us', completion: '0' }],
          ['untold', undefined],
        ]),
      ),
    );
    const other = await startTestApp({ OPENAI_COMPATIBLE_BASE_URL: `${priced.url}/v1` });
    try {
      const { body } = await other.anyone.call(services.list);
      const stateOf = (id: string) => {
        const { availability, reason } = body.find(({ modelId }) => modelId === id)!;
        return [availability, reason];
      };
      for (const id of ['known', 'gratis']) expect(stateOf(id)).toEqual(['ready', null]);
      for (const id of ['auto', 'odd', 'untold']) expect(stateOf(id)).toEqual(['disabled', 'no-price']);
      const first = await other.aPerson();
      const service = body.find(({ modelId }) => modelId === 'auto')?.uuid ?? '';
      expect((await first.call(trials.try, { body: { service } })).error?.code).toBe('service-not-ready');
      const price = { in: 1, out: 2, cached: 1 };
      const changed = await first.call(operatorServices.update, { params: { uuid: service }, body: { price } });
      expect(changed.body.data).toMatchObject({ availability: 'ready', price });
    } finally {
      await other.stop();
      priced.stop();
    }
  });

  test('does not wait for a server that hangs', async () => {
    let hangs = false;
    const hanging = await startPage((end) =>
      hangs ? undefined : end(200, JSON.stringify({ data: [{ id: 'there', object: 'model' }] })),
    );
    const other = await startTestApp({ OPENAI_COMPATIBLE_BASE_URL: `${hanging.url}/v1` });
    const list = async () => {
      const started = performance.now();
      const { body } = await other.anyone.call(services.list);
      return [body.some(({ modelId }) => modelId === 'there'), performance.now() - started < 2000];
    };
    try {
      expect(await list()).toEqual([true, true]);
      hangs = true;
      vi.setSystemTime(Date.now() + 120_000);
      expect(await list()).toEqual([true, true]);
    } finally {
      vi.useRealTimers();
      await other.stop();
      hanging.stop();
    }
  });

  test('does not wait for a server that hangs from the start for longer than a moment', async () => {
    const other = await startTestApp({ OPENAI_COMPATIBLE_BASE_URL: `${silent.url}/v1` });
    const started = Date.now();
    expect((await other.anyone.call(services.list)).body.length).toBeGreaterThan(1);
    expect(Date.now() - started).toBeLessThan(3000);
    await other.stop();
  });
});

describe('trying a service', () => {
  test('costs nothing with what is built in, and is a sentence', async () => {
    const person = await app.aPerson();
    const { data } = (await person.call(trials.try, { body: { service: builtInService } })).body;
    expect(data).toMatchObject({
      text: 'Hello. I answer from your documents, in their own words.',
      service: { uuid: builtInService, key: 'none' },
    });
    expect((await historyOf(person)).meta.balance).toBe(10_000_000);
  });

  test('asks in the language of who tries, briefly', async () => {
    const person = await app.aPerson();
    await app.server.context.db
      .updateTable('user')
      .set({ locale: 'ja' })
      .where('uuid', '=', person.user.uuid)
      .execute();
    await aKey(person);
    const [service] = await ownServices(person);
    expect((await person.call(trials.try, { body: { service: service?.uuid ?? '' } })).body.data).toMatchObject({
      text: 'Hello there.',
      latencyMs: expect.any(Number),
      firstTokenMs: expect.any(Number),
    });
    expect(own.last().body).toMatchObject({
      max_tokens: 1000,
      messages: [{ role: 'user', content: '短い一文であいさつしてください。' }],
    });
  });

  test('says what is wrong, keeps nothing back, and marks a key that was refused', async () => {
    const person = await app.aPerson();
    await aKey(person);
    const [service] = await ownServices(person);
    const attempt = async () => outcome(await person.call(trials.try, { body: { service: service?.uuid ?? '' } }));
    own.behave(
      ({ response }) =>
        void response.writeHead(429, { 'content-type': 'application/json' }).end('{"error":{"message":"Slow down"}}'),
    );
    expect(await attempt()).toEqual([503, 'provider-busy']);
    own.behave(
      ({ response }) =>
        void response.writeHead(401, { 'content-type': 'application/json' }).end('{"error":{"message":"Revoked."}}'),
    );
    expect(await attempt()).toEqual([502, 'provider-key-rejected']);
    expect(await attempt()).toEqual([422, 'service-not-ready']);
    expect((await keysOf(person))[0]?.state).toBe('rejected');
    expect((await historyOf(person)).data.filter(({ kind }) => kind === 'use')).toEqual([]);
    expect(outcome(await person.call(trials.try, { body: { service: unknown } }))).toEqual([404, 'service-not-found']);
  });
});

describe("the operator's services", () => {
  const price = { in: 3, out: 15, cached: 0.3 };
  const listed = async (uuid: string) =>
    (await app.anyone.call(services.list)).body.find((service) => service.uuid === uuid);
  const change = (body: BodyIn<typeof operatorServices.update>, uuid = sharedService) =>
    boss.call(operatorServices.update, { params: { uuid }, body });

  test('can be hidden, and a bot that has one goes on', async () => {
    const person = await app.aPerson();
    const bot = await aBot(person, sharedService);
    expect((await change({ hidden: true })).body.data).toMatchObject({
      uuid: sharedService,
      hidden: true,
      changed: false,
    });
    expect(await listed(sharedService)).toBeUndefined();
    expect((await boss.call(operatorServices.list)).body.data.find(({ uuid }) => uuid === sharedService)).toMatchObject(
      { hidden: true },
    );
    expect(await ask(person, bot)).toMatchObject({ text: 'Hello there.' });
    await change({ hidden: false });
    expect(await listed(sharedService)).toMatchObject({ name: 'double-1' });
  });

  test('can be renamed and priced, and each taken back by itself', async () => {
    expect((await change({ name: 'House model', price })).body.data).toMatchObject({
      name: 'House model',
      price,
      changed: true,
      pricedAt: new Date().toISOString().slice(0, 10),
    });
    expect(await listed(sharedService)).toMatchObject({ name: 'House model', price, key: 'operator' });
    expect((await change({ price: null })).body.data).toMatchObject({
      name: 'House model',
      price: null,
      changed: true,
    });
    expect((await change({ name: null })).body.data).toMatchObject({ name: 'double-1', price: null, changed: false });
    expect(await app.server.context.db.selectFrom('service_setting').selectAll().execute()).toEqual([]);
    expect(outcome(await change({}))).toEqual([200]);
  });

  test('that are built in stay free', async () => {
    const reply = await change({ price }, builtInService);
    expect(outcome(reply)).toEqual([400, 'validation-failed', [expect.objectContaining({ path: 'price' })]]);
    expect(await listed(builtInService)).toMatchObject({ price: { in: 0, out: 0 }, key: 'none' });
  });

  test('that have a price are paid with credits: exactly what the tokens cost', async () => {
    const person = await app.aPerson();
    const bot = await aBot(person, sharedService);
    await change({ price });
    shared.say({ text: ['Hello there.'], tokens: { in: 1000, out: 20, cached: 400 } });
    const cost = costOf(price, { tokensIn: 1000, tokensOut: 20, tokensCached: 400 }, 1.5);
    expect(cost).toBe(333_000);
    expect(await ask(person, bot)).toMatchObject({ usage: { cost, ownKey: false } });
    const { data, meta } = await historyOf(person);
    expect(meta).toMatchObject({ balance: 10_000_000 - cost, reserved: 0 });
    expect(data.map(({ kind, amount, balance }) => ({ kind, amount, balance }))).toEqual([
      { kind: 'use', amount: -cost, balance: 10_000_000 - cost },
      { kind: 'grant', amount: 10_000_000, balance: 10_000_000 },
    ]);
    shared.say({ text: ['Hi.'], tokens: { in: 10, out: 5, cached: 0 } });
    expect((await person.call(trials.try, { body: { service: sharedService } })).body.data).toMatchObject({
      text: 'Hi.',
      tokensIn: 10,
      tokensOut: 5,
    });
    const after = (await historyOf(person)).meta;
    expect(after).toMatchObject({
      balance: 10_000_000 - cost - costOf(price, { tokensIn: 10, tokensOut: 5, tokensCached: 0 }, 1.5),
      reserved: 0,
    });
    shared.behave(({ response }) => void response.writeHead(500).end());
    expect((await person.call(trials.try, { body: { service: sharedService } })).status).toBe(502);
    expect((await historyOf(person)).meta).toEqual(after);
    await change({ price: null });
  });

  test('answer nobody who has no credits left, and their model is not asked', async () => {
    const person = await app.aPerson();
    const bot = await aBot(person, sharedService);
    await change({ price: { in: 100_000, out: 100_000, cached: 100_000 } });
    shared.received.length = 0;
    expect(await ask(person, bot)).toMatchObject({ status: 'failed', text: '', error: { code: 'balance-empty' } });
    expect(outcome(await person.call(trials.try, { body: { service: sharedService } }))).toEqual([
      402,
      'balance-empty',
    ]);
    expect(shared.received.filter(({ path }) => path === '/v1/chat/completions')).toEqual([]);
    expect((await historyOf(person)).meta).toMatchObject({ balance: 10_000_000, reserved: 0 });
    await change({ price: null });
  });

  test('can have one more, which opens for whoever has a key, and be rid of it', async () => {
    const added = {
      provider: 'openai-compatible',
      modelId: 'double-2',
      name: 'Double Two (Preview)',
      contextTokens: 64_000,
      capabilities: ['vision', 'tools', 'vision'] as ('vision' | 'tools')[],
      price,
    };
    const reply = await boss.call(operatorServices.add, { body: added });
    expect(reply.status).toBe(201);
    expect(reply.body.data).toMatchObject({
      name: 'Double Two (Preview)',
      modelId: 'double-2',
      capabilities: ['vision', 'tools'],
      price,
      added: true,
      hidden: false,
      key: 'operator',
      availability: 'ready',
    });
    expect(outcome(await boss.call(operatorServices.add, { body: added }))).toEqual([409, 'conflict']);
    expect(outcome(await boss.call(operatorServices.add, { body: { ...added, modelId: 'double-1' } }))).toEqual([
      409,
      'conflict',
    ]);
    expect(outcome(await boss.call(operatorServices.add, { body: { ...added, provider: 'acme' } }))).toEqual(
      field('provider', 'invalid'),
    );
    const { uuid } = reply.body.data;
    const person = await app.aPerson();
    expect(await ask(person, await aBot(person, uuid))).toMatchObject({ text: 'Hello there.' });
    expect(shared.last().body).toMatchObject({ model: 'double-2' });
    expect((await change({ name: 'Two' }, uuid)).body.data).toMatchObject({ name: 'Two', added: true });
    expect((await boss.call(operatorServices.remove, { params: { uuid } })).body).toEqual({ ok: true });
    expect(await listed(uuid)).toBeUndefined();
    for (const each of [uuid, sharedService, unknown])
      expect(outcome(await boss.call(operatorServices.remove, { params: { uuid: each } }))).toEqual([
        404,
        'service-not-found',
      ]);
    expect(outcome(await change({ hidden: true }, unknown))).toEqual([404, 'service-not-found']);
    expect((await auditOf(boss)).slice(0, 3)).toEqual([
      'service.removed Two',
      'service.changed Double Two (Preview)',
      'service.added Double Two (Preview)',
    ]);
  });

  test('are known to be able to what the operator says, until that is taken back', async () => {
    const before = (await listed(sharedService))?.capabilities;
    expect((await change({ capabilities: ['json', 'json'] })).body.data).toMatchObject({
      capabilities: ['json'],
      changed: true,
    });
    const person = await app.aPerson();
    const tools = [
      {
        name: 'stock',
        description: 'How many there are',
        method: 'GET' as const,
        url: 'https://example.com/',
        headers: [],
        parameters: [],
        approved: true,
      },
    ];
    const bot = await aBot(person, sharedService, { tools });
    await ask(person, bot);
    expect(shared.last().body).not.toHaveProperty('tools');
    expect((await change({ capabilities: null })).body.data).toMatchObject({ capabilities: before, changed: false });
    await ask(person, bot);
    expect(shared.last().body).toHaveProperty('tools');
    const { contextTokens } = (await listed(sharedService)) ?? {};
    expect((await change({ contextTokens: 1_000 })).body.data).toMatchObject({ contextTokens: 1_000, changed: true });
    await ask(person, bot);
    expect((shared.last().body as { max_tokens: number }).max_tokens).toBeLessThan(1_000);
    expect((await change({ contextTokens: null })).body.data).toMatchObject({ contextTokens, changed: false });
  });

  test("are the operator's alone to change, and a workspace's own are not among them", async () => {
    const person = await app.aPerson();
    await aKey(person);
    const [mine] = await ownServices(person);
    expect(outcome(await person.call(operatorServices.list))).toEqual([403, 'not-allowed']);
    expect(
      outcome(await person.call(operatorServices.update, { params: { uuid: sharedService }, body: { hidden: true } })),
    ).toEqual([403, 'not-allowed']);
    expect(outcome(await change({ hidden: true }, mine?.uuid ?? ''))).toEqual([404, 'service-not-found']);
  });

  test.each([
    ['price below nothing', { price: { in: -1, out: 1, cached: 1 } }],
    ['half of a price', { price: { in: 1 } }],
    ['empty name', { name: ' ' }],
    ['other id', { uuid: unknown }],
  ])('take no %s', async (_, body) => {
    const reply = await boss.fetch(`/api/operator/service/${sharedService}`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect(reply.status).toBe(400);
    expect(await listed(sharedService)).toMatchObject({ name: 'double-1', price: null });
  });
});

test('no secret is in a reply, in a log, in the trail of what was done, or readable in the data', async () => {
  const person = await app.aPerson();
  const { uuid } = await aKey(person);
  await person.call(modelKeys.update, { params: { uuid }, body: { apiKey: goodKey, name: 'Again' } });
  said.push(
    JSON.stringify(await person.call(modelKeys.check, { params: { uuid } })),
    JSON.stringify(await boss.call(operator.audit)),
  );
  expect(own.received.some(({ headers }) => headers.authorization === `Bearer ${goodKey}`)).toBe(true);
  const { db } = app.server.context;
  const rows = JSON.stringify([
    await db.selectFrom('model_key').selectAll().execute(),
    await db.selectFrom('audit').selectAll().execute(),
    await db.selectFrom('token_entry').selectAll().execute(),
    await db.selectFrom('message').selectAll().execute(),
  ]);
  const files = (await readdir(app.folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  const bytes = await Promise.all(files.map((entry) => readFile(join(entry.parentPath, entry.name), 'latin1')));
  const secrets = [
    goodKey,
    'sk-wrong-4cb1e0f9wxyz',
    'sk-another-0123456789',
    'sk-first-0123456789',
    'sk-second-9876543210',
  ];
  for (const [at, where] of [said.join('\n'), app.logs.join('\n'), rows, ...bytes].entries())
    expect([at, secrets.filter((secret) => where.includes(secret))]).toEqual([at, []]);
});

describe('keys of servers with a thousand models', () => {
  const workspaceOf = (person: Person) => person.user.workspaces[0]?.uuid ?? '';
  /** Returns a service of the last one. */
  const addKeys = async (person: Person, count: number, models = 1000) => {
    let service = '';
    for (let at = 0; at < count; at++) {
      const uuid = newId();
      service = serviceId(`openai-compatible/${uuid}`, 'model-0');
      await app.server.context.db
        .insertInto('model_key')
        .values({
          uuid,
          workspace: workspaceOf(person),
          provider: 'openai-compatible',
          name: '',
          base_url: 'https://example.com/v1',
          sealed: null,
          hint: '',
          state: 'ready',
          message: null,
          models: JSON.stringify(
            Array.from({ length: models }, (_, model) => ({
              id: `model-${model}`,
              name: `Model ${model}${' of a long name'.repeat(15)}`,
              contextTokens: 8192,
              capabilities: ['json'],
            })),
          ),
          named: '',
          abilities: '{}',
          checked_at: Date.now(),
          last_used_at: null,
          created_at: Date.now(),
          updated_at: Date.now(),
        })
        .execute();
    }
    return service;
  };
  const timed = async <T>(turns: number, work: () => Promise<T>) => {
    let best = Infinity;
    for (let turn = 1; ; turn++) {
      const started = performance.now();
      const result = await work();
      best = Math.min(best, performance.now() - started);
      if (turn === turns) return [result, best] as const;
    }
  };

  test('are listed, twenty of them, in the time that they need, and not in its square', async () => {
    const person = await app.aPerson();
    const list = async () => (await app.server.context.models.list(workspaceOf(person))).length;
    await addKeys(person, 1);
    const [few, little] = await timed(5, list);
    await addKeys(person, 15);
    const [many, much] = await timed(5, list);
    expect(many - few).toBe(15_000);
    // In its square it would be 256 times as long.
    expect(much).toBeLessThan(80 * Math.max(little, 5));
  });

  test('take a question no longer than keys of servers with a few', async () => {
    const [small, large] = [await app.aPerson(), await app.aPerson()];
    const { models } = app.server.context;
    const few = await addKeys(small, 16, 60);
    const many = await addKeys(large, 16, 960);
    const [, little] = await timed(30, () => models.reach(workspaceOf(small), few));
    const [targets, much] = await timed(30, () => models.reach(workspaceOf(large), many));
    expect(targets).toHaveLength(1);
    // Reading the lists each time would take ten to twenty times as long.
    expect(much).toBeLessThan(6 * Math.max(little, 0.25));
  });
});
