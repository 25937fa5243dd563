/**
 * What a power cut does to money: the server is killed at random moments, `BENCH_KILLS` times (300), while visitors chat on credits
 * and credits are bought through a stand-in of Stripe that loses answers and repeats its events. Afterwards every account has to be
 * the sum of its entries, every payment that was taken has to be credited once, and nothing may stay set aside.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { accounts } from '../shared/contracts/accounts.ts';
import { bots } from '../shared/contracts/bots.ts';
import { conversations } from '../shared/contracts/conversations.ts';
import { payments } from '../shared/contracts/payments.ts';
import { operatorServices, services } from '../shared/contracts/services.ts';
import { everySetting } from '../server/features.ts';
import { checkBooks } from '../server/features/usage/books.ts';
import { openDatabase } from '../server/infra/db.ts';
import { createDatabase } from '../server/testing/database.ts';
import { numbers } from '../server/testing/numbers.ts';
import { delta, finish, startModelServer } from '../server/testing/openai.ts';
import { startStripe } from '../server/testing/stripe/stripe.ts';
import { caller } from './lib/caller.ts';
import { freePort, startServing } from './lib/processes.ts';

const kills = Number(process.env['BENCH_KILLS'] ?? 300);
const seed = Number(process.env['KILL_SEED'] ?? Date.now() % 2 ** 31);
const chatsAtOnce = 6;
const ordersAtOnce = 2;
/** What is set aside for an answer is let go of by then. */
const holdMs = 15 * 60_000;
const ann = { username: 'ann', email: 'ann@example.com', password: 'correct horse battery' };
const missed: string[] = [];

type Caller = ReturnType<typeof caller>;

process.chdir(join(import.meta.dirname, '..'));
const unset = Object.fromEntries(Object.keys(everySetting).map((name) => [name, '']));

for (const engine of ['sqlite', ...(process.env['TEST_DATABASE_URL'] ? ['postgres'] : [])] as const) {
  if (process.env['BENCH_ONLY'] && process.env['BENCH_ONLY'] !== engine) continue;
  await measure(engine === 'sqlite' ? 'sqlite' : 'postgres');
}
if (missed.length > 0) {
  console.error(`Missed: ${missed.join('; ')}. The same moments again: KILL_SEED=${seed}`);
  process.exit(1);
}
process.exit(0);

