import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bots } from '../../../shared/contracts/bots.ts';
import { builtInService } from '../../../shared/contracts/services.ts';
import { conversations } from '../../../shared/contracts/conversations.ts';
import { keys } from '../../../shared/contracts/keys.ts';
import { operator } from '../../../shared/contracts/operator.ts';
import { workspaces, type Invitation } from '../../../shared/contracts/workspaces.ts';
import type { BodyIn } from '../../../shared/route.ts';
import { newId } from '../../infra/db.ts';
import { startTestApp, type Person, type TestApp } from '../../testing/app.ts';

const unknown = '00000000-0000-7000-8000-000000000000';
const day = 86_400_000;

let app: TestApp;
let boss: Person;
beforeAll(async () => {
  app = await startTestApp();
  boss = await app.aPerson();
});
afterAll(() => app.stop());

const aKey = async (person: Person, body: Partial<BodyIn<typeof keys.create>> = {}) =>
  (await person.call(keys.create, { body: { name: 'Integration', scopes: ['read'], ...body } })).body.data;
const aBot = async (person: Person, name = 'Guide') =>
  (await person.call(bots.create, { body: { name } })).body.data.uuid;
const inDays = (days: number) => new Date(Date.now() + days * day).toISOString();
const withKey = (key: string) => app.anyone.call(bots.list, { headers: { authorization: `Bearer ${key}` } });
const outcome = (reply: { status: number; error?: { code: string } }) => [reply.status, reply.error?.code];
const auditOf = async (person: Person) =>
  (await boss.call(operator.audit, { query: { user: person.user.uuid } })).body.data
    .filter((entry) => entry.action.startsWith('key.'))
    .map((entry) => `${entry.action} ${entry.subject}`);

/** Somebody who acts in the person's workspace in this role. */
async function aMember(owner: Person, role: Invitation['role']) {
  const { url } = (await owner.call(workspaces.invite, { body: { role } })).body.data;
  const member = await app.aPerson();
  const { uuid } = (
    await member.call(workspaces.acceptInvitation, { body: { code: new URL(url).searchParams.get('code') ?? '' } })
  ).body.data;
  return { member, headers: { 'x-workspace': uuid } };
}

test('a key is told once, works at once, and only its hash is kept', async () => {
  const person = await app.aPerson();
  const made = await aKey(person);
  expect(made.key).toMatch(/^kt_[A-Za-z0-9]{8}_[A-Za-z0-9_-]{43}$/);
  expect(made).toMatchObject({
    name: 'Integration',
    prefix: made.key.slice(0, 11),
    scopes: ['read'],
    bots: null,
    state: 'active',
    createdBy: person.user.username,
    expiresAt: null,
    lastUsedAt: null,
  });
  expect((await withKey(made.key)).status).toBe(200);
  const { db } = app.server.context;
  const listed = (await person.call(keys.list)).body;
  expect(listed.data.map((key) => key.uuid)).toEqual([made.uuid]);
  expect(listed.data[0]?.lastUsedAt).not.toBeNull();
  const secret = made.key.slice(12);
  expect(
    JSON.stringify([
      listed,
      await db.selectFrom('api_key').selectAll().execute(),
      await db.selectFrom('audit').selectAll().execute(),
      app.logs,
    ]),
  ).not.toContain(secret);
  expect(await auditOf(person)).toEqual(['key.created Integration']);
});

test('a revoked key opens nothing, and stays in the list for thirty days', async () => {
  const person = await app.aPerson();
  const { uuid, key } = await aKey(person);
  expect((await person.call(keys.remove, { params: { uuid } })).body).toEqual({ ok: true });
  expect((await withKey(key)).status).toBe(401);
  expect((await person.call(keys.list)).body.data.map(({ state }) => state)).toEqual(['revoked']);
  expect(outcome(await person.call(keys.remove, { params: { uuid } }))).toEqual([404, 'key-not-found']);
  expect(outcome(await person.call(keys.update, { params: { uuid }, body: { name: 'again' } }))).toEqual([
    404,
    'key-not-found',
  ]);
  expect(await auditOf(person)).toEqual(['key.revoked Integration', 'key.created Integration']);
  await app.server.context.db
    .updateTable('api_key')
    .set({ revoked_at: Date.now() - 31 * day })
    .where('uuid', '=', uuid)
    .execute();
  expect((await person.call(keys.list)).body.data).toEqual([]);
});

