import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext, BrowserType, FrameLocator, Page } from '@playwright/test';
import { bots } from '../shared/contracts/bots.ts';
import { connections } from '../shared/contracts/connections.ts';
import { inbox } from '../shared/contracts/inbox.ts';
import { documents, knowledge } from '../shared/contracts/knowledge.ts';
import { visitors } from '../shared/contracts/visitors.ts';
import { webChannels } from '../shared/contracts/web-channels.ts';
import type { BodyIn } from '../shared/route.ts';
import { callApi } from './api.ts';
import { expect, expectAccessible, openKotae, test as base, type Kotae } from './server.ts';
import { openShop, openSite, type Shop, type Site } from './site.ts';

interface Around {
  kotae: Kotae;
  site: Site;
  openBrowser(folder: string, profile: object): Promise<BrowserContext>;
}

// One server for all: each visitor has a browser of their own.
const test = base.extend<object, { shop: Shop & Around }>({
  shop: [
    async ({ playwright: { chromium } }, use) => {
      const kotae = await openKotae();
      const shop = await openShop(kotae.url, {
        shown: { citations: true, upload: true, feedback: true, sound: false, poweredBy: true },
      });
      const script = `<script async src="${kotae.url}/embed.js" data-channel="${shop.channel}"></script>`;
      const site = await openSite(pagesOf(kotae.url, shop.channel, script));
      await use({ ...shop, kotae, site, openBrowser: (folder, profile) => openBrowser(chromium, folder, profile) });
      site.close();
      await kotae.close();
    },
    { scope: 'worker' },
  ],
});

/** Pages of the kinds that break widgets. Each counts how far its content was moved. */
function pagesOf(url: string, channel: string, script: string): Parameters<typeof openSite>[0] {
  const text = '<h1>Beans</h1><p>Roasted on Thursday.</p><button>See the beans</button><p>Journal</p>';
  const page = (body: string, head = '', attributes = 'lang="en"') =>
    `<!doctype html><html ${attributes}><head><meta name="viewport" content="width=device-width"><link rel="icon" href="data:,"><title>Shop</title>${head}</head><body>${body}</body></html>`;
  return {
    '/plain': { html: page(text + script) },
    '/ja': { html: page(text + script, '', 'lang="ja"') },
    '/csp': {
      html: page(text + script),
      headers: {
        'content-security-policy': `default-src 'none'; script-src ${url}; connect-src ${url}; frame-src ${url}; img-src data:; require-trusted-types-for 'script'`,
      },
    },
    '/hostile': {
      html: page(
        text + script,
        `<style>* { all: unset !important } button, iframe, div, i, svg { display: none !important; position: static !important } body { transform: none }</style>
        <script>
          window.$ = window.jQuery = function () { return this };
          Array.prototype.toJSON = function () { return 'broken' };
          Array.prototype.remove = function () {};
          Object.prototype.extend = function () {};
          window.Promise.allSettled = window.structuredClone = undefined;
        </script>`,
      ),
    },
    '/spa': {
      html: page(
        `<div id="app"></div>${script}`,
        `<script>
          let times = 0;
          const draw = () => {
            const body = document.createElement('body');
            body.innerHTML = ${JSON.stringify(text)};
            document.body.replaceWith(body);
            if (++times < 4) setTimeout(draw, 400);
            else document.title = 'settled';
          };
          addEventListener('load', () => setTimeout(draw, 400));
        </script>`,
      ),
    },
    '/rtl': { html: page(text + script, '', 'dir="rtl" lang="ar"') },
    '/twice': { html: page(text + script + script) },
    '/inline': {
      html: page(
        `${text}<div id="chat" style="width:400px;height:560px"></div>${script.replace('async', 'async data-mode="inline" data-target="#chat"')}`,
      ),
    },
    '/page': { html: page(text + script.replace('async', 'async data-mode="page" data-language="ja"')) },
    '/queue': {
      html: page(
        text,
        `<script>
          window.heard = [];
          window.Kotae = window.Kotae || { queue: [] };
          for (const name of ['open', 'close', 'toggle', 'identify', 'reset', 'on', 'destroy'])
            Kotae[name] ||= (...given) => void Kotae.queue.push([name, ...given]);
          for (const event of ['ready', 'open', 'close', 'message', 'unread']) Kotae.on(event, (...detail) => heard.push([event, ...detail]));
          Kotae.open();
        </script>${script}`,
      ),
    },
    ...Object.fromEntries(
      Object.entries({
        '/stripped': `<script src="${url}/embed.js?channel=${channel}"></script>`,
        '/module': `<script type="module" src="${url}/embed.js?channel=${channel}"></script>`,
        '/imported': `<script type="module">import('${url}/embed.js?channel=${channel}&language=en')</script>`,
        '/shadow': `<div><template shadowrootmode="open"><script src="${url}/embed.js?channel=${channel}"></script></template></div>`,
        '/managed': `<script>
          const script = document.createElement('script');
          script.src = '${url}/embed.js?channel=${channel}';
          setTimeout(() => document.head.append(script));
        </script>`,
        '/nameless': `<script async src="${url}/embed.js"></script>`,
        '/nameless-module': `<script type="module" src="${url}/embed.js"></script>`,
        '/pasted': `<script type="module">${readFileSync('dist/widget/embed.js', 'utf8')}</script>`,
        '/wrong': `<script src="${url}/embed.js?channel=my-shop"></script>`,
        '/nowhere': `<script src="${url}/embed.js?channel=${channel}&mode=inline&target=%23chat"></script>`,
      }).map(([path, snippet]) => [path, { html: page(text + snippet) }]),
    ),
    '/gone': { html: page(text + script.replace(channel, '00000000-0000-4000-8000-000000000000')) },
  };
}

const launcher = (page: Page) => page.getByRole('button', { name: 'Hinata Coffee' });
const chatOf = (page: Page): FrameLocator => page.frameLocator('iframe[title="Hinata Coffee"]');

