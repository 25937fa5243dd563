import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { accounts, security } from '../../../shared/contracts/accounts.ts';
import { bots } from '../../../shared/contracts/bots.ts';
import { conversations, type ChatEvent } from '../../../shared/contracts/conversations.ts';
import { keys } from '../../../shared/contracts/keys.ts';
import { openai } from '../../../shared/contracts/openai.ts';
import { operator } from '../../../shared/contracts/operator.ts';
import { services } from '../../../shared/contracts/services.ts';
import { workspaces } from '../../../shared/contracts/workspaces.ts';
import { eventually, startTestApp, type Person, type TestApp } from '../../testing/app.ts';
import { delta, startModelServer } from '../../testing/openai.ts';

let app: TestApp;
let upstream: Awaited<ReturnType<typeof startModelServer>>;
let boss: Person;
let owner: Person;
let bot: string;
let workspace: string;
beforeAll(async () => {
  upstream = await startModelServer();
  // A model that has no end: whatever ends an answer here is not the model.
  upstream.behave(async (request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    while (!request.closed) {
      response.write(`data: ${delta('word ')}\n\n`);
      await sleep(50);
    }
  });
  app = await startTestApp({ OPENAI_COMPATIBLE_BASE_URL: upstream.url });
  [boss, owner] = [await app.aPerson(), await app.aPerson()];
  workspace = (await owner.call(workspaces.create, { body: { name: 'Shop' } })).body.data.uuid;
  const service = (await owner.call(services.list)).body.find(({ modelId }) => modelId === 'double-1')?.uuid ?? '';
  bot = (await owner.call(bots.create, { headers: { 'x-workspace': workspace }, body: { name: 'Slow', service } })).body
    .data.uuid;
});
afterAll(async () => {
  await app.stop();
  await upstream.stop();
});

const inWorkspace = () => ({ 'x-workspace': workspace });

async function aMember(): Promise<Person> {
  const person = await app.aPerson();
  const { url } = (await owner.call(workspaces.invite, { headers: inWorkspace(), body: { role: 'editor' } })).body.data;
  expect(
    (await person.call(workspaces.acceptInvitation, { body: { code: new URL(url).searchParams.get('code') ?? '' } }))
      .status,
  ).toBe(200);
  return person;
}

interface Reading {
  events: ChatEvent[];
  /** When the last byte came. */
  ended: Promise<number>;
}

/** Reads a stream as it comes, from its first words on. */
async function read(response: Response): Promise<Reading> {
  if (response.status !== 200 || !response.body) throw new Error(await response.text());
  const events: ChatEvent[] = [];
  const body = response.body;
  const ended = (async () => {
    const decoder = new TextDecoder();
    let rest = '';
    for await (const part of body) {
      const parts = (rest + decoder.decode(part, { stream: true })).split('\n\n');
      rest = parts.pop() ?? '';
      for (const event of parts) if (event.startsWith('data: ')) events.push(JSON.parse(event.slice(6)));
    }
    return performance.now();
  })();
  // Whoever awaits it gets the error.
  ended.catch(() => {});
  await eventually('the answer has begun', async () => events.some((event) => event.type === 'delta'));
  return { events, ended };
}

const ask = (person: Pick<Person, 'fetch'>, headers: Record<string, string> = inWorkspace(), asked = bot) =>
  person
    .fetch(conversations.send.path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ bot: asked, message: { text: 'Go on and on' }, stream: true }),
    })
    .then(read);

