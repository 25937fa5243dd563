import { afterAll, beforeAll, expect, test } from 'vitest';
import { extractText, getDocumentProxy } from 'unpdf';
import { accounts } from '../../../shared/contracts/accounts.ts';
import { payments } from '../../../shared/contracts/payments.ts';
import { workspaces } from '../../../shared/contracts/workspaces.ts';
import { featureSettings } from '../../features.ts';
import { readConfig } from '../../infra/config.ts';
import { newId } from '../../infra/db.ts';
import { startTestApp, type Person, type TestApp } from '../../testing/app.ts';
import { startStripe, type FakeStripe } from '../../testing/stripe/stripe.ts';
import { checkBilling } from './documents.ts';
import { taxIn } from './receipt-pdf.ts';

const seller = {
  BILLING_NAME: '株式会社ひなた珈琲',
  BILLING_ADDRESS: '東京都渋谷区神南1-2-3',
  BILLING_REGISTRATION_NUMBER: 'T1234567890123',
};

let stripe: FakeStripe;
let app: TestApp;
let boss: Person;
const packages: Record<string, string> = {};
beforeAll(async () => {
  stripe = await startStripe();
  app = await startTestApp({ CREDIT_GRANT: '0', ...stripe.settings, ...seller });
  boss = await app.aPerson();
  for (const [currency, price] of [
    ['JPY', 880],
    ['USD', 999],
  ] as const)
    packages[currency] = (
      await boss.call(payments.addPackage, { body: { credits: 500, price, currency } })
    ).body.data.uuid;
});
afterAll(async () => {
  await app.stop();
  await stripe.close();
});

async function aPurchase(person: Person, currency = 'JPY', workspace?: string, at?: number) {
  const headers = { ...(workspace && { 'x-workspace': workspace }) };
  const { uuid } = (
    await person.call(payments.create, {
      body: { package: packages[currency] ?? '' },
      headers: { ...headers, 'idempotency-key': newId() },
    })
  ).body.data;
  stripe.confirm(stripe.intentOf(uuid), '4242', at);
  return (await person.call(payments.get, { params: { uuid }, headers })).body.data;
}

async function textOf(person: Person, path: string): Promise<string> {
  const response = await person.fetch(path);
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/pdf']);
  expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename="[a-z-]+-\d+\.pdf"$/);
  const bytes = new Uint8Array(await response.arrayBuffer());
  // Only the letters that are used are inside.
  expect(bytes.length).toBeLessThan(120_000);
  const { text, totalPages } = await extractText(await getDocumentProxy(bytes, { verbosity: 0 }), { mergePages: true });
  expect(totalPages).toBe(1);
  return text.replace(/\s+/g, ' ');
}

test('a receipt in yen of a registered seller has what a qualified invoice needs, in Japanese and in English', async () => {
  const person = await app.aPerson();
  const payment = await aPurchase(person);
  const japanese = await textOf(person, `/api/user/payment/${payment.uuid}/receipt?locale=ja`);
  const today = (locale: string) =>
    new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'Asia/Tokyo' }).format(Date.now());
  for (const words of [
    '領収書',
    '適格請求書',
    `No. ${payment.receipt}`,
    today('ja'),
    person.user.username,
    'Kotaeクレジット（500）',
    '10%対象（税込）',
    'うち消費税（10%）',
    '株式会社ひなた珈琲',
    '東京都渋谷区神南1-2-3',
    '登録番号：T1234567890123',
    'Visa 4242',
    'SANDBOX／お試し',
    payment.uuid,
  ])
    expect(japanese).toContain(words);
  expect(japanese).toMatch(/10%対象（税込） ?[¥￥]880 ?うち消費税（10%） ?[¥￥]80(?!\d)/);
  const english = await textOf(person, `/api/user/payment/${payment.uuid}/receipt?locale=en`);
  for (const words of ['Receipt', 'Qualified invoice', '500 Kotae credits', 'consumption tax (10%)', today('en')])
    expect(english).toContain(words);
});

test('a receipt has the date on which it was paid where it was sold, whoever reads it and whenever that was noticed', async () => {
  const person = await app.aPerson();
  const { uuid } = await aPurchase(person, 'JPY', undefined, Date.UTC(2026, 0, 31, 16) / 1000);
  for (const timezone of ['America/New_York', 'Asia/Tokyo']) {
    await person.call(accounts.update, { body: { timezone } });
    expect(await textOf(person, `/api/user/payment/${uuid}/receipt?locale=en`)).toContain('February 1, 2026');
  }
});

test('a registration number without the name of whoever has it is refused', () => {
  const { BILLING_REGISTRATION_NUMBER, BILLING_NAME } = seller;
  const config = (settings: Record<string, string>) => readConfig(settings, featureSettings);
  expect(() => checkBilling(config({ BILLING_REGISTRATION_NUMBER }))).toThrow(/BILLING_NAME/);
  checkBilling(config({ BILLING_REGISTRATION_NUMBER, BILLING_NAME }));
});

test('in dollars there is no tax of Japan', async () => {
  const person = await app.aPerson();
  const { uuid } = await aPurchase(person, 'USD');
  const text = await textOf(person, `/api/user/payment/${uuid}/receipt?locale=en`);
  expect(text).toContain('$9.99');
  expect(text).not.toMatch(/Qualified|tax/);
});