/** Where it was open on the page before, it may be open already. */
async function openChat(page: Page): Promise<void> {
  await expect(launcher(page)).toBeVisible();
  if ((await launcher(page).getAttribute('aria-expanded')) === 'false') await launcher(page).click();
}

async function shiftOf(page: Page): Promise<number> {
  return page.evaluate(
    `new Promise((done) => {
      let sum = 0;
      new PerformanceObserver((list) => { for (const each of list.getEntries()) if (!each.hadRecentInput) sum += each.value; }).observe({ type: 'layout-shift', buffered: true });
      setTimeout(() => done(sum), 100);
    })`,
  );
}

async function askAboutDogs(page: Page): Promise<void> {
  const chat = chatOf(page);
  await page.bringToFront();
  await chat.getByRole('textbox', { name: 'Write a message' }).fill('Can I bring my dog to the terrace?');
  await page.keyboard.press('Enter');
  await expect(chat.getByRole('log')).toContainText('Dogs on a lead are welcome');
  // What still comes moves the words that are clicked.
  await expect(chat.getByRole('log')).toHaveAttribute('aria-busy', 'false');
  await chat.getByRole('button', { name: 'Source 1: House rules.md' }).first().click();
  const source = chat.getByRole('dialog', { name: 'Source 1: House rules.md' });
  await expect(source).toContainText('Opening hours');
  await expect(source).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(chat.getByRole('dialog')).toHaveCount(0);
}

/** A channel and a site of its own, on which one visitor comes. */
async function aChannel({ kotae, jwt, bot }: Shop & Around, settings: BodyIn<typeof webChannels.update> = {}) {
  const body = { name: 'Own', bot, domains: ['127.0.0.1'] };
  const { uuid } = (await callApi(kotae.url, webChannels.create, { jwt, body })).data;
  await callApi(kotae.url, webChannels.update, { jwt, params: { uuid }, body: settings });
  const script = `<script async src="${kotae.url}/embed.js" data-channel="${uuid}"></script>`;
  const thread = async () => {
    const [row] = (await callApi(kotae.url, inbox.threads, { jwt, query: { channel: uuid } })).data;
    if (!row) throw new Error('nobody has written');
    return row;
  };
  return {
    site: await openSite(pagesOf(kotae.url, uuid, script)),
    channel: uuid,
    thread,
    reply: async (text: string) =>
      callApi(kotae.url, inbox.reply, {
        jwt,
        params: { thread: (await thread()).uuid },
        body: { key: crypto.randomUUID(), text },
      }),
  };
}

/** A browser with settings as its own page of settings writes them, that keeps what it learns in a folder. */
async function openBrowser(chromium: BrowserType, folder: string, profile: object): Promise<BrowserContext> {
  await mkdir(join(folder, 'Default'), { recursive: true });
  const file = join(folder, 'Default/Preferences');
  const before = JSON.parse(await readFile(file, 'utf8').catch(() => '{}'));
  await writeFile(file, JSON.stringify({ ...before, profile: { ...before.profile, ...profile } }));
  const executablePath = process.env['CHROMIUM_PATH'];
  return chromium.launchPersistentContext(folder, {
    args: ['--no-sandbox'],
    viewport: { width: 1280, height: 720 },
    ...(executablePath && { executablePath }),
  });
}

/** Chromium's usual: a frame of another site has storage, apart for each site that shows it. */
const usualStorage = { cookie_controls_mode: 0, block_third_party_cookies: false };
/** "Block third-party cookies", as private windows do: the frame's storage throws, the page's own does not. */
const noForeignStorage = { cookie_controls_mode: 1, block_third_party_cookies: true };
/** "Block all cookies": storage throws. */
const noStorage = { default_content_setting_values: { cookies: 2 } };

for (const [name, path] of [
  ['a plain page', '/plain'],
  ['a page with a strict policy', '/csp'],
  ['a page with an old library and rules against everything', '/hostile'],
  ['a page that draws its body again', '/spa'],
  ['a page from right to left', '/rtl'],
  ['a page that has the script twice', '/twice'],
] as const)
  test(`on ${name} a question is answered with its source, and nothing moves`, async ({ page, shop }) => {
    const complaints: string[] = [];
    page.on('pageerror', ({ message }) => complaints.push(message));
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    await page.goto(`${shop.site.at('127.0.0.1')}${path}`);
    if (path === '/spa') await expect(page).toHaveTitle('settled');
    await expect(launcher(page)).toBeVisible();
    await expect(launcher(page)).toHaveCount(1);
    const { x = 0, width = 0, height } = (await launcher(page).boundingBox()) ?? {};
    expect([width, height, x + width]).toEqual([56, 56, 1260]);
    expect(page.frames()).toHaveLength(1);
    await launcher(page).click();
    await askAboutDogs(page);
    expect(await shiftOf(page)).toBe(0);
    await page.keyboard.press('Escape');
    await expect(page.locator('iframe')).toBeHidden();
    await expect(launcher(page)).toBeFocused();
    expect(complaints).toEqual([]);
  });

test('on a phone it fills the screen, and the page behind it stays where it is', async ({ browser, shop }) => {
  const context = await browser.newContext({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });
  const page = await context.newPage();
  await page.goto(`${shop.site.at('127.0.0.1')}/plain`);
  await launcher(page).tap();
  await askAboutDogs(page);
  expect(await page.locator('iframe').boundingBox()).toEqual({ x: 0, y: 0, width: 360, height: 740 });
  expect(await page.evaluate('getComputedStyle(document.documentElement).overflow')).toBe('hidden');
  await chatOf(page).getByRole('button', { name: 'Close' }).tap();
  await expect(launcher(page)).toBeVisible();
  expect(await page.evaluate('getComputedStyle(document.documentElement).overflow')).toBe('visible');
  expect(await shiftOf(page)).toBe(0);
  await context.close();
});