/** The stream is over within two seconds, its last word is why, and the answer is settled with what it had. */
async function mustHaveEnded(
  { events, ended }: Reading,
  from: number,
  code: string,
  becomes: 'interrupted' | 'erased' = 'interrupted',
): Promise<void> {
  expect((await ended) - from).toBeLessThan(10_000);
  const last = events.at(-1);
  if (last?.type !== 'error') throw new Error(`the last event is ${last?.type}`);
  expect(last.error).toEqual({ code, message: expect.stringMatching(/^.{8,}[.。]$/) });
  expect(last.message.text).toMatch(/^word /);
  const { db } = app.server.context;
  const { thread, ...row } = await eventually(
    'the answer is settled',
    async () => {
      const found = await db
        .selectFrom('message')
        .select(['status', 'text', 'thread'])
        .where('uuid', '=', last.message.uuid)
        .executeTakeFirst();
      return found?.status === 'streaming' ? undefined : (found ?? { status: 'erased', thread: null });
    },
    3000,
  );
  expect(row).toEqual(
    becomes === 'erased' ? { status: becomes } : { status: becomes, text: expect.stringMatching(/^word /) },
  );
  if (thread)
    expect(await db.selectFrom('thread').select('running').where('uuid', '=', thread).executeTakeFirst()).toEqual({
      running: null,
    });
}

