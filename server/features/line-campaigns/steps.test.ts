import { afterEach, beforeEach, expect, test } from 'vitest';
import { connections } from '../../../shared/contracts/connections.ts';
import { inbox } from '../../../shared/contracts/inbox.ts';
import { lineCampaigns, type StepScenario } from '../../../shared/contracts/line-campaigns.ts';
import type { LineChannel } from '../../../shared/contracts/line-channels.ts';
import type { BodyIn } from '../../../shared/route.ts';
import { eventually, type Person, type TestApp } from '../../testing/app.ts';
import { connectLine, conversationOf, startWithLine } from '../../testing/line-channel.ts';
import type { FakeLine, LineUser } from '../../testing/line/fake-line.ts';
import { dueAt, nextStep, type StoredStep } from './step-times.ts';
import { goOnWithSteps } from './step-work.ts';

let app: TestApp;
let line: FakeLine;
let staff: Person;
let channel: LineChannel;

beforeEach(async () => {
  ({ app, line } = await startWithLine());
  staff = await app.aPerson();
  channel = await connectLine(staff, line);
});
afterEach(async () => {
  line.mustBeValid();
  await app.stop();
  await line.close();
});

const params = ({ uuid }: { uuid: string }) => ({ uuid });
const says = (text: string) => [{ type: 'text' as const, text }];
const minutes = (count: number) => ({ kind: 'minutes' as const, minutes: count });
const days = (count: number, at = '09:00') => ({ kind: 'days' as const, days: count, at });
type Changes = BodyIn<typeof lineCampaigns.changeScenario>;
const step = (time: StoredStep['time'], text: string, more = {}) => ({
  time,
  content: says(text),
  taps: false,
  tapTag: null,
  ...more,
});
const get = async (scenario: { uuid: string }) =>
  (await staff.call(lineCampaigns.scenario, { params: params(scenario) })).body.data;
async function change(scenario: { uuid: string }, body: Changes): Promise<StepScenario> {
  const changed = await staff.call(lineCampaigns.changeScenario, { params: params(scenario), body });
  expect(changed.error).toBeUndefined();
  return changed.body.data;
}
async function aScenario(given: Changes): Promise<StepScenario> {
  const made = await staff.call(lineCampaigns.createScenario, { body: { channel: channel.uuid, name: 'Welcome' } });
  return change(made.body.data, { active: true, ...given });
}
/** What the server does every ten seconds. */
const look = () => goOnWithSteps(app.server.context, new AbortController().signal);
/** So many days go by for everybody who is on their way. */
async function pass(daysGone: number): Promise<void> {
  const { db } = app.server.context;
  const ms = daysGone * 86_400_000;
  const rows = await db.selectFrom('step_enrolment').selectAll().execute();
  for (const row of rows)
    await db
      .updateTable('step_enrolment')
      .set({ started_at: row.started_at - ms, ...(row.due_at !== null && { due_at: row.due_at - ms }) })
      .where('uuid', '=', row.uuid)
      .execute();
  for (const row of await db.selectFrom('step_scenario').selectAll().execute()) {
    const steps = (JSON.parse(row.steps) as StoredStep[]).map((each) => ({ ...each, since: each.since - ms }));
    const since = row.active_since === null ? null : row.active_since - ms;
    await db
      .updateTable('step_scenario')
      .set({ steps: JSON.stringify(steps), active_since: since })
      .where('uuid', '=', row.uuid)
      .execute();
  }
  await look();
}
const texts = (user: LineUser) => line.shown(user.id).map(({ message }) => message.text);
const gets = (user: LineUser, ...wanted: string[]) =>
  eventually(`${user.name} has got ${wanted.join(', ')}, and has ${texts(user).join(', ')}`, async () => {
    await look();
    return texts(user).join('|') === wanted.join('|');
  });
async function follower(name: string): Promise<LineUser> {
  const user = line.user({ name, isFriend: false });
  await user.follow();
  await eventually(`${name} is known`, () =>
    app.server.context.db.selectFrom('guest').select('uuid').where('name', '=', name).executeTakeFirst(),
  );
  return user;
}
const guestOf = async (name: string) =>
  (await app.server.context.db.selectFrom('guest').select('uuid').where('name', '=', name).executeTakeFirstOrThrow())
    .uuid;
const tag = async (name: string, tags: string[]) =>
  expect(
    (await staff.call(inbox.updateGuest, { params: { uuid: await guestOf(name) }, body: { tags } })).error,
  ).toBeUndefined();
