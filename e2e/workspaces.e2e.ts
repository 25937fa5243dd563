import { expect, test } from './server.ts';
import { arrive, callApi } from './api.ts';
import { bots } from '../shared/contracts/bots.ts';
import { home } from '../shared/contracts/home.ts';
import { documents } from '../shared/contracts/knowledge.ts';
import { workspaces } from '../shared/contracts/workspaces.ts';
import { pages } from '../shared/pages.ts';

test('from every screen, another workspace shows its own figures and nothing of the one before', async ({
  page,
  kotae,
}) => {
  // Two changes on each of some forty screens.
  test.setTimeout(300_000);
  const jwt = await arrive(page, kotae.url);
  const { data: sample } = await callApi(kotae.url, home.sample, { jwt, body: { locale: 'en' } });
  const { data: other } = await callApi(kotae.url, workspaces.create, { jwt, body: { name: 'Second shop' } });
  for (const name of ['One', 'Two', 'Three'])
    await callApi(kotae.url, bots.create, { jwt, workspace: other.uuid, body: { name } });
  const base = { knowledge: sample.knowledge };
  const { data: kept } = await callApi(kotae.url, documents.list, { jwt, params: base });
  const params: Record<string, string> = { id: sample.bot, menu: sample.bot, documentId: kept[0]?.uuid ?? '' };

  const choose = async (name: string) => {
    await page.getByRole('button', { name: /^Workspace:/ }).click();
    await page.getByRole('menuitem', { name }).click();
    await expect(page.getByRole('button', { name: `Workspace: ${name}` })).toBeVisible();
  };
  const counted = page.getByRole('link', { name: /^Bots ?\d+$/ });
  const expectHome = async (bot: string, count: number) => {
    await expect(page).toHaveURL(`${kotae.url}/`);
    await expect(page.getByRole('link', { name: bot })).toBeVisible();
    await expect(counted).toContainText(String(count));
    await expect(page.getByRole('link', { name: bot === 'One' ? 'Hinata Coffee' : 'One' })).toHaveCount(0);
  };

  await page.goto(kotae.url);
  for (const { path } of Object.values(pages.app)) {
    await test.step(path, async () => {
      if (path.startsWith('/Knowledge/$id')) params['id'] = sample.knowledge;
      if (path.startsWith('/Bot/$id')) params['id'] = sample.bot;
      const address = kotae.url + path.replaceAll(/\$(\w+)/g, (_, name: string) => params[name] ?? '');
      // By its address this one is the page of visitors: makers come to theirs by a tab.
      const [, before] = /^(.*)\/chat_embed$/.exec(address) ?? [];
      await page.goto(before ?? address);
      if (before !== undefined) {
        await page.getByRole('link', { name: 'Embed', exact: true }).click();
        await expect(page).toHaveURL(address);
      }
      await expect(page.locator('#main')).not.toBeEmpty();
      await choose('Second shop');
      await expectHome('One', 3);
      await choose('hanako');
      await expectHome('Hinata Coffee', 1);
    });
  }
});
