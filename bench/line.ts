/**
 * What LINE sends: 300 events a second, each signed and in a request of its own, with the process killed in the middle; a burst of
 * 1,000 a second; 50 copies of one event at once. Tells how soon each is acknowledged, and counts what is lost or doubled; whatever
 * was not acknowledged is sent again, as LINE does. `BENCH_SECONDS` is for how long (60; the bar is for 600).
 */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request as post } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { accounts } from '../shared/contracts/accounts.ts';
import { lineChannels } from '../shared/contracts/line-channels.ts';
import type { BodyIn, ReplyOf, Route } from '../shared/route.ts';
import { everySetting } from '../server/features.ts';
import { openDatabase } from '../server/infra/db.ts';
import { sign } from '../server/providers/channels/line/signature.ts';
import { createDatabase } from '../server/testing/database.ts';
import { freePort, nodeOn, startServing, type Started } from './lib/processes.ts';
import { countRows } from './lib/statistics.ts';

const seconds = Number(process.env['BENCH_SECONDS'] ?? 60);
const people = 3_000;
const secret = '0123456789abcdef0123456789abcdef';
const destination = `U${'0'.repeat(32)}`;
const bars = { p99Ms: 200 };
const missed: string[] = [];

process.chdir(join(import.meta.dirname, '..'));
const unset = Object.fromEntries(Object.keys(everySetting).map((name) => [name, '']));

for (const engine of ['sqlite', ...(process.env['TEST_DATABASE_URL'] ? ['postgres'] : [])]) {
  if (process.env['BENCH_ONLY'] && process.env['BENCH_ONLY'] !== engine) continue;
  const folder = mkdtempSync(join(tmpdir(), 'kotae-line-'));
  const database = await createDatabase({ engine });
  const [port, peerPort] = [await freePort(), await freePort()];
  const env = {
    ...unset,
    PORT: String(port),
    DATA_DIR: folder,
    RATE_LIMITS: 'false',
    MIN_FREE_DISK_MB: '0',
    LOG_LEVEL: 'warn',
    LINE_API_URL: `http://127.0.0.1:${peerPort}`,
    ALLOW_PRIVATE_HOSTS: `127.0.0.1:${peerPort}`,
    ...database.settings,
  };
  const peer = await startServing([...nodeOn(1), 'bench/lib/line-peer.ts', String(peerPort)], {
    port: peerPort,
    env: {},
  });
  let server: Started = await startServing([process.execPath, 'server/main.ts'], { port, env });
  try {
    const call = caller(`http://127.0.0.1:${port}`);
    const registered = await call(accounts.register, '', {
      username: 'ann',
      email: 'ann@example.com',
      password: 'correct horse battery',
      locale: 'en',
    });
    const jwt = 'jwt' in registered ? registered.jwt : '';
    const { data } = await call(lineChannels.connect, jwt, { channelId: '1234567890', secret });
    const path = new URL(data.webhook.url).pathname;
    const load = loader(port, path);

    await load.send(200, 15, 'warm');
    await countRows(database.settings);
    const steady = load.send(300, seconds, 'steady');
    const killing = sleep((seconds / 2) * 1000).then(async () => {
      await server.kill();
      server = await startServing([process.execPath, 'server/main.ts'], { port, env });
    });
    const { times, sent, slow } = await steady;
    await killing;
    tell(`${engine}: 300 a second for ${seconds} s, acknowledged p50`, at(times, 0.5));
    tell(`${engine}: the same, p99`, at(times, 0.99), bars.p99Ms);
    console.log(`${engine}: something waited longer in ${slow.length} seconds: ${slow.join(' ')}`);
    const burst = await load.send(1000, 10, 'burst');
    tell(`${engine}: 1,000 a second for 10 s, acknowledged p99`, at(burst.times, 0.99));
    const copies = event('copies', 1);
    await Promise.all(Array.from({ length: 50 }, () => load.one(copies)));

    const total = sent + burst.sent + 15 * 200 + 1;
    const { db, close } = openDatabase({ DATA_DIR: folder, ...database.settings });
    const stored = async () => {
      const { count, different } = await db
        .selectFrom('message')
        .where('role', '=', 'user')
        .select((select) => [
          select.fn.countAll().as('count'),
          select.fn.count('channel_key').distinct().as('different'),
        ])
        .executeTakeFirstOrThrow();
      return { count: Number(count), different: Number(different) };
    };
    const from = performance.now();
    while ((await stored()).count < total && performance.now() - from < 120_000) await sleep(500);
    const { count, different } = await stored();
    console.log(
      `${engine}: ${total} sent, ${total - different} lost, ${count - different} doubled; all in conversations ${((performance.now() - from) / 1000).toFixed(0)} s after the last`,
    );
    if (different !== total || count !== different)
      missed.push(`${engine}: ${total - different} lost, ${count - different} doubled`);
    await close();
  } finally {
    await server.stop();
    await peer.stop();
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  }
}
if (missed.length > 0) {
  console.error(`Missed: ${missed.join('; ')}`);
  process.exit(1);
}
process.exit(0);

