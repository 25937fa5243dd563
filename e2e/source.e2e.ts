import { bots } from '../shared/contracts/bots.ts';
import { documents, knowledge } from '../shared/contracts/knowledge.ts';
import { arrive, callApi } from './api.ts';
import { expect, expectAccessible, expectNoOverflow, test } from './server.ts';

for (const [width, mode] of [
  [1440, 'light'],
  [360, 'dark'],
] as const) {
  test.describe(`a citation at ${width} px (${mode})`, () => {
    test.use({ viewport: { width, height: 800 }, colorScheme: mode });

    test('of the preview opens at its passage, far into a long document, and Back comes to the conversation again', async ({
      page,
      kotae,
    }) => {
      const jwt = await arrive(page, kotae.url);
      const base = (await callApi(kotae.url, knowledge.create, { jwt, body: { name: 'Rooms' } })).data.uuid;
      const text = Array.from(
        { length: 240 },
        (_, at) =>
          `## Room ${at + 1}\n\nRoom ${at + 1} has a lamp.${at === 179 ? ' The piano of the house stands here.' : ''}\n`,
      ).join('\n');
      const body = { source: 'text' as const, name: 'Rooms.md', text };
      const [document] = (await callApi(kotae.url, documents.add, { jwt, params: { knowledge: base }, body })).data;
      const at = { knowledge: base, document: document?.uuid ?? '' };
      await expect
        .poll(async () => (await callApi(kotae.url, documents.get, { jwt, params: at })).data.status)
        .toBe('indexed');
      const bot = (await callApi(kotae.url, bots.create, { jwt, body: { name: 'Guide', knowledges: [base] } })).data
        .uuid;

      await page.goto(`${kotae.url}/Bot/${bot}`);
      const isPhone = width < 500;
      const openPreview = async () => {
        if (!isPhone) return;
        await page.getByRole('button', { name: 'More', exact: true }).click();
        await page.getByRole('menuitem', { name: 'Preview' }).click();
      };
      await openPreview();
      await page.getByLabel('Your message', { exact: true }).fill('Where does the piano stand?');
      await page.keyboard.press('Enter');
      await page.getByRole('group', { name: 'Sources' }).getByRole('button').first().click();
      const source = page.getByRole('dialog', { name: 'Rooms.md' });
      await expect(source.locator('mark')).toContainText('piano');
      await expect(page).toHaveURL(/chunk=/);
      await expectAccessible(page);
      await expectNoOverflow(page);

      await source.getByRole('link', { name: 'Open the document' }).click();
      const chunk = page.locator('article[aria-current]');
      await expect(chunk.locator('mark')).toContainText('piano');
      await expect(chunk).toBeInViewport();
      await expect(page.getByRole('button', { name: 'Earlier chunks' })).toBeAttached();
      await expectAccessible(page);
      const link = page.url();
      await page.reload();
      await expect(chunk).toBeInViewport();

      await page.goBack();
      await expect(source.locator('mark')).toContainText('piano');
      await page.keyboard.press('Escape');
      await expect(source).toHaveCount(0);
      await expect(page.getByRole('blockquote')).toContainText('piano');

      await page.goto(link);
      await page.getByRole('button', { name: 'Earlier chunks' }).click();
      await expect(page.getByText('Room 61 has a lamp.')).toBeAttached();
    });
  });
}