test('a browser that keeps nothing has a conversation all the same', async ({ shop }) => {
  const folder = await mkdtemp(join(tmpdir(), 'kotae-browser-'));
  const context = await shop.openBrowser(folder, noStorage);
  const page = await context.newPage();
  await page.goto(`${shop.site.at('127.0.0.1')}/plain`);
  expect(
    await page.evaluate('(() => { try { return String(localStorage) } catch ({ name }) { return name } })()'),
  ).toBe('SecurityError');
  await launcher(page).click();
  await askAboutDogs(page);
  await context.close();
  await rm(folder, { recursive: true, force: true });
});

test('a site that is not listed shows no conversation, and says so calmly', async ({ page, shop }) => {
  await page.goto(`${shop.site.at('localhost')}/plain`);
  const button = page.getByRole('button', { name: 'Chat', exact: true });
  await expect(button).toBeVisible();
  await button.click();
  await expect(page.getByText('The chat cannot be shown here.')).toBeVisible();
  await expect(page.locator('iframe')).toBeHidden();
  await button.click();
  await expect(page.getByText('The chat cannot be shown here.')).toBeHidden();
  const response = await page.request.get(`${shop.kotae.url}/Bot/-/chat_embed?channel=${shop.channel}`);
  expect(response.headers()['content-security-policy']).toMatch(
    /frame-ancestors 'self' https:\/\/127\.0\.0\.1 http:\/\/127\.0\.0\.1 https:\/\/127\.0\.0\.1:\* http:\/\/127\.0\.0\.1:\*$/,
  );
  expect(response.headers()).not.toHaveProperty('x-frame-options');
});

test('a script that lost its attributes or its element works by its address, and says why where it cannot', async ({
  page,
  shop,
}) => {
  for (const path of ['/stripped', '/module', '/imported', '/shadow', '/managed']) {
    await page.goto(shop.site.at('127.0.0.1') + path);
    await expect(launcher(page), path).toBeVisible();
  }
  for (const [path, why] of [
    ['/nameless', 'embed.js needs ?channel='],
    ['/nameless-module', 'embed.js needs ?channel='],
    ['/pasted', 'embed.js needs ?channel='],
    ['/wrong', 'This channel does not exist.'],
    ['/nowhere', 'no #chat here'],
  ] as const) {
    const said = page.waitForEvent('console', (message) => message.text() === `Kotae: ${why}`);
    await page.goto(shop.site.at('127.0.0.1') + path);
    expect((await said).type(), path).toBe('error');
  }
  const said = page.waitForEvent('console', (message) => message.text().startsWith('Kotae: '));
  await page.goto(`${shop.site.at('localhost')}/plain`);
  expect((await said).text()).toContain('may not be shown on http://localhost');
});

test('of a channel that is gone the launcher goes, too', async ({ page, shop }) => {
  await page.goto(`${shop.site.at('127.0.0.1')}/gone`);
  await expect(page.getByRole('heading', { name: 'Beans' })).toBeVisible();
  await expect.poll(() => page.evaluate('document.querySelectorAll("body > div").length')).toBe(0);
  const response = await page.request.get(
    `${shop.kotae.url}/Bot/-/chat_embed?channel=00000000-0000-4000-8000-000000000000&language=ja`,
  );
  expect(response.status()).toBe(404);
  expect(await response.text()).toContain('このチャットは終了しました。');
});

test('a page has it in a place of its own, or as a whole page in the language it names', async ({ page, shop }) => {
  await page.goto(`${shop.site.at('127.0.0.1')}/inline`);
  await askAboutDogs(page);
  expect(await page.locator('iframe').boundingBox()).toMatchObject({ width: 400, height: 560 });
  await expect(launcher(page)).toHaveCount(0);
  await page.goto(`${shop.site.at('127.0.0.1')}/page`);
  await expect(chatOf(page).getByRole('textbox', { name: 'メッセージを入力' })).toBeVisible();
  expect(await page.locator('iframe').boundingBox()).toEqual({ x: 0, y: 0, width: 1280, height: 720 });
});

test('what the page calls before the script is there is done when it is', async ({ page, shop }) => {
  await page.goto(`${shop.site.at('127.0.0.1')}/queue`);
  await askAboutDogs(page);
  await expect
    .poll(() => page.evaluate('heard'))
    .toEqual(
      expect.arrayContaining([['open'], ['ready'], ['message', expect.objectContaining({ role: 'assistant' })]]),
    );
  await page.evaluate('Kotae.close()');
  await expect(page.locator('iframe')).toBeHidden();
  await page.evaluate('Kotae.destroy()');
  expect(await page.evaluate('[typeof Kotae, document.querySelectorAll("body > div").length]')).toEqual([
    'undefined',
    0,
  ]);
});