test('a change of one field leaves the others, and counts from the next call on', async () => {
  const person = await app.aPerson();
  const { uuid, key } = await aKey(person, { expiresAt: inDays(30) });
  const { data } = (await person.call(keys.update, { params: { uuid }, body: { scopes: ['converse', 'converse'] } }))
    .body;
  expect(data).toMatchObject({ name: 'Integration', scopes: ['converse'], expiresAt: expect.any(String) });
  expect(outcome(await withKey(key))).toEqual([403, 'scope-missing']);
  expect(
    (await person.call(keys.update, { params: { uuid }, body: { name: 'Desk', expiresAt: null } })).body.data,
  ).toMatchObject({ name: 'Desk', scopes: ['converse'], expiresAt: null });
  expect(await auditOf(person)).toEqual(['key.updated Desk', 'key.updated Integration', 'key.created Integration']);
});

test('changes of different fields at the same moment all stand', async () => {
  const person = await app.aPerson();
  const { uuid } = await aKey(person);
  for (let time = 1; time <= 20; time++) {
    const expiresAt = inDays(time);
    await Promise.all([
      person.call(keys.update, { params: { uuid }, body: { name: `Key ${time}` } }),
      person.call(keys.update, { params: { uuid }, body: { scopes: [time % 2 ? 'chat' : 'converse'] } }),
      person.call(keys.update, { params: { uuid }, body: { expiresAt } }),
    ]);
    const [key] = (await person.call(keys.list)).body.data;
    expect(key).toMatchObject({ name: `Key ${time}`, scopes: [time % 2 ? 'chat' : 'converse'], expiresAt });
  }
});

test('a key past its day opens nothing, until it is given another', async () => {
  const person = await app.aPerson();
  const { uuid, key } = await aKey(person, { expiresAt: inDays(1) });
  await app.server.context.db
    .updateTable('api_key')
    .set({ expires_at: Date.now() - 1 })
    .where('uuid', '=', uuid)
    .execute();
  expect((await person.call(keys.list)).body.data[0]?.state).toBe('expired');
  expect((await withKey(key)).status).toBe(401);
  expect((await person.call(keys.update, { params: { uuid }, body: { name: 'Old' } })).body.data).toMatchObject({
    name: 'Old',
    state: 'expired',
  });
  expect((await person.call(keys.update, { params: { uuid }, body: { expiresAt: inDays(1) } })).body.data.state).toBe(
    'active',
  );
  expect((await withKey(key)).status).toBe(200);
});

test.each([
  ['yesterday', inDays(-1)],
  ['no day', 'tomorrow'],
])('a key cannot be good until %s', async (_, expiresAt) => {
  const person = await app.aPerson();
  const reply = await person.call(keys.create, { body: { name: 'x', scopes: ['read'], expiresAt } });
  expect(outcome(reply)).toEqual([400, 'validation-failed']);
  expect(reply.error.details['fields']).toEqual([expect.objectContaining({ path: 'expiresAt', code: 'invalid' })]);
  expect((await person.call(keys.list)).body.data).toEqual([]);
});

