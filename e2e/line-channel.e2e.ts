import type { Page } from '@playwright/test';
import { bots } from '../shared/contracts/bots.ts';
import { inbox } from '../shared/contracts/inbox.ts';
import { lineChannels } from '../shared/contracts/line-channels.ts';
import { arrive, callApi } from './api.ts';
import { test } from './line.ts';
import { expect, expectAccessible, expectNoOverflow } from './server.ts';
import { textsOf } from './texts.ts';

async function aBot(url: string, jwt: string): Promise<string> {
  const { uuid } = (await callApi(url, bots.create, { body: { name: 'Shop guide' }, jwt })).data;
  await callApi(url, bots.publish, { params: { uuid }, body: { note: '' }, jwt });
  return uuid;
}

const tick = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name });

test('the inbox follows conversations after the page of LINE was open', async ({ page, kotae, line }) => {
  const jwt = await arrive(page, kotae.url);
  const { id: channelId, secret } = line.channel;
  const bot = await aBot(kotae.url, jwt);
  const { uuid } = (await callApi(kotae.url, lineChannels.connect, { body: { channelId, secret, bot }, jwt })).data;
  await callApi(kotae.url, lineChannels.sync, { params: { uuid }, jwt });
  line.webhook.isActive = true;
  await line.user({ name: 'Sora' }).say('When do you open?');
  const found = async () => (await callApi(kotae.url, inbox.threads, { query: { view: 'all' }, jwt })).data;
  await expect.poll(async () => (await found()).length).toBe(1);

  await page.goto(`${kotae.url}/Line-Channel`);
  await expect(page.getByText('Waiting on this account')).toBeVisible();
  await page.getByRole('link', { name: /^Inbox/ }).click();
  await page.getByRole('link', { name: /Sora/ }).click();
  await page.getByRole('button', { name: 'Resolve' }).click();
  await expect(page.getByRole('button', { name: 'Reopen' })).toBeVisible();
  await line.user({ name: 'Yui' }).say('Is it open on Sundays?');
  await expect(page.getByRole('list', { name: 'Conversations' }).getByRole('link', { name: /Yui/ })).toBeVisible();
});

