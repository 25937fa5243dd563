/**
 * What visitors need of a server: idle connections and their memory, how soon all are back after a restart, and how long a message
 * takes to the screen of the team while a thousand write. Counts what is lost, doubled or out of order, also when the process is
 * killed in the middle; on one node, and on two with Redis. `BENCH_ONLY=postgres` measures one of them.
 */
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'undici';
import { accounts } from '../shared/contracts/accounts.ts';
import { visitors } from '../shared/contracts/visitors.ts';
import { usualEmbed, webChannels } from '../shared/contracts/web-channels.ts';
import type { BodyIn, ReplyOf, Route } from '../shared/route.ts';
import { everySetting } from '../server/features.ts';
import { createDatabase } from '../server/testing/database.ts';
import { freePort, residentTree, startServing, type Started } from './lib/processes.ts';

const idle = Number(process.env['BENCH_IDLE'] ?? 10_000);
const writers = Number(process.env['BENCH_WRITERS'] ?? 1_000);
const messagesEach = 5;
/** Somebody who is quick at the keys. */
const everyMs = 10_000;
const bars = { idleMb: 500, backSeconds: 60, p95Ms: 100, p99Ms: 500 };
const missed: string[] = [];

process.chdir(join(import.meta.dirname, '..'));
const unset = Object.fromEntries(Object.keys(everySetting).map((name) => [name, '']));
const redis = process.env['TEST_REDIS_URL'];
const setups = [
  { name: 'sqlite', engine: 'sqlite', nodes: 1 },
  ...(process.env['TEST_DATABASE_URL'] ? [{ name: 'postgres', engine: 'postgres', nodes: 1 }] : []),
  ...(process.env['TEST_DATABASE_URL'] && redis ? [{ name: 'two nodes', engine: 'postgres', nodes: 2 }] : []),
].filter(({ name }) => !process.env['BENCH_ONLY'] || process.env['BENCH_ONLY'] === name);

