import type { Page } from '@playwright/test';
import { accounts } from '../shared/contracts/accounts.ts';
import { arrive } from './api.ts';
import { expect, expectAccessible, expectNoOverflow, test } from './server.ts';
import { furnishShop } from './site.ts';
import { textsOf } from './texts.ts';

const said = {
  en: {
    summary: 'Hours, tables and gift cards of the shop',
    search: 'gift',
    question: 'When is the terrace open?',
    answer: /9:00/,
  },
  ja: {
    summary: '営業時間やギフトカードについてお答えします。',
    search: 'ギフト',
    question: 'テラスの営業時間は？',
    answer: /9時から16時/,
  },
} as const;

for (const [locale, width, mode] of [
  ['en', 1440, 'light'],
  ['ja', 360, 'dark'],
] as const) {
  const t = textsOf(locale);
  const words = said[locale];
  test.describe(`at ${width} px (${locale}, ${mode})`, () => {
    const seen = {
      viewport: { width, height: 800 },
      colorScheme: mode,
      locale: locale === 'ja' ? 'ja-JP' : 'en-US',
    };
    test.use(seen);

    /** What the page of a public bot offers around its chat. */
    const pressOf = (page: Page, name: string) =>
      page.getByRole('main').locator('header, footer').getByRole('button', { name, exact: true }).first().click();

    test('a bot is published for everybody, found, tried, reported, copied, and taken down', async ({
      page,
      kotae,
      browser,
    }) => {
      const { url } = kotae;
      const jwt = await arrive(page, url, locale);
      const { bot } = await furnishShop(url, jwt, { locale });

      await page.goto(`${url}/Bot/${bot}`);
      if (width < 1200) {
        await page.getByRole('button', { name: t('common:moreMenu') }).click();
        await page.getByRole('menuitem', { name: t('bots-editor:sharing.button') }).click();
      } else await page.getByRole('button', { name: t('bots-editor:sharing.button') }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('radio', { name: t('explore:sharing.visibility.public.name') }).check();
      await dialog.getByRole('textbox', { name: t('explore:sharing.summary') }).fill(words.summary);
      if (width < 768) await dialog.locator('summary').first().click();
      await dialog.getByRole('combobox', { name: t('explore:sharing.copying.label') }).click();
      await page.getByRole('option', { name: t('explore:sharing.copying.knowledge.name') }).click();
      await expectAccessible(page);
      await dialog.getByRole('button', { name: t('explore:sharing.set.public') }).click();
      if (width < 768) await dialog.getByText(t('explore:sharing.preview'), { exact: true }).click();
      await expect(dialog.getByRole('img', { name: t('explore:sharing.picture') })).toBeVisible();
      await expectNoOverflow(page);

      // Its maker finds it marked as their own, and goes on with it.
      await page.goto(`${url}/ExploreBot`);
      const own = page.getByRole('article');
      await expect(own.getByText(t('explore:yours'))).toBeVisible();
      await expectAccessible(page);
      await expectNoOverflow(page);
      await own.getByRole('link', { name: t('common:edit') }).click();
      await expect(page).toHaveURL(`${url}/Bot/${bot}`);

      // Somebody without an account.
      const outside = await browser.newContext(seen);
      const visitor = await outside.newPage();
      await visitor.goto(`${url}/ExploreBot`);
      await expect(visitor.getByRole('heading', { level: 1, name: t('explore:open.title') })).toBeVisible();
      await expect(visitor.getByRole('link', { name: t('explore:makeOwn') })).toBeVisible();
      await visitor.getByRole('searchbox', { name: t('explore:search') }).fill(words.search);
      const card = visitor.getByRole('article');
      await expect(card).toHaveCount(1);
      await expectAccessible(visitor);
      await expectNoOverflow(visitor);
      // Who has no account copies nothing yet.
      await expect(card.getByRole('button')).toHaveCount(0);
      await expect(card.getByText(t('explore:gives'))).toHaveCount(0);
      await visitor.getByRole('searchbox', { name: t('explore:search') }).fill('xyzzy');
      await expect(visitor.getByRole('heading', { name: t('explore:noHit.title') })).toBeVisible();
      await visitor.getByRole('searchbox', { name: t('explore:search') }).fill(words.search);
      await card.getByRole('heading').getByRole('link').click();
      await expect(visitor).toHaveURL(`${url}/Bot/${bot}/Chat`);
      const chat = visitor.frameLocator('iframe');
      await chat.getByRole('textbox', { name: t('widget:placeholder') }).fill(words.question);
      await chat.getByRole('button', { name: t('widget:send'), exact: true }).click();
      await expect(chat.getByText(words.answer).first()).toBeVisible();
      await expectNoOverflow(visitor);
      // The menu of the chat is opened and closed from the head of the page.
      const chatMenu = visitor.getByRole('button', { name: t('explore:chatMenu') });
      await chatMenu.click();
      await expect(chat.getByRole('menu')).toBeInViewport({ ratio: 1 });
      await expectAccessible(visitor);
      await chatMenu.click();
      await expect(chat.getByRole('menu')).toBeHidden();

      await pressOf(visitor, t('explore:report.button'));
      await visitor.getByRole('radio', { name: t('explore:report.reasons.misleading') }).check();
      await visitor.getByRole('textbox', { name: t('explore:report.text') }).fill('The hours are wrong.');
      await expectAccessible(visitor);
      await visitor
        .getByRole('dialog')
        .getByRole('button', { name: t('explore:report.submit'), exact: true })
        .click();
      await expect(visitor.getByText(t('explore:report.done'))).toBeVisible();
      await visitor.keyboard.press('Escape');

      // Copying asks to sign in first, and comes back.
      await pressOf(visitor, t('explore:copyFor'));
      await expect(visitor).toHaveURL(/\/Login\?next=/);
      await expect(visitor.getByText(t('accounts:login.toCopy'))).toBeVisible();
      await expectAccessible(visitor);
      const registered = await visitor.request.post(`${url}${accounts.register.path}`, {
        data: { username: 'jiro', email: 'jiro@example.com', password: 'correct horse battery', locale },
      });
      expect(registered.ok()).toBe(true);
      // What they wanted goes on by itself.
      await visitor.goto(`${url}/Bot/${bot}/Chat`);
      await visitor
        .getByRole('dialog')
        .getByRole('button', { name: t('explore:copy'), exact: true })
        .click();
      // Its documents have come along, and are read like any upload.
      await expect(visitor.getByText(t('explore:came.documents_other', { shown: '2' }))).toBeVisible();
      await expectAccessible(visitor);
      await expectNoOverflow(visitor);
      await visitor.getByRole('link', { name: t('explore:came.open') }).click();
      await expect(visitor).toHaveURL(new RegExp(`${url}/Bot/(?!${bot})[0-9a-f-]{36}$`));
      await expect(visitor.getByRole('heading', { level: 1 })).toBeVisible();
      await visitor.goto(`${url}/Document`);
      await expect(visitor.getByText('店舗案内.md').first()).toBeVisible();

      // The operator reads the report, and takes the bot down.
      await page.goto(`${url}/Operator?tab=explore`);
      await expect(page.getByText('The hours are wrong.')).toBeVisible();
      await expectAccessible(page);
      await expectNoOverflow(page);
      await page
        .getByRole('button', { name: t('explore:operated.takeDown.name') })
        .first()
        .click();
      await page
        .getByRole('textbox', { name: t('explore:operated.takeDown.reason') })
        .fill('The hours have to be right.');
      await page
        .getByRole('dialog')
        .getByRole('button', { name: t('explore:operated.takeDown.name') })
        .click();
      await expect(page.getByText('The hours have to be right.')).toBeVisible();

      const another = await browser.newContext(seen);
      const late = await another.newPage();
      await late.goto(`${url}/Bot/${bot}/Chat`);
      await expect(late).toHaveURL(/\/Login/);
      await late.goto(`${url}/ExploreBot`);
      await expect(late.getByRole('heading', { name: t('explore:empty.title') })).toBeVisible();
      await another.close();
      await outside.close();
    });
  });
}
