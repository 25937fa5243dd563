import { spawn, type ChildProcess } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFailed, onTestFinished, test } from 'vitest';
import { accounts } from '../shared/contracts/accounts.ts';
import { bots } from '../shared/contracts/bots.ts';
import { conversations, type ChatEvent } from '../shared/contracts/conversations.ts';
import { keys } from '../shared/contracts/keys.ts';
import { inbox } from '../shared/contracts/inbox.ts';
import { documents, knowledge, type Document } from '../shared/contracts/knowledge.ts';
import { lineChannels } from '../shared/contracts/line-channels.ts';
import { payments } from '../shared/contracts/payments.ts';
import { modelKeys, services } from '../shared/contracts/services.ts';
import { usage } from '../shared/contracts/usage.ts';
import type { BodyIn, ParamsOf, QueryIn, ReplyOf, Route } from '../shared/route.ts';
import { openDatabase } from './infra/db.ts';
import { eventually } from './testing/app.ts';
import { createDatabase } from './testing/database.ts';
import { startLine } from './testing/line/start.ts';
import { goodKey, startDouble } from './testing/models/double.ts';
import { wire } from './testing/models/openai-compatible.ts';
import { numbers } from './testing/numbers.ts';
import { delta, finish, sse, startModelServer } from './testing/openai.ts';
import { startStripe } from './testing/stripe/stripe.ts';

const isEmbedded = process.env['TEST_ENGINE'] !== 'postgres';
const patient = { timeout: 300_000 };

let upstream: Awaited<ReturnType<typeof startModelServer>>;
let database: Awaited<ReturnType<typeof createDatabase>>;
let folder: string;
const living = new Set<ChildProcess>();