test('the conversation is there again on another page, in another tab and after the browser was closed', async ({
  shop,
}) => {
  const own = await aChannel(shop);
  const { site } = own;
  const folder = await mkdtemp(join(tmpdir(), 'kotae-browser-'));
  const context = await shop.openBrowser(folder, usualStorage);
  const page = await context.newPage();
  const tab = await context.newPage();
  // Two tabs of somebody who is new hear of each other.
  for (const each of [tab, page]) {
    await each.goto(`${site.at('127.0.0.1')}/plain`);
    await launcher(each).click();
    await expect(chatOf(each).getByRole('textbox')).toBeVisible();
  }
  await askAboutDogs(page);
  await expect(chatOf(tab).getByRole('log')).toContainText('Dogs on a lead are welcome');
  await chatOf(page).getByRole('textbox').fill('How long are gift');
  await page.goto(`${site.at('127.0.0.1')}/rtl`);
  // The conversation goes on, and stands open as it did.
  await expect(launcher(page)).toHaveAttribute('aria-expanded', 'true');
  await expect(chatOf(page).getByRole('log')).toContainText('Dogs on a lead are welcome');
  await expect(chatOf(page).getByRole('textbox')).toHaveValue('How long are gift');
  await chatOf(page).getByRole('textbox').fill('How long are gift cards valid?');
  await page.keyboard.press('Enter');
  await expect(chatOf(tab).getByRole('log')).toContainText('valid for two years');
  await expect(chatOf(tab).getByText('How long are gift cards valid?')).toHaveCount(1);

  await context.close();
  await own.reply('Bring a towel.');
  const later = await shop.openBrowser(folder, usualStorage);
  const again = await later.newPage();
  await again.goto(`${site.at('127.0.0.1')}/plain`);
  // Since a conversation was open, the launcher finds out by itself what came while nobody was here.
  await again.getByRole('button', { name: 'Hinata Coffee (1)' }).click();
  await expect(chatOf(again).getByText('Bring a towel.')).toBeVisible();
  await expect(chatOf(again).getByRole('log')).toContainText('valid for two years');
  await chatOf(again).getByRole('button', { name: 'Menu' }).click();
  await chatOf(again).getByRole('menuitem', { name: 'New conversation' }).click();
  await expect(chatOf(again).getByRole('log')).not.toContainText('valid for two years');
  await expect(chatOf(again).getByRole('button', { name: 'When is the terrace open?' })).toBeVisible();
  await later.close();
  site.close();
  await rm(folder, { recursive: true, force: true });
});

test('where frames of other sites may keep nothing the conversation is there again all the same, until its visitor signs out', async ({
  shop,
}) => {
  const { site } = await aChannel(shop);
  const folder = await mkdtemp(join(tmpdir(), 'kotae-browser-'));
  const context = await shop.openBrowser(folder, noForeignStorage);
  const page = await context.newPage();
  await page.goto(`${site.at('127.0.0.1')}/plain`);
  await launcher(page).click();
  // The frame is of another site than the page, as everywhere: of the same host all storage is its own.
  await expect(chatOf(page).getByRole('textbox')).toBeVisible();
  const frame = page.frames().find((each) => each.url().includes('/chat_embed'));
  expect(
    await frame?.evaluate('(() => { try { return String(localStorage) } catch ({ name }) { return name } })()'),
  ).toBe('SecurityError');
  await askAboutDogs(page);
  const log = chatOf(page).getByRole('log');
  await page.reload();
  await openChat(page);
  await expect(log).toContainText('Dogs on a lead are welcome');
  await page.goto(`${site.at('127.0.0.1')}/rtl`);
  await openChat(page);
  await expect(log).toContainText('Dogs on a lead are welcome');

  const tab = await context.newPage();
  await tab.goto(`${site.at('127.0.0.1')}/plain`);
  await openChat(tab);
  await expect(chatOf(tab).getByRole('log')).toContainText('Dogs on a lead are welcome');
  await chatOf(page).getByRole('textbox').fill('How long are gift cards valid?');
  await page.bringToFront();
  await page.keyboard.press('Enter');
  await expect(chatOf(tab).getByRole('log')).toContainText('valid for two years');

  // Whoever signs out in one tab is gone from all, and from the next page.
  await page.evaluate('Kotae.reset()');
  for (const each of [page, tab]) {
    await expect(chatOf(each).getByRole('button', { name: 'When is the terrace open?' })).toBeVisible();
    await expect(chatOf(each).getByRole('log')).not.toContainText('Dogs on a lead are welcome');
  }
  await page.reload();
  await openChat(page);
  await expect(chatOf(page).getByRole('button', { name: 'When is the terrace open?' })).toBeVisible();
  await context.close();
  site.close();
  await rm(folder, { recursive: true, force: true });
});

test('on one page after another, and on one that stays open, each customer sees their own conversation only', async ({
  page,
  shop,
}) => {
  const { kotae, jwt } = shop;
  const own = await aChannel(shop);
  const { data } = await callApi(kotae.url, webChannels.secret, { jwt, params: { uuid: own.channel } });
  const identify = (id: string) => {
    const hash = createHmac('sha256', data.secret).update(id).digest('hex');
    return page.evaluate(`Kotae.identify(${JSON.stringify({ id, hash, name: id })})`);
  };
  const chat = chatOf(page);
  const log = chat.getByRole('log');
  await page.goto(`${own.site.at('127.0.0.1')}/plain`);
  await launcher(page).click();
  await identify('alice');
  await askAboutDogs(page);
  const alices = (await own.thread()).uuid;
  const tellAlice = (text: string) =>
    callApi(kotae.url, inbox.reply, { jwt, params: { thread: alices }, body: { key: crypto.randomUUID(), text } });
  await tellAlice('Hello Alice');
  await expect(log).toContainText('Hello Alice');
  await chat.getByRole('textbox').fill('half a sentence of Alice');

  await identify('bob');
  await expect(log).not.toContainText('Hello Alice');
  await expect(chat.getByRole('textbox')).toHaveValue('');
  await chat.getByRole('textbox').fill('How long are gift cards valid?');
  await page.keyboard.press('Enter');
  await expect(log).toContainText('valid for two years');
  await own.reply('Hello Bob');
  const bobs = await own.thread();
  expect(bobs.uuid).not.toBe(alices);
  await tellAlice('For Alice alone');
  // What comes later and is for Bob has come: what was for Alice has not.
  await callApi(kotae.url, inbox.reply, {
    jwt,
    params: { thread: bobs.uuid },
    body: { key: crypto.randomUUID(), text: 'Goodbye Bob' },
  });
  await expect(log).toContainText('Goodbye Bob');
  await expect(log).not.toContainText('Alice');

  // They sign out and leave the page in the same moment, and whoever comes next is nobody.
  await page.evaluate("Kotae.reset(); location.href = '/rtl'");
  await page.waitForURL('**/rtl');
  await openChat(page);
  await expect(chat.getByRole('button', { name: 'When is the terrace open?' })).toBeVisible();
  await expect(log).not.toContainText('valid for two years');
  await identify('alice');
  await expect(log).toContainText('For Alice alone');
  own.site.close();
});

