import { afterAll, beforeAll, expect, test } from 'vitest';
import { accounts } from '../../../shared/contracts/accounts.ts';
import { conversations } from '../../../shared/contracts/conversations.ts';
import { figures } from '../../../shared/contracts/figures.ts';
import { inbox } from '../../../shared/contracts/inbox.ts';
import { visitors } from '../../../shared/contracts/visitors.ts';
import type { QueryIn } from '../../../shared/route.ts';
import { listDays } from '../../infra/days.ts';
import { newId } from '../../infra/db.ts';
import { startTestApp, type Person, type TestApp } from '../../testing/app.ts';
import { aChannel, aPublishedBot, aVisitor } from '../../testing/channels.ts';
import { newRow } from '../conversations/messages.ts';
import { withoutGuest } from '../conversations/ask.ts';
import type { MessageTable } from '../conversations/conversations.tables.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

const see = async (person: Person, query: QueryIn<typeof figures.get> = {}) =>
  (await person.call(figures.get, { query })).body.data;

/** Somebody in Tokyo, where days begin at 15:00 UTC, with a bot on a website. */
async function aShop() {
  const person = await app.aPerson();
  await person.call(accounts.update, { body: { timezone: 'Asia/Tokyo' } });
  const bot = await aPublishedBot(person);
  const { uuid: channel } = await aChannel(person, bot);
  return { person, workspace: person.user.workspaces[0]?.uuid ?? '', bot, channel };
}

/** When a day of Tokyo began, so many days ago. */
function midnight(daysAgo: number): number {
  const day = new Date(Date.now() + 9 * hourMs - daysAgo * dayMs).toISOString().slice(0, 10);
  return listDays('Asia/Tokyo', day, day)[0]?.since ?? 0;
}

type Said = Partial<MessageTable> & { role: MessageTable['role']; after: number };

/** A conversation as the product leaves one, at a moment of the past. */
async function aConversation(
  { workspace, bot, channel }: { workspace: string; bot: string; channel: string },
  at: number,
  said: Said[],
  temporary: 0 | 1 = 0,
): Promise<void> {
  const { db } = app.server.context;
  const [guest, thread] = [newId(at), newId(at)];
  const whole = { created_at: at, updated_at: Date.now(), workspace };
  await db
    .insertInto('guest')
    .values({
      ...whole,
      uuid: guest,
      name: '',
      avatar: null,
      language: 'en',
      email: '',
      phone: '',
      note: '',
      fields: '[]',
      search: '',
      page: '',
      preview: 0,
      silent: 0,
      blocked_at: null,
      consented_at: null,
      answered_at: null,
      last_seen_at: at,
    })
    .execute();
  await db
    .insertInto('thread')
    .values({
      ...whole,
      uuid: thread,
      bot,
      user: null,
      api_key: null,
      channel: 'web',
      title: '',
      status: 'bot',
      language: 'en',
      last_seq: said.length,
      running: null,
      head: null,
      pinned_at: null,
      temporary,
      share_hash: null,
      deleted_at: null,
      ...withoutGuest,
      guest,
      channel_id: channel,
      last_at: at,
    })
    .execute();
  await db
    .insertInto('message')
    .values(
      said.map(({ after, role, text = 'Words', ...rest }, index) => ({
        ...newRow({
          uuid: newId(at + after),
          thread,
          seq: index + 1,
          role,
          parent: null,
          text,
          files: [],
          status: 'done',
          now: at + after,
        }),
        ...rest,
      })),
    )
    .execute();
}

const question = (text = 'When do you open?', after = 0): Said => ({ role: 'user', text, after });
const answer = (latency_ms: number, more: Partial<Said> = {}): Said => ({
  role: 'assistant',
  after: 0,
  latency_ms,
  ...more,
});
const refused = { trace: '{"refused":true}' };
const handedOff = (after: number): Said => ({
  role: 'system',
  text: '',
  internal: 1,
  after,
  happening: '{"kind":"handed-off","reason":"asked"}',
});

