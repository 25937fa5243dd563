import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bots } from '../../../shared/contracts/bots.ts';
import { knowledge } from '../../../shared/contracts/knowledge.ts';
import { builtInService, services } from '../../../shared/contracts/services.ts';
import { startTestApp, type Person, type TestApp } from '../../testing/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

const aBot = async (person: Person, name = 'Concierge') => (await person.call(bots.create, { body: { name } })).body.data;

test('a new bot answers with the built-in model until another is chosen', async () => {
  const person = await app.aPerson();
  const bot = await aBot(person);
  expect(bot).toMatchObject({ name: 'Concierge', draft: { service: builtInService, knowledges: [] }, published: null, changed: true });
  expect((await person.call(bots.get, { params: { uuid: bot.uuid } })).body.data).toEqual(bot);
});

test('a change of one field leaves the others', async () => {
  const person = await app.aPerson();
  const bot = await aBot(person);
  await person.call(bots.update, { params: { uuid: bot.uuid }, body: { greeting: 'いらっしゃいませ', starters: ['営業時間は？'] } });
  const { body } = await person.call(bots.update, { params: { uuid: bot.uuid }, body: { name: '👩‍👩‍👧‍👦 Family' } });
  expect(body.data).toMatchObject({ name: '👩‍👩‍👧‍👦 Family', draft: { greeting: 'いらっしゃいませ', starters: ['営業時間は？'] } });
});

test('publishing freezes the draft; later changes wait for the next time', async () => {
  const person = await app.aPerson();
  const bot = await aBot(person);
  const published = await person.call(bots.publish, { params: { uuid: bot.uuid }, body: { note: 'first' } });
  expect(published.body.data).toMatchObject({ changed: false, published: { number: 1, note: 'first' } });
  const edited = await person.call(bots.update, { params: { uuid: bot.uuid }, body: { greeting: 'Hello' } });
  expect(edited.body.data).toMatchObject({ changed: true, published: { number: 1 } });
  const again = await person.call(bots.publish, { params: { uuid: bot.uuid } });
  expect(again.body.data).toMatchObject({ changed: false, published: { number: 2, note: '' } });
});

test('a bot in the trash is gone for everyone and comes back whole', async () => {
  const person = await app.aPerson();
  const bot = await aBot(person);
  await person.call(bots.remove, { params: { uuid: bot.uuid } });
  expect((await person.call(bots.get, { params: { uuid: bot.uuid } })).error.code).toBe('bot-not-found');
  expect((await person.call(bots.list)).body.data).toEqual([]);
  const restored = await person.call(bots.restore, { params: { uuid: bot.uuid } });
  expect(restored.body.data).toMatchObject({ uuid: bot.uuid, name: bot.name });
});

test('a copy has the draft, a name of its own, and is not published', async () => {
  const person = await app.aPerson();
  const bot = await aBot(person);
  await person.call(bots.publish, { params: { uuid: bot.uuid } });
  const first = (await person.call(bots.duplicate, { params: { uuid: bot.uuid } })).body.data;
  const second = (await person.call(bots.duplicate, { params: { uuid: first.uuid } })).body.data;
  expect([first.name, second.name, first.published]).toEqual(['Concierge (2)', 'Concierge (3)', null]);
});