test('what is written without a connection waits, and is there once', async ({ browser, shop }) => {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${shop.site.at('127.0.0.1')}/plain`);
  await launcher(page).click();
  const chat = chatOf(page);
  await expect(chat.getByRole('button', { name: 'When is the terrace open?' })).toBeVisible();
  await context.setOffline(true);
  await chat.getByRole('textbox').fill('Can I bring my dog to the terrace?');
  await page.keyboard.press('Enter');
  await expect(chat.getByText('Sent when you are back online')).toBeVisible();
  await context.setOffline(false);
  await expect(chat.getByRole('log')).toContainText('Dogs on a lead are welcome');
  await expect(chat.getByText('Sent when you are back online')).toHaveCount(0);
  await expect(chat.getByText('Can I bring my dog to the terrace?')).toHaveCount(1);
  await context.close();
});

test('what an answer lacked is told; a closed conversation asks whether it helped; out of hours an email is left', async ({
  page,
  shop,
}) => {
  const { kotae, jwt } = shop;
  const own = await aChannel(shop);
  const { connection } = (await callApi(kotae.url, webChannels.get, { jwt, params: { uuid: own.channel } })).data;
  const hours = { timezone: 'UTC', week: Array.from({ length: 7 }, () => []), holidays: [] };
  await callApi(kotae.url, connections.update, { jwt, params: { uuid: connection }, body: { hours } });
  const chat = chatOf(page);
  await page.goto(`${own.site.at('127.0.0.1')}/plain`);
  await launcher(page).click();
  await askAboutDogs(page);
  await chat.getByRole('button', { name: 'This did not help' }).click();
  await expect(chat.getByText('Thank you.')).toBeVisible();
  await chat.getByRole('textbox', { name: 'What was missing? (optional)' }).fill('Whether cats may come');
  await page.keyboard.press('Enter');
  await expect(chat.getByRole('textbox', { name: 'What was missing? (optional)' })).toHaveCount(0);
  const { uuid: thread, guest } = await own.thread();
  const said = (await callApi(kotae.url, inbox.messages, { jwt, params: { thread } })).data;
  expect(said.find(({ role }) => role === 'assistant')?.feedback).toMatchObject({
    rating: 'down',
    text: 'Whether cats may come',
  });

  await chat.getByRole('button', { name: 'Talk to a person' }).click();
  const email = chat.getByRole('textbox', { name: 'Your email, so that we can reach you' });
  await email.fill('hanako');
  await page.keyboard.press('Enter');
  await expect(chat.getByText('Write it as name@example.com.')).toBeVisible();
  await email.fill('hanako@example.com');
  await page.keyboard.press('Enter');
  await expect(chat.getByText('Thank you. We can reach you by email as well.')).toBeVisible();
  const person = (await callApi(kotae.url, inbox.guest, { jwt, params: { uuid: guest.uuid } })).data;
  expect(person.email).toBe('hanako@example.com');

  // Whoever has said it of the answer is not asked again.
  await callApi(kotae.url, inbox.resolve, { jwt, params: { thread } });
  const end = chat.getByRole('group', { name: 'Was this helpful?' });
  await expect(chat.getByRole('button', { name: 'New conversation' })).toBeVisible();
  await expect(end).toHaveCount(0);
  await chat.getByRole('button', { name: 'New conversation' }).click();
  await expect(chat.getByRole('textbox', { name: 'Write a message' })).toBeVisible();
  await expect(chat.getByRole('button', { name: 'When is the terrace open?' })).toBeVisible();

  await askAboutDogs(page);
  await callApi(kotae.url, inbox.resolve, { jwt, params: { thread: (await own.thread()).uuid } });
  await end.getByRole('button', { name: 'This helped' }).click();
  await expect(end.getByRole('button', { name: 'This helped' })).toHaveAttribute('aria-pressed', 'true');
  // Who writes on has it opened again.
  await chat.getByRole('textbox', { name: 'Write a message' }).fill('How long are gift cards valid?');
  await page.keyboard.press('Enter');
  await expect(chat.getByRole('log')).toContainText('valid for two years');
  await expect(chat.getByRole('button', { name: 'New conversation' })).toHaveCount(0);
  own.site.close();
});

for (const [kind, options] of [
  ['a desktop', { viewport: { width: 1440, height: 900 } }],
  ['a phone', { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true }],
] as const)
  test(`on ${kind} a message's time stands in one line, and the field that was measured while hidden is whole`, async ({
    browser,
    shop,
  }) => {
    const own = await aChannel(shop);
    const context = await browser.newContext(options);
    const page = await context.newPage();
    await page.goto(`${own.site.at('127.0.0.1')}/plain`);
    await launcher(page).click();
    await askAboutDogs(page);
    const long = 'Hello, this is the shop. We have a bowl of water at the door, and a hook for the lead beside it.';
    await own.reply(long);
    await own.reply('Yes.');
    const chat = chatOf(page);
    for (const text of [long, 'Yes.', 'Can I bring my dog to the terrace?']) {
      const message = chat.locator('.said').filter({ hasText: text }).last();
      await message.hover();
      const time = await message.locator('time').boundingBox();
      const log = await chat.getByRole('log').boundingBox();
      expect(time?.height).toBeLessThan(24);
      expect(time?.x).toBeGreaterThanOrEqual(log?.x ?? 0);
      expect((time?.x ?? 0) + (time?.width ?? 0)).toBeLessThanOrEqual((log?.x ?? 0) + (log?.width ?? 0));
      const bubble = await message.locator('.text').boundingBox();
      const isBeside =
        (time?.x ?? 0) + (time?.width ?? 0) <= (bubble?.x ?? 0) ||
        (time?.x ?? 0) >= (bubble?.x ?? 0) + (bubble?.width ?? 0);
      expect(isBeside || (time?.y ?? 0) >= (bubble?.y ?? 0) + (bubble?.height ?? 0)).toBe(true);
    }

    await chat.getByRole('button', { name: 'Close' }).click();
    await page.evaluate('sessionStorage.clear()');
    await page.goto(`${own.site.at('127.0.0.1')}/rtl`);
    // Since a conversation is open, its frame comes by itself, and is not shown.
    await expect(page.locator('iframe')).toBeHidden();
    await expect(chat.getByRole('textbox', { includeHidden: true })).toHaveCount(1);
    await page.getByRole('button', { name: /^Hinata Coffee/ }).click();
    const field = chat.getByRole('textbox');
    await expect(field).toBeVisible();
    await expect
      .poll(() => field.evaluate(({ clientHeight, scrollHeight }) => clientHeight > 30 && scrollHeight <= clientHeight))
      .toBe(true);
    await context.close();
    own.site.close();
  });

