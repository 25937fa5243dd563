import { newId } from '../../infra/db.ts';
import { createHash } from 'node:crypto';
import { createServer, type AddressInfo } from 'node:net';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { files } from '../../../shared/contracts/accounts.ts';
import { bots } from '../../../shared/contracts/bots.ts';
import { connections } from '../../../shared/contracts/connections.ts';
import { explore, exploreOperator, listings } from '../../../shared/contracts/explore.ts';
import { inbox } from '../../../shared/contracts/inbox.ts';
import { keys } from '../../../shared/contracts/keys.ts';
import { operator } from '../../../shared/contracts/operator.ts';
import { visitors } from '../../../shared/contracts/visitors.ts';
import { webChannels } from '../../../shared/contracts/web-channels.ts';
import { workspaces } from '../../../shared/contracts/workspaces.ts';
import type { BodyIn, Route } from '../../../shared/route.ts';
import { eventually, startTestApp, type Person, type Reply, type TestApp } from '../../testing/app.ts';
import { aChannel, aPublishedBot, aVisitor } from '../../testing/channels.ts';
import { eraseOldThreads } from '../web-channels/retention.ts';
import { erasePictures } from './picture.ts';
import { writeAddresses } from './pages.ts';
import { forgetAddresses } from './public.ts';

let app: TestApp;
/** Whoever was first runs the installation. */
let boss: Person;
let maker: Person;
let bot: string;
beforeAll(async () => {
  const port = await freePort();
  app = await startTestApp(
    { PORT: String(port), BASE_URL: `http://127.0.0.1:${port}`, TRUST_PROXY: '127.0.0.1' },
    {
      page: '<!doctype html><html lang="en"><head><meta name="description" content="x" /><title>Kotae</title></head><body></body></html>',
    },
  );
  boss = await app.aPerson();
  maker = await app.aPerson();
  bot = await aPublishedBot(maker);
});
afterAll(() => app.stop());

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // it listens on a port
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const usual: BodyIn<typeof listings.save> = {
  visibility: 'public',
  category: 'shops',
  languages: ['en'],
  summary: 'Hours of the shop',
  copying: 'settings',
  creditsPerDay: 20,
};

const publish = (person: Person, uuid: string, more: Partial<typeof usual> = {}, headers = {}) =>
  person.call(listings.save, { params: { uuid }, body: { ...usual, ...more }, headers });

/** A bot with nothing to say, for everybody. */
async function aPublicBot(person: Person, name: string, more: Partial<typeof usual> = {}): Promise<string> {
  const { uuid } = (await person.call(bots.create, { body: { name } })).body.data;
  await person.call(bots.publish, { params: { uuid }, body: { note: '' } });
  const saved = await publish(person, uuid, more);
  if (saved.status !== 200) throw new Error(JSON.stringify(saved.error));
  return uuid;
}

const shown = async (uuid: string) => (await app.anyone.call(explore.get, { params: { uuid } })).body.data;
const found = async (query: Parameters<typeof names>[0]) => names(query);
async function names(query: {
  q?: string;
  category?: 'play' | 'shops';
  language?: 'en' | 'ja';
  sort?: 'new' | 'popular';
}) {
  const reply = await app.anyone.call(explore.list, { query: { limit: 100, ...query } });
  return reply.body.data.map(({ name }) => name);
}

const codeOf = (reply: Reply<unknown>) => [reply.status, reply.error?.code];
const operated = async (uuid: string) => (await shown(uuid)).listing;

