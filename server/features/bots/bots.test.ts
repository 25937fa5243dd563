import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { botGroups, bots } from '../../../shared/contracts/bots.ts';
import { knowledge } from '../../../shared/contracts/knowledge.ts';
import { builtInService, services } from '../../../shared/contracts/services.ts';
import { workspaces } from '../../../shared/contracts/workspaces.ts';
import { startTestApp, type Person, type TestApp } from '../../testing/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

const aBot = async (person: Person, name = 'Concierge') =>
  (await person.call(bots.create, { body: { name } })).body.data;

test('a new bot answers with the built-in model until another is chosen', async () => {
  const person = await app.aPerson();
  const bot = await aBot(person);
  expect(bot).toMatchObject({
    name: 'Concierge',
    draft: { service: builtInService, knowledges: [] },
    published: null,
    changed: true,
  });
  expect((await person.call(bots.get, { params: { uuid: bot.uuid } })).body.data).toEqual(bot);
});

test('a change of one field leaves the others', async () => {
  const person = await app.aPerson();
  const bot = await aBot(person);
  await person.call(bots.update, {
    params: { uuid: bot.uuid },
    body: { greeting: 'いらっしゃいませ', starters: ['営業時間は？'] },
  });
  const { body } = await person.call(bots.update, { params: { uuid: bot.uuid }, body: { name: '👩‍👩‍👧‍👦 Family' } });
  expect(body.data).toMatchObject({
    name: '👩‍👩‍👧‍👦 Family',
    draft: { greeting: 'いらっしゃいませ', starters: ['営業時間は？'] },
  });
});

