import { afterAll, beforeAll, expect, test } from 'vitest';
import { unanswered } from '../../../shared/contracts/unanswered.ts';
import { newId } from '../../infra/db.ts';
import { eventually, startTestApp, type Person, type TestApp } from '../../testing/app.ts';
import { aChannel, aPublishedBot, aVisitor } from '../../testing/channels.ts';
import { mustStayLinear } from '../../../shared/testing/growth.ts';
import { keysOf, likeness } from './likeness.ts';
import { noteUnanswered } from './unanswered.ts';

let app: TestApp;
let maker: Person;
beforeAll(async () => {
  app = await startTestApp();
  maker = await app.aPerson();
});
afterAll(() => app.stop());

test('what a question is about is found with no more work than its share', { timeout: 240_000 }, async () => {
  const other = keysOf('Where is my parcel, and when does it come?');
  await mustStayLinear((given) => likeness(keysOf(given), other));
});

test('a question finds one like it with the same work, however many hostile ones a bot has', async () => {
  const { db } = app.server.context;
  const work = async (rows: number) => {
    const bot = await aPublishedBot(maker);
    const visitor = await aVisitor(app, (await aChannel(maker, bot)).uuid);
    const { uuid } = await visitor.say('Do you sell gift wrapping paper?');
    const [first] = await eventually('it is noted', async () => {
      const { data } = (await maker.call(unanswered.list, { query: { bot } })).body;
      return data.length > 0 && data;
    });
    const row = await db.selectFrom('unanswered').selectAll().where('uuid', '=', first!.uuid).executeTakeFirstOrThrow();
    // Each shares half of its terms with the question: as many as may be without being like it.
    const half = keysOf('Do you sell gift wrapping paper?').slice(0, 2);
    const terms = (at: number) => JSON.stringify([...half, ...Array.from({ length: 58 }, (_, key) => at * 100 + key)]);
    for (let from = 0; from < rows; from += 500)
      await db
        .insertInto('unanswered')
        .values(Array.from({ length: 500 }, (_, at) => ({ ...row, uuid: newId(), terms: terms(from + at) })))
        .execute();
    const message = await db.selectFrom('message').selectAll().where('uuid', '=', uuid).executeTakeFirstOrThrow();
    const thread = await db
      .selectFrom('thread')
      .selectAll()
      .where('uuid', '=', message.thread)
      .executeTakeFirstOrThrow();
    const costs: number[] = [];
    for (let again = 0; again < 5; again++) {
      await db.deleteFrom('unanswered_case').where('message', '=', uuid).execute();
      const begun = process.threadCpuUsage();
      await noteUnanswered(app.server.context, thread, { message, isNew: true });
      const { user, system } = process.threadCpuUsage(begun);
      costs.push((user + system) / 1000);
    }
    return Math.min(...costs);
  };
  const few = await work(1000);
  expect(await work(16_000)).toBeLessThan(5 * Math.max(few, 4));
});
