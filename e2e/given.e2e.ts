/**
 * What PRODUCT.md marks [given], as people meet it in a browser; programs have theirs in server/given.test.ts. Each step names the fact
 * by its own words: a change that turns one red is wrong.
 */
import { randomUUID } from 'node:crypto';
import type { Browser, Page } from '@playwright/test';
import { test as base } from '@playwright/test';
import { startWebProxy } from '../server/testing/web-proxy.ts';
import { accounts } from '../shared/contracts/accounts.ts';
import { bots } from '../shared/contracts/bots.ts';
import { connections } from '../shared/contracts/connections.ts';
import { listings } from '../shared/contracts/explore.ts';
import { visitors } from '../shared/contracts/visitors.ts';
import { arrive, callApi } from './api.ts';
import { expect, expectAccessible, expectNoOverflow, openKotae, type Kotae } from './server.ts';
import { furnishShop, type Shop } from './site.ts';
import { textsOf } from './texts.ts';

const { step } = base;
const en = textsOf('en');
const ja = textsOf('ja');

/** One server for all of it, since nothing here changes what another looks at. */
const test = base.extend<object, { kotae: Kotae; shop: Shop }>({
  kotae: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads from the pattern what a fixture needs
    async ({}, use) => {
      const kotae = await openKotae({ PAYMENTS: 'sandbox' });
      await use(kotae);
      await kotae.close();
    },
    { scope: 'worker' },
  ],
  shop: [
    async ({ kotae, browser }, use) => {
      const page = await browser.newPage();
      const jwt = await arrive(page, kotae.url);
      await page.close();
      await use({ jwt, ...(await furnishShop(kotae.url, jwt)) });
    },
    { scope: 'worker' },
  ],
});

const signIn = (page: Page, { url }: Kotae, { jwt }: Shop) =>
  page.context().addCookies([{ name: 'jwt', value: jwt, url }]);

/** Somebody in a browser of their own. */
async function aPage(browser: Browser, options: Parameters<Browser['newContext']>[0] = {}) {
  return (await browser.newContext({ locale: 'en-US', ...options })).newPage();
}

test('“On start the client fetches the user, then the services”', async ({ page, kotae, shop }) => {
  const asked: { path: string; bearer: string | undefined }[] = [];
  const logged: string[] = [];
  page.on('request', async (request) => {
    const { pathname, search } = new URL(request.url());
    if (/^\/api\/(users\/me|service)$/.test(pathname))
      asked.push({ path: pathname + search, bearer: request.headers()['authorization'] });
  });
  page.on('console', (message) => void logged.push(message.text()));
  const inOrder = ['/api/users/me?populate=avatar', '/api/service'];

  await step('also where nobody has signed in, and “`"not logged in"` is logged, the app goes on”', async () => {
    await page.goto(`${kotae.url}/Login`);
    await expect.poll(() => asked.map(({ path }) => path)).toEqual(inOrder);
    expect.soft(asked.map(({ bearer }) => bearer)).toEqual([undefined, undefined]);
    await expect.soft(page.getByRole('textbox', { name: 'Password' })).toBeVisible();
    await expect.poll(() => logged).toContain('not logged in');
  });

  await step('“a failed fetch logs `Error fetching service:` with the error”', async () => {
    await page.route('**/api/service', (route) => route.fulfill({ status: 503, body: '' }));
    await page.reload();
    await expect
      .poll(() => logged.find((line) => line.startsWith('Error fetching service:')))
      .toMatch(/^Error fetching service: \S/);
    await page.unroute('**/api/service');
  });

  await step(
    '“a bearer `Authorization` header is sent when that cookie exists”, “A successful profile fetch sets it”',
    async () => {
      await signIn(page, kotae, shop);
      asked.length = 0;
      await page.goto(`${kotae.url}/Bot`);
      await expect.poll(() => asked.map(({ path }) => path)).toEqual(inOrder);
      expect.soft(asked.map(({ bearer }) => bearer)).toEqual([`Bearer ${shop.jwt}`, `Bearer ${shop.jwt}`]);
      await expect.soft(page.getByRole('button', { name: /^Account of / })).toBeVisible();
    },
  );
});

