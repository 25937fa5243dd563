import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { visitors } from '../shared/contracts/visitors.ts';
import { webChannels } from '../shared/contracts/web-channels.ts';
import { webhookEvents, webhooks } from '../shared/contracts/webhooks.ts';
import { arrive, callApi } from './api.ts';
import { complaintsOf, expect, expectAccessible, expectNoOverflow, openKotae, test } from './server.ts';

/** A program that is told of events; it answers what it is asked to. */
async function aProgram() {
  const got: { headers: IncomingHttpHeaders; body: string }[] = [];
  const program = { got, status: 200, url: '', host: '', close: () => void server.close() };
  const server = createServer((request, reply) => {
    let body = '';
    request.on('data', (part) => (body += part));
    request.on('end', () => {
      got.push({ headers: request.headers, body });
      reply.writeHead(program.status).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // it listens on a port
  program.host = `127.0.0.1:${port}`;
  program.url = `http://${program.host}/kotae`;
  return program;
}

test('a program is told of what visitors write, with a signature; it is tried, sent again and deleted', async ({
  page,
}) => {
  const program = await aProgram();
  const kotae = await openKotae({ ALLOW_PRIVATE_HOSTS: program.host });
  const complaints = complaintsOf(page);
  try {
    const jwt = await arrive(page, kotae.url);
    await page.goto(`${kotae.url}/Webhook`);
    await expect(page.getByRole('heading', { name: 'No webhooks yet' })).toBeVisible();
    await page.getByRole('button', { name: 'Add a webhook' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Add webhook' }).click();
    await expect(dialog.getByText('Fill this in.')).toBeVisible();
    await dialog.getByRole('textbox', { name: 'URL' }).fill('http://169.254.169.254/');
    await dialog.getByRole('button', { name: 'Add webhook' }).click();
    await expect(dialog.getByRole('textbox', { name: 'URL' })).toHaveAttribute('aria-invalid', 'true');
    await dialog.getByRole('textbox', { name: 'URL' }).fill(program.url);
    await dialog.getByRole('checkbox', { name: 'Message sent' }).uncheck();
    await dialog.getByRole('button', { name: 'Add webhook' }).click();
    const secret = await dialog.getByRole('textbox', { name: 'Signing secret' }).inputValue();
    await dialog.getByRole('button', { name: 'Done' }).click();

    await expect(page.getByRole('heading', { level: 1, name: program.host })).toBeVisible();
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByRole('button', { name: /^Test, Delivered/ }).click();
    await expect(page.getByRole('region', { name: 'Payload' })).toContainText('"event": "test"');
    await page.getByRole('dialog').getByRole('button', { name: 'Send again' }).click();
    await expect.poll(() => program.got.length).toBe(2);
    await page.keyboard.press('Escape');
    expect(program.got[1]?.headers['kotae-delivery']).toBe(program.got[0]?.headers['kotae-delivery']);
    for (const { headers, body } of program.got) {
      const [, seconds, signature] = /^t=(\d+),v1=(.+)$/.exec(String(headers['kotae-signature'])) ?? [];
      expect(createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')).toBe(signature);
    }

    program.status = 500;
    const channel = (await callApi(kotae.url, webChannels.create, { body: { name: 'Shop', bot: null }, jwt })).data;
    const { token } = (await callApi(kotae.url, visitors.begin, { body: { channel: channel.uuid } })).data;
    await fetch(`${kotae.url}${visitors.send.path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ key: crypto.randomUUID(), text: 'Hello from a visitor' }),
    });
    await page.reload();
    await page.getByRole('button', { name: /^Message received, Pending/ }).click();
    await expect(
      page.getByText('The server returned HTTP 500. Any 2xx response counts as delivered.').first(),
    ).toBeVisible();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /^Failed \d/ }).click();
    await expect(page.getByText('No deliveries match.')).toBeVisible();
    await page.getByRole('button', { name: /^All \d/ }).click();
    await page.getByRole('combobox', { name: 'Event' }).click();
    await page.getByRole('option', { name: 'Test' }).click();
    await expect(page.getByRole('button', { name: /^Message received/ })).toBeHidden();
    await expect(page.getByRole('button', { name: /^Test, Delivered/ })).toBeVisible();
    await page.getByRole('combobox', { name: 'Event' }).click();
    await page.getByRole('option', { name: 'All events' }).click();
    program.status = 200;
    await page.getByRole('button', { name: /^Retry (all )?\d+ now$/ }).click();
    await expect(page.getByRole('button', { name: /^Message received, Delivered/ })).toBeVisible({ timeout: 20_000 });
    await expect(page.getByText('Hello from a visitor').filter({ visible: true }).first()).toBeVisible();

    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await dialog.getByRole('checkbox', { name: 'Message sent' }).check();
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(page.getByText('Saved', { exact: true })).toBeVisible();
    await page.getByRole('switch', { name: 'Send events' }).click();
    await expect(page.getByText(/no longer receives events\.$/)).toBeVisible();
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Replace secret…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Replace secret' }).click();
    await expect(page.getByRole('textbox', { name: 'Signing secret' })).not.toHaveValue(secret);
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await expect(page.getByRole('heading', { name: 'No webhooks yet' })).toBeVisible();
    expect(complaints).toEqual([]);
  } finally {
    await page.close();
    await kotae.close();
    program.close();
  }
});

const seenAs = [
  { locale: 'en', width: 1440, colorScheme: 'light' },
  { locale: 'ja', width: 360, colorScheme: 'dark' },
] as const;

for (const { locale, width, colorScheme } of seenAs)
  test(`everyone can use the pages of webhooks: ${locale}, ${width} px, ${colorScheme}`, async ({ page, kotae }) => {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 800 });
    const jwt = await arrive(page, kotae.url, locale);
    const see = async (path: string) => {
      await page.goto(kotae.url + path);
      await expect(page.getByRole('heading', { level: 1 })).not.toBeEmpty();
      await page.waitForLoadState('networkidle');
      await expectNoOverflow(page);
      await expectAccessible(page);
    };
    await see('/Webhook');
    const body = { url: 'https://hook.invalid/a/long/address/of/a/program', events: [...webhookEvents] };
    const { uuid } = (await callApi(kotae.url, webhooks.create, { body, jwt })).data;
    await callApi(kotae.url, webhooks.test, { params: { uuid }, jwt });
    await see('/Webhook');
    await see(`/Webhook?id=${uuid}`);
    await page.locator('main table button').first().click();
    await expect(page.getByRole('dialog')).toBeVisible();
    await expectNoOverflow(page);
    await expectAccessible(page);
  });
