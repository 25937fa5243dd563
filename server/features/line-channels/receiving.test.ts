import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { sql } from 'kysely';
import sharp from 'sharp';
import { bots, emptyConfig } from '../../../shared/contracts/bots.ts';
import { connections } from '../../../shared/contracts/connections.ts';
import { inbox } from '../../../shared/contracts/inbox.ts';
import { lineChannels, type LineChannel } from '../../../shared/contracts/line-channels.ts';
import { visitors } from '../../../shared/contracts/visitors.ts';
import { webChannels } from '../../../shared/contracts/web-channels.ts';
import { eventually, type Person, type TestApp } from '../../testing/app.ts';
import { aChannel, aPublishedBot } from '../../testing/channels.ts';
import { connectLine, conversationOf, startWithLine } from '../../testing/line-channel.ts';
import type { FakeLine } from '../../testing/line/fake-line.ts';

let app: TestApp;
let line: FakeLine;
let staff: Person;
let bot: string;
let channel: LineChannel;
let names = 0;
/** Where people’s pictures are; and a tunnel to us, while it is one. */
let album: Server;
let albumPort = 0;
let isTunnel = false;

beforeAll(async () => {
  const picture = await png();
  album = createServer((request, reply) => {
    if (!isTunnel) return void reply.writeHead(200, { 'content-type': 'image/png' }).end(picture);
    void fetch(`${app.url}${request.url}`).then(async (answer) =>
      reply.writeHead(answer.status).end(await answer.text()),
    );
  });
  await new Promise<void>((resolve) => album.listen(0, '127.0.0.1', resolve));
  albumPort = (album.address() as AddressInfo).port; // it listens on a port
  ({ app, line } = await startWithLine({}, { ALLOW_PRIVATE_HOSTS: `127.0.0.1:${albumPort},127.0.0.1:9` }));
  staff = await app.aPerson();
  bot = await aPublishedBot(staff);
  channel = await connectLine(staff, line, bot);
});
afterAll(async () => {
  line.mustBeValid();
  await app.stop();
  await line.close();
  album.close();
});
beforeEach(() => {
  line.calls.length = 0;
});

const aFriend = (name = `Taro ${++names}`) => line.user({ name, language: 'en' });
const png = () =>
  sharp({ create: { width: 40, height: 40, channels: 3, background: '#0a6b3d' } })
    .png()
    .toBuffer();

const events = async (query: object = {}) =>
  (await staff.call(lineChannels.events, { query: { channel: channel.uuid, ...query } })).body.data;

/** What came of an event, once nothing more comes of it. */
const settled = (delivered: { eventId: string }) =>
  eventually('the event is done', async () => {
    const { db } = app.server.context;
    const row = await db
      .selectFrom('line_event')
      .selectAll()
      .where('line_id', '=', delivered.eventId)
      .executeTakeFirst();
    return row && row.state !== 'pending' && row;
  });

const heard = async (name: string, count = 1) =>
  eventually(`${name} is heard`, async () => {
    const found = await conversationOf(staff, name);
    return found && found.messages.filter(({ role }) => role === 'user').length >= count && found;
  });

test('a channel is connected by what LINE proves, and says where its events go', async () => {
  expect(channel).toMatchObject({
    name: line.bot.displayName,
    basicId: line.bot.basicId,
    channelId: line.channel.id,
    active: true,
    webhook: { registered: channel.webhook.url, active: true, test: { success: true, reason: 'OK' } },
  });
  expect(channel.problems).not.toContain('elsewhere');
  expect(line.webhook.endpoint).toBe(channel.webhook.url);
  const again = { channelId: line.channel.id, secret: line.channel.secret };
  expect((await staff.call(lineChannels.connect, { body: again })).error.code).toBe('line-taken');
  const wrong = await staff.call(lineChannels.connect, { body: { ...again, secret: '0'.repeat(32) } });
  expect(wrong.error).toMatchObject({
    code: 'validation-failed',
    details: { fields: [{ path: 'secret', code: 'line-secret-wrong' }] },
  });
  const stranger = await app.aPerson();
  expect((await stranger.call(lineChannels.get, { params: { uuid: channel.uuid } })).error.code).toBe(
    'channel-not-found',
  );
  expect(JSON.stringify(channel)).not.toContain(line.channel.secret);
});

test('a LINE channel is none of a website: nobody begins there, its look is nowhere, and no page frames it', async () => {
  const { uuid } = channel;
  const begun = await app.anyone.call(visitors.begin, { body: { channel: uuid } });
  const tried = await staff.call(visitors.begin, { body: { channel: uuid, preview: true } });
  const look = await app.anyone.call(visitors.setting, { query: { channel: uuid } });
  expect([begun, tried, look].map(({ error }) => error?.code)).toEqual(Array(3).fill('channel-not-found'));
  const website = await aChannel(staff, bot);
  const asLine = await staff.call(lineChannels.get, { params: { uuid: website.uuid } });
  const asWebsite = await staff.call(webChannels.get, { params: { uuid } });
  expect([asLine.status, asWebsite.status]).toEqual([404, 404]);
  const there = await app.server.context.db
    .selectFrom('guest_identity')
    .select('uuid')
    .where('channel_id', '=', uuid)
    .where('channel', '=', 'web')
    .execute();
  expect(there).toEqual([]);
});