/** A channel whose bot knows a guide in PDF, whose pages visitors may see. */
async function aGuide({ kotae, jwt }: Shop & Around) {
  const base = (await callApi(kotae.url, knowledge.create, { jwt, body: { name: 'Guide' } })).data.uuid;
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(await readFile('e2e/fixtures/guide-en.pdf'))]), 'guide-en.pdf');
  const headers = { authorization: `Bearer ${jwt}` };
  await fetch(`${kotae.url}${documents.add.path.replace(':knowledge', base)}`, { method: 'POST', headers, body: form });
  const read = async () => (await callApi(kotae.url, documents.list, { jwt, params: { knowledge: base } })).data[0];
  await expect.poll(async () => (await read())?.status).toBe('indexed');
  const bot = (await callApi(kotae.url, bots.create, { jwt, body: { name: 'Hinata Coffee', knowledges: [base] } }))
    .data;
  await callApi(kotae.url, bots.publish, { jwt, params: { uuid: bot.uuid }, body: { note: '' } });
  const body = { name: 'Guide', bot: bot.uuid, domains: ['127.0.0.1'] };
  const channel = (await callApi(kotae.url, webChannels.create, { jwt, body })).data;
  const shown = { ...channel.settings.shown, pages: true };
  await callApi(kotae.url, webChannels.update, { jwt, params: { uuid: channel.uuid }, body: { shown } });
  const script = `<script async src="${kotae.url}/embed.js" data-channel="${channel.uuid}"></script>`;
  const params = { knowledge: base, document: (await read())?.uuid ?? '' };
  return {
    site: await openSite(pagesOf(kotae.url, channel.uuid, script)),
    channel: channel.uuid,
    remove: () => callApi(kotae.url, documents.remove, { jwt, params }),
  };
}

async function askTheGuide(chat: FrameLocator | Page): Promise<void> {
  await chat.getByRole('textbox').fill('How much does delivery within Japan cost?');
  await chat.getByRole('textbox').press('Enter');
  await chat.getByRole('log').getByRole('button').filter({ hasText: '1' }).first().click();
  await expect(chat.getByRole('dialog')).toContainText('Delivery within Japan costs 480 yen');
}

for (const [kind, path, options] of [
  ['a frame of 400 px', '/inline', { viewport: { width: 1280, height: 720 } }],
  ['a phone', '/plain', { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true }],
] as const)
  test(`in ${kind} a citation shows the page of its PDF with the passage marked, and the page's policy has nothing against it`, async ({
    browser,
    shop,
  }) => {
    const guide = await aGuide(shop);
    const context = await browser.newContext(options);
    const page = await context.newPage();
    const complaints: string[] = [];
    const policies: string[] = [];
    page.on('pageerror', ({ message }) => complaints.push(message));
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    page.on('response', (response) => {
      if (response.url().includes('pdf.worker')) policies.push(response.headers()['content-security-policy'] ?? '');
    });
    await page.goto(`${guide.site.at('127.0.0.1')}${path}`);
    if (path === '/plain') await launcher(page).tap();
    const chat = chatOf(page);
    await askTheGuide(chat);
    const sheet = chat.getByRole('dialog', { name: 'Source 1: guide-en.pdf' });
    expect(policies).toEqual([]);
    await sheet.getByRole('button', { name: 'Show the page' }).press('Enter');
    const region = sheet.getByRole('region', { name: /^Page \d$/ });
    const drawn = region.getByRole('img');
    await expect(sheet.getByText('Loading the page')).toHaveCount(0);
    // There is ink on it, and paper.
    const canvas = await drawn.elementHandle();
    const frame = await canvas?.ownerFrame();
    const shades = await frame?.evaluate(`(() => {
      const { width, height } = document.querySelector('canvas');
      const { data } = document.querySelector('canvas').getContext('2d').getImageData(0, 0, width, height);
      return new Set(data.filter((_, at) => at % 4 === 0).map((red) => red >> 6)).size;
    })()`);
    expect(shades).toBe(4);
    const [mark, place, whole] = [region.locator('i').first(), await region.boundingBox(), await sheet.boundingBox()];
    await expect(mark).toBeInViewport();
    const box = (await mark.boundingBox())!;
    expect([box.width > 40, box.height > 4]).toEqual([true, true]);
    expect(box.y).toBeGreaterThanOrEqual(place!.y);
    expect(box.y + box.height).toBeLessThanOrEqual(place!.y + place!.height);
    expect(place!.width).toBeGreaterThan(whole!.width - 40);
    expect(policies).toEqual([expect.stringContaining("script-src 'self' 'wasm-unsafe-eval'")]);

    const width = async () => (await drawn.boundingBox())!.width;
    const before = await width();
    await sheet.getByRole('button', { name: 'Larger' }).click();
    await expect.poll(width).toBeCloseTo(before * 1.25, 0);
    // What is marked stays where it was, near enough to be seen.
    await expect(mark).toBeInViewport();
    await region.press('+');
    await expect.poll(width).toBeGreaterThan(before * 1.5);
    await region.press('0');
    await expect.poll(width).toBeCloseTo(before, 0);
    if (path === '/plain') {
      const fingers = await context.newCDPSession(page);
      const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', apart: number) =>
        fingers.send('Input.dispatchTouchEvent', {
          type,
          touchPoints: apart === 0 ? [] : [150 - apart, 150 + apart].map((x, id) => ({ x, y: place!.y + 100, id })),
        });
      await touch('touchStart', 30);
      for (const apart of [40, 50, 60]) await touch('touchMove', apart);
      await touch('touchEnd', 0);
      await expect.poll(width).toBeGreaterThan(before * 1.7);
      expect(await page.evaluate('visualViewport.scale')).toBe(1);
    }
    await page.keyboard.press('Escape');
    await expect(chat.getByRole('dialog')).toHaveCount(0);
    await expect(chat.getByRole('button', { name: 'Source 1: guide-en.pdf' }).first()).toBeFocused();
    expect(complaints).toEqual([]);

    // A page that is no longer there is said so, and the words are there all the same.
    await guide.remove();
    await chat.getByRole('button', { name: 'Source 1: guide-en.pdf' }).first().click();
    await sheet.getByRole('button', { name: 'Show the page' }).click();
    await expect(sheet.getByRole('alert')).toHaveText('The page could not be shown. This is what the answer quotes.');
    await expect(sheet.locator('blockquote')).toBeVisible();
    await expect(sheet.getByRole('button', { name: 'Show the page' })).toBeVisible();
    await context.close();
    guide.site.close();
  });