test('figures are those of the days of whoever looks, beside those of the days before', async () => {
  const shop = await aShop();
  const yesterday = midnight(1);
  const up = { feedback: '{"rating":"up","reasons":[],"text":""}' };
  const down = { feedback: '{"rating":"down","reasons":[],"text":"\\"rating\\":\\"up\\""}' };
  // The first minute of yesterday, and the last of the day before it.
  await aConversation(shop, yesterday, [question(), answer(2000, { cost: 700_000, ...up })]);
  await aConversation(shop, yesterday - 1, [question('When do you open'), answer(1000, { cost: 300_000, ...down })]);
  // Nothing is found; a person takes twenty minutes from the hand-over, and writes a note before it.
  await aConversation(shop, yesterday + 9 * hourMs + 40 * minuteMs, [
    question('Do you sell gift wrapping paper?'),
    answer(500, refused),
    handedOff(10 * minuteMs),
    { role: 'staff', internal: 1, after: 11 * minuteMs },
    { role: 'staff', after: 30 * minuteMs },
  ]);
  // Nobody has answered.
  await aConversation(shop, yesterday + 9 * hourMs, [question('Hello there!')]);
  // The span before: a person writes without having been asked, a minute after the last message.
  await aConversation(shop, midnight(6) - 1, [
    question('When do you open?'),
    answer(4000),
    question('And on Sunday?', hourMs),
    { role: 'staff', after: hourMs + minuteMs },
  ]);
  // Before both.
  await aConversation(shop, midnight(13) - 1, [question(), answer(9000)]);

  const seen = await see(shop.person, { days: '7' });
  expect(seen).toMatchObject({
    conversations: { now: 4, before: 1 },
    unaided: { now: 0.5, before: 0 },
    firstAnswer: { median: { now: 1000, before: 4000 }, slow: { now: 2000, before: 4000 } },
    firstPerson: { median: { now: 20 * minuteMs, before: minuteMs } },
    unanswered: { now: 1, before: 0 },
    satisfaction: { now: 0.5, before: null },
    ups: 1,
    downs: 1,
    cost: { now: 1_000_000, before: 0 },
    questions: [
      { question: 'When do you open?', count: 2, before: 1 },
      { question: 'Do you sell gift wrapping paper?', count: 1, before: 0 },
      { question: 'Hello there!', count: 1, before: 0 },
    ],
    choices: { bots: [{ uuid: shop.bot }], channels: [{ uuid: shop.channel }] },
  });
  const at = (daysAgo: number) => seen.days[6 - daysAgo];
  expect(seen.days).toHaveLength(7);
  expect([at(2), at(1), at(0)]).toMatchObject([
    { conversations: 1, unaided: 1, staffed: 0 },
    { conversations: 3, unaided: 1, staffed: 1 },
    { conversations: 0, unaided: 0, staffed: 0 },
  ]);
  const weekday = new Date(yesterday + 9 * hourMs).getUTCDay();
  expect([seen.hours[weekday]?.[0], seen.hours[weekday]?.[9]]).toEqual([1, 2]);
  expect(seen.hours[(weekday + 6) % 7]?.[23]).toBe(1);
  expect(seen.hours.flat().reduce((sum, each) => sum + each)).toBe(4);
});

test('of one bot and one channel only what is theirs is shown, and of another workspace nothing', async () => {
  const shop = await aShop();
  const bot = await aPublishedBot(shop.person);
  const { uuid: channel } = await aChannel(shop.person, bot);
  const at = midnight(1);
  await aConversation(shop, at, [question(), answer(1000)]);
  await aConversation({ ...shop, bot, channel }, at, [question(), answer(3000)]);
  const counted = async (query: QueryIn<typeof figures.get>) => {
    const { conversations: all, firstAnswer, questions } = await see(shop.person, query);
    return [all.now, firstAnswer.slow.now, questions?.[0]?.count];
  };
  expect(await counted({})).toEqual([2, 3000, 2]);
  expect(await counted({ bot })).toEqual([1, 3000, 1]);
  expect(await counted({ channel: shop.channel })).toEqual([1, 1000, 1]);
  expect(await counted({ channel: shop.channel, bot })).toEqual([0, null, undefined]);

  const other = await aShop();
  const query = { bot, channel };
  for (const seen of [await see(other.person), await see(other.person, query)]) {
    expect(seen).toMatchObject({ conversations: { now: 0, before: 0 }, unaided: { now: null }, questions: [] });
    expect(JSON.stringify(seen.choices)).not.toContain(channel);
  }
});

