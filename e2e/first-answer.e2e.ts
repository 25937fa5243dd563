import type { Page } from '@playwright/test';
import { accounts } from '../shared/contracts/accounts.ts';
import { bots } from '../shared/contracts/bots.ts';
import { conversations } from '../shared/contracts/conversations.ts';
import { home } from '../shared/contracts/home.ts';
import { documents } from '../shared/contracts/knowledge.ts';
import { webChannels } from '../shared/contracts/web-channels.ts';
import { websites } from '../shared/contracts/websites.ts';
import { pages } from '../shared/pages.ts';
import { arrive, callApi } from './api.ts';
import { expect, expectAccessible, expectNoOverflow, fixture, test } from './server.ts';

interface Words {
  locale: string;
  timezoneId: string;
  choose: string;
  createAccount: string;
  username: RegExp;
  email: RegExp;
  createBase: string;
  create: string;
  name: string;
  ready: string;
  createBot: string;
  bases: string;
  saved: string;
  chat: string;
  more: string;
  message: string;
  send: string;
  openDocument: string;
  page: RegExp;
  file: string;
  question: string;
  answer: string;
  nothing: string;
  unknown: string;
}

const english: Words = {
  locale: 'en-US',
  timezoneId: 'Europe/London',
  choose: 'Choose a file',
  createAccount: 'Create account',
  username: /^Username/,
  email: /^Email/,
  createBase: 'Create a knowledge base',
  create: 'Create',
  name: 'Name',
  ready: 'Indexed',
  createBot: 'Create a bot',
  bases: 'Knowledge bases',
  saved: 'Saved',
  chat: 'Chat',
  more: 'More',
  message: 'Your message',
  send: 'Send',
  openDocument: 'Open the document',
  page: /p\. \d of \d/,
  file: 'guide-en.pdf',
  question: 'How much does delivery within Japan cost?',
  answer: 'Delivery within Japan costs 480 yen.',
  nothing: 'I could not find anything about this in the documents.',
  unknown: 'Who won the football championship of 1998?',
};

const japanese: Words = {
  locale: 'ja-JP',
  timezoneId: 'Asia/Tokyo',
  choose: 'ファイルを選択',
  createAccount: 'アカウントを作成',
  username: /^ユーザー名/,
  email: /^メールアドレス/,
  createBase: 'ナレッジを作成',
  create: '作成',
  name: '名前',
  ready: '読み込み完了',
  createBot: 'ボットを作成',
  bases: 'ナレッジ',
  saved: '保存済み',
  chat: 'チャット',
  more: 'その他',
  message: 'メッセージ',
  send: '送信',
  openDocument: 'ドキュメントを開く',
  page: /\d \/ \dページ/,
  file: 'guide-ja.pdf',
  question: '国内の送料はいくらですか？',
  answer: '国内の送料は480円です。',
  nothing: '申し訳ございません。こちらではわかりかねます。',
  unknown: '1998年のサッカー大会の優勝国はどこですか？',
};

async function register(page: Page, url: string, words: Words): Promise<void> {
  await page.goto(`${url}/Bot`);
  await expect(page).toHaveURL(/\/Register\?next=%2FBot$/);
  await page.getByLabel(words.username).fill('hanako');
  await page.getByLabel(words.email).fill('hanako@example.com');
  await page.locator('input[name=password]').fill('correct horse battery');
  await expectAccessible(page);
  await page.getByRole('button', { name: words.createAccount }).click();
  await expect(page).toHaveURL(`${url}/Bot`);
}