function event(name: string, number: number): Buffer {
  const userId = `U${(number % people).toString(16).padStart(32, '0')}`;
  return Buffer.from(
    JSON.stringify({
      destination,
      events: [
        {
          type: 'message',
          mode: 'active',
          timestamp: Date.now(),
          webhookEventId: `${name}-${number}`,
          deliveryContext: { isRedelivery: false },
          source: { type: 'user', userId },
          replyToken: randomUUID(),
          message: { type: 'text', id: `${name}-${number}`, text: `Message ${number}`, quoteToken: 'q' },
        },
      ],
    }),
  );
}

function loader(port: number, path: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 512 });
  const one = (body: Buffer): Promise<boolean> =>
    new Promise((resolve) => {
      const asked = post(
        {
          agent,
          port,
          host: '127.0.0.1',
          path,
          method: 'POST',
          headers: { 'content-type': 'application/json; charset=utf-8', 'x-line-signature': sign(secret, body) },
        },
        (reply) => {
          reply.resume();
          reply.on('end', () => resolve(reply.statusCode === 200));
          reply.on('error', () => resolve(false));
        },
      );
      asked.on('error', () => resolve(false));
      asked.end(body);
    });
  /** Until it is acknowledged, as LINE sends again what is not. */
  const untilTaken = async (body: Buffer) => {
    for (;;) {
      const began = performance.now();
      if (await one(body)) return performance.now() - began;
      await sleep(1000);
    }
  };
  return {
    one,
    async send(perSecond: number, forSeconds: number, name: string) {
      const times: number[] = [];
      const slow = new Set<number>();
      const open: Promise<unknown>[] = [];
      const began = performance.now();
      const sent = perSecond * forSeconds;
      for (let number = 0; number < sent; number++) {
        const due = began + (number * 1000) / perSecond - performance.now();
        if (due > 1) await sleep(due);
        open.push(
          untilTaken(event(name, number)).then((took) => {
            times.push(took);
            if (took > bars.p99Ms) slow.add(Math.floor(number / perSecond));
          }),
        );
      }
      await Promise.all(open);
      return { times: times.toSorted((a, b) => a - b), sent, slow: [...slow].toSorted((a, b) => a - b) };
    },
  };
}

function at(times: number[], share: number): number {
  return times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Infinity;
}

function tell(what: string, value: number, bar?: number): void {
  console.log(`${what}: ${value.toFixed(0)} ms${bar === undefined ? '' : ` (at most ${bar})`}`);
  if (bar !== undefined && value > bar) missed.push(`${what} ${value.toFixed(0)} ms`);
}

function caller(address: string) {
  return async <T extends Route>({ method, path }: T, jwt: string, body: BodyIn<T>): Promise<ReplyOf<T>> => {
    const response = await fetch(`${address}${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...(jwt && { authorization: `Bearer ${jwt}` }) },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return JSON.parse(text);
  };
}
