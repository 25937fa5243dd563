import { sql, type KyselyPlugin } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import sharp from 'sharp';
import { connections } from '../../../shared/contracts/connections.ts';
import { inbox } from '../../../shared/contracts/inbox.ts';
import { lineCampaigns, type Broadcast, type LineAudience } from '../../../shared/contracts/line-campaigns.ts';
import { lineChannels, type LineChannel } from '../../../shared/contracts/line-channels.ts';
import { richMessages } from '../../../shared/contracts/rich-messages.ts';
import { eventually, type Person, type TestApp } from '../../testing/app.ts';
import { connectLine, conversationOf, startWithLine } from '../../testing/line-channel.ts';
import type { FakeLine, LineOptions, LineUser } from '../../testing/line/fake-line.ts';
import type { Context } from '../../feature.ts';
import { addGuest, tagGuest } from '../guests/guests.ts';
import { sweepVisitors } from '../web-channels/retention.ts';
import { repliesTo } from './replies.ts';

let app: TestApp;
let line: FakeLine;
let staff: Person;
let channel: LineChannel;

beforeEach(() => begin());
afterEach(() => end());

async function begin(options: LineOptions = {}): Promise<void> {
  ({ app, line } = await startWithLine(options));
  staff = await app.aPerson();
  channel = await connectLine(staff, line);
  line.calls.length = 0;
}
async function end(): Promise<void> {
  line.mustBeValid();
  await app.stop();
  await line.close();
}
/** The same, on a LINE of another kind. */
const anew = async (options: LineOptions) => {
  await end();
  await begin(options);
};

const hourMs = 3_600_000;
const params = ({ uuid }: { uuid: string }) => ({ uuid });
const says = (text: string) => [{ type: 'text' as const, text }];
const everybody: LineAudience = { kind: 'all', without: [] };
const get = async (broadcast: { uuid: string }) =>
  (await staff.call(lineCampaigns.broadcast, { params: params(broadcast) })).body.data;

async function aBroadcast(given: Partial<Broadcast> = {}): Promise<Broadcast> {
  const { content = says('Hello'), audience = everybody, taps, tapTag, time } = given;
  const made = await staff.call(lineCampaigns.createBroadcast, {
    body: { channel: channel.uuid, name: given.name ?? 'Spring', content, audience, taps, tapTag, time },
  });
  expect(made.error).toBeUndefined();
  return made.body.data;
}

/** Friends whom Kotae knows, as many as there should be: those of the phone, without a conversation. */
async function known(count: number, tags: string[] = []): Promise<LineUser[]> {
  const users = line.friends(count);
  await app.server.context.db.transaction().execute(async (trx) => {
    for (const { id, name } of users) {
      const { guest } = await addGuest(trx, {
        workspace: staff.user.workspaces[0]!.uuid,
        channel: 'line',
        channelId: channel.uuid,
        external: id,
        name,
        language: null,
      });
      for (const tag of tags) await tagGuest(trx, guest, tag);
    }
  });
  return users;
}

/** What waits for a time begins now. */
async function hurry(): Promise<void> {
  const { db, queue } = app.server.context;
  await db.updateTable('broadcast').set({ due_at: 1 }).where('state', '=', 'scheduled').execute();
  await db
    .updateTable('job')
    .set({ run_at: 0 })
    .where('kind', '=', 'line.broadcast')
    .where('state', '=', 'queued')
    .execute();
  queue.wake();
}
const send = (broadcast: { uuid: string }) =>
  staff.call(lineCampaigns.sendBroadcast, { params: params(broadcast), body: {} });
const reaches = (broadcast: { uuid: string }, state: Broadcast['state']) =>
  eventually(`it is ${state}`, async () => {
    const now = await get(broadcast);
    if (now.state !== state) await hurry();
    return now.state === state && now;
  });
async function sendNow(broadcast: { uuid: string }, state: Broadcast['state'] = 'done'): Promise<Broadcast> {
  expect((await send(broadcast)).error).toBeUndefined();
  await hurry();
  return reaches(broadcast, state);
}
const texts = (user: LineUser) => line.shown(user.id).map(({ message }) => message.text);
const calls = (kind: string) => line.calls.filter(({ path }) => path === `/v2/bot/message/${kind}`);
const bodyOf = ({ body }: { body: unknown }) => body as { to: string | string[]; customAggregationUnits?: string[] };

test('a broadcast waits ten seconds, can be taken back, and then reaches everybody once', async () => {
  const users = await known(1203);
  const broadcast = await aBroadcast();
  expect(broadcast).toMatchObject({ state: 'draft', recipients: null, dueAt: null });
  const sent = (await send(broadcast)).body.data;
  expect(sent.state).toBe('scheduled');
  expect(Date.parse(sent.dueAt ?? '') - Date.now()).toBeGreaterThan(8_000);
  const back = await staff.call(lineCampaigns.cancelBroadcast, { params: params(broadcast) });
  expect(back.body.data).toMatchObject({ state: 'draft', dueAt: null });
  await hurry();
  expect(calls('multicast')).toEqual([]);

  expect(await sendNow(broadcast)).toMatchObject({ recipients: 1203, sent: 1203, failed: 0, skipped: 0 });
  expect(users.every((user) => texts(user).join() === 'Hello')).toBe(true);
  expect(calls('multicast').map((call) => bodyOf(call).to.length)).toEqual([500, 500, 203]);
  expect((await send(broadcast)).error.code).toBe('conflict');
  expect(await app.server.context.db.selectFrom('broadcast_batch').selectAll().execute()).toEqual([]);
});

