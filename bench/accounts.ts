/** Times identity: a signed-in call against a bare route, sign-in under load, and whether time tells who has an account. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import autocannon from 'autocannon';
import { everySetting } from '../server/features.ts';
import { delta, startModelServer } from '../server/testing/openai.ts';
import { freePort, moveTo, nodeOn, startServing, type Started } from './lib/processes.ts';

const bars = { ratio: 0.35, signInP99Ms: 500, loopP99Ms: 50, timing: 0.05 };
const people = 20;
const streams = 20;
const signInSeconds = 20;
const tries = 200;
const password = 'correct horse battery';

process.chdir(join(import.meta.dirname, '..'));
const folder = mkdtempSync(join(tmpdir(), 'kotae-accounts-'));
const missed: string[] = [];
const model = await startModelServer();
const port = await freePort();
const barePort = await freePort();
const loopFile = join(folder, 'loop.json');
const unset = Object.fromEntries(Object.keys(everySetting).map((name) => [name, '']));
const limits = ['calls', 'account-calls', 'sign-in', 'sign-in-account', 'register']
  .map((name) => `${name}=100000000/60`)
  .join();
const env = {
  ...unset,
  PORT: String(port),
  DATA_DIR: folder,
  LIMITS: limits,
  OPENAI_COMPATIBLE_BASE_URL: model.url,
  LOOP_DELAY_FILE: loopFile,
};
const running: Started[] = [];
try {
  moveTo(1);
  running.push(
    await startServing(
      [...nodeOn(0), '--max-semi-space-size=16', '--import', './bench/lib/loop-delay.ts', 'server/main.ts'],
      { port, env },
    ),
    await startServing([...nodeOn(0), 'bench/lib/bare.ts', String(barePort), folder], { port: barePort, env: {} }),
  );
  const server = running[0]?.pid ?? 0;
  const jwt = await register('person0');
  for (let at = 1; at < people; at++) await register(`person${at}`);

  const rates = { bare: [] as number[], me: [] as number[] };
  // Neither is compiled yet.
  await rate(`http://127.0.0.1:${barePort}/me`);
  await rate(`http://127.0.0.1:${port}/api/users/me`, { authorization: `Bearer ${jwt}` });
  for (let round = 0; round < 5; round++) {
    rates.bare.push(await rate(`http://127.0.0.1:${barePort}/me`));
    rates.me.push(await rate(`http://127.0.0.1:${port}/api/users/me`, { authorization: `Bearer ${jwt}` }));
  }
  const ratio = median(rates.me) / median(rates.bare);
  console.log(
    `GET /api/users/me:            ${median(rates.me).toFixed(0)}/s, bare route ${median(rates.bare).toFixed(0)}/s: ${ratio.toFixed(2)} (at least ${bars.ratio})`,
  );
  if (ratio < bars.ratio) missed.push(`a signed-in call reaches ${ratio.toFixed(2)} of a bare route`);

  const times = { unknown: [] as number[], wrong: [] as number[] };
  for (let at = 0; at < tries; at++) {
    times.unknown.push(await signIn(`nobody${at % people}`, 'something else'));
    times.wrong.push(await signIn(`person${at % people}`, 'something else'));
  }
  const difference = Math.abs(median(times.unknown) / median(times.wrong) - 1);
  console.log(
    `Unknown against wrong:        ${median(times.unknown).toFixed(1)} ms, ${median(times.wrong).toFixed(1)} ms: ${(difference * 100).toFixed(1)} % apart (at most ${bars.timing * 100} %; ${tries} tries each, in turns)`,
  );
  if (difference > bars.timing) missed.push(`time tells who has an account, by ${(difference * 100).toFixed(1)} %`);

  const stop = await startStreams(jwt);
  process.kill(server, 'SIGUSR2');
  const signIns: Promise<number>[] = [];
  for (let at = 0; at < signInSeconds * 10; at++) {
    signIns.push(signIn(`person${at % people}`, password));
    await sleep(100);
  }
  const waited = (await Promise.all(signIns)).toSorted((one, other) => one - other);
  process.kill(server, 'SIGUSR2');
  await sleep(200);
  const loop: { p99: number; max: number } = JSON.parse(readFileSync(loopFile, 'utf8'));
  const alive = await stop();
  const p99 = waited[Math.floor(waited.length * 0.99)] ?? 0;
  console.log(
    `Sign-in at 10/s:              p50 ${median(waited).toFixed(0)} ms, p99 ${p99.toFixed(0)} ms (at most ${bars.signInP99Ms}) beside ${alive} of ${streams} streams; event loop p99 ${loop.p99.toFixed(1)} ms, longest ${loop.max.toFixed(0)} ms (p99 at most ${bars.loopP99Ms})`,
  );
  if (p99 > bars.signInP99Ms) missed.push(`sign-in takes ${p99.toFixed(0)} ms at p99`);
  if (loop.p99 > bars.loopP99Ms) missed.push(`the event loop is held up ${loop.p99.toFixed(0)} ms at p99`);
  if (alive < streams) missed.push(`${streams - alive} streams ended`);
} finally {
  for (const each of running) await each.stop();
  await model.stop();
  rmSync(folder, { recursive: true, force: true });
}
if (missed.length > 0) {
  console.error(`Missed: ${missed.join('; ')}`);
  process.exit(1);
}

async function post(path: string, body: object, token = ''): Promise<Response> {
  return fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify(body),
  });
}

async function register(username: string): Promise<string> {
  const reply: { jwt: string } = JSON.parse(
    await (await post('/api/auth/local/register', { username, email: `${username}@example.com`, password })).text(),
  );
  return reply.jwt;
}

async function signIn(identifier: string, given: string): Promise<number> {
  const from = performance.now();
  await (await post('/api/auth/local', { identifier, password: given })).arrayBuffer();
  return performance.now() - from;
}

/**
 * Calls a second. The client does not sleep between answers: waking it is work of whoever answers, 12 µs a call here, and would count
 * against the slower of the two only, as the faster one never lets it sleep.
 */