test('“Error pages [given].”', async ({ page, browser, kotae, shop }) => {
  for (const [locale, t] of [
    ['en-US', en],
    ['ja-JP', ja],
  ] as const)
    await step(`404: “"Page Not Found"”, “says the page was not found, plus the path”, ${locale}`, async () => {
      const stranger = await aPage(browser, { locale });
      const answer = await stranger.goto(`${kotae.url}/Nowhere/at/all`);
      expect.soft(answer?.status()).toBe(404);
      await expect.soft(stranger.getByRole('heading', { name: t('common:notFound.title') })).toBeVisible();
      await expect.soft(stranger.getByText('/Nowhere/at/all')).toBeVisible();
      await expect.soft(stranger.getByText('404', { exact: false }).first()).toBeVisible();
      await stranger.context().close();
    });
  expect
    .soft([en('common:notFound.title'), en('common:failed.page')])
    .toEqual(['Page Not Found', 'Internal Server Error']);
  expect.soft(ja('common:failed.page')).toMatch(/^[^A-Za-z]+$/);

  await signIn(page, kotae, shop);
  await step('“A known path whose thing does not exist or is not yours shows the 404 page too.”', async () => {
    await page.goto(`${kotae.url}/Web-Channel/${randomUUID()}`);
    await expect.soft(page.getByRole('heading', { name: 'Page Not Found' })).toBeVisible();
  });

  const [connection] = (await callApi(kotae.url, connections.list, { jwt: shop.jwt })).data;
  const failed = page.getByRole('dialog', { name: 'Internal Server Error' });
  await page.goto(`${kotae.url}/Bot-Connect/${connection?.uuid}`);
  const active = page.getByRole('switch').first();
  await expect(active).toBeChecked();
  await active.uncheck({ force: true });
  for (const [what, code] of [
    ['an error in a timer', `setTimeout(() => { throw new Error('boom') })`],
    ['an unhandled rejection', `void Promise.reject(new Error('boom'))`],
  ] as const)
    await step(
      `“A fatal or unhandled error shows the error page”: ${what}, with the way back to what is not saved`,
      async () => {
        await page.evaluate(`{ ${code} }`);
        await expect(failed.getByRole('heading', { name: 'Internal Server Error' })).toBeVisible();
        await expect.soft(failed.getByText('500')).toBeVisible();
        await expect.soft(failed.getByText(en('common:failed.text'))).toBeVisible();
        await expectAccessible(page);
        await failed.getByRole('button', { name: 'Back to the page' }).click();
        await expect(failed).toBeHidden();
        await expect.soft(active).not.toBeChecked();
      },
    );

  await step('what is no fault of ours, or was told, shows none', async () => {
    await page.evaluate(`{
      void Promise.reject(new DOMException('The user aborted a request.', 'AbortError'));
      const cancelled = new AbortController();
      void fetch('/api/service', { signal: cancelled.signal });
      cancelled.abort();
      window.dispatchEvent(new ErrorEvent('error', { message: 'ResizeObserver loop completed with undelivered notifications.' }));
      const foreign = new Error('theirs');
      foreign.stack = 'Error: theirs\\n    at run (chrome-extension://abcdefgh/content.js:1:1)\\n    at ' + location.origin + '/assets/x.js:1:1';
      setTimeout(() => { throw foreign });
    }`);
    await page.evaluate('new Promise((done) => setTimeout(done, 300))');
    await expect.soft(failed).toBeHidden();
  });

  await step('“it never reloads over unsaved work”', async () => {
    await page.route('**/latest-build.json', (route) => route.fulfill({ json: { build: 'newer' } }));
    await page.evaluate("window.stays = true; window.dispatchEvent(new Event('focus'))");
    await page.getByRole('alert').getByRole('button', { name: 'Reload' }).click();
    await expect.soft(page.getByText(en('common:newBuild.unsaved'))).toBeVisible();
    expect.soft(await page.evaluate('window.stays')).toBe(true);
  });
});

