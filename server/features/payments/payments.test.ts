import { afterAll, beforeAll, expect, test } from 'vitest';
import { payments } from '../../../shared/contracts/payments.ts';
import { microPerCredit, usage } from '../../../shared/contracts/usage.ts';
import { newId } from '../../infra/db.ts';
import { startTestApp, type Person, type TestApp } from '../../testing/app.ts';
import { checkBooks } from '../usage/books.ts';
import { reconcile } from './settle.ts';

let app: TestApp;
let boss: Person;
beforeAll(async () => {
  app = await startTestApp({ CREDIT_GRANT: '0', PAYMENTS: 'sandbox' });
  boss = await app.aPerson();
});
afterAll(() => app.stop());

const cards = { good: '4242424242424242', bank: '4000002760003184', bankThenNo: '4000008400001629' };
const packages = async (person: Person) => (await person.call(payments.packages)).body.data;
const order = async (person: Person, key: string = newId(), at = 0) => {
  const sold = (await packages(person))[at];
  return person.call(payments.create, { body: { package: sold?.uuid ?? '' }, headers: { 'idempotency-key': key } });
};
const started = async (person: Person) => (await order(person)).body.data.uuid;
const pay = (person: Person, uuid: string, number = cards.good) =>
  person.call(payments.pay, { params: { uuid }, body: { number } });
const read = async (person: Person, uuid: string) => (await person.call(payments.get, { params: { uuid } })).body;
const entries = async (person: Person) => (await person.call(usage.history)).body;

test('a card that pays adds the credits of the package, once, with the next receipt number', async () => {
  const person = await app.aPerson();
  const uuid = await started(person);
  expect((await pay(person, uuid)).body.data).toMatchObject({ state: 'succeeded', credits: 500, amount: 880 });
  const seen = await Promise.all(Array.from({ length: 20 }, () => read(person, uuid)));
  expect(new Set(seen.map(({ meta }) => meta.balance))).toEqual(new Set([500 * microPerCredit]));
  const { data } = await entries(person);
  expect(data.map(({ kind, amount }) => [kind, amount])).toEqual([['purchase', 500 * microPerCredit]]);
  const again = await started(person);
  await pay(person, again);
  const [first, second] = [await read(person, uuid), await read(person, again)];
  expect(second.data.receipt).toBe((first.data.receipt ?? 0) + 1);
  expect((await pay(person, uuid)).error.code).toBe('payment-done');
});

test('looked at by many at the moment it succeeds, a payment adds its credits once', async () => {
  const person = await app.aPerson();
  const uuid = await started(person);
  await pay(person, uuid, cards.bank);
  const answer = () => person.call(payments.answer, { params: { uuid }, body: { verdict: 'approve' } });
  await Promise.all(Array.from({ length: 50 }, (_, at) => (at % 2 === 0 ? answer() : read(person, uuid))));
  expect(await read(person, uuid)).toMatchObject({ data: { state: 'succeeded' }, meta: { balance: 500_000_000 } });
  expect((await entries(person)).data).toHaveLength(1);
});

test.each([
  ['4000000000000002', 'failed', 'declined'],
  ['4000000000009995', 'failed', 'insufficient-funds'],
  ['4000000000000069', 'failed', 'expired-card'],
  ['4111111111111111', 'failed', 'declined'],
  ['4000000000000119', 'processing', null],
  [cards.bank, 'requires-action', null],
])('the card %s leaves a payment %s', async (number, state, failure) => {
  const person = await app.aPerson();
  const uuid = await started(person);
  expect((await pay(person, uuid, number)).body.data).toMatchObject({ state, failure, receipt: null });
  expect(await read(person, uuid)).toMatchObject({ data: { state, failure }, meta: { balance: 0 } });
});

test.each([
  [cards.bank, 'refuse', 'challenge-failed'],
  [cards.bank, 'expire', 'challenge-expired'],
  [cards.bankThenNo, 'approve', 'declined'],
] as const)('with %s, to %s at the bank ends as %s', async (number, verdict, failure) => {
  const person = await app.aPerson();
  const uuid = await started(person);
  await pay(person, uuid, number);
  const { body } = await person.call(payments.answer, { params: { uuid }, body: { verdict } });
  expect(body.data).toMatchObject({ state: 'failed', failure });
  await person.call(payments.answer, { params: { uuid }, body: { verdict: 'approve' } });
  expect(await read(person, uuid)).toMatchObject({ data: { state: 'failed' }, meta: { balance: 0 } });
});

test('what the buyer sends as price, amount or currency is refused', async () => {
  const person = await app.aPerson();
  const sold = (await packages(person))[0]?.uuid ?? '';
  for (const more of [{ price: 1 }, { qty: -1 }, { amount: 0.1 }, { currency: 'USD' }]) {
    const body = { package: sold, ...more };
    const reply = await person.call(payments.create, { body, headers: { 'idempotency-key': newId() } });
    expect([reply.status, reply.error.code]).toEqual([400, 'validation-failed']);
  }
  expect((await person.call(payments.list)).body.data).toEqual([]);
});

