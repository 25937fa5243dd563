import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { extractText, getDocumentProxy } from 'unpdf';
import { home } from '../../../shared/contracts/home.ts';
import { operator } from '../../../shared/contracts/operator.ts';
import { payments } from '../../../shared/contracts/payments.ts';
import { microPerCredit, usage } from '../../../shared/contracts/usage.ts';
import { workspaces } from '../../../shared/contracts/workspaces.ts';
import { notices } from '../../../shared/contracts/notices.ts';
import { readConfig } from '../../infra/config.ts';
import { newId } from '../../infra/db.ts';
import { createLog } from '../../infra/log.ts';
import { startServer } from '../../server.ts';
import { featureSettings } from '../../features.ts';
import { eventually, startTestApp, type Person, type TestApp } from '../../testing/app.ts';
import { startPushService, type PushService } from '../../testing/push.ts';
import { startStripe, type FakeStripe } from '../../testing/stripe/stripe.ts';
import { checkBooks } from '../usage/books.ts';
import { eraseWorkspace } from '../workspaces/erase-workspace.ts';
import { reconcile } from './settle.ts';
import { topUp } from './top-up-charge.ts';

let stripe: FakeStripe;
let push: PushService;
let app: TestApp;
let boss: Person;
let sold: string;
beforeAll(async () => {
  stripe = await startStripe();
  push = await startPushService();
  app = await startTestApp({ CREDIT_GRANT: '0', ALLOW_PRIVATE_HOSTS: push.host, ...stripe.settings });
  await letRest(app);
  boss = await app.aPerson();
  sold = await sell(500, 880);
});
afterEach(() => expect(stripe.faults).toEqual([]));
afterAll(async () => {
  expect((await checkBooks(app.server.context.db)).faults).toEqual([]);
  await app.stop();
  await stripe.close();
  await push.close();
});

/** What comes each minute comes when a test says so. */
async function letRest({ server }: TestApp): Promise<void> {
  const { db } = server.context;
  const names = ['payments.top-up', 'payments.reconcile'];
  await eventually('the work is known', async () => {
    const rows = await db.selectFrom('recurring').select('name').where('name', 'in', names).execute();
    return rows.length === names.length;
  });
  await db
    .updateTable('recurring')
    .set({ due_at: Date.now() + 86_400_000 })
    .where('name', 'in', names)
    .execute();
}

const signal = new AbortController().signal;
const minute = () => topUp(app.server.context, signal);
const round = () => reconcile(app.server.context, signal);
const sell = async (credits: number, price: number, currency: 'JPY' | 'USD' = 'JPY') =>
  (await boss.call(payments.addPackage, { body: { credits, price, currency } })).body.data.uuid;
const order = (
  person: Person,
  { key = newId(), wanted = sold, ...topUp }: { below: number; monthLimit: number; key?: string; wanted?: string },
) => person.call(payments.create, { body: { package: wanted, topUp }, headers: { 'idempotency-key': key } });
const tell = (type: string, intent: string) => stripe.deliver(app.url, stripe.event(type, intent));
const setUp = async (person: Person) => (await person.call(payments.topUp)).body.data;
const list = async (person: Person) => (await person.call(payments.list)).body.data;
/** What was bought by itself, the newest first. */
const bought = async (person: Person) => (await list(person)).filter(({ automatic }) => automatic);
const states = async (person: Person) => (await bought(person)).map(({ state, failure }) => [state, failure]);
const entries = async (person: Person) =>
  (await person.call(usage.history)).body.data.map(({ kind, amount }) => [kind, amount / microPerCredit]);
const workspaceOf = ({ user }: Person) => user.workspaces[0]?.uuid ?? '';
const rowOf = (person: Person) =>
  app.server.context.db
    .selectFrom('top_up')
    .selectAll()
    .where('workspace', '=', workspaceOf(person))
    .executeTakeFirstOrThrow();
const rowOfPayment = (person: Person) =>
  app.server.context.db
    .selectFrom('payment')
    .select('asked_at')
    .where('workspace', '=', workspaceOf(person))
    .where('top_up', 'is not', null)
    .executeTakeFirstOrThrow();
const mailsTo = async ({ user }: Person) =>
  (
    await app.server.context.db
      .selectFrom('mail')
      .select(['kind', 'subject'])
      .where('recipient', '=', user.email)
      .where('kind', 'in', ['topped-up', 'top-up-ended', 'top-up-full'])
      .orderBy('created_at')
      .orderBy('uuid')
      .execute()
  ).map(({ kind }) => kind);
const age = (uuid: string, ms: number) =>
  app.server.context.db
    .updateTable('payment')
    .set({ created_at: Date.now() - ms, updated_at: Date.now() - ms })
    .where('uuid', '=', uuid)
    .execute();