async function measure(engine: 'sqlite' | 'postgres'): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'kotae-kills-'));
  const database = await createDatabase({ engine });
  const [model, stripe, port] = [await startModelServer(), await startStripe(), await freePort()];
  const next = numbers(seed);
  const url = `http://127.0.0.1:${port}`;
  const call = caller(url);
  const env = {
    ...unset,
    PORT: String(port),
    DATA_DIR: folder,
    RATE_LIMITS: 'false',
    MIN_FREE_DISK_MB: '0',
    CREDIT_GRANT: '1000000',
    OPENAI_COMPATIBLE_BASE_URL: model.url,
    ...stripe.settings,
    ...database.settings,
  };
  const start = () => startServing([process.execPath, 'server/main.ts'], { port, env });
  // As slow as a model is, so that many answers are cut off in the middle.
  model.behave(async (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (let word = 0; word < 10; word++) {
      response.write(`data: ${delta('word ')}\n\n`);
      await sleep(40);
    }
    response.end(`data: ${finish()}\n\ndata: [DONE]\n\n`);
  });
  try {
    let server = await start();
    const { bot, sold, ...first } = await prepare(call);
    let { jwt } = first;
    const paid = new Set<string>();
    const done = { answers: 0, orders: 0, cut: 0 };
    for (let kill = 0; kill < kills; kill++) {
      const over = new AbortController();
      const forever = async (work: () => Promise<void>) => {
        while (!over.signal.aborted) await work().catch(() => (done.cut++, sleep(20)));
      };
      const chat = async () => {
        await call(conversations.send, { jwt, body: { bot, message: { text: 'How long?' } } });
        done.answers++;
      };
      const order = async () => {
        const key = `order-${next(2 ** 31)}`;
        const place = () => call(payments.create, { jwt, key, body: { package: sold } });
        if (next(4) === 0) stripe.trouble((['error-after', 'dropped', 'busy', 'html'] as const)[next(4)] ?? 'busy');
        const { uuid } = (await place().catch(place)).data;
        done.orders++;
        const intent = stripe.intentOf(uuid);
        if (next(5) === 0) return;
        stripe.confirm(intent);
        paid.add(uuid);
        const event = stripe.event('payment_intent.succeeded', intent);
        // Told never, once, or twice at once.
        await Promise.all(Array.from({ length: next(3) }, () => stripe.deliver(url, event)));
        if (next(2) === 0) await call(payments.get, { jwt, params: { uuid } });
      };
      const work = [
        ...Array.from({ length: chatsAtOnce }, () => forever(chat)),
        ...Array.from({ length: ordersAtOnce }, () => forever(order)),
      ];
      await sleep(100 + next(2000));
      await server.kill();
      over.abort();
      await Promise.all(work);
      server = await start();
      // A session’s token is good for a quarter of an hour.
      jwt = await signIn(call);
      if (kill % 50 === 49)
        console.log(`${engine}: ${kill + 1} kills, ${JSON.stringify({ ...done, paid: paid.size })}`);
    }
    await server.kill();
    await age(env);
    server = await start();
    await settle(env, paid.size);
    await server.stop();
    await judge(engine, env, { paid, answers: done.answers });
    if (stripe.faults.length > 0) missed.push(`${engine}: Stripe was asked wrongly: ${stripe.faults[0]}`);
    console.log(
      `${engine}: ${kills} kills; ${done.answers} answers ended, ${done.orders} orders, ${paid.size} paid, ${done.cut} requests cut off`,
    );
  } finally {
    await Promise.all([model.stop(), stripe.close()]);
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function signIn(call: Caller): Promise<string> {
  const body = { identifier: ann.email, password: ann.password };
  const signedIn = await call(accounts.signIn, { body });
  return 'jwt' in signedIn ? signedIn.jwt : '';
}

/** Whoever runs it, a bot that costs credits, and what is sold. */
async function prepare(call: Caller) {
  const registered = await call(accounts.register, { body: ann });
  const jwt = 'jwt' in registered ? registered.jwt : '';
  let uuid: string | undefined;
  for (let time = 0; time < 100 && !uuid; time++, await sleep(50))
    uuid = (await call(services.list)).find(({ modelId }) => modelId === 'double-1')?.uuid;
  if (!uuid) throw new Error('the model is not offered');
  await call(operatorServices.update, { jwt, params: { uuid }, body: { price: { in: 100, out: 100, cached: 10 } } });
  const bot = (await call(bots.create, { jwt, body: { name: 'Paid', service: uuid } })).data.uuid;
  const sale = { credits: 500, price: 880, currency: 'JPY' } as const;
  const sold = (await call(payments.addPackage, { jwt, body: sale })).data.uuid;
  return { jwt, bot, sold };
}

function open(env: { DATA_DIR: string; DATABASE_URL?: string | undefined }) {
  return openDatabase({ DATA_DIR: env.DATA_DIR, DATABASE_URL: env.DATABASE_URL || undefined }, { connections: 1 });
}

/** Puts behind us what is waited for: dead processes' leases, what was set aside, payments that have only begun. */
async function age(env: { DATA_DIR: string; DATABASE_URL?: string | undefined }): Promise<void> {
  const { db, close } = open(env);
  const old = Date.now() - 2 * holdMs;
  await db.updateTable('job').set({ lease_until: 0 }).where('state', '=', 'running').execute();
  await db.updateTable('message').set({ lease_until: 0 }).where('status', '=', 'streaming').execute();
  await db.updateTable('credit_hold').set({ created_at: old }).execute();
  await db.updateTable('payment').set({ created_at: old, updated_at: old }).where('ended', '=', 0).execute();
  await db.updateTable('recurring').set({ due_at: 0 }).execute();
  await close();
}

/** Until everything that was paid is credited by the reconciler alone: nobody asks for a payment, and no event comes. */
async function settle(env: { DATA_DIR: string; DATABASE_URL?: string | undefined }, paid: number): Promise<void> {
  const { db, close } = open(env);
  const credited = async () =>
    (await db.selectFrom('credit_purchase').select('payment').where('kind', '=', 'purchase').execute()).length;
  for (let time = 0; time < 300 && (await credited()) < paid; time++, await sleep(2000))
    // It comes once a minute, and takes 200 at a time.
    await db.updateTable('recurring').set({ due_at: 0 }).where('name', '=', 'payments.reconcile').execute();
  await close();
}

async function judge(
  engine: string,
  env: { DATA_DIR: string; DATABASE_URL?: string | undefined },
  { paid, answers }: { paid: Set<string>; answers: number },
): Promise<void> {
  const { db, close } = open(env);
  const { faults } = await checkBooks(db);
  for (const { of, told, counted } of faults) missed.push(`${engine}: ${of} is ${told}, counted ${counted}`);
  const rows = await db.selectFrom('credit_purchase').select('payment').where('kind', '=', 'purchase').execute();
  const credited = new Set(rows.map(({ payment }) => payment));
  const entries = await db.selectFrom('token_entry').select('uuid').where('kind', '=', 'purchase').execute();
  if (entries.length !== paid.size || credited.size !== paid.size || [...paid].some((uuid) => !credited.has(uuid)))
    missed.push(`${engine}: ${paid.size} were paid, ${credited.size} credited by ${entries.length} entries`);
  const receipts = await db.selectFrom('payment').select('receipt').where('receipt', 'is not', null).execute();
  const numbered = receipts.map(({ receipt }) => receipt ?? 0).toSorted((a, b) => a - b);
  if (numbered.some((number, at) => number !== at + 1)) missed.push(`${engine}: receipts have gaps`);
  const uses = await db.selectFrom('token_entry').select('message').where('kind', '=', 'use').execute();
  if (uses.length < answers || new Set(uses.map(({ message }) => message)).size !== uses.length)
    missed.push(`${engine}: ${answers} answers ended, ${uses.length} were entered`);
  const held = await db.selectFrom('credit_hold').select('message').execute();
  if (held.length > 0) missed.push(`${engine}: ${held.length} stay set aside`);
  const below = await db.selectFrom('credit_account').select('workspace').where('balance', '<', 0).execute();
  if (below.length > 0) missed.push(`${engine}: an account is below zero`);
  await close();
}
