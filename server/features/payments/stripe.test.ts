import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { payments } from '../../../shared/contracts/payments.ts';
import { microPerCredit, usage } from '../../../shared/contracts/usage.ts';
import { featureSettings } from '../../features.ts';
import { readConfig } from '../../infra/config.ts';
import { newId } from '../../infra/db.ts';
import { startTestApp, type Person, type TestApp } from '../../testing/app.ts';
import { startStripe, type FakeStripe } from '../../testing/stripe/stripe.ts';
import { checkBooks } from '../usage/books.ts';
import { cardGateways } from './gateways.ts';
import { reconcile } from './settle.ts';

let stripe: FakeStripe;
let app: TestApp;
let boss: Person;
let sold: string;
beforeAll(async () => {
  stripe = await startStripe();
  app = await startTestApp({ CREDIT_GRANT: '0', ...stripe.settings });
  boss = await app.aPerson();
  sold = (await boss.call(payments.addPackage, { body: { credits: 500, price: 880, currency: 'JPY' } })).body.data.uuid;
});
afterEach(() => expect(stripe.faults).toEqual([]));
afterAll(async () => {
  expect((await checkBooks(app.server.context.db)).faults).toEqual([]);
  const logged = app.logs.join('');
  for (const secret of [stripe.settings['STRIPE_SECRET_KEY'], stripe.settings['STRIPE_WEBHOOK_SECRET'], '_secret_'])
    expect(logged).not.toContain(secret);
  await app.stop();
  await stripe.close();
});

const order = (person: Person, key: string = newId()) =>
  person.call(payments.create, { body: { package: sold }, headers: { 'idempotency-key': key } });
const read = async (person: Person, uuid: string) => (await person.call(payments.get, { params: { uuid } })).body;
const entries = async (person: Person) =>
  (await person.call(usage.history)).body.data.map(({ kind, amount }) => [kind, amount / microPerCredit]);
const details = async (uuid: string) => (await boss.call(payments.details, { params: { uuid } })).body.data;
const tell = (type: string, intent: string) => stripe.deliver(app.url, stripe.event(type, intent));

/** Somebody with an order that is at Stripe. */
async function anOrder() {
  const person = await app.aPerson();
  const { uuid } = (await order(person)).body.data;
  return { person, uuid, intent: stripe.intentOf(uuid) };
}

/** The same, paid and known to be. */
async function aPurchase() {
  const made = await anOrder();
  stripe.confirm(made.intent);
  expect((await tell('payment_intent.succeeded', made.intent)).status).toBe(200);
  return made;
}

/** As if so much time had passed since it was begun. */
const age = (uuid: string, ms: number) =>
  app.server.context.db
    .updateTable('payment')
    .set({ created_at: Date.now() - ms, updated_at: Date.now() - ms })
    .where('uuid', '=', uuid)
    .execute();
const round = () => reconcile(app.server.context, new AbortController().signal);

test('an order is one intent, whose secret opens the form, and the price is ours', async () => {
  const person = await app.aPerson();
  const { meta } = (await person.call(payments.packages)).body;
  expect(meta).toEqual({ open: true, sandbox: true, gateway: 'stripe', publishableKey: 'pk_test_double' });
  const { body } = await order(person);
  expect(body.data).toMatchObject({ state: 'created', amount: 880, gateway: 'stripe', receipt: null });
  expect(body.meta.clientSecret).toMatch(/^pi_\w+_secret_/);
  for (const more of [{ price: 1 }, { qty: -1 }, { amount: 0.1 }, { currency: 'USD' }]) {
    const wrong = { package: sold, ...more };
    const reply = await person.call(payments.create, { body: wrong, headers: { 'idempotency-key': newId() } });
    expect([reply.status, reply.error.code]).toEqual([400, 'validation-failed']);
  }
});