test('“Root shell [given]. A page-level progress bar, colour `#00b900`, throttle 200 ms, duration 2000 ms, height 3 px”', async ({
  page,
  kotae,
  shop,
}) => {
  await signIn(page, kotae, shop);
  await page.goto(`${kotae.url}/Bot`);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  let go = () => {};
  const held = new Promise<void>((done) => (go = done));
  await page.route(/\/assets\/.*\.js/, async (route) => {
    await held;
    await route.continue();
  });
  // In the page, where nothing but its own clock counts.
  const seen = page.evaluate(`new Promise((done) => {
    const bar = () => document.querySelector('[role=progressbar][aria-label=Loading]');
    const began = performance.now();
    let shownAt;
    document.querySelector('a[href="/Trash"]').click();
    const look = () => {
      const now = performance.now() - began;
      const it = bar();
      if (it && shownAt === undefined) shownAt = now;
      if (shownAt !== undefined && now - shownAt > 2600)
        return done({
          shownAt,
          share: Number(it?.getAttribute('aria-valuenow')),
          color: it && getComputedStyle(it).backgroundColor,
          height: it && it.getBoundingClientRect().height,
        });
      if (now > 15000) return done(undefined);
      requestAnimationFrame(look);
    };
    look();
  })`);
  const bar: { shownAt: number; share: number; color: string; height: number } = await seen.then((found) =>
    Object(found),
  );
  expect.soft(bar.shownAt, 'throttle').toBeGreaterThanOrEqual(199);
  expect.soft(bar.color).toBe('rgb(0, 185, 0)');
  expect.soft(bar.height).toBe(3);
  // After 2,600 ms at a pace of 2,000: 77 %, still on its way.
  expect.soft(bar.share).toBeGreaterThan(70);
  expect.soft(bar.share).toBeLessThan(85);
  go();
  await expect(page.getByRole('heading', { level: 1, name: 'Trash' })).toBeVisible();
  await expect.soft(page.getByRole('progressbar', { name: 'Loading' })).toHaveCount(0);
});

test('“Locale, colour, preferences [given]”', async ({ browser, kotae }) => {
  const page = await aPage(browser, { locale: 'fr-FR', colorScheme: 'dark' });
  const kept = (key: string) => page.evaluate(`localStorage.getItem('${key}')`);
  const mode = page.locator('html');

  await step('“fallback `en-US`”', async () => {
    await page.goto(`${kotae.url}/Forgot-Password`);
    await expect.soft(page.getByRole('button', { name: 'Light' })).toBeVisible();
    await expect.soft(mode).toHaveAttribute('lang', 'en');
  });

  await step(
    '“Locale `en` or `ja` in a cookie (365 days, path `/`, same-site lax) and in local storage under `user-locale`, re-applied at start”',
    async () => {
      await page.getByRole('button', { name: '日本語' }).click();
      await expect.poll(() => kept('user-locale')).toBe('ja');
      const cookie = (await page.context().cookies()).find(({ name }) => name === 'user-locale');
      expect.soft(cookie).toMatchObject({ value: 'ja', path: '/', sameSite: 'Lax' });
      expect.soft(Math.round(((cookie?.expires ?? 0) - Date.now() / 1000) / 86_400)).toBe(365);
      await page.context().clearCookies();
      await page.reload();
      await expect.soft(mode).toHaveAttribute('lang', 'ja');
      await expect.poll(async () => (await page.context().cookies()).map(({ name }) => name)).toContain('user-locale');
    },
  );

  await step('“Colour mode light, dark or system, saved in local storage”', async () => {
    for (const [name, value, shown] of [
      ['ライト', 'light', 'light'],
      ['ダーク', 'dark', 'dark'],
      [ja('common:colorMode.auto'), 'system', 'dark'],
    ] as const) {
      await page.getByRole('button', { name }).click();
      expect.soft(await kept('color-mode')).toBe(value);
      await page.reload();
      await expect.soft(page.getByRole('button', { name })).toHaveAttribute('aria-pressed', 'true');
      await expect.soft(mode).toHaveAttribute('data-mantine-color-scheme', shown);
    }
    await page.evaluate("localStorage.setItem('color-mode', 'auto')");
    await page.reload();
    await expect
      .soft(page.getByRole('button', { name: ja('common:colorMode.auto') }))
      .toHaveAttribute('aria-pressed', 'true');
  });
  await page.context().close();
});

