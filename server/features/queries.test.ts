import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { accounts } from '../../shared/contracts/accounts.ts';
import { bots } from '../../shared/contracts/bots.ts';
import { conversations } from '../../shared/contracts/conversations.ts';
import { documents, knowledge } from '../../shared/contracts/knowledge.ts';
import { keys } from '../../shared/contracts/keys.ts';
import { lineCampaigns } from '../../shared/contracts/line-campaigns.ts';
import { lineMenus } from '../../shared/contracts/line-menus.ts';
import { webhooks } from '../../shared/contracts/webhooks.ts';
import { websites } from '../../shared/contracts/websites.ts';
import type { ErrorReply } from '../../shared/errors.ts';
import type { Route } from '../../shared/route.ts';
import { eventually, startTestApp, type Person, type TestApp } from '../testing/app.ts';
import { everyRoute } from '../features.ts';
import { sessionIdentity } from './accounts/identity.ts';
import { lineChannels } from './line-channels/feature.ts';

let app: TestApp;
let boss: Person;
let path: (route: Route) => string;
let bot: string;
beforeAll(async () => {
  app = await startTestApp();
  boss = await app.aPerson();
  bot = (await boss.call(bots.create, { body: { name: 'Bot' } })).body.data.uuid;
  await boss.call(bots.create, { body: { name: 'Another bot' } });
  const base = (await boss.call(knowledge.create, { body: { name: 'Base' } })).body.data.uuid;
  const [document] = (
    await boss.call(documents.add, {
      params: { knowledge: base },
      body: { source: 'text', name: 'Text', text: 'The shop opens at nine.' },
    })
  ).body.data;
  await eventually(
    'the text is read',
    async () => (await boss.call(knowledge.get, { params: { uuid: base } })).body.data.busyCount === 0,
  );
  const { thread } = (await boss.call(conversations.send, { body: { bot, message: { text: 'When does it open?' } } }))
    .body.data;
  // By the word before the parameter.
  const hook = await boss.call(webhooks.create, {
    body: { url: 'https://example.com/', events: ['message.received'] },
  });
  const asked = {
    route: { access: 'user', scope: null },
    workspace: boss.user.workspaces[0]?.uuid,
    address: '127.0.0.1',
  } as const;
  const caller = await sessionIdentity.find(app.server.context, boss.jwt, asked);
  const made = caller && (await lineChannels.examples?.(app.server.context, caller, {}));
  const line = made?.['line-channel'] ?? '';
  const broadcast = await boss.call(lineCampaigns.createBroadcast, { body: { channel: line, name: 'Broadcast' } });
  const website = await boss.call(websites.create, {
    params: { knowledge: base },
    body: { url: 'https://shop.example/', settings: {} },
  });
  const ids: Record<string, string> = {
    website: website.body.data.uuid,
    broadcast: broadcast.body.data.uuid,
    knowledge: base,
    document: document?.uuid ?? '',
    chat: thread.uuid,
    bot,
    'outgoing-webhook': hook.body.data.uuid,
  };
  path = (route) => {
    const parts = route.path.split('/');
    const own = parts.map((part, at) => (part.startsWith(':') ? (ids[parts[at - 1] ?? ''] ?? part) : part)).join('/');
    const { channel } = route.query.shape;
    // Of LINE, some lists are those of a channel only.
    if (route.path.startsWith('/api/user/line/') && channel && !z.safeParse(channel, undefined).success)
      return `${own}?channel=${line}&`;
    return 'bot' in route.query.shape ? `${own}?bot=${bot}&` : `${own}?`;
  };
});
afterAll(() => app.stop());

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const own = '0199f0c2-0000-7000-8000-000000000000';

describe.each(
  everyRoute
    .filter(({ query, method }) => method === 'GET' && 'limit' in query.shape)
    .map((route) => [route.path, route] as const),
)('the list %s', (_, route) => {
  const ask = async (query: string) => {
    const response = await boss.fetch(`${path(route)}${query}`);
    const { error }: Partial<ErrorReply> = JSON.parse(await response.text());
    return [query.slice(0, 60), response.status, error?.code];
  };
  const refused = (query: string) => [query.slice(0, 60), 400, 'validation-failed'];

  test('is there', async () => {
    expect(await ask('')).toEqual(['', 200, undefined]);
  });

  test('takes no limit that is none, or too many', async () => {
    for (const limit of ['1e9', '-1', '0', 'NaN', '1.5', 'Infinity', '101e1', '9'.repeat(400), '', 'all', '1&limit=2'])
      expect(await ask(`limit=${limit}`)).toEqual(refused(`limit=${limit}`));
  });

  test.each([
    ['random bytes', randomBytes(40).toString('base64url')],
    ['10 KB', 'A'.repeat(10_000)],
    ['nothing', ''],
    ['JSON of another form', encode({ at: 1, uuid: own })],
    ['a name in place of a moment', encode(['Bot', own])],
    ['a number that is none', encode(['NaN', own])],
    ['half a millisecond', encode([1.5, own])],
    ['a moment beyond any', encode([1e300, own])],
    ['an id that is none', encode([1, '-'.repeat(36)])],
    ['an id in a list', encode([1, [own]])],
    ['a list in a list', encode([[1], own])],
  ])('takes no cursor of %s', async (_, cursor) => {
    expect(await ask(`cursor=${cursor}`)).toEqual(refused(`cursor=${cursor}`));
  });

  test('answers a place that another list named with a page of its own, or not at all', async () => {
    for (const at of [0, -1, Date.now(), 2 ** 31, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER])
      expect([200, 400], `at ${at}`).toContain((await ask(`cursor=${encode([at, own])}`))[1]);
  });

  test('knows no other filter and no other order', async () => {
    for (const query of [
      'password=x',
      'passwordHash=x',
      'workspace=x',
      'user.password_hash=x',
      'filter[password]=x',
      'where=1=1',
      'sort=__proto__',
      'sort=constructor',
      'sort=password_hash',
      'sort[]=name',
      'order=desc',
      '__proto__=x',
      'constructor=x',
      'offset=5',
      'q=a&q=b',
    ])
      expect(await ask(query)).toEqual(refused(query));
  });
});