test('of a friend who is erased no table has the id that LINE knows them by', async () => {
  const friend = aFriend();
  await friend.say('Please forget me.');
  const { thread } = await heard(friend.name);
  const { db } = app.server.context;
  const tables = (await db.introspection.getTables()).filter(({ name }) => !name.startsWith('chunk_'));
  const having = async () => {
    const found: string[] = [];
    for (const { name } of tables) {
      const { rows } = await sql`select * from ${sql.table(name)}`.execute(db);
      if (JSON.stringify(rows).includes(friend.id)) found.push(name);
    }
    return found;
  };
  expect(await having()).toContain('line_event');
  await staff.call(inbox.eraseGuest, { params: { uuid: thread.guest.uuid } });
  expect(await having()).toEqual([]);
});

test('what is not signed with the secret of the channel is refused, and nothing of it is heard', async () => {
  const taro = aFriend();
  for (const options of [{ signature: null }, { signature: 'x' }, { signature: 'A'.repeat(44) }]) {
    expect((await taro.say('Hello', options)).status).toBe(401);
    expect((await line.post([], options)).status).toBe(401);
  }
  expect(await conversationOf(staff, taro.name)).toBeUndefined();
  const elsewhere = await app.anyone.fetch('/webhook/line/nothing-here', { method: 'POST', body: '{}' });
  expect(elsewhere.status).toBe(404);
  expect((await line.post([])).status).toBe(200);
  expect((await line.post('{"destination":')).status).toBe(400);
});

test('while hundreds of requests are not signed, what is signed is heard, and the database is told of a few of them', async () => {
  const { db } = app.server.context;
  const row = () =>
    db.selectFrom('line_channel').selectAll().where('uuid', '=', channel.uuid).executeTakeFirstOrThrow();
  const stored = async () =>
    Number(
      (
        await db
          .selectFrom('line_request')
          .select(({ fn }) => fn.countAll().as('count'))
          .executeTakeFirstOrThrow()
      ).count,
    );
  const [before, taro] = [await stored(), aFriend()];
  const forged = { signature: 'A'.repeat(44) };
  const noted = new Set<number | null>();
  const statuses = new Set<number>();
  const flood = Promise.all(
    Array.from({ length: 8 }, async () => {
      for (let count = 0; count < 100; count++) statuses.add((await line.post([], forged)).status);
    }),
  );
  const said = await taro.say('Is anybody there?');
  expect(said.status).toBe(200);
  await heard(taro.name);
  while ((await Promise.race([flood, setTimeout(20, 'not over')])) === 'not over')
    noted.add((await row()).secret_failed_at);
  // What LINE has given up waiting for, on a busy machine, was not accepted either.
  statuses.delete(0);
  expect([...statuses]).toEqual([401]);
  // Before it, what was noted by an earlier test, nothing once something signed has come, and one of the flood in ten seconds.
  expect(noted.size).toBeLessThanOrEqual(4);
  const refused = (await requests({ verdict: 'refused', limit: 100 })).filter(({ verdict }) => verdict === 'signature');
  expect(refused.length).toBeLessThanOrEqual(100);
  expect((await stored()) - before).toBeLessThanOrEqual(1 + 100);
  expect((await line.post([])).status).toBe(200);
});

const requests = async (query: object = {}) =>
  (await staff.call(lineChannels.requests, { query: { channel: channel.uuid, ...query } })).body.data;
/** How many were refused in a row, and whether that is a problem. */
const shown = async () => {
  const { refused, problems } = (await staff.call(lineChannels.get, { params: { uuid: channel.uuid } })).body.data;
  return [refused, problems.includes('secret')];
};

test('one request that is not signed says so and turns nothing red; three in a row do, and one that is signed ends it', async () => {
  const forged = { signature: 'A'.repeat(44) };
  await line.post([]);
  expect(await shown()).toEqual([0, false]);
  for (let count = 1; count <= 3; count++) {
    await line.post([], forged);
    expect(await shown()).toEqual([count, count === 3]);
  }
  await line.post([]);
  expect(await shown()).toEqual([0, false]);
  await line.post([], forged);
  await line.post([]);
  await line.post([], forged);
  expect(await shown()).toEqual([1, false]);
  await line.post([]);
});

test('a request shows its headers and what was found of it, and neither its signature nor, when it is refused, what it said', async () => {
  await aFriend().say('Is anybody there?');
  const [taken] = await requests({ verdict: 'accepted' });
  expect(taken).toMatchObject({ verdict: 'accepted', times: 1, headers: { 'content-type': expect.any(String) } });
  expect(taken?.headers['x-line-signature']).toMatch(/^.{8}…$/);
  await line.post('{"destination":"canary","events":[]}', { signature: 'A'.repeat(44) });
  const [refused] = await requests({ verdict: 'refused' });
  expect(refused).toMatchObject({ verdict: 'signature', events: 0, headers: { 'x-line-signature': 'AAAAAAAA…' } });
  expect(refused?.bytes).toBeGreaterThan(10);
  const { body } = (await staff.call(lineChannels.request, { params: { request: refused?.uuid ?? '' } })).body.data;
  expect(body).toBe('');
  await line.post('{"destination":');
  expect((await requests({ verdict: 'malformed' })).length).toBeGreaterThan(0);
  await line.post([]);
});