describe('at the same moment', () => {
  test('a change of what somebody else has changed since is refused, and changes nothing', async () => {
    const person = await app.aPerson();
    const { uuid, updatedAt: seen } = await aBot(person);
    const change = (body: object) => person.call(bots.update, { params: { uuid }, body });
    const { data: first } = (await change({ greeting: 'first', seen })).body;
    expect(first.draft.greeting).toBe('first');
    expect(await change({ greeting: 'second', seen })).toMatchObject({
      status: 409,
      body: { error: { code: 'conflict' } },
    });
    expect((await person.call(bots.get, { params: { uuid } })).body.data.draft.greeting).toBe('first');
    expect((await change({ greeting: 'third', seen: first.updatedAt })).status).toBe(200);
  });

  test('two people who change different fields keep all their changes', async () => {
    const [owner, other] = [await app.aPerson(), await app.aPerson()];
    const { url } = (await owner.call(workspaces.invite, { body: { role: 'editor' } })).body.data;
    const code = new URL(url).searchParams.get('code') ?? '';
    const joined = (await other.call(workspaces.acceptInvitation, { body: { code } })).body.data;
    const { uuid } = await aBot(owner);
    for (let time = 1; time <= 20; time++) {
      const text = `version ${time}`;
      await Promise.all([
        owner.call(bots.update, { params: { uuid }, body: { greeting: text } }),
        owner.call(bots.update, { params: { uuid }, body: { starters: [text] } }),
        other.call(bots.update, {
          params: { uuid },
          body: { instructions: text },
          headers: { 'x-workspace': joined.uuid },
        }),
      ]);
      const { draft } = (await owner.call(bots.get, { params: { uuid } })).body.data;
      expect([draft.greeting, draft.starters, draft.instructions]).toEqual([text, [text], text]);
    }
  });

  test('ten who publish get a version each', async () => {
    const person = await app.aPerson();
    const { uuid } = await aBot(person);
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => person.call(bots.publish, { params: { uuid } })),
    );
    expect(replies.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
    const { data } = (await person.call(bots.versions, { params: { uuid } })).body;
    expect(data.map(({ number }) => number)).toEqual([10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
  });

  test('of many secrets only as many are taken as a bot may have', async () => {
    const person = await app.aPerson();
    const { uuid } = await aBot(person);
    const replies = await Promise.all(
      Array.from({ length: 55 }, (_, at) =>
        person.call(bots.setSecret, {
          params: { uuid },
          body: { name: `NAME_${at}`, value: 'x', origins: ['example.com'] },
        }),
      ),
    );
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(50);
    expect((await person.call(bots.get, { params: { uuid } })).body.data.secrets).toHaveLength(50);
  });
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

test('the short list tells which models a bot uses: as published, and as drafted until then', async () => {
  const person = await app.aPerson();
  const other = (await person.call(services.list)).body.find(({ uuid }) => uuid !== builtInService)!.uuid;
  const params = { uuid: (await aBot(person)).uuid };
  const told = async () => (await person.call(bots.dropdown)).body.data[0]?.services;
  expect(await told()).toEqual([builtInService]);
  await person.call(bots.publish, { params });
  await person.call(bots.update, { params, body: { service: other, fallback: builtInService } });
  expect(await told()).toEqual([builtInService]);
  await person.call(bots.publish, { params });
  expect(await told()).toEqual([other, builtInService]);
});

test('a name and a description are seen at once, and leave nothing to publish', async () => {
  const [owner, visitor] = [await app.aPerson(), await app.aPerson()];
  const { url } = (await owner.call(workspaces.invite, { body: { role: 'viewer' } })).body.data;
  const code = new URL(url).searchParams.get('code') ?? '';
  const joined = (await visitor.call(workspaces.acceptInvitation, { body: { code } })).body.data;
  const { uuid } = await aBot(owner);
  await owner.call(bots.update, { params: { uuid }, body: { greeting: 'as published' } });
  await owner.call(bots.publish, { params: { uuid } });
  const given = { name: 'Night porter', description: 'Answers after ten.' };
  const { body } = await owner.call(bots.update, { params: { uuid }, body: given });
  expect(body.data).toMatchObject({ ...given, changed: false, published: { number: 1 } });
  await owner.call(bots.update, { params: { uuid }, body: { greeting: 'a draft' } });
  const shown = await visitor.call(bots.show, { params: { uuid }, headers: { 'x-workspace': joined.uuid } });
  expect(shown.body.data).toMatchObject({ ...given, greeting: 'as published' });
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
    for (const name of ['100% sure', '100 sure', 'snake_case', '予約係', 'ÄRZTE Büro']) await aBot(person, name);
    const find = async (q: string) => (await person.call(bots.list, { query: { q } })).body.data.map((bot) => bot.name);
    expect(await find('%')).toEqual(['100% sure']);
    expect(await find('_')).toEqual(['snake_case']);
    expect(await find('SURE')).toHaveLength(2);
    expect(await find('予約')).toEqual(['予約係']);
    expect(await find('Ärzte bÜ')).toEqual(['ÄRZTE Büro']);
    expect(await find("'; drop table bot; --")).toEqual([]);
  });

  test.each([
    'limit=1e9',
    'limit=-1',
    'limit=NaN',
    'sort=__proto__',
    'cursor=nonsense',
    'cursor=WyJhIiwxXQ',
    'unknown=1',
  ])('refuses %s', async (query) => {
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
    const response = await person.fetch('/api/user/bot', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
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

describe('versions', () => {
  const publish = (person: Person, uuid: string, note = '') =>
    person.call(bots.publish, { params: { uuid }, body: { note } });

  test('are listed newest first, page by page, and say which one visitors get', async () => {
    const person = await app.aPerson();
    const { uuid } = await aBot(person);
    for (const note of ['one', 'two', 'three']) await publish(person, uuid, note);
    const first = (await person.call(bots.versions, { params: { uuid }, query: { limit: 2 } })).body;
    const second = (
      await person.call(bots.versions, { params: { uuid }, query: { limit: 2, cursor: first.meta.nextCursor ?? '' } })
    ).body;
    expect(
      [...first.data, ...second.data].map(({ number, note, publisher, current }) => [number, note, publisher, current]),
    ).toEqual([
      [3, 'three', person.user.username, true],
      [2, 'two', person.user.username, false],
      [1, 'one', person.user.username, false],
    ]);
    expect(second.meta.nextCursor).toBeNull();
  });

  test('keep what was published, and one becomes the draft again', async () => {
    const person = await app.aPerson();
    const { uuid } = await aBot(person);
    await person.call(bots.update, { params: { uuid }, body: { greeting: 'first' } });
    const version = (await publish(person, uuid)).body.data.published?.uuid ?? '';
    await person.call(bots.update, { params: { uuid }, body: { greeting: 'second' } });
    await publish(person, uuid);
    expect((await person.call(bots.version, { params: { uuid, version } })).body.data).toMatchObject({
      number: 1,
      current: false,
      config: { greeting: 'first' },
    });
    const restored = (await person.call(bots.restoreVersion, { params: { uuid, version } })).body.data;
    expect(restored).toMatchObject({ draft: { greeting: 'first' }, changed: true, published: { number: 2 } });
    expect((await publish(person, uuid, 'back')).body.data).toMatchObject({
      changed: false,
      published: { number: 3, note: 'back' },
    });
  });

  test('whose base and model are gone leave them out', async () => {
    const person = await app.aPerson();
    const kept = (await person.call(knowledge.create, { body: { name: 'kept' } })).body.data.uuid;
    const gone = (await person.call(knowledge.create, { body: { name: 'gone' } })).body.data.uuid;
    const { uuid } = await aBot(person);
    await person.call(bots.update, { params: { uuid }, body: { knowledges: [gone, kept], fallback: builtInService } });
    const version = (await publish(person, uuid)).body.data.published?.uuid ?? '';
    await person.call(knowledge.remove, { params: { uuid: gone } });
    const { db } = app.server.context;
    const { config } = await db
      .selectFrom('bot_version')
      .select('config')
      .where('uuid', '=', version)
      .executeTakeFirstOrThrow();
    const lost = '00000000-0000-7000-8000-000000000000';
    await db
      .updateTable('bot_version')
      .set({ config: JSON.stringify({ ...JSON.parse(config), service: lost, fallback: lost }) })
      .where('uuid', '=', version)
      .execute();
    const { status, body } = await person.call(bots.restoreVersion, { params: { uuid, version } });
    expect([status, body.data.draft]).toEqual([
      200,
      expect.objectContaining({ knowledges: [kept], service: builtInService, fallback: null }),
    ]);
  });

  test('written before a field came to be are no change to the draft', async () => {
    const person = await app.aPerson();
    const { uuid } = await aBot(person);
    const version = (await publish(person, uuid)).body.data.published?.uuid ?? '';
    await app.server.context.db
      .updateTable('bot_version')
      .set({ config: JSON.stringify({ instructions: '', service: builtInService }) })
      .where('uuid', '=', version)
      .execute();
    expect((await person.call(bots.restoreVersion, { params: { uuid, version } })).body.data.changed).toBe(false);
  });

  test('of another bot are none', async () => {
    const person = await app.aPerson();
    const [one, other] = [await aBot(person), await aBot(person)];
    const version = (await publish(person, one.uuid)).body.data.published?.uuid ?? '';
    for (const route of [bots.version, bots.restoreVersion] as const)
      expect((await person.call(route, { params: { uuid: other.uuid, version } })).error.code).toBe(
        'version-not-found',
      );
  });
});

describe('a config that contradicts itself', () => {
  const lost = '00000000-0000-7000-8000-000000000000';
  test.each<[string, object, number, string]>([
    [
      'a variable twice',
      {
        variables: [
          { name: 'shop', value: 'a' },
          { name: 'shop', value: 'b' },
        ],
      },
      400,
      'validation-failed',
    ],
    [
      'a color that is a word',
      { appearance: { color: 'red', showCitations: true, placeholder: '' } },
      400,
      'validation-failed',
    ],
    [
      'a color in short',
      { appearance: { color: '#fff', showCitations: true, placeholder: '' } },
      400,
      'validation-failed',
    ],
    ['a fallback that does not exist', { fallback: lost }, 404, 'service-not-found'],
    ['a base that does not exist', { knowledges: [lost] }, 404, 'knowledge-not-found'],
    ['a group that does not exist', { botgroup: lost }, 404, 'botgroup-not-found'],
    ['a picture that does not exist', { avatar: lost }, 404, 'file-not-found'],
    ['a field that a later version may have', { mood: 'good' }, 400, 'validation-failed'],
  ])('%s is refused and changes nothing', async (_, body, status, code) => {
    const person = await app.aPerson();
    const bot = await aBot(person);
    const reply = await person.fetch(`/api/user/bot/${bot.uuid}`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ greeting: 'new', ...body }),
    });
    const { error } = JSON.parse(await reply.text());
    expect([reply.status, error.code, error.message]).toEqual([status, code, expect.stringMatching(/\S/)]);
    expect((await person.call(bots.get, { params: { uuid: bot.uuid } })).body.data).toEqual(bot);
  });

  test('256 KB are enough for all of it together', async () => {
    const person = await app.aPerson();
    const bot = await aBot(person);
    const parameters = Array.from({ length: 40 }, (_, at) => ({
      name: `p${at}`,
      in: 'query' as const,
      type: 'string' as const,
      description: 'x'.repeat(400),
      required: false,
    }));
    const tools = (count: number) =>
      Array.from({ length: count }, (_, at) => ({
        name: `t${at}`,
        description: '',
        method: 'GET' as const,
        url: 'https://example.com/',
        headers: [],
        parameters,
        approved: false,
      }));
    expect((await person.call(bots.update, { params: { uuid: bot.uuid }, body: { tools: tools(10) } })).status).toBe(
      200,
    );
    const reply = await person.call(bots.update, {
      params: { uuid: bot.uuid },
      body: { tools: tools(14), greeting: 'new' },
    });
    expect([reply.status, reply.error.details['fields']]).toEqual([
      400,
      [expect.objectContaining({ code: 'config-too-large', message: expect.stringContaining('256 KB') })],
    ]);
    expect((await person.call(bots.get, { params: { uuid: bot.uuid } })).body.data.draft).toMatchObject({
      greeting: '',
      tools: { length: 10 },
    });
  });
});

test('whoever opens a bot reads its texts with the variables filled in', async () => {
  const person = await app.aPerson();
  const { uuid } = await aBot(person);
  await person.call(bots.update, {
    params: { uuid },
    body: {
      variables: [{ name: 'shop', value: '花屋 <b>' }],
      greeting: 'Welcome to {{ shop }}! {{unknown}}',
      starters: ['{{shop}}は何時から？'],
      followUps: ['{{shop}} again'],
    },
  });
  expect((await person.call(bots.show, { params: { uuid } })).body.data).toMatchObject({
    greeting: 'Welcome to 花屋 <b>! {{unknown}}',
    starters: ['花屋 <b>は何時から？'],
    followUps: ['花屋 <b> again'],
  });
  expect((await person.call(bots.get, { params: { uuid } })).body.data.draft.greeting).toBe(
    'Welcome to {{ shop }}! {{unknown}}',
  );
});

test('a copy is in the same group, has the same tools and none of the secrets', async () => {
  const person = await app.aPerson();
  const botgroup = (await person.call(botGroups.create, { body: { name: 'Shop' } })).body.data.uuid;
  const { uuid } = await aBot(person);
  const tools = [
    {
      name: 't',
      description: '',
      method: 'GET' as const,
      url: 'https://example.com/',
      headers: [{ name: 'X-Key', value: '{{secret.KEY}}' }],
      parameters: [],
      approved: true,
    },
  ];
  await person.call(bots.update, { params: { uuid }, body: { botgroup, tools } });
  await person.call(bots.setSecret, { params: { uuid }, body: { name: 'KEY', value: 'x', origins: ['example.com'] } });
  expect((await person.call(bots.duplicate, { params: { uuid } })).body.data).toMatchObject({
    botgroup,
    draft: { tools },
    secrets: [],
  });
  expect((await person.call(bots.list, { query: { sort: 'name' } })).body.data.map(({ secrets }) => secrets)).toEqual([
    [{ name: 'KEY', origins: ['https://example.com'] }],
    [],
  ]);
});

describe.each(['en', 'ja'] as const)('templates in %s', (locale) => {
  test('are four kinds of bots that can be made as they are, with a value for each variable', async () => {
    const person = await app.aPerson();
    const templates = (await person.call(bots.templates, { headers: { 'accept-language': locale } })).body.data;
    expect(templates.map(({ id }) => id)).toEqual(['shop', 'restaurant', 'clinic', 'helpdesk']);
    for (const { name, description, config } of templates) {
      const { status, body } = await person.call(bots.create, { body: { name, description, ...config } });
      expect([status, body.data]).toEqual([
        201,
        expect.objectContaining({ name, description, draft: expect.objectContaining(config) }),
      ]);
      const shown = (await person.call(bots.show, { params: { uuid: body.data.uuid } })).body.data;
      expect([shown.greeting, ...shown.starters].join()).not.toMatch(/\{\{|^,|,,/);
      const used = [...JSON.stringify(config).matchAll(/\{\{\s*(\w+)\s*\}\}/g)].map(([, variable]) => variable);
      expect(new Set(used)).toEqual(new Set(config.variables?.map((variable) => variable.name)));
      expect(/[ぁ-んァ-ン]/.test(`${name}${description}`)).toBe(locale === 'ja');
    }
  });
});

test('services are a plain array that anyone may read', async () => {
  const { body } = await app.anyone.call(services.list);
  expect(body).toContainEqual(
    expect.objectContaining({
      uuid: builtInService,
      name: 'Kotae (Built-in)',
      group: 'model',
      availability: 'ready',
      avatar: { url: '/services/built-in.svg' },
    }),
  );
});