/** Somebody with 500 credits who wants more with fewer than 600: one is bought in the next minute. */
async function aBuyer({ below = 600, monthLimit = 8800, person }: Partial<Buying> = {}) {
  const who = person ?? (await app.aPerson());
  const { uuid } = (await order(who, { below, monthLimit })).body.data;
  const intent = stripe.intentOf(uuid);
  stripe.confirm(intent);
  expect((await tell('payment_intent.succeeded', intent)).status).toBe(200);
  const { customer } = await rowOf(who);
  return { person: who, uuid, intent, customer: customer ?? '' };
}
interface Buying {
  below: number;
  monthLimit: number;
  person: Person;
}

const isForgotten = (customer: string) =>
  eventually('the customer is forgotten', async () => !stripe.customers().has(customer));

describe('setting it up', () => {
  test('it begins when the purchase that orders it is paid, and not before', async () => {
    const person = await app.aPerson();
    const { uuid } = (await order(person, { below: 200, monthLimit: 2640 })).body.data;
    const intent = stripe.intentOf(uuid);
    expect(await setUp(person)).toBeNull();
    stripe.confirm(intent, '0002');
    await tell('payment_intent.payment_failed', intent);
    expect(await setUp(person)).toBeNull();
    stripe.confirm(intent);
    const event = stripe.event('payment_intent.succeeded', intent);
    await Promise.all(Array.from({ length: 10 }, () => stripe.deliver(app.url, event)));
    expect(await setUp(person)).toEqual({
      package: sold,
      credits: 500,
      price: 880,
      currency: 'JPY',
      below: 200,
      monthLimit: 2640,
      on: true,
      reason: null,
      card: 'visa 4242',
      spent: 0,
      sandbox: true,
    });
    const { customer } = await rowOf(person);
    expect(stripe.customers().get(customer ?? '')).toEqual(['4242']);
    await minute();
    expect(await bought(person)).toEqual([]);
  });

  test('a purchase without it keeps no card', async () => {
    const person = await app.aPerson();
    const known = stripe.customers().size;
    const body = { package: sold };
    const { data } = (await person.call(payments.create, { body, headers: { 'idempotency-key': newId() } })).body;
    stripe.confirm(stripe.intentOf(data.uuid));
    await tell('payment_intent.succeeded', stripe.intentOf(data.uuid));
    expect([await setUp(person), stripe.customers().size]).toEqual([null, known]);
  });

  test('it is part of what a key orders', async () => {
    const person = await app.aPerson();
    const key = newId();
    const made = await Promise.all(
      Array.from({ length: 5 }, () => order(person, { key, below: 200, monthLimit: 2640 })),
    );
    expect(new Set(made.map(({ body }) => body.data.uuid)).size).toBe(1);
    for (const other of [
      await order(person, { key, below: 201, monthLimit: 2640 }),
      await order(person, { key, below: 200, monthLimit: 2641 }),
      await person.call(payments.create, { body: { package: sold }, headers: { 'idempotency-key': key } }),
    ])
      expect([other.status, other.error.code]).toEqual([422, 'idempotency-key-used']);
    expect(await list(person)).toHaveLength(1);
  });

  test.each([
    { below: 0, monthLimit: 8800 },
    { below: -1, monthLimit: 8800 },
    { below: 1.5, monthLimit: 8800 },
    { below: 1_000_001, monthLimit: 8800 },
    { below: 100, monthLimit: 879 },
    { below: 100, monthLimit: 0 },
    { below: 100, monthLimit: 1e12 },
  ])('%o is refused, and orders nothing', async (topUp) => {
    const person = await app.aPerson();
    const reply = await order(person, topUp);
    expect([reply.status, reply.error.code]).toEqual([400, 'validation-failed']);
    expect(await list(person)).toEqual([]);
  });

  test('one of two at once stays, and the card of the other is forgotten', async () => {
    const person = await app.aPerson();
    const made = await Promise.all([1, 2].map((below) => order(person, { below, monthLimit: 8800 })));
    const before = new Set(stripe.customers().keys());
    await Promise.all(
      made.map(async ({ body }) => {
        const intent = stripe.intentOf(body.data.uuid);
        stripe.confirm(intent);
        expect((await tell('payment_intent.succeeded', intent)).status).toBe(200);
      }),
    );
    const { customer } = await rowOf(person);
    await eventually('one is left', async () => stripe.customers().size === before.size - 1);
    expect(stripe.customers().has(customer ?? '')).toBe(true);
    expect(await entries(person)).toHaveLength(2);
  });

  test('paid at another price, it waits for the operator, and its card is forgotten', async () => {
    const person = await app.aPerson();
    const { uuid } = (await order(person, { below: 200, monthLimit: 8800 })).body.data;
    const intent = stripe.intentOf(uuid);
    stripe.change(intent, { amount: 1 });
    stripe.confirm(intent);
    const [customer = ''] = [...stripe.customers().keys()].slice(-1);
    expect(stripe.customers().get(customer)).toEqual(['4242']);
    await tell('payment_intent.succeeded', intent);
    await tell('payment_intent.succeeded', intent);
    await isForgotten(customer);
    expect([await setUp(person), (await list(person))[0]?.state]).toEqual([null, 'processing']);
  });

  test('paid after its workspace was erased, its card is forgotten', async () => {
    const owner = await app.aPerson();
    const { uuid: workspace } = (await owner.call(workspaces.create, { body: { name: 'Gone' } })).body.data;
    const body = { package: sold, topUp: { below: 100, monthLimit: 8800 } };
    const headers = { 'idempotency-key': newId(), 'x-workspace': workspace };
    const { uuid } = (await owner.call(payments.create, { body, headers })).body.data;
    const intent = stripe.intentOf(uuid);
    stripe.confirm(intent);
    const before = stripe.customers().size;
    await eraseWorkspace(app.server.context, workspace);
    await tell('payment_intent.succeeded', intent);
    await eventually('it is forgotten', async () => stripe.customers().size === before - 1);
  });
});