const enrolments = async () =>
  (await staff.call(lineCampaigns.enrolments, { query: { channel: channel.uuid } })).body.data;

test('whoever becomes a friend gets each step once, in their conversation', async () => {
  const scenario = await aScenario({
    steps: [
      step(minutes(0), 'Welcome, {{name}}'),
      { ...step(days(3), 'Three'), content: [...says('Three'), ...says('and more')] },
      step(days(7), 'Seven'),
    ],
  });
  const hana = await follower('Hana');
  await gets(hana, 'Welcome, Hana');
  await Promise.all([look(), look(), look()]);
  expect(texts(hana)).toEqual(['Welcome, Hana']);
  await eventually('it is sent', async () => {
    const messages = (await conversationOf(staff, 'Hana'))?.messages ?? [];
    const [first] = messages;
    return messages.length === 1 && first?.role === 'system' && first.delivery === 'sent';
  });
  expect((await get(scenario)).people).toEqual({ active: 1, done: 0, stopped: 0 });
  expect(await enrolments()).toMatchObject([{ state: 'active', sent: 1, guest: { name: 'Hana' } }]);
  await pass(4);
  await gets(hana, 'Welcome, Hana', 'Three', 'and more');
  await pass(4);
  await gets(hana, 'Welcome, Hana', 'Three', 'and more', 'Seven');
  await look();
  const ended = await get(scenario);
  expect(ended.people).toEqual({ active: 0, done: 1, stopped: 0 });
  expect(ended.steps.map(({ sent, waiting }) => [sent, waiting])).toEqual([
    [1, 0],
    [1, 0],
    [1, 0],
  ]);

  // Back after a block, nobody is welcomed again unless the scenario says so.
  await hana.block();
  await hana.follow({ isUnblocked: true });
  await look();
  expect((await get(scenario)).people.active).toBe(0);
});

test('a process that ends while it sends leaves the step to the next, once', async () => {
  await aScenario({ steps: [step(minutes(0), 'One'), step(minutes(0), 'Two')] });
  line.script('/v2/bot/message/reply', 'hangAfter');
  const hana = await follower('Hana');
  await eventually('it is on its way', async () => {
    await look();
    return texts(hana).length > 0;
  });
  await app.restart();
  await eventually('all is sent', async () => {
    await look();
    return (await conversationOf(staff, 'Hana'))?.messages.every(({ delivery }) => delivery === 'sent');
  });
  await look();
  expect(texts(hana)).toEqual(['One', 'Two']);
});

test('who gets a tag begins, once, and who had it before does not', async () => {
  await follower('Before');
  await tag('Before', ['vip']);
  const scenario = await aScenario({
    trigger: { on: 'tag', tag: 'vip' },
    steps: [step(minutes(0), 'VIP')],
  });
  const hana = await follower('Hana');
  await look();
  expect((await get(scenario)).people).toEqual({ active: 0, done: 0, stopped: 0 });
  await tag('Hana', ['vip', 'tea']);
  await gets(hana, 'VIP');
  await tag('Hana', ['vip']);
  await tag('Before', ['vip', 'tea']);
  await look();
  expect((await get(scenario)).people).toEqual({ active: 0, done: 1, stopped: 0 });
  await tag('Hana', []);
  await tag('Hana', ['vip']);
  await look();
  expect((await enrolments()).length).toBe(1);
  await change(scenario, { again: true });
  await tag('Hana', []);
  await tag('Hana', ['vip']);
  await gets(hana, 'VIP', 'VIP');
});