test('“Staff get a toast when a visitor writes”', async ({ page, kotae, shop }) => {
  const transports: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/socket.io/')) transports.push('polling');
  });
  page.on('websocket', (socket) => {
    if (socket.url().includes('/socket.io/')) transports.push('websocket');
  });
  await signIn(page, kotae, shop);
  const write = async (text: string) => {
    const { token } = (await callApi(kotae.url, visitors.begin, { body: { channel: shop.channel } })).data;
    await fetch(`${kotae.url}${visitors.send.path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ key: randomUUID(), text }),
    });
  };

  await step('“Socket.IO at the API host, websocket first then polling”', async () => {
    await page.goto(`${kotae.url}/Bot`);
    await expect.poll(() => transports[0]).toBe('websocket');
  });

  await step(
    '“local storage `chatToast`, treated as true if absent”; “title, description, timeout, icon, … color; a click opens the thread”',
    async () => {
      expect.soft(await page.evaluate("localStorage.getItem('chatToast')")).toBeNull();
      const toast = page.getByRole('alert').filter({ hasText: 'Is the terrace open?' });
      await expect(async () => {
        await write('Is the terrace open?');
        await expect(toast.first()).toBeVisible({ timeout: 2_000 });
      }).toPass();
      await expect.soft(toast.first().locator('.mantine-Notification-title')).not.toBeEmpty();
      await expect.soft(toast.first().locator('.mantine-Notification-description')).toHaveText('Is the terrace open?');
      await expect.soft(toast.first().locator('.mantine-Notification-icon svg')).toBeVisible();
      await expect.soft(toast.first()).toHaveAttribute('style', /--notification-color: .*gray/);
      const area = await toast.first().boundingBox();
      expect.soft(area?.y, '“a toast area at the top”').toBeLessThan(120);
      await toast.first().click();
      await expect.soft(page).toHaveURL(/\/Friend\?thread=[0-9a-f-]{36}$/);
      await expect.soft(page.getByRole('log').getByText('Is the terrace open?')).toBeVisible();
      await page.goto(`${kotae.url}/Bot`);
      const later = page.getByRole('alert').filter({ hasText: 'Is the cellar open?' });
      await expect(async () => {
        await write('Is the cellar open?');
        await expect(later.first()).toBeVisible({ timeout: 2_000 });
      }).toPass();
      await expect.soft(later, 'it goes by itself').toHaveCount(0);
    },
  );
});

const unguarded = ['/ExploreBot', '/payment/3d-secure', '/payment/success', '/payment/failed'];

test('“Layouts: `default` (sidebar, top bar), `login` (centred card), `bot-edit` (bot header with tabs, side preview)”', async ({
  page,
  browser,
  kotae,
  shop,
}) => {
  const { bot, channel, jwt } = shop;
  const [connection] = (await callApi(kotae.url, connections.list, { jwt })).data;
  const menu = page.getByRole('navigation', { name: 'Main menu' });
  const tabs = page.getByRole('navigation', { name: 'Views of the bot' });
  const stranger = await aPage(browser);

  for (const path of [
    '/Login',
    '/Register',
    '/Forgot-Password',
    '/Reset-Password?code=x',
    '/api/auth/google/callback?error=x',
  ])
    await step(`${path} | login`, async () => {
      await stranger.goto(`${kotae.url}${path}`);
      await expect.soft(stranger.locator('main .mantine-Paper-root'), path).toBeVisible();
      await expect.soft(stranger.getByRole('navigation'), path).toHaveCount(0);
    });

  await signIn(page, kotae, shop);
  await page.goto(kotae.url);
  for (const path of [
    '/',
    '/Bot',
    '/Bot-Connect',
    '/Document',
    '/ExploreBot',
    '/Friend',
    '/Image-Generate',
    '/Image-Generate/PreviewModal',
    '/Knowledge',
    '/Knowledge/Add',
    '/Line-Channel',
    '/Web-Channel',
    `/Web-Channel/${channel}`,
    '/Token',
    '/payment/3d-secure',
    '/payment/success',
    '/payment/failed',
  ])
    await step(`${path} | default`, async () => {
      await page.goto(`${kotae.url}${path}`);
      await expect.soft(menu, path).toBeVisible();
      await expect.soft(page.getByRole('heading', { name: 'Page Not Found' }), path).toHaveCount(0);
      await expect.soft(tabs, path).toHaveCount(0);
    });
  for (const path of ['/Bot', `/Knowledge/${randomUUID()}/documents`, '/Friend?view=all', ...unguarded])
    await step(`“An \`auth\` route guard protects everything except …”: ${path}`, async () => {
      await stranger.goto(`${kotae.url}${path}`);
      if (unguarded.includes(path)) {
        await expect(stranger.getByRole('heading').first(), path).toBeVisible();
        expect.soft(new URL(stranger.url()).pathname, path).toBe(path);
      } else await expect.soft(stranger, path).toHaveURL(`${kotae.url}/Login?${new URLSearchParams({ next: path })}`);
    });

  await step('`/Bot/{id}` and `/Bot/{id}/Chat` | bot-edit', async () => {
    await page.goto(`${kotae.url}/Bot/${bot}`);
    await expect.soft(tabs.getByRole('link')).toHaveText(['Edit', 'Chat', 'Embed']);
    await expect.soft(page.getByRole('complementary', { name: 'Preview' })).toBeVisible();
    await tabs.getByRole('link', { name: 'Chat' }).click();
    await expect.soft(page).toHaveURL(`${kotae.url}/Bot/${bot}/Chat`);
    await expect.soft(tabs).toBeVisible();
  });

  await step('“inside the app the bot-edit layout frames it”', async () => {
    await tabs.getByRole('link', { name: 'Embed' }).click();
    await expect.soft(page).toHaveURL(`${kotae.url}/Bot/${bot}/chat_embed`);
    await expect.soft(tabs.getByRole('link', { name: 'Embed' })).toHaveAttribute('aria-current', 'page');
    const chat = page.frameLocator('iframe');
    await chat.getByRole('textbox').fill('How long are gift cards valid?');
    await chat.getByRole('textbox').press('Enter');
    await expect.soft(chat.getByRole('log')).toContainText('valid for two years');
    await expectAccessible(page);
  });

  await step('`/Bot-Connect/{id}` | bot-edit, where it has a bot', async () => {
    await page.goto(`${kotae.url}/Bot-Connect/${connection?.uuid}`);
    await expect.soft(page.getByRole('heading', { level: 1, name: 'Shop' })).toBeVisible();
    await expect.soft(tabs.getByRole('link')).toHaveText(['Edit', 'Chat', 'Embed']);
    await expect.soft(page.frameLocator('iframe').getByRole('textbox')).toBeVisible();
    await expectNoOverflow(page);
    const body = { bot: null };
    await callApi(kotae.url, connections.update, { jwt, params: { uuid: connection?.uuid ?? '' }, body });
    await page.reload();
    await expect.soft(page.getByRole('heading', { level: 1, name: 'Shop' })).toBeVisible();
    await expect.soft(tabs).toHaveCount(0);
    await expect.soft(page.locator('iframe')).toHaveCount(0);
    await callApi(kotae.url, connections.update, { jwt, params: { uuid: connection?.uuid ?? '' }, body: { bot } });
  });
  await stranger.context().close();
});

