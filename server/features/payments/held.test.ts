import { afterAll, beforeAll, expect, test } from 'vitest';
import { payments } from '../../../shared/contracts/payments.ts';
import { workspaces } from '../../../shared/contracts/workspaces.ts';
import { newId } from '../../infra/db.ts';
import { cardGateways } from './gateways.ts';
import { startTestApp, type Person, type TestApp } from '../../testing/app.ts';
import { startStripe, type FakeStripe } from '../../testing/stripe/stripe.ts';
import { reconcile, take } from './settle.ts';

let stripe: FakeStripe;
let app: TestApp;
let boss: Person;
let buyer: Person;
let sold: string;
beforeAll(async () => {
  stripe = await startStripe();
  app = await startTestApp({ CREDIT_GRANT: '0', ...stripe.settings });
  boss = await app.aPerson();
  buyer = await app.aPerson();
  sold = (await boss.call(payments.addPackage, { body: { credits: 500, price: 880, currency: 'JPY' } })).body.data.uuid;
});
afterAll(async () => {
  await app.stop();
  await stripe.close();
});

const details = async (uuid: string) => (await boss.call(payments.details, { params: { uuid } })).body.data;
const release = async (uuid: string) => (await boss.call(payments.release, { params: { uuid } })).body.data;
const tell = (type: string, intent: string) => stripe.deliver(app.url, stripe.event(type, intent));
const round = () => reconcile(app.server.context, new AbortController().signal);
const logged = (words: string) => app.logs.filter((line) => line.includes(words)).length;
const change = (uuid: string, to: { created_at?: number; updated_at?: number; gateway_id?: null }) =>
  app.server.context.db.updateTable('payment').set(to).where('uuid', '=', uuid).execute();
const rowOf = (uuid: string) =>
  app.server.context.db.selectFrom('payment').selectAll().where('uuid', '=', uuid).executeTakeFirstOrThrow();

function atStripe() {
  const [gateway] = cardGateways(app.server.context);
  if (!gateway) throw new Error('there is no gateway');
  return gateway;
}

async function anOrder(workspace?: string) {
  const headers = { 'idempotency-key': newId(), ...(workspace && { 'x-workspace': workspace }) };
  const { uuid } = (await buyer.call(payments.create, { body: { package: sold }, headers })).body.data;
  return { uuid, intent: stripe.intentOf(uuid) };
}

async function aPurchase(workspace?: string) {
  const made = await anOrder(workspace);
  stripe.confirm(made.intent);
  await tell('payment_intent.succeeded', made.intent);
  return made;
}

async function aSecondCharge(uuid: string) {
  const second = await anOrder();
  stripe.change(second.intent, { metadata: { payment: uuid } });
  stripe.confirm(second.intent);
  await tell('payment_intent.succeeded', second.intent);
  return second.intent;
}

test('a refund that was undone and seen to is not brought up again', async () => {
  const before = logged('refund-undone');
  const { uuid, intent } = await aPurchase();
  await boss.call(payments.refund, { params: { uuid }, body: { reason: 'x', amount: 100 } });
  stripe.failRefund(intent);
  await tell('refund.failed', intent);
  await details(uuid);
  expect(logged('refund-undone')).toBe(before + 1);
  const { holds, refunds } = await details(uuid);
  expect(holds).toMatchObject([{ reason: 'refund-undone', about: refunds[0]?.gatewayId }]);
  expect((await release(uuid)).held).toBeNull();
  expect(await details(uuid)).toMatchObject({ held: null, holds: [] });
  expect(logged('refund-undone')).toBe(before + 1);
});

test('another price that was seen to stays seen to, and its charge is known by its id', async () => {
  const { uuid, intent } = await anOrder();
  await change(uuid, { gateway_id: null });
  stripe.change(intent, { amount: 88 });
  stripe.confirm(intent);
  await tell('payment_intent.succeeded', intent);
  await change(uuid, { created_at: Date.now() - 13 * 3_600_000 });
  const held = await details(uuid);
  expect(held).toMatchObject({ state: 'processing', gatewayId: intent, held: 'price-differs' });
  expect(held.holds).toMatchObject([{ reason: 'price-differs', about: intent }]);
  expect(await release(uuid)).toMatchObject({ held: null, state: 'canceled' });
  expect(await details(uuid)).toMatchObject({ held: null, state: 'canceled' });
});

test('a second charge waits, with its id, also when the right one is paid after it', async () => {
  const { uuid, intent } = await anOrder();
  const second = await aSecondCharge(uuid);
  expect(await details(uuid)).toMatchObject({ held: 'other-charge', state: 'created' });
  stripe.confirm(intent);
  await tell('payment_intent.succeeded', intent);
  const held = await details(uuid);
  expect(held).toMatchObject({ held: 'other-charge', state: 'succeeded' });
  expect(held.holds).toMatchObject([{ reason: 'other-charge', about: second }]);
});

test('of two reasons the other one stays when one is gone', async () => {
  const { uuid, intent } = await aPurchase();
  const second = await aSecondCharge(uuid);
  await boss.call(payments.refund, { params: { uuid }, body: { reason: 'x', amount: 100 } });
  stripe.failRefund(intent);
  await tell('refund.failed', intent);
  const reasons = async () => (await details(uuid)).holds.map(({ reason }) => reason);
  expect(new Set(await reasons())).toEqual(new Set(['refund-undone', 'other-charge']));
  stripe.refund(second, 880);
  await tell('charge.refunded', second);
  expect(await reasons()).toEqual(['refund-undone']);
});