for (const [words, mode, width] of [
  [english, 'light', 1440],
  [japanese, 'dark', 360],
] as const) {
  test.describe(`from a document to its answer (${words.locale}, ${mode}, ${width} px)`, () => {
    test.use({
      locale: words.locale,
      timezoneId: words.timezoneId,
      colorScheme: mode,
      viewport: { width, height: 800 },
    });

    test("a newcomer's own PDF answers after a few clicks from the empty page", async ({ page, kotae }) => {
      let clicks = 0;
      const press = async (name: string) => {
        clicks++;
        await page.getByRole('button', { name }).click();
      };
      await page.goto(kotae.url);
      await expect(page).toHaveURL(/\/Register$/);
      await page.getByLabel(words.username).fill('hanako');
      await page.getByLabel(words.email).fill('hanako@example.com');
      await page.locator('input[name=password]').fill('correct horse battery');
      await press(words.createAccount);
      await expect(page.getByRole('button', { name: words.choose })).toBeVisible();
      await expectAccessible(page);
      await expectNoOverflow(page);
      const chooser = page.waitForEvent('filechooser');
      await press(words.choose);
      await (await chooser).setFiles(fixture(words.file));
      await expect(page).toHaveURL(/\/Chat$/);
      await expect(page.getByLabel(words.message, { exact: true })).toBeFocused();
      await page.keyboard.type(words.question);
      await press(words.send);
      await expect(page.getByRole('blockquote').first()).toContainText(words.answer);
      expect(clicks).toBeLessThanOrEqual(6);
    });

    test('a newcomer registers, adds a PDF, asks, and opens the citation at its page', async ({ page, kotae }) => {
      await register(page, kotae.url, words);

      await page.goto(`${kotae.url}/Knowledge`);
      await expect(page.getByRole('heading', { level: 2 })).toBeVisible();
      await page.getByRole('link', { name: words.createBase }).first().click();
      await page.getByLabel(words.name).fill('Hinata');
      await page.getByRole('button', { name: words.create, exact: true }).click();
      await expect(page).toHaveURL(/\/documents$/);
      await expect(page.getByRole('heading', { name: 'Hinata', level: 1 })).toBeVisible();
      await page.locator('input[type=file]').setInputFiles(fixture(words.file));
      await expect(page.getByRole('table').getByText(words.ready, { exact: true })).toBeVisible();
      await expectAccessible(page);
      await expectNoOverflow(page);

      await page.goto(`${kotae.url}/Bot`);
      await page.getByRole('button', { name: words.createBot }).first().click();
      await page.getByRole('dialog').getByLabel(words.name).fill('Guide');
      await page.getByRole('dialog').getByRole('button', { name: words.create, exact: true }).click();
      await page.getByRole('combobox', { name: words.bases }).click();
      await page.getByRole('option', { name: 'Hinata' }).click();
      await expect(page.getByText(words.saved).first()).toBeAttached();
      await page.keyboard.press('Escape');
      // A field half behind the bar above would be a target that is too small.
      await page.locator('#section-knowledge').evaluate((section) => section.scrollIntoView());
      await expectAccessible(page);
      await expectNoOverflow(page);

      const isPhone = width < 576;
      // A phone has it in the menu of the bar.
      if (isPhone) await page.getByRole('button', { name: words.more, exact: true }).click();
      await page
        .getByRole(isPhone ? 'menuitem' : 'link', { name: words.chat, exact: true })
        .filter({ visible: true })
        .click();
      // The editor, whose preview has a field of the same name, stays until the conversation is there.
      await expect(page.locator('#section-identity')).toHaveCount(0);
      await page.getByLabel(words.message, { exact: true }).fill(words.question);
      await page.keyboard.press('Enter');
      await expect(page.getByRole('blockquote').first()).toContainText(words.answer);
      await expect(page).toHaveURL(/thread=/);
      await expectAccessible(page);
      await expectNoOverflow(page);

      await page.reload();
      await expect(page.getByRole('blockquote').first()).toContainText(words.answer);
      await page.getByRole('button', { name: words.file }).last().click();
      const source = page.getByRole('dialog');
      await expect(source.locator('mark')).toContainText(words.answer);
      await expect(source.getByText(words.page)).toBeVisible();
      await expect(source.locator('canvas')).toBeVisible();
      await source.getByRole('link', { name: words.openDocument }).click();
      await expect(page.getByRole('heading', { level: 1, name: words.file })).toBeVisible();
      await expect(page).toHaveURL(/chunk=.*page=|page=.*chunk=/);
      await expect(page.locator('canvas + div').first()).toBeInViewport();
      await expectAccessible(page);

      await page.goBack();
      await expect(source.locator('mark')).toContainText(words.answer);
      await page.keyboard.press('Escape');
      await expect(source).toHaveCount(0);
      await page.getByLabel(words.message, { exact: true }).fill(words.unknown);
      await page.getByRole('button', { name: words.send }).click();
      await expect(page.getByText(words.nothing)).toBeVisible();
    });
  });
}