beforeAll(async () => {
  upstream = await startModelServer();
});
afterAll(() => upstream.stop());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kotae-kill-'));
  database = await createDatabase();
});
afterEach(async () => {
  await Promise.all([...living].map(kill));
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

test('a document whose reading is killed at any moment ends whole, with every chunk once', patient, async () => {
  let kotae = await start();
  const jwt = await register(kotae);
  const began = Date.now();
  const undisturbed = await addManual(kotae, jwt);
  await read(kotae, jwt, undisturbed);
  const tookMs = Date.now() - began;
  const wanted = await chunksOf(kotae, jwt, undisturbed);
  expect(wanted.length).toBeGreaterThan(300);

  // Other moments each time; those of a failure come again with its seed.
  const seed = Number(process.env['KILL_SEED'] ?? randomInt(2 ** 31));
  const next = numbers(seed);
  onTestFailed(() => console.error(`To see the same moments again: KILL_SEED=${seed}`));
  let cutShort = 0;
  for (let moment = 0; moment < 6; moment++) {
    const document = await addManual(kotae, jwt);
    const afterMs = Math.round(((moment + next(1000) / 1000) / 6) * tookMs);
    await sleep(afterMs);
    await kill(kotae.process);
    cutShort += await letLeasesRunOut();
    kotae = await start();
    const context = `killed ${afterMs} ms after the document was taken, of ${tookMs} ms`;
    expect(await read(kotae, jwt, document), context).toMatchObject({
      status: 'indexed',
      progress: 1,
      chunkCount: wanted.length,
    });
    expect(await chunksOf(kotae, jwt, document), context).toEqual(wanted);
    for (const paragraph of [0, paragraphs >> 1, paragraphs - 1]) {
      const { data } = await call(kotae, jwt, knowledge.search, {
        params: { uuid: document.knowledge },
        body: { query: codeWord(paragraph), limit: 50 },
      });
      expect(
        data.filter(({ embedding }) => embedding.text.includes(codeWord(paragraph))),
        context,
      ).toHaveLength(1);
    }
  }
  // A kill after the end would prove nothing.
  expect(cutShort).toBeGreaterThan(0);
});

test('an answer that is killed keeps its question and what was shown, and the thread is free', patient, async () => {
  const words = Array.from({ length: 400 }, (_, index) => `word${index} `);
  speakSlowly(words);
  let kotae = await start();
  const jwt = await register(kotae);
  const bot = await addModelBot(kotae, jwt);
  const answer = await ask(kotae, jwt, bot, 'Tell me everything');
  await eventually(
    'two seconds of it were shown',
    async () => answer.shown.length > 0 && Date.now() - answer.shown[0]!.at > 2_000,
  );
  const killedAt = Date.now();
  await kill(kotae.process);
  await expect(answer.ended).rejects.toThrow();
  const shown = answer.shown
    .filter(({ at }) => at <= killedAt - 1_000)
    .map(({ text }) => text)
    .join('');
  expect(shown).toContain('word0 ');

  await letLeasesRunOut();
  kotae = await start();
  const messages = () =>
    call(kotae, jwt, conversations.messages, { params: { thread: answer.thread } }).then(({ data }) => data);
  await eventually('the answer is interrupted', async () => (await messages())[1]?.status === 'interrupted');
  const [question, interrupted, ...more] = await messages();
  expect(more).toEqual([]);
  expect(question).toMatchObject({ role: 'user', text: 'Tell me everything', status: 'done' });
  expect(interrupted!.text.startsWith(shown), `${interrupted!.text} begins with ${shown}`).toBe(true);
  expect(words.join('').startsWith(interrupted!.text)).toBe(true);
  expect((await call(kotae, jwt, conversations.get, { params: { thread: answer.thread } })).data.running).toBeNull();

  upstream.behave((_request, response) => sse(response, [delta('Once more.'), finish(), '[DONE]']));
  const again = await call(kotae, jwt, conversations.send, {
    body: { bot, thread: answer.thread, message: { text: 'And again?' } },
  });
  expect(again.data.message).toMatchObject({ text: 'Once more.', status: 'done' });
});

test(
  'a voice that a kill cuts off is written down once more, entered once, and said to the team',
  patient,
  async () => {
    const [line, vendor] = await Promise.all([startLine({ allowHttp: true }), startDouble(wire)]);
    onTestFinished(async () => void (await Promise.all([line.close(), vendor.stop()])));
    const settings = {
      LINE_API_URL: line.url,
      ALLOW_PRIVATE_HOSTS: [line.url, vendor.url].map((url) => new URL(url).host).join(),
    };
    let kotae = await start(settings);
    const jwt = await register(kotae);
    const { id: channelId, secret } = line.channel;
    const { uuid } = (await call(kotae, jwt, lineChannels.connect, { body: { channelId, secret } })).data;
    line.webhook.isActive = true;
    await call(kotae, jwt, lineChannels.sync, { params: { uuid } });
    const body = { provider: 'openai-compatible', baseUrl: vendor.url, apiKey: goodKey };
    const key = (await call(kotae, jwt, modelKeys.create, { body })).data.uuid;
    const [model = ''] = wire.transcribers ?? [];
    await call(kotae, jwt, lineChannels.update, { params: { uuid }, body: { transcription: { key, model } } });

    const asked = Promise.withResolvers<void>();
    vendor.hear(() => asked.resolve());
    await line.user({ name: 'Sora' }).voice(Buffer.from([0, 0, 0, 28]));
    await asked.promise;
    await kill(kotae.process);
    await letLeasesRunOut();
    vendor.hear({ text: 'Are you open on Sunday?' });
    kotae = await start(settings);
    await eventually('the team reads it', async () => {
      const { data } = await call(kotae, jwt, inbox.threads, { query: { q: 'Sunday' } });
      return data.some(({ guest }) => guest.name === 'Sora');
    });
    await eventually('it is entered', async () => {
      const { data } = await call(kotae, jwt, usage.history, { query: { kind: 'transcription' } });
      return data.length === 1;
    });
    expect(vendor.heard()).toHaveLength(2);
  },
);

test(
  'an order that a kill cuts off is one charge, and what was paid while nobody ran is credited once',
  patient,
  async () => {
    const stripe = await startStripe();
    onTestFinished(() => stripe.close());
    let kotae = await start(stripe.settings);
    const jwt = await register(kotae);
    const body = { credits: 500, price: 880, currency: 'JPY' } as const;
    const sold = (await call(kotae, jwt, payments.addPackage, { body })).data.uuid;
    const order = () =>
      fetch(`${kotae.url}${payments.create.path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${jwt}`, 'content-type': 'application/json', 'idempotency-key': 'one order' },
        body: JSON.stringify({ package: sold }),
      });
    // Stripe has it, and its answer comes too late.
    stripe.slow(1500);
    const asked = order().catch(() => undefined);
    await eventually('Stripe is asked', async () => stripe.asked.length === 1);
    await kill(kotae.process);
    await asked;
    stripe.slow(0);
    kotae = await start(stripe.settings);
    expect((await order()).status).toBe(200);
    const [placed] = (await call(kotae, jwt, payments.list)).data;
    const uuid = placed?.uuid ?? '';
    expect(stripe.countOf(uuid)).toBe(1);

    await kill(kotae.process);
    stripe.confirm(stripe.intentOf(uuid));
    await letReconcile(uuid);
    kotae = await start(stripe.settings);
    const entries = async () => (await call(kotae, jwt, usage.history, { query: { kind: 'purchase' } })).data;
    await eventually('it is credited', async () => (await entries()).length === 1, 30_000);
    expect((await call(kotae, jwt, payments.get, { params: { uuid } })).data).toMatchObject({
      state: 'succeeded',
      receipt: 1,
    });
    expect(await entries()).toHaveLength(1);
    expect(stripe.faults).toEqual([]);
  },
);