describe('a key for some bots', () => {
  test('names them, and may only chat', async () => {
    const person = await app.aPerson();
    const bot = await aBot(person);
    const made = await aKey(person, { scopes: ['chat'], bots: [bot, bot] });
    expect(made.bots).toEqual([{ uuid: bot, name: 'Guide' }]);
    for (const scopes of [['chat', 'read'], ['read']] as const) {
      const reply = await person.call(keys.create, { body: { name: 'x', scopes: [...scopes], bots: [bot] } });
      expect([...outcome(reply), reply.error.details['fields']]).toEqual([
        400,
        'validation-failed',
        [expect.objectContaining({ path: 'bots', code: 'invalid' })],
      ]);
    }
    expect(
      outcome(await person.call(keys.update, { params: { uuid: made.uuid }, body: { scopes: ['edit'] } })),
    ).toEqual([400, 'validation-failed']);
    expect((await person.call(keys.list)).body.data).toEqual([
      expect.objectContaining({ uuid: made.uuid, scopes: ['chat'], bots: [{ uuid: bot, name: 'Guide' }] }),
    ]);
    expect(
      (await person.call(keys.update, { params: { uuid: made.uuid }, body: { scopes: ['edit'], bots: null } })).body
        .data,
    ).toMatchObject({ scopes: ['edit'], bots: null });
  });

  test('that had all of them before finds nothing of what it said to the others', async () => {
    const person = await app.aPerson();
    const [kept, left] = [await aBot(person), await aBot(person)];
    const { uuid, key } = await aKey(person, { scopes: ['chat'] });
    const headers = { authorization: `Bearer ${key}` };
    const say = async (bot: string) =>
      (await app.anyone.call(conversations.send, { headers, body: { bot, message: { text: 'Hello' } } })).body.data;
    const [ours, theirs] = [await say(kept), await say(left)];
    await person.call(keys.update, { params: { uuid }, body: { bots: [kept] } });
    const statuses = async ({ thread: { uuid: thread }, message: { uuid: message } }: typeof ours) => [
      (await app.anyone.call(conversations.get, { headers, params: { thread } })).status,
      (await app.anyone.call(conversations.messages, { headers, params: { thread } })).status,
      (await app.anyone.call(conversations.trace, { headers, params: { thread, message } })).status,
    ];
    expect((await statuses(ours)).slice(0, 2)).toEqual([200, 200]);
    expect(await statuses(theirs)).toEqual([404, 404, 403]);
    const list = await app.anyone.call(conversations.threads, { headers, query: { bot: left } });
    expect(list.status === 404 || list.body.data.length === 0).toBe(true);
  });

  test('asks as visitors do: it chooses neither version nor model', async () => {
    const person = await app.aPerson();
    const bot = await aBot(person);
    const { key } = await aKey(person, { scopes: ['chat'] });
    const reply = await app.anyone.call(conversations.send, {
      headers: { authorization: `Bearer ${key}` },
      body: { bot, message: { text: 'Hello' }, preview: { service: builtInService } },
    });
    expect(outcome(reply)).toEqual([403, 'not-allowed']);
  });

  test("cannot be for somebody else's, nor for one that is gone", async () => {
    const person = await app.aPerson();
    const own = await aBot(person);
    const removed = await aBot(person);
    await person.call(bots.remove, { params: { uuid: removed } });
    for (const bot of [await aBot(await app.aPerson()), removed, unknown])
      expect(
        outcome(await person.call(keys.create, { body: { name: 'x', scopes: ['chat'], bots: [own, bot] } })),
      ).toEqual([404, 'bot-not-found']);
    expect((await person.call(keys.list)).body.data).toEqual([]);
  });
});

test('a workspace has at most a hundred keys that work', async () => {
  const person = await app.aPerson();
  const { uuid } = await aKey(person);
  const { db } = app.server.context;
  const row = await db.selectFrom('api_key').selectAll().where('uuid', '=', uuid).executeTakeFirstOrThrow();
  await db
    .insertInto('api_key')
    .values(Array.from({ length: 99 }, () => ({ ...row, uuid: newId(), hash: randomBytes(32).toString('hex') })))
    .execute();
  const reply = await person.call(keys.create, { body: { name: 'x', scopes: ['read'] } });
  expect([...outcome(reply), reply.error.details]).toEqual([422, 'too-many', { limit: 100 }]);
  expect((await person.call(keys.update, { params: { uuid }, body: { name: 'Still mine' } })).status).toBe(200);
  await person.call(keys.remove, { params: { uuid } });
  expect((await person.call(keys.create, { body: { name: 'x', scopes: ['read'] } })).status).toBe(201);
});

