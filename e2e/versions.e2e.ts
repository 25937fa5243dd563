import { readFile } from 'node:fs/promises';
import { documents, knowledge } from '../shared/contracts/knowledge.ts';
import { arrive, callApi } from './api.ts';
import { expect, expectAccessible, expectNoOverflow, test } from './server.ts';

const words = {
  en: {
    menu: (name: string) => `Options for ${name}`,
    versions: 'Versions',
    empty: 'No versions yet',
    download: /^Download winter\.txt/,
    restore: /^Restore winter\.txt/,
    restoring: 'is being read',
    after: /^Restore summer\.txt/,
  },
  ja: {
    menu: (name: string) => `${name}のメニュー`,
    versions: 'バージョン',
    empty: 'バージョンはまだありません',
    download: /^保存：winter\.txt/,
    restore: /^復元：winter\.txt/,
    restoring: '読み込んでいます',
    after: /^復元：summer\.txt/,
  },
};

for (const [locale, width, mode] of [
  ['en', 1440, 'light'],
  ['ja', 360, 'dark'],
] as const) {
  test.describe(`${locale} at ${width} px (${mode})`, () => {
    test.use({ viewport: { width, height: 800 }, colorScheme: mode });

    test('a file that was replaced is saved and restored from the menu of its document', async ({ page, kotae }) => {
      const { url } = kotae;
      const t = words[locale];
      const jwt = await arrive(page, url, locale);
      const base = (await callApi(url, knowledge.create, { jwt, body: { name: 'Manual' } })).data.uuid;
      const path = `${url}${documents.list.path.replace(':knowledge', base)}`;
      const send = async (method: string, to: string, name: string, text: string) => {
        const body = new FormData();
        body.append('file', new Blob([text]), name);
        expect((await fetch(to, { method, body, headers: { authorization: `Bearer ${jwt}` } })).status).toBe(202);
        await expect
          .poll(async () => (await callApi(url, knowledge.get, { jwt, params: { uuid: base } })).data.busyCount)
          .toBe(0);
      };
      await send('POST', path, 'winter.txt', 'We open at ten.');
      const [document] = (await callApi(url, documents.list, { jwt, params: { knowledge: base } })).data;

      await page.goto(`${url}/Knowledge/${base}/documents`);
      const open = async (name: string) => {
        await page.getByRole('button', { name: t.menu(name) }).click();
        await page.getByRole('menuitem', { name: t.versions }).press('Enter');
      };
      await open('winter.txt');
      await expect(page.getByRole('heading', { name: t.empty })).toBeVisible();
      await expectAccessible(page);
      await page.keyboard.press('Escape');
      await expect(page.getByRole('dialog')).toHaveCount(0);

      await send('PUT', `${path}/${document?.uuid}/file`, 'summer.txt', 'We open at nine.');
      await page.goto(`${url}/Knowledge/${base}/documents/${document?.uuid}`);
      await open('summer.txt');
      const download = page.waitForEvent('download');
      await page.getByRole('button', { name: t.download }).click();
      const file = await download;
      expect(file.suggestedFilename()).toBe('winter.txt');
      expect(await readFile(await file.path(), 'utf8')).toBe('We open at ten.');
      await expectAccessible(page);
      await expectNoOverflow(page);
      await page.getByRole('button', { name: t.restore }).click();
      await expect(page.getByText(t.restoring)).toBeVisible();
      // Without a reload it is what was there before that can come back now.
      await expect(page.getByRole('button', { name: t.after })).toBeEnabled();
      await expect(page.getByRole('button', { name: t.restore })).toHaveCount(0);
      await page.keyboard.press('Escape');
      await expect(page.getByRole('heading', { level: 1 })).toContainText('winter.txt');
      await expect(page.getByRole('article').first()).toContainText('We open at ten.');
    });
  });
}