describe('publishing', () => {
  test('a bot is for its workspace, until somebody who may edit it publishes it for everybody', async () => {
    const { uuid } = (await maker.call(bots.create, { body: { name: 'Draft' } })).body.data;
    expect((await maker.call(bots.get, { params: { uuid } })).body.data.visibility).toBe('workspace');
    expect((await maker.call(listings.get, { params: { uuid } })).body.data).toEqual({ listing: null, mode: 'open' });
    expect(codeOf(await publish(maker, uuid))).toEqual([422, 'bot-not-published']);
    await maker.call(bots.publish, { params: { uuid }, body: { note: '' } });
    expect((await publish(maker, uuid, { visibility: 'link' })).body.data).toMatchObject({
      visibility: 'link',
      state: 'listed',
      slug: 'draft',
    });
    expect((await maker.call(bots.get, { params: { uuid } })).body.data.visibility).toBe('link');
    expect(await found({})).not.toContain('Draft');
    expect((await shown(uuid)).name).toBe('Draft');
    expect((await shown('draft')).uuid).toBe(uuid);
    await publish(maker, uuid);
    expect(await found({})).toContain('Draft');
    expect((await maker.call(listings.remove, { params: { uuid } })).body).toEqual({ ok: true });
    expect((await maker.call(bots.get, { params: { uuid } })).body.data.visibility).toBe('workspace');
    expect(codeOf(await app.anyone.call(explore.get, { params: { uuid } }))).toEqual([404, 'bot-not-found']);
    expect(codeOf(await maker.call(listings.remove, { params: { uuid } }))).toEqual([404, 'listing-not-found']);
  });

  test('what strangers get has the fields of its contract, and nothing of the bot that only makers should know', async () => {
    const { uuid } = (
      await maker.call(bots.create, {
        body: { name: 'Open', instructions: 'heliotrope', description: 'for us', contact: 'our telephone' },
      })
    ).body.data;
    await maker.call(bots.publish, { params: { uuid }, body: { note: 'a note' } });
    await publish(maker, uuid);
    const one = await app.anyone.fetch(`/api/public/bot/${uuid}`);
    const all = await app.anyone.fetch('/api/public/bots?q=open');
    const texts = [await one.text(), await all.text()];
    for (const text of texts) {
      expect(text).toContain('"Open"');
      expect(text).not.toMatch(/heliotrope|for us|telephone|a note|credits|workspace|state|draft|version/);
      expect(text).not.toContain(maker.user.uuid);
      expect(text).not.toContain(maker.user.email);
    }
    expect(Object.keys(await shown(uuid)).toSorted()).toEqual(
      'avatar,category,channel,copies,copying,greeting,isFeatured,languages,listing,maker,mark,name,own,slug,summary,tries,uuid,visibility'.split(
        ',',
      ),
    );
  });

  test('a public bot is the own one of members of its workspace, and of a key of that', async () => {
    const uuid = await aPublicBot(maker, 'Whose');
    const { uuid: team } = (await boss.call(workspaces.create, { body: { name: 'Team of the boss' } })).body.data;
    const home = maker.user.workspaces[0]?.uuid;
    const ownTo = async (person: Pick<Person, 'call'>, headers = {}) => {
      const listed = await person.call(explore.list, { query: { q: 'Whose', sort: 'new' }, headers });
      const { own } = (await person.call(explore.get, { params: { uuid }, headers })).body.data;
      expect(listed.body.data.find((each) => each.uuid === uuid)?.own).toBe(own);
      return own;
    };
    expect(await ownTo(maker)).toBe(home);
    expect([await ownTo(boss), await ownTo(app.anyone)]).toEqual([null, null]);
    // It does not depend on where somebody is.
    const { url } = (await maker.call(workspaces.invite, { body: { role: 'staff', days: 7 } })).body.data;
    const staff = await app.aPerson();
    await staff.call(workspaces.acceptInvitation, { body: { code: new URL(url).searchParams.get('code') ?? '' } });
    expect(await ownTo(staff)).toBe(home);
    const keyOf = async (person: Person, headers = {}) => ({
      authorization: `Bearer ${(await person.call(keys.create, { body: { name: 'k', scopes: ['read'] }, headers })).body.data.key}`,
    });
    expect(await ownTo(app.anyone, await keyOf(maker))).toBe(home);
    expect(await ownTo(app.anyone, await keyOf(boss, { 'x-workspace': team }))).toBeNull();
  });

  test('another’s bot is published and looked at by nobody else', async () => {
    const stranger = await app.aPerson();
    for (const reply of [
      await publish(stranger, bot),
      await stranger.call(listings.get, { params: { uuid: bot } }),
      await stranger.call(listings.remove, { params: { uuid: bot } }),
    ])
      expect(codeOf(reply)).toEqual([404, 'bot-not-found']);
  });

  test('names that are alike get addresses that are not', async () => {
    const slugs = [];
    for (const name of ['Café Zürich!', 'Cafe  Zurich', '茶', 'A', 'x'.repeat(80), bot])
      slugs.push((await shown(await aPublicBot(maker, name))).slug);
    expect(slugs[0]).toBe('cafe-zurich');
    expect(slugs[1]).toMatch(/^cafe-zurich-[0-9a-f]{12}$/);
    expect(slugs[2]).toMatch(/^bot-[0-9a-f]{12}$/);
    expect(slugs[3]).toMatch(/^bot-[0-9a-f]{12}$/);
    expect(slugs[4]).toBe('x'.repeat(30));
    expect(new Set(slugs).size).toBe(slugs.length);
  });

  test('two who publish at the same moment make one page', async () => {
    const { uuid } = (await maker.call(bots.create, { body: { name: 'Twice' } })).body.data;
    await maker.call(bots.publish, { params: { uuid }, body: { note: '' } });
    const replies = await Promise.all(Array.from({ length: 5 }, () => publish(maker, uuid)));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(new Set(replies.map(({ body }) => body.data.uuid)).size).toBe(1);
    expect(await found({ q: 'twice' })).toEqual(['Twice']);
  });

  test('who has seen another state of it is told, and publishes nothing again that was withdrawn', async () => {
    const uuid = await aPublishedBot(maker);
    const first = (await publish(maker, uuid, { seen: null })).body.data;
    expect(codeOf(await publish(maker, uuid, { seen: null }))).toEqual([409, 'conflict']);
    const second = await publish(maker, uuid, { seen: first.updatedAt, summary: 'Hours and prices' });
    expect(second.status).toBe(200);
    expect(codeOf(await publish(maker, uuid, { seen: first.updatedAt }))).toEqual([409, 'conflict']);
    await maker.call(listings.remove, { params: { uuid } });
    expect(codeOf(await publish(maker, uuid, { seen: second.body.data.updatedAt }))).toEqual([409, 'conflict']);
    expect(codeOf(await app.anyone.call(explore.get, { params: { uuid } }))).toEqual([404, 'bot-not-found']);
  });

  test('what is not right is refused, and changes nothing', async () => {
    const before = await shown(await aPublicBot(maker, 'Steady'));
    for (const wrong of [
      { summary: '' },
      { summary: 'x'.repeat(161) },
      { category: 'toys' },
      { languages: [] },
      { languages: ['fr'] },
      { creditsPerDay: 0 },
      { creditsPerDay: 1.5 },
      { copying: 'all' },
      { visibility: 'workspace' },
      { state: 'listed' },
      { featured: 1 },
      { tries: 1000 },
    ]) {
      const reply = await maker.fetch(`/api/user/bot/${before.uuid}/listing`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ ...usual, ...wrong }),
      });
      expect([wrong, reply.status]).toEqual([wrong, 400]);
    }
    expect(await shown(before.uuid)).toEqual(before);
  });

  test('a public name follows the bot’s', async () => {
    const uuid = await aPublicBot(maker, 'Earlier');
    await maker.call(bots.update, { params: { uuid }, body: { name: 'Afterwards' } });
    expect(await found({ q: 'afterwards' })).toEqual(['Afterwards']);
    expect(await found({ q: 'earlier' })).toEqual([]);
    expect((await shown(uuid)).slug).toBe('earlier');
  });
});