test('of the requests that are refused a hundred are kept for a channel', async () => {
  const { db } = app.server.context;
  const [one] = await requests({ verdict: 'refused' });
  const row = await db
    .selectFrom('line_request')
    .selectAll()
    .where('uuid', '=', one?.uuid ?? '')
    .executeTakeFirstOrThrow();
  await db
    .insertInto('line_request')
    .values(Array.from({ length: 150 }, (_, at) => ({ ...row, uuid: crypto.randomUUID(), created_at: at })))
    .execute();
  await line.post([], { signature: 'A'.repeat(44) });
  const { count } = await db
    .selectFrom('line_request')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('channel', '=', channel.uuid)
    .where('verdict', '<>', 'accepted')
    .executeTakeFirstOrThrow();
  expect(Number(count)).toBe(100);
  expect((await requests({ verdict: 'refused', limit: 1 }))[0]?.createdAt.slice(0, 4)).not.toBe('1970');
  await line.post([]);
});

test('events and requests of all channels are listed page by page without a channel, those of others are not', async () => {
  await line.post([]);
  await heard((await aFriendWhoSaid()).name);
  await heard((await aFriendWhoSaid()).name);
  const pageOf = async (
    route: typeof lineChannels.events | typeof lineChannels.requests,
    person: Person,
  ): Promise<{ uuid: string; channel: string }[]> => {
    const all: { uuid: string; channel: string }[] = [];
    for (let cursor: string | undefined; ;) {
      const { data, meta } = (await person.call(route, { query: { limit: 1, ...(cursor && { cursor }) } })).body;
      all.push(...data);
      if (meta.nextCursor === null || all.length > 300) return all;
      cursor = meta.nextCursor;
    }
  };
  const stranger = await app.aPerson();
  for (const route of [lineChannels.events, lineChannels.requests] as const) {
    const all = await pageOf(route, staff);
    expect(new Set(all.map(({ uuid }) => uuid)).size).toBe(all.length);
    expect(all.length).toBeGreaterThan(1);
    expect([...new Set(all.map((each) => each.channel))]).toEqual([channel.uuid]);
    expect(await pageOf(route, stranger)).toEqual([]);
    expect((await stranger.call(route, { query: { channel: channel.uuid } })).status).toBe(404);
  }
});

const aFriendWhoSaid = async () => {
  const friend = aFriend();
  await friend.say('Hello');
  return friend;
};

test('a body of two megabytes is refused, signed or not', async () => {
  const body = JSON.stringify({ destination: line.bot.userId, events: [], more: 'x'.repeat(2_000_000) });
  for (const options of [{}, { signature: 'A'.repeat(44) }, { signature: null }])
    expect((await line.post(body, options)).status).toBe(413);
});

test('an address is tried from outside: whether it is ours, and one that LINE can be told', async () => {
  const found = async (address: string) =>
    (await staff.call(lineChannels.tryAddress, { body: { address } })).body.data.fault;
  const address = `http://127.0.0.1:${albumPort}`;
  expect(await found(address)).toBe('other');
  isTunnel = true;
  expect(await found(`${address}/`)).toBe('plain');
  expect(await found(`${address}/elsewhere`)).toBe('status');
  isTunnel = false;
  expect(await found(address.replace('http', 'https'))).toBe('certificate');
  expect(await found('http://127.0.0.1:9')).toBe('unreachable');
  expect(await found('http://192.168.0.1')).toBe('private');
  expect((await staff.call(lineChannels.tryAddress, { body: { address: 'kotae' } })).error.code).toBe(
    'validation-failed',
  );
  const forged = await app.anyone.call(lineChannels.proveAddress, { query: { sealed: 'v1.x.y' } });
  expect(forged.error.code).toBe('validation-failed');
});

test('what is for another account is acknowledged, and the channel says so', async () => {
  const taro = aFriend();
  expect((await taro.say('Hello', { destination: `U${'0'.repeat(32)}` })).status).toBe(200);
  const { problems } = (await staff.call(lineChannels.get, { params: { uuid: channel.uuid } })).body.data;
  expect(problems).toContain('destination');
  expect(await conversationOf(staff, taro.name)).toBeUndefined();
});

test('a first message has a name, and an escaped body is the same', async () => {
  const taro = aFriend();
  expect((await taro.say('🤨 When does the shop open?', { isEscaped: true })).status).toBe(200);
  const { thread, messages } = await heard(taro.name);
  expect(thread).toMatchObject({ channel: 'line', channelName: line.bot.displayName });
  expect(messages[0]).toMatchObject({ role: 'user', text: '🤨 When does the shop open?' });
});

