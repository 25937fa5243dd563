import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../testing/app.ts';
import { createDatabase } from '../testing/database.ts';
import { newId, openDatabase, type Database } from './db.ts';
import { createLog } from './log.ts';
import { migrate } from './migrate.ts';
import { migrations } from '../migrations/migrations.ts';
import { createQueue, dropLeases, jobKind, LeaseLostError, type JobRun, type Queue } from './queue.ts';
import { createWrite } from './write.ts';

let folder: string;
let server: Awaited<ReturnType<typeof createDatabase>>;
let database: Database;
const silent = createLog('warn', new Writable({ write: (_line, _encoding, done) => done() }));
const queues: Queue[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kotae-queue-'));
  server = await createDatabase();
  database = openDatabase({ DATA_DIR: folder, DATABASE_URL: server.settings['DATABASE_URL'] });
  await migrate(database, migrations);
});
afterAll(async () => {
  await Promise.all(queues.map((queue) => queue.stop()));
  await database.close();
  await server.drop();
  await rm(folder, { recursive: true });
});

/** Every queue of these tests has the same table: each knows only the kinds of its own test. */
function aQueue(graceMs = 50): Queue {
  const queue = createQueue({ ...database, write: createWrite(database) }, silent, {
    lanes: { ingestion: 2 },
    graceMs,
  });
  queues.push(queue);
  return queue;
}

const aKind = (given: Partial<Parameters<typeof jobKind>[0]> = {}) =>
  jobKind<{ text: string }>({ name: `test.${newId()}`, lane: 'upkeep', timeoutMs: 60_000, maxPauseMs: 0, ...given });

const jobsOf = ({ name }: { name: string }) =>
  database.db.selectFrom('job').selectAll().where('kind', '=', name).execute();

const aborted = (signal: AbortSignal) =>
  new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));

test('a job gets what it was added with, and is done', async () => {
  const kind = aKind();
  const queue = aQueue();
  const given: string[] = [];
  queue.register(kind, { run: async ({ text }) => void given.push(text) });
  queue.start();
  await database.db.transaction().execute((trx) => queue.add(trx, kind, { text: '答え' }));
  queue.wake();
  await eventually('it is done', async () => (await jobsOf(kind))[0]?.state === 'done');
  expect(given).toEqual(['答え']);
});

test('a payload of another kind does not compile', () => {
  const queue = aQueue();
  const kind = aKind();
  // @ts-expect-error: the kind has a text
  const wrong = () => queue.add(database.db, kind, { mail: 'x' });
  // @ts-expect-error: the kind has no number
  const handled = () => queue.register(kind, { run: async ({ text }: { text: number }) => void text });
  expect([wrong, handled]).toHaveLength(2);
});

test('one tenant never takes every place of a lane, whoever came first', async () => {
  const kind = aKind({ lane: 'mail' });
  const queue = aQueue();
  const running: string[] = [];
  const goOn = Promise.withResolvers<void>();
  queue.register(kind, {
    run: async ({ text }) => {
      running.push(text);
      await goOn.promise;
    },
  });
  const [large, small] = [newId(), newId()];
  for (let at = 0; at < 8; at++) await queue.add(database.db, kind, { text: 'large' }, { tenant: large });
  await queue.add(database.db, kind, { text: 'small' }, { tenant: small });
  queue.start();
  await eventually('the other has a place', async () => running.includes('small'));
  expect(running.toSorted()).toEqual(['large', 'large', 'large', 'small']);
  goOn.resolve();
  await eventually('all are done', async () => (await jobsOf(kind)).every(({ state }) => state === 'done'));
  expect(running).toHaveLength(9);
});

test('the one job of a workspace is next, however many another has waiting', async () => {
  const kind = aKind();
  const queue = aQueue();
  const order: string[] = [];
  queue.register(kind, { run: async ({ text }) => void order.push(text) });
  const [large, other, small] = [newId(), newId(), newId()];
  const jobs = (tenant: string, count: number) =>
    Array.from({ length: count }, () => ({ payload: { text: tenant }, uniqueKey: newId(), tenant }));
  await queue.addAll(database.db, kind, jobs(large, 40));
  await queue.addAll(database.db, kind, jobs(other, 40));
  // Times are in milliseconds, and of the same one any may come first.
  await new Promise((resolve) => setTimeout(resolve, 5));
  await queue.addAll(database.db, kind, jobs(small, 1));
  await queue.add(database.db, kind, { text: 'nobody' });
  queue.start();
  await eventually('all are done', async () => order.length === 82);
  expect(order.slice(0, 4).toSorted()).toEqual([large, other, small, 'nobody'].toSorted());
  // What is left is shared between the two.
  expect(order.slice(4, 44).filter((tenant) => tenant === large)).toHaveLength(20);
});