describe('who is in the workspace', () => {
  test('a private bot is there for its editors only', async () => {
    const workspace = (await maker.call(workspaces.create, { body: { name: 'Team' } })).body.data.uuid;
    const headers = { 'x-workspace': workspace };
    const { url } = (await maker.call(workspaces.invite, { headers, body: { role: 'staff', days: 7 } })).body.data;
    const staff = await app.aPerson();
    await staff.call(workspaces.acceptInvitation, { body: { code: new URL(url).searchParams.get('code') ?? '' } });
    const { uuid } = (await maker.call(bots.create, { headers, body: { name: 'Hidden' } })).body.data;
    await maker.call(bots.publish, { headers, params: { uuid }, body: { note: '' } });
    const seen = async (person: Person) => [
      (await person.call(bots.list, { headers })).body.data.length,
      (await person.call(bots.dropdown, { headers })).body.data.length,
      (await person.call(bots.get, { headers, params: { uuid } })).status,
      (await person.call(bots.show, { headers, params: { uuid } })).status,
      (await person.call(bots.versions, { headers, params: { uuid } })).status,
      (await person.call(bots.place, { params: { uuid } })).status,
    ];
    expect(await seen(staff)).toEqual([1, 1, 200, 200, 200, 200]);
    const changed = await maker.call(bots.update, { headers, params: { uuid }, body: { visibility: 'private' } });
    expect(changed.body.data.visibility).toBe('private');
    expect(await seen(staff)).toEqual([0, 0, 404, 404, 404, 404]);
    expect(await seen(maker)).toEqual([1, 1, 200, 200, 200, 200]);
    const copy = (await maker.call(bots.duplicate, { headers, params: { uuid } })).body.data;
    expect(copy.visibility).toBe('private');
  });

  test('a bot that becomes private is public no longer', async () => {
    const uuid = await aPublicBot(maker, 'Shy');
    await maker.call(bots.update, { params: { uuid }, body: { visibility: 'private' } });
    expect(codeOf(await app.anyone.call(explore.get, { params: { uuid } }))).toEqual([404, 'bot-not-found']);
    expect((await maker.call(listings.get, { params: { uuid } })).body.data.listing).toBeNull();
  });

  test('the channel of a public page is in no list, and nobody changes it', async () => {
    const owner = await app.aPerson();
    const uuid = await aPublicBot(owner, 'Quiet');
    const { channel } = await shown(uuid);
    expect((await owner.call(webChannels.list)).body.data).toEqual([]);
    expect((await owner.call(connections.list)).body.data).toEqual([]);
    for (const reply of [
      await owner.call(webChannels.get, { params: { uuid: channel } }),
      await owner.call(webChannels.update, { params: { uuid: channel }, body: { domains: ['evil.example'] } }),
      await owner.call(webChannels.remove, { params: { uuid: channel } }),
      await owner.call(webChannels.secret, { params: { uuid: channel } }),
    ])
      expect(codeOf(reply)).toEqual([404, 'channel-not-found']);
    const { uuid: connection } = await app.server.context.db
      .selectFrom('connection')
      .select('uuid')
      .where('channel_id', '=', channel)
      .executeTakeFirstOrThrow();
    expect(codeOf(await owner.call(connections.get, { params: { uuid: connection } }))).toEqual([
      404,
      'connection-not-found',
    ]);
    await aChannel(owner, uuid);
    expect((await owner.call(webChannels.list)).body.data).toHaveLength(1);
  });
});

describe('trying', () => {
  test('a stranger asks, gets an answer with its source, and is in the maker’s inbox', async () => {
    await publish(maker, bot);
    const { channel } = await shown(bot);
    const visitor = await aVisitor(app, channel);
    const answer = await visitor.say('When does the shop open?');
    expect(answer.text).toContain('nine');
    expect(answer.citations).toHaveLength(1);
    const [thread] = (await maker.call(inbox.threads)).body.data;
    expect(thread).toMatchObject({ channel: 'web', channelName: 'Explore' });
    const setting = (await app.anyone.call(visitors.setting, { query: { channel } })).body.data;
    expect(setting.person.offered).toBe(false);
    expect(setting.shown.upload).toBe(false);
    expect((await visitor.call(visitors.person)).error.code).toBe('not-allowed');
    expect(
      (await app.anyone.call(visitors.setting, { query: { channel }, headers: { origin: 'https://evil.example' } }))
        .error.code,
    ).toBe('site-not-listed');
  });

  test('what strangers say is kept for 90 days after their last message, also when the page is gone', async () => {
    const erase = (days: number) =>
      eraseOldThreads(app.server.context, new AbortController().signal, Date.now() + days * 86_400_000);
    for (const isGone of [false, true]) {
      const uuid = await aPublicBot(maker, 'Forgetful');
      const { channel } = await shown(uuid);
      await (await aVisitor(app, channel)).say('Is anybody there?');
      const kept = async () =>
        (await app.server.context.db.selectFrom('thread').select('uuid').where('channel_id', '=', channel).execute())
          .length;
      if (isGone) await maker.call(listings.remove, { params: { uuid } });
      await erase(89);
      expect(await kept()).toBe(1);
      await erase(91);
      expect(await kept()).toBe(0);
    }
  });

  test('a visitor counts once, and of one address nobody twice in a day', async () => {
    const uuid = await aPublicBot(maker, 'Counted');
    const { channel } = await shown(uuid);
    const write = async (visitor: Awaited<ReturnType<typeof aVisitor>>, address: string) =>
      (
        await visitor.fetch('/api/visitor/message', {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
          body: JSON.stringify({ key: crypto.randomUUID(), text: 'Hello' }),
        })
      ).text();
    const [one, two, three] = [
      await aVisitor(app, channel),
      await aVisitor(app, channel),
      await aVisitor(app, channel),
    ];
    await write(one, '192.0.2.1');
    await write(one, '192.0.2.1');
    await write(one, '192.0.2.9');
    await write(two, '192.0.2.1');
    expect((await shown(uuid)).tries).toBe(1);
    await write(three, '2001:db8::1');
    const four = await aVisitor(app, channel);
    await write(four, '2001:db8::2');
    expect((await shown(uuid)).tries).toBe(2);
    const { listing } = await shown(uuid);
    const { db } = app.server.context;
    const kept = async () =>
      db
        .selectFrom('listing_try')
        .select(['who', 'day'])
        .where('listing', '=', listing)
        .where('day', 'is not', null)
        .execute();
    const rows = await kept();
    const bare = createHash('sha256').update(`${listing} ${rows[0]?.day} 192.0.2.1`).digest('hex');
    expect(rows.map(({ who }) => who)).not.toContain(bare);
    await forgetAddresses(app.server.context);
    expect(await kept()).toHaveLength(2);
    await forgetAddresses(app.server.context, Date.now() + 86_400_000);
    expect(await kept()).toEqual([]);
    await write(one, '192.0.2.1');
    expect((await shown(uuid)).tries).toBe(2);
    await write(await aVisitor(app, channel), '192.0.2.1');
    expect((await shown(uuid)).tries).toBe(3);
  });

  test('what its answers may cost in a day is used up in words, and nobody is made to wait for people', async () => {
    await publish(maker, bot);
    const { channel } = await shown(bot);
    const visitor = await aVisitor(app, channel);
    const { db } = app.server.context;
    const settings = JSON.parse(
      (await db.selectFrom('web_channel').select('settings').where('uuid', '=', channel).executeTakeFirstOrThrow())
        .settings,
    );
    expect(settings.limits).toEqual({ visitorPerMinute: 6, visitorPerDay: 30, addressPerDay: 30, creditsPerDay: 20 });
    await publish(maker, bot, { creditsPerDay: 7 });
    await db
      .insertInto('credit_hold')
      .values({
        message: crypto.randomUUID(),
        workspace: maker.user.workspaces[0]?.uuid ?? '',
        amount: 7_000_000,
        channel_id: channel,
        bot: null,
        member: null,
        api_key: null,
        created_at: Date.now(),
      })
      .execute();
    const reply = await visitor.call(visitors.send, { body: { key: crypto.randomUUID(), text: 'When?' } });
    expect(codeOf(reply)).toEqual([429, 'visitor-limit']);
    expect(reply.error.message).toContain('tomorrow');
    expect((await visitor.page()).thread).toBeNull();
    await db.deleteFrom('credit_hold').execute();
  });

  test('limits are small, and told in the words of the page', async () => {
    const limited = await startTestApp({ RATE_LIMITS: 'true' });
    try {
      const owner = await limited.aPerson();
      const { uuid } = (await owner.call(bots.create, { body: { name: 'Short' } })).body.data;
      await owner.call(bots.publish, { params: { uuid }, body: { note: '' } });
      await publish(owner, uuid);
      const { channel } = (await limited.anyone.call(explore.get, { params: { uuid } })).body.data;
      const visitor = await aVisitor(limited, channel);
      for (let at = 0; at < 6; at++) await visitor.say(`Question ${at}?`);
      const seventh = await visitor.call(visitors.send, { body: { key: crypto.randomUUID(), text: 'One more' } });
      expect(codeOf(seventh)).toEqual([429, 'visitor-limit']);
      const report = () => limited.anyone.call(explore.report, { params: { uuid }, body: { reason: 'spam' } });
      const replies = [];
      for (let at = 0; at < 11; at++) replies.push((await report()).status);
      expect(replies).toEqual([...Array.from({ length: 10 }, () => 200), 429]);
    } finally {
      await limited.stop();
    }
  });
});