test('the page of a source is for everyone, in both languages, light and dark', async ({ browser, shop }) => {
  const guide = await aGuide(shop);
  for (const [language, colorScheme, show, coming] of [
    ['en', 'light', 'Show the page', 'Loading the page'],
    ['ja', 'dark', 'ページを表示', 'ページを読み込み中'],
  ] as const) {
    const context = await browser.newContext({ colorScheme, viewport: { width: 360, height: 740 } });
    const page = await context.newPage();
    await page.goto(`${shop.kotae.url}/Bot/-/chat_embed?channel=${guide.channel}&language=${language}`);
    await askTheGuide(page);
    const sheet = page.getByRole('dialog');
    await expect(sheet.getByRole('button', { name: show })).toBeVisible();
    await expectAccessible(page);
    await sheet.getByRole('button', { name: show }).click();
    await expect(sheet.locator('i').first()).toBeVisible();
    await expect(sheet.getByText(coming)).toHaveCount(0);
    await expectAccessible(page);
    await context.close();
  }
  guide.site.close();
});

test('whoever opens it writes at once: in the first field that is asked, or in the message', async ({ page, shop }) => {
  const plain = await aChannel(shop);
  const asking = await aChannel(shop, {
    form: { enabled: true, fields: [{ field: 'email', required: true }], consent: false },
  });
  for (const [site, name] of [
    [plain.site, 'Write a message'],
    [asking.site, 'Email'],
  ] as const) {
    const field = chatOf(page).getByRole('textbox', { name });
    await page.goto(`${site.at('127.0.0.1')}/plain`);
    await launcher(page).focus();
    await page.keyboard.press('Enter');
    await expect(field).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(launcher(page)).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(field).toBeFocused();
    await page.keyboard.type('hana');
    await expect(field).toHaveValue('hana');
    await page.keyboard.press('Escape');
    await launcher(page).click();
    await expect(field).toBeFocused();
    site.close();
  }
});

test('a form is asked first, with its consent; a picture is sent; a person is asked for', async ({ page, shop }) => {
  const { kotae } = shop;
  const own = await openShop(kotae.url, {
    form: { enabled: true, fields: [{ field: 'email', required: true }], consent: true },
    shown: { citations: true, upload: true, feedback: true, sound: false, poweredBy: true },
  });
  const script = `<script async src="${kotae.url}/embed.js" data-channel="${own.channel}"></script>`;
  const site = await openSite(pagesOf(kotae.url, own.channel, script));
  await page.goto(`${kotae.url}/Bot/-/chat_embed?channel=${own.channel}`);
  await page.getByRole('button', { name: 'Start the chat' }).click();
  await expect(page.getByText('Fill this in.')).toBeVisible();
  await expectAccessible(page);

  await page.goto(`${site.at('127.0.0.1')}/plain`);
  await launcher(page).click();
  const chat = chatOf(page);
  await chat.getByRole('button', { name: 'Start the chat' }).click();
  await expect(chat.getByText('Fill this in.')).toBeVisible();
  await expect(chat.getByText('Tick this to continue.')).toBeVisible();
  await expect(chat.getByLabel('Email')).toBeFocused();
  await chat.getByLabel('Email').fill('hanako@example.com');
  await chat.getByRole('checkbox').check();
  await chat.getByRole('button', { name: 'Start the chat' }).click();
  const square = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  );
  await chat.locator('input[type=file]').setInputFiles({ name: 'terrace.png', mimeType: 'image/png', buffer: square });
  await expect(chat.getByRole('listitem').filter({ hasText: 'terrace.png' })).toBeVisible();
  await expect(chat.getByRole('progressbar')).toHaveCount(0);
  await chat.getByRole('textbox').fill('Can I bring my dog to the terrace?');
  await page.keyboard.press('Enter');
  await expect(chat.getByRole('img', { name: 'terrace.png' })).toBeVisible();
  await expect(chat.getByRole('log')).toContainText('Dogs on a lead are welcome');
  await chat.getByRole('button', { name: 'This helped' }).click();
  await expect(chat.getByRole('button', { name: 'This helped' })).toHaveAttribute('aria-pressed', 'true');
  await chat.getByRole('button', { name: 'Talk to a person' }).click();
  await expect(chat.getByRole('status').filter({ hasText: 'Waiting for a person' })).toBeVisible();
  site.close();
});

