import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accounts, security } from '../../shared/contracts/accounts.ts';
import { bots } from '../../shared/contracts/bots.ts';
import { conversations } from '../../shared/contracts/conversations.ts';
import { documents, knowledge } from '../../shared/contracts/knowledge.ts';
import { keys } from '../../shared/contracts/keys.ts';
import { operator } from '../../shared/contracts/operator.ts';
import { services } from '../../shared/contracts/services.ts';
import { workspaces } from '../../shared/contracts/workspaces.ts';
import type { Tables } from '../infra/db.types.ts';
import { newId } from '../infra/db.ts';
import type { Route } from '../../shared/route.ts';
import { eventually, startTestApp, type Person, type TestApp } from '../testing/app.ts';
import { delta, finish, sse, startModelServer } from '../testing/openai.ts';

let app: TestApp;
let upstream: Awaited<ReturnType<typeof startModelServer>>;
/** Whoever was first runs the installation. */
let boss: Person;
let one: Person;
let other: Person;
let own: Things;
let theirs: Things;

beforeAll(async () => {
  upstream = await startModelServer();
  upstream.behave((_request, response) => sse(response, [delta('Yes.'), finish(), '[DONE]']));
  app = await startTestApp({ OPENAI_COMPATIBLE_BASE_URL: upstream.url });
  [boss, one, other] = [await app.aPerson(), await app.aPerson(), await app.aPerson()];
  [own, theirs] = await Promise.all([thingsOf(one), thingsOf(other)]);
  upstream.received.length = 0;
});
afterAll(async () => {
  await app.stop();
  await upstream.stop();
});

const nowhere = '00000000-0000-7000-8000-000000000000';
const secret = 'The vault opens with the word heliotrope.';
type Things = Awaited<ReturnType<typeof thingsOf>>;

/** One of everything that a person can have. */
async function thingsOf(person: Person) {
  const workspace = (await person.call(workspaces.create, { body: { name: 'Shop' } })).body.data.uuid;
  const headers = { 'x-workspace': workspace };
  const base = (await person.call(knowledge.create, { headers, body: { name: 'Base' } })).body.data.uuid;
  const [document] = (
    await person.call(documents.add, {
      headers,
      params: { knowledge: base },
      body: { source: 'text', name: 'Text', text: secret },
    })
  ).body.data;
  await eventually(
    'the text is read',
    async () => (await person.call(knowledge.get, { headers, params: { uuid: base } })).body.data.busyCount === 0,
  );
  const service = (await person.call(services.list)).body.find(({ modelId }) => modelId === 'double-1')?.uuid ?? '';
  const bot = (await person.call(bots.create, { headers, body: { name: 'Bot', service, knowledges: [base] } })).body
    .data.uuid;
  const { thread } = (
    await person.call(conversations.send, { headers, body: { bot, message: { text: 'What opens the vault?' } } })
  ).body.data;
  const { uuid: apiKey, key } = (await person.call(keys.create, { headers, body: { name: 'Key', scopes: ['chat'] } }))
    .body.data;
  const invitation = (await person.call(workspaces.invite, { headers, body: { role: 'viewer' } })).body.data;
  const code = new URL(invitation.url).searchParams.get('code') ?? '';
  const member = await app.aPerson();
  await member.call(workspaces.acceptInvitation, { body: { code } });
  const open = (await person.call(workspaces.invite, { headers, body: { role: 'viewer' } })).body.data.uuid;
  const passkey = newId();
  const now = Date.now();
  await app.server.context.db
    .insertInto('passkey')
    .values({
      uuid: passkey,
      user: person.user.uuid,
      name: 'Phone',
      credential_id: passkey,
      public_key: 'AAAA',
      counter: 0,
      transports: '[]',
      last_used_at: null,
      created_at: now,
      updated_at: now,
    })
    .execute();
  const session: string = JSON.parse(Buffer.from(person.jwt.split('.')[1] ?? '', 'base64url').toString()).sid;
  return {
    workspace,
    headers,
    base,
    document: document?.uuid ?? '',
    bot,
    thread: thread.uuid,
    apiKey,
    key,
    invitation: open,
    member,
    passkey,
    session,
  };
}

/** Every row that belongs to somebody's things, but for the moment they were last seen. */
async function stateOf({ workspace, base, passkey, session }: Things): Promise<unknown> {
  const { db } = app.server.context;
  const tables = ['bot', 'knowledge', 'thread', 'api_key', 'invitation', 'member'] as const satisfies (keyof Tables)[];
  const rows = await Promise.all(
    tables.map((table) =>
      db.selectFrom(table).selectAll().where('workspace', '=', workspace).orderBy('created_at').execute(),
    ),
  );
  const files = await db.selectFrom('document').selectAll().where('knowledge', '=', base).execute();
  const messages = await db
    .selectFrom('message')
    .innerJoin('thread', 'thread.uuid', 'message.thread')
    .select(['message.uuid', 'message.text'])
    .where('thread.workspace', '=', workspace)
    .orderBy('message.seq')
    .execute();
  return [
    rows,
    files,
    messages,
    await db.selectFrom('workspace').selectAll().where('uuid', '=', workspace).execute(),
    await db.selectFrom('passkey').selectAll().where('uuid', '=', passkey).execute(),
    await db.selectFrom('session').select(['uuid', 'user', 'confirmed_at']).where('uuid', '=', session).execute(),
  ];
}

