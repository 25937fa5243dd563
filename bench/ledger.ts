/**
 * Times a workspace's credits: `reserve` and `settle` on one account, as many as it takes and then as many as the bar asks, and its
 * usage, history and export where it has 1,000,000 entries; on SQLite and, where TEST_DATABASE_URL is set, on Postgres.
 * `BENCH_ENTRIES` is how many.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { accounts } from '../shared/contracts/accounts.ts';
import { usage } from '../shared/contracts/usage.ts';
import { everySetting, featureSettings } from '../server/features.ts';
import { nobody } from '../server/features/usage/accounts.ts';
import { reserve, settle } from '../server/features/usage/ledger.ts';
import { readConfig } from '../server/infra/config.ts';
import { newId, type Db } from '../server/infra/db.ts';
import { createLog } from '../server/infra/log.ts';
import { startServer } from '../server/server.ts';
import { createDatabase } from '../server/testing/database.ts';
import { freePort, residentTree, startServing } from './lib/processes.ts';

const entries = Number(process.env['BENCH_ENTRIES'] ?? 1_000_000);
const atOnce = 50;
const seconds = 10;
const bars = { perSecond: { sqlite: 1000, postgres: 500 }, p99Ms: 50, pageMs: 500, exportMb: 50 };
const dayMs = 86_400_000;
const missed: string[] = [];

process.chdir(join(import.meta.dirname, '..'));
const unset = Object.fromEntries(Object.keys(everySetting).map((name) => [name, '']));

for (const engine of ['sqlite', ...(process.env['TEST_DATABASE_URL'] ? ['postgres'] : [])] as const) {
  const folder = mkdtempSync(join(tmpdir(), 'kotae-ledger-'));
  const database = await createDatabase({ engine });
  const settings = {
    ...unset,
    PORT: '0',
    DATA_DIR: folder,
    RATE_LIMITS: 'false',
    MIN_FREE_DISK_MB: '0',
    CREDIT_GRANT: '1000000',
    ...database.settings,
  };
  try {
    const jwt = await fill(settings, engine === 'sqlite' ? 'sqlite' : 'postgres');
    await read(settings, engine, jwt);
  } finally {
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  }
}
if (missed.length > 0) {
  console.error(`Missed: ${missed.join('; ')}`);
  process.exit(1);
}
process.exit(0);

/** What an account takes, and then its entries. */
async function fill(settings: Record<string, string>, engine: 'sqlite' | 'postgres'): Promise<string> {
  const server = await startServer(readConfig(settings, featureSettings), createLog('warn', process.stderr), ['web']);
  try {
    const response = await fetch(`${server.address}${accounts.register.path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'ann', email: 'ann@example.com', password: 'correct horse battery' }),
    });
    const registered = accounts.register.reply.parse(await response.json());
    const jwt = 'jwt' in registered ? registered.jwt : '';
    const { context } = server;
    const { uuid: workspace } = await context.db.selectFrom('workspace').select('uuid').executeTakeFirstOrThrow();
    const one = async (since: number) => {
      const message = newId();
      await context.write((trx) => reserve(context, trx, { workspace, message, amount: 1000 }), { mixes: true });
      const use = { ...nobody, workspace, message, channel: 'app', service: workspace, service_name: 'Model' };
      await context.write((trx) => settle(context, trx, message, { use, cost: 100 }), { mixes: true });
      return performance.now() - since;
    };
    const until = performance.now() + seconds * 1000;
    let done = 0;
    const asFastAsItTakes = async () => {
      for (; performance.now() < until; done++) await one(performance.now());
    };
    await Promise.all(Array.from({ length: atOnce }, asFastAsItTakes));
    const bar = bars.perSecond[engine];
    console.log(`${engine}: ${(done / seconds).toFixed(0)} reservations settled a second on one account (bar ${bar})`);
    if (done / seconds < bar) missed.push(`${engine}: ${(done / seconds).toFixed(0)} a second`);
    // Each counts from when it was due, whether or not those before it are done.
    const paced: Promise<number>[] = [];
    for (const begin = performance.now(); paced.length < seconds * bar;) {
      const due = begin + (paced.length * 1000) / bar;
      const early = due - performance.now();
      if (early > 0) await sleep(early);
      paced.push(one(due));
    }
    const times = (await Promise.all(paced)).toSorted((a, b) => a - b);
    const [p50, p99] = [0.5, 0.99].map((part) => times[Math.floor(times.length * part)] ?? Infinity);
    console.log(
      `${engine}: at ${bar} a second p50 ${p50?.toFixed(0)} ms, p99 ${p99?.toFixed(0)} ms (bar ${bars.p99Ms})`,
    );
    if (engine === 'postgres' && (p99 ?? Infinity) > bars.p99Ms) missed.push(`${engine}: p99 ${p99?.toFixed(0)} ms`);
    await addEntries(context.db, workspace);
    if (engine === 'postgres') await sql`analyze`.execute(context.db);
    return jwt;
  } finally {
    await server.stop();
  }
}

/** Ninety days of five bots, four models and twenty members. */
async function addEntries(db: Db, workspace: string): Promise<void> {
  const ids = (count: number) => Array.from({ length: count }, () => newId());
  const [bots, services, members] = [ids(5), ids(4), ids(20)];
  const start = Date.now() - 90 * dayMs;
  const batch = 500;
  const rows = (from: number) =>
    Array.from({ length: batch }, (_, each) => {
      const at = Math.floor(start + ((from + each) / entries) * 89.9 * dayMs);
      return {
        ...nobody,
        uuid: newId(at),
        created_at: at,
        workspace,
        kind: 'use' as const,
        amount: -1000,
        balance: 0,
        bot: bots[each % 5] ?? null,
        bot_name: `Bot ${each % 5}`,
        user: members[each % 20] ?? null,
        channel: each % 3 === 0 ? 'web' : 'app',
        service: services[each % 4] ?? null,
        service_name: `Model ${each % 4}`,
        tokens_in: 1000,
        tokens_out: 200,
        note: null,
      };
    });
  for (let from = 0; from < entries; from += batch * 10)
    await db.transaction().execute(async (trx) => {
      for (let part = from; part < Math.min(entries, from + batch * 10); part += batch)
        await trx.insertInto('token_entry').values(rows(part)).execute();
    });
}

async function read(settings: Record<string, string>, engine: string, jwt: string): Promise<void> {
  const port = await freePort();
  const env = { ...settings, PORT: String(port) };
  const server = await startServing([process.execPath, 'server/main.ts'], { port, env });
  const ask = (path: string) =>
    fetch(`http://127.0.0.1:${port}${path}`, { headers: { authorization: `Bearer ${jwt}` } }).then((response) => {
      if (!response.ok) throw new Error(`${path}: ${response.status}`);
      return response;
    });
  const memory = () => residentTree(server.pid).reduce((sum, { bytes }) => sum + bytes, 0) / 1024 ** 2;
  try {
    const day = (ago: number) => new Date(Date.now() - ago * dayMs).toISOString().slice(0, 10);
    const byDay = (days: number) => `${usage.byDay.path}?from=${day(days)}&until=${day(0)}&by=bot`;
    const first = performance.now();
    await (await ask(byDay(89))).json();
    console.log(
      `${engine}: ${entries} entries are added up once in ${((performance.now() - first) / 1000).toFixed(1)} s`,
    );
    for (const [what, path] of [
      ['usage of 30 days', byDay(29)],
      ['usage of 90 days', byDay(89)],
      ['history', usage.history.path],
    ] as const) {
      const took: number[] = [];
      for (let round = 0; round < 9; round++) {
        const began = performance.now();
        await (await ask(path)).json();
        took.push(performance.now() - began);
      }
      const median = took.toSorted((a, b) => a - b)[4] ?? Infinity;
      console.log(`${engine}: ${what} of ${entries} entries: ${median.toFixed(0)} ms (bar ${bars.pageMs})`);
      if (median > bars.pageMs) missed.push(`${engine}: ${what} ${median.toFixed(0)} ms`);
    }
    const before = memory();
    let most = before;
    const watch = setInterval(() => (most = Math.max(most, memory())), 200);
    const began = performance.now();
    let bytes = 0;
    for await (const part of (await ask(usage.exportHistory.path)).body ?? []) bytes += part.byteLength;
    clearInterval(watch);
    const grown = most - before;
    console.log(
      `${engine}: all of them as CSV: ${(bytes / 1024 ** 2).toFixed(0)} MB in ${((performance.now() - began) / 1000).toFixed(0)} s, the server grows by ${grown.toFixed(0)} MB (bar ${bars.exportMb})`,
    );
    if (grown > bars.exportMb) missed.push(`${engine}: the export grows the server by ${grown.toFixed(0)} MB`);
  } finally {
    await server.stop();
  }
}