test('nothing acknowledged is lost when the power goes', async ({ page, kotae }) => {
  await arrive(page, kotae.url);
  await page.goto(`${kotae.url}/`);
  await page.getByRole('button', { name: 'Try the sample' }).click();
  await expect(page).toHaveURL(/\/Chat$/);
  await expect(page.getByLabel('Your message')).toBeVisible();
  const views = page.getByRole('navigation', { name: 'Views of the bot' });
  await expect(views.locator('[aria-current]')).toHaveText(['Chat']);
  await kotae.killAndStart();
  await page.reload();
  await page.getByLabel('Your message').fill('Can I bring my dog?');
  await expect(async () => {
    await page.keyboard.press('Enter');
    await page.getByLabel('Your message').fill('Can I bring my dog?');
    await expect(page.getByRole('blockquote').first()).toContainText('terrace', { timeout: 2000 });
  }).toPass();
  await kotae.killAndStart();
  await page.reload();
  await expect(page.getByRole('blockquote').first()).toContainText('terrace');
});

test('every page there is answers 200, and is drawn', async ({ page, kotae }) => {
  const { url } = kotae;
  const password = 'correct horse battery';
  const reply = await callApi(url, accounts.register, {
    body: { username: 'hanako', email: 'hanako@example.com', password, locale: 'en' },
  });
  const jwt = 'jwt' in reply ? reply.jwt : undefined;
  const { bot, knowledge } = (await callApi(url, home.sample, { body: { locale: 'en' }, jwt })).data;
  const [document] = (await callApi(url, documents.list, { params: { knowledge }, jwt })).data;
  const sent = await callApi(url, conversations.send, { body: { bot, message: { text: 'Hello' } }, jwt });
  const shared = await callApi(url, conversations.share, { params: { thread: sent.data.thread.uuid }, jwt });
  const channel = (await callApi(url, webChannels.create, { body: { name: 'Shop', bot }, jwt })).data;
  const website = await callApi(url, websites.create, {
    jwt,
    params: { knowledge },
    body: { url: 'https://shop.example/', settings: {} },
  });
  const visit = async (path: string) => {
    const address = path
      .replace('/Bot/$id', `/Bot/${bot}`)
      .replace('/Web-Channel/$id', `/Web-Channel/${channel.uuid}`)
      .replace('/Bot-Connect/$id', `/Bot-Connect/${channel.connection}`)
      .replace('$id', knowledge)
      .replace('$documentId', document?.uuid ?? '')
      .replace('$website', website.data.uuid)
      .replace('$message', sent.data.message.uuid)
      .replace('$token', new URL(shared.data.url).pathname.replace('/Shared/', ''));
    const response = await page.goto(`${url}${address}`);
    expect(response?.status(), address).toBe(200);
    await expect(page.getByRole('heading').first(), address).toBeVisible();
    await expect(page.getByRole('heading', { name: 'Page Not Found' }), address).toHaveCount(0);
    expect(new URL(page.url()).pathname, address).toBe(address);
  };

  for (const { path } of [...Object.values(pages.card), ...Object.values(pages.bare)]) await visit(path);
  await page.goto(`${url}/Login`);
  await page.locator('input[name=username]').fill('hanako@example.com');
  await page.locator('input[name=password]').fill(password);
  await page.locator('button[type=submit]').click();
  await expect(page).toHaveURL(`${url}/`);
  // Those of a channel of LINE need LINE: they are drawn in journeys of their own.
  const others = Object.values(pages.app).filter(({ path }) => !path.startsWith('/Line-Channel/'));
  for (const { path } of others) await visit(path);
});