test('what was made for the sandbox is not sold for money', async () => {
  const { db } = app.server.context;
  const seeds = await db.selectFrom('credit_package').select('uuid').where('sandbox', '=', 1).execute();
  expect(seeds).toHaveLength(3);
  const reply = await boss.call(payments.create, {
    body: { package: seeds[0]?.uuid ?? '' },
    headers: { 'idempotency-key': newId() },
  });
  expect(reply.error.code).toBe('package-not-found');
  expect((await boss.call(payments.packages)).body.data.map(({ uuid }) => uuid)).toEqual([sold]);
});

test('twenty orders with one key are one, at Stripe too, and another body under it is refused', async () => {
  const person = await app.aPerson();
  const key = newId();
  const made = await Promise.all(Array.from({ length: 20 }, () => order(person, key)));
  expect(made.map(({ status }) => status)).toEqual(Array(20).fill(200));
  const [uuid] = new Set(made.map(({ body }) => body.data.uuid));
  expect(stripe.countOf(uuid ?? '')).toBe(1);
  const other = (await boss.call(payments.addPackage, { body: { credits: 100, price: 200, currency: 'JPY' } })).body
    .data;
  const refused = await person.call(payments.create, {
    body: { package: other.uuid },
    headers: { 'idempotency-key': key },
  });
  expect([refused.status, refused.error.code]).toEqual([422, 'idempotency-key-used']);
  await boss.call(payments.removePackage, { params: { uuid: other.uuid } });
});

test('fifty times the same event, the page that comes back and the list at once add the credits once', async () => {
  const { person, uuid, intent } = await anOrder();
  stripe.confirm(intent);
  const event = stripe.event('payment_intent.succeeded', intent);
  const told = await Promise.all(
    Array.from({ length: 50 }, (_, at) =>
      at % 5 === 0 ? read(person, uuid).then(() => 200) : stripe.deliver(app.url, event).then(({ status }) => status),
    ),
  );
  expect(new Set(told)).toEqual(new Set([200]));
  await round();
  expect(await entries(person)).toEqual([['purchase', 500]]);
  expect(await read(person, uuid)).toMatchObject({
    data: { state: 'succeeded', refunded: 0 },
    meta: { balance: 500 * microPerCredit },
  });
  expect((await details(uuid)).events).toHaveLength(1);
});

