import { payments } from '../shared/contracts/payments.ts';
import { arrive, callApi } from './api.ts';
import { expect, expectAccessible, expectNoOverflow, test } from './server.ts';
import { textsOf } from './texts.ts';

const seenAs = [
  { locale: 'en', width: 1440, colorScheme: 'light' },
  { locale: 'ja', width: 360, colorScheme: 'dark' },
] as const;

for (const { locale, width, colorScheme } of seenAs)
  test(`credits are bought with test cards, whatever the bank says: ${locale}, ${width} px`, async ({
    page,
    kotae,
  }) => {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 800 });
    const say = textsOf(locale);
    await arrive(page, kotae.url, locale);
    await page.goto(`${kotae.url}/Token?tab=purchases`);
    await expect(page.getByText(say('billing:empty'))).toBeVisible();
    await expectAccessible(page);

    const buy = async (card: 'success' | 'challenge' | 'declined') => {
      const dialog = page.getByRole('dialog', { name: say('billing:buy') });
      await dialog.getByRole('combobox', { name: say('billing:card.label') }).click();
      await page.getByRole('option', { name: say(`billing:card.${card}`), exact: true }).click();
      if (card === 'success') await expectAccessible(page);
      await dialog.locator('button[type=submit]').click();
    };
    const title = (key: 'succeeded' | 'waiting' | 'failed') =>
      page.getByRole('heading', { level: 1, name: say(`billing:result.${key}`) });

    await page.getByRole('button', { name: say('billing:buy') }).click();
    await buy('success');
    await expect(title('succeeded')).toBeVisible();
    await expect(page.getByText(/\b600\b/)).toBeVisible();
    await expectNoOverflow(page);
    await expectAccessible(page);
    const paid = page.url();

    // Back, and there once more: nothing is bought by looking.
    await page.goBack();
    await page.goto(paid);
    await page.goto(paid.replace('success', 'failed'));
    await expect(title('succeeded')).toBeVisible();
    await expect(page.getByText(/\b600\b/)).toBeVisible();

    await page.goto(`${kotae.url}/Token?tab=purchases`);
    await page.getByRole('button', { name: say('billing:buy') }).click();
    await buy('challenge');
    await expect(title('waiting')).toBeVisible();
    await expectNoOverflow(page);
    await expectAccessible(page);
    // A second tab says the same, and one answer counts for both.
    const second = await page.context().newPage();
    await second.goto(page.url());
    await second.getByRole('button', { name: say('billing:bank.refuse') }).click();
    await expect(second.getByText(say('billing:failure.challenge-failed'))).toBeVisible();
    await second.close();
    await page.reload();
    await expect(title('failed')).toBeVisible();
    await expect(page.getByRole('alert')).toContainText(say('billing:result.nothing'));
    await expectAccessible(page);

    await page.getByRole('button', { name: say('billing:result.again') }).click();
    await buy('declined');
    await expect(page.getByText(say('billing:failure.declined'))).toBeVisible();
    await page.goto(`${kotae.url}/Token?tab=purchases`);
    await expect(page.getByRole('row')).toHaveCount(4);
    await expectNoOverflow(page);
    await expectAccessible(page);
    await page.goto(`${kotae.url}/payment/success?payment=0198c0de-0000-7000-8000-00000000000b`);
    await expect(page.getByRole('heading', { level: 1, name: say('billing:result.noneTitle') })).toBeVisible();
  });

for (const { locale, width, colorScheme } of seenAs)
  test(`credits are bought again by themselves until somebody ends it: ${locale}, ${width} px`, async ({
    page,
    kotae,
  }) => {
    test.setTimeout(240_000);
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 800 });
    const say = textsOf(locale);
    const jwt = await arrive(page, kotae.url, locale);
    const purchases = async () => {
      await page.goto(`${kotae.url}/Token?tab=purchases`);
      await expect(page.getByRole('heading', { name: say('billing:topUp.title') })).toBeVisible();
    };
    await purchases();
    await expectAccessible(page);
    await page.getByRole('button', { name: say('billing:topUp.setUp') }).click();
    const dialog = page.getByRole('dialog', { name: say('billing:buy') });
    await expect(dialog.getByRole('checkbox', { name: say('billing:topUp.wish') })).toBeChecked();
    const limit = dialog.getByLabel(say('billing:topUp.limit', { currency: 'JPY' }));
    await limit.fill('879');
    await expect(dialog.locator('button[type=submit]')).toBeDisabled();
    await limit.fill('1760');
    await dialog.getByLabel(say('billing:topUp.below')).fill('700');
    await expectNoOverflow(page);
    await expectAccessible(page);
    await dialog.locator('button[type=submit]').click();
    await expect(page.getByRole('heading', { level: 1, name: say('billing:result.succeeded') })).toBeVisible();

    // 600 credits are fewer than 700: within the next minute 500 more come.
    await expect
      .poll(async () => (await callApi(kotae.url, payments.list, { jwt })).data.length, { timeout: 150_000 })
      .toBe(2);
    await purchases();
    await expect(page.getByText(say('billing:topUp.on'), { exact: true })).toBeVisible();
    await expect(page.getByRole('row').filter({ hasText: say('billing:topUp.title') })).toHaveCount(1);
    await expectNoOverflow(page);
    await expectAccessible(page);

    await page.getByRole('button', { name: say('billing:topUp.change') }).click();
    const changing = page.getByRole('dialog', { name: say('billing:topUp.title') });
    await changing.getByLabel(say('billing:topUp.below')).fill('50');
    await expectAccessible(page);
    await changing.getByRole('button', { name: say('common:save') }).click();
    await expect(changing).toBeHidden();
    await expect(page.getByText(/\b50\b/)).toBeVisible();
    await page.getByRole('button', { name: say('billing:topUp.turnOff') }).click();
    await expect(page.getByText(say('billing:topUp.off'), { exact: true })).toBeVisible();
    await page.getByRole('button', { name: say('billing:topUp.turnOn') }).click();
    await expect(page.getByText(say('billing:topUp.on'), { exact: true })).toBeVisible();

    await page.getByRole('button', { name: say('billing:topUp.forget') }).click();
    const asked = page.getByRole('dialog', { name: say('billing:topUp.forgetTitle') });
    await expectAccessible(page);
    await asked.getByRole('button', { name: say('billing:topUp.forget') }).click();
    await expect(page.getByText(say('billing:topUp.about'))).toBeVisible();
    await expectNoOverflow(page);

    await page
      .getByRole('row')
      .filter({ hasText: say('billing:topUp.title') })
      .getByRole('link')
      .click();
    await expect(page.getByText(say('billing:topUp.how'))).toBeVisible();
    await expectAccessible(page);
  });