test('it ends for whoever writes, gets a tag, is looked after by the team, or leaves', async () => {
  const scenario = await aScenario({
    stop: { tag: 'bought', writes: true, staff: true },
    steps: [step(minutes(0), 'One'), step(days(3), 'Two')],
  });
  const names = ['Writer', 'Buyer', 'Guest', 'Leaver', 'Stays'];
  const users: LineUser[] = [];
  for (const name of names) users.push(await follower(name));
  for (const user of users) await gets(user, 'One');
  await users[0]!.say('Hello');
  await eventually('it is read', async () =>
    (await conversationOf(staff, 'Writer'))?.messages.some(({ role }) => role === 'user'),
  );
  await tag('Buyer', ['bought']);
  const { thread } = (await conversationOf(staff, 'Guest'))!;
  await staff.call(inbox.reply, {
    params: { thread: thread.uuid },
    body: { text: 'I am here', key: crypto.randomUUID() },
  });
  await users[3]!.block();
  await eventually('it is known', () =>
    app.server.context.db
      .selectFrom('guest_identity')
      .select('uuid')
      .where('left_at', 'is not', null)
      .executeTakeFirst(),
  );
  await pass(4);
  await gets(users[4]!, 'One', 'Two');
  expect(users.slice(0, 4).some((user) => texts(user).includes('Two'))).toBe(false);
  const reasons = (await enrolments()).map(({ guest, state, reason }) => [guest.name, state, reason]);
  expect(reasons.toSorted()).toEqual([
    ['Buyer', 'stopped', 'tag'],
    ['Guest', 'stopped', 'staff'],
    ['Leaver', 'stopped', 'left'],
    ['Stays', 'done', null],
    ['Writer', 'stopped', 'wrote'],
  ]);
  expect((await get(scenario)).steps.map(({ stopped }) => stopped)).toEqual([0, 4]);
});

test('a change midway is for what is still to come', async () => {
  const made = await aScenario({ steps: [step(minutes(0), 'One'), step(days(3), 'Three'), step(days(7), 'Seven')] });
  const hana = await follower('Hana');
  await gets(hana, 'One');
  await pass(4);
  await gets(hana, 'One', 'Three');
  const [one, three, seven] = made.steps;
  const kept = ({ uuid, time, content, taps, tapTag }: NonNullable<typeof one>) => ({
    uuid,
    time,
    content,
    taps,
    tapTag,
  });
  await change(made, {
    steps: [
      { ...kept(one!), content: says('One, changed') },
      step(days(2), 'Two, too late'),
      kept(three!),
      step(days(5), 'Five'),
      { ...kept(seven!), content: says('Seven, changed') },
    ],
  });
  await look();
  expect(texts(hana)).toEqual(['One', 'Three']);
  await pass(2);
  await gets(hana, 'One', 'Three', 'Five');
  // Off, nothing is sent, and what was due meanwhile is not sent late.
  await change(made, { active: false });
  await pass(10);
  expect(texts(hana)).toEqual(['One', 'Three', 'Five']);
  await change(made, { active: true });
  await look();
  expect(texts(hana)).toEqual(['One', 'Three', 'Five']);
  expect((await get(made)).people).toEqual({ active: 0, done: 1, stopped: 0 });
});

test('people are added and stopped by hand, and each has links of their own', async () => {
  const scenario = await aScenario({
    trigger: { on: 'hand' },
    steps: [step(minutes(0), 'Look: https://example.com/a', { taps: true, tapTag: 'looked' }), step(days(1), 'Later')],
  });
  const hana = await follower('Hana');
  const guest = await guestOf('Hana');
  const enrol = () => staff.call(lineCampaigns.enrol, { params: params(scenario), body: { guest } });
  const { data } = (await enrol()).body;
  expect(data).toMatchObject({ state: 'active', guest: { uuid: guest } });
  expect((await enrol()).error.code).toBe('conflict');
  await eventually('it is sent', async () => {
    await look();
    return texts(hana).length > 0;
  });
  const code = /\/l\/(\w{12})$/.exec(String(texts(hana)[0]))?.[1];
  const tapped = await fetch(`${app.url}/l/${code}`, { redirect: 'manual', headers: { 'user-agent': 'Mozilla/5.0' } });
  expect(tapped.headers.get('location')).toBe('https://example.com/a');
  expect((await get(scenario)).steps.map(({ sent, tapped: taps }) => [sent, taps])).toEqual([
    [1, 1],
    [0, 0],
  ]);
  expect((await staff.call(inbox.guest, { params: { uuid: guest } })).body.data.tags).toEqual(['looked']);
  const stopped = await staff.call(lineCampaigns.stopEnrolment, { params: params(data) });
  expect(stopped.body.data).toMatchObject({ state: 'stopped', reason: 'hand', nextAt: null, sent: 1 });
  await pass(3);
  expect(texts(hana)).toHaveLength(1);
  await staff.call(inbox.eraseGuest, { params: { uuid: guest } });
  const { db } = app.server.context;
  for (const table of ['step_enrolment', 'step_sent', 'line_link_person'] as const)
    expect(await db.selectFrom(table).selectAll().execute()).toEqual([]);
  expect((await staff.call(lineCampaigns.removeScenario, { params: params(scenario) })).status).toBe(200);
});