describe('ending', () => {
  /** Page, picture, list and chat. */
  const everything = async (uuid: string, visitor: Awaited<ReturnType<typeof aVisitor>>) => [
    (await app.anyone.call(explore.get, { params: { uuid } })).status,
    (await app.anyone.fetch(`/api/public/bot/${uuid}/picture.png`)).status,
    (await names({ q: 'Ending' })).length,
    (await app.anyone.call(visitors.messages, { headers: visitor.headers })).status,
  ];
  const there = [200, 200, 1, 200];
  const gone = [404, 404, 0, 404];

  test.each<[string, (uuid: string) => Promise<unknown>, ((uuid: string) => Promise<unknown>)?]>([
    ['it is no longer published', (uuid) => maker.call(listings.remove, { params: { uuid } })],
    ['it goes to the trash', (uuid) => maker.call(bots.remove, { params: { uuid } })],
    [
      'it is for its workspace',
      (uuid) => maker.call(bots.update, { params: { uuid }, body: { visibility: 'workspace' } }),
    ],
    [
      'the operator takes it down',
      async (uuid) =>
        boss.call(exploreOperator.takeDown, { params: { uuid: await operated(uuid) }, body: { reason: 'No.' } }),
    ],
    [
      'its owner is suspended, until that is over',
      () => boss.call(operator.suspend, { params: { uuid: maker.user.uuid }, body: { reason: '' } }),
      () => boss.call(operator.restore, { params: { uuid: maker.user.uuid } }),
    ],
  ])('everything is gone at once when %s', async (_, end, again) => {
    const { jwt } = maker;
    const uuid = await aPublicBot(maker, 'Ending');
    const visitor = await aVisitor(app, (await shown(uuid)).channel);
    expect(await everything(uuid, visitor)).toEqual(there);
    await end(uuid);
    expect(await everything(uuid, visitor)).toEqual(gone);
    await again?.(uuid);
    if (again) {
      expect(await everything(uuid, visitor)).toEqual(there);
      const reply = await fetch(`${app.url}/api/auth/local`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ identifier: maker.user.email, password: 'correct horse battery' }),
      });
      const signedIn: { jwt: string } = JSON.parse(await reply.text());
      expect(signedIn.jwt).not.toBe(jwt);
      const call: Person['call'] = (route, sent = {}) =>
        app.anyone.call(route, { ...sent, headers: { ...sent.headers, authorization: `Bearer ${signedIn.jwt}` } });
      maker = {
        ...maker,
        jwt: signedIn.jwt,
        call,
        fetch: (path, init = {}) =>
          app.anyone.fetch(path, {
            ...init,
            headers: { ...Object.fromEntries(new Headers(init.headers)), authorization: `Bearer ${signedIn.jwt}` },
          }),
      };
      await maker.call(listings.remove, { params: { uuid } });
    }
  });

  test('a bot that comes back from the trash is for its workspace', async () => {
    const uuid = await aPublicBot(maker, 'Returning');
    await maker.call(bots.remove, { params: { uuid } });
    expect((await maker.call(bots.restore, { params: { uuid } })).body.data.visibility).toBe('workspace');
    expect((await maker.call(listings.get, { params: { uuid } })).body.data.listing).toBeNull();
  });

  test('a workspace takes its public bots along', async () => {
    const owner = await app.aPerson();
    const { uuid: workspace, name } = (await owner.call(workspaces.create, { body: { name: 'Leaving' } })).body.data;
    const headers = { 'x-workspace': workspace };
    const { uuid } = (await owner.call(bots.create, { headers, body: { name: 'Gone soon' } })).body.data;
    await owner.call(bots.publish, { headers, params: { uuid }, body: { note: '' } });
    await publish(owner, uuid, {}, headers);
    expect(await found({ q: 'gone soon' })).toEqual(['Gone soon']);
    await owner.call(workspaces.remove, { headers, body: { name } });
    expect(await found({ q: 'gone soon' })).toEqual([]);
  });
});

