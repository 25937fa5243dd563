import { arrive } from './api.ts';
import { expect, expectAccessible, test } from './server.ts';

test('a menu whose code cannot be fetched says so, and opens at the next press', async ({ page, kotae }) => {
  await arrive(page, kotae.url);
  await page.goto(kotae.url);
  const account = page.getByRole('button', { name: 'Account of hanako' });
  await expect(account).toBeVisible();
  await page.route('**/assets/*.js', (route) => route.abort());
  await account.click();
  await expect(page.getByText('Kotae cannot be reached.')).toBeVisible();
  await expect(account).toHaveAttribute('aria-expanded', 'false');
  await page.unroute('**/assets/*.js');

  await account.click();
  const menu = page.getByRole('dialog', { name: 'Account of hanako' });
  await expect(menu.getByRole('button', { name: 'Sign out' })).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(menu).toBeHidden();
  await expect(account).toBeFocused();

  const workspaces = page.getByRole('button', { name: /^Workspace:/ });
  await workspaces.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menu', { name: 'Workspaces' }).getByRole('menuitem', { name: /hanako/ })).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('menuitem', { name: 'New workspace' })).toBeFocused();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(workspaces).toBeFocused();
  await workspaces.click();
  await page.getByRole('menuitem', { name: 'New workspace' }).click();
  await expect(page).toHaveURL(`${kotae.url}/Team?new=true`);
});
