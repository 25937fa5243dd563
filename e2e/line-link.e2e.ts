import { createHmac, randomBytes } from 'node:crypto';
import { lineChannels } from '../shared/contracts/line-channels.ts';
import { webChannels } from '../shared/contracts/web-channels.ts';
import { arrive, callApi } from './api.ts';
import { test } from './line.ts';
import { expect, expectAccessible, expectNoOverflow } from './server.ts';

/** The shop's server, which runs what Kotae's page says: where it sends somebody who has signed in. */
function afterSignIn(code: string, { id, secret, linkToken }: { id: string; secret: string; linkToken: string }): URL {
  const addresses: string[] = [];
  const names = ['createHmac', 'randomBytes', 'process', 'customer', 'linkToken', 'response'];
  const run = new Function(...names, code.replace(/^import .*$/m, ''));
  const response = { redirect: (address: string) => void addresses.push(address) };
  run(createHmac, randomBytes, { env: { KOTAE_SECRET: secret } }, { id }, linkToken, response);
  return new URL(addresses[0] ?? '');
}

test('a friend signs in at the shop, and is one person with whom its website knows', async ({ page, kotae, line }) => {
  const { url } = kotae;
  const jwt = await arrive(page, url);
  const site = (await callApi(url, webChannels.create, { jwt, body: { name: 'Online shop' } })).data.uuid;
  const { id: channelId, secret: channelSecret } = line.channel;
  const connected = await callApi(url, lineChannels.connect, { jwt, body: { channelId, secret: channelSecret } });
  line.webhook.isActive = true;
  await callApi(url, lineChannels.sync, { jwt, params: { uuid: connected.data.uuid } });

  const settings = `${url}/Line-Channel/${connected.data.uuid}?tab=settings`;
  await page.goto(settings);
  await page.getByRole('switch', { name: 'Let friends link their account at your shop' }).check();
  await expect(page.getByText('It has no secret yet.')).toBeVisible();
  const { secret } = (await callApi(url, webChannels.secret, { jwt, params: { uuid: site } })).data;
  await page.getByRole('button', { name: 'Discard' }).click();
  await page.goto(settings);
  await page.getByRole('switch', { name: 'Let friends link their account at your shop' }).check();
  await expect(page.getByRole('combobox', { name: 'Website' })).toHaveValue('Online shop');
  await page.getByRole('textbox', { name: 'Sign-in page of your shop' }).fill('http://shop.example/sign-in');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Write a complete address that begins with https://.')).toBeVisible();
  await page.getByRole('textbox', { name: 'Sign-in page of your shop' }).fill('https://shop.example/sign-in');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();
  await expectAccessible(page);
  await page.setViewportSize({ width: 360, height: 740 });
  await expectNoOverflow(page);
  await page.setViewportSize({ width: 1280, height: 720 });
  const code = await page.getByRole('region', { name: 'Code for your server' }).innerText();

  const sora = line.user({ name: 'Sora', language: 'en' });
  await sora.say('Link my account');
  const button = () => /"uri":"(?<uri>[^"]+)"/.exec(JSON.stringify(line.shown(sora.id)))?.groups?.['uri'];
  await expect.poll(button).toContain('https://shop.example/sign-in?linkToken=');
  const linkToken = new URL(button() ?? '').searchParams.get('linkToken') ?? '';
  const back = afterSignIn(code, { id: 'customer-42', secret, linkToken });
  expect(`${back.origin}${back.pathname}`).toBe('https://access.line.me/dialog/bot/accountLink');
  expect(back.searchParams.get('linkToken')).toBe(linkToken);
  await sora.linkAccount(back.searchParams.get('nonce') ?? '');
  await expect.poll(() => line.shown(sora.id).at(-1)?.message.text).toContain('Your account is linked.');

  await page.goto(`${url}/Friend`);
  await page.getByRole('link', { name: /Sora/ }).click();
  await expect(page.getByTitle('customer-42')).toContainText('ID verified');
});
