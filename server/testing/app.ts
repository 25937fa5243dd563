import { deepStrictEqual } from 'node:assert';
import { randomBytes } from 'node:crypto';
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Writable } from 'node:stream';
import { sql } from 'kysely';
import type { User } from '../../shared/contracts/accounts.ts';
import type { ErrorReply } from '../../shared/errors.ts';
import type { ChatEvent, conversations } from '../../shared/contracts/conversations.ts';
import type { BodyIn, ParamsOf, QueryIn, ReplyOf, Route } from '../../shared/route.ts';
import { featureSettings } from '../features.ts';
import { findSetupToken, needsSetup } from '../features/users/setup.ts';
import { readConfig } from '../infra/config.ts';
import type { Trx } from '../infra/db.ts';
import { createLog } from '../infra/log.ts';
import { startServer, type Server } from '../server.ts';
import { createDatabase } from './database.ts';

type AnyRoute = Route;

interface Sent<T extends AnyRoute> {
  params?: ParamsOf<T>;
  query?: QueryIn<T>;
  body?: BodyIn<T>;
  headers?: Record<string, string>;
}

export interface Reply<R> {
  status: number;
  headers: Headers;
  /** What the contract promises; only to be used when `status` says so. */
  body: R;
  error: ErrorReply['error'];
}

/** A person with a token, who calls the server as a browser would. */
export interface Person {
  user: User;
  jwt: string;
  cookies: string[];
  call<T extends AnyRoute>(route: T, sent?: Sent<T>): Promise<Reply<ReplyOf<T>>>;
  fetch(path: string, init?: RequestInit): Promise<Response>;
}

export interface TestApp {
  server: Server;
  url: string;
  folder: string;
  /** What this server was started with, for a second one on the same data. */
  settings: Record<string, string>;
  /** What was logged, a line each. */
  logs: string[];
  anyone: Pick<Person, 'call' | 'fetch'>;
  aPerson(name?: string): Promise<Person>;
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** A server of its own for a test file: real database, real port, a folder that goes away with it. */
export async function startTestApp(
  environment: Record<string, string> = {},
  { rehearsesWrites = true, page }: { rehearsesWrites?: boolean; page?: string } = {},
): Promise<TestApp> {
  const folder = await mkdtemp(join(tmpdir(), 'kotae-test-'));
  const webFolder = join(folder, page === undefined ? 'no-web' : 'web');
  if (page !== undefined) {
    await mkdir(webFolder);
    await writeFile(join(webFolder, 'index.html'), page);
  }
  const database = await createDatabase({ template: process.env['TEST_TEMPLATE_DATABASE'] });
  const file = process.env['TEST_TEMPLATE_FILE'];
  if (
    file !== undefined &&
    database.settings['DATABASE_URL'] === undefined &&
    environment['DATABASE_URL'] === undefined
  )
    await copyFile(file, join(folder, 'kotae.db'));
  const logs: string[] = [];
  const log = createLog(
    environment['LOG_LEVEL'] ?? 'warn',
    new Writable({ write: (line, _encoding, done) => (logs.push(String(line)), done()) }),
  );
  const settings = {
    PORT: '0',
    DATA_DIR: folder,
    MIN_FREE_DISK_MB: '0',
    RATE_LIMITS: 'false',
    ...database.settings,
    ...environment,
  };
  const start = () =>
    startServer(readConfig(settings, featureSettings), log, ['web', 'worker'], { webFolder, rehearsesWrites });
  let server = await start();
  if (environment['OPENAI_COMPATIBLE_BASE_URL']) await knowModels(`${server.address}/api/service`);
  const test: TestApp = {
    get server() {
      return server;
    },
    get url() {
      return server.address ?? '';
    },
    folder,
    settings,
    logs,
    anyone: client(() => server.address ?? '', undefined),
    async aPerson(name = `p${randomBytes(6).toString('hex')}`) {
      const reply = await fetch(`${server.address}/api/auth/local/register`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          username: name,
          email: `${name}@example.com`,
          password: 'correct horse battery',
          ...((await needsSetup(server.context)) && { setup: await findSetupToken(server.context.db) }),
        }),
      });
      if (reply.status !== 200) throw new Error(await reply.text());
      const { jwt, user }: { jwt: string; user: User } = JSON.parse(await reply.text());
      return { user, jwt, cookies: reply.headers.getSetCookie(), ...client(() => server.address ?? '', jwt) };
    },
    async restart() {
      await server.stop();
      server = await start();
    },
    async stop() {
      await server.stop();
      await database.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
  return test;
}