test('ten who send it at once send it once', async () => {
  const [user] = await known(1);
  const broadcast = await aBroadcast();
  const told = await Promise.all(Array.from({ length: 10 }, () => send(broadcast)));
  expect(told.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(told.filter(({ error }) => error?.code === 'conflict')).toHaveLength(9);
  await reaches(broadcast, 'done');
  expect(texts(user!)).toEqual(['Hello']);
});

test('each is called by name, and gets links of their own', async () => {
  const [hana, taro] = await known(2);
  const broadcast = await aBroadcast({
    content: says('{{name}}, see https://example.com/sale?a=1&b=2. Or https://example.com/sale?a=1&b=2!'),
    taps: 'person',
    tapTag: 'interested',
  });
  await sendNow(broadcast);
  const [first, second] = [texts(hana!)[0]!, texts(taro!)[0]!];
  const codes = (text: string) => [...text.matchAll(/\/l\/([0-9A-Za-z]{12})/g)].map(([, code]) => code!);
  expect(first.startsWith(`${hana!.name}, see http`)).toBe(true);
  expect(codes(first)).toHaveLength(2);
  expect(new Set(codes(first)).size).toBe(1);
  expect(codes(first)[0]).not.toBe(codes(second)[0]);
  expect(first).toMatch(/\/l\/\w{12}\. Or .*\/l\/\w{12}!$/);
  expect(calls('multicast')).toEqual([]);

  const tap = (code: string, init: RequestInit = {}) =>
    fetch(`${app.url}/l/${code}`, {
      redirect: 'manual',
      ...init,
      headers: { 'user-agent': 'Mozilla/5.0 Line/15.0', ...Object.fromEntries(new Headers(init.headers)) },
    });
  const opened = await tap(codes(first)[0]!);
  expect([opened.status, opened.headers.get('location'), opened.headers.get('cache-control')]).toEqual([
    302,
    'https://example.com/sale?a=1&b=2',
    'no-store',
  ]);
  await tap(codes(first)[0]!);
  for (const agent of ['facebookexternalhit/1.1;line-poker/1.0', 'Slackbot-LinkExpanding 1.0', 'Googlebot/2.1'])
    expect((await tap(codes(second)[0]!, { headers: { 'user-agent': agent } })).status).toBe(302);
  expect((await tap(codes(second)[0]!, { method: 'HEAD' })).status).toBe(302);
  expect((await tap(codes(second)[0]!, { headers: { 'sec-purpose': 'prefetch' } })).status).toBe(302);
  for (const wrong of ['AAAAAAAAAAAA', 'https:%2F%2Fevil.example', '..%2F', 'a'.repeat(12) + "'"])
    expect((await tap(wrong)).status).toBe(404);

  const { links } = (await staff.call(lineCampaigns.broadcastResult, { params: params(broadcast) })).body.data;
  expect(links).toMatchObject([{ target: 'https://example.com/sale?a=1&b=2', taps: 2, people: 1 }]);
  expect(links[0]!.days.map(({ taps }) => taps)).toEqual([2]);
  expect((await get(broadcast)).tapped).toBe(2);
  const listed = (await staff.call(lineCampaigns.links, { query: { channel: channel.uuid } })).body.data;
  expect(listed).toMatchObject([{ uuid: links[0]!.uuid, taps: 2 }]);

  const who = (audience: LineAudience) =>
    staff
      .call(lineCampaigns.countAudience, { body: { channel: channel.uuid, audience } })
      .then(({ body }) => body.data.recipients);
  const did = (what: 'sent' | 'tapped') => ({ kind: 'did' as const, did: { what, broadcast: broadcast.uuid } });
  expect(await who({ ...did('sent'), without: [] })).toBe(2);
  expect(await who({ ...did('tapped'), without: [] })).toBe(1);
  expect(await who({ ...did('sent'), without: ['interested'] })).toBe(1);

  // The link outlives the broadcast and its channel.
  await staff.call(lineCampaigns.removeBroadcast, { params: params(broadcast) });
  await staff.call(lineChannels.remove, { params: params(channel) });
  expect((await tap(codes(first)[0]!)).status).toBe(302);
});

test('taps of a link that all share are counted together', async () => {
  const [user] = await known(2);
  const broadcast = await aBroadcast({ content: says('https://example.com/a'), taps: 'all' });
  await sendNow(broadcast);
  const text = texts(user!)[0] ?? '';
  expect(calls('multicast')).toHaveLength(1);
  await fetch(`${app.url}/l/${text.slice(-12)}`, { redirect: 'manual', headers: { 'user-agent': 'Mozilla/5.0' } });
  expect((await get(broadcast)).tapped).toBe(1);
});

test.each(['dropBefore', 'dropAfter', { status: 500 }, { status: 500, isDone: true }] as const)(
  'an answer that is lost sends nothing twice: %j',
  async (action) => {
    const users = await known(700);
    line.script('/v2/bot/message/multicast', 'pass', action);
    const broadcast = await aBroadcast();
    expect(await sendNow(broadcast)).toMatchObject({ sent: 700 });
    expect(users.every((user) => texts(user).length === 1)).toBe(true);
    const keys = calls('multicast').map(({ headers }) => headers['x-line-retry-key']);
    expect(keys[1]).toBe(keys[2]);
  },
);

test('a server that ends in the middle goes on with the same keys', async () => {
  const users = await known(450);
  line.script('/v2/bot/message/push', 'pass', 'pass', 'hangAfter');
  const broadcast = await aBroadcast({ content: says('Hello {{name}}') });
  await send(broadcast);
  await hurry();
  await eventually('something hangs', async () => calls('push').length > 30);
  await app.restart();
  await reaches(broadcast, 'done');
  expect(await get(broadcast)).toMatchObject({ recipients: 450, sent: 450, failed: 0 });
  for (const user of users) expect(texts(user)).toEqual([`Hello ${user.name}`]);
});

test('cancelled in the middle, nobody gets it who has not got it yet', async () => {
  const users = await known(1200);
  line.script('/v2/bot/message/multicast', 'pass', { delayMs: 700 });
  const broadcast = await aBroadcast();
  await send(broadcast);
  await hurry();
  await eventually('the second is on its way', async () => calls('multicast').length === 2);
  const cancelled = await staff.call(lineCampaigns.cancelBroadcast, { params: params(broadcast) });
  expect(cancelled.body.data.state).toBe('cancelled');
  await eventually('the second is counted', async () => (await get(broadcast)).sent === 1000);
  expect(users.filter((user) => texts(user).length === 1)).toHaveLength(1000);
  expect(calls('multicast')).toHaveLength(2);
  expect((await staff.call(lineCampaigns.resumeBroadcast, { params: params(broadcast) })).error.code).toBe('conflict');
});

test('where the month ends it stops, says how many have got it, and goes on later', async () => {
  await anew({ quota: { type: 'limited', value: 600 } });
  const users = await known(900);
  const broadcast = await aBroadcast();
  const preview = (await staff.call(lineCampaigns.previewBroadcast, { params: params(broadcast) })).body.data;
  expect(preview.quota).toEqual({ limit: 600, used: 0, left: 600 });
  expect(preview.problems).toEqual([{ code: 'quota', level: 'warning', bubble: null, count: 300 }]);
  expect(await sendNow(broadcast, 'stopped')).toMatchObject({ reason: 'quota', sent: 600, recipients: 900 });
  line.quota.used = 0;
  await staff.call(lineCampaigns.resumeBroadcast, { params: params(broadcast) });
  expect(await reaches(broadcast, 'done')).toMatchObject({ sent: 900, reason: null });
  expect(users.every((user) => texts(user).length === 1)).toBe(true);
});

test('LINE’s own word that the month is over stops it, and its word of too many calls only delays it', async () => {
  const users = await known(600);
  const monthly = { status: 429, body: { message: 'You have reached your monthly limit.' } };
  const rate = { status: 429, body: { message: 'The API rate limit has been exceeded. Try again later.' } };
  line.script('/v2/bot/message/multicast', rate, 'pass', monthly);
  const broadcast = await aBroadcast();
  expect(await sendNow(broadcast, 'stopped')).toMatchObject({ reason: 'quota', sent: 500 });
  await staff.call(lineCampaigns.resumeBroadcast, { params: params(broadcast) });
  await reaches(broadcast, 'done');
  expect(users.every((user) => texts(user).length === 1)).toBe(true);
});

test('what the maker has set aside stays', async () => {
  await anew({ quota: { type: 'limited', value: 600 } });
  await known(50);
  await staff.call(lineChannels.update, { params: params(channel), body: { stopAt: 20 } });
  const broadcast = await aBroadcast();
  expect(await sendNow(broadcast, 'stopped')).toMatchObject({ sent: 20 });
});

test('whoever left, was blocked or erased meanwhile gets nothing', async () => {
  const hana = line.user({ name: 'Hana' });
  await hana.say('Hello');
  const taro = line.user({ name: 'Taro' });
  await taro.say('Hello');
  await eventually('they are known', () => conversationOf(staff, 'Taro'));
  await eventually('they are known', () => conversationOf(staff, 'Hana'));
  const [friend] = await known(1);
  const broadcast = await aBroadcast();
  line.script('/v2/bot/message/multicast', { status: 500 }, { status: 500 });
  const [gone] = await known(1);
  await gone!.block();
  await send(broadcast);
  await taro.block();
  await eventually('it is known', async () =>
    app.server.context.db
      .selectFrom('guest_identity')
      .select('uuid')
      .where('left_at', 'is not', null)
      .executeTakeFirst(),
  );
  const guest = (await conversationOf(staff, 'Hana'))!.thread.guest.uuid;
  await staff.call(inbox.updateGuest, { params: { uuid: guest }, body: { blocked: true } });
  await hurry();
  const ended = await reaches(broadcast, 'done');
  expect(ended).toMatchObject({ recipients: 1, sent: 1 });
  expect(texts(friend!)).toEqual(['Hello']);
  await staff.call(inbox.eraseGuest, { params: { uuid: guest } });
  expect(await get(broadcast)).toMatchObject({ sent: 1 });
});

test('an audience is by tags, by name and by what they did', async () => {
  await known(3, ['tea']);
  await known(2, ['coffee']);
  await known(1, ['tea', 'vip']);
  await known(1);
  const writer = line.user({ name: 'Writer' });
  await writer.say('Hello');
  const { thread } = await eventually('known', () => conversationOf(staff, 'Writer'));
  const count = async (audience: LineAudience) => {
    const told = await staff.call(lineCampaigns.countAudience, { body: { channel: channel.uuid, audience } });
    return told.error?.code ?? told.body.data.recipients;
  };
  const today = new Date().toISOString().slice(0, 10);
  const later = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10);
  const did = (what: 'wrote' | 'silent' | 'followed', since: string): LineAudience => ({
    kind: 'did',
    did: { what, since },
    without: [],
  });
  expect(await count(everybody)).toBe(8);
  expect(await count({ kind: 'all', without: ['tea'] })).toBe(4);
  expect(await count({ kind: 'tags', tags: ['tea', 'coffee'], without: [] })).toBe(6);
  expect(await count({ kind: 'tags', tags: ['tea', 'coffee'], without: ['vip'] })).toBe(5);
  expect(await count({ kind: 'people', people: [thread.guest.uuid] })).toBe(1);
  expect(await count({ kind: 'people', people: [] })).toBe(0);
  expect(await count({ kind: 'people', people: [channel.uuid] })).toBe('validation-failed');
  expect(await count(did('wrote', '2020-01-01'))).toBe(1);
  expect(await count(did('silent', '2020-01-01'))).toBe(7);
  expect(await count(did('followed', '2020-01-01'))).toBe(8);
  expect(await count(did('followed', later))).toBe(0);
  expect(await count(did('wrote', today))).toBeLessThanOrEqual(1);
});