describe('with too few credits', () => {
  test('the package is bought once, with a receipt, and whoever manages the workspace is told', async () => {
    const { person } = await aBuyer();
    await minute();
    await minute();
    expect(await entries(person)).toEqual([
      ['purchase', 500],
      ['purchase', 500],
    ]);
    const [made] = await bought(person);
    expect(made).toMatchObject({ state: 'succeeded', credits: 500, amount: 880, receipt: expect.any(Number) });
    expect(await setUp(person)).toMatchObject({ on: true, spent: 880 });
    expect(await mailsTo(person)).toEqual(['topped-up']);
    const receipt = await person.fetch(`/api/user/payment/${made?.uuid}/receipt?locale=ja`);
    const pdf = await getDocumentProxy(new Uint8Array(await receipt.arrayBuffer()), { verbosity: 0 });
    const { text } = await extractText(pdf, { mergePages: true });
    expect(text.replace(/\s+/g, ' ')).toMatch(/4242 ?（自動チャージ）/);
  });

  test('of fifty who look at the same moment, on two nodes, one buys', async () => {
    const { person } = await aBuyer();
    const isShared = app.settings['DATABASE_URL'] !== undefined;
    const second = isShared
      ? await startServer(readConfig(app.settings, featureSettings), createLog('silent'), ['web'])
      : undefined;
    const nodes = [app.server.context, second?.context ?? app.server.context];
    try {
      await Promise.all(Array.from({ length: 50 }, (_, at) => topUp(nodes[at % 2] ?? app.server.context, signal)));
    } finally {
      await second?.stop();
    }
    const made = await bought(person);
    expect(made).toHaveLength(1);
    expect(stripe.countOf(made[0]?.uuid ?? '')).toBe(1);
    expect(await entries(person)).toHaveLength(2);
  });

  test('what is set aside for answers counts as gone', async () => {
    const { person } = await aBuyer({ below: 400 });
    await minute();
    expect(await bought(person)).toEqual([]);
    const account = app.server.context.db.updateTable('credit_account').where('workspace', '=', workspaceOf(person));
    await account.set({ reserved: 200 * microPerCredit }).execute();
    await minute();
    expect(await bought(person)).toHaveLength(1);
    await account.set({ reserved: 0 }).execute();
  });

  test('it buys until there are enough, one in a minute', async () => {
    const { person } = await aBuyer({ below: 1600 });
    for (const count of [1, 2, 3, 3]) {
      await minute();
      expect(await bought(person)).toHaveLength(count);
    }
  });

  test('a month has its limit, which is told once, and the next month begins anew', async () => {
    const { person } = await aBuyer({ below: 100_000, monthLimit: 1800 });
    for (let time = 0; time < 5; time++) await minute();
    expect(await bought(person)).toHaveLength(2);
    expect(await setUp(person)).toMatchObject({ on: true, reason: null, spent: 1760 });
    expect(await mailsTo(person)).toEqual(['topped-up', 'topped-up', 'top-up-full']);
    for (const { uuid } of await bought(person)) await age(uuid, 32 * 86_400_000);
    await minute();
    expect(await bought(person)).toHaveLength(3);
    expect((await setUp(person))?.spent).toBe(880);
    // A higher limit is one that may be reached again.
    await person.call(payments.changeTopUp, { body: { monthLimit: 900 } });
    await minute();
    expect((await mailsTo(person)).filter((kind) => kind === 'top-up-full')).toHaveLength(2);
  });

  test('nothing is bought where it is off, or nothing is sold', async () => {
    const { person } = await aBuyer();
    expect((await person.call(payments.changeTopUp, { body: { on: false } })).body.data).toMatchObject({ on: false });
    await minute();
    expect(await bought(person)).toEqual([]);
    await person.call(payments.changeTopUp, { body: { on: true } });
    app.settings['PAYMENTS'] = 'off';
    await app.restart();
    try {
      await minute();
      expect(await bought(person)).toEqual([]);
      expect(await setUp(person)).toMatchObject({ on: true });
    } finally {
      delete app.settings['PAYMENTS'];
      await app.restart();
    }
    await minute();
    expect(await bought(person)).toHaveLength(1);
  });

  test('nobody pays for another workspace', async () => {
    const [one, other] = [await aBuyer(), await aBuyer({ below: 1 })];
    await minute();
    expect([await bought(one.person), await bought(other.person)].map(({ length }) => length)).toEqual([1, 0]);
    const stranger = await app.aPerson();
    expect(await setUp(stranger)).toBeNull();
    for (const reply of [
      await stranger.call(payments.changeTopUp, { body: { on: true } }),
      await stranger.call(payments.forgetTopUp),
    ])
      expect([reply.status, reply.error.code]).toEqual([404, 'top-up-not-found']);
    const headers = { 'x-workspace': workspaceOf(one.person) };
    expect((await stranger.call(payments.topUp, { headers })).status).toBe(404);
    expect((await stranger.call(payments.forgetTopUp, { headers })).status).toBe(404);
    expect(await setUp(one.person)).toMatchObject({ on: true });
  });

  test('what it is at work with is paid, answered and given up by nobody', async () => {
    const { person, customer } = await aBuyer();
    stripe.changeCards(customer, '0077');
    await minute();
    expect(await states(person)).toEqual([['processing', null]]);
    const params = { uuid: (await bought(person))[0]?.uuid ?? '' };
    for (const reply of [
      await person.call(payments.cancel, { params }),
      await person.call(payments.pay, { params, body: { number: '4242424242424242' } }),
      await person.call(payments.answer, { params, body: { verdict: 'approve' } }),
    ])
      expect([reply.status, reply.error.code]).toEqual([409, 'payment-done']);
    expect(await states(person)).toEqual([['processing', null]]);
  });
});

