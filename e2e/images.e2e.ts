import sharp from 'sharp';
import { images, sampleService } from '../shared/contracts/images.ts';
import { arrive, callApi } from './api.ts';
import { expect, expectAccessible, expectNoOverflow, test } from './server.ts';
import { textsOf } from './texts.ts';

for (const [locale, width, mode] of [
  ['en', 1440, 'light'],
  ['ja', 360, 'dark'],
] as const) {
  const t = textsOf(locale);
  test.describe(`at ${width} px (${locale}, ${mode})`, () => {
    test.use({ viewport: { width, height: 800 }, colorScheme: mode, locale: locale === 'ja' ? 'ja-JP' : 'en-US' });

    test('a newcomer draws with the sample, looks at it large, opens a link to it, deletes it and takes it back', async ({
      page,
      kotae,
    }) => {
      const { url } = kotae;
      const jwt = await arrive(page, url, locale);
      await page.goto(`${url}/Image-Generate`);
      await expect(page.getByRole('heading', { name: t('images:empty.examples') })).toBeVisible();
      await expectAccessible(page);
      await expectNoOverflow(page);

      const example = t('images:examples.hills');
      await page.getByRole('button', { name: example }).click();
      await expect(page.getByRole('textbox', { name: t('images:prompt') })).toBeFocused();
      await page.getByRole('button', { name: t('images:draw'), exact: true }).click();
      const first = page.getByRole('button', { name: t('images:open', { prompt: example }) });
      await expect(first.locator('img')).toBeVisible();

      await page.getByRole('textbox', { name: t('images:prompt') }).fill('A town at night');
      await page.getByRole('textbox', { name: t('images:prompt') }).press('Enter');
      const second = page.getByRole('button', { name: t('images:open', { prompt: 'A town at night' }) });
      await expect(second.locator('img')).toBeVisible();
      await expectAccessible(page);
      await expectNoOverflow(page);

      await second.click();
      const preview = page.getByRole('dialog');
      await expect(preview.getByRole('img', { name: 'A town at night' })).toBeVisible();
      await expectAccessible(page);
      await page.keyboard.press('ArrowRight');
      await expect(preview.getByRole('img', { name: example })).toBeVisible();
      const shown = new URL(page.url()).searchParams.get('image') ?? '';
      await page.keyboard.press('Escape');
      await expect(preview).toHaveCount(0);

      await page.goto(`${url}/Image-Generate/PreviewModal?image=${shown}`);
      await expect(preview.getByRole('img', { name: example })).toBeVisible();
      await preview.getByRole('button', { name: t('images:delete') }).click();
      await expect(first).toHaveCount(0);
      await page.getByRole('button', { name: t('images:undo') }).click();
      await expect(first).toBeVisible();
      const { data } = await callApi(url, images.list, { jwt });
      await page.keyboard.press('Escape');

      // A picture of one's own, of which a part is changed.
      await page.locator('input[type="file"]').setInputFiles({
        name: 'shop.png',
        mimeType: 'image/png',
        buffer: await sharp({ create: { width: 120, height: 80, channels: 3, background: '#c23a1e' } })
          .png()
          .toBuffer(),
      });
      await page.getByRole('button', { name: t('images:mask.open') }).click();
      const painting = page.getByRole('dialog');
      const canvas = painting.locator('canvas');
      const { x = 0, y = 0, width: wide = 0, height: high = 0 } = (await canvas.boundingBox()) ?? {};
      await page.mouse.move(x + wide * 0.3, y + high / 2);
      await page.mouse.down();
      await page.mouse.move(x + wide * 0.7, y + high / 2, { steps: 8 });
      await page.mouse.up();
      await painting.getByRole('button', { name: t('images:mask.part.top') }).click();
      await expect(painting.getByRole('img', { name: t('images:mask.canvas', { count: '2' }) })).toBeVisible();
      await painting.getByRole('button', { name: t('images:mask.undo') }).click();
      await expectAccessible(page);
      await expectNoOverflow(page);
      await painting.getByRole('button', { name: t('images:mask.done') }).click();
      await page.getByRole('textbox', { name: t('images:prompt') }).fill('Hills in the middle');
      await page.getByRole('button', { name: t('images:draw'), exact: true }).click();
      await page.getByRole('button', { name: t('images:open', { prompt: 'Hills in the middle' }) }).click();
      await expect(page.getByRole('dialog').getByText(t('images:mask.only'))).toBeVisible();
      expect(data.map(({ service, cost }) => [service.uuid, cost])).toEqual([
        [sampleService, 0],
        [sampleService, 0],
      ]);
    });
  });
}
