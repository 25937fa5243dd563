import type { Page } from '@playwright/test';
import { payments } from '../shared/contracts/payments.ts';
import { startStripe, type FakeStripe } from '../server/testing/stripe/stripe.ts';
import { arrive, callApi } from './api.ts';
import {
  complaintsOf,
  expect,
  expectAccessible,
  expectNoOverflow,
  openKotae,
  test as base,
  type Kotae,
} from './server.ts';
import { textsOf } from './texts.ts';

const seller = { BILLING_NAME: 'Hinata Coffee', BILLING_REGISTRATION_NUMBER: 'T1234567890123' };

/** A journey has a Stripe on loopback, and a server of its own that takes it for Stripe. */
const test = base.extend<{ stripe: FakeStripe; kotae: Kotae }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads from the pattern what a fixture needs
  stripe: async ({}, use) => {
    const stripe = await startStripe();
    await use(stripe);
    expect(stripe.faults).toEqual([]);
    await stripe.close();
  },
  kotae: async ({ page, stripe }, use) => {
    const kotae = await openKotae({ ...stripe.settings, ...seller });
    const complaints = complaintsOf(page);
    await standIn(page, stripe);
    await use(kotae);
    await page.close();
    await kotae.close();
    expect(complaints).toEqual([]);
  },
});

/** In place of Stripe.js: a field for the card's last digits, and the calls that our page makes of it. */
const script = `
  window.Stripe = (key, { locale }) => {
    let card, amount, use;
    return {
      elements: (options) => {
        amount = options.amount;
        use = options.setupFutureUsage;
        return {
          create: () => ({
            on: (name, hear) => name === 'ready' && setTimeout(hear),
            destroy: () => card?.parentElement.remove(),
            mount: (place) => {
              const label = document.createElement('label');
              label.textContent = 'Card (' + locale + ') ';
              card = document.createElement('input');
              label.append(card);
              place.append(label);
            },
          }),
          getElement: () => ({ destroy: () => card?.parentElement.remove() }),
          update: (changed) => void ((amount = changed.amount), (use = changed.setupFutureUsage)),
          submit: async () => (card.value ? {} : { error: { type: 'validation_error', message: 'Your card number is incomplete.' } }),
        };
      },
      confirmPayment: async ({ clientSecret, confirmParams }) => {
        const response = await fetch('https://api.stripe.com/v1/confirm', {
          method: 'POST',
          body: JSON.stringify({ key, clientSecret, amount, use, card: card.value }),
        });
        const { status } = await response.json();
        if (status === 'requires_payment_method') return { error: { type: 'card_error', message: 'Your card was declined.' } };
        const back = encodeURIComponent(confirmParams.return_url);
        const [intent] = clientSecret.split('_secret_');
        location.assign(
          status === 'requires_action'
            ? 'https://hooks.stripe.com/bank?intent=' + intent + '&back=' + back
            : confirmParams.return_url + '&payment_intent=' + intent + '&redirect_status=succeeded',
        );
        return new Promise(() => {});
      },
    };
  };`;

async function standIn(page: Page, stripe: FakeStripe): Promise<void> {
  await page.route('https://js.stripe.com/**', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: script }),
  );
  await page.route('https://api.stripe.com/**', async (route) => {
    const { clientSecret, card, amount, use } = route.request().postDataJSON();
    const [intent] = String(clientSecret).split('_secret_');
    // Stripe refuses a form that says anything else than the intent does.
    expect([amount, use]).toEqual([880, stripe.usageOf(intent ?? '')]);
    const status = stripe.confirm(intent ?? '', card);
    await route.fulfill({ json: { status }, headers: { 'access-control-allow-origin': '*' } });
  });
  await page.route('https://hooks.stripe.com/**', async (route) => {
    const { searchParams } = new URL(route.request().url());
    const [intent, back, verdict] = ['intent', 'back', 'verdict'].map((name) => searchParams.get(name) ?? '');
    if (verdict !== 'approve' && verdict !== 'refuse')
      return route.fulfill({
        contentType: 'text/html',
        body: ['approve', 'refuse']
          .map(
            (each) =>
              `<p><a href="/bank?intent=${intent}&back=${encodeURIComponent(back ?? '')}&verdict=${each}">${each}</a></p>`,
          )
          .join(''),
      });
    stripe.answer(intent ?? '', verdict);
    return route.fulfill({ status: 302, headers: { location: `${back}&payment_intent=${intent}` } });
  });
}

const seenAs = [
  { locale: 'en', width: 1440, colorScheme: 'light' },
  { locale: 'ja', width: 360, colorScheme: 'dark' },
] as const;