describe('when something dies or stays silent', () => {
  test('killed before the gateway is asked, it is bought once all the same', async () => {
    const { person } = await aBuyer();
    stripe.trouble('down', 6);
    await minute();
    const [made] = await bought(person);
    expect(made?.state).toBe('created');
    await app.restart();
    await minute();
    expect(await bought(person)).toHaveLength(1);
    await age(made?.uuid ?? '', 60_000);
    while ((await bought(person))[0]?.state === 'created') {
      await age(made?.uuid ?? '', 60_000);
      await round();
    }
    expect(await states(person)).toEqual([['succeeded', null]]);
    expect(stripe.countOf(made?.uuid ?? '')).toBe(1);
    expect(await entries(person)).toHaveLength(2);
  });

  test.each(['dropped', 'error-after'] as const)('an answer that is %s charges no second time', async (kind) => {
    const { person } = await aBuyer();
    stripe.trouble(kind);
    await minute();
    const [made] = await bought(person);
    expect(made?.state).toBe('succeeded');
    expect(stripe.countOf(made?.uuid ?? '')).toBe(1);
    expect(await entries(person)).toHaveLength(2);
  });

  test('turned off before the gateway was asked, nothing is charged', async () => {
    const { person } = await aBuyer();
    stripe.trouble('down', 6);
    await minute();
    await person.call(payments.changeTopUp, { body: { on: false } });
    const [made] = await bought(person);
    const uuid = made?.uuid ?? '';
    // What was asked of the gateway may still be done for a while.
    await age(uuid, 60_000);
    for (let time = 0; time < 4; time++) await round();
    expect(await states(person)).toEqual([['created', null]]);
    await app.server.context.db
      .updateTable('payment')
      .set({ asked_at: Date.now() - 180_000 })
      .where('uuid', '=', uuid)
      .execute();
    while ((await bought(person))[0]?.state === 'created') {
      await age(uuid, 60_000);
      await round();
    }
    expect(await states(person)).toEqual([['canceled', null]]);
    expect(stripe.countOf(uuid)).toBe(0);
    expect((await setUp(person))?.spent).toBe(0);
  });

  test('turned off and on while the gateway is at work with it, it stays one, and the month has no room for another', async () => {
    const { person } = await aBuyer({ monthLimit: 880 });
    stripe.slow(1500);
    const before = stripe.asked.length;
    const running = minute();
    await eventually('it was ordered', async () => (await bought(person)).length === 1);
    await eventually('the gateway is asked', async () => (await rowOfPayment(person)).asked_at !== null);
    await sleep(100);
    stripe.slow(0);
    await person.call(payments.changeTopUp, { body: { on: false } });
    const [made] = await bought(person);
    const uuid = made?.uuid ?? '';
    const { data } = (await person.call(payments.get, { params: { uuid } })).body;
    expect([data.state, stripe.asked.length]).toEqual(['created', before]);
    expect((await person.call(payments.changeTopUp, { body: { on: true } })).body.data.spent).toBe(880);
    await minute();
    await running;
    await minute();
    expect(await states(person)).toEqual([['succeeded', null]]);
    expect(stripe.countOf(uuid)).toBe(1);
  });

  test('charged although nobody heard of it, and turned off since, its credits come', async () => {
    const { person } = await aBuyer();
    await minute();
    const uuid = (await bought(person))[0]?.uuid ?? '';
    const { db } = app.server.context;
    // As it was before the answer came.
    await db.deleteFrom('credit_purchase').where('payment', '=', uuid).execute();
    await db
      .deleteFrom('token_entry')
      .where('workspace', '=', workspaceOf(person))
      .where('balance', '=', 1000 * microPerCredit)
      .execute();
    await db
      .updateTable('credit_account')
      .set({ balance: 500 * microPerCredit })
      .where('workspace', '=', workspaceOf(person))
      .execute();
    await db.deleteFrom('payment_document').where('payment', '=', uuid).execute();
    const before = { state: 'created', gateway_id: null, ended: 0, receipt: null } as const;
    await db.updateTable('payment').set(before).where('uuid', '=', uuid).execute();
    await person.call(payments.forgetTopUp);
    await age(uuid, 13 * 3_600_000);
    await round();
    expect(await states(person)).toEqual([['succeeded', null]]);
    expect(await entries(person)).toHaveLength(2);
  });

  test('the same event many times beside the minute’s work adds its credits once', async () => {
    const { person } = await aBuyer();
    await minute();
    const intent = stripe.intentOf((await bought(person))[0]?.uuid ?? '');
    const event = stripe.event('payment_intent.succeeded', intent);
    await Promise.all([...Array.from({ length: 20 }, () => stripe.deliver(app.url, event)), minute(), round()]);
    expect(await entries(person)).toHaveLength(2);
    expect(await mailsTo(person)).toEqual(['topped-up']);
  });
});

