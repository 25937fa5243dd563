import { afterAll, beforeAll, expect, test } from 'vitest';
import { conversations } from '../../../shared/contracts/conversations.ts';
import { home } from '../../../shared/contracts/home.ts';
import { keys } from '../../../shared/contracts/keys.ts';
import { inbox } from '../../../shared/contracts/inbox.ts';
import { knowledge } from '../../../shared/contracts/knowledge.ts';
import { visitors } from '../../../shared/contracts/visitors.ts';
import { aChannel, aPublishedBot, aVisitor } from '../../testing/channels.ts';
import type { GivenRole } from '../../../shared/roles.ts';
import { usage } from '../../../shared/contracts/usage.ts';
import { workspaces } from '../../../shared/contracts/workspaces.ts';
import { eventually, startTestApp, type TestApp } from '../../testing/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

test('the home page counts what was asked today, what of it the documents answered, and which bot was asked', async () => {
  const person = await app.aPerson();
  const stranger = await app.aPerson();
  const { bot, knowledge: base } = (await person.call(home.sample, { body: { locale: 'en' } })).body.data;
  const ask = async (text: string) => {
    const { thread, message } = (await person.call(conversations.send, { body: { bot, message: { text } } })).body.data;
    // Written again, an answer is still one.
    const again = await person.call(conversations.regenerate, {
      params: { thread: thread.uuid, message: message.uuid },
    });
    expect(again.status).toBe(200);
    return message.citations.length;
  };
  await eventually(
    'the sample is read',
    async () => (await person.call(knowledge.get, { params: { uuid: base } })).body.data.busyCount === 0,
  );
  expect(await ask('How much is delivery?')).toBeGreaterThan(0);
  const before = (await person.call(home.get)).body.data.questionsPerDay.at(-1);
  expect(await ask('Who won the chess tournament on Mars?')).toBe(0);

  const { questionsPerDay, recentBots } = (await person.call(home.get)).body.data;
  expect(questionsPerDay).toHaveLength(14);
  expect(questionsPerDay.at(-1)).toEqual({ ...before, count: (before?.count ?? 0) + 1, cited: 1 });
  expect(questionsPerDay.slice(0, -1).every(({ count, cited }) => count === 0 && cited === 0)).toBe(true);
  expect(recentBots.find(({ uuid }) => uuid === bot)?.questionsPerDay).toEqual([
    ...Array.from({ length: 6 }, () => 0),
    questionsPerDay.at(-1)?.count,
  ]);
  expect((await stranger.call(home.get)).body.data.questionsPerDay.at(-1)).toMatchObject({ count: 0, cited: 0 });
});

test('what visitors write to people is no question to the bot', async () => {
  const person = await app.aPerson();
  const bot = await aPublishedBot(person);
  const { uuid: channel } = await aChannel(person, bot);
  const visitor = await aVisitor(app, channel);
  await visitor.say('When does the shop open?');
  const count = async () => {
    const { questionsPerDay, recentBots } = (await person.call(home.get)).body.data;
    return [questionsPerDay.at(-1)?.count, recentBots[0]?.questionsPerDay.at(-1)];
  };
  expect(await count()).toEqual([1, 1]);
  await visitor.call(visitors.person, {});
  await visitor.write('My parcel is broken');
  expect(await count()).toEqual([1, 1]);
});

test('the home page says who waits, what is unanswered and what is left, to each as far as they may', async () => {
  const [owner, stranger] = [await app.aPerson(), await app.aPerson()];
  const workspace = owner.user.workspaces[0]!.uuid;
  const joinAs = async (role: GivenRole) => {
    const person = await app.aPerson();
    const { url } = (await owner.call(workspaces.invite, { body: { role } })).body.data;
    const code = new URL(url).searchParams.get('code') ?? '';
    await person.call(workspaces.acceptInvitation, { body: { code } });
    return async () => (await person.call(home.get, { headers: { 'x-workspace': workspace } })).body.data;
  };
  const { uuid: channel } = await aChannel(owner, await aPublishedBot(owner));
  const [one, two, three] = [await aVisitor(app, channel), await aVisitor(app, channel), await aVisitor(app, channel)];
  await one.write('Do you repair bicycles and their tyres?');
  const answer = await two.say('When does the shop open?');
  await two.call(visitors.rate, { params: { message: answer.uuid }, body: { rating: 'down' } });
  await two.call(visitors.person);
  await three.call(visitors.person);
  const taken = (await owner.call(inbox.threads, { query: { view: 'waiting' } })).body.data[0]!.uuid;
  await owner.call(inbox.take, { params: { thread: taken } });

  const mine = await eventually('both questions are noted', async () => {
    const { data } = (await owner.call(home.get)).body;
    return data.unanswered?.open === 2 && data;
  });
  expect(mine.inbox).toEqual({ waiting: 1, mine: 1, mentions: [] });
  expect(mine.unanswered?.disliked).toBe(1);
  expect(mine.unanswered?.latest.map(({ reason }) => reason).toSorted()).toEqual(['disliked', 'refused']);
  const { balance } = (await owner.call(usage.history)).body.meta;
  expect(mine.credits).toEqual({ balance, usedInWeek: 0 });

  const [staff, viewer] = [await (await joinAs('staff'))(), await (await joinAs('viewer'))()];
  expect(staff).toMatchObject({ inbox: { waiting: 1, mine: 0 }, unanswered: null, credits: { balance } });
  expect(viewer).toMatchObject({ inbox: null, unanswered: null, credits: { balance } });
  const { key } = (await owner.call(keys.create, { body: { name: 'Reader', scopes: ['read'] } })).body.data;
  const read = await app.anyone.call(home.get, { headers: { authorization: `Bearer ${key}` } });
  expect(read.body.data).toMatchObject({ inbox: null, unanswered: null });
  expect((await stranger.call(home.get)).body.data).toMatchObject({
    inbox: { waiting: 0, mine: 0 },
    unanswered: { open: 0, disliked: 0, latest: [] },
  });
});