describe('an event', () => {
  test.each([
    ['forged', { secret: 'whsec_somebody_elses' }],
    ['six minutes old', { secondsAgo: 360 }],
    ['of a moment to come', { secondsAgo: -360 }],
    ['signed with nothing', { secret: '' }],
  ])('that is %s is refused, and changes nothing', async (_, signing) => {
    const { person, uuid, intent } = await anOrder();
    stripe.confirm(intent);
    const reply = await stripe.deliver(app.url, stripe.event('payment_intent.succeeded', intent), signing);
    expect(reply.status).toBe(400);
    const row = await app.server.context.db
      .selectFrom('payment')
      .select('state')
      .where('uuid', '=', uuid)
      .executeTakeFirst();
    expect(row?.state).toBe('created');
    expect(await entries(person)).toEqual([]);
  });

  test('that nobody has signed is logged once in a while, however many there are', async () => {
    for (let count = 0; count < 20; count++)
      await stripe.deliver(app.url, stripe.event('payment_intent.succeeded', 'pi_none'), { secret: 'whsec_other' });
    expect(app.logs.filter((line) => line.includes('was not signed'))).toHaveLength(1);
  });

  test('without a signature, with a body that is none, or too large, is refused', async () => {
    for (const [body, status] of [
      ['', 400],
      ['{"id":"evt_1","type":"payment_intent.succeeded"}', 400],
      ['x'.repeat(300_000), 413],
    ] as const) {
      const reply = await app.anyone.fetch('/webhook/stripe', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      });
      expect(reply.status).toBe(status);
    }
    expect((await stripe.deliver(app.url, { body: 'no json' })).status).toBe(400);
    expect((await stripe.deliver(app.url, { body: '{"id":7}' })).status).toBe(400);
  });

  test('of a kind that is not known, or about an intent that is not ours, is kept and answered', async () => {
    const unknown = stripe.event('plan.created', null);
    expect((await stripe.deliver(app.url, unknown)).status).toBe(200);
    expect((await stripe.deliver(app.url, unknown)).status).toBe(200);
    const { intent } = await anOrder();
    stripe.change(intent, { metadata: { payment: newId() } });
    expect((await tell('payment_intent.succeeded', intent)).status).toBe(200);
    stripe.change(intent, { metadata: { payment: 'not an id' } });
    expect((await tell('payment_intent.succeeded', intent)).status).toBe(200);
    const kept = await app.server.context.db
      .selectFrom('payment_event')
      .select('payment')
      .where('id', '=', unknown.id)
      .execute();
    expect(kept).toEqual([{ payment: null }]);
  });

  test('that says something else than Stripe does is worth nothing', async () => {
    const { person, uuid, intent } = await anOrder();
    expect((await tell('payment_intent.succeeded', intent)).status).toBe(200);
    expect(await read(person, uuid)).toMatchObject({ data: { state: 'created' }, meta: { balance: 0 } });
  });

  test('that comes while Stripe cannot be asked is asked for again, and worked on then', async () => {
    const { person, intent } = await anOrder();
    stripe.confirm(intent);
    const event = stripe.event('payment_intent.succeeded', intent);
    stripe.trouble('down', 3);
    expect((await stripe.deliver(app.url, event)).status).toBe(503);
    expect((await stripe.deliver(app.url, event)).status).toBe(200);
    expect(await entries(person)).toEqual([['purchase', 500]]);
  });

  test('of a refund that comes before the one of the payment leads to the right end, and a late failure changes nothing', async () => {
    const { person, uuid, intent } = await anOrder();
    stripe.confirm(intent);
    const paid = stripe.event('payment_intent.succeeded', intent);
    stripe.refund(intent, 880);
    expect((await tell('charge.refunded', intent)).status).toBe(200);
    expect((await stripe.deliver(app.url, paid)).status).toBe(200);
    expect((await tell('payment_intent.payment_failed', intent)).status).toBe(200);
    expect(await read(person, uuid)).toMatchObject({ data: { state: 'refunded' }, meta: { balance: 0 } });
    expect(await entries(person)).toEqual([
      ['refund', -500],
      ['purchase', 500],
    ]);
  });

  test('of a failure that comes after the payment leaves it paid', async () => {
    const { person, uuid, intent } = await anOrder();
    stripe.confirm(intent, '0002');
    const failed = stripe.event('payment_intent.payment_failed', intent);
    expect((await stripe.deliver(app.url, failed)).status).toBe(200);
    expect((await read(person, uuid)).data).toMatchObject({ state: 'failed', failure: 'declined' });
    stripe.confirm(intent);
    await tell('payment_intent.succeeded', intent);
    expect((await tell('payment_intent.payment_failed', intent)).status).toBe(200);
    expect((await read(person, uuid)).data).toMatchObject({ state: 'succeeded', failure: null });
    expect(await entries(person)).toEqual([['purchase', 500]]);
  });
});

test.each([
  ['0002', 'declined'],
  ['9995', 'insufficient-funds'],
  ['0069', 'expired-card'],
])('a card that ends in %s fails as %s, and another one may still pay', async (card, failure) => {
  const { person, uuid, intent } = await anOrder();
  stripe.confirm(intent, card);
  expect((await read(person, uuid)).data).toMatchObject({ state: 'failed', failure });
  stripe.confirm(intent);
  expect((await read(person, uuid)).data).toMatchObject({ state: 'succeeded', failure: null });
});

test('the bank is asked, and its no is told', async () => {
  const { person, uuid, intent } = await anOrder();
  stripe.confirm(intent, '3184');
  expect((await read(person, uuid)).data.state).toBe('requires-action');
  stripe.answer(intent, 'refuse');
  expect((await read(person, uuid)).data).toMatchObject({ state: 'failed', failure: 'challenge-failed' });
  expect(await entries(person)).toEqual([]);
});