test('what waits with a unique key is not added twice', async () => {
  const kind = aKind();
  const queue = aQueue();
  const uniqueKey = newId();
  for (const text of ['one', 'other']) await queue.add(database.db, kind, { text }, { uniqueKey });
  expect(await jobsOf(kind)).toHaveLength(1);
});

test('of a hundred files that are read at length, none holds up a mail', async () => {
  const files = aKind({ lane: 'ingestion' });
  const mails = aKind({ lane: 'mail' });
  const queue = aQueue();
  let reading = 0;
  let peakReading = 0;
  queue.register(files, {
    async run(_, { signal }) {
      peakReading = Math.max(peakReading, ++reading);
      await aborted(signal);
      reading--;
    },
  });
  queue.register(mails, { run: async () => {} });
  for (let file = 0; file < 100; file++) await queue.add(database.db, files, { text: String(file) });
  queue.start();
  await eventually('the files have all the room they get', async () => reading === 2);
  await queue.add(database.db, mails, { text: 'hello' });
  queue.wake();
  await eventually('the mail is sent', async () => (await jobsOf(mails))[0]?.state === 'done');
  expect([reading, peakReading]).toEqual([2, 2]);
  await queue.stop();
  expect((await jobsOf(files)).filter(({ state }) => state === 'queued')).not.toHaveLength(0);
});

test('of a hundred large files that wait behind small ones that hang, none holds up a mail', async () => {
  const small = aKind({ lane: 'ingestion', share: 1 / 4 });
  const large = aKind({ lane: 'ingestion' });
  const mails = aKind({ lane: 'mail' });
  const queue = aQueue();
  let reading = 0;
  const run = async (_: object, { signal }: JobRun) => {
    reading++;
    await aborted(signal);
  };
  queue.register(small, { run });
  queue.register(large, { run });
  queue.register(mails, { run: async () => {} });
  for (let file = 0; file < 6; file++) await queue.add(database.db, small, { text: String(file) });
  queue.start();
  await eventually('the small ones hang', async () => reading === 6);
  for (let file = 0; file < 100; file++) await queue.add(database.db, large, { text: String(file) });
  await queue.add(database.db, mails, { text: 'hello' });
  queue.wake();
  await eventually('the mail is sent', async () => (await jobsOf(mails))[0]?.state === 'done');
  expect(reading).toBe(6);
  await queue.stop();
});

test('small jobs share a place, and a large one behind them gets the next', async () => {
  const small = aKind({ lane: 'ingestion', share: 1 / 4 });
  const large = aKind({ lane: 'ingestion' });
  const queue = aQueue();
  const order: string[] = [];
  let running = 0;
  let peakRunning = 0;
  const run = async ({ text }: { text: string }) => {
    order.push(text);
    peakRunning = Math.max(peakRunning, ++running);
    await new Promise((resolve) => setTimeout(resolve, 5));
    running--;
  };
  queue.register(small, { run });
  queue.register(large, { run });
  const add = (kind: typeof small, text: string) => queue.add(database.db, kind, { text });
  for (let index = 0; index < 20; index++) await add(small, 'small');
  // Times are in milliseconds, and of the same one any may come first.
  await new Promise((resolve) => setTimeout(resolve, 5));
  await add(large, 'large');
  await new Promise((resolve) => setTimeout(resolve, 5));
  for (let index = 0; index < 20; index++) await add(small, 'small');
  queue.start();
  await eventually('all are done', async () => order.length === 41 && running === 0);
  expect([peakRunning, order.indexOf('large')]).toEqual([8, 20]);
});

test('of many processes each job has one', async () => {
  const kind = aKind({ lane: 'mail' });
  const given: string[] = [];
  const wanted = Array.from({ length: 60 }, (_, index) => String(index));
  const workers = [aQueue(), aQueue(), aQueue()];
  for (const text of wanted) await workers[0]!.add(database.db, kind, { text });
  for (const queue of workers) {
    queue.register(kind, { run: async ({ text }) => void given.push(text) });
    queue.start();
  }
  await eventually('all are done', async () => (await jobsOf(kind)).every(({ state }) => state === 'done'));
  expect(given.toSorted()).toEqual(wanted.toSorted());
});

