import { afterEach, beforeEach, expect, test } from 'vitest';
import { connections } from '../../../shared/contracts/connections.ts';
import { lineCampaigns, type Broadcast, type LineAudience } from '../../../shared/contracts/line-campaigns.ts';
import { lineChannels, type LineChannel } from '../../../shared/contracts/line-channels.ts';
import { inbox } from '../../../shared/contracts/inbox.ts';
import { eventually, type Person, type TestApp } from '../../testing/app.ts';
import { connectLine, conversationOf, startWithLine } from '../../testing/line-channel.ts';
import type { FakeLine, LineOptions, LineUser } from '../../testing/line/fake-line.ts';

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

const params = ({ uuid }: { uuid: string }) => ({ uuid });
const says = (text: string) => [{ type: 'text' as const, text }];
const everyone: LineAudience = { kind: 'everyone' };
/** A day of Japan, so many days ago, as LINE writes it. */
const dayAgo = (days: number) =>
  new Date(Date.now() + 9 * 3_600_000 - days * 86_400_000).toISOString().slice(0, 10).replaceAll('-', '');
const counts = (reached: number, days = 1) =>
  line.insight.followers.set(dayAgo(days), {
    status: 'ready',
    followers: reached + 40,
    targetedReaches: Math.round(reached / 2),
    blocks: 40,
  });

async function aBroadcast(given: Partial<Broadcast> = {}): Promise<Broadcast> {
  const { content = says('Hello'), audience = everyone, taps } = given;
  const body = { channel: channel.uuid, name: 'Spring', content, audience, taps };
  const made = await staff.call(lineCampaigns.createBroadcast, { body });
  expect(made.error).toBeUndefined();
  return made.body.data;
}
const get = async (broadcast: { uuid: string }) =>
  (await staff.call(lineCampaigns.broadcast, { params: params(broadcast) })).body.data;
const preview = async (broadcast: { uuid: string }) =>
  (await staff.call(lineCampaigns.previewBroadcast, { params: params(broadcast) })).body.data;
const send = (broadcast: { uuid: string }) =>
  staff.call(lineCampaigns.sendBroadcast, { params: params(broadcast), body: {} });
const cancel = (broadcast: { uuid: string }) =>
  staff.call(lineCampaigns.cancelBroadcast, { params: params(broadcast) });
const resume = (broadcast: { uuid: string }) =>
  staff.call(lineCampaigns.resumeBroadcast, { params: params(broadcast) });

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
const told = () => line.calls.filter(({ path }) => path === '/v2/bot/message/broadcast');
const sentCalls = () => line.calls.filter(({ path }) => /message\/(push|multicast)/.test(path));

test('a broadcast to everyone reaches friends that Kotae never heard of, once, in one call', async () => {
  const friends = line.friends(1200);
  counts(1200);
  const broadcast = await aBroadcast({ content: says('Sale: https://example.com/sale'), taps: 'all' });
  expect(await preview(broadcast)).toMatchObject({ recipients: 1200, problems: [], personal: false });
  const sent = (await send(broadcast)).body.data;
  expect(Date.parse(sent.dueAt ?? '') - Date.now()).toBeGreaterThan(8_000);
  expect((await cancel(broadcast)).body.data).toMatchObject({ state: 'draft', dueAt: null });
  await hurry();
  expect(told()).toEqual([]);

  expect(await sendNow(broadcast)).toMatchObject({ recipients: 1200, sent: 1200, failed: 0, reason: null });
  expect(friends.every((user) => texts(user).length === 1)).toBe(true);
  expect(texts(friends[0]!)[0]).toMatch(/^Sale: http.*\/l\/\w{12}$/);
  expect([told().length, sentCalls().length]).toEqual([1, 0]);
  expect((await send(broadcast)).error.code).toBe('conflict');
});

