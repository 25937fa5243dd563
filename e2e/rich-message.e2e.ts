import sharp from 'sharp';
import { connections } from '../shared/contracts/connections.ts';
import { inbox } from '../shared/contracts/inbox.ts';
import { lineChannels, type LineChannel } from '../shared/contracts/line-channels.ts';
import { richMessages } from '../shared/contracts/rich-messages.ts';
import { richTemplates } from '../shared/rich-templates.ts';
import type { FakeLine } from '../server/testing/line/fake-line.ts';
import { arrive, callApi } from './api.ts';
import { test } from './line.ts';
import { expect, expectAccessible, expectNoOverflow } from './server.ts';
import { textsOf } from './texts.ts';

async function connect(url: string, line: FakeLine, jwt: string): Promise<LineChannel> {
  const { id: channelId, secret } = line.channel;
  const { uuid } = (await callApi(url, lineChannels.connect, { body: { channelId, secret, bot: null }, jwt })).data;
  line.webhook.isActive = true;
  return (await callApi(url, lineChannels.sync, { params: { uuid }, jwt })).data;
}

const poster = () =>
  sharp(
    Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" width="1040" height="780"><rect width="520" height="780" fill="#0a6b3d"/><rect x="520" width="520" height="780" fill="#a15c00"/></svg>',
    ),
  )
    .png()
    .toBuffer();