describe('it turns itself off', () => {
  test.each([
    ['0002', 'declined'],
    ['9995', 'insufficient-funds'],
    ['0069', 'expired-card'],
    ['3184', 'challenge-failed'],
  ] as const)('when a card that ends in %s fails as %s, and no form pays it later', async (card, reason) => {
    const { person, customer } = await aBuyer();
    stripe.changeCards(customer, card);
    await minute();
    await minute();
    expect(await states(person)).toEqual([['failed', reason]]);
    expect(await setUp(person)).toMatchObject({ on: false, reason, spent: 0 });
    expect(await mailsTo(person)).toEqual(['top-up-ended']);
    expect((await person.call(home.get)).body.data.topUpStopped).toBe(true);
    const intent = stripe.intentOf((await bought(person))[0]?.uuid ?? '');
    const row = await app.server.context.db
      .selectFrom('payment')
      .select('ended')
      .where('gateway_id', '=', intent)
      .executeTakeFirst();
    expect(row?.ended).toBe(1);
    await tell('payment_intent.canceled', intent);
    await tell('payment_intent.payment_failed', intent);
    expect(await states(person)).toEqual([['failed', reason]]);
    expect(await entries(person)).toEqual([['purchase', 500]]);
    // Somebody saw to the card.
    stripe.changeCards(customer, '4242');
    await person.call(payments.changeTopUp, { body: { on: true } });
    expect((await person.call(home.get)).body.data.topUpStopped).toBe(false);
    await minute();
    expect((await states(person))[0]).toEqual(['succeeded', null]);
  });

  test('when the gateway no longer knows the card', async () => {
    const { person, customer } = await aBuyer();
    stripe.dropCustomer(customer);
    await minute();
    await minute();
    expect(await states(person)).toEqual([['failed', 'declined']]);
    expect(await setUp(person)).toMatchObject({ on: false, reason: 'no-card' });
    expect(stripe.countOf((await bought(person))[0]?.uuid ?? '')).toBe(0);
  });

  test('when the package is no longer sold', async () => {
    const person = await app.aPerson();
    const wanted = await sell(400, 700);
    const { uuid } = (await order(person, { below: 600, monthLimit: 8800, wanted })).body.data;
    stripe.confirm(stripe.intentOf(uuid));
    await tell('payment_intent.succeeded', stripe.intentOf(uuid));
    await boss.call(payments.removePackage, { params: { uuid: wanted } });
    await minute();
    expect(await bought(person)).toEqual([]);
    expect(await setUp(person)).toMatchObject({ on: false, reason: 'package-gone', credits: 400, price: 700 });
    const refused = await person.call(payments.changeTopUp, { body: { on: true } });
    expect(refused.error.code).toBe('package-not-found');
    const { body } = await person.call(payments.changeTopUp, { body: { on: true, package: sold } });
    expect(body.data).toMatchObject({ on: true, reason: null, package: sold, credits: 500, price: 880 });
  });

  test('when payments are made through another gateway, which does not have the card', async () => {
    const { person } = await aBuyer();
    const { db } = app.server.context;
    await db.updateTable('top_up').set({ gateway: 'sandbox' }).where('workspace', '=', workspaceOf(person)).execute();
    await minute();
    expect(await setUp(person)).toMatchObject({ on: false, reason: 'gateway-gone' });
    expect((await person.call(payments.changeTopUp, { body: { on: true } })).error.code).toBe('card-needed');
    expect(await bought(person)).toEqual([]);
  });

  test('when the operator goes on with keys of another mode, though a payment of it is open for ever', async () => {
    const { person, customer } = await aBuyer();
    stripe.changeCards(customer, '0077');
    await minute();
    const { db } = app.server.context;
    // As it stands for whoever has test keys now, and had live ones.
    await db.updateTable('top_up').set({ live: 1 }).where('workspace', '=', workspaceOf(person)).execute();
    await db.updateTable('payment').set({ live: 1 }).where('workspace', '=', workspaceOf(person)).execute();
    await minute();
    expect(await setUp(person)).toMatchObject({ on: false, reason: 'gateway-gone' });
    expect(await mailsTo(person)).toEqual(['top-up-ended']);
    expect(await states(person)).toEqual([['processing', null]]);
    // The other mode does not know the card, so it would say that it is forgotten.
    await person.call(payments.forgetTopUp);
    await eventually('it is told', async () => app.logs.some((line) => line.includes('a card stays at its gateway')));
    expect(stripe.customers().has(customer)).toBe(true);
    await aBuyer({ person, below: 1100 });
    await minute();
    expect(await bought(person)).toHaveLength(2);
  });

  test('when any payment is given back: its own, the one that set it up, or another', async () => {
    const refund = (uuid: string) => boss.call(payments.refund, { params: { uuid }, body: { reason: 'Not wanted' } });
    const other = await app.aPerson();
    const { uuid: plain } = (
      await other.call(payments.create, { body: { package: sold }, headers: { 'idempotency-key': newId() } })
    ).body.data;
    stripe.confirm(stripe.intentOf(plain));
    await tell('payment_intent.succeeded', stripe.intentOf(plain));
    const [first, second, third] = [await aBuyer(), await aBuyer(), await aBuyer({ person: other, below: 1100 })];
    await minute();
    await refund((await bought(first.person))[0]?.uuid ?? '');
    await refund(second.uuid);
    await refund(plain);
    await minute();
    for (const { person } of [first, second, third]) {
      expect(await setUp(person)).toMatchObject({ on: false, reason: 'refunded' });
      expect(await bought(person)).toHaveLength(1);
    }
  });

  test('when the operator cancels its payment at the gateway, which is no fault of the card', async () => {
    const { person, customer } = await aBuyer();
    stripe.changeCards(customer, '0077');
    await minute();
    const intent = stripe.intentOf((await bought(person))[0]?.uuid ?? '');
    stripe.change(intent, { status: 'canceled' });
    await tell('payment_intent.canceled', intent);
    expect(await setUp(person)).toMatchObject({ on: false, reason: 'canceled', spent: 0 });
  });

  test('when a payment of it is disputed', async () => {
    const { person } = await aBuyer();
    await minute();
    const intent = stripe.intentOf((await bought(person))[0]?.uuid ?? '');
    const dispute = stripe.dispute(intent, 880);
    await tell('charge.dispute.created', intent);
    expect(await setUp(person)).toMatchObject({ on: false, reason: 'disputed' });
    stripe.closeDispute(dispute, 'lost');
    await tell('charge.dispute.closed', intent);
    await minute();
    expect(await bought(person)).toHaveLength(1);
    expect(await mailsTo(person)).toEqual(['topped-up', 'top-up-ended']);
  });

  test('when whoever set it up no longer manages the workspace, whose card is forgotten', async () => {
    const owner = await app.aPerson();
    const workspace = workspaceOf(owner);
    const { url } = (await owner.call(workspaces.invite, { body: { role: 'admin', days: 1 } })).body.data;
    const admin = await app.aPerson();
    await admin.call(workspaces.acceptInvitation, {
      body: { code: new URL(url ?? '').searchParams.get('code') ?? '' },
    });
    const body = { package: sold, topUp: { below: 1, monthLimit: 8800 } };
    const headers = { 'idempotency-key': newId(), 'x-workspace': workspace };
    const { uuid } = (await admin.call(payments.create, { body, headers })).body.data;
    stripe.confirm(stripe.intentOf(uuid));
    await tell('payment_intent.succeeded', stripe.intentOf(uuid));
    const { customer } = await rowOf(owner);
    await owner.call(workspaces.removeMember, { params: { uuid: admin.user.uuid } });
    await minute();
    expect(await setUp(owner)).toMatchObject({ on: false, reason: 'buyer-gone', card: null });
    expect(await bought(owner)).toEqual([]);
    expect((await owner.call(payments.changeTopUp, { body: { on: true } })).error.code).toBe('card-needed');
    expect([await mailsTo(owner), await mailsTo(admin)]).toEqual([['top-up-ended'], []]);
    await isForgotten(customer ?? '');
  });
});