test('once a broadcast is over, LINE is asked again how much of the month is left', async () => {
  await anew({ quota: { type: 'limited', value: 60 } });
  const used = async () =>
    (await staff.call(lineChannels.get, { params: { uuid: channel.uuid } })).body.data.quota?.used;
  line.friends(25);
  counts(25);
  await sendNow(await aBroadcast());
  await eventually('what is used is known', async () => (await used()) === 25);
  // Also where LINE did not take it.
  line.quota.used = 50;
  await sendNow(await aBroadcast(), 'stopped');
  await eventually('what is used is known', async () => (await used()) === 50);
});

test('how many there are is of the newest day of which LINE tells, and not known before', async () => {
  line.friends(3);
  const broadcast = await aBroadcast();
  expect((await preview(broadcast)).recipients).toBeNull();
  const body = { channel: channel.uuid, audience: everyone };
  expect((await staff.call(lineCampaigns.countAudience, { body })).body.data.recipients).toBeNull();
  counts(5000, 2);
  const later = () => app.server.context.db.updateTable('line_reach').set({ asked_at: 1 }).execute();
  // LINE is asked for figures that are a day old once in ten minutes, whoever looks how often.
  expect((await preview(broadcast)).recipients).toBeNull();
  await later();
  expect((await preview(broadcast)).recipients).toBe(5000);
  counts(5100);
  expect((await preview(broadcast)).recipients).toBe(5000);
  await later();
  expect((await staff.call(lineCampaigns.countAudience, { body })).body.data.recipients).toBe(5100);
  const reach = (await staff.call(lineCampaigns.reach, { query: { channel: channel.uuid } })).body.data;
  expect(reach).toEqual({ known: 0, reached: 5100, day: expect.stringMatching(/^\d{4}-\d\d-\d\d$/), takeOver: null });
  const asked = line.calls.filter(({ path }) => path === '/v2/bot/insight/followers').length;
  await later();
  await preview(broadcast);
  expect(line.calls.filter(({ path }) => path === '/v2/bot/insight/followers')).toHaveLength(asked);
});

test('one of which nobody knows how many it reaches is sent all the same, and LINE tells afterwards', async () => {
  line.friends(25);
  const broadcast = await aBroadcast();
  expect(await sendNow(broadcast)).toMatchObject({ recipients: null, sent: 0, state: 'done' });
  const result = async () =>
    (await staff.call(lineCampaigns.broadcastResult, { params: params(broadcast) })).body.data.insight;
  expect(await result()).toEqual({ state: 'unready', opened: null, clicked: null });
  const { request_id: requestId } = await app.server.context.db
    .selectFrom('broadcast')
    .select('request_id')
    .executeTakeFirstOrThrow();
  const media = { uniqueMediaPlayed: null, uniqueMediaPlayed100Percent: null };
  const figures = (uniqueImpression: number | null, uniqueClick: number | null) =>
    line.insight.messageEvent.set(requestId ?? '', {
      overview: { requestId, timestamp: 1, delivered: 25, uniqueImpression, uniqueClick, ...media },
      messages: [],
      clicks: [],
    });
  const anHourLater = () =>
    app.server.context.db
      .updateTable('broadcast')
      .set(({ eb, ref }) => ({ insight_at: eb(ref('insight_at'), '-', 3_600_000) }))
      .execute();
  // Below twenty people LINE says how many got it, and not what they did.
  figures(null, null);
  expect(await result()).toEqual({ state: 'unready', opened: null, clicked: null });
  expect(line.calls.filter(({ path }) => path === '/v2/bot/insight/message/event')).toHaveLength(1);
  await anHourLater();
  expect(await result()).toEqual({ state: 'unready', opened: null, clicked: null });
  expect(await get(broadcast)).toMatchObject({ recipients: 25, sent: 25 });
  await anHourLater();
  figures(22, 20);
  expect(await result()).toEqual({ state: 'ready', opened: 22, clicked: 20 });
});

