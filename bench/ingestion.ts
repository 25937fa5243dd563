/**
 * Pastes many small texts into a base, then times how soon all are read, chunked and indexed, and what somebody who chats feels of
 * it: `npm run bench -- ingestion --documents=10000`. The texts are accepted by a server that only serves, and read by one that
 * also works, so each is timed by itself. Reading the same texts without a server, in the same run, is the measure.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { accounts } from '../shared/contracts/accounts.ts';
import { bots } from '../shared/contracts/bots.ts';
import { conversations } from '../shared/contracts/conversations.ts';
import { documents, knowledge } from '../shared/contracts/knowledge.ts';
import type { BodyIn, ReplyOf, Route } from '../shared/route.ts';
import { parseFile } from '../server/features/knowledge/parse-file.ts';
import { everySetting } from '../server/features.ts';
import { freePort, startServing } from './lib/processes.ts';

const bars = { indexedPerSecond: 100, shareOfParsing: 0.03, firstTokenMs: 250 };
const count = Number(process.argv.find((each) => each.startsWith('--documents='))?.split('=')[1] ?? 2_000);
const together = 8;
const questions = 60;

process.chdir(join(import.meta.dirname, '..'));
const folder = mkdtempSync(join(tmpdir(), 'kotae-ingestion-'));
const delayFile = join(folder, 'loop-delay.json');
const port = await freePort();
const url = `http://127.0.0.1:${port}`;
const unset = Object.fromEntries(Object.keys(everySetting).map((name) => [name, '']));
const start = (...roles: string[]) =>
  startServing([process.execPath, '--import', './bench/lib/loop-delay.ts', 'server/main.ts', ...roles], {
    port,
    env: {
      ...unset,
      PORT: String(port),
      DATA_DIR: join(folder, 'data'),
      RATE_LIMITS: 'false',
      MIN_FREE_DISK_MB: '0',
      LOG_LEVEL: 'warn',
      LOOP_DELAY_FILE: delayFile,
    },
  });

let server = await start('web');
try {
  const alone = await timeParsing();
  const registered = await call(accounts.register, accounts.register.path, '', {
    username: 'ann',
    email: 'ann@example.com',
    password: 'correct horse battery',
    locale: 'en',
  });
  const jwt = 'jwt' in registered ? registered.jwt : '';
  const base = (await call(knowledge.create, knowledge.create.path, jwt, { name: 'Notes' })).data.uuid;

  const acceptedMs = await time(async () => {
    let next = 0;
    const paste = async () => {
      for (let index = next++; index < count; index = next++)
        await call(documents.add, documents.add.path.replace(':knowledge', base), jwt, {
          source: 'text',
          name: `${index}.txt`,
          text: textOf(index),
        });
    };
    await Promise.all(Array.from({ length: together }, paste));
  });
  await server.stop();

  server = await start('web', 'worker');
  const indexed = whenIndexed(base, jwt);
  const bot = (await call(bots.create, bots.create.path, jwt, { name: 'Guide', knowledges: [base] })).data.uuid;
  // The first answer of a process loads what answers need.
  await firstToken(bot, jwt, 0);
  await loopDelay(server.pid);
  const busy = await ask(bot, jwt, indexed);
  const indexedMs = await indexed;
  const busyDelay = await loopDelay(server.pid);
  const idle = await ask(bot, jwt);
  const idleDelay = await loopDelay(server.pid);

  const perSecond = (count / indexedMs) * 1000;
  console.table({
    'read without a server': { 'per second': Math.round(alone) },
    accepted: { 'per second': Math.round((count / acceptedMs) * 1000) },
    'read, chunked and indexed': { 'per second': Math.round(perSecond) },
  });
  console.table({
    idle: { 'first token p50 ms': at(idle, 0.5), 'p95 ms': at(idle, 0.95), 'loop p99 ms': Math.round(idleDelay.p99) },
    'while they are indexed': {
      'first token p50 ms': at(busy, 0.5),
      'p95 ms': at(busy, 0.95),
      'loop p99 ms': Math.round(busyDelay.p99),
    },
  });
  const missed = [
    ...(perSecond < bars.indexedPerSecond ? [`${bars.indexedPerSecond} documents a second`] : []),
    ...(perSecond / alone < bars.shareOfParsing ? [`${bars.shareOfParsing} of what parsing alone does`] : []),
    ...(at(busy, 0.95) > bars.firstTokenMs ? [`first tokens within ${bars.firstTokenMs} ms`] : []),
  ];
  if (missed.length > 0) {
    console.error(`Missed: ${missed.join('; ')}`);
    process.exitCode = 1;
  }
} finally {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}

/** About four hundred characters that are in no other text. */
function textOf(index: number): string {
  const word = `zq${(index + 1000).toString(36)}x`;
  return `Note ${index}\n\nDrawer ${word} holds part ${index}. ${'It is greased once a year, kept dry, and counted when the shop closes for the summer. '.repeat(4)}`;
}