test('a friend who never writes is still one after months', async () => {
  const hana = line.user({ name: 'Hana', isFriend: false });
  await hana.follow();
  const reached = async () =>
    (await staff.call(lineCampaigns.countAudience, { body: { channel: channel.uuid, audience: everybody } })).body.data
      .recipients;
  await eventually('she is known', async () => (await reached()) === 1);
  await sweepVisitors(app.server.context, new AbortController().signal, Date.now() + 90 * 86_400_000);
  expect(await reached()).toBe(1);
});

test('ten thousand tags, and a group, are no hindrance', async () => {
  const users = await known(2, ['vip']);
  const group = line.group({ name: 'Team', members: users });
  await group.join();
  const { db } = app.server.context;
  const guest = await db.selectFrom('guest').selectAll().where('name', '=', users[0]!.name).executeTakeFirstOrThrow();
  await db.transaction().execute(async (trx) => {
    for (let from = 0; from < 10_000; from += 1000)
      await trx
        .insertInto('guest_tag')
        .values(
          Array.from({ length: 1000 }, (_, at) => ({
            guest: guest.uuid,
            workspace: guest.workspace,
            name: `t${from + at}`,
            created_at: 1,
          })),
        )
        .execute();
  });
  const tags = Array.from({ length: 100 }, (_, at) => `t${at}`);
  const broadcast = await aBroadcast({ audience: { kind: 'tags', tags, without: [] } });
  expect(await sendNow(broadcast)).toMatchObject({ recipients: 1, sent: 1 });
  const all = await aBroadcast();
  expect(await sendNow(all)).toMatchObject({ recipients: 2, sent: 2 });
});