for (const { name, engine, nodes } of setups) {
  const folder = mkdtempSync(join(tmpdir(), 'kotae-visitors-'));
  const database = await createDatabase({ engine });
  const ports = await Promise.all(Array.from({ length: nodes }, freePort));
  const [port = 0] = ports;
  /** Visitors are with the first node, staff with the last. */
  const staffPort = ports.at(-1) ?? port;
  const env = {
    ...unset,
    DATA_DIR: folder,
    RATE_LIMITS: 'false',
    MIN_FREE_DISK_MB: '0',
    LOG_LEVEL: 'warn',
    TRUST_PROXY: '127.0.0.1',
    ...database.settings,
    ...(nodes > 1 && redis && { REDIS_URL: redis }),
  };
  const start = (at: number) =>
    startServing([process.execPath, 'server/main.ts'], { port: at, env: { ...env, PORT: String(at) } });
  const servers: Started[] = [];
  for (const at of ports) servers.push(await start(at));
  const restart = async (how: 'stop' | 'kill') => {
    await servers[0]?.[how]();
    servers[0] = await start(port);
  };
  try {
    const call = caller(`http://127.0.0.1:${port}`);
    const registered = await call(accounts.register, '', {
      username: 'ann',
      email: 'ann@example.com',
      password: 'correct horse battery',
      locale: 'en',
      setup: execFileSync(process.execPath, ['server/admin.ts', 'setup-token'], { env, encoding: 'utf8' })
        .trim()
        .split('\n')
        .at(-1),
    });
    const jwt = 'jwt' in registered ? registered.jwt : '';
    const made = await call(webChannels.create, jwt, { name: 'shop', bot: null });
    const channel = made.data.uuid;
    await call(
      webChannels.update,
      jwt,
      { limits: { ...usualEmbed.limits, visitorPerMinute: 60, visitorPerDay: 10_000, addressPerDay: 100_000 } },
      { uuid: channel },
    );
    const tokens: string[] = [];
    for (let from = 0; from < idle; from += 50)
      tokens.push(
        ...(await Promise.all(
          Array.from({ length: Math.min(50, idle - from) }, async () => {
            const { data } = await call(visitors.begin, '', { channel });
            return data.token;
          }),
        )),
      );
    const clients = tokens.map((token, at) => connectClient(port, token, at));
    const opened = performance.now();
    await Promise.all(clients.map((client) => client.isBack()));
    const took = (performance.now() - opened) / 1000;
    // What opening them took is given back once they are idle: read 5 s after it, the same server has half as much again.
    await sleep(30_000);
    const megabytes = residentTree(servers[0]?.pid ?? 0).reduce((sum, { bytes }) => sum + bytes, 0) / 1_048_576;
    tell(`${name}: ${idle} idle connections`, megabytes, bars.idleMb, 'MB', `opened in ${took.toFixed(0)} s`);

    await restart('stop');
    const from = performance.now();
    await Promise.all(clients.map((client) => client.isBack()));
    tell(`${name}: all back after a restart`, (performance.now() - from) / 1000, bars.backSeconds, 's');

    const heard = new Map<string, number[]>();
    const order = new Map<string, number>();
    let disordered = 0;
    const staff = connectClient(staffPort, jwt, idle, (event, data) => {
      if (event !== 'message') return;
      const { message, thread } = data as { message: { message: string; seq: number }; thread: { uuid: string } };
      heard.set(message.message, [...(heard.get(message.message) ?? []), performance.now()]);
      if ((order.get(thread.uuid) ?? 0) >= message.seq) disordered++;
      order.set(thread.uuid, message.seq);
    });
    await staff.isBack();
    const writing = tokens.slice(0, writers);
    const calm = await writeAll(port, writing);
    await sleep(2_000);
    const waits = [...calm.sent].flatMap(([text, began]) =>
      (heard.get(text) ?? []).slice(0, 1).map((at) => at - began),
    );
    const sorted = waits.toSorted((a, b) => a - b);
    const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Infinity;
    const count = `${writers} visitors, ${calm.sent.size} messages`;
    tell(`${name}: to the team's screen, p95`, at(0.95), bars.p95Ms, 'ms', `p50 ${at(0.5).toFixed(0)} ms`);
    tell(`${name}: to the team's screen, p99`, at(0.99), bars.p99Ms, 'ms', count);
    const unheard = [...calm.acknowledged].filter((text) => !heard.has(text)).length;
    const doubled = [...heard.values()].filter(({ length }) => length > 1).length;
    console.log(
      `${name}: ${calm.acknowledged.size} acknowledged, ${unheard} unheard, ${doubled} doubled, ${disordered} out of order`,
    );
    if (calm.acknowledged.size < calm.sent.size || unheard + doubled + disordered > 0)
      missed.push(`${name}: messages were not told once, in order`);

    // The node of the visitors goes without a word while they write; what is not acknowledged is sent again, as their pages do.
    const killing = sleep(15_000).then(() => restart('kill'));
    const rough = await writeAll(port, writing);
    await killing;
    const kept = await keptOf(port, writing);
    const all = [...calm.acknowledged, ...rough.acknowledged];
    const lost = all.filter((text) => !kept.times.has(text)).length;
    const twice = [...kept.times.values()].filter((times) => times > 1).length;
    console.log(
      `${name}: with a kill -9 among ${rough.sent.size} messages: ${rough.acknowledged.size} acknowledged, ${lost} lost, ${twice} doubled, ${kept.disordered} out of order`,
    );
    if (rough.acknowledged.size < rough.sent.size || lost + twice + kept.disordered > 0)
      missed.push(`${name}: messages were lost in a kill`);
    for (const client of [...clients, staff]) client.close();
  } finally {
    for (const server of servers) await server.stop();
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  }
}
if (missed.length > 0) {
  console.error(`Missed: ${missed.join('; ')}`);
  process.exit(1);
}
process.exit(0);