test('names, each person’s links and what is still to be filled in are refused, and it is said why', async () => {
  counts(10);
  const named = await aBroadcast({ content: [...says('Hi'), ...says('Hello {{name}}')] });
  expect((await preview(named)).problems).toEqual([{ code: 'name-everyone', level: 'error', bubble: 1, count: null }]);
  expect((await send(named)).error).toMatchObject({
    code: 'validation-failed',
    details: { fields: [{ path: 'content.1.text', code: 'name-everyone' }] },
  });
  const counted = await aBroadcast({ content: says('https://example.com/'), taps: 'person' });
  expect((await preview(counted)).problems).toMatchObject([{ code: 'taps-everyone', level: 'error' }]);
  expect((await send(counted)).error.details).toMatchObject({ fields: [{ path: 'taps', code: 'taps-everyone' }] });
  const unfinished = await aBroadcast({ content: says('Only until [[a day]]') });
  expect((await preview(unfinished)).problems).toMatchObject([{ code: 'blank-left', level: 'error', bubble: 0 }]);
  expect((await send(unfinished)).error.details).toMatchObject({ fields: [{ code: 'blank-left' }] });
  const plain = await aBroadcast();
  await send(plain);
  const body = { content: says('{{name}}') };
  const changed = await staff.call(lineCampaigns.changeBroadcast, { params: params(plain), body });
  expect(changed.error.code).toBe('validation-failed');
  expect(told()).toEqual([]);
});

test.each(['dropBefore', 'dropAfter', { status: 500 }, { status: 500, isDone: true }] as const)(
  'an answer that is lost sends nothing twice: %j',
  async (action) => {
    const friends = line.friends(30);
    counts(30);
    line.script('/v2/bot/message/broadcast', action);
    expect(await sendNow(await aBroadcast())).toMatchObject({ sent: 30 });
    expect(friends.every((user) => texts(user).length === 1)).toBe(true);
    const keys = told().map(({ headers }) => headers['x-line-retry-key']);
    expect([keys.length, new Set(keys).size]).toEqual([2, 1]);
  },
);

test('a server that ends in the middle says it again with the same key, and cannot be stopped by then', async () => {
  const friends = line.friends(30);
  counts(30);
  line.script('/v2/bot/message/broadcast', 'hangAfter');
  const broadcast = await aBroadcast();
  await send(broadcast);
  await hurry();
  await eventually('it hangs', async () => told().length === 1);
  expect((await cancel(broadcast)).error.code).toBe('broadcast-going');
  await app.restart();
  expect(await reaches(broadcast, 'done')).toMatchObject({ sent: 30, failed: 0 });
  expect(friends.every((user) => texts(user).length === 1)).toBe(true);
  expect(
    told()
      .map(({ status }) => status)
      .at(-1),
  ).toBe(409);
  // The request that LINE took is the one by which it counts.
  const { request_id: kept } = await app.server.context.db
    .selectFrom('broadcast')
    .select('request_id')
    .executeTakeFirstOrThrow();
  expect(line.shown(friends[0]!.id)[0]?.requestId).toBe(kept);
});

const monthIsOver = { status: 429, body: { message: 'You have reached your monthly limit.' } };
const badSecret = { status: 401, body: { message: 'Authentication failed' } };

test.each([
  ['the month is over', [monthIsOver], ''],
  ['LINE forbids it', [{ status: 403, body: { message: 'Not allowed' } }], 'Not allowed'],
  ['the secret is wrong', [badSecret, badSecret], ''],
])('what LINE may have taken before %s is said again with the same key', async (_, refusals, detail) => {
  const friends = line.friends(30);
  counts(30);
  line.script('/v2/bot/message/broadcast', { status: 500, isDone: true }, ...refusals);
  line.script('/oauth2/v3/token', { status: 400, body: { error: 'invalid_client', error_description: 'x' } });
  const broadcast = await aBroadcast();
  expect(await sendNow(broadcast, 'stopped')).toMatchObject({ reason: 'unsure', detail });
  expect((await resume(broadcast)).error).toBeUndefined();
  expect(await reaches(broadcast, 'done')).toMatchObject({ sent: 30, reason: null });
  expect(friends.every((user) => texts(user).length === 1)).toBe(true);
  expect(new Set(told().map(({ headers }) => headers['x-line-retry-key'])).size).toBe(1);
});