test.describe('a page that is not there', () => {
  test('says so with its path, and with the status that machines read', async ({ page, kotae }) => {
    for (const path of ['/Nowhere', '/login', '/Bot/x/y/z']) {
      const response = await page.goto(`${kotae.url}${path}`);
      expect(response?.status()).toBe(404);
      await expect(page.getByRole('heading', { name: 'Page Not Found' })).toBeVisible();
      await expect(page.getByText(path)).toBeVisible();
    }
    await expectAccessible(page);
  });

  test('and a thing that is not there looks the same', async ({ page, kotae }) => {
    await arrive(page, kotae.url);
    for (const path of [
      '/Bot/00000000-0000-7000-8000-000000000000',
      '/Bot/nonsense/Chat',
      '/Knowledge/nonsense/documents',
    ]) {
      await page.goto(`${kotae.url}${path}`);
      await expect(page.getByRole('heading', { name: 'Page Not Found' })).toBeVisible();
    }
  });
});

test('language, colors and the session stay as chosen', async ({ page, context, kotae }) => {
  await register(page, kotae.url, english);
  await page.getByRole('button', { name: 'Account of hanako' }).click();
  await page.getByRole('button', { name: '日本語' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'ボット' })).toBeVisible();
  expect((await context.cookies()).find((cookie) => cookie.name === 'user-locale')).toMatchObject({
    value: 'ja',
    sameSite: 'Lax',
    path: '/',
  });
  expect(await page.evaluate(() => localStorage.getItem('user-locale'))).toBe('ja');
  await page.getByRole('button', { name: 'ダーク' }).click();
  expect(await page.evaluate(() => localStorage.getItem('color-mode'))).toBe('dark');
  // The short token is gone; the session renews it before anyone notices.
  await context.clearCookies({ name: 'jwt' });
  await page.goto(`${kotae.url}/Knowledge`);
  await expect(page.getByRole('heading', { level: 1, name: 'ナレッジ' })).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
  await page.getByRole('button', { name: 'hanakoのアカウント' }).click();
  await page.getByRole('button', { name: 'ログアウト' }).click();
  await expect(page).toHaveURL(`${kotae.url}/Login`);
  await page.goto(`${kotae.url}/Bot`);
  await expect(page).toHaveURL(/\/Login/);
});

test('everything is found by a few letters, and what was deleted comes back', async ({ page, kotae }) => {
  const jwt = await arrive(page, kotae.url);
  await page.goto(`${kotae.url}/`);
  await page.getByRole('button', { name: 'Try the sample' }).click();
  await expect(page.getByLabel('Your message')).toBeVisible();
  await page
    .getByRole('button', { name: /^Search/ })
    .first()
    .click();
  await page.getByPlaceholder('Search or jump to…').fill('faq');
  await page.getByRole('button', { name: /Hinata Coffee FAQ/ }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Hinata Coffee FAQ.md' })).toBeVisible();
  await page.goto(`${kotae.url}/Bot`);
  await expect(page.getByRole('article', { name: 'Hinata Coffee assistant' })).toBeVisible();
  await page.keyboard.press('Control+k');
  await expect(page.getByPlaceholder('Search or jump to…')).toBeFocused();
  await callApi(kotae.url, bots.create, { jwt, body: { name: 'Keyring' } });
  await page.keyboard.type('key');
  await expect(page.locator('[data-action][data-selected]')).toContainText('Keyring');
  await page.getByPlaceholder('Search or jump to…').fill('api keys');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('tab', { name: 'API keys' })).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Shift+?');
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await page.goto(`${kotae.url}/Bot`);
  await page.getByRole('button', { name: 'Options for Hinata Coffee assistant' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await expect(page.getByRole('article', { name: 'Hinata Coffee assistant' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByRole('article', { name: 'Hinata Coffee assistant' })).toBeVisible();
});

test('a question written on the home page is asked in a conversation, and once', async ({ page, kotae }) => {
  const jwt = await arrive(page, kotae.url);
  await callApi(kotae.url, home.sample, { body: { locale: 'en' }, jwt });
  await page.goto(kotae.url);
  await page.getByRole('textbox', { name: /^Ask / }).fill('How much is delivery?');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('blockquote')).toContainText('370 yen');
  await page.reload();
  await expect(page.getByRole('blockquote')).toContainText('370 yen');
  await page.goBack();
  await expect(page.getByRole('link', { name: 'How much is delivery?' })).toHaveCount(1);
  await page.goForward();
  await expect(page.getByRole('blockquote')).toContainText('370 yen');
});