test('what is wrong with it is said before it is sent', async () => {
  const empty = await aBroadcast({ content: [] });
  expect((await send(empty)).error).toMatchObject({
    code: 'validation-failed',
    details: { fields: [{ path: 'content', code: 'empty' }] },
  });
  const past = await aBroadcast({ time: { local: '2020-01-01T09:00', timezone: 'Asia/Tokyo' } });
  expect((await send(past)).error.details).toMatchObject({ fields: [{ path: 'time', code: 'time-past' }] });
  const long = `${'x'.repeat(4970)} https://example.com/a`;
  const broadcast = await aBroadcast({ content: [...says(long), ...says('http://example.com')], taps: 'all' });
  const { problems } = (await staff.call(lineCampaigns.previewBroadcast, { params: params(broadcast) })).body.data;
  expect(problems.map(({ code, bubble }) => [code, bubble])).toEqual([
    ['nobody', null],
    ['text-long', 0],
    ['link-http', 1],
  ]);
  for (const content of [
    says(''),
    says('x'.repeat(5001)),
    says('\u0000'),
    Array.from({ length: 6 }, () => says('x')[0]),
  ])
    expect(
      (
        await staff.fetch('/api/user/line/broadcast', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ channel: channel.uuid, name: 'x', content }),
        })
      ).status,
    ).toBe(400);
});

test('content of the worst kind arrives as it is written', async () => {
  const [user] = await known(1);
  await app.server.context.db.updateTable('guest').set({ name: 'https://evil.example/ {{name}} $& 👩‍👩‍👧' }).execute();
  const content = says('{{name}}‮<script>$&$1</script>\n{name} https://例え.jp/ https://a:b@example.com/ x');
  await sendNow(await aBroadcast({ content, taps: 'person' }));
  expect(texts(user!)).toEqual([
    'https://evil.example/ {{name}} $& 👩‍👩‍👧‮<script>$&$1</script>\n{name} https://例え.jp/ https://a:b@example.com/ x',
  ]);
});

test('rich messages and pictures are sent as they are when it begins, with counted links', async () => {
  const [user] = await known(1);
  const bubble = (uri: string) => ({
    type: 'bubble',
    body: {
      type: 'box',
      layout: 'vertical',
      contents: [{ type: 'button', action: { type: 'uri', label: 'Open', uri } }],
    },
  });
  const made = await staff.call(richMessages.create, {
    body: { name: 'Card', draft: { kind: 'flex', alt: 'A card', contents: bubble('https://example.com/card') } },
  });
  expect(made.error).toBeUndefined();
  const rich = made.body.data;
  const picture = await sharp({ create: { width: 520, height: 520, channels: 3, background: '#0a6b3d' } })
    .png()
    .toBuffer();
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(picture)]), 'a.png');
  const uploaded = await staff.fetch(richMessages.uploadImage.path, { method: 'POST', body: form });
  const file = JSON.parse(await uploaded.text()).data.uuid;
  const broadcast = await aBroadcast({
    content: [
      { type: 'rich', message: rich.uuid },
      { type: 'image', file },
    ],
    taps: 'all',
  });
  const foreign = await staff.call(lineCampaigns.changeBroadcast, {
    params: params(broadcast),
    body: { content: [{ type: 'rich', message: channel.uuid }] },
  });
  expect(foreign.error.code).toBe('validation-failed');
  const kept = await staff.call(richMessages.remove, { params: params(rich) });
  expect(kept.error).toMatchObject({ code: 'rich-needed', details: { name: 'Spring' } });
  await sendNow(broadcast);
  const [card, image] = line.shown(user!.id).map(({ message }) => message);
  expect(card).toMatchObject({ type: 'flex', altText: 'A card' });
  expect(JSON.stringify(card)).toMatch(/"uri":"[^"]*\/l\/\w{12}"/);
  expect(image?.type).toBe('image');
  const { body: used } = await staff.call(richMessages.uses, { params: params(rich) });
  expect(used.data).toEqual({ users: [], count: 0, sent: 1 });
  expect((await staff.call(richMessages.remove, { params: params(rich) })).status).toBe(200);
});

