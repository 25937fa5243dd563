import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { request as open } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { accounts } from '../../shared/contracts/accounts.ts';
import { bots } from '../../shared/contracts/bots.ts';
import { conversations } from '../../shared/contracts/conversations.ts';
import { inbox } from '../../shared/contracts/inbox.ts';
import { keys } from '../../shared/contracts/keys.ts';
import { documents, knowledge } from '../../shared/contracts/knowledge.ts';
import { services } from '../../shared/contracts/services.ts';
import { trash } from '../../shared/contracts/trash.ts';
import { workspaces } from '../../shared/contracts/workspaces.ts';
import type { Route } from '../../shared/route.ts';
import { featureSettings, everyRoute } from '../features.ts';
import { readConfig } from '../infra/config.ts';
import { createIdempotency } from '../infra/idempotency.ts';
import { createLog } from '../infra/log.ts';
import { noLimits } from '../infra/limits.ts';
import { startServer } from '../server.ts';
import { eventually, startTestApp, type Person, type TestApp } from '../testing/app.ts';
import { aChannel, aPublishedBot, aVisitor } from '../testing/channels.ts';
import { delta, finish, sse, startModelServer } from '../testing/openai.ts';

const masterKey = randomBytes(32).toString('base64');
let app: TestApp;
let upstream: Awaited<ReturnType<typeof startModelServer>>;
let person: Person;
let workspace: string;
beforeAll(async () => {
  upstream = await startModelServer();
  app = await startTestApp({ OPENAI_COMPATIBLE_BASE_URL: upstream.url, MASTER_KEY: masterKey });
  person = await app.aPerson();
  workspace = person.user.workspaces[0]?.uuid ?? '';
});
afterAll(async () => {
  await app.stop();
  await upstream.stop();
});

const aKey = () => randomBytes(8).toString('hex');
const json = (value: unknown) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(value),
});

/** A call with a key, and all that can be told of its answer. */
async function post(who: Pick<Person, 'fetch'>, path: string, key: string, init: RequestInit, from = '') {
  const response = await who.fetch(`${path}${from}`, {
    method: 'POST',
    ...init,
    headers: { ...Object.fromEntries(new Headers(init.headers)), 'idempotency-key': key },
  });
  const text = await response.text();
  return {
    status: response.status,
    text,
    type: response.headers.get('content-type'),
    isReplayed: response.headers.get('idempotency-replayed') === 'true',
    retryAfter: response.headers.get('retry-after'),
    code: response.status >= 400 ? JSON.parse(text).error.code : undefined,
  };
}

const addBot = (who: Pick<Person, 'fetch'>, key: string, body: unknown) => post(who, bots.create.path, key, json(body));
const botsNamed = async (name: string) => (await person.call(bots.list, { query: { q: name } })).body.data.length;

