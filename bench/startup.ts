/** Times how soon Kotae serves when everything is installed and built, and weighs it when it has nothing to do. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { accounts } from '../shared/contracts/accounts.ts';
import { conversations } from '../shared/contracts/conversations.ts';
import { home } from '../shared/contracts/home.ts';
import { knowledge } from '../shared/contracts/knowledge.ts';
import type { BodyIn, ReplyOf, Route } from '../shared/route.ts';
import { everySetting } from '../server/features.ts';
import { freePort, residentTree, startServing } from './lib/processes.ts';

const bars = { startMs: 2_000, idleMb: 150 };
const rounds = 5;
const idleMs = 60_000;

if (!existsSync('/proc/self/status')) {
  console.log('Start-up: skipped, since there is no /proc here to read memory from.');
  process.exit(0);
}
process.chdir(join(import.meta.dirname, '..'));
const data = mkdtempSync(join(tmpdir(), 'kotae-startup-'));
const missed: string[] = [];
try {
  const npm = ['npm', 'start'] as const;
  const bare = [process.execPath, 'server/main.ts'] as const;
  // The first start installs, builds and makes the database; only later ones are measured.
  await timeStart([...npm], 600_000);
  const npmMs = await median([...npm]);
  console.log(
    `npm start to the first 200:           ${npmMs.toFixed(0)} ms (median of ${rounds}; at most ${bars.startMs})`,
  );
  if (npmMs > bars.startMs) missed.push(`npm start takes ${npmMs.toFixed(0)} ms`);
  const bareMs = await median([...bare]);
  console.log(`node server/main.ts to the first 200: ${bareMs.toFixed(0)} ms (median of ${rounds})`);

  const { atStart, untouched, afterUse, idle, launchers } = await weigh([...npm]);
  console.log(`Resident at the start:                ${sum(atStart)} MB`);
  console.log(`after ${idleMs / 1000} s untouched:                 ${sum(untouched)} MB`);
  console.log(`after a sample bot and a question:    ${sum(afterUse)} MB`);
  console.log(
    `after ${idleMs / 1000} s idle:                      ${sum(idle)} MB (at most ${bars.idleMb}; npm beside it ${sum(launchers)} MB)`,
  );
  for (const { command, bytes } of [...idle, ...launchers]) console.log(`  ${mb(bytes)} MB  ${command}`);
  if (sum(idle) > bars.idleMb) missed.push(`idle it holds ${sum(idle)} MB`);
} finally {
  rmSync(data, { recursive: true, force: true });
}
if (missed.length > 0) {
  console.error(`Missed: ${missed.join('; ')}`);
  process.exit(1);
}

/** Nothing of the developer's own settings, neither from the environment nor from `.env`. */
function environment(port: number): Record<string, string> {
  const unset = Object.fromEntries(Object.keys(everySetting).map((name) => [name, '']));
  return { ...unset, PORT: String(port), DATA_DIR: data, LOG_LEVEL: 'warn' };
}

async function timeStart(command: [string, ...string[]], patienceMs?: number): Promise<number> {
  const port = await freePort();
  const { readyMs, stop } = await startServing(command, {
    port,
    env: environment(port),
    ...(patienceMs && { patienceMs }),
  });
  await stop();
  return readyMs;
}

async function median(command: [string, ...string[]]): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) times.push(await timeStart(command));
  return times.sort((a, b) => a - b)[rounds >> 1] ?? 0;
}

/** The server and its children: as started, a minute later, right after a short use, and again a minute later; and what started them. */
async function weigh(command: [string, ...string[]]) {
  const port = await freePort();
  const { pid, stop } = await startServing(command, { port, env: environment(port) });
  try {
    const server = residentTree(pid).find(({ command }) => command.includes('server/main.ts'));
    if (!server) throw new Error('the server is not among the processes that were started');
    const atStart = residentTree(server.pid);
    await sleep(idleMs);
    const untouched = residentTree(server.pid);
    await useShortly(`http://127.0.0.1:${port}`);
    const afterUse = residentTree(server.pid);
    await sleep(idleMs);
    const idle = residentTree(server.pid);
    return {
      atStart,
      untouched,
      afterUse,
      idle,
      launchers: residentTree(pid).filter((each) => !idle.some((other) => other.pid === each.pid)),
    };
  } finally {
    await stop();
  }
}

async function useShortly(url: string): Promise<void> {
  const registered = await call(url, '', accounts.register, accounts.register.path, {
    username: 'ann',
    email: 'ann@example.com',
    password: 'correct horse battery',
  });
  if (!('jwt' in registered)) throw new Error('this server sends mail');
  const { jwt } = registered;
  const { data: sample } = await call(url, jwt, home.sample, home.sample.path, { locale: 'en' });
  const until = Date.now() + 30_000;
  while (
    (await call(url, jwt, knowledge.get, knowledge.get.path.replace(':uuid', sample.knowledge))).data.busyCount > 0
  ) {
    if (Date.now() > until) throw new Error('the sample was not read within 30 s');
    await sleep(100);
  }
  const { data } = await call(url, jwt, conversations.send, conversations.send.path, {
    bot: sample.bot,
    message: { text: 'How long is a gift card valid?' },
  });
  if (data.message.citations.length === 0) throw new Error(`the sample did not answer: ${data.message.text}`);
}

async function call<T extends Route>(
  url: string,
  jwt: string,
  { method }: T,
  path: string,
  body?: BodyIn<T>,
): Promise<ReplyOf<T>> {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: {
      ...(jwt && { authorization: `Bearer ${jwt}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return JSON.parse(text);
}

function mb(bytes: number): number {
  return Math.round(bytes / 1_048_576);
}

function sum(tree: { bytes: number }[]): number {
  return mb(tree.reduce((total, { bytes }) => total + bytes, 0));
}
