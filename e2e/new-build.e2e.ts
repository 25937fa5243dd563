import { expect, test } from './server.ts';

test('an open page offers to reload once the server has newer pages', async ({ page, kotae }) => {
  await page.goto(`${kotae.url}/Login`);
  const look = async () => {
    const answered = page.waitForResponse((response) => response.url().endsWith('/latest-build.json'));
    await page.evaluate("window.dispatchEvent(new Event('focus'))");
    await answered;
  };
  const offer = page.getByText('A newer version of Kotae is ready.');
  await expect(page.getByRole('textbox', { name: 'Password' })).toBeVisible();
  await look();
  await expect(offer).toBeHidden();
  await page.route('**/latest-build.json', (route) => route.fulfill({ json: { build: 'newer' } }));
  await look();
  await expect(offer).toBeVisible();
  const reloaded = page.waitForEvent('load');
  await page.getByRole('button', { name: 'Reload' }).click();
  await reloaded;
});