test('a job that does not end in its time has failed, writes no more, and another has its place', async () => {
  const kind = aKind({ timeoutMs: 50, maxAttempts: 1 });
  const next = aKind();
  const queue = aQueue();
  const hung = Promise.withResolvers<void>();
  let late: JobRun | undefined;
  const dead: unknown[] = [];
  queue.register(kind, {
    async run(_, run) {
      late = run;
      await hung.promise;
    },
    dead: async ({ text }, error) => void dead.push(text, String(error)),
  });
  queue.register(next, { run: async () => {} });
  await queue.add(database.db, kind, { text: 'hangs' });
  await queue.add(database.db, next, { text: 'waits' });
  queue.start();
  await eventually('the next one is done', async () => (await jobsOf(next))[0]?.state === 'done');
  expect(await jobsOf(kind)).toMatchObject([{ state: 'dead', attempts: 1, error: 'not done after 50 ms' }]);
  expect(dead).toEqual(['hangs', 'Error: not done after 50 ms']);
  expect(late?.signal.aborted).toBe(true);
  await expect(late?.fenced(async () => 'written')).rejects.toThrow(LeaseLostError);
  hung.resolve();
});

test('a job that ends when it is told to has failed as well, and is tried again', async () => {
  const kind = aKind({ timeoutMs: 20, maxAttempts: 2 });
  const queue = aQueue(60_000);
  queue.register(kind, {
    async run(_, { signal }) {
      await aborted(signal);
      throw signal.reason;
    },
  });
  await queue.add(database.db, kind, { text: 'slow' });
  queue.start();
  await eventually('it is dead', async () => (await jobsOf(kind))[0]?.state === 'dead');
  expect(await jobsOf(kind)).toMatchObject([{ attempts: 2, fence: 2 }]);
});

test('a job that fails is tried three times, then told once that it is dead', async () => {
  const kind = aKind();
  const queue = aQueue();
  let tried = 0;
  let told = 0;
  queue.register(kind, {
    async run() {
      throw new Error(`failure ${++tried}`);
    },
    dead: async () => void told++,
  });
  await queue.add(database.db, kind, { text: 'x' });
  queue.start();
  await eventually('it is dead', async () => (await jobsOf(kind))[0]?.state === 'dead');
  expect([tried, told, (await jobsOf(kind))[0]?.error]).toEqual([3, 1, 'failure 3']);
});

test('a stop waits for what ends, gives up what does not, and neither is a failure', async () => {
  const kind = aKind({ lane: 'mail' });
  const queue = aQueue();
  const hung = Promise.withResolvers<void>();
  let running = 0;
  let ended = 0;
  queue.register(kind, {
    async run({ text }, { signal }) {
      running++;
      await (text === 'hangs' ? hung.promise : aborted(signal));
      ended++;
      throw signal.reason;
    },
  });
  for (const text of ['hangs', 'ends']) await queue.add(database.db, kind, { text });
  queue.start();
  await eventually('both run', async () => running === 2);
  await queue.stop();
  expect(ended).toBe(1);
  expect(await jobsOf(kind)).toMatchObject([
    { state: 'queued', attempts: 0 },
    { state: 'queued', attempts: 0 },
  ]);
  hung.resolve();
});

test('what a killed process was doing is done by another, and its late word counts no more', async () => {
  const kind = aKind();
  const [first, second] = [aQueue(), aQueue()];
  const hung = Promise.withResolvers<void>();
  let killed: JobRun | undefined;
  first.register(kind, {
    async run(_, run) {
      killed = run;
      await hung.promise;
    },
  });
  second.register(kind, { run: async () => {} });
  await first.add(database.db, kind, { text: 'x' });
  first.start();
  await eventually('it runs', async () => killed);
  // What the next start of an embedded database does, and elsewhere the minute until the lease has run out.
  await dropLeases(database.db);
  second.start();
  await eventually('the other has done it', async () => (await jobsOf(kind))[0]?.state === 'done');
  await expect(killed?.fenced(async () => 'written')).rejects.toThrow(LeaseLostError);
  hung.resolve();
  await first.stop();
  expect(await jobsOf(kind)).toMatchObject([{ state: 'done', attempts: 0, fence: 2 }]);
});