test('the list goes page by page, newest first, and finds names and beginnings', async () => {
  const person = await app.aPerson();
  const made = [];
  for (const name of ['One', 'Two %', 'Three']) made.push(await aKey(person, { name }));
  const first = (await person.call(keys.list, { query: { limit: 2 } })).body;
  const second = (await person.call(keys.list, { query: { limit: 2, cursor: first.meta.nextCursor ?? '' } })).body;
  expect([...first.data, ...second.data].map((key) => key.name)).toEqual(['Three', 'Two %', 'One']);
  const find = async (q: string) => (await person.call(keys.list, { query: { q } })).body.data.map((key) => key.name);
  expect(await find('%')).toEqual(['Two %']);
  expect(await find(made[0]!.prefix)).toEqual(['One']);
});

test("another's key is the same 404 as none", async () => {
  const owner = await app.aPerson();
  const { uuid, key } = await aKey(owner);
  const stranger = await app.aPerson();
  for (const each of [uuid, unknown]) {
    expect(outcome(await stranger.call(keys.update, { params: { uuid: each }, body: { name: 'mine' } }))).toEqual([
      404,
      'key-not-found',
    ]);
    expect(outcome(await stranger.call(keys.remove, { params: { uuid: each } }))).toEqual([404, 'key-not-found']);
  }
  expect((await stranger.call(keys.list)).body.data).toEqual([]);
  expect((await withKey(key)).status).toBe(200);
});

test.each(['editor', 'staff', 'viewer'] as const)('%s have nothing to do with keys', async (role) => {
  const owner = await app.aPerson();
  const { uuid, key } = await aKey(owner);
  const { member, headers } = await aMember(owner, role);
  const replies = [
    await member.call(keys.list, { headers }),
    await member.call(keys.create, { headers, body: { name: 'x', scopes: ['read'] } }),
    await member.call(keys.update, { headers, params: { uuid }, body: { name: 'x' } }),
    await member.call(keys.remove, { headers, params: { uuid } }),
  ];
  for (const reply of replies) expect(outcome(reply)).toEqual([403, 'not-allowed']);
  expect((await withKey(key)).status).toBe(200);
  expect((await owner.call(keys.list)).body.data).toEqual([
    expect.objectContaining({ name: 'Integration', state: 'active' }),
  ]);
});

test('a key makes, changes and revokes no key', async () => {
  const person = await app.aPerson();
  const { uuid, key } = await aKey(person, { scopes: ['chat', 'read', 'converse', 'edit'] });
  const headers = { authorization: `Bearer ${key}` };
  const replies = [
    await app.anyone.call(keys.list, { headers }),
    await app.anyone.call(keys.create, { headers, body: { name: 'x', scopes: ['read'] } }),
    await app.anyone.call(keys.update, { headers, params: { uuid }, body: { name: 'x' } }),
    await app.anyone.call(keys.remove, { headers, params: { uuid } }),
  ];
  for (const reply of replies) expect(outcome(reply)).toEqual([403, 'key-not-allowed']);
  expect((await person.call(keys.list)).body.data).toHaveLength(1);
});

test.each([
  ['no scope', { name: 'x', scopes: [] }],
  ['a scope that is none', { name: 'x', scopes: ['own'] }],
  ['no name', { scopes: ['read'] }],
  ['no bots', { name: 'x', scopes: ['chat'], bots: [] }],
  ['a hash', { name: 'x', scopes: ['read'], hash: 'x' }],
])('a key with %s is refused', async (_, body) => {
  const person = await app.aPerson();
  const reply = await person.fetch('/api/user/api-key', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(reply.status).toBe(400);
  expect((await person.call(keys.list)).body.data).toEqual([]);
});
