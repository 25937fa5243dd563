import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { eventually, startTestApp } from '../testing/app.ts';
import { createDatabase } from '../testing/database.ts';
import { newId, openDatabase, type Database } from './db.ts';
import { createLog } from './log.ts';
import { migrate } from './migrate.ts';
import { migrations } from '../migrations/migrations.ts';
import { createRecurring, type Recurring } from './recurring.ts';

const hourMs = 3_600_000;
const silent = createLog('warn', new Writable({ write: (_line, _encoding, done) => done() }));

let folder: string;
let server: Awaited<ReturnType<typeof createDatabase>>;
let database: Database;
const started: Recurring[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kotae-recurring-'));
  server = await createDatabase();
  database = openDatabase({ DATA_DIR: folder, DATABASE_URL: server.settings['DATABASE_URL'] });
  await migrate(database, migrations);
});
afterEach(() => Promise.all(started.splice(0).map((recurring) => recurring.stop())));
afterAll(async () => {
  await database.close();
  await server.drop();
  await rm(folder, { recursive: true });
});

/** A process that has this one work to do, and looks often. */
function aProcess(name: string, run: (signal: AbortSignal) => Promise<void>, everyMs = hourMs): Recurring {
  const recurring = createRecurring(database.db, silent, { lookMs: 10 });
  recurring.register({ name, everyMs, run });
  recurring.start();
  started.push(recurring);
  return recurring;
}

const due = (name: string) =>
  database.db.selectFrom('recurring').select('due_at').where('name', '=', name).executeTakeFirst();

/** Puts the time until it is due behind us. */
const becomeDue = (name: string) =>
  database.db.updateTable('recurring').set({ due_at: 0 }).where('name', '=', name).execute();

test('what is due is done by one of many processes, and no earlier', async () => {
  const name = newId();
  let done = 0;
  for (let process = 0; process < 4; process++) aProcess(name, async () => void done++);
  await eventually('it is known', () => due(name));
  for (let time = 1; time <= 5; time++) {
    await becomeDue(name);
    await eventually('it is done', async () => done >= time);
    await sleep(50);
    expect(done).toBe(time);
  }
  expect((await due(name))?.due_at).toBeGreaterThan(Date.now() + hourMs / 2);
});

test('a restart makes nothing due', async () => {
  const name = newId();
  let done = 0;
  const run = async () => void done++;
  const first = aProcess(name, run);
  await eventually('it is known', () => due(name));
  await first.stop();
  const before = await due(name);
  aProcess(name, run);
  await sleep(50);
  expect([done, await due(name)]).toEqual([0, before]);
});

test('work that fails, and work whose process dies with it, is due again', async () => {
  const name = newId();
  let tried = 0;
  const dying = aProcess(
    name,
    async (signal) => {
      tried++;
      // Killed here: nobody writes down that it ended.
      await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    },
    50,
  );
  await eventually('it was begun', async () => tried === 1);
  await dying.stop();
  aProcess(
    name,
    async () => {
      tried++;
      throw new Error('fails');
    },
    50,
  );
  await eventually('it was tried again, and again', async () => tried > 3);
});

test('work that takes longer than its time is not overtaken', async () => {
  const name = newId();
  let running = 0;
  let peakRunning = 0;
  let done = 0;
  const run = async () => {
    peakRunning = Math.max(peakRunning, ++running);
    await sleep(1600);
    running--;
    done++;
  };
  for (let process = 0; process < 3; process++) aProcess(name, run, 800);
  await eventually('it was done twice', async () => done === 2);
  expect(peakRunning).toBe(1);
});

test('a server sweeps when it is due, and a restart does not forget when', async () => {
  const app = await startTestApp();
  const dueAt = () =>
    app.server.context.db.selectFrom('recurring').select('due_at').where('name', '=', 'mails.sweep').executeTakeFirst();
  const before = await eventually('it is known', dueAt);
  await app.restart();
  await sleep(100);
  expect(await dueAt()).toEqual(before);
  await app.server.context.db.updateTable('recurring').set({ due_at: 1 }).where('name', '=', 'mails.sweep').execute();
  await eventually('it is done, and due again later', async () => ((await dueAt())?.due_at ?? 0) > Date.now());
  await app.stop();
});