test('“`/Bot/{id}/chat_embed` always serves the widget’s own small page … and needs no account”', async ({
  browser,
  kotae,
  shop,
}) => {
  const { url } = kotae;
  const { jwt } = shop;
  const { bot } = await furnishShop(url, jwt, { name: 'Guide' });
  const listing = {
    visibility: 'link' as const,
    category: 'shops' as const,
    languages: ['en' as const],
    summary: 'Hours of the shop',
    copying: 'none' as const,
    creditsPerDay: 20,
  };

  for (const [locale, t] of [
    ['en-US', en],
    ['ja-JP', ja],
  ] as const)
    await step(`a bot that is not for everybody says why in words, ${locale}`, async () => {
      const page = await aPage(browser, { locale, colorScheme: 'dark', viewport: { width: 360, height: 640 } });
      await page.goto(`${url}/Bot/${bot}/chat_embed`);
      await expect.soft(page.getByText(t('widget-refused:notOpen'))).toBeVisible();
      await expect
        .soft(page.getByRole('link', { name: t('widget-refused:signIn') }))
        .toHaveAttribute('href', `/Login?next=${encodeURIComponent(`/Bot/${bot}/chat_embed`)}`);
      await expectAccessible(page);
      await expectNoOverflow(page);
      await page.context().close();
    });

  await step('one that whoever has the link may use answers, with what was published', async () => {
    await callApi(url, bots.update, { jwt, params: { uuid: bot }, body: { greeting: 'Only a draft.' } });
    await callApi(url, listings.save, { jwt, params: { uuid: bot }, body: listing });
    const page = await aPage(browser);
    const answer = await page.goto(`${url}/Bot/${bot}/chat_embed`);
    expect.soft(answer?.headers()['content-security-policy']).toMatch(/frame-ancestors 'self'$/);
    await expect.soft(page.getByText('Welcome to Hinata Coffee.', { exact: false })).toBeVisible();
    await page.getByRole('textbox').fill('How long are gift cards valid?');
    await page.getByRole('textbox').press('Enter');
    await expect.soft(page.getByRole('log')).toContainText('valid for two years');
    await page.context().close();
  });

  await step('“also where a maker sees it as a visitor would”', async () => {
    const page = await aPage(browser);
    await signIn(page, kotae, shop);
    await page.goto(`${url}/Bot/${bot}/chat_embed`);
    await expect.soft(page.getByText('Welcome to Hinata Coffee.', { exact: false })).toBeVisible();
    await page.context().close();
  });
});