test('what LINE may have taken is not said again where LINE has forgotten its key', async () => {
  const [friend] = line.friends(1);
  counts(1);
  line.script('/v2/bot/message/broadcast', { status: 500, isDone: true }, monthIsOver);
  const broadcast = await aBroadcast();
  await sendNow(broadcast, 'stopped');
  await app.server.context.db.updateTable('broadcast_batch').set({ created_at: 1 }).execute();
  await resume(broadcast);
  expect(await reaches(broadcast, 'failed')).toMatchObject({ reason: 'lost' });
  expect(texts(friend!)).toHaveLength(1);
});

test('of what LINE has not taken at its rates nobody is unsure', async () => {
  line.friends(3);
  counts(3);
  line.script(
    '/v2/bot/message/broadcast',
    { status: 429, body: { message: 'The API rate limit has been exceeded.' } },
    monthIsOver,
  );
  const broadcast = await aBroadcast();
  expect(await sendNow(broadcast, 'stopped')).toMatchObject({ reason: 'quota', sent: 0 });
});

test('of one that LINE has not answered for a day nobody can tell, and it is not sent again', async () => {
  const [friend] = line.friends(1);
  counts(1);
  line.script('/v2/bot/message/broadcast', { status: 500 });
  const broadcast = await aBroadcast();
  await send(broadcast);
  await hurry();
  await eventually('it was tried', async () => told().length === 1);
  await app.server.context.db.updateTable('broadcast_batch').set({ created_at: 1 }).execute();
  expect(await reaches(broadcast, 'failed')).toMatchObject({ reason: 'lost', sent: 0 });
  expect((await resume(broadcast)).error.code).toBe('conflict');
  expect(texts(friend!)).toEqual([]);
});

test('what LINE has not answered for a day is cancelled and deleted, also while the channel is off', async () => {
  line.friends(1);
  counts(1);
  line.script('/v2/bot/message/broadcast', { status: 500 });
  const broadcast = await aBroadcast();
  await send(broadcast);
  await hurry();
  await eventually('it was tried', async () => told().length === 1);
  const { db } = app.server.context;
  const { uuid } = await db.selectFrom('connection').select('uuid').executeTakeFirstOrThrow();
  await staff.call(connections.update, { params: { uuid }, body: { active: false } });
  expect((await cancel(broadcast)).error.code).toBe('broadcast-going');
  await db.updateTable('broadcast_batch').set({ created_at: 1 }).execute();
  expect((await cancel(broadcast)).body.data.state).toBe('cancelled');
  expect((await staff.call(lineCampaigns.removeBroadcast, { params: params(broadcast) })).error).toBeUndefined();
  expect(told()).toHaveLength(1);
});

test('where the month is too short it is said before, nobody gets it, and it goes out later', async () => {
  await anew({ quota: { type: 'limited', value: 20 } });
  const friends = line.friends(30);
  counts(30);
  const broadcast = await aBroadcast();
  expect((await preview(broadcast)).problems).toEqual([
    { code: 'quota-everyone', level: 'warning', bubble: null, count: 10 },
  ]);
  expect(await sendNow(broadcast, 'stopped')).toMatchObject({ reason: 'quota', sent: 0 });
  expect(told().map(({ status }) => status)).toEqual([429]);
  line.quota.value = 100;
  await resume(broadcast);
  expect(await reaches(broadcast, 'done')).toMatchObject({ sent: 30, reason: null });
  expect(friends.every((user) => texts(user).length === 1)).toBe(true);
});

test('the limit that the maker has set keeps it from being sent', async () => {
  const friends = line.friends(30);
  const limit = (stopAt: number | null) =>
    staff.call(lineChannels.update, { params: params(channel), body: { stopAt } });
  await limit(20);
  const broadcast = await aBroadcast();
  expect((await preview(broadcast)).problems).toMatchObject([{ code: 'uncounted', level: 'warning' }]);
  expect(await sendNow(broadcast, 'stopped')).toMatchObject({ reason: 'uncounted', sent: 0 });
  counts(30);
  await app.server.context.db.updateTable('line_reach').set({ asked_at: 1 }).execute();
  expect((await preview(broadcast)).problems).toMatchObject([{ code: 'quota-everyone', count: 10 }]);
  await resume(broadcast);
  expect(await reaches(broadcast, 'stopped')).toMatchObject({ reason: 'quota' });
  expect(told()).toEqual([]);
  await limit(30);
  await resume(broadcast);
  expect(await reaches(broadcast, 'done')).toMatchObject({ sent: 30 });
  expect(friends.every((user) => texts(user).length === 1)).toBe(true);
});

