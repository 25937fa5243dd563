import { afterEach, beforeEach, expect, test } from 'vitest';
import { lineCampaigns, type LineReach } from '../../../shared/contracts/line-campaigns.ts';
import { lineChannels, type LineChannel } from '../../../shared/contracts/line-channels.ts';
import { inbox } from '../../../shared/contracts/inbox.ts';
import { eventually, type Person, type TestApp } from '../../testing/app.ts';
import { connectLine, startWithLine } from '../../testing/line-channel.ts';
import type { FakeLine, LineOptions } from '../../testing/line/fake-line.ts';

let app: TestApp;
let line: FakeLine;
let staff: Person;
let channel: LineChannel;

beforeEach(() => begin({ isVerified: true }));
afterEach(() => end());

async function begin(options: LineOptions): Promise<void> {
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

const reach = async () => (await staff.call(lineCampaigns.reach, { query: { channel: channel.uuid } })).body.data;
const takeOver = () => staff.call(lineCampaigns.takeOver, { body: { channel: channel.uuid } });
const ended = () =>
  eventually(
    'it is over',
    async (): Promise<false | NonNullable<LineReach['takeOver']>> => {
      const { takeOver: now } = await reach();
      if (now?.state !== 'running') return now ?? false;
      const { db, queue } = app.server.context;
      await db
        .updateTable('job')
        .set({ run_at: 0 })
        .where('kind', '=', 'line.take-over')
        .where('state', '=', 'queued')
        .execute();
      queue.wake();
      return false;
    },
    240_000,
  );
const profiles = () => line.calls.filter(({ path }) => path.startsWith('/v2/bot/profile/'));

test(
  'every friend is known after it, each once, also where the server ends in the middle',
  { timeout: 300_000 },
  async () => {
    const [back] = line.friends(2500);
    await back!.follow();
    await eventually('one is known', async () => (await reach()).known === 1);
    // They had blocked the account, and nobody was told that they no longer do.
    await app.server.context.db.updateTable('guest_identity').set({ left_at: 1 }).execute();
    expect((await reach()).known).toBe(0);
    line.calls.length = 0;
    expect((await takeOver()).status).toBe(202);
    expect((await takeOver()).error.code).toBe('conflict');
    await eventually('some are known', async () => (await reach()).known > 300);
    await app.restart();
    expect(await ended()).toMatchObject({ state: 'done', reason: null, found: 2500, added: 2499 });
    expect((await reach()).known).toBe(2500);
    // Whoever was known before the server ended is not asked for again, but for those who were just being asked for.
    expect(profiles().length).toBeLessThan(2600);
    const { data } = (await staff.call(lineCampaigns.friends, { query: { channel: channel.uuid } })).body;
    expect(data.every(({ name }) => name !== '')).toBe(true);
    expect((await staff.call(inbox.threads, { query: {} })).body.data.length).toBeLessThan(2);
    const calls = profiles().length;
    await takeOver();
    expect(await ended()).toMatchObject({ state: 'done', found: 2500, added: 0 });
    expect(profiles()).toHaveLength(calls);
  },
);

test('LINE lists the friends of verified accounts only, and it is said', async () => {
  await end();
  await begin({});
  line.friends(3);
  await takeOver();
  expect(await ended()).toMatchObject({ state: 'failed', reason: 'unverified', added: 0 });
  expect((await reach()).known).toBe(0);
  await takeOver();
  expect(await ended()).toMatchObject({ state: 'failed', reason: 'unverified' });
});

test('a friend who was taken over begins no welcome, is no new friend, and is told of by name', async () => {
  const hana = line.user({ name: 'Hana', isFriend: true });
  const { uuid } = (
    await staff.call(lineCampaigns.createScenario, { body: { channel: channel.uuid, name: 'Welcome' } })
  ).body.data;
  const step = { time: { kind: 'minutes' as const, minutes: 0 }, content: [{ type: 'text' as const, text: 'Hi' }] };
  await staff.call(lineCampaigns.changeScenario, {
    params: { uuid },
    body: { active: true, trigger: { on: 'follow' }, steps: [{ ...step, taps: false, tapTag: null }] },
  });
  await takeOver();
  expect(await ended()).toMatchObject({ found: 1, added: 1 });
  const [friend] = (await staff.call(lineCampaigns.friends, { query: { channel: channel.uuid } })).body.data;
  expect(friend?.name).toBe('Hana');
  expect((await staff.call(lineCampaigns.scenario, { params: { uuid } })).body.data.people.active).toBe(0);
  expect(line.shown(hana.id)).toEqual([]);
});

test('a page that LINE knows no longer is no end, and a secret that is wrong is', async () => {
  line.friends(1200);
  const stale = { status: 400, body: { message: 'Invalid start param' } };
  line.script('/v2/bot/followers/ids', 'pass', stale);
  await takeOver();
  expect(await ended()).toMatchObject({ state: 'done', added: 1200 });
  line.script('/v2/bot/followers/ids', { status: 401, body: { message: 'Authentication failed' } });
  line.script('/oauth2/v3/token', { status: 400, body: { error: 'invalid_client', error_description: 'x' } });
  await takeOver();
  expect(await ended()).toMatchObject({ state: 'failed', reason: 'secret' });
});

test('a friend of whom LINE tells nothing is passed over, and a page that follows itself is an end', async () => {
  const users = line.friends(3);
  line.script(/profile/, { status: 400, body: { message: 'The value for the userId parameter is invalid' } });
  await takeOver();
  expect(await ended()).toMatchObject({ state: 'done', found: 3, added: 2 });
  const page = { status: 200, body: { userIds: users.map(({ id }) => id), next: 'again' } };
  line.script('/v2/bot/followers/ids', page, page, page);
  await takeOver();
  expect(await ended()).toMatchObject({ state: 'failed', reason: 'refused' });
});

test('nobody is added once the channel is disconnected', async () => {
  line.friends(1000);
  await takeOver();
  await eventually('some are known', async () => (await reach()).known > 50);
  expect((await staff.call(lineChannels.remove, { params: { uuid: channel.uuid } })).error).toBeUndefined();
  const count = async () => (await app.server.context.db.selectFrom('guest_identity').select('uuid').execute()).length;
  const before = await count();
  const busy = () =>
    app.server.context.db
      .selectFrom('job')
      .select('uuid')
      .where('kind', '=', 'line.take-over')
      .where('state', 'in', ['queued', 'running'])
      .execute();
  await eventually('it is over', async () => (await busy()).length === 0);
  expect(await count()).toBe(before);
});

test('a long name ends with a whole character', async () => {
  const family = '👨‍👩‍👧‍👦';
  line.user({ name: `a${family.repeat(30)}`, isFriend: true });
  await takeOver();
  await ended();
  const [friend] = (await staff.call(lineCampaigns.friends, { query: { channel: channel.uuid } })).body.data;
  expect(friend?.name).toBe(`a${family.repeat(9)}`);
});

test('who was erased does not come back with the others, until they write themselves', async () => {
  const [first] = line.friends(2);
  await takeOver();
  await ended();
  const friends = async () => (await staff.call(lineCampaigns.friends, { query: { channel: channel.uuid } })).body.data;
  const name = first!.name;
  const { uuid } = (await friends()).find((friend) => friend.name === name)!;
  expect((await staff.call(inbox.eraseGuest, { params: { uuid } })).error).toBeUndefined();
  await takeOver();
  expect(await ended()).toMatchObject({ state: 'done', found: 2, added: 0 });
  expect((await friends()).map((friend) => friend.name)).not.toContain(name);
  await first!.say('Hello again');
  await eventually('they are known again', async () => (await friends()).some((friend) => friend.name === name));
});