test('a payment on its way is not ended by seeing to a second charge', async () => {
  const { uuid, intent } = await anOrder();
  await aSecondCharge(uuid);
  await app.server.context.db.updateTable('payment').set({ state: 'processing' }).where('uuid', '=', uuid).execute();
  expect(await release(uuid)).toMatchObject({ held: null, state: 'processing' });
  stripe.confirm(intent);
  expect(await details(uuid)).toMatchObject({ held: null, state: 'succeeded' });
});

test('the card of a buyer who was erased does not come back', async () => {
  const name = `Team ${newId()}`;
  const team = (await buyer.call(workspaces.create, { body: { name } })).body.data.uuid;
  const { uuid } = await aPurchase(team);
  const late = await anOrder(team);
  expect((await details(uuid)).method).toBe('visa 4242');
  await buyer.call(workspaces.remove, { headers: { 'x-workspace': team }, body: { name } });
  stripe.confirm(late.intent);
  for (const each of [uuid, late.uuid]) {
    await details(each);
    expect((await rowOf(each)).method).toBeNull();
  }
});

test('an older reading of a refund on its way changes nothing of one that has failed', async () => {
  const { uuid, intent } = await aPurchase();
  const reading = await atStripe().read(intent);
  for (const state of ['pending', 'failed', 'pending', 'failed'] as const)
    await take(app.server.context, {
      reading: { ...reading, refunds: [{ id: 're_1', refund: null, amount: 300, at: Date.now(), state }] },
      payment: uuid,
    });
  expect((await rowOf(uuid)).refund_asked).toBe(0);
});

test('what a lost dispute took is not given back again', async () => {
  const { uuid, intent } = await aPurchase();
  stripe.closeDispute(stripe.dispute(intent, 500), 'lost');
  await tell('charge.dispute.closed', intent);
  expect((await details(uuid)).refundable).toBe(380);
  const over = await boss.call(payments.refund, { params: { uuid }, body: { reason: 'x', amount: 381 } });
  expect(over.error.code).toBe('refund-too-large');
});

test('entries of the audit log say which payment, and are of the workspace that bought', async () => {
  const { uuid } = await aPurchase();
  await boss.call(payments.refund, { params: { uuid }, body: { reason: 'x', amount: 100 } });
  const entries = await app.server.context.db
    .selectFrom('audit')
    .select(['action', 'workspace'])
    .where('subject', '=', uuid)
    .orderBy('created_at')
    .execute();
  const { workspace } = await rowOf(uuid);
  expect(entries).toEqual([
    { action: 'payment.started', workspace },
    { action: 'payment.refunded', workspace },
  ]);
});

test("the minute's job says what is our own fault, and looks at whoever waits before it looks again", async () => {
  const { uuid } = await anOrder();
  const longAgo = Date.now() - 60_000;
  await change(uuid, { created_at: longAgo, updated_at: longAgo });
  const { db } = app.server.context;
  await db.updateTable('payment').set({ gateway_id: 'pi_nowhere' }).where('uuid', '=', uuid).execute();
  await round();
  expect(logged('a payment could not be read')).toBeGreaterThan(0);
  expect((await rowOf(uuid)).updated_at).toBeGreaterThan(longAgo);
  await db.updateTable('payment').set({ gateway: 'sandbox', updated_at: longAgo }).where('uuid', '=', uuid).execute();
  await round();
  expect(logged('a payment could not be settled')).toBe(1);
  expect((await rowOf(uuid)).updated_at).toBeGreaterThan(longAgo);
  await db.deleteFrom('payment').where('uuid', '=', uuid).execute();
});

test('events of what is no payment of ours are forgotten after a week', async () => {
  const { db } = app.server.context;
  const { uuid } = await aPurchase();
  const kept = async () =>
    (await db.selectFrom('payment_event').select('id').where('id', 'like', 'evt_old_%').orderBy('id').execute()).map(
      ({ id }) => id,
    );
  const day = 24 * 3_600_000;
  await db
    .insertInto('payment_event')
    .values([
      { id: 'evt_old_other', created_at: Date.now() - 8 * day, type: 'plan.created', payment: null },
      { id: 'evt_old_young', created_at: Date.now() - 6 * day, type: 'plan.created', payment: null },
      { id: 'evt_old_ours', created_at: Date.now() - 8 * day, type: 'charge.refunded', payment: uuid },
      { id: 'evt_old_gone', created_at: Date.now(), type: 'charge.refunded', payment: newId() },
    ])
    .execute();
  await round();
  expect(await kept()).toEqual(['evt_old_ours', 'evt_old_young']);
});

test('an intent whose making was not heard of is found among hundreds of one hour', async () => {
  const gateway = atStripe();
  const anOrderOf = () => ({ payment: newId(), amount: 880, currency: 'JPY' });
  const lost = anOrderOf();
  const { id } = await gateway.start(lost);
  await Promise.all(Array.from({ length: 101 }, () => gateway.start(anOrderOf())));
  stripe.trouble('down', 3);
  expect((await gateway.start(lost)).id).toBe(id);
});