test('a page of success that was not paid for adds nothing, and one of another workspace is not there', async () => {
  const { person, uuid } = await anOrder();
  const other = await app.aPerson();
  const reply = await other.call(payments.get, { params: { uuid } });
  expect([reply.status, reply.error.code]).toEqual([404, 'payment-not-found']);
  expect(await read(person, uuid)).toMatchObject({ data: { state: 'created' }, meta: { balance: 0 } });
  // The sandbox's cards and its bank are not to be had here.
  const body = { number: '4242424242424242' };
  expect((await person.call(payments.pay, { params: { uuid }, body })).error.code).toBe('payment-done');
  const verdict = { verdict: 'approve' } as const;
  expect((await person.call(payments.answer, { params: { uuid }, body: verdict })).error.code).toBe('payment-done');
});

describe('what happens when nobody hears of it', () => {
  test('a payment whose event never comes is found within minutes, once', async () => {
    const { person, uuid, intent } = await anOrder();
    stripe.confirm(intent);
    await age(uuid, 60_000);
    await round();
    await round();
    expect(await entries(person)).toEqual([['purchase', 500]]);
    // A week later it comes after all.
    expect((await tell('payment_intent.succeeded', intent)).status).toBe(200);
    expect(await entries(person)).toEqual([['purchase', 500]]);
  });

  test('killed between the charge and our row, the order is there and is credited once', async () => {
    const { person, uuid, intent } = await anOrder();
    stripe.confirm(intent);
    const { db } = app.server.context;
    await db.updateTable('payment').set({ gateway_id: null }).where('uuid', '=', uuid).execute();
    await age(uuid, 240_000);
    await app.restart();
    await round();
    await round();
    expect(await entries(person)).toEqual([['purchase', 500]]);
    expect(stripe.countOf(uuid)).toBe(1);
    expect((await details(uuid)).gatewayId).toBe(intent);
  });

  test('killed after the credit and before the answer, the same event changes nothing', async () => {
    const { person, intent } = await anOrder();
    stripe.confirm(intent);
    const event = stripe.event('payment_intent.succeeded', intent);
    await stripe.deliver(app.url, event);
    await app.restart();
    expect((await stripe.deliver(app.url, event)).status).toBe(200);
    expect(await entries(person)).toEqual([['purchase', 500]]);
  });

  test('what nobody paid in a day is given up at Stripe, and asked for ever more seldom until then', async () => {
    const { uuid, person } = await anOrder();
    await age(uuid, 23 * 3_600_000);
    await round();
    const looked = await details(uuid);
    expect(looked.state).toBe('created');
    await age(uuid, 25 * 3_600_000);
    await round();
    expect((await read(person, uuid)).data.state).toBe('canceled');
  });
});

describe('when Stripe has a bad day', () => {
  test('a connection that is cut after the work was done makes no second intent', async () => {
    const person = await app.aPerson();
    stripe.trouble('dropped');
    const { status, body } = await order(person);
    expect(status).toBe(200);
    expect(stripe.countOf(body.data.uuid)).toBe(1);
  });

  test('an error after the work was done is repeated by Stripe, and the intent is found', async () => {
    const person = await app.aPerson();
    stripe.trouble('error-after');
    const { status, body } = await order(person);
    expect([status, typeof body.meta?.clientSecret]).toEqual([200, 'string']);
    expect(stripe.countOf(body.data.uuid)).toBe(1);
  });

  test.each(['html', 'down', 'busy'] as const)(
    '%s: the buyer is told so, and the same key goes on with the same order',
    async (kind) => {
      const person = await app.aPerson();
      const key = newId();
      stripe.trouble(kind, 12);
      const away = await order(person, key);
      expect([away.status, away.error.code]).toEqual([502, 'payments-unreachable']);
      while ((await order(person, key)).status !== 200);
      const { data } = (await person.call(payments.list)).body;
      expect(data).toHaveLength(1);
      expect(stripe.countOf(data[0]?.uuid ?? '')).toBe(1);
    },
    60_000,
  );

  test('a payment is shown as it was last known', async () => {
    const { person, uuid } = await anOrder();
    stripe.trouble('down', 3);
    expect((await read(person, uuid)).data.state).toBe('created');
  });
});