/** Each writes some messages, one after another, each until it is acknowledged. */
async function writeAll(port: number, tokens: string[]) {
  const sent = new Map<string, number>();
  const acknowledged = new Set<string>();
  await Promise.all(
    tokens.map(async (token, number) => {
      for (let at = 0; at < messagesEach; at++) {
        await sleep(Math.random() * 2 * everyMs);
        const text = `${number} ${performance.now()} ${randomUUID()}`;
        const key = randomUUID();
        sent.set(text, performance.now());
        for (const until = performance.now() + 60_000; performance.now() < until; await sleep(500)) {
          const answer = await fetch(`http://127.0.0.1:${port}${visitors.send.path}`, {
            method: 'POST',
            headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
            body: JSON.stringify({ key, text }),
          })
            .then(async (response) => response.ok && (await response.text()))
            .catch(() => '');
          if (!answer || !answer.includes(text)) continue;
          acknowledged.add(text);
          break;
        }
      }
    }),
  );
  return { sent, acknowledged };
}

/** What stands in the visitors' conversations: how often each text, and how many are not in the order in which they were written. */
async function keptOf(port: number, tokens: string[]) {
  const times = new Map<string, number>();
  let disordered = 0;
  for (const token of tokens) {
    const response = await fetch(`http://127.0.0.1:${port}${visitors.messages.path}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    // A border: the contract of the route that was called.
    const { data } = (await response.json()) as ReplyOf<typeof visitors.messages>;
    let last = 0;
    for (const { role, text } of data.messages) {
      if (role !== 'user') continue;
      times.set(text, (times.get(text) ?? 0) + 1);
      const written = Number(text.split(' ')[1]);
      if (written < last) disordered++;
      last = written;
    }
  }
  return { times, disordered };
}

function tell(what: string, value: number, bar: number, unit: string, more = ''): void {
  console.log(`${what}: ${value.toFixed(0)} ${unit} (at most ${bar})${more && `, ${more}`}`);
  if (value > bar) missed.push(`${what} ${value.toFixed(0)} ${unit}`);
}

/** A live connection as socket.io's client keeps one, without its weight: https://socket.io/docs/v4/engine-io-protocol/ */
function connectClient(port: number, token: string, number: number, hear?: (name: string, data: unknown) => void) {
  let isOpen = false;
  let isOver = false;
  let waiting: (() => void)[] = [];
  let socket: WebSocket | undefined;
  const open = () => {
    if (isOver) return;
    // Each from an address of its own, since one may only have so many.
    const headers = { 'x-forwarded-for': `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}` };
    socket = new WebSocket(`ws://127.0.0.1:${port}/socket.io/?EIO=4&transport=websocket`, { headers });
    socket.addEventListener('message', ({ data }) => {
      const text = String(data);
      if (text.startsWith('0')) socket?.send(`40${JSON.stringify({ token })}`);
      else if (text === '2') socket?.send('3');
      else if (text.startsWith('40')) {
        isOpen = true;
        for (const done of waiting.splice(0)) done();
      } else if (text.startsWith('42')) {
        const [name, value] = JSON.parse(text.slice(2));
        hear?.(name, value);
      }
    });
    socket.addEventListener('error', () => {});
    socket.addEventListener('close', () => {
      isOpen = false;
      // As the client of socket.io: a second, up to five, spread by half.
      setTimeout(open, 1_000 + Math.random() * 4_000).unref();
    });
  };
  setTimeout(open, (number % 1000) * 10);
  return {
    isBack: () => (isOpen ? Promise.resolve() : new Promise<void>((resolve) => void waiting.push(resolve))),
    close() {
      isOver = true;
      waiting = [];
      socket?.close();
    },
  };
}

function caller(address: string) {
  return async <T extends Route>(
    { method, path }: T,
    jwt: string,
    body: BodyIn<T>,
    params: Record<string, string> = {},
  ): Promise<ReplyOf<T>> => {
    const filled = path.replaceAll(/:(\w+)/g, (_, name: string) => params[name] ?? '');
    const response = await fetch(`${address}${filled}`, {
      method,
      headers: { 'content-type': 'application/json', ...(jwt && { authorization: `Bearer ${jwt}` }) },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return JSON.parse(text);
  };
}