async function rate(url: string, headers: Record<string, string> = {}): Promise<number> {
  let measuring = true;
  const stayAwake = () => measuring && setImmediate(stayAwake);
  stayAwake();
  const { requests, non2xx } = await autocannon({ url, headers, connections: 20, duration: 4 });
  measuring = false;
  if (non2xx > 0) throw new Error(`${url}: ${non2xx} answers were not 200`);
  return requests.average;
}

/** Answers of 30 tokens a second that go on until they are stopped; says how many were still going on. */
async function startStreams(jwt: string): Promise<() => Promise<number>> {
  model.behave((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const timer = setInterval(() => response.write(`data: ${delta('word ')}\n\n`), 33);
    response.on('close', () => clearInterval(timer));
  });
  const list: { uuid: string; provider: string }[] = JSON.parse(
    await (await fetch(`http://127.0.0.1:${port}/api/service`)).text(),
  );
  const service = list.find((each) => each.provider === 'openai-compatible')?.uuid;
  const { data: bot }: { data: { uuid: string } } = JSON.parse(
    await (await post('/api/user/bot', { name: 'Bot', service }, jwt)).text(),
  );
  const leaving = new AbortController();
  let going = 0;
  for (let at = 0; at < streams; at++) {
    const response = await fetch(`http://127.0.0.1:${port}/api/chat`, {
      method: 'POST',
      signal: leaving.signal,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${jwt}` },
      body: JSON.stringify({ bot: bot.uuid, message: { text: 'Tell me a long story.' }, stream: true }),
    });
    going++;
    void (async () => {
      try {
        for await (const _ of response.body ?? []);
      } catch {
        // Left on purpose below.
      }
      if (!leaving.signal.aborted) going--;
    })();
  }
  return async () => {
    const left = going;
    leaving.abort();
    return left;
  };
}

function median(values: number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}