test('another price at Stripe is held for the operator, and nothing is added', async () => {
  const { person, uuid, intent } = await anOrder();
  stripe.change(intent, { amount: 88 });
  stripe.confirm(intent);
  expect((await tell('payment_intent.succeeded', intent)).status).toBe(200);
  expect((await read(person, uuid)).data).toMatchObject({ state: 'processing', receipt: null });
  expect(await entries(person)).toEqual([]);
  expect(await details(uuid)).toMatchObject({ held: 'price-differs', gatewayId: intent });
  const { data } = (await boss.call(payments.everyPayment, { query: { state: 'held' } })).body;
  expect(data.map((each) => each.uuid)).toContain(uuid);
  // Given back where it was charged, it needs nobody any more.
  stripe.refund(intent, 88);
  await tell('charge.refunded', intent);
  expect(await details(uuid)).toMatchObject({ held: null, state: 'canceled', receipt: null });
  expect(await entries(person)).toEqual([]);
});

test('a second charge for one payment is held, and its first credits stay', async () => {
  const { person, uuid } = await aPurchase();
  const second = await anOrder();
  stripe.change(second.intent, { metadata: { payment: uuid } });
  stripe.confirm(second.intent);
  expect((await tell('payment_intent.succeeded', second.intent)).status).toBe(200);
  expect(await details(uuid)).toMatchObject({ held: 'other-charge', state: 'succeeded' });
  expect(await entries(person)).toEqual([['purchase', 500]]);
  const release = () => boss.call(payments.release, { params: { uuid } });
  expect((await release()).body.data).toMatchObject({ held: null, state: 'succeeded' });
  expect((await release()).error.code).toBe('payment-done');
});

test('the operator finds payments by workspace, receipt and id at Stripe, and sees sums by month', async () => {
  const { person, uuid, intent } = await aPurchase();
  const { receipt } = (await read(person, uuid)).data;
  for (const q of [person.user.username, String(receipt), intent, uuid]) {
    const { data } = (await boss.call(payments.everyPayment, { query: { q } })).body;
    expect(data.map((each) => each.uuid)).toContain(uuid);
  }
  const { data } = (await boss.call(payments.months)).body;
  const paid = (await boss.call(payments.everyPayment, { query: { state: 'succeeded', limit: 100 } })).body.data;
  const back = (await boss.call(payments.everyPayment, { query: { state: 'refunded', limit: 100 } })).body.data;
  const every = [...paid, ...back];
  expect(data).toMatchObject([
    {
      month: new Date().toISOString().slice(0, 7),
      currency: 'JPY',
      sandbox: true,
      payments: every.length,
      paid: every.reduce((sum, { amount }) => sum + amount, 0),
      refunded: every.reduce((sum, { refunded }) => sum + refunded, 0),
    },
  ]);
  const page = (await boss.call(payments.everyPayment, { query: { limit: 1 } })).body;
  const next = await boss.call(payments.everyPayment, { query: { limit: 1, cursor: page.meta.nextCursor ?? '' } });
  expect(next.body.data[0]?.uuid).not.toBe(page.data[0]?.uuid);
});