test('what LINE refuses has failed, with what LINE says, and nobody got it', async () => {
  await known(3);
  line.script('/v2/bot/message/validate/multicast', {
    status: 400,
    body: { message: 'The request body has 1 error(s)' },
  });
  expect(await sendNow(await aBroadcast(), 'failed')).toMatchObject({
    reason: 'refused',
    detail: 'The request body has 1 error(s)',
    sent: 0,
  });
  expect(calls('multicast')).toEqual([]);
});

const switchChannel = async (active: boolean) =>
  expect(
    (await staff.call(connections.update, { params: { uuid: channel.connection }, body: { active } })).error,
  ).toBeUndefined();

test('while its channel is off a broadcast waits, says why, and goes on afterwards', async () => {
  const [user] = await known(1);
  const broadcast = await aBroadcast();
  await switchChannel(false);
  const { problems } = (await staff.call(lineCampaigns.previewBroadcast, { params: params(broadcast) })).body.data;
  expect(problems).toEqual([{ code: 'off', level: 'warning', bubble: null, count: null }]);
  await send(broadcast);
  const waits = () =>
    eventually('it waits', async () => {
      await hurry();
      return (await get(broadcast)).reason === 'off';
    });
  await waits();
  expect(await get(broadcast)).toMatchObject({ state: 'scheduled', startedAt: null });
  const back = await staff.call(lineCampaigns.cancelBroadcast, { params: params(broadcast) });
  expect(back.body.data).toMatchObject({ state: 'draft', reason: null });
  await send(broadcast);
  await waits();
  expect(line.calls.filter(({ path }) => path.startsWith('/v2/bot/message/'))).toEqual([]);
  await switchChannel(true);
  expect(await reaches(broadcast, 'done')).toMatchObject({ sent: 1, reason: null });
  expect(texts(user!)).toEqual(['Hello']);
});

test('switched off in the middle, nobody more gets it until the channel is on again', async () => {
  const users = await known(900);
  line.script('/v2/bot/message/multicast', { delayMs: 700 });
  const broadcast = await aBroadcast();
  await send(broadcast);
  await hurry();
  await eventually('the first is on its way', async () => calls('multicast').length === 1);
  await switchChannel(false);
  await eventually('it waits', async () => (await get(broadcast)).reason === 'off');
  expect(await get(broadcast)).toMatchObject({ state: 'sending', sent: 500 });
  await switchChannel(true);
  expect(await reaches(broadcast, 'done')).toMatchObject({ sent: 900, reason: null });
  expect(users.every((user) => texts(user).length === 1)).toBe(true);
});

test('a hundred links for each of two hundred people are theirs alone', async () => {
  const users = await known(200);
  const links = Array.from({ length: 100 }, (_, at) => `https://example.com/${at}`).join('\n');
  await sendNow(await aBroadcast({ content: says(links), taps: 'person' }));
  const codes = users.flatMap((user) => [...String(texts(user)[0]).matchAll(/\/l\/(\w{12})/g)].map(([, code]) => code));
  expect(new Set(codes).size).toBe(20_000);
});

const noSecret = { status: 400, body: { error: 'invalid_client', error_description: 'invalid client_secret' } };

test('a secret that is revoked ends it and says so, and with a new one it goes on', async () => {
  const users = await known(600);
  const broadcast = await aBroadcast();
  line.script('/v2/bot/message/multicast', 'pass', { status: 401, body: { message: 'Authentication failed' } });
  line.script('/oauth2/v3/token', noSecret);
  expect(await sendNow(broadcast, 'failed')).toMatchObject({ reason: 'secret', sent: 500 });
  // LINE is asked what is left before it begins and once it has ended.
  await eventually('what is left is known', async () => calls('quota').length === 2);
  const resume = () => staff.call(lineCampaigns.resumeBroadcast, { params: params(broadcast) });
  line.script('/v2/bot/message/quota', { status: 401, body: { message: 'Authentication failed' } });
  line.script('/oauth2/v3/token', noSecret);
  await resume();
  expect(await reaches(broadcast, 'failed')).toMatchObject({ reason: 'secret', sent: 500 });
  const { problems } = (await staff.call(lineChannels.get, { params: params(channel) })).body.data;
  expect(problems).toContain('secret');
  await resume();
  expect(await reaches(broadcast, 'done')).toMatchObject({ sent: 600, failed: 0 });
  expect(users.every((user) => texts(user).length === 1)).toBe(true);
});

test('a secret that is wrong before it begins can be mended, too', async () => {
  await known(1);
  const broadcast = await aBroadcast();
  line.script('/v2/bot/message/validate/multicast', { status: 401, body: { message: 'Authentication failed' } });
  line.script('/oauth2/v3/token', noSecret);
  expect(await sendNow(broadcast, 'failed')).toMatchObject({ reason: 'secret', sent: 0 });
  await staff.call(lineCampaigns.resumeBroadcast, { params: params(broadcast) });
  expect(await reaches(broadcast, 'done')).toMatchObject({ sent: 1, reason: null });
});