/** On a busy machine a server of models is asked longer than a first list of services waits for it. */
async function knowModels(services: string): Promise<void> {
  for (const until = Date.now() + 5_000; Date.now() < until; await sleep(50)) {
    // A border: the contract says so, and `call` holds the reply to it.
    const list = (await (await fetch(services)).json()) as { provider: string }[];
    if (list.some(({ provider }) => provider === 'openai-compatible')) return;
  }
}

function client(address: () => string, jwt: string | undefined): Pick<Person, 'call' | 'fetch'> {
  const request = (path: string, init: RequestInit = {}) =>
    fetch(`${address()}${path}`, {
      ...init,
      headers: { ...(jwt && { authorization: `Bearer ${jwt}` }), ...Object.fromEntries(new Headers(init.headers)) },
    });
  return {
    fetch: request,
    async call(route, { params, query, body, headers = {} } = {}) {
      const path = route.path.replace(/:([A-Za-z]+)/g, (_, key: string) =>
        encodeURIComponent(String((params as Record<string, unknown> | undefined)?.[key])),
      );
      const search = new URLSearchParams(
        Object.entries(query ?? {}).flatMap(([key, value]): [string, string][] =>
          value === undefined ? [] : [[key, String(value)]],
        ),
      );
      const response = await request(`${path}${search.size > 0 ? `?${search}` : ''}`, {
        method: route.method,
        headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      const isJson = text !== '' && response.headers.get('content-type')?.includes('json');
      const parsed = isJson ? JSON.parse(text) : {};
      // The server sends what it has; that it is what the contract says, no more and no less, is checked with every call of a test.
      if (isJson && (response.status === route.status || response.status === route.otherStatus))
        deepStrictEqual(route.reply.parse(parsed), parsed);
      return { status: response.status, headers: response.headers, body: parsed, error: parsed.error };
    },
  };
}

/** Asks a bot and gathers the events of the stream until it ends. */
export async function askStreaming(person: Person, body: BodyIn<typeof conversations.send>): Promise<ChatEvent[]> {
  const response = await person.fetch('/api/chat', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...body, stream: true }),
  });
  if (response.status !== 200) throw new Error(await response.text());
  return (await response.text())
    .split('\n\n')
    .flatMap((part): ChatEvent[] => (part.startsWith('data: ') ? [JSON.parse(part.slice(6))] : []));
}

/** Waits until `look` finds something; fails with what it was waiting for. */
export async function eventually<T>(what: string, look: () => Promise<T | undefined | false>, ms = 40_000): Promise<T> {
  const until = Date.now() + ms;
  for (;;) {
    const found = await look();
    if (found) return found;
    if (Date.now() > until) throw new Error(`never happened: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/**
 * Makes the calls while a transaction that has made `change` is open, and ends it when each of them waits for it, or is over:
 * nothing comes closer to the same moment.
 */
export async function during<T>(
  { server }: TestApp,
  change: (trx: Trx) => Promise<unknown>,
  calls: (() => Promise<T>)[],
): Promise<T[]> {
  const { db, engine } = server.context;
  let open = calls.length;
  const ends = await db.transaction().execute(async (trx) => {
    await change(trx);
    const begun = calls.map((call) => call().finally(() => open--));
    const isMet = async () => {
      const { rows } = await sql<{ waiting: number }>`select count(*) as waiting from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
      return Number(rows[0]?.waiting) >= open;
    };
    // The embedded database has one connection that writes: there they wait for that.
    if (engine === 'postgres') await eventually('each waits for the change', isMet);
    return () => Promise.all(begun);
  });
  return ends();
}