test('whoever is stopped while steps go out gets no more of them', async () => {
  const scenario = await aScenario({
    trigger: { on: 'hand' },
    steps: [step(minutes(0), 'One'), step(minutes(0), 'Two')],
  });
  const users = [await follower('Hana'), await follower('Taro')];
  const begun = new Map<string, string>();
  for (const { name } of users) {
    const body = { guest: await guestOf(name) };
    begun.set(name, (await staff.call(lineCampaigns.enrol, { params: params(scenario), body })).body.data.uuid);
  }
  // Both are taken up already when the first of them is about to be written to.
  const { context } = app.server;
  let isStopped = false;
  const write: typeof context.write = async (work, options) => {
    for (const uuid of isStopped ? [] : begun.values())
      await staff.call(lineCampaigns.stopEnrolment, { params: { uuid } });
    isStopped = true;
    return context.write(work, options);
  };
  await goOnWithSteps({ ...context, write }, new AbortController().signal);
  await look();
  expect(isStopped).toBe(true);
  expect(users.map(texts)).toEqual([[], []]);
  expect((await enrolments()).map(({ state, reason, nextAt }) => [state, reason, nextAt])).toEqual([
    ['stopped', 'hand', null],
    ['stopped', 'hand', null],
  ]);
});

test('what is changed while a step goes out goes out as it is then', async () => {
  const scenario = await aScenario({ trigger: { on: 'hand' }, steps: [step(minutes(0), 'Old')] });
  const hana = await follower('Hana');
  await staff.call(lineCampaigns.enrol, { params: params(scenario), body: { guest: await guestOf('Hana') } });
  const { context } = app.server;
  let isChanged = false;
  const write: typeof context.write = async (work, options) => {
    const [{ uuid, time, taps, tapTag }] = scenario.steps as [StepScenario['steps'][number]];
    if (!isChanged) await change(scenario, { steps: [{ uuid, time, taps, tapTag, content: says('New') }] });
    isChanged = true;
    return context.write(work, options);
  };
  await goOnWithSteps({ ...context, write }, new AbortController().signal);
  await gets(hana, 'New');
});

const switchChannel = async (active: boolean) =>
  expect(
    (await staff.call(connections.update, { params: { uuid: channel.connection }, body: { active } })).error,
  ).toBeUndefined();

test('while the channel is off steps wait, and what is a day late by then is left out', async () => {
  const scenario = await aScenario({
    trigger: { on: 'hand' },
    steps: [step(minutes(0), 'One'), step(minutes(60), 'Two'), step(minutes(4 * 1440), 'Three'), step(days(7), 'Four')],
  });
  const users = [await follower('Hana'), await follower('Taro')];
  const [hana, taro] = users as [LineUser, LineUser];
  const add = async ({ name }: LineUser) =>
    expect(
      (await staff.call(lineCampaigns.enrol, { params: params(scenario), body: { guest: await guestOf(name) } })).error,
    ).toBeUndefined();
  await add(hana);
  await gets(hana, 'One');
  await switchChannel(false);
  await add(taro);
  await pass(0.1);
  await look();
  expect(users.map(texts)).toEqual([['One'], []]);
  await switchChannel(true);
  for (const user of users) await gets(user, 'One', 'Two');

  await switchChannel(false);
  await look();
  await pass(5.5);
  await switchChannel(true);
  await look();
  expect(users.map(texts)).toEqual([
    ['One', 'Two'],
    ['One', 'Two'],
  ]);
  await pass(2);
  for (const user of users) await gets(user, 'One', 'Two', 'Four');
});

test('the tag of a step’s links is the one that it has now, for links that were sent as well', async () => {
  const scenario = await aScenario({
    trigger: { on: 'hand' },
    steps: [step(minutes(0), 'https://example.com/a', { taps: true, tapTag: 'old' })],
  });
  const hana = await follower('Hana');
  const guest = await guestOf('Hana');
  await staff.call(lineCampaigns.enrol, { params: params(scenario), body: { guest } });
  await eventually('it is sent', async () => {
    await look();
    return texts(hana).length > 0;
  });
  const [{ uuid, time, content, taps }] = scenario.steps as [StepScenario['steps'][number]];
  await change(scenario, { steps: [{ uuid, time, content, taps, tapTag: 'new' }] });
  const code = String(texts(hana)[0]).slice(-12);
  await fetch(`${app.url}/l/${code}`, { redirect: 'manual', headers: { 'user-agent': 'Mozilla/5.0' } });
  expect((await staff.call(inbox.guest, { params: { uuid: guest } })).body.data.tags).toEqual(['new']);
});