describe('a call that is made again with its key', () => {
  test('is answered with the same status, type and bytes, and done once', async () => {
    const [key, name] = [aKey(), aKey()];
    const first = await addBot(person, key, { name, description: 'x' });
    const again = await addBot(person, key, { description: 'x', name });
    expect(first).toMatchObject({ status: 201, isReplayed: false });
    expect(again).toEqual({ ...first, isReplayed: true });
    expect(await botsNamed(name)).toBe(1);
  });

  test('with another body or query is refused, and changes nothing', async () => {
    const [key, name] = [aKey(), aKey()];
    await addBot(person, key, { name });
    expect(await addBot(person, key, { name, description: 'Other' })).toMatchObject({
      status: 422,
      code: 'idempotency-key-used',
    });
    expect(await post(person, bots.create.path, key, json({ name }), '?locale=ja')).toMatchObject({
      code: 'idempotency-key-used',
    });
    expect(await botsNamed(name)).toBe(1);
  });

  test('is done once however many come at the same moment', async () => {
    const [key, name] = [aKey(), aKey()];
    const replies = await Promise.all(Array.from({ length: 20 }, () => addBot(person, key, { name })));
    expect(await botsNamed(name)).toBe(1);
    const done = replies.filter(({ status }) => status === 201);
    expect(new Set(done.map(({ text }) => text)).size).toBe(1);
    expect(done.filter(({ isReplayed }) => !isReplayed)).toHaveLength(1);
    for (const reply of replies.filter((each) => !done.includes(each)))
      expect(reply).toMatchObject({ status: 409, code: 'idempotency-in-progress', retryAfter: '1' });
    expect((await addBot(person, key, { name })).text).toBe(done[0]?.text);
  });

  test('after a refusal is a new one, since nothing was changed', async () => {
    const [key, name] = [aKey(), aKey()];
    expect(await addBot(person, key, { name: '' })).toMatchObject({ status: 400, code: 'validation-failed' });
    expect(await addBot(person, key, { name })).toMatchObject({ status: 201, isReplayed: false });
    const publish = bots.publish.path.replace(':uuid', '00000000-0000-7000-8000-000000000000');
    expect((await post(person, publish, key, json({ note: '' }))).code).toBe('bot-not-found');
    expect((await post(person, publish, key, json({ note: 'x' }))).code).toBe('bot-not-found');
  });

  test('with a key that is none is refused before anything is done', async () => {
    const name = aKey();
    for (const key of ['', 'k'.repeat(256), 'é'])
      expect(await addBot(person, key, { name })).toMatchObject({ status: 400, code: 'idempotency-key-missing' });
    expect(await botsNamed(name)).toBe(0);
    expect((await addBot(person, 'k'.repeat(255), { name })).status).toBe(201);
  });

  test("is another's when another person, workspace, API key or path has the same key", async () => {
    const [key, name] = [aKey(), aKey()];
    const first = await addBot(person, key, { name });
    const other = await app.aPerson();
    expect(await addBot(other, key, { name: 'Other' })).toMatchObject({ status: 201, isReplayed: false });
    const second = (await person.call(workspaces.create, { body: { name: 'Second' } })).body.data.uuid;
    const elsewhere = { ...json({ name: 'Third' }), headers: { ...json({}).headers, 'x-workspace': second } };
    expect(await post(person, bots.create.path, key, elsewhere)).toMatchObject({ status: 201, isReplayed: false });
    const { key: secret } = (await person.call(keys.create, { body: { name: 'Program', scopes: ['edit'] } })).body.data;
    const program = { ...json({ name: 'Fourth' }), headers: { ...json({}).headers, 'x-api-key': secret } };
    expect(await post(app.anyone, bots.create.path, key, program)).toMatchObject({ status: 201, isReplayed: false });
    const publish = bots.publish.path.replace(':uuid', JSON.parse(first.text).data.uuid);
    expect(await post(person, publish, key, json({ note: '' }))).toMatchObject({ status: 200, isReplayed: false });
    expect(await addBot(person, key, { name })).toEqual({ ...first, isReplayed: true });
  });

  test('that made a secret gives it again, and no table has it readable', async () => {
    const key = aKey();
    const made = await post(person, keys.create.path, key, json({ name: 'Program', scopes: ['chat'] }));
    const again = await post(person, keys.create.path, key, json({ name: 'Program', scopes: ['chat'] }));
    const secret: string = JSON.parse(again.text).data.key;
    expect([made.status, again]).toEqual([201, { ...made, isReplayed: true }]);
    const rows = await app.server.context.db.selectFrom('idempotency').selectAll().execute();
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toContain(secret);
  });

  test('is answered after a restart, and no longer after a day', async () => {
    const [key, name] = [aKey(), aKey()];
    const first = await addBot(person, key, { name });
    await app.restart();
    expect(await addBot(person, key, { name })).toEqual({ ...first, isReplayed: true });
    const { db } = app.server.context;
    const day = 86_400_000;
    await db
      .updateTable('idempotency')
      .set({ created_at: Date.now() - day })
      .execute();
    await db.updateTable('recurring').set({ due_at: 0 }).where('name', '=', 'idempotency.sweep').execute();
    await eventually('it is forgotten', async () => {
      const { isReplayed } = await addBot(person, key, { name });
      return !isReplayed;
    });
  });

  test('whose process died is not done a second time', async () => {
    const [key, name] = [aKey(), aKey()];
    const service = await aModel();
    const bot = (await person.call(bots.create, { body: { name, service } })).body.data.uuid;
    const held = Promise.withResolvers<void>();
    upstream.behave(async (_request, response) => {
      await held.promise;
      sse(response, [delta('Hello'), finish(), '[DONE]']);
    });
    const before = upstream.received.length;
    const ask = () => post(person, conversations.send.path, key, json({ bot, message: { text: 'Hi' } }));
    const first = ask();
    await eventually('the model is asked', async () => upstream.received.length > before);
    expect(await ask()).toMatchObject({ status: 409, code: 'idempotency-in-progress' });
    const { db } = app.server.context;
    await db.updateTable('idempotency').set({ alive_until: 0 }).where('status', 'is', null).execute();
    expect(await ask()).toMatchObject({ status: 409, code: 'idempotency-outcome-unknown', retryAfter: null });
    held.resolve();
    expect((await first).status).toBe(200);
    expect(upstream.received.length).toBe(before + 1);
  });

  test('with too large an answer is known to be done, and has no answer any more', async () => {
    const key = aKey();
    const { uuid: base, settings } = (await person.call(knowledge.create, { body: { name: 'Base' } })).body.data;
    const { chunking } = settings;
    const preview = () =>
      post(
        person,
        knowledge.preview.path.replace(':uuid', base),
        key,
        json({ chunking, of: { name: '', text: 'Lamp. '.repeat(5000) } }),
      );
    // What one account has of larger answers is full.
    await app.server.context.db
      .insertInto('idempotency')
      .values({
        id: aKey(),
        created_at: Date.now(),
        owner: person.user.uuid,
        workspace,
        fingerprint: 'x',
        alive_until: 0,
        status: 200,
        answer: null,
        bytes: 64 * 1024 * 1024,
      })
      .execute();
    onTestFinished(async () => {
      await app.server.context.db.deleteFrom('idempotency').where('fingerprint', '=', 'x').execute();
    });
    const shown = await preview();
    expect(shown.status, shown.text).toBe(200);
    expect(shown.text.length).toBeGreaterThan(16_384);
    expect(await preview()).toMatchObject({ status: 409, code: 'idempotency-answer-gone' });
  });

  test('is counted by account', async () => {
    const limited = await startTestApp({ RATE_LIMITS: 'true', LIMITS: 'keyed-calls=3/60' });
    onTestFinished(() => limited.stop());
    const one = await limited.aPerson();
    for (let at = 0; at < 3; at++) expect((await addBot(one, aKey(), { name: 'x' })).status).toBe(201);
    expect(await addBot(one, aKey(), { name: 'x' })).toMatchObject({ status: 429, code: 'too-many-requests' });
    expect((await one.call(bots.create, { body: { name: 'x' } })).status).toBe(201);
    expect((await addBot(await limited.aPerson(), aKey(), { name: 'x' })).status).toBe(201);
  });
});