describe('finding', () => {
  let other: Person;
  beforeAll(async () => {
    other = await app.aPerson();
    await aPublicBot(other, 'Beans and brewing', {
      summary: 'Grind, water and time for every roast',
      category: 'shops',
    });
    await aPublicBot(other, '珈琲の淹れ方', {
      summary: 'コーヒー豆の挽き方をお答えします。',
      languages: ['ja'],
      category: 'shops',
    });
    await aPublicBot(other, 'ボードゲーム', {
      summary: 'Settles disputes, quotes the rule',
      languages: ['ja', 'en'],
      category: 'play',
    });
  });

  test('by the beginnings of words, by pieces of Japanese, in any script, by category and language', async () => {
    const cases: [Parameters<typeof names>[0], string[]][] = [
      [{ q: 'brew' }, ['Beans and brewing']],
      [{ q: 'BREWING beans' }, ['Beans and brewing']],
      [{ q: 'ewing' }, []],
      [{ q: '珈琲' }, ['珈琲の淹れ方']],
      [{ q: '珈' }, ['珈琲の淹れ方']],
      [{ q: '方' }, ['珈琲の淹れ方']],
      [{ q: 'こーひー' }, ['珈琲の淹れ方']],
      [{ q: 'ｺｰﾋｰ' }, ['珈琲の淹れ方']],
      [{ q: 'コーヒー豆 挽き方' }, ['珈琲の淹れ方']],
      [{ q: 'ゲーム disputes' }, ['ボードゲーム']],
      [{ q: 'ゲーム', category: 'play' }, ['ボードゲーム']],
      [{ q: 'ゲーム', category: 'shops' }, []],
      [{ category: 'play' }, ['ボードゲーム']],
      [{ q: 'ゲーム', language: 'ja' }, ['ボードゲーム']],
      [{ q: 'brew', language: 'ja' }, []],
    ];
    for (const [query, expected] of cases) expect([query, await names(query)]).toEqual([query, expected]);
    expect(await names({ language: 'ja' })).toEqual(expect.arrayContaining(['珈琲の淹れ方', 'ボードゲーム']));
  });

  test('words of every kind find something or nothing, and break nothing', async () => {
    for (const q of [
      '%',
      '_',
      '\\',
      '"',
      '*',
      "'",
      "' OR 1=1 --",
      'NOT brew',
      'brew AND',
      'brew OR NEAR(x)',
      '(',
      'terms:brew',
      '^brew',
      '!@#$%',
      '👩‍👩‍👧‍👦',
      'x'.repeat(200),
      '漢'.repeat(200),
      'a '.repeat(100),
      '\u202etxt',
      '\ue000shops',
      'नमस्ते',
      'ﷺ',
    ]) {
      const reply = await app.anyone.call(explore.list, { query: { q } });
      expect([q, reply.status]).toEqual([q, 200]);
    }
    expect(await names({ q: '%' })).toEqual([]);
    for (const path of [
      '?limit=1e9',
      '?limit=-1',
      '?sort=__proto__',
      '?category=toys',
      '?cursor=x',
      '?x=1',
      '?q=%00',
      '?language=fr',
    ])
      expect([path, (await app.anyone.fetch(`/api/public/bots${path}`)).status]).toEqual([path, 400]);
    for (const name of [
      'x',
      '-',
      '__proto__',
      '%00',
      'a'.repeat(99),
      '..%2f',
      '00000000-0000-7000-8000-000000000000',
      'constructor',
    ])
      expect([name, (await app.anyone.fetch(`/api/public/bot/${name}`)).status]).toEqual([name, 404]);
  });

  test('a long list comes page by page, whatever it is sorted by', async () => {
    const whole: Record<string, string[]> = {};
    for (const sort of ['featured', 'popular', 'new'] as const) {
      const all: string[] = [];
      for (let cursor: string | undefined | null = undefined; cursor !== null;) {
        const { data, meta }: { data: { name: string }[]; meta: { nextCursor: string | null } } = (
          await app.anyone.call(explore.list, { query: { sort, limit: 3, cursor: cursor ?? undefined } })
        ).body;
        all.push(...data.map(({ name }) => name));
        cursor = meta.nextCursor;
      }
      whole[sort] = all;
      expect(new Set(all).size).toBe(all.length);
    }
    const [earlier = -1, later = -1] = ['珈琲の淹れ方', 'ボードゲーム'].map((name) => whole['new']?.indexOf(name));
    expect([later >= 0, later < earlier]).toEqual([true, true]);
    expect(whole['featured']?.toSorted()).toEqual(whole['new']?.toSorted());
    const { data, meta } = (await app.anyone.call(explore.list, { query: { q: 'h', limit: 1 } })).body;
    const next = (await app.anyone.call(explore.list, { query: { q: 'h', limit: 1, cursor: meta.nextCursor ?? '' } }))
      .body;
    expect(next.data[0]?.uuid).not.toBe(data[0]?.uuid);
  });
});