test('what something in between answers in the server’s place is told in words of ours', async ({ page, shop }) => {
  await page.goto(`${shop.kotae.url}/Bot/-/chat_embed?channel=${shop.channel}`);
  await page.getByRole('textbox', { name: 'Write a message' }).fill('Can I bring my dog to the terrace?');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('log')).toContainText('Dogs on a lead');
  const caught: string[] = [];
  page.on('console', (message) => caught.push(message.text()));
  await page.route(`**${visitors.person.path}*`, (route) =>
    route.fulfill({ body: '<p>Please sign in to this network.' }),
  );
  await page.getByRole('button', { name: 'Talk to a person' }).click();
  await expect(page.getByText('That did not work. Try again in a moment.')).toBeVisible();
  expect(caught.join()).toContain('SyntaxError');
});

test('a person who takes over is seen by name, and what they write while the chat is closed is counted', async ({
  page,
  shop,
}) => {
  const { kotae, jwt } = shop;
  const { site, reply, thread } = await aChannel(shop);
  await page.goto(`${site.at('127.0.0.1')}/plain`);
  await launcher(page).click();
  const chat = chatOf(page);
  await askAboutDogs(page);
  await reply('I keep a bowl of water at the door.');
  await expect(chat.getByText('I keep a bowl of water at the door.')).toBeVisible();
  await expect(chat.getByRole('status').filter({ hasText: /^Staff is answering$/ })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(chat.getByRole('log')).toBeHidden();
  await reply('See you on Sunday.');
  await reply('Bring a towel.');
  await page.getByRole('button', { name: 'Hinata Coffee (2)' }).click();
  await expect(chat.getByText('Bring a towel.')).toBeVisible();
  await expect(chat.getByText('New', { exact: true })).toBeVisible();
  // Who has read something older, and writes, sees what is answered.
  await chat.getByRole('log').evaluate((log) => log.scrollTo(0, 0));
  await expect(chat.getByRole('button', { name: 'Jump to latest' })).toBeVisible();
  await chat.getByRole('textbox').fill('Two lines\nof it');
  await page.keyboard.press('Enter');
  await expect(chat.getByText('of it')).toBeInViewport();
  await reply(`${'Bring another towel.\n'.repeat(40)}That is all.`);
  await expect(chat.getByText('That is all.')).toBeVisible();
  await expect
    .poll(() => chat.getByRole('log').evaluate((log) => log.scrollHeight - log.scrollTop - log.clientHeight))
    .toBeLessThan(2);

  // Whoever is forgotten begins anew, and is told so.
  await callApi(kotae.url, inbox.eraseGuest, { jwt, params: { uuid: (await thread()).guest.uuid } });
  await chat.getByRole('textbox').fill('How long are gift cards valid?');
  await page.keyboard.press('Enter');
  await expect(chat.getByText('The earlier conversation has expired. This is a new one.')).toBeVisible();
  await expect(chat.getByRole('log')).toContainText('valid for two years');
  await expect(chat.getByRole('log')).not.toContainText('Bring a towel.');
  site.close();
});

test('a maker sees what is not saved yet, and a bot without a channel', async ({ page, shop }) => {
  const { kotae, bot, channel, jwt } = shop;
  await page.context().addCookies([{ name: 'jwt', value: jwt, url: kotae.url }]);
  await page.goto(`${kotae.url}/Login`);
  const { data } = await callApi(kotae.url, webChannels.get, { jwt, params: { uuid: channel } });
  await page.setContent('<iframe title="preview" width="400" height="600"></iframe>');
  await page
    .locator('iframe')
    .evaluate((frame, src) => frame.setAttribute('src', src), `/Bot/-/chat_embed?channel=${channel}&preview=1`);
  const preview = page.frameLocator('iframe');
  await expect(preview.getByRole('heading', { name: 'Hinata Coffee' })).toBeVisible();
  const read = await page.request.get(`${kotae.url}/api/embed-setting?channel=${channel}`);
  const setting = (await read.json()).data;
  setting.texts.en.title = 'Not saved yet';
  setting.look.color = '#ffcc00';
  await page.evaluate(
    `document.querySelector('iframe').contentWindow.postMessage(${JSON.stringify({ kotae: 'setting', setting })}, location.origin)`,
  );
  await expect(preview.getByRole('heading', { name: 'Not saved yet' })).toBeVisible();
  await expect(preview.getByRole('button', { name: 'Send' })).toHaveCSS('color', 'rgb(0, 0, 0)');
  expect(data.settings.texts.en.title).toBe('');

  await page.goto(`${kotae.url}/Bot/${bot}/chat_embed`);
  await page.getByRole('textbox').fill('How long are gift cards valid?');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('log')).toContainText('valid for two years');
});

for (const language of ['en', 'ja'] as const)
  for (const colorScheme of ['light', 'dark'] as const)
    test(`the chat in ${language}, ${colorScheme}, is for everyone`, async ({ browser, shop }) => {
      const context = await browser.newContext({
        colorScheme,
        viewport: { width: 380, height: 620 },
        locale: language,
      });
      const page = await context.newPage();
      await page.goto(`${shop.kotae.url}/Bot/-/chat_embed?channel=${shop.channel}&language=${language}`);
      await expect(page.locator('html')).toHaveAttribute('lang', language);
      await expect(page.getByRole('textbox')).toBeVisible();
      await expectAccessible(page);
      await page
        .getByRole('textbox')
        .fill(language === 'ja' ? '犬を連れて行けますか？' : 'Can I bring my dog to the terrace?');
      await page.keyboard.press('Enter');
      await page.getByRole('log').getByRole('button').filter({ hasText: '1' }).first().click();
      await expect(page.getByRole('dialog')).toBeVisible();
      await expectAccessible(page);
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: language === 'ja' ? 'メニュー' : 'Menu' }).click();
      await expectAccessible(page);
      await context.close();
    });
