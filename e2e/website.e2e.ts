import { documents, knowledge } from '../shared/contracts/knowledge.ts';
import { websites } from '../shared/contracts/websites.ts';
import { shopPage, startSampleSite } from '../server/testing/sample-site.ts';
import { arrive, callApi } from './api.ts';
import { expect, expectAccessible, expectNoOverflow, openKotae, test } from './server.ts';

const guide = (count: number) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, at) => [
      `/guide/${at}`,
      shopPage(`Guide ${at}`, `<p>Room number ${at} costs ${at + 1},000 yen a night.</p>`),
    ]),
  );

for (const [width, mode] of [
  [1440, 'light'],
  [360, 'dark'],
] as const) {
  test.describe(`at ${width} px (${mode})`, () => {
    test.use({ viewport: { width, height: 800 }, colorScheme: mode });

    test('an address on Home becomes a bot that answers with a link to the page, and what changes there is told', async ({
      page,
    }) => {
      const site = await startSampleSite({
        '/': shopPage('Hotel Komorebi', '<p>Welcome. <a href="/dogs">Dogs</a> <a href="/secret">Secret</a></p>'),
        '/dogs': shopPage(
          'Dogs',
          '<p>Dogs may sleep in every room.</p><a href="/guide/0">0</a><a href="/guide/1">1</a>',
        ),
        '/secret': shopPage('Secret', '<p>Secret.</p>', '<meta name="robots" content="noindex">'),
        ...guide(2),
      });
      const kotae = await openKotae({ ALLOW_PRIVATE_HOSTS: site.host, CRAWL_DELAY_MS: '0' });
      try {
        const jwt = await arrive(page, kotae.url);
        await page.goto(kotae.url);
        const field = page.getByRole('textbox', { name: 'Or the address of your website' });
        await field.fill('nothing here');
        await page.keyboard.press('Enter');
        await expect(page.getByText('This is no address of a website.')).toBeVisible();
        await field.fill(site.url);
        await page.getByRole('button', { name: 'Make a bot' }).click();
        await expect(page).toHaveURL(/\/Bot\/.+\/Chat/, { timeout: 60_000 });
        await page.getByRole('textbox', { name: 'Message' }).fill('May dogs sleep in the room?');
        await page.keyboard.press('Enter');
        await expect(page.getByText('Dogs may sleep in every room.').first()).toBeVisible();
        await page
          .getByRole('button', { name: /^Source 1/ })
          .first()
          .click();
        const link = page.getByRole('link', { name: 'Open the page' });
        await expect(link).toHaveAttribute('href', /\/dogs#:~:text=Dogs%20may%20sleep/);

        const [document] = (await callApi(kotae.url, documents.all, { jwt })).data;
        const base = document?.knowledge ?? '';
        await page.goto(`${kotae.url}/Knowledge/${base}/documents`);
        await page.locator('a[href*="/websites/"]').click();
        await expect(page.getByText('Up to date')).toBeVisible({ timeout: 30_000 });
        await expect(page.getByText('The page asks not to be listed (noindex).')).toBeVisible();
        await expectAccessible(page);
        await expectNoOverflow(page);

        site.pages.set('/dogs', shopPage('Dogs', '<p>Dogs may sleep in two rooms.</p>'));
        await page.getByRole('button', { name: 'Read again' }).click();
        await page.getByRole('tab', { name: 'Changes' }).click();
        await expect(page.getByText('Dogs may sleep in two rooms.')).toBeVisible({ timeout: 30_000 });
        await expect(page.getByText('Dogs may sleep in every room.')).toBeVisible();
        await expectAccessible(page);
      } finally {
        await kotae.close();
        await site.close();
      }
    });
  });
}

test('a website is looked at before it is added, read in part, and removed', async ({ page }) => {
  const site = await startSampleSite({
    '/': shopPage('Rooms', Array.from({ length: 24 }, (_, at) => `<a href="/guide/${at}">${at}</a> `).join('')),
    ...guide(24),
  });
  const kotae = await openKotae({ ALLOW_PRIVATE_HOSTS: site.host, CRAWL_DELAY_MS: '0' });
  try {
    const jwt = await arrive(page, kotae.url, 'ja');
    const { uuid: base } = (await callApi(kotae.url, knowledge.create, { jwt, body: { name: '宿' } })).data;
    await page.goto(`${kotae.url}/Knowledge/${base}/documents/Create`);
    await page.getByRole('tab', { name: 'ウェブサイト' }).click();
    await page.getByRole('textbox', { name: 'アドレス' }).fill(`${site.url}/none`);
    await page.getByRole('button', { name: '確認' }).click();
    await expect(page.getByText('ページが見つかりません。')).toBeVisible();
    await page.getByRole('textbox', { name: 'アドレス' }).fill(site.url);
    await page.getByRole('button', { name: '確認' }).click();
    await expect(page.getByText('ここから24ページにリンクしています。', { exact: false })).toBeVisible();
    await page.getByRole('button', { name: '上限とスケジュール' }).click();
    await page.getByRole('combobox', { name: 'ページ数の上限' }).click();
    await page.getByRole('option', { name: '10', exact: true }).click();
    await page.getByRole('textbox', { name: '除外するパス' }).fill('/guide/1*');
    await page.getByRole('button', { name: 'ウェブサイトを追加' }).click();
    await expect(page.getByText('最新')).toBeVisible({ timeout: 60_000 });
    await expect(page.getByText('上限を超えるページがあります。', { exact: false })).toBeVisible();
    const [added] = (await callApi(kotae.url, websites.list, { jwt, params: { knowledge: base } })).data;
    expect(added).toMatchObject({ read: 10, settings: { maxPages: 10, exclude: ['/guide/1*'] } });
    await expectAccessible(page);
    await page.getByRole('tab', { name: '設定' }).click();
    await page.getByRole('button', { name: '削除' }).click();
    await page.getByRole('dialog').getByRole('button', { name: '削除' }).click();
    await expect(page).toHaveURL(/documents$/);
    expect((await callApi(kotae.url, websites.list, { jwt, params: { knowledge: base } })).data).toEqual([]);
  } finally {
    await kotae.close();
    await site.close();
  }
});