describe('a refund', () => {
  const refund = (uuid: string, body: { amount?: number; reason?: string } = {}, key?: string) =>
    boss.call(payments.refund, {
      params: { uuid },
      body: { reason: 'Too many', ...body },
      ...(key && { headers: { 'idempotency-key': key } }),
    });

  test('in parts takes as much of the credits, and the parts add up to the whole', async () => {
    const { person, uuid } = await aPurchase();
    for (const amount of [1, 333, 333]) expect((await refund(uuid, { amount })).status).toBe(200);
    expect((await read(person, uuid)).data).toMatchObject({ state: 'succeeded', refunded: 667 });
    const over = await refund(uuid, { amount: 214 });
    expect([over.status, over.error.code]).toEqual([422, 'refund-too-large']);
    expect((await refund(uuid)).status).toBe(200);
    expect(await read(person, uuid)).toMatchObject({
      data: { state: 'refunded', refunded: 880 },
      meta: { balance: 0 },
    });
    expect((await refund(uuid)).error.code).toBe('payment-done');
    const { refunds } = (await read(person, uuid)).data;
    const notes = refunds.map(({ note }) => note ?? 0);
    expect(notes).toEqual(notes.map((_, at) => (notes[0] ?? 0) + at));
    const taken = (await person.call(usage.history)).body.data.filter(({ kind }) => kind === 'refund');
    expect(taken.reduce((sum, { amount }) => sum + amount, 0)).toBe(-500 * microPerCredit);
  });

  test.each([0, -5, 1.5, 881, 1e12])('of %d is refused', async (amount) => {
    const { uuid } = await aPurchase();
    const { status } = await refund(uuid, { amount });
    expect([400, 422]).toContain(status);
    expect((await details(uuid)).refunded).toBe(0);
  });

  test('is made once for a key, however often it is asked for at once', async () => {
    const { uuid } = await aPurchase();
    const key = newId();
    await Promise.all(Array.from({ length: 10 }, () => refund(uuid, { amount: 100 }, key)));
    expect(await details(uuid)).toMatchObject({ refunded: 100, refundable: 780 });
    expect((await refund(uuid, { amount: 200 }, key)).error.code).toBe('idempotency-key-used');
  });

  test('asked for at once by several never comes to more than was paid', async () => {
    const { person, uuid } = await aPurchase();
    await Promise.all(Array.from({ length: 8 }, () => refund(uuid, { amount: 200 })));
    expect((await details(uuid)).refunded).toBe(800);
    expect((await person.call(usage.history)).body.meta.balance).toBe(
      500 * microPerCredit - Math.floor((500 * microPerCredit * 800) / 880),
    );
  });

  test('while Stripe is away is kept, and made when it is back', async () => {
    const { person, uuid } = await aPurchase();
    stripe.trouble('down', 3);
    expect((await refund(uuid)).status).toBe(200);
    expect((await details(uuid)).state).toBe('refunded');
    expect(await entries(person)).toEqual([
      ['refund', -500],
      ['purchase', 500],
    ]);
  });

  test('whose answer was lost is not made twice', async () => {
    const { uuid } = await aPurchase();
    await refund(uuid, { amount: 100 });
    const { refunds } = await details(uuid);
    const { db } = app.server.context;
    await db
      .updateTable('payment_refund')
      .set({ state: 'wanted', gateway_id: null })
      .where('uuid', '=', refunds[0]?.uuid ?? '')
      .execute();
    const asked = stripe.asked.filter((each) => each.endsWith('refunds')).length;
    await details(uuid);
    expect(stripe.asked.filter((each) => each.endsWith('refunds'))).toHaveLength(asked);
  });

  test('that Stripe refuses is told to the operator, and can be asked for again', async () => {
    const { uuid, intent } = await aPurchase();
    // Somebody was quicker, and it was not heard of.
    stripe.refund(intent, 800);
    await refund(uuid, { amount: 500 });
    const found = await details(uuid);
    expect(found).toMatchObject({ refunded: 800, refundable: 80 });
    expect(found.refunds.map(({ amount, state }) => [amount, state])).toEqual([
      [500, 'failed'],
      [800, 'succeeded'],
    ]);
    expect((await refund(uuid)).body.data.state).toBe('refunded');
  });

  test("made in Stripe's own pages is booked once when its event comes", async () => {
    const { person, uuid, intent } = await aPurchase();
    stripe.refund(intent, 440);
    const event = stripe.event('charge.refunded', intent);
    await Promise.all(Array.from({ length: 10 }, () => stripe.deliver(app.url, event)));
    await tell('refund.created', intent);
    expect(await entries(person)).toEqual([
      ['refund', -250],
      ['purchase', 500],
    ]);
    expect(await details(uuid)).toMatchObject({ refunded: 440, state: 'succeeded' });
  });

  test('that is undone later waits for the operator', async () => {
    const { uuid, intent } = await aPurchase();
    await refund(uuid, { amount: 100 });
    stripe.failRefund(intent);
    await tell('refund.failed', intent);
    expect((await details(uuid)).held).toBe('refund-undone');
  });
});