test('a call with a key that a kill cuts off is not carried out again with that key', patient, async () => {
  upstream.behave(() => {});
  let kotae = await start();
  const jwt = await register(kotae);
  const bot = await addModelBot(kotae, jwt);
  const before = upstream.received.length;
  const send = () =>
    fetch(`${kotae.url}${conversations.send.path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${jwt}`,
        'content-type': 'application/json',
        'idempotency-key': 'one question',
      },
      body: JSON.stringify({ bot, message: { text: 'Hello' } }),
    });
  const asked = send().catch(() => undefined);
  await eventually('the model is asked', async () => upstream.received.length > before);
  await kill(kotae.process);
  await asked;
  const look = async () => {
    const response = await send();
    return { status: response.status, code: JSON.parse(await response.text()).error?.code };
  };
  kotae = await start();
  expect(await look()).toEqual({ status: 409, code: 'idempotency-in-progress' });
  await kill(kotae.process);
  await letLeasesRunOut();
  kotae = await start();
  expect(await look()).toEqual({ status: 409, code: 'idempotency-outcome-unknown' });
  expect(upstream.received).toHaveLength(before + 1);
});

test('what was acknowledged before a kill is there after it', patient, async () => {
  let kotae = await start();
  const jwt = await register(kotae);
  const base = (await call(kotae, jwt, knowledge.create, { body: { name: 'Manual' } })).data.uuid;
  const textOf = (index: number) => `Number ${index} is kept in drawer ${codeWord(index)}.`;
  const keptDocuments = new Map<number, Document>();
  const keptBots = new Map<string, string>();
  const asked = Promise.allSettled(
    Array.from({ length: 20 }, (_, index) => [
      call(kotae, jwt, documents.add, {
        params: { knowledge: base },
        body: { source: 'text', name: `${index}.txt`, text: textOf(index) },
      }).then(({ data }) => keptDocuments.set(index, data[0]!)),
      call(kotae, jwt, bots.create, { body: { name: `Bot ${index}` } }).then(({ data }) =>
        keptBots.set(data.uuid, data.name),
      ),
    ]).flat(),
  );
  await eventually('some were acknowledged', async () => keptDocuments.size > 2 && keptBots.size > 2);
  await kill(kotae.process);
  await asked;

  await letLeasesRunOut();
  kotae = await start();
  for (const [uuid, name] of keptBots)
    expect((await call(kotae, jwt, bots.get, { params: { uuid } })).data.name).toBe(name);
  for (const [index, document] of keptDocuments) {
    expect(await read(kotae, jwt, document)).toMatchObject({ name: `${index}.txt`, status: 'indexed' });
    const file = await fetch(`${kotae.url}/api/user/knowledge/${base}/document/${document.uuid}/file`, {
      headers: { authorization: `Bearer ${jwt}` },
    });
    expect(await file.text()).toBe(textOf(index));
  }
  // What was taken but not acknowledged any more is whole, too.
  const { data } = await call(kotae, jwt, documents.list, { params: { knowledge: base }, query: { limit: 50 } });
  for (const document of data)
    expect(await read(kotae, jwt, document)).toMatchObject({ status: 'indexed', chunkCount: 1 });
});

