import sharp from 'sharp';
import { figures } from '../shared/contracts/figures.ts';
import { visitors } from '../shared/contracts/visitors.ts';
import { webChannels } from '../shared/contracts/web-channels.ts';
import { arrive, callApi } from './api.ts';
import { expect, expectAccessible, expectNoOverflow, test } from './server.ts';

test('a report of one day is a chart that becomes a picture saying what its colors mean, and leads to the conversations', async ({
  page,
  kotae,
}) => {
  const jwt = await arrive(page, kotae.url);
  const channel = (await callApi(kotae.url, webChannels.create, { body: { name: 'Shop', bot: null }, jwt })).data.uuid;
  for (let visitor = 0; visitor < 2; visitor++) {
    const { token } = (await callApi(kotae.url, visitors.begin, { body: { channel } })).data;
    const response = await fetch(`${kotae.url}${visitors.send.path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ key: crypto.randomUUID(), text: 'Hello' }),
    });
    expect(response.ok).toBe(true);
    await response.text();
  }
  expect((await callApi(kotae.url, figures.get, { jwt })).data.conversations.now).toBe(2);

  await page.goto(`${kotae.url}/Figures`);
  await expect(page.locator('figure svg').first()).toBeVisible();
  await expectAccessible(page);
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save as PNG' }).click();
  const picture = sharp(await (await download).path());
  const { width = 0 } = await picture.metadata();
  // Between the title and the chart, at twice the size.
  const band = await picture.extract({ left: 0, top: 80, width, height: 40 }).removeAlpha().raw().toBuffer();
  const has = (color: string) => {
    const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
    for (let at = 0; at < band.length; at += 3)
      if (band[at] === red && band[at + 1] === green && band[at + 2] === blue) return true;
    return false;
  };
  const colorOf = (name: string) =>
    page.evaluate<string>(`getComputedStyle(document.documentElement).getPropertyValue('${name}').trim()`);
  for (const name of ['--series-1', '--series-other']) expect(has(await colorOf(name)), name).toBe(true);

  await page.emulateMedia({ colorScheme: 'dark' });
  await page.setViewportSize({ width: 360, height: 740 });
  await expectNoOverflow(page);
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Hello' }).click();
  await expect(page.getByRole('searchbox')).toHaveValue('Hello');
});