test.each([
  [880, 80],
  [3_300, 300],
  [15_400, 1_400],
  [100, 9],
  [50, 4],
])('%d yen have %d yen of tax in them', (amount, tax) => {
  const registration = 'T1234567890123';
  expect(taxIn({ amount, currency: 'JPY', registration, seller: 'A' })).toEqual({ percent: 10, amount: tax });
  expect(taxIn({ amount, currency: 'JPY', registration: '', seller: 'A' })).toBeUndefined();
  expect(taxIn({ amount, currency: 'JPY', registration, seller: '' })).toBeUndefined();
});

test('each refund has a credit note with a number of its own, and no number is left out', async () => {
  const person = await app.aPerson();
  const { uuid, receipt } = await aPurchase(person);
  for (const amount of [330, 550])
    await boss.call(payments.refund, { params: { uuid }, body: { reason: '二重に購入', amount } });
  const { refunds } = (await person.call(payments.get, { params: { uuid } })).body.data;
  const [first, second] = refunds;
  expect(second?.note).toBe((first?.note ?? 0) + 1);
  const text = await textOf(person, `/api/user/payment/${uuid}/refund/${first?.uuid}?locale=ja`);
  for (const words of [
    '返金明細書',
    '適格返還請求書',
    `No. ${first?.note}`,
    `領収書No. ${receipt}`,
    '二重に購入',
    '一部返金',
    'T1234567890123',
  ])
    expect(text).toContain(words);
  expect(text).toMatch(/10%対象（税込） ?[¥￥]330 ?うち消費税（10%） ?[¥￥]30(?!\d)/);
});

test('a receipt that is not there, or of another workspace, is not found', async () => {
  const [person, other] = [await app.aPerson(), await app.aPerson()];
  const { uuid } = await aPurchase(person);
  const unpaid = (
    await person.call(payments.create, {
      body: { package: packages['JPY'] ?? '' },
      headers: { 'idempotency-key': newId() },
    })
  ).body.data.uuid;
  for (const [who, path, code] of [
    [person, `/api/user/payment/${unpaid}/receipt`, 'receipt-not-found'],
    [person, `/api/user/payment/${uuid}/refund/${newId()}`, 'receipt-not-found'],
    [other, `/api/user/payment/${uuid}/receipt`, 'payment-not-found'],
    [other, `/api/user/payment/${uuid}/refund/${newId()}`, 'payment-not-found'],
  ] as const) {
    const response = await who.fetch(path);
    expect([response.status, JSON.parse(await response.text()).error.code]).toEqual([404, code]);
  }
  expect((await person.fetch(`/api/user/payment/${uuid}/receipt?locale=fr`)).status).toBe(400);
});

test('what the typeface lacks is marked, and never breaks a receipt', async () => {
  const person = await app.aPerson();
  const { uuid } = (await person.call(workspaces.create, { body: { name: '🙂한국 <b>\u202e名前' } })).body.data;
  const payment = await aPurchase(person, 'JPY', uuid);
  const response = await person.fetch(`/api/user/payment/${payment.uuid}/receipt?locale=ja`, {
    headers: { 'x-workspace': uuid },
  });
  const { text } = await extractText(
    await getDocumentProxy(new Uint8Array(await response.arrayBuffer()), { verbosity: 0 }),
    {
      mergePages: true,
    },
  );
  expect(text).toContain('〓〓〓');
  expect(text).toContain('名前');
});

test('a receipt outlives its workspace without the name of whoever bought, and what was never paid does not', async () => {
  const person = await app.aPerson();
  const name = `Team ${newId()}`;
  const team = (await person.call(workspaces.create, { body: { name } })).body.data.uuid;
  const paid = await aPurchase(person, 'JPY', team);
  const headers = { 'x-workspace': team };
  const begin = async () =>
    (
      await person.call(payments.create, {
        body: { package: packages['JPY'] ?? '' },
        headers: { ...headers, 'idempotency-key': newId() },
      })
    ).body.data.uuid;
  const [canceled, open] = [await begin(), await begin()];
  await person.call(payments.cancel, { params: { uuid: canceled }, headers });
  expect((await boss.fetch(`/api/operator/payment/${paid.uuid}/receipt`)).status).toBe(200);
  await person.call(workspaces.remove, { headers, body: { name } });
  const text = await textOf(boss, `/api/operator/payment/${paid.uuid}/receipt?locale=en`);
  expect(text).toContain(`No. ${paid.receipt}`);
  expect(text).not.toContain(name);
  expect(text).not.toContain('Qualified');
  const { data } = (await boss.call(payments.details, { params: { uuid: paid.uuid } })).body;
  expect(data).toMatchObject({ workspace: null, state: 'succeeded', amount: 880 });
  expect((await boss.call(payments.details, { params: { uuid: canceled } })).status).toBe(404);
  // Somebody pays in a tab that was still open: it is held, and can be given back.
  stripe.confirm(stripe.intentOf(open));
  const late = (await boss.call(payments.details, { params: { uuid: open } })).body.data;
  expect(late).toMatchObject({ state: 'succeeded', held: 'workspace-gone', workspace: null, refundable: 880 });
  const back = await boss.call(payments.refund, { params: { uuid: open }, body: { reason: 'Gone' } });
  expect(back.body.data.state).toBe('refunded');
  expect((await boss.call(payments.details, { params: { uuid: open } })).body.data.held).toBeNull();
});