test('what is erased is not told again, and nothing is done twice', async () => {
  const bot = await aPublishedBot(person);
  const { uuid: channel } = await aChannel(person, bot);
  const visitor = await aVisitor(app, channel);
  await visitor.write('Is the canary 8842 for sale?');
  const thread = await eventually(
    'it is heard',
    async () => (await person.call(inbox.threads, { query: { channel, q: '8842' } })).body.data[0],
  );
  const [noted, copy] = [aKey(), aKey()];
  const path = inbox.note.path.replace(':thread', thread.uuid);
  const said = json({ key: crypto.randomUUID(), text: 'They asked for the canary 8842.' });
  expect((await post(person, path, noted, said)).text).toContain('8842');
  await person.call(inbox.eraseGuest, { params: { uuid: thread.guest.uuid } });
  const again = await post(person, path, noted, said);
  expect([again.status >= 400, again.text.includes('8842')]).toEqual([true, false]);

  const made = await addBot(person, copy, { name: 'x', instructions: 'The canary is 9953.' });
  const { uuid } = JSON.parse(made.text).data;
  await person.call(bots.remove, { params: { uuid } });
  await person.call(trash.eraseBot, { params: { uuid } });
  const repeated = await addBot(person, copy, { name: 'x', instructions: 'The canary is 9953.' });
  expect([repeated.status, repeated.text.includes('9953')]).toEqual([409, false]);
});