test('a group with the tag does not begin', async () => {
  const scenario = await aScenario({ trigger: { on: 'tag', tag: 'vip' }, steps: [step(minutes(0), 'VIP')] });
  const hana = await follower('Hana');
  const group = line.group({ name: 'Team', members: [hana] });
  await group.join();
  const { db } = app.server.context;
  const found = await eventually('it is known', () =>
    db.selectFrom('guest_identity').select(['guest']).where('external', 'like', 'C%').executeTakeFirst(),
  );
  const { error } = await staff.call(inbox.updateGuest, { params: { uuid: found.guest }, body: { tags: ['vip'] } });
  expect(error).toBeUndefined();
  await tag('Hana', ['vip']);
  await gets(hana, 'VIP');
  expect((await get(scenario)).people).toEqual({ active: 0, done: 1, stopped: 0 });
  expect(line.shown(group.id)).toEqual([]);
});

test('who is on the way is found by state and by name, with their step and their conversation', async () => {
  const scenario = await aScenario({ steps: [step(minutes(0), 'One'), step(days(3), 'Three')] });
  for (const name of ['Hana', 'Taro']) await gets(await follower(name), 'One');
  const list = async (query: { state?: 'active' | 'stopped'; q?: string }) =>
    (
      await staff.call(lineCampaigns.enrolments, {
        query: { channel: channel.uuid, scenario: scenario.uuid, ...query },
      })
    ).body.data;
  const [hana] = await eventually('the next is known', async () => {
    await look();
    const found = await list({ q: 'han' });
    return found[0]?.step !== null && found;
  });
  expect(hana).toMatchObject({
    guest: { name: 'Hana' },
    step: scenario.steps[1]!.uuid,
    thread: (await conversationOf(staff, 'Hana'))!.thread.uuid,
    sent: 1,
  });
  await staff.call(lineCampaigns.stopEnrolment, { params: params(hana!) });
  expect((await list({ state: 'stopped' })).map(({ guest }) => guest.name)).toEqual(['Hana']);
  expect((await list({ state: 'active' })).map(({ guest }) => guest.name)).toEqual(['Taro']);
  expect((await list({ state: 'active', q: 'hana' })).length).toBe(0);
});

test('steps without words are not switched on', async () => {
  const made = await staff.call(lineCampaigns.createScenario, { body: { channel: channel.uuid, name: 'Welcome' } });
  const told = await staff.call(lineCampaigns.changeScenario, {
    params: params(made.body.data),
    body: { active: true, steps: [{ ...step(days(1), ''), content: [] }] },
  });
  expect(told.error.code).toBe('validation-failed');
  const second = { ...step(days(3), ''), content: [] };
  const half = await staff.call(lineCampaigns.changeScenario, {
    params: params(made.body.data),
    body: { active: true, steps: [step(days(1), 'Hello'), second] },
  });
  expect(half.error).toMatchObject({ details: { fields: [{ path: 'steps.1.content', code: 'empty' }] } });
});

test('places that are still to be filled in keep a series from being switched on', async () => {
  const made = await staff.call(lineCampaigns.createScenario, { body: { channel: channel.uuid, name: 'Welcome' } });
  const put = (active: boolean, text: string) =>
    staff.call(lineCampaigns.changeScenario, {
      params: params(made.body.data),
      body: { active, steps: [step(minutes(0), 'Hello'), step(days(3), text)] },
    });
  expect((await put(false, 'Look: [[link to your shop]]')).error).toBeUndefined();
  const told = await put(true, 'Look: [[link to your shop]]');
  expect(told.error).toMatchObject({
    details: { fields: [{ path: 'steps.1.content.0.text', code: 'blank-left' }] },
  });
  const { error } = await staff.call(lineCampaigns.changeScenario, {
    params: params(made.body.data),
    body: { active: true },
  });
  expect(error.code).toBe('validation-failed');
  expect((await put(true, 'Look: https://shop.example/')).error).toBeUndefined();
});