test.each([401, 403])(
  'what LINE refuses whoever it is for (%i) fails the broadcast, and nobody in it',
  async (status) => {
    await known(40);
    const message = 'Not allowed to use this API';
    line.script('/v2/bot/message/push', ...Array.from({ length: 100 }, () => ({ status, body: { message } })));
    const broadcast = await aBroadcast({ content: says('Hello {{name}}') });
    expect(await sendNow(broadcast, 'failed')).toMatchObject({
      reason: 'refused',
      detail: message,
      sent: 0,
      failed: 0,
    });
  },
);

test('whom and what an audience names is told with names', async () => {
  const hana = line.user({ name: 'Hana' });
  await hana.say('Hello');
  const { thread } = await eventually('known', () => conversationOf(staff, 'Hana'));
  const { uuid, name } = thread.guest;
  const chosen = await aBroadcast({ audience: { kind: 'people', people: [uuid] } });
  expect((await get(chosen)).named).toEqual([{ uuid, name }]);
  await sendNow(chosen);
  const again = await aBroadcast({
    audience: { kind: 'did', did: { what: 'sent', broadcast: chosen.uuid }, without: [] },
  });
  expect((await get(again)).named).toEqual([{ uuid: chosen.uuid, name: 'Spring' }]);
});

test('who confirms what somebody else has changed meanwhile sends nothing', async () => {
  await known(2, ['vip']);
  await known(2);
  const broadcast = await aBroadcast({ audience: { kind: 'tags', tags: ['vip'], without: [] } });
  await staff.call(lineCampaigns.changeBroadcast, { params: params(broadcast), body: { audience: everybody } });
  const sent = await staff.call(lineCampaigns.sendBroadcast, {
    params: params(broadcast),
    body: { seen: broadcast.updatedAt },
  });
  expect(sent.error.code).toBe('conflict');
  expect((await get(broadcast)).state).toBe('draft');
});

test('one whom LINE does not know keeps nobody else from getting it', async () => {
  const users = await known(3);
  await app.server.context.db
    .updateTable('guest_identity')
    .set({ external: `U${'0'.repeat(32)}` })
    .where('external', '=', users[0]!.id)
    .execute();
  expect(await sendNow(await aBroadcast({ content: says('{{name}}') }))).toMatchObject({ sent: 2, failed: 1 });
});

test('a broadcast is sent at its time, also where clocks jump, and is changed until then', async () => {
  await known(1);
  const year = new Date().getUTCFullYear() + 1;
  const at = async (local: string, timezone: string) => {
    const broadcast = await aBroadcast({ time: { local, timezone } });
    return (await send(broadcast)).body.data.dueAt;
  };
  expect(await at(`${year}-07-01T09:30`, 'Asia/Tokyo')).toBe(`${year}-07-01T00:30:00.000Z`);
  expect(await at(`${year}-07-01T09:30`, 'America/New_York')).toBe(`${year}-07-01T13:30:00.000Z`);
  // Half past two is skipped in spring, and comes twice in autumn.
  expect(await at('2027-03-14T02:30', 'America/New_York')).toBe('2027-03-14T07:30:00.000Z');
  expect(await at('2027-11-07T01:30', 'America/New_York')).toBe('2027-11-07T05:30:00.000Z');

  const broadcast = await aBroadcast({ time: { local: `${year}-07-01T09:30`, timezone: 'Asia/Tokyo' } });
  const sent = (await send(broadcast)).body.data;
  const { action, details } = await app.server.context.db
    .selectFrom('audit')
    .select(['action', 'details'])
    .orderBy('created_at', 'desc')
    .orderBy('uuid', 'desc')
    .executeTakeFirstOrThrow();
  expect([action, JSON.parse(details)]).toEqual(['broadcast.scheduled', { at: `${year}-07-01T00:30:00.000Z` }]);
  const stale = await staff.call(lineCampaigns.changeBroadcast, {
    params: params(broadcast),
    body: { content: says('Other'), seen: broadcast.updatedAt },
  });
  expect(stale.error.code).toBe('conflict');
  const changed = await staff.call(lineCampaigns.changeBroadcast, {
    params: params(broadcast),
    body: {
      content: says('Other'),
      time: { local: `${year}-08-01T09:30`, timezone: 'Asia/Tokyo' },
      seen: sent.updatedAt,
    },
  });
  expect(changed.body.data).toMatchObject({ state: 'scheduled', dueAt: `${year}-08-01T00:30:00.000Z` });
  // A job that comes too early, as after a jump of the clock, sends nothing.
  const { db, queue } = app.server.context;
  await db.updateTable('job').set({ run_at: 0 }).where('kind', '=', 'line.broadcast').execute();
  queue.wake();
  await eventually('it waits again', async () => {
    const [job] = await db
      .selectFrom('job')
      .select('run_at')
      .where('unique_key', '=', `broadcast:${broadcast.uuid}`)
      .execute();
    return job && job.run_at > Date.now();
  });
  expect((await get(broadcast)).state).toBe('scheduled');
  expect(calls('multicast')).toEqual([]);
});

test('a test goes to one friend, who is remembered', async () => {
  const user = line.user({ name: 'Hana' });
  await user.say('Hello');
  const { thread } = await eventually('known', () => conversationOf(staff, 'Hana'));
  const broadcast = await aBroadcast({ content: says('{{name}}: https://example.com/a'), taps: 'person' });
  const test = await staff.call(lineCampaigns.testBroadcast, {
    params: params(broadcast),
    body: { guest: thread.guest.uuid },
  });
  expect(test.error).toBeUndefined();
  expect(texts(user)).toContain('Hana: https://example.com/a');
  const preview = (await staff.call(lineCampaigns.previewBroadcast, { params: params(broadcast) })).body.data;
  expect(preview).toMatchObject({ tester: { uuid: thread.guest.uuid, name: 'Hana' }, personal: true, recipients: 1 });
  expect(await get(broadcast)).toMatchObject({ state: 'draft', sent: 0 });
  const nobody = await staff.call(lineCampaigns.testBroadcast, {
    params: params(broadcast),
    body: { guest: channel.uuid },
  });
  expect(nobody.error.code).toBe('guest-not-found');
});