test('two at once do not pass the limit that the maker has set', async () => {
  const friends = line.friends(30);
  counts(30);
  await staff.call(lineChannels.update, { params: params(channel), body: { stopAt: 40 } });
  line.script('/v2/bot/message/broadcast', { status: 500 }, { status: 500 });
  const two = [await aBroadcast(), await aBroadcast()];
  for (const each of two) await send(each);
  const states = await eventually('both are over', async () => {
    await hurry();
    const now = await Promise.all(two.map(async (each) => (await get(each)).state));
    return now.every((state) => state !== 'scheduled' && state !== 'sending') && now;
  });
  expect(states.toSorted()).toEqual(['done', 'stopped']);
  expect(friends.every((user) => texts(user).length === 1)).toBe(true);
});

test('what LINE refuses has failed, with what LINE says', async () => {
  line.friends(3);
  const refused = { status: 400, body: { message: 'The request body has 1 error(s)' } };
  line.script('/v2/bot/message/validate/broadcast', refused);
  expect(await sendNow(await aBroadcast(), 'failed')).toMatchObject({
    reason: 'refused',
    detail: refused.body.message,
  });
  line.script('/v2/bot/message/broadcast', { status: 403, body: { message: 'Not allowed to use this API' } });
  expect(await sendNow(await aBroadcast(), 'failed')).toMatchObject({
    reason: 'refused',
    detail: 'Not allowed to use this API',
  });
});

test('what somebody was sent stands beside their conversation', async () => {
  const hana = line.user({ name: 'Hana' });
  await hana.say('Hello');
  const { thread } = await eventually('she is known', () => conversationOf(staff, 'Hana'));
  const received = async (guest = thread.guest.uuid, who = staff) => {
    const told = await who.call(lineCampaigns.received, { query: { guest } });
    return told.error?.code ?? told.body.data;
  };
  expect(await received()).toEqual([]);
  const all = await aBroadcast({ content: says('Open\n on Sunday') });
  await sendNow(all);
  const named = await aBroadcast({ content: says('{{name}}, hello'), audience: { kind: 'all', without: [] } });
  await sendNow(named);
  const scenario = (
    await staff.call(lineCampaigns.createScenario, { body: { channel: channel.uuid, name: 'Welcome' } })
  ).body.data;
  const time = { kind: 'minutes' as const, minutes: 0 };
  await staff.call(lineCampaigns.changeScenario, {
    params: params(scenario),
    body: {
      active: true,
      trigger: { on: 'hand' },
      steps: [{ time, content: says('Welcome, {{name}}'), taps: false, tapTag: null }],
    },
  });
  await staff.call(lineCampaigns.enrol, { params: params(scenario), body: { guest: thread.guest.uuid } });
  await eventually('the step is sent', async () => (await received()).length === 3);
  const from = { channel: channel.uuid, at: expect.any(String) };
  expect(await received()).toMatchObject([
    { kind: 'step', uuid: scenario.uuid, name: 'Welcome', text: 'Welcome, Hana', ...from },
    { kind: 'broadcast', uuid: named.uuid, name: 'Spring', text: 'Hana, hello', ...from },
    { kind: 'broadcast', uuid: all.uuid, name: 'Spring', text: 'Open on Sunday', ...from },
  ]);
  expect(await received(thread.guest.uuid, await app.aPerson())).toBe('guest-not-found');
  await staff.call(inbox.eraseGuest, { params: { uuid: thread.guest.uuid } });
  expect(await received()).toBe('guest-not-found');
});