describe('the list', () => {
  test('goes page by page without losing or repeating one', async () => {
    const person = await app.aPerson();
    for (const name of ['b', 'a', 'd', 'c', 'e']) await aBot(person, name);
    for (const sort of ['name', 'updated'] as const) {
      const seen: string[] = [];
      let cursor: string | undefined;
      do {
        const { body } = await person.call(bots.list, { query: { limit: 2, sort, cursor } });
        seen.push(...body.data.map((bot) => bot.name));
        cursor = body.meta.nextCursor ?? undefined;
      } while (cursor);
      expect(seen).toEqual(sort === 'name' ? ['a', 'b', 'c', 'd', 'e'] : ['e', 'c', 'd', 'a', 'b']);
    }
  });

  test('finds a part of a name, and takes % and _ for what they are', async () => {
    const person = await app.aPerson();
    for (const name of ['100% sure', '100 sure', 'snake_case', '予約係']) await aBot(person, name);
    const find = async (q: string) => (await person.call(bots.list, { query: { q } })).body.data.map((bot) => bot.name);
    expect(await find('%')).toEqual(['100% sure']);
    expect(await find('_')).toEqual(['snake_case']);
    expect(await find('SURE')).toHaveLength(2);
    expect(await find('予約')).toEqual(['予約係']);
    expect(await find("'; drop table bot; --")).toEqual([]);
  });

  test.each(['limit=1e9', 'limit=-1', 'limit=NaN', 'sort=__proto__', 'cursor=nonsense', 'cursor=WyJhIiwxXQ', 'unknown=1'])('refuses %s', async (query) => {
    const person = await app.aPerson();
    expect((await person.fetch(`/api/user/bots?${query}`)).status).toBe(400);
  });
});

describe("another's bot", () => {
  test('is the same 404 as none, whatever is done with it', async () => {
    const bot = await aBot(await app.aPerson());
    const stranger = await app.aPerson();
    for (const uuid of [bot.uuid, '00000000-0000-7000-8000-000000000000', 'nonsense', "' or 1=1"]) {
      for (const route of [bots.get, bots.restore, bots.duplicate, bots.publish, bots.show, bots.remove] as const) {
        const reply = await stranger.call(route, { params: { uuid } });
        expect([reply.status, reply.error.code], `${route.path} ${uuid}`).toEqual([404, 'bot-not-found']);
      }
      expect((await stranger.call(bots.update, { params: { uuid }, body: { name: 'mine' } })).status).toBe(404);
    }
  });

  test('knowledge cannot be put into my bot', async () => {
    const theirs = (await (await app.aPerson()).call(knowledge.create, { body: { name: 'secrets' } })).body.data;
    const person = await app.aPerson();
    const bot = await aBot(person);
    const reply = await person.call(bots.update, { params: { uuid: bot.uuid }, body: { knowledges: [theirs.uuid] } });
    expect([reply.status, reply.error.code]).toEqual([404, 'knowledge-not-found']);
  });
});

describe('what cannot be a bot', () => {
  test.each([
    ['a name of spaces', { name: ' 　\t' }],
    ['a name of a million characters', { name: 'x'.repeat(900_000) }],
    ['a name of 81 family emoji', { name: '👩‍👩‍👧‍👦'.repeat(81) }],
    ['no name', {}],
    ['a name that is a number', { name: 5 }],
    ['an owner', { name: 'x', workspace: 'mine' }],
    ['a date of creation', { name: 'x', createdAt: '2020-01-01T00:00:00Z' }],
    ['nine starters', { name: 'x', starters: Array<string>(9).fill('x') }],
    ['a model that does not exist', { name: 'x', service: '00000000-0000-7000-8000-000000000000' }],
  ])('%s', async (_, body) => {
    const person = await app.aPerson();
    const response = await person.fetch('/api/user/bot', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
    expect([400, 404]).toContain(response.status);
    expect((await person.call(bots.list)).body.data).toEqual([]);
  });

  test('80 family emoji are 80 characters', async () => {
    const person = await app.aPerson();
    const name = '👩‍👩‍👧‍👦'.repeat(80);
    expect((await aBot(person, name)).name).toBe(name);
  });

  test('right-to-left text and joiners come back as they were', async () => {
    const person = await app.aPerson();
    const name = 'مرحبا\u200d‮שלום';
    expect((await aBot(person, name)).name).toBe(name);
  });
});

test('services are a plain array that anyone may read', async () => {
  const { body } = await app.anyone.call(services.list);
  expect(body).toContainEqual(expect.objectContaining({ uuid: builtInService, name: 'Kotae (Built-in)', group: 'model', availability: 'ready', avatar: { url: '/services/built-in.svg' } }));
});