// Ctrl-C in a terminal reaches the launcher and the server, and the launcher hands its own on: one wish comes twice.
test.each([
  ['SIGTERM', 1],
  ['SIGINT', 2],
] as const)('%s (%i times at once) lets an answer end, then the process ends well', patient, async (signal, times) => {
  const words = Array.from({ length: 40 }, (_, index) => `word${index} `);
  speakSlowly(words);
  const kotae = await start();
  const jwt = await register(kotae);
  const answer = await ask(kotae, jwt, await addModelBot(kotae, jwt), 'Tell me everything');
  await eventually('it has begun', async () => answer.shown.length > 0);
  const exit = once(kotae.process, 'exit');
  for (let time = 0; time < times; time++) {
    kotae.process.kill(signal);
    // Equal signals that wait together are delivered as one.
    await sleep(50);
  }
  expect(await answer.ended).toMatchObject({ type: 'done', message: { text: words.join(''), status: 'done' } });
  expect(await exit).toEqual([0, null]);
  expect(kotae.stderr()).toBe('');
});

test(
  'an answer over the API ends before the process does, and what is asked meanwhile is refused',
  patient,
  async () => {
    const words = Array.from({ length: 40 }, (_, index) => `word${index} `);
    speakSlowly(words);
    const kotae = await start();
    const jwt = await register(kotae);
    const bot = await addModelBot(kotae, jwt);
    const { key } = (await call(kotae, jwt, keys.create, { body: { name: 'Page', scopes: ['chat'] } })).data;
    const complete = (signal: AbortSignal) =>
      fetch(`${kotae.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model: bot, stream: true, messages: [{ role: 'user', content: 'Tell me everything' }] }),
        signal,
      });
    const answer = await complete(AbortSignal.timeout(30_000));
    const exit = once(kotae.process, 'exit');
    kotae.process.kill('SIGTERM');
    await sleep(200);
    const late = await fetch(`${kotae.url}/api/chat`, {
      method: 'POST',
      headers: { authorization: `Bearer ${jwt}`, 'content-type': 'application/json' },
      body: JSON.stringify({ bot, message: { text: 'One more?' } }),
    });
    expect(late.status).toBe(503);
    expect((await complete(AbortSignal.timeout(5_000))).status).toBe(503);
    expect(await answer.text()).toContain(`${words.at(-1)}`);
    expect(await exit).toEqual([0, null]);
    const opened = openDatabase(
      { DATA_DIR: folder, DATABASE_URL: database.settings['DATABASE_URL'] },
      { connections: 1 },
    );
    expect(await opened.db.selectFrom('thread').select('title').execute()).toEqual([]);
    await opened.close();
  },
);

test.runIf(isEmbedded)('a second process on the same data is refused', patient, async () => {
  await start();
  expect(await refused()).toBe(
    `Another Kotae is already running on ${folder}. Stop it, or choose another folder with DATA_DIR.`,
  );
});

test('a port that is taken is told', patient, async () => {
  const port = new URL((await start()).url).port;
  // The embedded database belongs to one process; a second on Postgres has the same folder, and its key.
  const other = isEmbedded ? { DATA_DIR: join(folder, 'other') } : {};
  expect(await refused({ PORT: port, ...other })).toBe(
    `Port ${port} is taken. Stop the other program, or choose another port: PORT=3001 npm start`,
  );
});

test('a data folder that is a file is told', patient, async () => {
  const file = join(folder, 'file');
  await writeFile(file, 'not a folder');
  const sentence = await refused({ DATA_DIR: file });
  expect(sentence).toContain(file);
  expect(sentence).toContain('DATA_DIR');
});

test('data whose master key was removed is not opened, and gets no new key', patient, async () => {
  const kotae = await start();
  await register(kotae);
  await kill(kotae.process);
  await rm(join(folder, 'secrets/master.key'));
  const sentence = await refused();
  expect(sentence).toContain(join(folder, 'secrets/master.key'));
  expect(await refused()).toBe(sentence);
});

interface Kotae {
  process: ChildProcess;
  url: string;
  stderr(): string;
}

/** `node server/main.ts` as `npm start` runs it, with nothing but the settings in its environment. */
function run(settings: Record<string, string> = {}): { process: ChildProcess; stdout(): string; stderr(): string } {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts')], {
    env: {
      NODE_NO_WARNINGS: '1',
      PORT: '0',
      DATA_DIR: folder,
      MIN_FREE_DISK_MB: '0',
      RATE_LIMITS: 'false',
      OPENAI_COMPATIBLE_BASE_URL: upstream.url,
      ...database.settings,
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  living.add(child);
  child.once('exit', () => living.delete(child));
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  return { process: child, stdout: () => stdout, stderr: () => stderr };
}

async function start(settings: Record<string, string> = {}): Promise<Kotae> {
  const { process, stdout, stderr } = run(settings);
  const url = await eventually(
    'the server is ready',
    async () => {
      if (process.exitCode !== null) throw new Error(`the server ended: ${stderr()}`);
      return /^Kotae is ready: (http:\S+)\n/m.exec(stdout())?.[1];
    },
    30_000,
  );
  return { process, url, stderr };
}

/** What a start that must fail says, which is one line and no stack. */
async function refused(settings: Record<string, string> = {}): Promise<string> {
  const { process, stdout, stderr } = run(settings);
  const [code] = await once(process, 'close', { signal: AbortSignal.timeout(30_000) });
  expect([code, stdout()]).toEqual([1, '']);
  expect(stderr().trimEnd()).not.toContain('\n');
  return stderr().trimEnd();
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}

/** Puts the minute until a dead process's leases run out behind us. Returns how many documents it was reading. */
async function letLeasesRunOut(): Promise<number> {
  const opened = openDatabase(
    { DATA_DIR: folder, DATABASE_URL: database.settings['DATABASE_URL'] },
    { connections: 1 },
  );
  try {
    const reading = await opened.db
      .selectFrom('document')
      .select('uuid')
      .where('status', 'in', ['queued', 'parsing', 'chunking', 'embedding'])
      .execute();
    await opened.db.updateTable('idempotency').set({ alive_until: 0 }).where('status', 'is', null).execute();
    // The embedded database lets go of them by itself at the next start.
    if (!isEmbedded) {
      await opened.db.updateTable('job').set({ lease_until: 0 }).where('state', '=', 'running').execute();
      await opened.db.updateTable('message').set({ lease_until: 0 }).where('status', '=', 'streaming').execute();
    }
    return reading.length;
  } finally {
    await opened.close();
  }
}

/** Puts the moments behind us after which a payment is read at its gateway by itself. */
async function letReconcile(payment: string): Promise<void> {
  const opened = openDatabase(
    { DATA_DIR: folder, DATABASE_URL: database.settings['DATABASE_URL'] },
    { connections: 1 },
  );
  try {
    await opened.db
      .updateTable('payment')
      .set({ created_at: Date.now() - 240_000 })
      .where('uuid', '=', payment)
      .execute();
    await opened.db.updateTable('recurring').set({ due_at: 0 }).where('name', '=', 'payments.reconcile').execute();
  } finally {
    await opened.close();
  }
}

async function call<T extends Route>(
  kotae: Kotae,
  jwt: string,
  route: T,
  { params, query, body }: { params?: ParamsOf<T>; query?: QueryIn<T>; body?: BodyIn<T> } = {},
): Promise<ReplyOf<T>> {
  const named = new Map<string, unknown>(Object.entries(params ?? {}));
  const path = route.path.replace(/:([A-Za-z]+)/g, (_, key: string) => String(named.get(key)));
  const search = new URLSearchParams(
    Object.entries(query ?? {}).map(([key, value]): [string, string] => [key, String(value)]),
  );
  const response = await fetch(`${kotae.url}${path}?${search}`, {
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

async function register(kotae: Kotae): Promise<string> {
  const registered = await call(kotae, '', accounts.register, {
    body: { username: 'ann', email: 'ann@example.com', password: 'correct horse battery' },
  });
  if (!('jwt' in registered)) throw new Error('this server sends mail');
  return registered.jwt;
}

async function addModelBot(kotae: Kotae, jwt: string): Promise<string> {
  const service = (await call(kotae, jwt, services.list)).find(({ modelId }) => modelId === 'double-1')!.uuid;
  return (await call(kotae, jwt, bots.create, { body: { name: 'Model', service } })).data.uuid;
}

const paragraphs = 600;
/** A word that is in one paragraph and in no other. */
const codeWord = (index: number) => `zq${(index + 1000).toString(36)}x`;
const manual = Array.from(
  { length: paragraphs },
  (_, index) =>
    `## Part ${index}\n\nThe drawer ${codeWord(index)} holds part ${index}. ${'It is greased once a year, kept dry, and counted when the shop closes for the summer. '.repeat(8)}`,
).join('\n\n');

/** The manual, in a base of its own, since the same bytes in one base are kept once. */
async function addManual(kotae: Kotae, jwt: string): Promise<Document> {
  const base = (await call(kotae, jwt, knowledge.create, { body: { name: 'Manual' } })).data.uuid;
  return (
    await call(kotae, jwt, documents.add, {
      params: { knowledge: base },
      body: { source: 'text', name: 'manual.md', text: manual },
    })
  ).data[0]!;
}

function read(kotae: Kotae, jwt: string, { uuid, knowledge }: Document): Promise<Document> {
  return eventually(
    'the document is read',
    async () => {
      const { data } = await call(kotae, jwt, documents.get, { params: { knowledge, document: uuid } });
      return !['queued', 'parsing', 'chunking', 'embedding'].includes(data.status) && data;
    },
    30_000,
  );
}

/** Everything of the chunks that does not differ from one reading to the next, in order. */
async function chunksOf(kotae: Kotae, jwt: string, { uuid }: Document) {
  const all: { position: number; headings: string[]; text: string; start: number; end: number }[] = [];
  for (let cursor: string | undefined; ;) {
    const { data, meta } = await call(kotae, jwt, documents.embeddings, {
      params: { uuid },
      query: { limit: 200, ...(cursor && { cursor }) },
    });
    all.push(...data.map(({ position, headings, text, start, end }) => ({ position, headings, text, start, end })));
    if (!meta.nextCursor) return all;
    cursor = meta.nextCursor;
  }
}

/** The model says a word every 50 ms. */
function speakSlowly(words: string[]): void {
  upstream.behave(async (request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const word of words) {
      if (request.closed) return;
      response.write(`data: ${delta(word)}\n\n`);
      await sleep(50);
    }
    response.end(`data: ${finish()}\n\ndata: [DONE]\n\n`);
  });
}

/** Asks with a stream; `shown` grows as a reader would see it, `ended` is the last event or the error that cut it off. */
async function ask(kotae: Kotae, jwt: string, bot: string, text: string) {
  const response = await fetch(`${kotae.url}${conversations.send.path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${jwt}`, 'content-type': 'application/json' },
    body: JSON.stringify({ bot, message: { text }, stream: true } satisfies BodyIn<typeof conversations.send>),
  });
  if (!response.ok || !response.body) throw new Error(`asking: ${response.status}`);
  const shown: { at: number; text: string }[] = [];
  const events = readEvents(response.body);
  const first = await events.next();
  if (first.done || first.value.type !== 'thread') throw new Error('the thread comes first');
  const ended = (async () => {
    let last: ChatEvent = first.value;
    for await (const event of events) {
      last = event;
      if (event.type === 'delta') shown.push({ at: Date.now(), text: event.text });
    }
    return last;
  })();
  // Whoever awaits it gets the error; until then it is nobody's.
  ended.catch(() => {});
  return { thread: first.value.thread.uuid, shown, ended };
}

async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ChatEvent, void> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const part of body) {
    const events = (rest + decoder.decode(part, { stream: true })).split('\n\n');
    rest = events.pop() ?? '';
    for (const event of events) if (event.startsWith('data: ')) yield JSON.parse(event.slice(6));
  }
}