test('a suspended owner is not charged, and is again when they are back', async () => {
  const { person } = await aBuyer();
  const params = { uuid: person.user.uuid };
  await boss.call(operator.suspend, { params });
  await minute();
  const made = () =>
    app.server.context.db
      .selectFrom('payment')
      .select('uuid')
      .where('workspace', '=', workspaceOf(person))
      .where('top_up', 'is not', null)
      .execute();
  expect(await made()).toEqual([]);
  await boss.call(operator.restore, { params });
  await minute();
  expect(await made()).toHaveLength(1);
});

describe('the card is forgotten', () => {
  test('when somebody ends it', async () => {
    const { person, customer } = await aBuyer();
    expect((await person.call(payments.forgetTopUp)).status).toBe(200);
    expect(await setUp(person)).toBeNull();
    await isForgotten(customer);
    await minute();
    expect(await bought(person)).toEqual([]);
    expect((await person.call(payments.forgetTopUp)).error.code).toBe('top-up-not-found');
  });

  test('when another purchase sets it up anew', async () => {
    const { person, customer } = await aBuyer({ below: 1 });
    const next = await aBuyer({ person, below: 2 });
    expect(await setUp(person)).toMatchObject({ below: 2, on: true });
    await isForgotten(customer);
    expect(stripe.customers().has(next.customer)).toBe(true);
  });

  test('when the workspace is erased, which is charged for no more, and whose payments do not say who bought', async () => {
    const { person, uuid, customer } = await aBuyer();
    await eraseWorkspace(app.server.context, workspaceOf(person));
    await isForgotten(customer);
    const { db } = app.server.context;
    expect(await db.selectFrom('payment').select('top_up_by').where('uuid', '=', uuid).execute()).toEqual([
      { top_up_by: null },
    ]);
    const before = stripe.asked.length;
    await minute();
    expect(stripe.asked).toHaveLength(before);
  });

  test('later, where the gateway is away at first', async () => {
    const { person, customer } = await aBuyer();
    stripe.trouble('down', 4);
    await person.call(payments.forgetTopUp);
    await isForgotten(customer);
  });
});

