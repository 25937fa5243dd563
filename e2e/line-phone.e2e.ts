import { test } from '@playwright/test';
import { LineBotClient } from '@line/bot-sdk';
import sharp from 'sharp';
import { startLine } from '../server/testing/line/start.ts';
import { complaintsOf, expect, expectAccessible } from './server.ts';

/* The page that plays a phone for those who try Kotae without LINE (`npm run line:simulate`). */

test('a person writes, sees what the bot says as text, and taps what it offers', async ({ page }) => {
  const line = await startLine({ allowHttp: true, hasPhone: true });
  const hanako = line.user({ name: '花子', language: 'ja' });
  line.user({ name: 'Taro' });
  line.group({ name: 'Team', members: [] });
  const bot = LineBotClient.fromChannelAccessToken({
    channelAccessToken: line.channel.longLivedToken,
    apiBaseURL: line.url,
    dataApiBaseURL: line.url,
  });
  const picture = await sharp({ create: { width: 2500, height: 843, channels: 3, background: '#0a6b3d' } })
    .png()
    .toBuffer();
  const { richMenuId } = await bot.createRichMenu({
    size: { width: 2500, height: 843 },
    selected: true,
    name: 'menu',
    chatBarText: 'Shop menu',
    areas: [
      {
        bounds: { x: 0, y: 0, width: 2500, height: 843 },
        action: { type: 'message', label: 'Hours', text: 'When do you open?' },
      },
    ],
  });
  await bot.setRichMenuImage(richMenuId, new Blob([new Uint8Array(picture)], { type: 'image/png' }));
  await bot.setDefaultRichMenu(richMenuId);

  const complaints = complaintsOf(page);
  await page.goto(line.url);
  await expect(page.getByText(line.channel.secret)).toBeVisible();
  await expect(page.getByText('This is a simulation', { exact: false })).toBeVisible();
  const log = page.getByRole('log');
  await page.getByRole('button', { name: 'Hours' }).click();
  await expect(log.getByText('When do you open?')).toBeVisible();
  await expect(page.getByText('Kotae has not set a webhook', { exact: false })).toBeVisible();

  await bot.showLoadingAnimation({ chatId: hanako.id });
  await expect(page.getByRole('status', { name: 'An answer is being written' })).toBeVisible();
  const hostile = '<img src=x onerror="document.title=1">';
  await bot.pushMessage({
    to: hanako.id,
    messages: [
      {
        type: 'flex',
        altText: 'x',
        contents: {
          type: 'bubble',
          body: {
            type: 'box',
            layout: 'vertical',
            contents: [
              { type: 'text', text: hostile },
              { type: 'button', action: { type: 'postback', label: 'Buy', data: 'buy', displayText: 'I buy it' } },
            ],
          },
        },
      },
      {
        type: 'text',
        text: hostile,
        quickReply: { items: [{ type: 'action', action: { type: 'message', label: 'Yes', text: 'Yes, please' } }] },
      },
    ],
  });
  await expect(log.getByText(hostile)).toHaveCount(2);
  await expect(page.getByRole('status', { name: 'An answer is being written' })).toBeHidden();
  await expectAccessible(page);

  await page.getByRole('textbox', { name: 'Write a message' }).fill('half a sente');
  await page.getByRole('button', { name: 'Yes' }).click();
  await expect(log.getByText('Yes, please')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Yes' })).toBeHidden();
  await expect(page.getByRole('textbox', { name: 'Write a message' })).toHaveValue('half a sente');
  await page.getByRole('button', { name: 'Buy' }).click();
  await expect(log.getByText('I buy it')).toBeVisible();
  await page.getByRole('combobox').selectOption('ja');
  await expect(page.getByRole('textbox', { name: 'メッセージを入力' })).toBeVisible();
  expect(await page.title()).toBe('LINEシミュレーション');
  expect(complaints).toEqual([]);
  line.mustBeValid();
  await line.close();
});