test('a picture with links and a card are made; a rule answers with one, and staff send the other', async ({
  page,
  kotae,
  line,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  const jwt = await arrive(page, kotae.url);
  const channel = await connect(kotae.url, line, jwt);

  await page.goto(`${kotae.url}/Line-Channel/${channel.uuid}`);
  await page.getByRole('tab', { name: 'Messages' }).click();
  await expect(page.getByText('No rich messages yet')).toBeVisible();
  await page.getByRole('button', { name: 'Create message' }).click();
  const make = page.getByRole('dialog', { name: 'Create message' });
  await expectAccessible(page);
  await make.getByRole('link', { name: 'Picture with links' }).click();

  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Add a picture.')).toBeVisible();
  await page.getByRole('textbox', { name: 'Notification text' }).fill('Our summer sale has begun');
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'poster.png', mimeType: 'image/png', buffer: await poster() });
  await page.getByRole('button', { name: 'Two columns' }).click();
  const [first, second] = [
    page.getByRole('button', { name: 'Area A', exact: true }),
    page.getByRole('button', { name: 'Area B', exact: true }),
  ];
  await first.click();
  await page.getByRole('textbox', { name: 'Link' }).fill('https://shop.example/sale');
  await second.click();
  await page.getByRole('combobox', { name: 'When tapped' }).click();
  await page.getByRole('option', { name: 'Send a text' }).click();
  await page.getByRole('textbox', { name: 'Text', exact: true }).fill('Tell me more');
  // A third area is half of the first, is moved with the keys, and goes with them again.
  await page.getByRole('button', { name: 'Add an area' }).click();
  await page.getByRole('button', { name: 'Area C', exact: true, pressed: true }).focus();
  const top = page.getByRole('textbox', { name: 'From the top' });
  const before = await top.inputValue();
  await page.keyboard.press('ArrowUp');
  await expect(top).toHaveValue(String(Number(before) - 10));
  await page.keyboard.press('Delete');
  await expect(page.getByRole('button', { name: 'Area C', exact: true })).toBeHidden();
  await expectNoOverflow(page);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const name = page.getByRole('dialog', { name: 'Name this message' });
  await expect(name.getByRole('textbox', { name: 'Name' })).toHaveValue('Our summer sale has begun');
  await name.getByRole('textbox', { name: 'Name' }).fill('Summer sale');
  await expectAccessible(page);
  await name.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Summer sale');

  await page.getByRole('link', { name: channel.name }).click();
  await page.getByRole('button', { name: 'Create message' }).click();
  await page.getByRole('dialog').getByRole('link', { name: 'Cards', exact: true }).click();
  await page.getByRole('button', { name: 'Rename' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Cake of the day');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await page.getByRole('textbox', { name: 'Notification text' }).fill('The cake of the day');
  await page.getByRole('textbox', { name: 'Title' }).fill('Strawberry cake');
  await page.getByRole('button', { name: 'Add a button' }).click();
  await page.getByRole('textbox', { name: 'Button text' }).fill('Reserve');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('textbox', { name: 'Link' })).toHaveAttribute('aria-invalid', 'true');
  await page.getByRole('textbox', { name: 'Link' }).fill('https://shop.example/reserve');
  await expect(page.getByRole('complementary', { name: 'Preview' })).toContainText('Strawberry cake');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Cake of the day');

  await page.goto(`${kotae.url}/Bot-Connect/${channel.connection}`);
  await page.getByRole('button', { name: 'Add a rule' }).click();
  await page.getByRole('combobox', { name: 'Phrases' }).fill('sale');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: /^More:/ }).click();
  await page.getByRole('button', { name: 'Choose a message' }).click();
  const choose = page.getByRole('dialog', { name: 'Rich message' });
  await expectAccessible(page);
  await choose.getByRole('button', { name: 'Use: Summer sale' }).click();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Saved', { exact: false }).first()).toBeVisible();

  const hana = line.user({ name: 'Hana', language: 'en' });
  await hana.say('Is there a sale?');
  const { data: stored } = await callApi(kotae.url, richMessages.list, { query: { limit: 50 }, jwt });
  const jsonOf = async (name: string) => {
    const uuid = stored.find((each) => each.name === name)?.uuid ?? '';
    return (await callApi(kotae.url, richMessages.exportJson, { params: { uuid }, jwt })).data;
  };
  await expect
    .poll(() => line.shown(hana.id).map(({ message }) => message))
    .toEqual([expect.objectContaining(await jsonOf('Summer sale'))]);

  await page.goto(`${kotae.url}/Friend`);
  await page
    .getByRole('link', { name: /Hana/ })
    .or(page.getByRole('button', { name: /Hana/ }))
    .first()
    .click();
  await expect(page.getByRole('figure', { name: 'Our summer sale has begun' })).toBeVisible();
  await page.getByRole('button', { name: 'Send a rich message' }).click();
  await page.getByRole('button', { name: 'Send: Cake of the day' }).click();
  await expect(page.getByRole('figure', { name: 'The cake of the day' })).toBeVisible();
  await expect
    .poll(() => line.shown(hana.id).at(-1)?.message)
    .toEqual(expect.objectContaining(await jsonOf('Cake of the day')));
  await expectAccessible(page);

  // The list tells which of them is used, finds by kind, and leads to a broadcast.
  await page.goto(`${kotae.url}/Line-Channel/${channel.uuid}?tab=messages`);
  const tiles = page.getByRole('tabpanel').getByRole('listitem');
  await expect(tiles.filter({ hasText: 'Summer sale' })).toContainText('Used in 1 place');
  await page.getByRole('combobox', { name: 'Kind' }).click();
  await page.getByRole('option', { name: 'Cards' }).click();
  await expect(tiles).toHaveCount(1);
  await page.getByRole('searchbox', { name: 'Search messages' }).fill('Sale');
  await expect(page.getByText('No message is called “Sale”.')).toBeVisible();
  await page.getByRole('button', { name: 'Clear', exact: true }).last().click();
  await expect(tiles).toHaveCount(2);
  await page.getByRole('button', { name: 'Options for Cake of the day' }).click();
  await page.getByRole('menuitem', { name: 'Use in a broadcast' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Cake of the day');
  await page.goBack();
  await expect(tiles.filter({ hasText: 'Cake of the day' })).toContainText('Used in 1 place');
  // The message itself names what sends it, and leads there.
  await tiles.getByRole('link', { name: 'Cake of the day' }).click();
  await expect(page.getByRole('listitem').filter({ hasText: 'Broadcast' })).toContainText('Draft');
  await page.getByRole('listitem').getByRole('link', { name: 'Cake of the day' }).click();
  await expect(page).toHaveURL(/\/Broadcast\//);
});

test('a template begins with a picture of its own on each card, which is sent with it', async ({
  page,
  kotae,
  line,
}) => {
  const jwt = await arrive(page, kotae.url);
  const channel = await connect(kotae.url, line, jwt);
  await page.goto(`${kotae.url}/Line-Channel/${channel.uuid}/Message/new?from=survey`);
  const shown = page.getByRole('complementary', { name: 'Preview' }).locator('img');
  await expect(shown).toHaveCount(1);
  await expect(shown).toHaveJSProperty('complete', true);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Survey');
  const { data } = await callApi(kotae.url, richMessages.list, { query: { limit: 50 }, jwt });
  expect(data[0]?.draft).toMatchObject({ cards: [{ picture: { height: 676 } }] });
});

for (const look of [
  { locale: 'en', width: 1440, height: 900, scheme: 'light' },
  { locale: 'ja', width: 360, height: 740, scheme: 'dark' },
] as const)
  test(`rich messages read well in ${look.locale}, ${look.width} wide and ${look.scheme}`, async ({
    page,
    kotae,
    line,
  }) => {
    const { locale, width, height, scheme } = look;
    const say = textsOf(locale);
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme: scheme });
    const jwt = await arrive(page, kotae.url, locale);
    const channel = await connect(kotae.url, line, jwt);
    const uuids: string[] = [];
    for (const { name, draft: begun } of richTemplates(locale)) {
      // What a maker fills in.
      const draft = JSON.parse(JSON.stringify(begun).replaceAll('"uri":""', '"uri":"https://shop.example/"'));
      uuids.push((await callApi(kotae.url, richMessages.create, { body: { name, draft }, jwt })).data.uuid);
    }
    const [coupon = '', , menu = ''] = uuids;
    const rule = { phrases: ['sale'], match: 'contains', reply: '', rich: coupon, handOff: false, tag: '' } as const;
    await callApi(kotae.url, connections.update, {
      params: { uuid: channel.connection },
      body: { rules: [{ ...rule, phrases: ['sale'] }] },
      jwt,
    });
    await callApi(kotae.url, lineChannels.update, {
      params: { uuid: channel.uuid },
      body: {
        greeting: [
          { type: 'text', text: 'Hi {{name}}' },
          { type: 'rich', message: menu },
        ],
      },
      jwt,
    });
    const hana = line.user({ name: 'Hana', language: locale });
    // All that we offer is what LINE takes: what it does not take would be said at the end.
    await hana.follow();
    await expect.poll(() => line.shown(hana.id).length).toBe(2);
    const thread = (await callApi(kotae.url, inbox.threads, { query: {}, jwt })).data[0]?.uuid ?? '';
    for (const rich of uuids)
      await callApi(kotae.url, inbox.reply, {
        params: { thread },
        body: { key: crypto.randomUUID(), text: '', rich },
        jwt,
      });
    await expect.poll(() => line.shown(hana.id).length).toBe(2 + uuids.length);
    const board = `/Line-Channel/${channel.uuid}`;
    for (const [at, path] of [
      `${board}?tab=messages`,
      `${board}/Message/${coupon}`,
      `${board}/Message/${menu}`,
      `${board}/Message/new?from=imagemap`,
      `${board}?tab=settings`,
      `/Bot-Connect/${channel.connection}`,
      `/Friend?thread=${thread}`,
    ].entries()) {
      await page.goto(kotae.url + path);
      await page.waitForLoadState('networkidle');
      await expectNoOverflow(page);
      await expectAccessible(page);
      const shots = process.env['SHOTS'];
      if (shots) await page.screenshot({ path: `${shots}/${locale}-${at}.png`, fullPage: true });
      if (at > 0) continue;
      await page.getByRole('button', { name: say('rich-messages:gallery.create') }).click();
      await expect(page.getByRole('heading', { name: say('rich-messages:make.templates') })).toBeVisible();
      await expectNoOverflow(page);
      await expectAccessible(page);
      if (shots) await page.screenshot({ path: `${shots}/${locale}-make.png` });
    }
  });
