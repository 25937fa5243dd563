import type { Page } from '@playwright/test';
import { bots } from '../shared/contracts/bots.ts';
import { webChannels } from '../shared/contracts/web-channels.ts';
import { arrive, callApi } from './api.ts';
import { expect, expectAccessible, expectNoOverflow, test } from './server.ts';

async function aBot(url: string, jwt: string): Promise<string> {
  const { uuid } = (await callApi(url, bots.create, { body: { name: 'Shop guide' }, jwt })).data;
  await callApi(url, bots.publish, { params: { uuid }, body: { note: '' }, jwt });
  return uuid;
}

const saved = (page: Page) => expect(page.getByText(/^Saved/).last()).toBeVisible();

test('a website is added, dressed, and answers by rule', async ({ page, kotae }) => {
  const jwt = await arrive(page, kotae.url);
  const bot = await aBot(kotae.url, jwt);

  await page.goto(`${kotae.url}/Bot/${bot}`);
  await page.getByRole('button', { name: 'Share' }).click();
  await page.getByRole('link', { name: 'Put it on a website' }).click();
  const create = page.getByRole('dialog', { name: 'Add a website' });
  await expect(create.getByRole('combobox', { name: 'Who answers' })).toHaveValue('Shop guide');
  await create.getByRole('textbox', { name: 'Address of the site' }).fill('https://hinata-coffee.example/beans?page=2');
  await create.getByRole('textbox', { name: 'Name' }).focus();
  await expect(create.getByRole('checkbox', { name: 'Also www.hinata-coffee.example' })).toBeChecked();
  await create.getByRole('button', { name: 'Create' }).click();

  const snippet = page.getByRole('dialog', { name: 'Add to site' });
  await expect(snippet).toBeVisible();
  const id = /Web-Channel\/([^?]+)/.exec(page.url())?.[1];
  await expect(snippet.getByRole('region', { name: 'Snippet', exact: true })).toHaveText(
    `<script async src="${kotae.url}/embed.js" data-channel="${id}"></script>`,
  );
  await snippet.getByText('Sign visitors in').click();
  await snippet.getByRole('button', { name: 'Create a secret' }).click();
  await page.getByRole('dialog', { name: 'Create a new secret?' }).getByRole('button', { name: 'Create' }).click();
  await expect(snippet.getByRole('textbox', { name: 'Secret', exact: true })).not.toHaveValue('');
  await expectAccessible(page);
  await snippet.getByRole('button', { name: 'Close' }).click();

  // Switches stand under each other, at the edge of their lines.
  const edges = await page
    .getByRole('region', { name: 'Shown to visitors' })
    .or(page.locator('section', { hasText: 'Shown to visitors' }))
    .locator('.mantine-Switch-track')
    .all()
    .then((all) => Promise.all(all.map((each) => each.boundingBox())));
  expect(new Set(edges.map((box) => Math.round((box?.x ?? 0) + (box?.width ?? 0)))).size).toBe(1);

  await page.getByRole('button', { name: 'Indigo' }).click();
  await page.getByRole('tab', { name: 'Wording' }).click();
  await page.getByRole('textbox', { name: 'Title', exact: true }).fill('Hinata Coffee');
  await page.getByRole('tab', { name: 'Hours and form' }).click();
  await page.getByRole('button', { name: 'Set hours' }).click();
  await expect(page.getByText('4 changes')).toBeVisible();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await saved(page);
  await page.reload();
  await expect(page.getByText('09:00–18:00')).toBeVisible();
  await page.getByRole('tab', { name: 'Look' }).click();
  await expect(page.getByRole('button', { name: 'Indigo' })).toHaveAttribute('aria-pressed', 'true');
  await page.getByRole('button', { name: 'Change the title and greeting' }).click();
  await expect(page.getByRole('textbox', { name: 'Title', exact: true })).toHaveValue('Hinata Coffee');

  await page.getByRole('link', { name: 'Connections' }).click();
  await page.getByRole('link', { name: /^hinata-coffee/ }).click();
  await page.getByRole('button', { name: 'Add a rule' }).click();
  await page.getByRole('combobox', { name: 'Phrases' }).fill('refund');
  await page.keyboard.press('Enter');
  await page.getByRole('textbox', { name: 'Reply' }).fill('We refund within 14 days.');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await saved(page);
  await page.getByRole('textbox', { name: 'A visitor writes' }).fill('I want a REFUND!');
  await page.getByRole('button', { name: 'Try', exact: true }).click();
  await expect(page.getByText('Matched rule 1.')).toBeVisible();
  await page.getByRole('textbox', { name: 'A visitor writes' }).fill('When do you open?');
  await page.getByRole('button', { name: 'Try', exact: true }).click();
  await expect(page.getByText('Shop guide answers')).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).last().click();
  await expect(page.getByText(/^No rules yet/)).toBeVisible();
});

const seenAs = [
  { locale: 'en', width: 1440, colorScheme: 'light' },
  { locale: 'ja', width: 360, colorScheme: 'dark' },
] as const;

for (const { locale, width, colorScheme } of seenAs)
  test(`everyone can use the pages of channels: ${locale}, ${width} px, ${colorScheme}`, async ({ page, kotae }) => {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 800 });
    const jwt = await arrive(page, kotae.url, locale);
    await page.goto(`${kotae.url}/Web-Channel`);
    await expect(page.locator('main').getByRole('button').first()).toBeVisible();
    await expectAccessible(page);
    const body = { name: 'Shop', bot: await aBot(kotae.url, jwt), domains: ['shop.example'] };
    const { uuid, connection } = (await callApi(kotae.url, webChannels.create, { body, jwt })).data;
    const paths = [
      '/Web-Channel',
      ...['look', 'texts', 'access', 'visitors'].map((part) => `/Web-Channel/${uuid}?part=${part}`),
      '/Bot-Connect',
      `/Bot-Connect/${connection}`,
    ];
    for (const path of paths) {
      await page.goto(kotae.url + path);
      await expect(page.getByRole('heading', { level: 1 })).not.toBeEmpty();
      await page.waitForLoadState('networkidle');
      await expectNoOverflow(page);
      await expectAccessible(page);
    }
  });