test('one key makes one order, however often it comes, and none for another package', async () => {
  const person = await app.aPerson();
  const key = newId();
  const made = await Promise.all(Array.from({ length: 20 }, () => order(person, key)));
  expect(new Set(made.map(({ body }) => body.data.uuid)).size).toBe(1);
  const other = await order(person, key, 1);
  expect([other.status, other.error.code]).toEqual([422, 'idempotency-key-used']);
  const sold = (await packages(person))[0]?.uuid ?? '';
  const without = await person.call(payments.create, { body: { package: sold } });
  expect([without.status, without.error.code]).toEqual([400, 'idempotency-key-missing']);
  expect((await person.call(payments.list)).body.data).toHaveLength(1);
});

test('a payment of another workspace is not there, and one that was not paid adds nothing', async () => {
  const [person, other] = [await app.aPerson(), await app.aPerson()];
  const uuid = await started(person);
  for (const reply of [
    await other.call(payments.get, { params: { uuid } }),
    await pay(other, uuid),
    await other.call(payments.cancel, { params: { uuid } }),
  ])
    expect([reply.status, reply.error.code]).toEqual([404, 'payment-not-found']);
  expect(await read(person, uuid)).toMatchObject({ data: { state: 'created' }, meta: { balance: 0 } });
});

test('a payment that was given up is not paid any more', async () => {
  const person = await app.aPerson();
  const uuid = await started(person);
  expect((await person.call(payments.cancel, { params: { uuid } })).body.data.state).toBe('canceled');
  expect((await pay(person, uuid)).error.code).toBe('payment-done');
  expect((await read(person, uuid)).meta.balance).toBe(0);
});

test('what was paid while nobody looked is found and added, and a kill before the gateway was asked loses nothing', async () => {
  const { context } = app.server;
  const person = await app.aPerson();
  const [paid, unasked] = [await started(person), await started(person)];
  const { db } = context;
  await db.updateTable('sandbox_charge').set({ state: 'succeeded' }).where('payment', '=', paid).execute();
  await db.deleteFrom('sandbox_charge').where('payment', '=', unasked).execute();
  await db.updateTable('payment').set({ gateway_id: null }).where('uuid', '=', unasked).execute();
  await db
    .updateTable('payment')
    .set({ created_at: Date.now() - 60_000 })
    .where('uuid', 'in', [paid, unasked])
    .execute();
  for (let time = 0; time < 2; time++) await reconcile(context, new AbortController().signal);
  const { data } = await entries(person);
  expect(data.map(({ kind, balance }) => [kind, balance])).toEqual([['purchase', 500 * microPerCredit]]);
  expect((await pay(person, unasked)).body.data.state).toBe('succeeded');
});

test('an operator gives a payment back once, and its credits go', async () => {
  const person = await app.aPerson();
  const uuid = await started(person);
  const refund = () => boss.call(payments.refund, { params: { uuid }, body: { reason: 'Bought twice' } });
  expect((await refund()).error.code).toBe('payment-done');
  await pay(person, uuid);
  const statuses = (await Promise.all([refund(), refund(), refund()])).map(({ status }) => status);
  expect(statuses).toContain(200);
  expect(await read(person, uuid)).toMatchObject({ data: { state: 'refunded' }, meta: { balance: 0 } });
  const { data } = await entries(person);
  expect(data.map(({ kind, amount, reason }) => [kind, amount, reason])).toEqual([
    ['refund', -500 * microPerCredit, 'Bought twice'],
    ['purchase', 500 * microPerCredit, null],
  ]);
  expect((await checkBooks(app.server.context.db)).faults).toEqual([]);
});

test('packages have whole credits and a whole price', async () => {
  const add = (credits: number, price: number) =>
    boss.call(payments.addPackage, { body: { credits, price, currency: 'USD' } });
  for (const [credits, price] of [
    [0, 100],
    [-1, 100],
    [1.5, 100],
    [100, 0],
    [100, -5],
    [100, 99.5],
    [1e12, 100],
    [100, 1e12],
  ] as const)
    expect((await add(credits, price)).status).toBe(400);
  const { uuid } = (await add(100, 199)).body.data;
  expect((await packages(boss)).map((each) => each.uuid)).toContain(uuid);
  expect((await boss.call(payments.removePackage, { params: { uuid } })).status).toBe(200);
  const body = { package: uuid };
  const late = await boss.call(payments.create, { body, headers: { 'idempotency-key': newId() } });
  expect([late.status, late.error.code]).toEqual([404, 'package-not-found']);
});

test('an order that began in a sandbox is worth nothing once the sandbox is closed', async () => {
  const person = await app.aPerson();
  const uuid = await started(person);
  app.settings['PAYMENTS'] = 'off';
  await app.restart();
  try {
    expect((await pay(person, uuid)).error.code).toBe('payments-closed');
    expect((await read(person, uuid)).meta.balance).toBe(0);
  } finally {
    app.settings['PAYMENTS'] = 'sandbox';
    await app.restart();
  }
});
