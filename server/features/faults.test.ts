import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import SQLite from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isDatabaseAway, openDatabase, pingDatabase } from '../infra/db.ts';
import { createDatabase } from '../testing/database.ts';
import { startProcess, type ServerProcess } from '../testing/process.ts';
import { startProxy, type Proxy } from '../testing/proxy.ts';

const isEmbedded = process.env['TEST_ENGINE'] !== 'postgres';
const awayMs = 5000;

let folder: string;
let database: Awaited<ReturnType<typeof createDatabase>>;
let proxy: Proxy | undefined;
let kotae: ServerProcess;
let throughProxy: string | undefined;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kotae-fault-'));
  database = await createDatabase();
  const direct = database.settings['DATABASE_URL'];
  if (direct === undefined) {
    kotae = await startProcess({ DATA_DIR: folder });
    return;
  }
  const through = new URL(direct);
  proxy = await startProxy({ host: through.hostname, port: Number(through.port || 5432) });
  through.hostname = '127.0.0.1';
  through.port = String(proxy.port);
  throughProxy = through.href;
  kotae = await startProcess({ DATA_DIR: folder, DATABASE_URL: throughProxy });
});
afterEach(async () => {
  await kotae.stop();
  await proxy?.close();
  proxy = undefined;
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

interface Answer {
  status: number;
  ms: number;
  body: { jwt?: string; error?: { status: number; code: string; message: string } };
  retryAfter: string | null;
  cookie: string;
}

async function call(
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const from = performance.now();
  const response = await fetch(`${kotae.url}${path}`, {
    method,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return {
    status: response.status,
    ms: performance.now() - from,
    body: JSON.parse(text),
    retryAfter: response.headers.get('retry-after'),
    cookie: response.headers
      .getSetCookie()
      .map((cookie) => cookie.split(';')[0])
      .join('; '),
  };
}

const password = 'correct horse battery';
const register = () =>
  call('POST', '/api/auth/local/register', { username: 'ann', email: 'ann@example.com', password });
const signIn = () => call('POST', '/api/auth/local', { identifier: 'ann', password });
const me = (jwt: string | undefined) => call('GET', '/api/users/me', undefined, { authorization: `Bearer ${jwt}` });
const renew = (cookie: string) => call('POST', '/api/auth/renew', undefined, { cookie, origin: kotae.url });

/** Done, or refused in words, and soon. */
function mustBeSaid({ status, ms, body, retryAfter }: Answer): void {
  expect(ms).toBeLessThan(10_000);
  if (status === 200) return;
  expect([status, body]).toEqual([
    503,
    {
      data: null,
      error: expect.objectContaining({
        status: 503,
        code: 'unavailable',
        message: expect.stringMatching(/\S \S.*\.$/),
      }),
    },
  ]);
  expect(Number(retryAfter)).toBeGreaterThan(0);
}

async function count(): Promise<{ sessions: number; recorded: number; users: number }> {
  const opened = openDatabase(
    { DATA_DIR: folder, DATABASE_URL: database.settings['DATABASE_URL'] },
    { connections: 1 },
  );
  try {
    const rows = await Promise.all([
      opened.db.selectFrom('session').select('uuid').execute(),
      opened.db.selectFrom('audit').select('uuid').where('action', '=', 'user.signed-in').execute(),
      opened.db.selectFrom('user').select('uuid').execute(),
    ]);
    return { sessions: rows[0].length, recorded: rows[1].length, users: rows[2].length };
  } finally {
    await opened.close();
  }
}

/** Somebody signs in and looks around while the database is away, and after it has come back. */
async function goThrough(away: () => Promise<void>): Promise<void> {
  const { body, cookie } = await register();
  const over = new AbortController();
  const signIns: Answer[] = [];
  const looks: Answer[] = [];
  const again = async (answers: Answer[], ask: () => Promise<Answer>, pauseMs: number) => {
    while (!over.signal.aborted) {
      answers.push(await ask());
      await sleep(pauseMs);
    }
  };
  // So many that some are on their way whenever the database goes.
  let failure: unknown;
  const load = Promise.all([
    ...Array.from({ length: 3 }, () => again(signIns, signIn, 50)),
    ...Array.from({ length: 8 }, () => again(looks, () => me(body.jwt), 1)),
  ]).catch((error: unknown) => (failure = error));
  await sleep(300);
  await away();
  await sleep(300);
  over.abort();
  await load;
  expect([kotae.ended(), failure]).toEqual([undefined, undefined]);
  [...signIns, ...looks].forEach(mustBeSaid);
  expect(
    [...signIns, ...looks].some(({ status }) => status === 503),
    'the database was away',
  ).toBe(true);

  const last = await signIn();
  expect([
    last.status,
    (await me(last.body.jwt)).status,
    (await me(body.jwt)).status,
    (await renew(cookie)).status,
  ]).toEqual([200, 200, 200, 200]);
  const { sessions, recorded, users } = await count();
  const acknowledged = 2 + signIns.filter(({ status }) => status === 200).length;
  const unknown = signIns.filter(({ status }) => status !== 200).length;
  // What was said to be done is; what was on its way when the database went may be, once.
  expect([users, recorded]).toEqual([1, sessions]);
  expect(sessions).toBeGreaterThanOrEqual(acknowledged);
  expect(sessions).toBeLessThanOrEqual(acknowledged + Math.min(unknown, 3));
  expect(kotae.output()).not.toMatch(/"level":60|Uncaught|unhandled/i);
}

test.skipIf(isEmbedded)(
  'Postgres that is gone for five seconds under load is told, and everybody is still who they were',
  { timeout: 60_000 },
  async () => {
    await goThrough(async () => {
      await proxy?.become('cut');
      await sleep(awayMs);
      await proxy?.become('open');
    });
  },
);

test.skipIf(isEmbedded)('Postgres that is gone between two queries of a transaction is away, too', async () => {
  const opened = openDatabase({ DATA_DIR: folder, DATABASE_URL: throughProxy }, { connections: 1 });
  try {
    const problem: unknown = await opened.db
      .transaction()
      .execute(async (trx) => {
        await pingDatabase(trx);
        await proxy?.become('cut');
        await sleep(50);
        await pingDatabase(trx);
      })
      .catch((error: unknown) => error);
    expect([String(problem), isDatabaseAway(problem)]).toEqual([expect.stringContaining('not queryable'), true]);
  } finally {
    await opened.close();
  }
});

test.runIf(isEmbedded)(
  'the embedded database that another program holds for longer than we wait is told, and everybody is still who they were',
  { timeout: 60_000 },
  async () => {
    await goThrough(async () => {
      const other = new SQLite(join(folder, 'kotae.db'));
      other.exec('begin immediate');
      await sleep(awayMs + 1000);
      other.exec('commit');
      other.close();
    });
  },
);