test('one step or the whole series is tried on one friend, in its order, and counts nowhere', async () => {
  const made = await staff.call(lineCampaigns.createScenario, { body: { channel: channel.uuid, name: 'Welcome' } });
  const scenario = await change(made.body.data, {
    steps: [
      step(days(3), 'Third, {{name}}'),
      step(minutes(0), 'First: https://example.com/a', { taps: true }),
      { ...step(days(5), ''), content: [] },
    ],
  });
  const hana = await follower('Hana');
  const guest = await guestOf('Hana');
  const testerNow = async () =>
    (await staff.call(lineCampaigns.tester, { query: { channel: channel.uuid } })).body.data.tester;
  const tryOn = (body: BodyIn<typeof lineCampaigns.testScenario>) =>
    staff.call(lineCampaigns.testScenario, { params: params(scenario), body });
  expect(await testerNow()).toBeNull();
  expect((await tryOn({ guest, step: scenario.steps[0]!.uuid })).error).toBeUndefined();
  expect(texts(hana)).toEqual(['Third, Hana']);
  expect((await tryOn({ guest })).error).toBeUndefined();
  expect(texts(hana)).toEqual(['Third, Hana', 'First: https://example.com/a', 'Third, Hana']);
  expect(await testerNow()).toEqual({ uuid: guest, name: 'Hana' });
  expect((await get(scenario)).steps.map(({ sent, tapped }) => [sent, tapped])).toEqual([
    [0, 0],
    [0, 0],
    [0, 0],
  ]);
  expect(await enrolments()).toEqual([]);
  expect((await tryOn({ guest, step: scenario.steps[2]!.uuid })).error.code).toBe('validation-failed');
  expect((await tryOn({ guest: channel.uuid })).error.code).toBe('guest-not-found');
});

test('a series is tried only where the month has room for all of it', async () => {
  const made = await staff.call(lineCampaigns.createScenario, { body: { channel: channel.uuid, name: 'Welcome' } });
  const scenario = await change(made.body.data, {
    steps: Array.from({ length: 20 }, (_, day) => step(days(day + 1), `Part ${day}`)),
  });
  const hana = await follower('Hana');
  const guest = await guestOf('Hana');
  const tryIt = () => staff.call(lineCampaigns.testScenario, { params: params(scenario), body: { guest } });
  const { db } = app.server.context;
  const { quota } = await db.selectFrom('line_channel').select('quota').executeTakeFirstOrThrow();
  const left = (value: string | null) => db.updateTable('line_channel').set({ quota: value }).execute();
  await left(JSON.stringify({ limit: 100, used: 81 }));
  expect((await tryIt()).error).toMatchObject({ code: 'line-quota', details: { left: 19, needed: 20 } });
  expect(texts(hana)).toEqual([]);
  await left(quota);
  expect((await tryIt()).error).toBeUndefined();
  expect(texts(hana)).toHaveLength(20);
});

test('a series says when its next message goes out', async () => {
  const scenario = await aScenario({
    trigger: { on: 'hand' },
    steps: [step(minutes(0), 'One'), step(minutes(60), 'Two')],
  });
  expect(scenario.nextAt).toBeNull();
  const hana = await follower('Hana');
  await staff.call(lineCampaigns.enrol, { params: params(scenario), body: { guest: await guestOf('Hana') } });
  await gets(hana, 'One');
  const next = await eventually('the next is known', async () => {
    await look();
    const { nextAt } = await get(scenario);
    return Date.parse(nextAt ?? '') > Date.now() + 60_000 && nextAt;
  });
  expect(next).toBe((await enrolments())[0]?.nextAt);
  expect((await change(scenario, { active: false })).nextAt).toBeNull();
});

test('days are those of the zone, also where its clocks jump', () => {
  const at = (time: StoredStep['time'], from: string, zone: string) =>
    new Date(dueAt(time, Date.parse(from), zone)).toISOString();
  expect(at(minutes(90), '2027-03-14T06:30:00Z', 'America/New_York')).toBe('2027-03-14T08:00:00.000Z');
  expect(at(days(1), '2027-03-13T15:00:00Z', 'America/New_York')).toBe('2027-03-14T13:00:00.000Z');
  expect(at(days(1, '02:30'), '2027-03-13T15:00:00Z', 'America/New_York')).toBe('2027-03-14T07:30:00.000Z');
  expect(at(days(3), '2026-12-30T16:00:00Z', 'Asia/Tokyo')).toBe('2027-01-03T00:00:00.000Z');
  // At night of the first day the morning is over.
  expect(at(days(0), '2026-12-30T12:00:00Z', 'Asia/Tokyo')).toBe('2026-12-30T12:00:00.000Z');
  expect(nextStep([], { startedAt: 0, timezone: 'Asia/Tokyo', sent: [], since: 0 })).toBeUndefined();
});