describe('a form with a key', () => {
  const form = (files: [string, string][]) => {
    const body = new FormData();
    for (const [name, text] of files) body.append('file', new Blob([text]), name);
    return { body };
  };

  test('adds its files once, whatever stands between its parts', async () => {
    const base = (await person.call(knowledge.create, { body: { name: 'Base' } })).body.data.uuid;
    const path = documents.add.path.replace(':knowledge', base);
    const key = aKey();
    const files: [string, string][] = [
      ['a.txt', 'The lamp is blue.'],
      ['b.txt', 'The door is red.'],
    ];
    const first = await post(person, path, key, form(files));
    expect(first).toMatchObject({ status: 202, isReplayed: false });
    expect(await post(person, path, key, form(files))).toEqual({ ...first, isReplayed: true });
    for (const changed of [
      [files[0]!],
      [files[1]!, files[0]!],
      [files[0]!, ['c.txt', 'The door is red.']],
      [files[0]!, ['b.txt', 'The door is green.']],
    ] as [string, string][][])
      expect(await post(person, path, key, form(changed))).toMatchObject({ status: 422, code: 'idempotency-key-used' });
    const listed = await person.call(documents.list, { params: { knowledge: base } });
    expect(listed.body.data).toHaveLength(2);
  });

  test('counts whole where the call needs its first file only', async () => {
    const { uuid } = (await person.call(bots.create, { body: { name: 'Travels' } })).body.data;
    const archive = await (await person.fetch(bots.export.path.replace(':uuid', uuid))).blob();
    const key = aKey();
    const sent = (more: string[]) => {
      const body = new FormData();
      body.append('file', archive, 'bot.json');
      for (const text of more) body.append('note', text);
      return { body };
    };
    const first = await post(person, bots.import.path, key, sent(['one']));
    expect(first.status).toBe(201);
    expect(await post(person, bots.import.path, key, sent(['one']))).toEqual({ ...first, isReplayed: true });
    expect((await post(person, bots.import.path, key, sent(['two']))).code).toBe('idempotency-key-used');
  });
});

const aModel = async () =>
  (await app.anyone.call(services.list)).body.find(({ modelId }) => modelId === 'double-1')?.uuid ?? '';