describe('changing it', () => {
  test('more is spent from a card by nobody but its owner, less by whoever manages the workspace', async () => {
    const { person: owner } = await aBuyer({ below: 100, monthLimit: 1760 });
    const { url } = (await owner.call(workspaces.invite, { body: { role: 'admin', days: 1 } })).body.data;
    const admin = await app.aPerson();
    const code = new URL(url ?? '').searchParams.get('code') ?? '';
    await admin.call(workspaces.acceptInvitation, { body: { code } });
    const headers = { 'x-workspace': workspaceOf(owner) };
    const change = (body: Record<string, unknown>) => admin.call(payments.changeTopUp, { headers, body });
    const dear = await sell(5000, 8000);
    const known = await setUp(owner);
    for (const more of [{ below: 101 }, { monthLimit: 1761 }, { package: dear, monthLimit: 8000 }]) {
      const reply = await change(more);
      expect([reply.status, reply.error.code]).toEqual([403, 'card-of-other']);
    }
    expect(await setUp(owner)).toEqual(known);
    expect((await change({ below: 50, monthLimit: 880, on: false })).body.data).toMatchObject({ below: 50, on: false });
    expect((await change({ on: true })).error.code).toBe('card-of-other');
    expect((await owner.call(payments.changeTopUp, { body: { on: true } })).status).toBe(200);
  });

  test('takes another package of the same currency, and other terms', async () => {
    const { person } = await aBuyer();
    const large = await sell(2000, 3300);
    const { body } = await person.call(payments.changeTopUp, {
      body: { package: large, below: 700, monthLimit: 6600 },
    });
    expect(body.data).toMatchObject({ package: large, credits: 2000, price: 3300, below: 700, monthLimit: 6600 });
    await minute();
    expect((await bought(person)).map(({ amount }) => amount)).toEqual([3300]);
    const { db } = app.server.context;
    const actions = await db
      .selectFrom('audit')
      .select('action')
      .where('workspace', '=', workspaceOf(person))
      .where('action', 'like', 'top-up.%')
      .orderBy('created_at')
      .execute();
    expect(actions.map(({ action }) => action)).toEqual(['top-up.started', 'top-up.changed']);
  });

  test('refuses what it cannot buy, and changes nothing', async () => {
    const { person } = await aBuyer({ below: 5 });
    const before = await setUp(person);
    const dollars = await sell(500, 880, 'USD');
    const put = async (body: Parameters<typeof person.call<typeof payments.changeTopUp>>[1]) => {
      const { status, error } = await person.call(payments.changeTopUp, body);
      return [status, error.code];
    };
    expect(await put({ body: { package: dollars } })).toEqual([404, 'package-not-found']);
    expect(await put({ body: { package: newId() } })).toEqual([404, 'package-not-found']);
    expect(await put({ body: { monthLimit: 879 } })).toEqual([400, 'validation-failed']);
    expect(await put({ body: { below: 0 } })).toEqual([400, 'validation-failed']);
    expect(await put({ body: { below: 1e9 } })).toEqual([400, 'validation-failed']);
    expect(await setUp(person)).toEqual(before);
  });
});