describe('copying', () => {
  test('what the maker allows, and nothing that is somebody’s alone', async () => {
    const base = (await maker.call(bots.get, { params: { uuid: bot } })).body.data.draft.knowledges;
    const png = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#00b900' } })
      .png()
      .toBuffer();
    const form = new FormData();
    form.append('file', new Blob([new Uint8Array(png)], { type: 'image/png' }), 'a.png');
    const uploaded = await maker.fetch(files.uploadImage.path, { method: 'POST', body: form });
    const avatar: string = JSON.parse(await uploaded.text()).data.uuid;
    const { uuid } = (
      await maker.call(bots.create, {
        body: {
          name: 'Original',
          avatar,
          instructions: 'Be brief, {{shop}}.',
          variables: [{ name: 'shop', value: 'Hinata' }],
          greeting: 'Hello',
          starters: ['When?'],
          knowledges: base,
          contact: '03-0000-0000',
          handoff: { enabled: true, phrases: ['person'], afterRefusals: null, reply: '' },
          appearance: { color: '#123456', showCitations: true, placeholder: 'Ask' },
          tools: [
            {
              name: 'stock',
              description: '',
              method: 'GET',
              url: 'https://stock.example/x',
              headers: [{ name: 'x-key', value: 'heliotrope-{{secret.KEY}}' }],
              parameters: [],
              approved: true,
            },
          ],
        },
      })
    ).body.data;
    await maker.call(bots.setSecret, {
      params: { uuid },
      body: { name: 'KEY', value: 'heliotrope', origins: ['https://stock.example'] },
    });
    await maker.call(bots.publish, { params: { uuid }, body: { note: '' } });
    await maker.call(bots.update, { params: { uuid }, body: { instructions: 'Not published yet' } });
    await publish(maker, uuid);
    const { listing } = await shown(uuid);
    const copier = await app.aPerson();
    const made = await copier.call(explore.copy, { params: { uuid: listing } });
    expect(made.status).toBe(201);
    const copy = (await copier.call(bots.get, { params: { uuid: made.body.data.uuid } })).body.data;
    expect(copy).toMatchObject({
      name: 'Original',
      visibility: 'workspace',
      published: null,
      secrets: [],
      draft: {
        instructions: 'Be brief, {{shop}}.',
        variables: [{ name: 'shop', value: 'Hinata' }],
        greeting: 'Hello',
        starters: ['When?'],
        appearance: { color: '#123456' },
        knowledges: [],
        tools: [],
        contact: '',
        handoff: { enabled: false },
      },
    });
    const text = JSON.stringify(copy);
    for (const theirs of [uuid, avatar, ...base, 'heliotrope', '03-0000', maker.user.uuid])
      expect(text).not.toContain(theirs);
    expect(copy.avatar?.url).toMatch(/^\/api\/avatar\//);
    expect((await shown(uuid)).copies).toBe(1);
    await copier.call(explore.copy, { params: { uuid: listing } });
    await maker.call(explore.copy, { params: { uuid: listing } });
    // A person is one, however many workspaces they have, and the maker is none.
    for (const person of [copier, maker]) {
      const another = (await person.call(workspaces.create, { body: { name: 'Another' } })).body.data.uuid;
      const headers = { 'x-workspace': another };
      expect((await person.call(explore.copy, { params: { uuid: listing }, headers })).status).toBe(201);
    }
    expect((await shown(uuid)).copies).toBe(1);
    await publish(maker, uuid, { copying: 'none' });
    expect(codeOf(await copier.call(explore.copy, { params: { uuid: listing } }))).toEqual([403, 'not-allowed']);
    await maker.call(listings.remove, { params: { uuid } });
    expect(codeOf(await copier.call(explore.copy, { params: { uuid: listing } }))).toEqual([404, 'listing-not-found']);
    expect(codeOf(await app.anyone.call(explore.copy, { params: { uuid: listing } }))).toEqual([401, 'not-signed-in']);
  });
});

describe('the operator', () => {
  test('features bots in an order, which comes before what is popular', async () => {
    const uuids = [await aPublicBot(maker, 'Second best'), await aPublicBot(maker, 'Best of all')];
    const [second, first] = [await operated(uuids[0] ?? ''), await operated(uuids[1] ?? '')];
    await boss.call(exploreOperator.feature, { params: { uuid: second }, body: { featured: 2 } });
    const { data } = (await boss.call(exploreOperator.feature, { params: { uuid: first }, body: { featured: 1 } }))
      .body;
    expect(data).toMatchObject({ featured: 1, bot: { name: 'Best of all' } });
    expect((await names({})).slice(0, 2)).toEqual(['Best of all', 'Second best']);
    expect((await shown(uuids[0] ?? '')).isFeatured).toBe(true);
    const listed = (await boss.call(exploreOperator.list, { query: { state: 'featured' } })).body;
    expect(listed.data.map(({ bot: { name } }) => name)).toEqual(['Best of all', 'Second best']);
    expect(listed.meta.total).toBe(2);
    // Read one at a time, they stand before what was changed after them, and each is there once.
    await aPublicBot(maker, 'Not featured');
    const all: string[] = [];
    let cursor: string | null | undefined;
    let total: number | undefined;
    do {
      const { data: some, meta } = (
        await boss.call(exploreOperator.list, { query: { limit: 1, ...(cursor && { cursor }) } })
      ).body;
      all.push(...some.map(({ bot: { name } }) => name));
      cursor = meta.nextCursor;
      total ??= meta.total;
    } while (cursor);
    expect(all).toHaveLength(total ?? 0);
    expect(all.slice(0, 2)).toEqual(['Best of all', 'Second best']);
    for (const uuid of [first, second])
      await boss.call(exploreOperator.feature, { params: { uuid }, body: { featured: null } });
    expect((await names({})).slice(0, 2)).not.toEqual(['Best of all', 'Second best']);
  });

  test('takes down with a reason that the maker reads, also when it is published anew, and lets it be seen again', async () => {
    const uuid = await aPublicBot(maker, 'Questionable');
    const listing = await operated(uuid);
    await boss.call(exploreOperator.takeDown, {
      params: { uuid: listing },
      body: { reason: 'It gives advice on symptoms.' },
    });
    const ofMaker = async () => (await maker.call(listings.get, { params: { uuid } })).body.data.listing;
    expect(await ofMaker()).toMatchObject({ state: 'taken-down', reason: 'It gives advice on symptoms.' });
    expect((await publish(maker, uuid, { summary: 'Better' })).body.data.state).toBe('review');
    await maker.call(listings.remove, { params: { uuid } });
    expect((await publish(maker, uuid)).body.data.state).toBe('review');
    expect(await names({ q: 'questionable' })).toEqual([]);
    const { uuid: now, updatedAt: seen } = (await ofMaker()) ?? { uuid: '', updatedAt: '' };
    const approved = await boss.call(exploreOperator.approve, { params: { uuid: now }, body: { seen } });
    expect(approved.body.data).toMatchObject({ state: 'listed', reason: null });
    expect(await names({ q: 'questionable' })).toEqual(['Questionable']);
    expect((await publish(maker, uuid, { summary: 'Fine' })).body.data.state).toBe('listed');
  });

  test('gets no more reports of one bot than anybody reads', async () => {
    const uuid = await aPublicBot(maker, 'Flooded');
    const { listing } = await shown(uuid);
    const now = Date.now();
    const rest = { listing, reason: 'spam' as const, text: '', settled_at: null, created_at: now, updated_at: now };
    const known = Array.from({ length: 499 }, (_, at) => ({ ...rest, uuid: newId(), who: String(at) }));
    const { db } = app.server.context;
    await db.insertInto('listing_report').values(known).execute();
    for (const address of ['192.0.2.7', '192.0.2.8']) {
      const headers = { 'x-forwarded-for': address };
      const reply = await app.anyone.call(explore.report, { params: { uuid }, body: { reason: 'spam' }, headers });
      expect(reply.status).toBe(200);
    }
    expect(await db.selectFrom('listing_report').select('uuid').where('listing', '=', listing).execute()).toHaveLength(
      500,
    );
    await db.deleteFrom('listing_report').where('listing', '=', listing).execute();
  });

  test('reads what people report, once for each address, and deals with it', async () => {
    const uuid = await aPublicBot(maker, 'Reported');
    const report = (text: string, address: string) =>
      app.anyone.call(explore.report, {
        params: { uuid },
        body: { reason: 'misleading', text },
        headers: { 'x-forwarded-for': address },
      });
    await report('<script>alert(1)</script>', '192.0.2.1');
    await report('It says =HYPERLINK("x")', '192.0.2.1');
    await Promise.all([report('Wrong hours', '192.0.2.2'), report('Wrong hours', '192.0.2.2')]);
    const open = (await boss.call(exploreOperator.reports)).body.data.filter(({ listing }) => listing.bot === uuid);
    expect(open.map(({ text }) => text).toSorted()).toEqual(['It says =HYPERLINK("x")', 'Wrong hours']);
    const [listed] = (await boss.call(exploreOperator.list, { query: { state: 'reported', q: 'reported' } })).body.data;
    expect(listed?.reports).toBe(2);
    for (const { uuid: each } of open) await boss.call(exploreOperator.settle, { params: { uuid: each } });
    expect((await boss.call(exploreOperator.list, { query: { state: 'reported', q: 'reported' } })).body.data).toEqual(
      [],
    );
    const settled = (await boss.call(exploreOperator.reports, { query: { state: 'settled' } })).body.data;
    expect(settled.filter(({ listing }) => listing.bot === uuid)).toHaveLength(2);
    const hashes = await app.server.context.db.selectFrom('listing_report').select('who').execute();
    expect(JSON.stringify(hashes)).not.toContain('192.0.2');
    await report('Once more', '192.0.2.2');
    const known = async () =>
      (await app.server.context.db.selectFrom('listing_report').select('who').execute()).filter(
        ({ who }) => who !== '',
      );
    const [{ who } = { who: '' }] = await known();
    const { listing } = await shown(uuid);
    expect(who).not.toBe(createHash('sha256').update(`${listing} 192.0.2.2`).digest('hex'));
    await forgetAddresses(app.server.context);
    expect(await known()).toHaveLength(1);
    await forgetAddresses(app.server.context, Date.now() + 86_400_001);
    expect(await known()).toEqual([]);
    for (const body of [{ reason: 'x' }, {}, { reason: 'spam', text: 'x'.repeat(501) }, { reason: 'spam', more: 1 }]) {
      const reply = await app.anyone.fetch(`/api/public/bot/${uuid}/report`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      expect(reply.status).toBe(400);
    }
  });

  test('is nobody else', async () => {
    const calls: Route[] = Object.values(exploreOperator);
    for (const route of calls) {
      const reply = await maker.fetch(route.path.replace(':uuid', bot), {
        method: route.method,
        headers: { 'content-type': 'application/json' },
        ...(route.method !== 'GET' && { body: '{}' }),
      });
      expect([route.path, reply.status]).toEqual([route.path, 403]);
    }
    const nowhere = { uuid: '00000000-0000-7000-8000-000000000000' };
    expect(
      codeOf(await boss.call(exploreOperator.approve, { params: nowhere, body: { seen: new Date().toISOString() } })),
    ).toEqual([404, 'listing-not-found']);
    expect(codeOf(await boss.call(exploreOperator.settle, { params: nowhere }))).toEqual([404, 'report-not-found']);
  });

  test('looks first where the setting says so, again after another name or summary, and not at what only a link shows', async () => {
    const careful = await startTestApp({ EXPLORE: 'review' });
    try {
      const chief = await careful.aPerson();
      const owner = await careful.aPerson();
      const { uuid } = (await owner.call(bots.create, { body: { name: 'Waiting' } })).body.data;
      await owner.call(bots.publish, { params: { uuid }, body: { note: '' } });
      const stateOf = async () => (await owner.call(listings.get, { params: { uuid } })).body.data.listing?.state;
      const list = async () => (await careful.anyone.call(explore.list)).body.data.length;
      expect((await publish(owner, uuid, { visibility: 'link' })).body.data.state).toBe('listed');
      expect((await publish(owner, uuid)).body.data.state).toBe('review');
      expect(await list()).toBe(0);
      expect((await careful.anyone.call(explore.get, { params: { uuid } })).status).toBe(404);
      const [waiting] = (await chief.call(exploreOperator.list, { query: { state: 'review' } })).body.data;
      const look = async () =>
        (await chief.call(exploreOperator.list, { query: { state: 'review' } })).body.data[0]?.updatedAt ?? '';
      const approve = (seen: string) =>
        chief.call(exploreOperator.approve, { params: { uuid: waiting?.uuid ?? '' }, body: { seen } });
      await owner.call(bots.update, { params: { uuid }, body: { greeting: 'Welcome' } });
      await owner.call(bots.publish, { params: { uuid }, body: { note: '' } });
      await owner.call(bots.update, { params: { uuid }, body: { greeting: 'Not yet published' } });
      const preview = await chief.call(exploreOperator.preview, { params: { uuid } });
      expect(preview.body.data).toMatchObject({ name: 'Waiting', state: 'review', greeting: 'Welcome' });
      expect((await owner.call(exploreOperator.preview, { params: { uuid } })).status).toBe(403);
      const earlier = await look();
      await publish(owner, uuid, { summary: 'Changed before the click' });
      expect(codeOf(await approve(earlier))).toEqual([409, 'conflict']);
      expect([await list(), await stateOf()]).toEqual([0, 'review']);
      await publish(owner, uuid);
      await approve(await look());
      expect([await list(), await stateOf()]).toEqual([1, 'listed']);
      await publish(owner, uuid, { creditsPerDay: 5 });
      expect(await stateOf()).toBe('listed');
      await publish(owner, uuid, { summary: 'Something else' });
      expect([await list(), await stateOf()]).toEqual([0, 'review']);
      await approve(await look());
      await owner.call(bots.update, { params: { uuid }, body: { name: 'Another name' } });
      expect([await list(), await stateOf()]).toEqual([0, 'review']);
      await chief.call(exploreOperator.takeDown, { params: { uuid: waiting?.uuid ?? '' }, body: { reason: 'No.' } });
      expect(await stateOf()).toBe('taken-down');
    } finally {
      await careful.stop();
    }
  });

  test('switches all of it off', async () => {
    const closed = await startTestApp({ EXPLORE: 'off' });
    try {
      const owner = await closed.aPerson();
      const { uuid } = (await owner.call(bots.create, { body: { name: 'Nobody’s' } })).body.data;
      await owner.call(bots.publish, { params: { uuid }, body: { note: '' } });
      expect(codeOf(await publish(owner, uuid))).toEqual([403, 'explore-off']);
      expect((await owner.call(listings.get, { params: { uuid } })).body.data).toEqual({ listing: null, mode: 'off' });
      expect((await closed.anyone.call(explore.list)).body.data).toEqual([]);
      expect((await closed.anyone.fetch('/sitemap.xml')).status).toBe(404);
    } finally {
      await closed.stop();
    }
  });
});

describe('what programs read', () => {
  const hostile = '</script><script>alert(1)</script>"\'&<svg/onload=x>';
  let nasty: string;
  beforeAll(async () => {
    nasty = await aPublicBot(maker, hostile, { summary: `$& ${hostile}`, languages: ['ja'] });
  });
  const read = async (path: string, headers = {}) => {
    const reply = await app.anyone.fetch(path, { headers });
    return { status: reply.status, headers: reply.headers, text: await reply.text() };
  };

  test('an address that cannot be read is a page for a reader, and data for a program', async () => {
    const page = await read('/Bot/a%', { accept: 'text/html,*/*' });
    expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
    const data = await read('/Bot/a%');
    expect([data.status, JSON.parse(data.text).error.code]).toEqual([404, 'not-found']);
  });

  test('a public bot’s page says what it is, and a hostile name is text everywhere', async () => {
    const { text, headers } = await read(`/Bot/${nasty}/Chat`);
    expect(text).toContain('<html lang="ja"');
    expect(text).toContain(`<link rel="canonical" href="${app.url}/Bot/${nasty}/Chat" />`);
    expect(text).toContain(`property="og:image" content="${app.url}/api/public/bot/${nasty}/picture.png?v=`);
    expect(text).toContain('name="twitter:card" content="summary_large_image"');
    expect(text.match(/<script/g)).toHaveLength(1);
    expect(text).not.toContain('<svg');
    expect(text).not.toContain('noindex');
    const data: { name: string; description: string } = JSON.parse(
      /<script type="application\/ld\+json">([^<]*)<\/script>/.exec(text)?.[1] ?? '',
    );
    expect([data.name, data.description]).toEqual([hostile, `$& ${hostile}`]);
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'self'");
    const etag = headers.get('etag') ?? '';
    expect((await read(`/Bot/${nasty}/Chat`, { 'if-none-match': etag })).status).toBe(304);
    await maker.call(listings.remove, { params: { uuid: nasty } });
    const after = await read(`/Bot/${nasty}/Chat`, { 'if-none-match': etag });
    expect([after.status, after.headers.get('x-robots-tag'), after.text.includes('alert')]).toEqual([
      200,
      'noindex',
      false,
    ]);
    await publish(maker, nasty, { visibility: 'link', languages: ['en', 'ja'] });
    const linked = await read(`/Bot/${nasty}/Chat`, { 'accept-language': 'ja' });
    expect(linked.text).toContain('<meta name="robots" content="noindex" />');
    expect(linked.headers.get('vary')).toContain('accept-language');
    expect((await read('/ExploreBot', { 'accept-language': 'ja' })).text).toContain(
      '<title>ボットを探す · Kotae</title>',
    );
  });

  test('the list of addresses has what is public, and says where it is', async () => {
    const uuid = await aPublicBot(maker, 'Mapped');
    const linked = await aPublicBot(maker, 'Unmapped', { visibility: 'link' });
    const sitemap = await eventually('it is read anew', async () => {
      const { text } = await read('/sitemap.xml');
      return text.includes(uuid) ? text : undefined;
    });
    expect(sitemap).toContain(`<loc>${app.url}/Bot/${uuid}/Chat</loc>`);
    expect(sitemap).toContain(`<loc>${app.url}/ExploreBot</loc>`);
    expect(sitemap).not.toContain(linked);
    expect((await read('/sitemap-1.xml')).status).toBe(404);
    expect((await read('/sitemap-0.xml')).status).toBe(404);
    const count = (await app.anyone.call(explore.list, { query: { limit: 100 } })).body.data.length;
    const { context } = app.server;
    const parts = [await writeAddresses(context, 1, count - 1), await writeAddresses(context, 2, count - 1)];
    expect(parts.map((part) => part?.match(/<loc>/g)?.length)).toEqual([count, 1]);
    expect(parts[0]).toContain('/ExploreBot');
    expect(await writeAddresses(context, undefined, count - 1)).toContain('/sitemap-2.xml');
    expect((await read('/robots.txt')).text).toContain(`Sitemap: ${app.url}/sitemap.xml`);
  });

  test('the picture is a PNG of the right size, drawn once, and gone with the listing', async () => {
    const uuid = await aPublicBot(maker, 'ひなた珈琲 <b>&', {
      summary: '𠮷野家の 👍 <image href="http://127.0.0.1/x"/> 営業時間',
    });
    const get = (headers = {}) => app.anyone.fetch(`/api/public/bot/${uuid}/picture.png`, { headers });
    const replies = await Promise.all(Array.from({ length: 8 }, () => get()));
    const bodies = await Promise.all(replies.map(async (reply) => Buffer.from(await reply.arrayBuffer())));
    expect(new Set(bodies.map((body) => createHash('sha256').update(body).digest('hex'))).size).toBe(1);
    expect(await sharp(bodies[0]).metadata()).toMatchObject({ format: 'png', width: 1200, height: 630 });
    const etag = replies[0]?.headers.get('etag') ?? '';
    expect((await app.anyone.fetch(`/api/public/bot/${uuid}/picture.png?v=1`)).status).toBe(200);
    expect(replies[0]?.headers.get('cache-control')).toBe('public, max-age=5');
    expect((await get({ 'if-none-match': etag })).status).toBe(304);
    const kept = async () => (await app.server.context.db.selectFrom('listing_picture').selectAll().execute()).length;
    const before = await kept();
    await publish(maker, uuid, { summary: 'Another' });
    expect((await get({ 'if-none-match': etag })).status).toBe(200);
    expect(await kept()).toBe(before + 1);
    await erasePictures(app.server.context, Date.now() + 1);
    await maker.call(listings.remove, { params: { uuid } });
    const left = await kept();
    await erasePictures(app.server.context, Date.now() + 1);
    expect(await kept()).toBe(left - 1);
    expect((await get({ 'if-none-match': etag })).status).toBe(404);
  });
});