test('somebody’s picture is copied, and goes with them when they are erased', async () => {
  const taro = line.user({ name: 'Pictured', picture: `http://127.0.0.1:${albumPort}/me.png` });
  await taro.say('Here I am');
  const { thread } = await heard('Pictured');
  const url = thread.guest.avatar?.url ?? '';
  expect((await staff.fetch(url)).headers.get('content-type')).toBe('image/webp');
  expect((await staff.call(inbox.eraseGuest, { params: { uuid: thread.guest.uuid } })).status).toBe(200);
  expect((await staff.fetch(url)).status).toBe(404);
});

test('somebody may be erased while an answer is on its way to them', async () => {
  const erased = await Promise.all(
    Array.from({ length: 60 }, async (_, at) => {
      await setTimeout(Math.floor(at / 6) * 150);
      const leaver = aFriend();
      await leaver.say('Here I am');
      const { thread } = await heard(leaver.name);
      await setTimeout((at * 7) % 120);
      return (await staff.call(inbox.eraseGuest, { params: { uuid: thread.guest.uuid } })).status;
    }),
  );
  expect(erased.filter((status) => status !== 200)).toEqual([]);
});

test('several people in one body are several conversations', async () => {
  const [one, two] = [aFriend(), aFriend()];
  await line.together(() => {
    void one.say('I am one');
    void two.say('I am two');
    void one.say('And one again');
  });
  expect((await heard(one.name, 2)).messages.filter(({ role }) => role === 'user').map(({ text }) => text)).toEqual([
    'I am one',
    'And one again',
  ]);
  expect((await heard(two.name)).messages[0]?.text).toBe('I am two');
});

test('an event is one, however often and however parallel it comes', async () => {
  const taro = aFriend();
  const said = await taro.say('Only once');
  await Promise.all(Array.from({ length: 50 }, (_, at) => line.again(said, { isRedelivery: at % 2 === 0 })));
  await settled(said);
  await Promise.all(Array.from({ length: 10 }, () => line.again(said)));
  const { messages } = await heard(taro.name);
  expect(messages.filter(({ role }) => role === 'user')).toHaveLength(1);
  expect((await events({ thread: (await conversationOf(staff, taro.name))!.thread.uuid })).length).toBe(1);
});

test('what LINE adds one day is kept as it came', async () => {
  const taro = aFriend();
  await taro.say('Hello');
  await heard(taro.name);
  const body = (event: object) =>
    JSON.stringify({
      destination: line.bot.userId,
      events: [
        {
          timestamp: line.clock.now(),
          mode: 'active',
          webhookEventId: `W${Math.random()}`,
          deliveryContext: { isRedelivery: false },
          source: { type: 'user', userId: taro.id },
          ...event,
        },
      ],
    });
  expect((await line.post(body({ type: 'telepathy', thought: 'deep' }))).status).toBe(200);
  expect((await line.post(body({ type: 'message', message: { id: '9', type: 'hologram' } }))).status).toBe(200);
  const [thought] = await eventually('it is kept', async () => {
    const list = await events({ type: 'telepathy' });
    return list[0]?.state === 'ignored' && list;
  });
  const { raw } = (await staff.call(lineChannels.event, { params: { event: thought!.uuid } })).body.data;
  expect(JSON.parse(raw)).toMatchObject({ thought: 'deep' });
  await heard(taro.name, 2);
});

test('in standby nothing is done', async () => {
  const taro = aFriend();
  const said = await taro.say('Are you there?', { mode: 'standby' });
  expect(await settled(said)).toMatchObject({ state: 'ignored', reason: 'standby' });
  expect(await conversationOf(staff, taro.name)).toBeUndefined();
});

test('whom LINE does not tell of has a conversation all the same', async () => {
  line.script(/GET \/v2\/bot\/profile/, { status: 404, body: { message: 'Not found' } });
  const taro = aFriend();
  const said = await taro.say('Nobody knows me');
  expect(await settled(said)).toMatchObject({ state: 'done' });
  const { data } = (await staff.call(inbox.threads, { query: { channel: channel.uuid } })).body;
  expect(data.find(({ last }) => last?.text === 'Nobody knows me' || last?.role === 'assistant')?.guest.name).toMatch(
    /^guest-/,
  );
});