test('the export of a workspace has it, without the ids of the card', async () => {
  const { person, customer } = await aBuyer({ below: 3 });
  const files = new Map<string, string>();
  const { workspace } = app.server.context.features.find(({ name }) => name === 'payments') ?? {};
  for await (const { name, content } of workspace?.export?.(app.server.context, workspaceOf(person)) ?? [])
    files.set(name, Buffer.isBuffer(content) ? content.toString() : '');
  expect(JSON.parse(files.get('top-up.json') ?? '')).toEqual(await setUp(person));
  expect([...files.values()].join('')).not.toContain(customer);
});

test('whoever manages a workspace is told in their browser, in their language', async () => {
  const { person, customer } = await aBuyer();
  const browser = push.aBrowser();
  await person.call(notices.subscribe, { body: browser.target });
  stripe.changeCards(customer, '0069');
  await minute();
  const [told] = await eventually('it is told', async () => browser.got().length > 0 && browser.got());
  expect(browser.open(told!)).toMatchObject({
    title: expect.stringContaining('automatic top-up is off'),
    body: 'The card has expired.',
    url: '/Token?tab=purchases',
    lang: 'en',
  });
});

describe('in the sandbox', () => {
  let played: TestApp;
  beforeAll(async () => {
    played = await startTestApp({ CREDIT_GRANT: '0', PAYMENTS: 'sandbox' });
    await letRest(played);
  });
  afterAll(() => played.stop());

  async function aPlayer(number: string) {
    const person = await played.aPerson();
    const wanted = (await person.call(payments.packages)).body.data[0]?.uuid ?? '';
    const { uuid } = (await order(person, { below: 600, monthLimit: 8800, wanted })).body.data;
    await person.call(payments.pay, { params: { uuid }, body: { number } });
    return { person, uuid };
  }

  test('a card that pays pays again', async () => {
    const { person } = await aPlayer('4242424242424242');
    expect(await setUp(person)).toMatchObject({ on: true, card: 'card 4242', sandbox: true });
    await topUp(played.server.context, signal);
    expect(await states(person)).toEqual([['succeeded', null]]);
    expect((await person.call(usage.history)).body.meta.balance).toBe(1000 * microPerCredit);
  });

  test('a card whose bank asks each time cannot pay without its holder', async () => {
    const { person, uuid } = await aPlayer('4000002760003184');
    expect(await setUp(person)).toBeNull();
    await person.call(payments.answer, { params: { uuid }, body: { verdict: 'approve' } });
    expect(await setUp(person)).toMatchObject({ on: true, card: 'card 3184' });
    await topUp(played.server.context, signal);
    expect(await states(person)).toEqual([['failed', 'challenge-failed']]);
    expect(await setUp(person)).toMatchObject({ on: false, reason: 'challenge-failed' });
  });
});