test('what LINE has on one channel is not asked with a cursor that is none', async () => {
  const reply = await boss.call(lineMenus.onLine, { query: { channel: own, cursor: 'x' } });
  expect([reply.status, reply.error?.code]).toEqual([400, 'validation-failed']);
});

describe('bots by name', () => {
  const ask = async (cursor: string) => (await boss.fetch(`${bots.list.path}?sort=name&cursor=${cursor}`)).status;

  test('go on from a name, and from nothing else', async () => {
    expect(await ask(encode(['Another bot', own]))).toBe(200);
    for (const at of [5, 'a\u0000b', '\ud83d', null, ['Bot']])
      expect([at, await ask(encode([at, own]))]).toEqual([at, 400]);
  });

  test('come one by one and each once', async () => {
    const seen: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const { data, meta } = (
        await boss.call(bots.list, { query: { sort: 'name', limit: 1, ...(cursor && { cursor }) } })
      ).body;
      seen.push(...data.map(({ name }) => name));
      cursor = meta.nextCursor;
    }
    expect(seen).toEqual(['Another bot', 'Bot']);
  });
});

describe('bots by questions', () => {
  test('come most asked first, one by one and each once', async () => {
    const seen: [string, number][] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const { data, meta } = (
        await boss.call(bots.list, { query: { sort: 'questions', limit: 1, ...(cursor && { cursor }) } })
      ).body;
      seen.push(...data.map(({ name, usage }): [string, number] => [name, usage.questions]));
      cursor = meta.nextCursor;
    }
    expect(seen).toEqual([
      ['Bot', 1],
      ['Another bot', 0],
    ]);
  });

  test('go on from a number, and from nothing else', async () => {
    const ask = async (at: unknown) =>
      (await boss.fetch(`${bots.list.path}?sort=questions&cursor=${encode([at, own])}`)).status;
    expect(await ask(3)).toBe(200);
    for (const at of ['Bot', 1.5, 2 ** 31, null]) expect([at, await ask(at)]).toEqual([at, 400]);
  });
});

describe('an API key', () => {
  let key: string;
  beforeAll(async () => {
    ({ key } = (await boss.call(keys.create, { body: { name: 'Reader', scopes: ['read'] } })).body.data);
  });
  const status = async (address: string, headers: Record<string, string> = {}, init: RequestInit = {}) => {
    const response = await app.anyone.fetch(address, { ...init, headers });
    const { error }: Partial<ErrorReply> = JSON.parse(await response.text());
    return [response.status, error?.code];
  };
  const calls: [string, string, string, RequestInit][] = [
    ['what it may', 'GET', bots.list.path, {}],
    ['another scope', 'POST', bots.create.path, { method: 'POST', body: '{"name":"By a key"}' }],
    ['a person', 'GET', accounts.me.path, {}],
  ];

  test.each(calls)('says the same as a bearer and as x-api-key about %s', async (_, _method, address, init) => {
    const json = init.body ? { 'content-type': 'application/json' } : {};
    const [asBearer, asHeader] = [
      await status(address, { ...json, authorization: `Bearer ${key}` }, init),
      await status(address, { ...json, 'x-api-key': key }, init),
    ];
    expect(asHeader).toEqual(asBearer);
    expect(asBearer).toEqual(
      address === bots.list.path
        ? [200, undefined]
        : [403, address === bots.create.path ? 'scope-missing' : 'key-not-allowed'],
    );
  });

  test.each(['api_key', 'key', 'token', 'access_token', 'x-api-key', 'authorization', 'jwt'])(
    'is nobody in the query as ?%s=',
    async (name) => {
      for (const value of [key, `Bearer ${key}`, boss.jwt])
        expect(await status(`${bots.list.path}?${name}=${encodeURIComponent(value)}`)).toEqual([401, 'not-signed-in']);
      // With an identity besides, the parameter is one that nobody knows.
      expect(await status(`${bots.list.path}?${name}=${key}`, { 'x-api-key': key })).toEqual([
        400,
        'validation-failed',
      ]);
    },
  );

  test('is nobody in a cookie, in a body, or under another scheme', async () => {
    expect(await status(bots.list.path, { cookie: `jwt=${key}; session=${key}; api_key=${key}` })).toEqual([
      401,
      'not-signed-in',
    ]);
    expect(
      await status(bots.list.path, { authorization: `Basic ${Buffer.from(`${key}:`).toString('base64')}` }),
    ).toEqual([401, 'not-signed-in']);
    expect(await status(bots.list.path, { authorization: key })).toEqual([401, 'not-signed-in']);
    expect(
      await status(
        bots.create.path,
        { 'content-type': 'application/json' },
        { method: 'POST', body: JSON.stringify({ name: 'x', key, api_key: key }) },
      ),
    ).toEqual([401, 'not-signed-in']);
  });

  test('beside the token of a person is not looked at', async () => {
    const other = await app.aPerson();
    const reply = await other.call(bots.list, { headers: { 'x-api-key': key } });
    expect([reply.status, reply.body.data]).toEqual([200, []]);
  });

  test('makes nothing that it may not', async () => {
    expect((await boss.call(bots.list)).body.data.map(({ name }) => name)).not.toContain('By a key');
  });
});

test('after all of it nothing went wrong on the way', () => {
  expect(app.logs.filter((line) => line.includes('"level":50'))).toEqual([]);
});