test('stickers, places, pictures, files and voices are kept as what they are', async () => {
  const taro = aFriend();
  await settled(await taro.voice(Buffer.from('not really a voice')));
  const { messages: first } = await heard(taro.name);
  expect(first.at(-1)).toMatchObject({ role: 'assistant', text: expect.stringContaining('cannot listen') });
  await taro.sticker({ keywords: ['thanks', 'happy'] });
  await taro.location({ latitude: 35.6, longitude: 139.7 });
  await taro.location({ latitude: 35.6, longitude: 139.7, title: 'Shop', address: '1-1 Kanda' });
  await taro.image(await png());
  await settled(await taro.file('menu.txt', Buffer.from('Coffee 400 yen')));
  const { messages } = await heard(taro.name, 6);
  const said = messages.filter(({ role }) => role === 'user');
  expect(said[0]?.files).toHaveLength(1);
  expect(said[1]).toMatchObject({ text: 'Sticker (thanks)', sticker: { keywords: ['thanks', 'happy'] } });
  expect(said[2]).toMatchObject({ text: '35.6, 139.7', location: { latitude: 35.6 } });
  expect(said[3]).toMatchObject({ text: 'Shop\n1-1 Kanda', location: { title: 'Shop' } });
  expect(said[4]?.files).toMatchObject([{ mime: expect.stringMatching(/^image\//) }]);
  expect(said[5]?.files).toMatchObject([{ name: 'menu.txt' }]);
});

test('pictures that were sent at once are one message, in their order', async () => {
  const taro = aFriend();
  const pictures = await Promise.all([png(), png(), png()]);
  const sent = await taro.images(pictures, { order: [3, 1, 2] });
  await heard(taro.name);
  // For as long as one of them might still be waiting for the others.
  await setTimeout(4_000);
  const said = (await conversationOf(staff, taro.name))!.messages.filter(({ role }) => role === 'user');
  expect(said).toHaveLength(1);
  expect(said[0]?.files).toHaveLength(3);
  for (const each of sent) expect(await settled(each)).toMatchObject({ state: 'done', message: said[0]?.uuid });
  const shown = async () =>
    (await conversationOf(staff, taro.name))!.messages.find(({ uuid }) => uuid === said[0]?.uuid);
  // The first that was sent is the third.
  await settled(await taro.unsend(sent[0]!.messageId));
  expect((await shown())?.files).toEqual(said[0]?.files.slice(0, 2));
  await settled(await taro.unsend(sent[1]!.messageId));
  expect((await shown())?.files).toEqual(said[0]?.files.slice(1, 2));
  await settled(await taro.unsend(sent[2]!.messageId));
  expect(await shown()).toMatchObject({ files: [], happening: { kind: 'unsent' } });
});

test('what is gone, fails or is somewhere inside leaves a message without its file', async () => {
  const taro = aFriend();
  await taro.image(await png(), { content: 'gone' });
  // A picture that is none after its first bytes.
  await taro.image((await png()).subarray(0, 60));
  await taro.video(Buffer.from('film'), { content: { preparing: 1, ends: 'failed' } });
  await taro.image(await png(), {
    external: { originalContentUrl: 'http://127.0.0.1:2/x.png', previewImageUrl: 'http://127.0.0.1:2/x.png' },
  });
  const last = await taro.video(Buffer.from('film'), { content: { preparing: 1 } });
  await settled(last);
  const said = (await heard(taro.name, 5)).messages.filter(({ role }) => role === 'user');
  expect(said.map(({ files }) => files.length)).toEqual([0, 0, 0, 0, 1]);
});

test('what is taken back before its turn comes is not answered', async () => {
  const taro = aFriend();
  const event = (more: object) => ({
    timestamp: line.clock.now(),
    mode: 'active',
    deliveryContext: { isRedelivery: false },
    source: { type: 'user', userId: taro.id },
    ...more,
  });
  await line.post(
    JSON.stringify({
      destination: line.bot.userId,
      events: [
        event({
          type: 'message',
          webhookEventId: 'said',
          message: { id: '9001', type: 'text', text: 'When does the shop open?', quoteToken: 'q' },
        }),
        event({ type: 'unsend', webhookEventId: 'unsaid', unsend: { messageId: '9001' } }),
      ],
    }),
  );
  expect(await settled({ eventId: 'said' })).toMatchObject({ state: 'ignored', reason: 'unsent' });
  await settled({ eventId: 'unsaid' });
  expect(line.shown(taro.id)).toEqual([]);
});

test('what is taken back is gone everywhere, also when that comes first', async () => {
  const taro = aFriend();
  const said = await taro.say('My number is 0120-000');
  await heard(taro.name);
  await settled(said);
  const taken = await taro.unsend(said.messageId);
  await settled(taken);
  const { messages, thread } = (await conversationOf(staff, taro.name))!;
  expect(messages[0]).toMatchObject({ text: '', happening: { kind: 'unsent' } });
  const [event] = (await events({ thread: thread.uuid })).filter(({ type }) => type === 'message');
  const { raw, request } = (await staff.call(lineChannels.event, { params: { event: event!.uuid } })).body.data;
  expect(raw).not.toContain('0120');
  expect((await staff.call(lineChannels.request, { params: { request } })).body.data.body).not.toContain('0120');

  await settled(await taro.unsend('777'));
  const late = await line.post(
    JSON.stringify({
      destination: line.bot.userId,
      events: [
        {
          type: 'message',
          timestamp: line.clock.now(),
          mode: 'active',
          webhookEventId: 'late',
          deliveryContext: { isRedelivery: false },
          source: { type: 'user', userId: taro.id },
          message: { id: '777', type: 'text', text: 'Too late', quoteToken: 'q' },
        },
      ],
    }),
  );
  expect(late.status).toBe(200);
  expect(await settled({ eventId: 'late' })).toMatchObject({ state: 'ignored', reason: 'unsent' });
});

test('of several edits the latest counts, in whichever order they come', async () => {
  const taro = aFriend();
  const group = line.group({ name: 'Club', members: [taro] });
  const said = await taro.say('First', { in: group });
  await settled(said);
  const at = line.clock.now();
  await settled(await taro.edit(said.messageId, 'Third', { in: group, timestamp: at + 2000 }));
  await settled(await taro.edit(said.messageId, 'Second', { in: group, timestamp: at + 1000 }));
  const { messages } = (await conversationOf(staff, 'Club'))!;
  expect(messages.map(({ text }) => text)).toEqual(['Third']);
});

test('what the bot answers is read at once, and what the team has is once somebody has seen it', async () => {
  const hana = aFriend();
  const first = await hana.say('When does the shop open?');
  await eventually('the bot has read it', async () => line.isRead(first.messageId));
  await eventually('it is answered', async () => line.shown(hana.id).length > 0);
  const { thread } = (await conversationOf(staff, hana.name))!;
  const params = { thread: thread.uuid };
  await staff.call(inbox.reply, { params, body: { key: crypto.randomUUID(), text: 'I am here now.' } });
  const [second, third] = [await hana.say('Good'), await hana.say('And thank you')];
  for (const each of [second, third]) await settled(each);
  expect([second, third].map(({ messageId }) => line.isRead(messageId))).toEqual([false, false]);
  line.calls.length = 0;
  await staff.call(inbox.see, { params });
  await eventually('both are read', async () => line.isRead(second.messageId) && line.isRead(third.messageId));
  await staff.call(inbox.see, { params, body: { unread: true } });
  await staff.call(inbox.see, { params });
  expect(line.calls.filter(({ path }) => path.endsWith('/markAsRead'))).toHaveLength(1);
});

test('in a group the bot answers whoever names it, and knows who wrote', async () => {
  const [taro, hana] = [aFriend(), aFriend()];
  const group = line.group({ name: 'Neighbours', members: [taro, hana] });
  await settled(await taro.say('Nice weather', { in: group }));
  await settled(await hana.say('When does the shop open?', { in: group, isNameless: true }));
  const quiet = (await conversationOf(staff, 'Neighbours'))!;
  expect(quiet.messages.map(({ role }) => role)).toEqual(['user', 'user']);
  const asked = await taro.say('@Kotae When does the shop open?', {
    in: group,
    mentions: [{ index: 0, length: 6, isSelf: true }],
  });
  const { messages } = await eventually('the bot has answered', async () => {
    const found = await conversationOf(staff, 'Neighbours');
    return found?.messages.some(({ role, status }) => role === 'assistant' && status === 'done') && found;
  });
  expect(messages.filter(({ role }) => role === 'assistant')).toHaveLength(1);
  expect(messages[2]).toMatchObject({ text: 'When does the shop open?', sender: { name: taro.name } });
  // Where several people write, one sees what is answered.
  const shown = await eventually('it is in the group', async () => line.shown(group.id)[0]);
  expect(shown.message['quoteToken']).toBe(asked.events[0]?.message?.['quoteToken']);
  const shownTo = line.calls.flatMap(({ path, bytes }) => (path.includes('/loading/') ? [bytes.toString()] : []));
  expect(shownTo.filter((body) => body.includes(group.id))).toEqual([]);
});

test('a keyword rule is a name, too; a group may also be answered always, or never', async () => {
  const taro = aFriend();
  const group = line.group({ name: 'Rules', members: [taro] });
  const rules = [
    { phrases: ['parking'], match: 'contains' as const, reply: 'Behind the house.', handOff: false, tag: '' },
  ];
  const params = { uuid: channel.connection };
  await staff.call(connections.update, { params, body: { rules } });
  await settled(await taro.say('Is there parking?', { in: group }));
  await settled(await taro.say('Something else', { in: group }));
  expect((await conversationOf(staff, 'Rules'))!.messages.map(({ text }) => text)).toEqual([
    'Is there parking?',
    'Behind the house.',
    'Something else',
  ]);
  const asked = await taro.say('Is there parking?');
  await eventually('what a rule replies to is read', async () => line.isRead(asked.messageId));
  await staff.call(connections.update, { params, body: { rules: [] } });
  const uuid = channel.uuid;
  await staff.call(lineChannels.update, { params: { uuid }, body: { groups: 'all' } });
  await taro.say('When does the shop open?', { in: group });
  await eventually('it answers everything', async () =>
    (await conversationOf(staff, 'Rules'))!.messages.some(({ text }) => text.includes('nine')),
  );
  await staff.call(lineChannels.update, { params: { uuid }, body: { groups: 'mention' } });
});

test('who wants a person is heard where they say it to us: not in what a group says to each other, nor in what is tapped', async () => {
  const [taro, hana] = [aFriend(), aFriend()];
  const group = line.group({ name: 'Wishes', members: [taro, hana] });
  const params = { uuid: channel.uuid };
  const statusOf = async (name: string) => (await conversationOf(staff, name))?.thread.status;
  await staff.call(lineChannels.update, { params, body: { groups: 'all' } });
  await settled(await hana.say('店長に代わってもらえますか', { in: group }));
  expect(await statusOf('Wishes')).toBe('bot');
  await settled(
    await taro.say('@Kotae I want to talk to a person', {
      in: group,
      mentions: [{ index: 0, length: 6, isSelf: true }],
    }),
  );
  expect(await statusOf('Wishes')).toBe('waiting');
  await staff.call(lineChannels.update, { params, body: { groups: 'mention' } });
  await settled(await taro.postback('I want to talk to a person'));
  expect(await statusOf(taro.name)).toBe('bot');
  await settled(await taro.say('I want to talk to a person'));
  expect(await statusOf(taro.name)).toBe('waiting');
});

test('who comes back is asked for again, and has the name that LINE tells now', async () => {
  const taro = aFriend();
  await settled(await taro.say('Hello'));
  await settled(await taro.say('Hello again'));
  const asked = () => line.calls.filter(({ path }) => path === `/v2/bot/profile/${taro.id}`).length;
  expect(asked()).toBe(1);
  await settled(await taro.block());
  const now = { userId: taro.id, displayName: `${taro.name} Yamada` };
  line.script(/GET \/v2\/bot\/profile/, { status: 200, body: now });
  await settled(await taro.follow());
  expect(asked()).toBe(2);
  expect((await conversationOf(staff, now.displayName))?.thread.guest.name).toBe(now.displayName);
  await settled(await taro.say('Hello'));
  expect(asked()).toBe(2);
});

test('new friends and groups are greeted; who has left is not written to until they are back', async () => {
  const params = { uuid: channel.uuid };
  await staff.call(lineChannels.update, { params, body: { greeting: [{ type: 'text', text: 'Welcome, {{name}}!' }] } });
  const taro = aFriend();
  await settled(await taro.follow({ isUnblocked: false }));
  const greeted = await eventually('they are greeted', () => conversationOf(staff, taro.name));
  expect(greeted.messages.map(({ text }) => text)).toEqual([`Welcome, ${taro.name}!`]);
  await settled(await taro.block());
  const { notes } = (await conversationOf(staff, taro.name))!;
  expect(notes.at(-1)).toMatchObject({ happening: { kind: 'unfollowed' } });
  const reply = await staff.call(inbox.reply, {
    params: { thread: greeted.thread.uuid },
    body: { key: crypto.randomUUID(), text: 'Are you there?' },
  });
  await eventually('it fails', async () => {
    const { messages } = (await conversationOf(staff, taro.name))!;
    return messages.find(({ uuid }) => uuid === reply.body.data.uuid)?.deliveryError === 'unfollowed';
  });
  await settled(await taro.follow({ isUnblocked: true }));
  const greetings = async () =>
    (await conversationOf(staff, taro.name))!.messages.filter(({ role }) => role === 'system').length;
  expect(await greetings()).toBe(2);
  const guest = { uuid: greeted.thread.guest.uuid };
  await staff.call(inbox.updateGuest, { params: guest, body: { blocked: true } });
  await settled(await taro.follow({ isUnblocked: true }));
  expect(await greetings()).toBe(2);
  await staff.call(lineChannels.update, { params, body: { greeting: [] } });
});

test('what stands behind a tap reaches the bot, and what was picked the team', async () => {
  const taro = aFriend();
  await taro.postback('When does the shop open?');
  await eventually('it is answered', async () => line.shown(taro.id).length > 0);
  const params = { datetime: '2026-12-24T18:30' };
  await taro.postback('Reservation', { params });
  const { messages } = await heard(taro.name, 2);
  const said = messages.filter(({ role }) => role === 'user');
  expect(said.map(({ text }) => text)).toEqual(['When does the shop open?', 'Reservation: 2026-12-24 18:30']);
  const [first] = line.calls.filter(({ path }) => path.startsWith('/v2/bot/message/'));
  expect(first?.path).toBe('/v2/bot/message/reply');
});

test('what is longer than the bot takes is in the inbox, and the bot says how much it takes', async () => {
  const limitTo = async (maxQuestion: number) => {
    const body = { guardrails: { ...emptyConfig.guardrails, maxQuestion } };
    await staff.call(bots.update, { params: { uuid: bot }, body });
    await staff.call(bots.publish, { params: { uuid: bot }, body: { note: '' } });
  };
  await limitTo(60);
  const taro = aFriend();
  const long = 'When do you open on the day after the holiday, and may I bring my dog?';
  await settled(await taro.say(long));
  // The last may come while the bot still writes the answer before it.
  await settled(await taro.say('When do you open?'));
  await settled(await taro.say(long));
  const { messages } = await eventually('all are answered', async () => {
    const found = await conversationOf(staff, taro.name);
    const answers = found?.messages.filter(({ role, status }) => role === 'assistant' && status === 'done');
    return answers?.length === 3 && found;
  });
  const refusal = { role: 'assistant', text: expect.stringContaining('up to 60 characters') };
  const texts = messages.map(({ role, text }) => ({ role, text }));
  expect(texts[0]).toEqual({ role: 'user', text: long });
  expect(texts[1]).toEqual(refusal);
  expect(texts.slice(2)).toEqual(
    expect.arrayContaining([
      { role: 'user', text: 'When do you open?' },
      { role: 'assistant', text: expect.stringContaining('nine') },
      { role: 'user', text: long },
      refusal,
    ]),
  );
  await limitTo(emptyConfig.guardrails.maxQuestion);
});

test('what the bot fails at is in the inbox, and people are asked', async () => {
  const { db } = app.server.context;
  const versions = await db.selectFrom('bot_version').selectAll().where('bot', '=', bot).execute();
  const taro = aFriend();
  await db.updateTable('bot_version').set({ config: '{' }).where('bot', '=', bot).execute();
  await settled(await taro.say('When do you open?'));
  for (const { uuid, config } of versions)
    await db.updateTable('bot_version').set({ config }).where('uuid', '=', uuid).execute();
  const { thread, messages } = await heard(taro.name);
  expect(thread.status).toBe('waiting');
  expect(messages).toMatchObject([
    { role: 'user', text: 'When do you open?' },
    { role: 'system', text: expect.stringContaining('member of our team') },
  ]);
});

test('an account whose answers may cost no more leaves its friends to people', async () => {
  const change = (creditsPerDay: number | null) =>
    staff.call(lineChannels.update, { params: { uuid: channel.uuid }, body: { creditsPerDay } });
  await change(0);
  const taro = aFriend();
  await taro.say('When does the shop open?');
  await eventually('it waits', async () => (await conversationOf(staff, taro.name))?.thread.reason === 'spent');
  await change(null);
  const hana = aFriend();
  await hana.say('When does the shop open?');
  await eventually('it is answered', async () => line.shown(hana.id).length > 0);
});

test('a channel that is off still learns who has left and what was taken back', async () => {
  const [taro, hana] = [aFriend(), aFriend()];
  const said = await taro.say('My number is 0120-111');
  await settled(said);
  await settled(await hana.say('Hello'));
  await heard(taro.name);
  await heard(hana.name);
  const params = { uuid: channel.connection };
  await staff.call(connections.update, { params, body: { active: false } });
  await settled(await taro.unsend(said.messageId));
  await settled(await hana.block());
  expect(await settled(await taro.say('Not heard'))).toMatchObject({ state: 'ignored', reason: 'channel-off' });
  await staff.call(connections.update, { params, body: { active: true } });
  expect((await conversationOf(staff, taro.name))!.messages[0]).toMatchObject({ happening: { kind: 'unsent' } });
  expect((await conversationOf(staff, hana.name))!.notes.at(-1)).toMatchObject({ happening: { kind: 'unfollowed' } });
});

test('what somebody wrote is nowhere once they are erased, also what was not heard', async () => {
  const taro = aFriend();
  await taro.say('I live at 1-2-3 Hiroo');
  const { thread } = await heard(taro.name);
  const params = { uuid: thread.guest.uuid };
  await staff.call(inbox.updateGuest, { params, body: { blocked: true } });
  const unheard = await taro.say('My number is 0120-222');
  await settled(unheard);
  const stored = async () => {
    const { db } = app.server.context;
    const rows = await db.selectFrom('line_event').select('raw as text').where('chat', '=', taro.id).execute();
    const bodies = await db.selectFrom('line_request').select('body as text').execute();
    return [...rows, ...bodies].map(({ text }) => text).join('\n');
  };
  expect(await stored()).toContain('0120-222');
  await settled(await taro.unsend(unheard.messageId));
  expect(await stored()).not.toContain('0120-222');
  expect(await stored()).toContain('Hiroo');
  await staff.call(inbox.eraseGuest, { params });
  expect(await stored()).not.toContain('Hiroo');
});

test('a tab of the menu that was tapped is noted, and nobody answers it', async () => {
  const taro = aFriend();
  await taro.say('When does the shop open?');
  const before = await eventually('it is answered', async () => {
    const found = await heard(taro.name);
    return found.messages.some(({ role, status }) => role === 'assistant' && status === 'done') && found;
  });
  const tapped = await taro.postback('to-b', { params: { newRichMenuAliasId: 'tab-b', status: 'SUCCESS' } });
  expect(await settled(tapped)).toMatchObject({ state: 'done', reason: 'menu-success' });
  const gone = await taro.postback('to-c', { params: { newRichMenuAliasId: 'tab-c', status: 'RICHMENU_NOTFOUND' } });
  expect(await settled(gone)).toMatchObject({ state: 'done', reason: 'menu-richmenu_notfound' });
  expect((await conversationOf(staff, taro.name))!.messages).toHaveLength(before.messages.length);
});

test('a blocked person is not heard, and an event that was ignored may be worked on once more', async () => {
  const taro = aFriend();
  await taro.say('Hello');
  const { thread } = await heard(taro.name);
  const params = { uuid: thread.guest.uuid };
  await staff.call(inbox.updateGuest, { params, body: { blocked: true } });
  const said = await taro.say('Can you hear me?');
  const ignored = await settled(said);
  expect(ignored).toMatchObject({ state: 'ignored', reason: 'blocked' });
  await staff.call(inbox.updateGuest, { params, body: { blocked: false } });
  await staff.call(lineChannels.replay, { params: { event: ignored.uuid } });
  await eventually('it is heard', async () =>
    (await conversationOf(staff, taro.name))!.messages.some(({ text }) => text === 'Can you hear me?'),
  );
  expect((await staff.call(lineChannels.replay, { params: { event: ignored.uuid } })).error.code).toBe('conflict');
});