test('LINE’s own figures are told where it counts for the account', async () => {
  await known(1);
  const counted = await aBroadcast();
  await sendNow(counted);
  const [unit] = bodyOf(calls('multicast')[0]!).customAggregationUnits ?? [];
  expect(unit).toMatch(/^kotae_[0-9a-f]{20}$/);
  const result = async (broadcast: Broadcast) =>
    (await staff.call(lineCampaigns.broadcastResult, { params: params(broadcast) })).body.data.insight;
  const asked = () => line.calls.filter(({ path }) => path.startsWith('/v2/bot/insight/'));
  expect(await result(counted)).toEqual({ state: 'unready', opened: null, clicked: null });
  line.insight.aggregation.set(unit!, {
    overview: { uniqueImpression: 40, uniqueClick: 30, uniqueMediaPlayed: null, uniqueMediaPlayed100Percent: null },
    messages: [],
    clicks: [],
  });
  // LINE is asked once in an hour, whoever looks how often.
  await app.restart();
  expect(await result(counted)).toEqual({ state: 'unready', opened: null, clicked: null });
  expect(asked()).toHaveLength(1);
  const anHourLater = async () => {
    const { db } = app.server.context;
    await db
      .updateTable('broadcast')
      .set(({ eb, ref }) => ({ insight_at: eb(ref('insight_at'), '-', 3_600_000) }))
      .execute();
  };
  await anHourLater();
  const ready = { state: 'ready', opened: 40, clicked: 30 };
  expect(await result(counted)).toEqual(ready);
  expect(await result(counted)).toEqual(ready);
  expect(asked()).toHaveLength(2);
  // What LINE has told stays while LINE does not answer.
  await anHourLater();
  line.script(/insight/, { status: 500 });
  expect(await result(counted)).toEqual(ready);

  await anew({ hasNoUnits: true });
  await known(1);
  const broadcast = await aBroadcast();
  await sendNow(broadcast);
  expect(bodyOf(calls('multicast')[0]!).customAggregationUnits).toBeUndefined();
  expect(await result(broadcast)).toEqual({ state: 'unavailable', opened: null, clicked: null });
});

test('who got it is listed with when they wrote back, of whom is still known', async () => {
  const [mei, sora, ren] = [line.user({ name: 'Mei' }), line.user({ name: 'Sora' }), line.user({ name: 'Ren' })];
  // One after the other: they are listed in the order in which they came to be known.
  for (const user of [mei, sora, ren]) {
    await user.say('Hello');
    await eventually('they are known', () => conversationOf(staff, user.name));
  }
  const broadcast = await aBroadcast();
  const list = async (query: { state?: 'sent' | 'skipped'; limit?: number; cursor?: string } = {}) =>
    (await staff.call(lineCampaigns.recipients, { params: params(broadcast), query })).body;
  const replies = async () =>
    (await staff.call(lineCampaigns.broadcastResult, { params: params(broadcast) })).body.data.replies;
  expect((await list()).data).toEqual([]);
  await sendNow(broadcast);
  expect(await replies()).toBe(0);
  await mei.say('What time do you open?');
  await mei.say('And is the cake back?');
  await ren.say('Thanks');
  await eventually('both have written', async () => (await replies()) === 2);
  const listed = async () =>
    (await staff.call(lineCampaigns.broadcasts, { query: { channel: channel.uuid } })).body.data.find(
      ({ uuid }) => uuid === broadcast.uuid,
    );
  // Two in the list, so that each has figures of its own.
  await aBroadcast();
  expect(await listed()).toMatchObject({ replies: 2, opened: null, rich: null });
  const { data } = await list();
  expect(data.map(({ guest, state, repliedAt }) => [guest.name, state, repliedAt !== null])).toEqual([
    ['Mei', 'sent', true],
    ['Sora', 'sent', false],
    ['Ren', 'sent', true],
  ]);
  const conversation = await conversationOf(staff, 'Mei');
  expect(data[0]?.thread).toBe(conversation?.thread.uuid);

  const first = await list({ limit: 2 });
  expect(first.data).toHaveLength(2);
  const rest = await list({ limit: 2, cursor: first.meta.nextCursor ?? '' });
  expect(rest).toMatchObject({ data: [{ guest: { name: 'Ren' } }], meta: { nextCursor: null } });
  expect((await list({ state: 'skipped' })).data).toEqual([]);

  // What is written later than a week after it answers something else.
  const { db } = app.server.context;
  await db
    .updateTable('broadcast')
    .set({ started_at: Date.now() - 8 * 86_400_000, replies_at: null })
    .execute();
  expect(await replies()).toBe(0);
  expect((await listed())?.replies).toBe(0);
  expect((await list()).data.every(({ repliedAt }) => repliedAt === null)).toBe(true);

  // What a clock that was ahead has counted is counted again.
  await db
    .updateTable('broadcast')
    .set({ started_at: Date.now() - hourMs, replies: 9, replies_at: Date.now() + 24 * hourMs })
    .execute();
  expect(await replies()).toBe(3);

  // Where they cannot be counted, the list is told all the same.
  await db.updateTable('broadcast').set({ replies: null, replies_at: null }).execute();
  await sql`alter table broadcast_recipient rename to put_away`.execute(db);
  try {
    expect(await listed()).toMatchObject({ uuid: broadcast.uuid, replies: null });
  } finally {
    await sql`alter table put_away rename to broadcast_recipient`.execute(db);
  }
  // They are counted again a little later.
  await db
    .updateTable('broadcast')
    .set(({ eb, ref }) => ({ replies_at: eb(ref('replies_at'), '-', 61_000) }))
    .where('uuid', '=', broadcast.uuid)
    .execute();
  expect((await listed())?.replies).toBe(3);

  await staff.call(inbox.eraseGuest, { params: { uuid: data[2]!.guest.uuid } });
  expect((await list()).data.map(({ guest }) => guest.name)).toEqual(['Mei', 'Sora']);
  const stranger = await app.aPerson();
  expect((await stranger.call(lineCampaigns.recipients, { params: params(broadcast) })).error.code).toBe(
    'broadcast-not-found',
  );
});