/** Texts a second that are read and chunked, one after another, with nothing else to do. */
async function timeParsing(): Promise<number> {
  const few = 500;
  const paths = Array.from({ length: few }, (_, index) => {
    const path = join(folder, `${index}.txt`);
    writeFileSync(path, textOf(index));
    return path;
  });
  for (const path of paths.slice(0, 20)) await parseFile({ turn: { tenant: 'bench' }, file: path, extension: 'txt' });
  const ms = await time(async () => {
    for (const path of paths) await parseFile({ turn: { tenant: 'bench' }, file: path, extension: 'txt' });
  });
  return (few / ms) * 1000;
}

/** How long it takes from now until nothing waits to be read. */
async function whenIndexed(base: string, jwt: string): Promise<number> {
  return time(async () => {
    for (;;) {
      const { data } = await call(knowledge.get, knowledge.get.path.replace(':uuid', base), jwt);
      if (data.failedCount > 0) throw new Error(`${data.failedCount} texts could not be read`);
      if (data.busyCount === 0) return;
      await sleep(250);
    }
  });
}

/** First tokens of questions, one after another: so many, or as long as something lasts. */
async function ask(bot: string, jwt: string, during?: Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  let isOver = false;
  void during?.then(() => (isOver = true));
  while (during ? !isOver : times.length < questions) {
    times.push(await firstToken(bot, jwt, times.length));
    await sleep(50);
  }
  return times.toSorted((one, other) => one - other);
}

async function firstToken(bot: string, jwt: string, index: number): Promise<number> {
  const began = performance.now();
  const response = await fetch(`${url}${conversations.send.path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${jwt}`, 'content-type': 'application/json' },
    body: JSON.stringify({ bot, message: { text: `What does drawer ${index} hold?` }, stream: true }),
  });
  if (!response.ok || !response.body) throw new Error(`asking: ${response.status}`);
  let first: number | undefined;
  let said = '';
  for await (const part of response.body.pipeThrough(new TextDecoderStream())) {
    said += part;
    if (first === undefined && said.includes('"type":"delta"')) first = performance.now() - began;
  }
  if (first === undefined) throw new Error(`no token came: ${said.slice(0, 500)}`);
  return first;
}

async function loopDelay(pid: number): Promise<{ p99: number; max: number }> {
  rmSync(delayFile, { force: true });
  process.kill(pid, 'SIGUSR2');
  for (;;) {
    await sleep(50);
    try {
      return JSON.parse(readFileSync(delayFile, 'utf8'));
    } catch {
      // It is not written yet, or not whole.
    }
  }
}

async function time(work: () => Promise<void>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

function at(sorted: number[], share: number): number {
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);
}

async function call<T extends Route>(route: T, path: string, jwt: string, body?: BodyIn<T>): Promise<ReplyOf<T>> {
  const response = await fetch(`${url}${path}`, {
    method: route.method,
    headers: {
      ...(jwt && { authorization: `Bearer ${jwt}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (response.status !== route.status) throw new Error(`${route.method} ${path}: ${response.status} ${text}`);
  return JSON.parse(text);
}