test('“one base URL that comes from configuration”: pages of one origin call another of the same site', async ({
  page,
}) => {
  const pages = await startWebProxy('dropped');
  const kotae = await openKotae({
    PORT: pages.port,
    API_BASE_URL: `http://127.0.0.1:${pages.port}`,
    ALLOWED_ORIGINS: pages.url,
  });
  try {
    const called = new Set<string>();
    const note = (address: string) => {
      const { origin, pathname } = new URL(address);
      if (/^\/(api|socket\.io)\//.test(pathname)) called.add(origin.replace(/^ws/, 'http'));
    };
    page.on('request', (request) => request.resourceType() !== 'image' && note(request.url()));
    page.on('websocket', (socket) => note(socket.url()));
    const person = { username: 'hanako', email: 'hanako@example.com', password: 'correct horse battery' };
    await callApi(kotae.url, accounts.register, { body: person });
    await page.goto(`${pages.url}/Bot`);
    await page.getByRole('textbox', { name: /^Email/ }).fill(person.email);
    await page.getByRole('textbox', { name: 'Password' }).fill(person.password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await expect(page.getByRole('button', { name: 'Account of hanako' })).toBeVisible();
    await expect(page).toHaveURL(`${pages.url}/Bot`);
    // The token that has run out is renewed there as well, and live news come from there.
    await page.context().clearCookies({ name: 'jwt' });
    const live = page.waitForEvent('websocket');
    await page.reload();
    await expect(page.getByRole('button', { name: 'Account of hanako' })).toBeVisible();
    expect((await live).url()).toContain(`ws://127.0.0.1:${pages.port}/socket.io/`);
    expect([...called]).toEqual([`http://127.0.0.1:${pages.port}`]);
  } finally {
    await kotae.close();
    await pages.close();
  }
});