for (const { locale, width, colorScheme } of seenAs)
  test(`credits are bought by card, with a receipt, and an operator gives a part back: ${locale}, ${width} px`, async ({
    page,
    kotae,
    stripe,
  }) => {
    test.setTimeout(240_000);
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 800 });
    const say = textsOf(locale);
    const jwt = await arrive(page, kotae.url, locale);

    // The operator sells a package first.
    await page.goto(`${kotae.url}/Operator?tab=payments`);
    await expect(page.getByText(say('operator:payments.empty'))).toBeVisible();
    await page.getByRole('button', { name: say('operator:payments.add') }).click();
    const adding = page.getByRole('dialog');
    await adding.getByLabel(say('billing:package')).fill('500');
    await adding.getByLabel(say('billing:price')).fill('880');
    await expectAccessible(page);
    await adding.getByRole('button', { name: say('operator:payments.add') }).click();
    await expect(adding).toBeHidden();
    await expectNoOverflow(page);

    const open = async () => {
      await page.goto(`${kotae.url}/Token?tab=purchases`);
      await page.getByRole('button', { name: say('billing:buy') }).click();
      const dialog = page.getByRole('dialog', { name: say('billing:buy') });
      await expect(dialog.getByLabel(`Card (${locale})`)).toBeVisible();
      return dialog;
    };
    const title = (key: 'succeeded' | 'waiting' | 'failed') =>
      page.getByRole('heading', { level: 1, name: say(`billing:result.${key}`) });

    let dialog = await open();
    await expect(dialog.getByRole('radio')).toHaveCount(1);
    await expectNoOverflow(page);
    await expectAccessible(page);
    const submit = dialog.locator('button[type=submit]');
    await submit.click();
    await expect(dialog.getByRole('alert')).toContainText('incomplete');
    // A card that is declined says so in the form, and another one pays the same order.
    await dialog.getByLabel(`Card (${locale})`).fill('0002');
    await submit.click();
    await expect(dialog.getByRole('alert')).toContainText('declined');
    await dialog.getByLabel(`Card (${locale})`).fill('4242');
    await submit.click();
    await expect(title('succeeded')).toBeVisible();
    await expect(page.getByText(/\b600\b/)).toBeVisible();
    await expectAccessible(page);

    dialog = await open();
    await dialog.getByRole('checkbox', { name: say('billing:topUp.wish') }).check();
    await expectAccessible(page);
    await dialog.getByLabel(`Card (${locale})`).fill('4242');
    await dialog.locator('button[type=submit]').click();
    await expect(title('succeeded')).toBeVisible();
    await page.goto(`${kotae.url}/Token?tab=purchases`);
    await expect(page.getByText(/Visa •••• 4242/)).toBeVisible();
    expect([...stripe.customers().values()]).toEqual([['4242']]);
    await expectNoOverflow(page);

    dialog = await open();
    await dialog.getByLabel(`Card (${locale})`).fill('3184');
    await dialog.locator('button[type=submit]').click();
    await page.getByRole('link', { name: 'refuse' }).click();
    await expect(title('failed')).toBeVisible();
    await expect(page.getByText(say('billing:failure.challenge-failed'))).toBeVisible();

    dialog = await open();
    await dialog.getByLabel(`Card (${locale})`).fill('3184');
    await dialog.locator('button[type=submit]').click();
    await expect(page.getByRole('link', { name: 'approve' })).toBeVisible();
    await page.goBack();
    // Whoever left the bank's page is told that it waits, and is not charged.
    const { data } = await callApi(kotae.url, payments.list, { jwt });
    await page.goto(`${kotae.url}/payment/success?payment=${data[0]?.uuid}`);
    await expect(page.getByText(say('billing:result.unanswered'))).toBeVisible();
    await expectNoOverflow(page);
    await expectAccessible(page);

    await page.goto(`${kotae.url}/Token?tab=purchases`);
    await expect(page.getByRole('row')).toHaveCount(5);
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: say('billing:receipt', { number: '1' }) }).click();
    expect((await download).suggestedFilename()).toBe('receipt-1.pdf');
    await expectNoOverflow(page);

    await page.goto(`${kotae.url}/Operator?tab=payments`);
    await page
      .getByRole('table')
      .filter({ hasText: say('billing:state.succeeded') })
      .getByRole('button', { name: 'hanako' })
      .last()
      .click();
    const details = page.getByRole('dialog');
    await expect(details.getByText(stripe.intentOf(data[3]?.uuid ?? ''))).toBeVisible();
    await details.getByLabel(say('operator:payments.refundAmount')).fill('440');
    await details.getByLabel(say('operator:payments.reason')).fill('Half of it');
    await expectAccessible(page);
    await details.locator('button[type=submit]').click();
    await expect(details.getByText(say('operator:payments.refundState.succeeded'), { exact: true })).toBeVisible();
    await expect(details.getByRole('button', { name: say('billing:note', { number: '1' }) })).toBeVisible();
    await expectNoOverflow(page);

    await page.goto(`${kotae.url}/Token?tab=purchases`);
    await expect(page.getByRole('button', { name: say('billing:note', { number: '1' }) })).toBeVisible();
    await expectNoOverflow(page);
    await expectAccessible(page);
  });