describe.concurrent('an answer that is being written', () => {
  const endings: [string, string, (person: Person) => Promise<unknown>, 'erased'?][] = [
    ['is suspended', 'not-signed-in', (person) => boss.call(operator.suspend, { params: { uuid: person.user.uuid } })],
    [
      'is removed from the workspace',
      'workspace-not-found',
      (person) => owner.call(workspaces.removeMember, { headers: inWorkspace(), params: { uuid: person.user.uuid } }),
    ],
    [
      'signs out',
      'not-signed-in',
      (person) =>
        person.fetch(accounts.signOut.path, {
          method: 'POST',
          headers: { origin: app.url, cookie: person.cookies.map((cookie) => cookie.split(';')[0]).join('; ') },
        }),
    ],
    [
      'deletes the account',
      'not-signed-in',
      (person) => person.call(accounts.remove, { body: { password: 'correct horse battery' } }),
      'erased',
    ],
  ];
  test.each(endings)('ends within two seconds when who asked %s', async (_, code, end, becomes) => {
    const person = await aMember();
    const reading = await ask(person);
    const from = performance.now();
    await end(person);
    await mustHaveEnded(reading, from, code, becomes);
  });

  test('ends with its workspace, and nobody tries to record it there', async () => {
    const person = await app.aPerson();
    const { uuid } = (await person.call(workspaces.create, { body: { name: 'Short' } })).body.data;
    const headers = { 'x-workspace': uuid };
    const service = (await person.call(services.list)).body.find(({ modelId }) => modelId === 'double-1')?.uuid ?? '';
    const own = (await person.call(bots.create, { headers, body: { name: 'Slow', service } })).body.data.uuid;
    const reading = await ask(person, headers, own);
    const from = performance.now();
    await person.call(workspaces.remove, { headers, body: { name: 'Short' } });
    await mustHaveEnded(reading, from, 'workspace-not-found', 'erased');
    const last = reading.events.at(-1);
    const message = last?.type === 'error' ? last.message.uuid : '';
    await eventually('nothing is left to do', async () => !app.server.context.runs.active.has(message));
    expect(app.logs.filter((line) => line.includes(message) && line.includes('"level":50'))).toEqual([]);
  });

  test('ends on a device that is signed out from another', async () => {
    const person = await aMember();
    const { body } = await app.anyone.call(accounts.signIn, {
      body: { identifier: person.user.username, password: 'correct horse battery' },
    });
    if (!('jwt' in body)) throw new Error('no session');
    const reading = await ask(app.anyone, { ...inWorkspace(), authorization: `Bearer ${body.jwt}` });
    const from = performance.now();
    await person.call(security.endOtherSessions);
    await mustHaveEnded(reading, from, 'not-signed-in');
  });

  const keyEndings: [string, string, (key: string) => Promise<unknown>][] = [
    ['is revoked', 'not-signed-in', (uuid) => owner.call(keys.remove, { headers: inWorkspace(), params: { uuid } })],
    [
      'may no longer chat',
      'scope-missing',
      (uuid) => owner.call(keys.update, { headers: inWorkspace(), params: { uuid }, body: { scopes: ['read'] } }),
    ],
    [
      'has run out',
      'not-signed-in',
      (uuid) =>
        app.server.context.db.updateTable('api_key').set({ expires_at: Date.now() }).where('uuid', '=', uuid).execute(),
    ],
  ];
  test.each(keyEndings)('ends when the key that asked %s', async (_, code, end) => {
    const { uuid, key } = (
      await owner.call(keys.create, { headers: inWorkspace(), body: { name: 'Site', scopes: ['chat'] } })
    ).body.data;
    const reading = await ask(app.anyone, { 'x-api-key': key });
    const from = performance.now();
    await end(uuid);
    await mustHaveEnded(reading, from, code);
  });

  test.each([
    ['where people write', conversations.send.path, () => ({ bot, message: { text: 'Go on and on' }, stream: false })],
    [
      'at the door for programs',
      openai.completions.path,
      () => ({ model: bot, messages: [{ role: 'user', content: 'Go on and on' }] }),
    ],
  ])('that is waited for whole, %s, ends too', async (_, path, body) => {
    const { uuid, key } = (
      await owner.call(keys.create, { headers: inWorkspace(), body: { name: 'Site', scopes: ['chat'] } })
    ).body.data;
    const before = upstream.received.length;
    const asked = app.anyone.fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
      body: JSON.stringify(body()),
    });
    await eventually('the model is asked', async () => upstream.received.length > before);
    const from = performance.now();
    await owner.call(keys.remove, { headers: inWorkspace(), params: { uuid } });
    expect((await asked).status).toBe(401);
    expect(performance.now() - from).toBeLessThan(2500);
  });

  test('ends for who follows it as for who asked', async () => {
    const person = await aMember();
    const reading = await ask(person);
    const [first] = reading.events;
    if (first?.type !== 'thread') throw new Error('the thread comes first');
    const following = await read(
      await person.fetch(conversations.resume.path.replace(':thread', first.thread.uuid), {
        headers: { ...inWorkspace(), 'accept-language': 'ja' },
      }),
    );
    const from = performance.now();
    await boss.call(operator.suspend, { params: { uuid: person.user.uuid } });
    await mustHaveEnded(following, from, 'not-signed-in');
    await mustHaveEnded(reading, from, 'not-signed-in');
    expect(following.events.at(-1)).toMatchObject({ error: { message: expect.stringMatching(/[ぁ-ん]/) } });
  });

  test('goes on for everyone else, and for who is still let in', async () => {
    const [person, other] = [await aMember(), await aMember()];
    const reading = await ask(person);
    await owner.call(workspaces.changeRole, {
      headers: inWorkspace(),
      params: { uuid: person.user.uuid },
      body: { role: 'admin' },
    });
    await boss.call(operator.suspend, { params: { uuid: other.user.uuid } });
    await sleep(1500);
    const said = reading.events.length;
    await eventually('more words come', async () => reading.events.length > said);
    expect(reading.events.map(({ type }) => type)).not.toContain('error');
    const [first] = reading.events;
    if (first?.type !== 'thread') throw new Error('the thread comes first');
    await person.call(conversations.stop, { headers: inWorkspace(), params: { thread: first.thread.uuid } });
    await reading.ended;
    expect(reading.events.at(-1)).toMatchObject({ type: 'done', message: { status: 'interrupted' } });
  });
});

test('an answer goes on when the token that asked has run out, as long as its session lives', async () => {
  const person = await aMember();
  const reading = await ask(person);
  // It is valid for 15 minutes.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 17 * 60_000 });
  try {
    await sleep(1500);
    const said = reading.events.length;
    await eventually('more words come', async () => reading.events.length > said);
    expect(reading.events.map(({ type }) => type)).not.toContain('error');
  } finally {
    vi.useRealTimers();
  }
  await owner.call(workspaces.removeMember, { headers: inWorkspace(), params: { uuid: person.user.uuid } });
  await reading.ended;
});

test('after all of it no model is still being asked', async () => {
  await eventually(
    'every connection to the model is closed',
    async () => upstream.received.every(({ closed }) => closed),
    2000,
  );
  expect(upstream.received.length).toBeGreaterThan(9);
});
