import { afterAll, beforeAll, expect, test } from 'vitest';
import { conversations } from '../../../shared/contracts/conversations.ts';
import { home } from '../../../shared/contracts/home.ts';
import { knowledge } from '../../../shared/contracts/knowledge.ts';
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
