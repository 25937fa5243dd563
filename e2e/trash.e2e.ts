import { readFile } from 'node:fs/promises';
import { bots } from '../shared/contracts/bots.ts';
import { conversations } from '../shared/contracts/conversations.ts';
import { documents, knowledge } from '../shared/contracts/knowledge.ts';
import { arrive, callApi } from './api.ts';
import { expect, expectAccessible, expectNoOverflow, test } from './server.ts';

for (const [width, mode] of [
  [1440, 'light'],
  [360, 'dark'],
] as const) {
  test.describe(`at ${width} px (${mode})`, () => {
    test.use({ viewport: { width, height: 800 }, colorScheme: mode });

    test('what was deleted is in the trash, comes back with what it belongs to, or goes for good', async ({
      page,
      kotae,
    }) => {
      const { url } = kotae;
      const jwt = await arrive(page, url);
      const base = (await callApi(url, knowledge.create, { jwt, body: { name: 'Manual' } })).data.uuid;
      const body = { source: 'text' as const, name: 'Hours.md', text: 'We open at nine.' };
      const [document] = (await callApi(url, documents.add, { jwt, params: { knowledge: base }, body })).data;
      const bot = (await callApi(url, bots.create, { jwt, body: { name: 'Guide' } })).data.uuid;
      const at = { knowledge: base, document: document?.uuid ?? '' };
      await callApi(url, documents.remove, { jwt, params: at });
      await callApi(url, knowledge.remove, { jwt, params: { uuid: base } });
      await callApi(url, bots.remove, { jwt, params: { uuid: bot } });

      await page.goto(`${url}/Trash`);
      await expect(page.getByText('Guide', { exact: true })).toBeVisible();
      await expectAccessible(page);
      await expectNoOverflow(page);
      const choose = (of: string, act: string) =>
        page.getByRole('row', { name: of }).getByRole('button', { name: act }).click();
      await choose('Hours.md', 'Restore');
      await page.getByRole('dialog').getByRole('button', { name: 'Restore both' }).click();
      await expect(page.getByText('Hours.md', { exact: true })).toHaveCount(0);
      await expect(page.getByText('Manual', { exact: true })).toHaveCount(0);
      expect((await callApi(url, documents.get, { jwt, params: at })).data.name).toBe('Hours.md');
      await choose('Guide', 'Delete for good');
      await page.getByRole('dialog').getByRole('button', { name: 'Delete for good' }).click();
      await expect(page.getByRole('heading', { name: 'The trash is empty' })).toBeVisible();
      await expectAccessible(page);
    });

    test('a conversation is exported, and printed without what is around it', async ({ page, kotae }) => {
      const { url } = kotae;
      const jwt = await arrive(page, url);
      const base = (await callApi(url, knowledge.create, { jwt, body: { name: 'Manual' } })).data.uuid;
      const body = { source: 'text' as const, name: 'Hours.md', text: '# Hours\n\nWe open at nine.' };
      await callApi(url, documents.add, { jwt, params: { knowledge: base }, body });
      await expect
        .poll(async () => (await callApi(url, knowledge.get, { jwt, params: { uuid: base } })).data.busyCount)
        .toBe(0);
      const bot = (await callApi(url, bots.create, { jwt, body: { name: 'Guide', knowledges: [base] } })).data.uuid;
      const asked = { bot, message: { text: 'When do you open?' } };
      const { thread } = (await callApi(url, conversations.send, { jwt, body: asked })).data;
      await page.goto(`${url}/Bot/${bot}/Chat?thread=${thread.uuid}`);
      await expect(page.getByRole('blockquote')).toContainText('We open at nine.');
      const menu = page.getByRole('button', { name: 'Options for “When do you open?”' }).last();
      const download = page.waitForEvent('download');
      await menu.click();
      await page.getByRole('menuitem', { name: 'Export as Markdown' }).click();
      const file = await download;
      expect(file.suggestedFilename()).toBe('When do you open.md');
      const text = await readFile(await file.path(), 'utf8');
      expect(text).toContain('We open at nine.');
      expect(text).toContain('Hours.md');

      await page.evaluate('window.print = () => document.body.setAttribute("data-printed", "")');
      await menu.click();
      await page.getByRole('menuitem', { name: 'Print' }).click();
      await expect(page.locator('body[data-printed]')).toBeAttached();
      await page.emulateMedia({ media: 'print' });
      await expect(page.getByRole('blockquote')).toBeVisible();
      await expect(page.getByLabel('Your message', { exact: true })).toBeHidden();
      await expect(page.getByRole('navigation', { name: 'Main menu' })).toHaveCount(0);
    });
  });
}