test('a LINE account is connected, a friend writes, and its events tell what became of it', async ({
  page,
  kotae,
  line,
}) => {
  const jwt = await arrive(page, kotae.url);
  const bot = await aBot(kotae.url, jwt);

  await page.goto(`${kotae.url}/Line-Channel`);
  await expect(page.getByText('npm run line:simulate')).toBeVisible();
  await page.goto(`${kotae.url}/Bot/${bot}`);
  await page.getByRole('button', { name: 'Share' }).click();
  await page.getByRole('link', { name: 'Put it on LINE' }).click();
  const connect = page.getByRole('dialog', { name: 'Connect a LINE channel' });
  await connect.getByRole('button', { name: 'Next' }).click();
  await expect(connect.getByRole('combobox', { name: 'Who answers' })).toHaveValue('Shop guide');
  await connect.getByRole('textbox', { name: 'Channel ID' }).fill(line.channel.id);
  await connect.getByRole('textbox', { name: 'Channel secret' }).fill('0'.repeat(32));
  await connect.getByRole('button', { name: 'Connect' }).click();
  await expect(connect.getByText('LINE does not accept this ID with this secret.', { exact: false })).toBeVisible();
  await connect.getByRole('textbox', { name: 'Channel secret' }).fill(line.channel.secret);
  line.webhook.isActive = false;
  await connect.getByRole('button', { name: 'Connect' }).click();

  await expect(connect.getByText('Hinata Coffee · @hinata')).toBeVisible();
  await expect(tick(page, 'Address registered')).toContainText('LINE sends events here.');
  await expect(tick(page, 'Reachable from LINE')).toContainText('It answered.');
  await expect(tick(page, '“Use webhook”')).toContainText('Off: switch it on');
  await expectAccessible(page);
  // Switched on in LINE's console, it is ticked here by itself.
  line.webhook.isActive = true;
  await expect(tick(page, '“Use webhook”')).toContainText('On');
  await connect.getByRole('button', { name: 'Open the channel' }).click();
  const health = page.getByText(
    'Everything is set up. Write to the account from LINE, and the conversation appears in the inbox.',
  );
  await expect(health).toBeVisible();

  const sora = line.user({ name: 'Sora', language: 'en' });
  await sora.say('When do you open?');
  await page.reload();
  await expect(page.getByText('Everything works.')).toBeVisible();
  await sora.sticker({ keywords: ['hello', 'wave'] });
  await sora.location({ title: 'Hinata Coffee', address: '1-2-3 Jinnan', latitude: 35.66, longitude: 139.7 });
  const mistake = await sora.say('Not for you');
  await page.getByRole('tab', { name: 'Events' }).click();
  // What is told of new messages stays as long as the pointer is on it.
  await page.mouse.move(0, 0);
  const events = page.getByRole('table', { name: 'Events from LINE' });
  await expect(events.getByRole('button', { name: /^Text, Done/ })).toHaveCount(2);
  await sora.unsend(mistake.messageId);
  await sora.say('Answered elsewhere', { mode: 'standby' });
  await expect(events.getByRole('button', { name: /^Unsent, Done/ })).toBeVisible();
  await expect(events.getByRole('button', { name: /^Sticker, Done/ })).toBeVisible();
  await expect(events.getByText('Another program answers this account at the moment.')).toBeVisible();
  await page.getByRole('combobox', { name: 'State' }).click();
  await page.getByRole('option', { name: 'Ignored' }).click();
  await expect(events.getByRole('button')).toHaveCount(1);
  await events.getByRole('button', { name: /^Text, Ignored/ }).click();
  const panel = page.getByRole('dialog', { name: 'Event' });
  await expect(panel.getByRole('region', { name: 'What LINE sent' })).toContainText('Answered elsewhere');
  await panel.getByRole('button', { name: 'Show the whole request' }).click();
  await expect(panel.getByRole('region', { name: 'Request' })).toContainText('"destination"');
  await expectAccessible(page);
  await panel.getByRole('button', { name: 'Replay' }).click();
  await expect(page.getByText('Processing again.')).toBeVisible();
  await panel.getByRole('button', { name: 'Close' }).click();

  await page.getByRole('tab', { name: 'Settings' }).click();
  await page.getByRole('button', { name: 'Text', exact: true }).click();
  await page.getByRole('textbox', { name: 'Bubble 1' }).fill('Welcome, ');
  await page.getByRole('button', { name: 'Insert friend’s name into bubble 1' }).click();
  await expect(page.getByRole('complementary', { name: 'Preview' })).toContainText('Welcome, Name');
  await page.getByRole('button', { name: 'Never' }).click();
  await page.getByRole('tab', { name: 'Overview' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Stay here' }).click();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('textbox', { name: 'Bubble 1' })).toHaveValue('Welcome, {{name}}');
  await expect(page.getByRole('button', { name: 'Never' })).toHaveAttribute('aria-pressed', 'true');

  await page.getByRole('link', { name: 'Inbox' }).click();
  await page.getByRole('link', { name: /^Sora Waiting now/ }).click();
  const thread = page.getByRole('region', { name: 'Conversation with Sora' });
  await expect(thread.getByText('Sticker (hello)')).toBeVisible();
  await expect(thread.getByRole('link', { name: /Hinata Coffee\s*1-2-3 Jinnan/ })).toHaveAttribute(
    'href',
    /openstreetmap\.org.*35\.66/,
  );
  await expect(thread.getByText('Message was unsent')).toBeVisible();
  await expect(thread.getByText('Not for you')).toBeHidden();

  await page.goBack();
  await page.goto(`${kotae.url}/Line-Channel`);
  await page.getByRole('link', { name: /^Hinata Coffee/ }).click();
  await page.getByRole('button', { name: 'Options for Hinata Coffee' }).click();
  await page.getByRole('menuitem', { name: 'Disconnect' }).click();
  const ask = page.getByRole('dialog', { name: 'Disconnect “Hinata Coffee”?' });
  await expect(ask).toContainText('Conversations and people stay in the inbox');
  await ask.getByRole('button', { name: 'Disconnect' }).click();
  await expect(page.getByText('No LINE channel yet')).toBeVisible();
  line.mustBeValid();
});

const seenAs = [
  { locale: 'en', width: 1440, colorScheme: 'light' },
  { locale: 'ja', width: 360, colorScheme: 'dark' },
] as const;

for (const { locale, width, colorScheme } of seenAs)
  test(`everyone can use the pages of LINE: ${locale}, ${width} px, ${colorScheme}`, async ({ page, kotae, line }) => {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 800 });
    const say = textsOf(locale);
    const jwt = await arrive(page, kotae.url, locale);
    await page.goto(`${kotae.url}/Line-Channel`);
    await page.getByRole('button', { name: say('line-channels:list.connect') }).click();
    for (const step of ['find', 'paste']) {
      await expect(page.getByRole('heading', { name: say(`line-channels:connect.${step}.title`) })).toBeVisible();
      await expectNoOverflow(page);
      await expectAccessible(page);
      if (step === 'find') await page.getByRole('button', { name: say('line-channels:connect.next') }).click();
    }
    await page.keyboard.press('Escape');
    await expectAccessible(page);
    const bot = await aBot(kotae.url, jwt);
    const { id: channelId, secret } = line.channel;
    const { uuid, connection } = (
      await callApi(kotae.url, lineChannels.connect, { body: { channelId, secret, bot }, jwt })
    ).data;
    line.quota.used = 120;
    await callApi(kotae.url, lineChannels.update, {
      params: { uuid },
      body: { greeting: [{ type: 'text', text: 'Welcome, {{name}}' }], stopAt: 180 },
      jwt,
    });
    // Events go nowhere yet: the page says so.
    await callApi(kotae.url, lineChannels.refresh, { params: { uuid }, jwt });
    await page.goto(`${kotae.url}/Line-Channel/${uuid}`);
    await expect(page.locator('main').getByRole('listitem').first()).toBeVisible();
    await expectNoOverflow(page);
    await expectAccessible(page);
    await callApi(kotae.url, lineChannels.sync, { params: { uuid }, jwt });
    line.webhook.isActive = true;
    await line.user({ name: 'Sora' }).say('When do you open?', { mode: 'standby' });
    const paths = [
      '/Line-Channel',
      ...['', '?tab=settings', '?tab=events'].map((tab) => `/Line-Channel/${uuid}${tab}`),
      '/Bot-Connect',
      `/Bot-Connect/${connection}`,
    ];
    for (const path of paths) {
      await page.goto(kotae.url + path);
      await expect(page.getByRole('heading', { level: 1 })).not.toBeEmpty();
      await page.waitForLoadState('networkidle');
      if (path.startsWith('/Bot-Connect/'))
        await expect(page.getByText(say('line-channels:ownReplies.unseen'))).toBeVisible();
      await expectNoOverflow(page);
      await expectAccessible(page);
      if (!path.endsWith('events')) continue;
      await page.getByRole('table').getByRole('button').first().click();
      await expect(page.getByRole('region', { name: say('line-channels:event.raw') })).toBeVisible();
      await expectNoOverflow(page);
      await expectAccessible(page);
    }
  });