test.each([
  ['within its week', { age: 3 * hourMs, replies: null, countedAgo: null }, 1],
  ['when that is over', { age: 169 * hourMs, replies: 5, countedAgo: 2 * hourMs }, 0],
])(
  'one whose replies cannot be counted %s leaves others their turn, and is counted later',
  async (_, before, after) => {
    const mei = line.user({ name: 'Mei' });
    await mei.say('Hello');
    await eventually('she is known', () => conversationOf(staff, 'Mei'));
    const [stuck, other] = [await aBroadcast(), await aBroadcast()];
    for (const broadcast of [stuck, other]) await sendNow(broadcast);
    const { context } = app.server;
    const { db } = context;
    const now = Date.now();
    const set = ({ uuid }: Broadcast, { age, replies, countedAgo }: typeof before) =>
      db
        .updateTable('broadcast')
        .set({ started_at: now - age, replies, replies_at: countedAgo === null ? null : now - countedAgo })
        .where('uuid', '=', uuid)
        .execute();
    await set(stuck, before);
    await set(other, { age: 3 * hourMs, replies: 0, countedAgo: hourMs });
    // Counting this one fails, and takes longer than a list may.
    const fails: KyselyPlugin = {
      transformQuery({ node }) {
        if (node.kind !== 'SelectQueryNode' || !JSON.stringify(node).includes(stuck.uuid)) return node;
        const until = Date.now() + 60;
        while (Date.now() < until);
        throw new Error('not now');
      },
      transformResult: async ({ result }) => result,
    };
    const list = async (given: Pick<Context, 'db' | 'log'>) => {
      const replies = await repliesTo(given, await db.selectFrom('broadcast').selectAll().execute());
      return [replies.get(stuck.uuid), replies.get(other.uuid)];
    };
    const failing = { db: db.withPlugin(fails), log: context.log };
    expect(await list(failing)).toEqual([null, 0]);
    expect(await list(failing)).toEqual([null, 1]);
    await db
      .updateTable('broadcast')
      .set(({ eb, ref }) => ({ replies_at: eb(ref('replies_at'), '-', 360_000) }))
      .where('uuid', '=', stuck.uuid)
      .execute();
    expect(await list(context)).toEqual([after, 1]);
  },
);

test('it is copied, renamed and deleted, and goes with its workspace', async () => {
  const [user] = await known(1);
  const broadcast = await aBroadcast({ taps: 'all', content: says('https://example.com/') });
  const copied = await staff.call(lineCampaigns.copyBroadcast, { params: params(broadcast), body: { name: 'Again' } });
  expect(copied.body.data).toMatchObject({ name: 'Again', state: 'draft', taps: 'all', content: broadcast.content });
  await sendNow(broadcast);
  const late = { params: params(broadcast), body: { content: says('Late') } };
  expect((await staff.call(lineCampaigns.changeBroadcast, late)).error.code).toBe('conflict');
  const named = { params: params(broadcast), body: { name: 'Spring 2' } };
  expect((await staff.call(lineCampaigns.changeBroadcast, named)).body.data.name).toBe('Spring 2');
  const { data } = (await staff.call(lineCampaigns.broadcasts, { query: { channel: channel.uuid } })).body;
  expect(data.map(({ name, state }) => [name, state])).toEqual([
    ['Again', 'draft'],
    ['Spring 2', 'done'],
  ]);
  const stranger = await app.aPerson();
  expect((await stranger.call(lineCampaigns.broadcast, { params: params(broadcast) })).error.code).toBe(
    'broadcast-not-found',
  );
  expect(texts(user!)).toHaveLength(1);
  expect((await staff.call(lineCampaigns.removeBroadcast, { params: params(copied.body.data) })).status).toBe(200);
  expect(await app.server.context.db.selectFrom('line_link').selectAll().execute()).toHaveLength(1);
});

const monthIsOver = { status: 429, body: { message: 'You have reached your monthly limit.' } };

test.each([
  ['multicast', 'Hello', [monthIsOver]],
  ['push', 'Hello {{name}}', ['pass', 'pass', monthIsOver, monthIsOver, monthIsOver]],
] as const)(
  'nobody gets a %s twice of whom LINE may have been told before the month was over',
  async (kind, said, then) => {
    const users = await known(3);
    line.script(`/v2/bot/message/${kind}`, { status: 500, isDone: true }, ...then);
    const broadcast = await aBroadcast({ content: says(said) });
    expect(await sendNow(broadcast, 'stopped')).toMatchObject({ reason: 'unsure', failed: 0 });
    await staff.call(lineCampaigns.resumeBroadcast, { params: params(broadcast) });
    expect(await reaches(broadcast, 'done')).toMatchObject({ sent: 3, failed: 0, reason: null });
    expect(users.every((user) => texts(user).length === 1)).toBe(true);
  },
);
