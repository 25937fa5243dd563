import { afterAll, beforeAll, expect, test } from 'vitest';
import { bots } from '../../../shared/contracts/bots.ts';
import { conversations } from '../../../shared/contracts/conversations.ts';
import { newId } from '../../infra/db.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { listAttachedElsewhere } from './conversations.store.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

test('whether a file is attached elsewhere is found without a look at messages that have none', async () => {
  const person = await app.aPerson();
  const { db } = app.server.context;
  const bot = (await person.call(bots.create, { body: { name: 'Bot' } })).body.data.uuid;
  const ask = async () =>
    (await person.call(conversations.send, { body: { bot, message: { text: 'Hello' } } })).body.data.thread.uuid;
  const [thread, other] = [await ask(), await ask()];
  const own = await db.selectFrom('thread').selectAll().where('uuid', '=', thread).executeTakeFirstOrThrow();
  const message = await db.selectFrom('message').selectAll().where('thread', '=', other).executeTakeFirstOrThrow();
  let seq = 100;
  const write = async (files: object[]) => {
    const row = { ...message, parent: null, text: 'The shop opens at nine. '.repeat(20), files: JSON.stringify(files) };
    await db
      .insertInto('message')
      .values(Array.from({ length: 100 }, () => ({ ...row, uuid: newId(), seq: seq++ })))
      .execute();
  };
  const attached = { uuid: newId(), name: 'menu.md', mime: 'text/markdown', bytes: 10 };
  await write([attached]);
  /** The quickest of several rounds, since others work on the same machine. */
  const measure = async () => {
    let quickest = Infinity;
    for (let round = 0; round < 12; round++) {
      const begun = performance.now();
      for (let time = 0; time < 10; time++) await listAttachedElsewhere(db, own, [newId()]);
      quickest = Math.min(quickest, performance.now() - begun);
    }
    return quickest;
  };
  for (let round = 0; round < 10; round++) await write([]);
  await measure();
  const few = await measure();
  for (let round = 0; round < 150; round++) await write([]);
  const many = await measure();
  expect(await listAttachedElsewhere(db, own, [attached.uuid, newId()])).toEqual(new Set([attached.uuid]));
  // Of 16 times as many messages.
  expect(many / few).toBeLessThan(5);
});