test('a dispute is shown to the operator, and one that is lost takes its credits once', async () => {
  const { person, uuid, intent } = await aPurchase();
  const dispute = stripe.dispute(intent, 880);
  await tell('charge.dispute.created', intent);
  expect((await details(uuid)).disputes).toMatchObject([{ amount: 880, reason: 'fraudulent', state: 'open' }]);
  expect(await entries(person)).toEqual([['purchase', 500]]);
  stripe.closeDispute(dispute, 'lost');
  await Promise.all(Array.from({ length: 5 }, () => tell('charge.dispute.closed', intent)));
  expect(await entries(person)).toEqual([
    ['adjustment', -500],
    ['purchase', 500],
  ]);
  expect((await details(uuid)).disputes).toMatchObject([{ state: 'lost' }]);
  const { data } = (await boss.call(payments.everyPayment, { query: { state: 'disputed' } })).body;
  expect(data.map((each) => each.uuid)).toContain(uuid);
});

test('a dispute that is won takes nothing', async () => {
  const { person, uuid, intent } = await aPurchase();
  const dispute = stripe.dispute(intent, 880);
  await tell('charge.dispute.created', intent);
  stripe.closeDispute(dispute, 'won');
  await tell('charge.dispute.closed', intent);
  expect((await details(uuid)).disputes).toMatchObject([{ state: 'won' }]);
  expect(await entries(person)).toEqual([['purchase', 500]]);
});

test('pages may load the form of Stripe and nothing else from outside', async () => {
  const policy = (await app.anyone.fetch('/docs')).headers.get('content-security-policy') ?? '';
  expect(policy).toContain("script-src 'self' https://js.stripe.com https://*.js.stripe.com;");
  expect(policy).toContain('https://hooks.stripe.com');
  expect(policy).toContain('https://api.stripe.com');
});

describe('settings', () => {
  const config = (settings: Record<string, string>) => ({ config: readConfig(settings, featureSettings) });
  const secret = { STRIPE_SECRET_KEY: 'sk_test_1' };

  test.each([{}, { STRIPE_WEBHOOK_SECRET: 'whsec_1' }, { STRIPE_PUBLISHABLE_KEY: 'pk_1' }])(
    'a secret key with %o alone is refused',
    (others) => {
      expect(() => cardGateways(config({ ...secret, ...others }))).toThrow(/STRIPE_SECRET_KEY needs it/);
    },
  );

  test('the other keys without the secret one, and keys of two modes, are refused', () => {
    for (const alone of [{ STRIPE_WEBHOOK_SECRET: 'whsec_1' }, { STRIPE_PUBLISHABLE_KEY: 'pk_test_1' }])
      expect(() => cardGateways(config(alone))).toThrow(/STRIPE_SECRET_KEY/);
    const webhook = { STRIPE_WEBHOOK_SECRET: 'whsec_1' };
    for (const [one, other] of [
      ['sk_test_1', 'pk_live_1'],
      ['rk_live_1', 'pk_test_1'],
    ] as const)
      expect(() => cardGateways(config({ ...webhook, STRIPE_SECRET_KEY: one, STRIPE_PUBLISHABLE_KEY: other }))).toThrow(
        /another mode/,
      );
  });

  test('keys that are something else, and a Stripe elsewhere than on this machine, are refused', () => {
    for (const wrong of [
      { STRIPE_SECRET_KEY: 'pk_test_1' },
      { STRIPE_WEBHOOK_SECRET: 'secret' },
      { STRIPE_PUBLISHABLE_KEY: 'sk_test_1' },
      { STRIPE_API_URL: 'https://stripe.example.com' },
      { STRIPE_API_URL: 'http://127.0.0.1.example.com' },
    ])
      expect(() => config(wrong)).toThrow(new RegExp(Object.keys(wrong)[0] ?? ''));
  });
});