test('of one member only the conversations in which they have written to the visitor are shown', async () => {
  const shop = await aShop();
  const { uuid: me } = shop.person.user;
  const other = newId();
  const at = midnight(1);
  await aConversation(shop, at, [question(), handedOff(0), { role: 'staff', author: me, after: 3 * minuteMs }]);
  await aConversation(shop, at, [question(), handedOff(0), { role: 'staff', author: other, after: minuteMs }]);
  // A note is not written to the visitor.
  await aConversation(shop, at, [question(), answer(1000), { role: 'staff', internal: 1, author: me, after: 0 }]);
  const seen = await see(shop.person, { member: me });
  expect(seen).toMatchObject({
    conversations: { now: 1 },
    unaided: { now: 0 },
    firstPerson: { median: { now: 3 * minuteMs } },
    questions: [{ count: 1 }],
    choices: { members: [{ uuid: me }] },
  });
  const stranger = await aShop();
  expect((await see(stranger.person, { member: me })).conversations.now).toBe(0);
});

test('what a visitor writes to people is no question of the report, until the bot has the conversation again', async () => {
  const shop = await aShop();
  await aConversation(shop, midnight(1), [
    question('When do you open?'),
    answer(1000),
    handedOff(0),
    question('My parcel is broken'),
    { role: 'staff', after: minuteMs },
    question('Thank you so much, Hanako'),
    { role: 'system', text: '', internal: 1, after: minuteMs, happening: '{"kind":"returned"}' },
    question('Is there a car park?'),
    answer(1000),
  ]);
  const { questions } = await see(shop.person);
  expect(questions?.map(({ question: asked }) => asked).toSorted()).toEqual([
    'Is there a car park?',
    'When do you open?',
  ]);
});

test('neither who tries the widget nor members who talk with a bot are counted', async () => {
  const shop = await aShop();
  await aConversation(shop, midnight(1), [question(), answer(1000)], 1);
  const begun = await shop.person.call(visitors.begin, { body: { channel: shop.channel, preview: true } });
  const tried = await app.anyone.fetch(visitors.send.path, {
    method: 'POST',
    headers: { authorization: `Bearer ${begun.body.data.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ key: crypto.randomUUID(), text: 'When does the shop open?' }),
  });
  expect(await tried.text()).toContain('nine');
  await shop.person.call(conversations.send, { body: { bot: shop.bot, message: { text: 'When?' } } });
  await aVisitor(app, shop.channel);
  expect((await see(shop.person)).conversations.now).toBe(0);
});

test('what happens in a conversation afterwards is in the figures at once', async () => {
  const shop = await aShop();
  const visitor = await aVisitor(app, shop.channel);
  const { uuid: message } = await visitor.say('When does the shop open?');
  expect(await see(shop.person)).toMatchObject({
    conversations: { now: 1 },
    unaided: { now: 1 },
    firstPerson: { median: { now: null } },
    satisfaction: { now: null },
  });
  await visitor.call(visitors.rate, { params: { message }, body: { rating: 'down' } });
  expect(await see(shop.person)).toMatchObject({ satisfaction: { now: 0 }, comments: [] });
  await visitor.call(visitors.rate, { params: { message }, body: { rating: 'down', text: 'And on Sundays?' } });
  expect((await see(shop.person)).comments).toMatchObject([{ message, rating: 'down', text: 'And on Sundays?' }]);
  await visitor.call(visitors.rate, { params: { message }, body: { rating: 'up' } });
  expect(await see(shop.person)).toMatchObject({ satisfaction: { now: 1 }, ups: 1, downs: 0 });
  await visitor.call(visitors.person, {});
  const [thread] = (await shop.person.call(inbox.threads, {})).body.data;
  const params = { thread: thread?.uuid ?? '' };
  await shop.person.call(inbox.take, { params });
  const body = { key: crypto.randomUUID(), text: 'At nine.' };
  expect((await shop.person.call(inbox.reply, { params, body })).status).toBe(201);
  const seen = await see(shop.person);
  expect(seen).toMatchObject({ conversations: { now: 1 }, unaided: { now: 0 } });
  expect(seen.firstPerson.median.now).toBeGreaterThanOrEqual(0);
});