/** Sends a call and leaves as soon as the answer begins, or the model is asked. */
async function leaveEarly(path: string, headers: Record<string, string>, body: unknown, until: () => boolean) {
  const sent = open(`${app.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
  });
  sent.on('error', () => {}).end(JSON.stringify(body));
  await eventually('it has begun', async () => until());
  sent.destroy();
}

describe('a streamed answer with a key', () => {
  const speaks = (words: string[]) => {
    const before = upstream.received.length;
    const held = Promise.withResolvers<void>();
    upstream.behave(async (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`data: ${delta(words[0] ?? '')}\n\n`);
      await held.promise;
      for (const word of words.slice(1)) response.write(`data: ${delta(word)}\n\n`);
      response.end(`data: ${finish()}\n\ndata: [DONE]\n\n`);
    });
    return { asked: () => upstream.received.length - before, goOn: () => held.resolve() };
  };

  test('is given again as the same bytes, and asked once', async () => {
    const bot = (await person.call(bots.create, { body: { name: 'Helper', service: await aModel() } })).body.data.uuid;
    const key = aKey();
    const model = speaks(['Hello', ' there']);
    const ask = () => post(person, conversations.send.path, key, json({ bot, message: { text: 'Hi' }, stream: true }));
    const first = ask();
    await eventually('the model is asked', async () => model.asked() === 1);
    expect(await ask()).toMatchObject({ status: 409, code: 'idempotency-in-progress' });
    model.goOn();
    const whole = await first;
    expect(whole).toMatchObject({ status: 200, type: 'text/event-stream; charset=utf-8' });
    expect(whole.text).toContain(' there');
    expect(await ask()).toEqual({ ...whole, isReplayed: true });
    expect(model.asked()).toBe(1);
  });

  test.each([true, false])(
    'goes on when its reader is lost, who gets it all with the next call (streamed: %s)',
    async (stream) => {
      const bot = (await person.call(bots.create, { body: { name: 'Helper', service: await aModel() } })).body.data
        .uuid;
      const { key: secret } = (await person.call(keys.create, { body: { name: 'Program', scopes: ['chat'] } })).body
        .data;
      const key = aKey();
      const model = speaks(['Hello', ' dear', ' reader']);
      const body = { model: bot, messages: [{ role: 'user', content: 'Hi' }], stream };
      const headers = { authorization: `Bearer ${secret}`, 'idempotency-key': key };
      await leaveEarly('/v1/chat/completions', headers, body, () => model.asked() === 1);
      model.goOn();
      const again = await eventually('it is whole', async () => {
        const reply = await post(app.anyone, '/v1/chat/completions', key, {
          ...json(body),
          headers: { ...json({}).headers, authorization: `Bearer ${secret}` },
        });
        return reply.status === 200 && reply;
      });
      expect(again.isReplayed).toBe(true);
      expect(again.text).toContain('reader');
      expect(model.asked()).toBe(1);
    },
  );

  test('that is too long to be kept ends with the whole message', async () => {
    const bot = (await person.call(bots.create, { body: { name: 'Helper', service: await aModel() } })).body.data.uuid;
    const key = aKey();
    const model = speaks(Array.from({ length: 12 }, (_, at) => `${at}${'x'.repeat(50_000)}`));
    model.goOn();
    const ask = () => post(person, conversations.send.path, key, json({ bot, message: { text: 'Hi' }, stream: true }));
    const first = await ask();
    expect(first.text.length).toBeGreaterThan(1024 * 1024);
    const again = await ask();
    expect(again).toMatchObject({ status: 200, isReplayed: true });
    const types = (text: string) => [...new Set([...text.matchAll(/"type":"(\w+)"/g)].map(([, type]) => type))];
    expect(types(first.text)).toContain('delta');
    expect(types(again.text)).toEqual(types(first.text).filter((type) => type !== 'delta'));
    expect(again.text.split('\n\n').at(-2)).toBe(first.text.split('\n\n').at(-2));
  });
});

test('what somebody was answered goes with them, their workspace and the visitor', async () => {
  const { db } = app.server.context;
  const leaver = await app.aPerson();
  const bot = await aPublishedBot(leaver);
  const { uuid: channel } = await aChannel(leaver, bot);
  const visitor = await aVisitor(app, channel);
  const key = aKey();
  const message = json({ key: crypto.randomUUID(), text: 'When do you open?' });
  const said = await post(visitor, '/api/visitor/message', key, message);
  expect([said.status, (await post(visitor, '/api/visitor/message', key, message)).isReplayed]).toEqual([200, true]);
  const kept = async () =>
    (await db.selectFrom('idempotency').select(['owner']).where('workspace', '=', workspaceOf(leaver)).execute())
      .length;
  await addBot(leaver, aKey(), { name: 'x' });
  expect(await kept()).toBe(2);
  const [thread] = (await leaver.call(inbox.threads, { query: {} })).body.data;
  await leaver.call(inbox.eraseGuest, { params: { uuid: thread?.guest.uuid ?? '' } });
  expect(await kept()).toBe(1);
  await leaver.call(accounts.remove, { body: { password: 'correct horse battery' } });
  expect(await kept()).toBe(0);
});

const workspaceOf = ({ user }: Person) => user.workspaces[0]?.uuid ?? '';

test.skipIf(process.env['TEST_ENGINE'] !== 'postgres')(
  'two servers with one database carry out a call once',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'kotae-second-'));
    const second = await startServer(
      readConfig({ ...app.settings, DATA_DIR: folder }, featureSettings),
      createLog('silent'),
      ['web'],
      { webFolder: folder },
    );
    onTestFinished(async () => {
      await second.stop();
      await rm(folder, { recursive: true, force: true });
    });
    const [key, name] = [aKey(), aKey()];
    const there: Pick<Person, 'fetch'> = {
      fetch: (path, init = {}) =>
        fetch(`${second.address}${path}`, {
          ...init,
          headers: { authorization: `Bearer ${person.jwt}`, ...Object.fromEntries(new Headers(init.headers)) },
        }),
    };
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, at) => addBot(at % 2 ? there : person, key, { name })),
    );
    expect(await botsNamed(name)).toBe(1);
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([201, 409]));
    expect((await addBot(there, key, { name })).text).toBe((await addBot(person, key, { name })).text);
  },
);

/** Calls whose use-case stores the key together with what it does; their own tests hold them to it. */
const keepsKey = [
  'POST /api/user/images',
  'POST /api/user/payment',
  'POST /api/operator/payment/:uuid/refund',
  'POST /api/operator/user/:uuid/credits',
];

const nameOf = ({ method, path }: Route) => `${method} ${path}`;

test.each(
  everyRoute
    .filter((route) => route.method === 'POST' && route.access !== 'anyone')
    .map((route) => [nameOf(route), route] as const),
)('%s is answered with what it answered before, by its key alone', async (name, route) => {
  const path = route.path.replace(/:\w+/g, '00000000-0000-7000-8000-000000000000');
  const malformed = await caller(route).then((who) => post(who, path, '', json({ 'no such field': 1 })));
  expect(malformed).toMatchObject({ status: 400, code: 'idempotency-key-missing' });
  const who = await caller(route);
  const key = aKey();
  const sent = { query: {}, body: { 'no such field': 1 } };
  const claim = await createIdempotency({ ...app.server.context, limits: noLimits }).begin(
    { key, account: who.owner, owner: who.owner, workspace: who.workspace, method: 'POST', path, sent },
    undefined,
  );
  if (!('digest' in claim)) throw new Error('the key is taken');
  await claim.finish({ status: 201, headers: { 'content-type': 'text/plain' }, body: 'before' });
  const reply = await post(who, path, key, json(sent.body));
  expect([reply.status, reply.text]).toEqual(
    keepsKey.includes(name) ? [expect.any(Number), expect.any(String)] : [201, 'before'],
  );
  expect(reply.isReplayed).toBe(!keepsKey.includes(name));
});

let aGuest: Promise<Pick<Person, 'fetch'> & { owner: string; workspace: string }> | undefined;

/** Somebody whom a route lets in. */
async function caller({ access }: Route): Promise<Pick<Person, 'fetch'> & { owner: string; workspace: string }> {
  if (access !== 'visitor') return { ...person, owner: person.user.uuid, workspace };
  aGuest ??= (async () => {
    const { uuid: channel } = await aChannel(person, await aPublishedBot(person));
    const visitor = await aVisitor(app, channel);
    const { db } = app.server.context;
    await post(visitor, '/api/visitor/stop', 'finds me', json({}));
    await post(visitor, '/api/visitor/message', 'finds me', json({ key: crypto.randomUUID(), text: 'Hi' }));
    const row = await db
      .selectFrom('idempotency')
      .select(['owner', 'workspace'])
      .where('owner', '!=', person.user.uuid)
      .where('workspace', '=', workspace)
      .executeTakeFirstOrThrow();
    return { ...visitor, ...row };
  })();
  return aGuest;
}