/** What a call answers, whatever the request is called. */
async function answerOf(person: Person, method: string, path: string, headers: Record<string, string>, body?: unknown) {
  const response = await person.fetch(path, {
    method,
    headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, text: await response.text() };
}

describe("what is somebody else's", () => {
  const document = (base: (things: Things) => string) => (things: Things, uuid: string) => ({
    knowledge: base(things),
    document: uuid,
  });
  const inOwnBase = document((things) => things.base);
  const cases: [string, Route, keyof Things, (mine: Things, uuid: string) => Record<string, string>, unknown?][] = [
    ['session to end', security.endSession, 'session', (_, uuid) => ({ uuid })],
    ['passkey to rename', security.renamePasskey, 'passkey', (_, uuid) => ({ uuid }), { name: 'x' }],
    ['passkey to remove', security.removePasskey, 'passkey', (_, uuid) => ({ uuid })],
    ['key to change', keys.update, 'apiKey', (_, uuid) => ({ uuid }), { scopes: ['edit'] }],
    ['key to revoke', keys.remove, 'apiKey', (_, uuid) => ({ uuid })],
    ['invitation to renew', workspaces.renewInvitation, 'invitation', (_, uuid) => ({ uuid })],
    ['invitation to take back', workspaces.revokeInvitation, 'invitation', (_, uuid) => ({ uuid })],
    ['document in my base to read', documents.get, 'document', inOwnBase],
    ['document in my base to change', documents.update, 'document', inOwnBase, { enabled: false }],
    ['document in my base to remove', documents.remove, 'document', inOwnBase],
    ['document in my base to restore', documents.restore, 'document', inOwnBase],
    ['document in my base to try again', documents.retry, 'document', inOwnBase],
    ['document in my base to cancel', documents.cancel, 'document', inOwnBase],
    ['document in my base to read anew', documents.reindex, 'document', inOwnBase],
    ['document in my base to download', documents.file, 'document', inOwnBase],
    ['base around my document', documents.get, 'base', (mine, uuid) => ({ knowledge: uuid, document: mine.document })],
    [
      'base to put my document back into',
      documents.restore,
      'base',
      (mine, uuid) => ({ knowledge: uuid, document: mine.document }),
    ],
    [
      'base to add to',
      documents.add,
      'base',
      (_, uuid) => ({ knowledge: uuid }),
      { source: 'text', name: 'x', text: 'x' },
    ],
    [
      'base to add a page to',
      documents.add,
      'base',
      (_, uuid) => ({ knowledge: uuid }),
      { source: 'url', url: 'https://example.com/' },
    ],
    ['base to export', knowledge.export, 'base', (_, uuid) => ({ uuid })],
    ['base to search', knowledge.search, 'base', (_, uuid) => ({ uuid }), { query: 'heliotrope' }],
    ['chunks', documents.embeddings, 'document', (_, uuid) => ({ uuid })],
    ['a chunk', documents.embedding, 'document', (_, uuid) => ({ uuid, embedding: uuid })],
    ['thread to stop', conversations.stop, 'thread', (_, uuid) => ({ thread: uuid })],
    ['thread to follow', conversations.resume, 'thread', (_, uuid) => ({ thread: uuid })],
  ];

  test.each(cases)('(a %s) is as if it did not exist', async (_, route, thing, params, body) => {
    const before = [await stateOf(own), await stateOf(theirs)];
    const ask = (uuid: string) =>
      answerOf(
        one,
        route.method,
        route.path.replace(/:(\w+)/g, (_whole, name: string) => params(own, uuid)[name] ?? ''),
        own.headers,
        body,
      );
    const [foreign, unknown] = [await ask(String(theirs[thing])), await ask(nowhere)];
    expect(foreign.status, foreign.text).toBe(404);
    expect(foreign).toEqual(unknown);
    expect([await stateOf(own), await stateOf(theirs)]).toEqual(before);
  });

  const named: [string, Route, (uuid: string) => unknown, keyof Things | ((things: Things) => string), string?][] = [
    ['base in a new bot', bots.create, (uuid) => ({ name: 'x', knowledges: [uuid] }), 'base'],
    ['base in my bot', bots.update, (uuid) => ({ knowledges: [uuid] }), 'base', 'bot'],
    ['base beside mine in my bot', bots.update, (uuid) => ({ knowledges: [own.base, uuid] }), 'base', 'bot'],
    ['service that is a bot', bots.update, (uuid) => ({ service: uuid }), 'bot', 'bot'],
    ['picture that is a document', bots.update, (uuid) => ({ avatar: uuid }), 'document', 'bot'],
    ['bot in a new key', keys.create, (uuid) => ({ name: 'x', scopes: ['chat'], bots: [uuid] }), 'bot'],
    ['bot in my key', keys.update, (uuid) => ({ bots: [own.bot, uuid] }), 'bot', 'apiKey'],
    [
      'bot to talk to',
      conversations.send,
      (uuid) => ({ bot: uuid, message: { text: 'What opens the vault?' } }),
      'bot',
    ],
    [
      'bot to talk to in my thread',
      conversations.send,
      (uuid) => ({ bot: uuid, thread: own.thread, message: { text: 'What opens the vault?' } }),
      'bot',
    ],
    [
      'thread to go on in with my bot',
      conversations.send,
      (uuid) => ({ bot: own.bot, thread: uuid, message: { text: 'What opens the vault?' } }),
      'thread',
    ],
    [
      'person to hand my workspace to',
      workspaces.transfer,
      (uuid) => ({ user: uuid }),
      (things) => things.member.user.uuid,
    ],
    [
      'workspace to hand over with my account',
      accounts.remove,
      (uuid) => ({ handOver: [{ workspace: uuid, user: own.member.user.uuid }] }),
      'workspace',
    ],
    [
      'person to hand over to with my account',
      accounts.remove,
      (uuid) => ({ handOver: [{ workspace: own.workspace, user: uuid }] }),
      (things) => things.member.user.uuid,
    ],
  ];

  test.each(named)('(a %s) cannot be named either', async (_, route, body, thing, mine) => {
    const before = [await stateOf(own), await stateOf(theirs)];
    const path = mine === undefined ? route.path : route.path.replace(':uuid', String(own[mine as keyof Things])); // one of the names above
    const ask = (uuid: string) => answerOf(one, route.method, path, own.headers, body(uuid));
    const [foreign, unknown] = [
      await ask(typeof thing === 'function' ? thing(theirs) : String(theirs[thing])),
      await ask(nowhere),
    ];
    expect(foreign.status, foreign.text).toBe(404);
    expect(foreign).toEqual(unknown);
    expect([await stateOf(own), await stateOf(theirs)]).toEqual(before);
  });

  test('is in none of my lists, even when they are asked for it', async () => {
    const texts = await Promise.all(
      [
        `${conversations.threads.path}?bot=${theirs.bot}`,
        `${bots.list.path}?q=Bot`,
        knowledge.list.path,
        documents.all.path,
        keys.list.path,
        workspaces.invitations.path,
        workspaces.members.path,
        workspaces.list.path,
        security.get.path,
      ].map(async (path) => (await answerOf(one, 'GET', path, own.headers)).text),
    );
    const ids = [
      theirs.workspace,
      theirs.base,
      theirs.document,
      theirs.bot,
      theirs.thread,
      theirs.apiKey,
      theirs.invitation,
      theirs.passkey,
      theirs.session,
      theirs.member.user.uuid,
      other.user.uuid,
    ];
    expect(ids.filter((id) => texts.some((text) => text.includes(id)))).toEqual([]);
  });

  test('has made no model read a word', () => {
    expect(upstream.received).toEqual([]);
  });
});

describe("a thread of one's own", () => {
  test('is not there for a colleague, whatever their role', async () => {
    const colleague = own.member;
    for (const role of ['admin', 'editor'] as const) {
      await one.call(workspaces.changeRole, {
        headers: own.headers,
        params: { uuid: colleague.user.uuid },
        body: { role },
      });
      for (const route of [
        conversations.get,
        conversations.messages,
        conversations.resume,
        conversations.stop,
        conversations.remove,
      ] as const)
        expect((await colleague.call(route, { headers: own.headers, params: { thread: own.thread } })).error.code).toBe(
          'thread-not-found',
        );
      expect(
        (
          await colleague.call(conversations.send, {
            headers: own.headers,
            body: { bot: own.bot, thread: own.thread, message: { text: 'x' } },
          })
        ).status,
      ).toBe(404);
      expect(
        (await colleague.call(conversations.threads, { headers: own.headers, query: { bot: own.bot } })).body.data,
      ).toEqual([]);
    }
  });

  test('is not there for a key of the same person, nor with another bot', async () => {
    const headers = { 'x-api-key': own.key };
    expect((await app.anyone.call(conversations.get, { headers, params: { thread: own.thread } })).error.code).toBe(
      'thread-not-found',
    );
    expect(
      (
        await app.anyone.call(conversations.send, {
          headers,
          body: { bot: own.bot, thread: own.thread, message: { text: 'x' } },
        })
      ).error.code,
    ).toBe('thread-not-found');
    const second = (await one.call(bots.create, { headers: own.headers, body: { name: 'Second' } })).body.data.uuid;
    expect(
      (
        await one.call(conversations.send, {
          headers: own.headers,
          body: { bot: second, thread: own.thread, message: { text: 'x' } },
        })
      ).error.code,
    ).toBe('thread-not-found');
    await one.call(bots.remove, { headers: own.headers, params: { uuid: second } });
  });
});

describe('what is not for a caller to say', () => {
  const extras: Record<string, unknown> = {
    uuid: nowhere,
    id: 1,
    workspace: nowhere,
    ownerId: nowhere,
    user: nowhere,
    owner: nowhere,
    createdBy: nowhere,
    createdAt: '2020-01-01T00:00:00.000Z',
    updatedAt: '2020-01-01T00:00:00.000Z',
    deletedAt: null,
    operator: true,
    isOperator: 1,
    role: 'owner',
    balance: 1e9,
    confirmed: true,
    emailVerified: true,
    suspendedAt: null,
    hash: 'x',
    passwordHash: 'x',
    'workspace.uuid': nowhere,
  };
  const calls: [string, Route, () => string[], Record<string, unknown>][] = [
    ['a new bot', bots.create, () => [], { name: 'x' }],
    ['a bot', bots.update, () => [own.bot], { name: 'x' }],
    ['a publication', bots.publish, () => [own.bot], { note: 'x' }],
    ['a new base', knowledge.create, () => [], { name: 'x' }],
    ['a base', knowledge.update, () => [own.base], { name: 'x' }],
    ['a new document', documents.add, () => [own.base], { source: 'text', name: 'x', text: 'x' }],
    ['a document', documents.update, () => [own.base, own.document], { enabled: false }],
    ['a question', conversations.send, () => [], { message: { text: 'x' } }],
    ['a thread', conversations.update, () => [own.thread], { title: 'x' }],
    ['a new key', keys.create, () => [], { name: 'x', scopes: ['chat'] }],
    ['a key', keys.update, () => [own.apiKey], { name: 'x' }],
    ['a new workspace', workspaces.create, () => [], { name: 'x' }],
    ['a workspace', workspaces.update, () => [], { name: 'x' }],
    ['an invitation', workspaces.invite, () => [], { days: 7 }],
    ['a profile', accounts.update, () => [], { timezone: 'Pacific/Tongatapu' }],
    ['a passkey', security.renamePasskey, () => [own.passkey], { name: 'x' }],
    ['an operator', operator.setOperator, () => [one.user.uuid], {}],
  ];

  test.each(calls)('is refused with %s, and nothing of the rest is done', async (_, route, ids, body) => {
    const { db } = app.server.context;
    const everybody = () =>
      db
        .selectFrom('user')
        .select(['uuid', 'is_operator', 'timezone', 'email_verified', 'created_at'])
        .orderBy('uuid')
        .execute();
    const before = [
      await stateOf(own),
      await everybody(),
      (await db.selectFrom('workspace').select('uuid').execute()).length,
    ];
    const person = route.access === 'operator' ? boss : one;
    const given = ids();
    const path = route.path.replace(/:\w+/g, () => given.shift() ?? '');
    const whole = route.path === conversations.send.path ? { ...body, bot: own.bot } : body;
    const declared = 'shape' in route.body ? Object.keys(Object(route.body.shape)) : [];
    for (const [name, value] of Object.entries(extras).filter(([name]) => !declared.includes(name))) {
      const headers = route.access === 'operator' ? {} : own.headers;
      const { status, text } = await answerOf(person, route.method, path, headers, { ...whole, [name]: value });
      expect([name, status, JSON.parse(text).error?.code]).toEqual([name, 400, 'validation-failed']);
    }
    // The id of something that exists already is no way to write over it.
    if (route.method === 'POST')
      expect((await answerOf(person, 'POST', path, own.headers, { ...whole, uuid: own.bot })).status).toBe(400);
    expect([
      await stateOf(own),
      await everybody(),
      (await db.selectFrom('workspace').select('uuid').execute()).length,
    ]).toEqual(before);
  });

  test('is refused in the query of a change, too', async () => {
    const before = await stateOf(own);
    for (const query of ['uuid=x', `workspace=${theirs.workspace}`, 'role=owner', 'user=x'])
      expect(
        (
          await answerOf(one, 'PUT', `${bots.update.path.replace(':uuid', own.bot)}?${query}`, own.headers, {
            name: 'x',
          })
        ).status,
      ).toBe(400);
    expect(await stateOf(own)).toEqual(before);
  });
});
