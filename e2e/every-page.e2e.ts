import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { accounts, type Locale } from '../shared/contracts/accounts.ts';
import { bots } from '../shared/contracts/bots.ts';
import { connections } from '../shared/contracts/connections.ts';
import { images, sampleService } from '../shared/contracts/images.ts';
import { documents, knowledge } from '../shared/contracts/knowledge.ts';
import { lineCampaigns } from '../shared/contracts/line-campaigns.ts';
import { lineChannels } from '../shared/contracts/line-channels.ts';
import { lineMenus } from '../shared/contracts/line-menus.ts';
import { richMessages } from '../shared/contracts/rich-messages.ts';
import { pages as ours } from '../shared/pages.ts';
import { richTemplates } from '../shared/rich-templates.ts';
import { startLine } from '../server/testing/line/start.ts';
import { everyRoute } from '../server/features.ts';
import { websites } from '../shared/contracts/websites.ts';
import { arrive, callApi } from './api.ts';
import { expectInReach } from './reach.ts';
import { expect, openKotae, test } from './server.ts';
import { furnishShop } from './site.ts';

/** Pages that links outside lead to, and what stands for the parts that are another each time. */
const pages = [
  '/',
  '/Login',
  '/Register',
  '/Forgot-Password',
  '/Reset-Password?code=none',
  '/api/auth/google/callback',
  '/Bot',
  '/Bot/{bot}',
  '/Bot/{bot}/Chat',
  '/Bot/{bot}/chat_embed',
  '/Bot-Connect',
  '/Bot-Connect/{connection}',
  '/Document',
  '/ExploreBot',
  '/Friend',
  '/Image-Generate',
  '/Image-Generate/PreviewModal?image={image}',
  '/Knowledge',
  '/Knowledge/Add',
  '/Knowledge/{knowledge}/documents',
  '/Knowledge/{knowledge}/documents/Create',
  '/Knowledge/{knowledge}/documents/{document}',
  '/Knowledge/{knowledge}/websites/{website}',
  '/Line-Channel',
  '/Line-Channel/{line}',
  '/Web-Channel',
  '/Web-Channel/{channel}',
  '/Token',
  '/payment/3d-secure',
  '/payment/success',
  '/payment/failed',
];

const notFound = { en: 'Page Not Found', ja: 'ページが見つかりません' };

/** A path without the parts that are another each time. */
const shapeOf = (path: string) => (path.split('?')[0] ?? '').replace(/\{\w+\}|\$\w+/g, '*');

/** The pages to which only our own lead. */
const others = [...Object.values(ours.app), ...Object.values(ours.card), ...Object.values(ours.bare)]
  .map(({ path }) => path)
  .filter((path) => !pages.map(shapeOf).includes(shapeOf(path)))
  .map((path) => path.replace('/Line-Channel/$id', '/Line-Channel/{line}').replace(/\$(\w+)/g, '{$1}'));

/** Of a person who is not signed in. */
const guests: string[] = Object.values(ours.card).map(({ path }) => path);

/** Calls that programs outside are written against, with the methods that each has. */
const calls: Record<string, string[]> = {
  '/api/users/me?populate=avatar': ['GET'],
  '/api/service': ['GET'],
  '/api/auth/local': ['POST'],
  '/api/auth/local/register': ['POST'],
  '/api/auth/forgot-password': ['POST'],
  '/api/auth/reset-password': ['POST'],
  '/api/auth/google': ['GET'],
  '/api/auth/google/callback': ['GET'],
  '/api/user/update-account': ['PUT'],
  '/api/user/delete-account': ['DELETE'],
  '/api/user/bots': ['GET'],
  '/api/user/bots/dropdown': ['GET'],
  '/api/user/bot': ['POST'],
  '/api/user/bot/{bot}': ['GET', 'PUT', 'DELETE'],
  '/api/public/bots': ['GET'],
  '/api/public/bot/{bot}': ['GET'],
  '/api/bot/{bot}': ['GET'],
  '/api/user/botgroups': ['GET'],
  '/api/user/botgroup': ['POST'],
  '/api/user/botgroup/{any}': ['PUT', 'DELETE'],
  '/api/user/knowledges': ['GET'],
  '/api/user/knowledge': ['POST'],
  '/api/user/knowledge/{knowledge}': ['GET', 'PUT', 'DELETE'],
  '/api/user/knowledge/{knowledge}/search': ['POST'],
  '/api/user/knowledge/{knowledge}/document': ['GET', 'POST'],
  '/api/user/knowledge/{knowledge}/document/{document}': ['GET', 'PUT', 'DELETE'],
  '/api/user/document/{document}/embeddings': ['GET'],
  '/api/user/document/{document}/embedding': ['POST'],
  '/api/user/document/{document}/embedding/{any}': ['GET', 'PUT', 'DELETE'],
  '/api/chat': ['POST'],
  '/api/user/line/rich-menus': ['GET'],
  '/api/user/line/rich-menu': ['POST'],
  '/api/user/line/rich-menu-line': ['GET'],
  '/api/user/line/rich-messages': ['GET'],
  '/api/user/line/rich-message': ['POST'],
  '/api/user/line/webhooks': ['GET'],
  '/api/user/line/webhook-events': ['GET'],
  '/api/user/line/webhook/{any}': ['GET'],
  '/api/user/line/line-channels': ['GET'],
  '/api/user/line/line-channel/{line}': ['GET', 'PUT', 'DELETE'],
  '/api/user/line/line-channel-connect': ['POST'],
  '/api/user/line/line-channel-sync-webhook/{line}': ['POST'],
  '/api/user/web-channel': ['GET', 'POST'],
  '/api/user/web-channel/{channel}': ['GET', 'PUT', 'DELETE'],
  '/api/embed-setting?channel={channel}': ['GET'],
  '/api/user/token/history': ['GET'],
  '/api/user/payment': ['GET', 'POST'],
  '/api/user/api-keys': ['GET'],
  '/api/user/api-key': ['POST'],
  '/api/user/model/model-api-key': ['GET', 'POST'],
  '/v1/models': ['GET'],
  '/v1/chat/completions': ['POST'],
  '/healthz': ['GET'],
  '/readyz': ['GET'],
  '/metrics': ['GET'],
  '/api/openapi.json': ['GET'],
  '/docs': ['GET'],
};

test('every page that links lead to opens with all its controls in reach, and every call that programs make is there', async ({
  page,
  browser,
}) => {
  test.setTimeout(480_000);
  const line = await startLine({ allowHttp: true });
  const kotae = await openKotae({
    LINE_API_URL: line.url,
    ALLOW_PRIVATE_HOSTS: new URL(line.url).host,
    PAYMENTS: 'sandbox',
  });
  const { url } = kotae;
  try {
    const jwt = await arrive(page, url);
    const { bot, channel } = await furnishShop(url, jwt, { name: 'Hinata Coffee', locale: 'en' });
    const base = (await callApi(url, knowledge.create, { jwt, body: { name: 'Guide' } })).data.uuid;
    const form = new FormData();
    form.append('file', new Blob([new Uint8Array(readFileSync('e2e/fixtures/guide-en.pdf'))]), 'guide.pdf');
    await fetch(`${url}/api/user/knowledge/${base}/document`, {
      method: 'POST',
      headers: { authorization: `Bearer ${jwt}` },
      body: form,
    });
    const body = { url: 'https://shop.example/', settings: {} };
    const { uuid: website } = (await callApi(url, websites.create, { jwt, params: { knowledge: base }, body })).data;
    const [document] = (await callApi(url, documents.list, { jwt, params: { knowledge: base } })).data;
    const { id: channelId, secret } = line.channel;
    const connected = (await callApi(url, lineChannels.connect, { jwt, body: { channelId, secret, bot } })).data;
    const [connection] = (await callApi(url, connections.list, { jwt })).data;
    const [image] = (await callApi(url, images.create, { jwt, body: { prompt: 'Hills', service: sampleService } }))
      .data;
    const { uuid: broadcast } = (
      await callApi(url, lineCampaigns.createBroadcast, { jwt, body: { channel: connected.uuid, name: 'Spring' } })
    ).data;
    const { uuid: scenario } = (
      await callApi(url, lineCampaigns.createScenario, { jwt, body: { channel: connected.uuid, name: 'Welcome' } })
    ).data;
    const { uuid: menu } = (
      await callApi(url, lineMenus.create, { jwt, body: { channel: connected.uuid, name: 'Menu', layout: 'large-7' } })
    ).data;
    const [template] = richTemplates('en');
    // What a maker fills in.
    const draft = JSON.parse(JSON.stringify(template?.draft).replaceAll('"uri":""', '"uri":"https://shop.example/"'));
    const { uuid: message } = (await callApi(url, richMessages.create, { jwt, body: { name: 'Card', draft } })).data;
    const things: Record<string, string> = {
      broadcast,
      scenario,
      menu,
      message,
      bot,
      channel,
      knowledge: base,
      website,
      document: document?.uuid ?? '',
      line: connected.uuid,
      connection: connection?.uuid ?? '',
      image: image?.uuid ?? '',
      any: crypto.randomUUID(),
    };
    const fill = (path: string) => path.replace(/\{(\w+)\}/g, (_, name: string) => things[name] ?? '');
    const open = async (shown: Page, path: string) => {
      const reply = await shown.goto(url + fill(path));
      await expect(shown.locator('h1, main, form').first(), path).toBeVisible();
      // Whether its thing is there is known when its data is.
      await shown.waitForLoadState('networkidle');
      return reply?.status();
    };
    const visit = async (locale: Locale) => {
      const cookies = await page.context().cookies();
      const still = { reducedMotion: 'reduce', locale } as const;
      const [own, guest] = [await browser.newContext(still), await browser.newContext(still)];
      await own.addCookies(cookies.map((each) => (each.name === 'user-locale' ? { ...each, value: locale } : each)));
      const [shown, asGuest] = [await own.newPage(), await guest.newPage()];
      for (const path of pages) {
        expect([path, await open(shown, path)]).toEqual([path, 200]);
        await expect(shown.getByText(notFound[locale]), path).toHaveCount(0);
        await expectInReach(shown, `${path} (${locale})`);
      }
      for (const path of others) {
        await open(shown, path);
        await expectInReach(shown, `${path} (${locale})`);
      }
      for (const path of guests) {
        await open(asGuest, path);
        await expectInReach(asGuest, `${path} for guests (${locale})`);
      }
      await Promise.all([own.close(), guest.close()]);
    };
    await Promise.all([visit('en'), visit('ja')]);
    const lost = await page.goto(`${url}/No-Such-Page`);
    expect(lost?.status()).toBe(404);
    await expect(page.getByText('Page Not Found')).toBeVisible();

    const missing: string[] = [];
    for (const [path, methods] of Object.entries(calls))
      for (const method of methods) {
        // What ends things is looked for by name, since the calls after it need them.
        const known = everyRoute.some((route) => route.method === method && matches(route.path, path));
        if (method === 'DELETE') {
          if (!known) missing.push(`${method} ${path}`);
          continue;
        }
        const response = await fetch(url + fill(path), {
          method,
          redirect: 'manual',
          headers: { authorization: `Bearer ${jwt}`, ...(method !== 'GET' && { 'content-type': 'application/json' }) },
          ...(method !== 'GET' && { body: '{}' }),
        });
        const text = await response.text();
        // An id that nobody has is not found, which is another code than a path that nobody serves.
        const isServed = response.status !== 404 || !/"code":"not-found"|Page Not Found/.test(text);
        if (response.status >= 500 || response.status === 405 || !isServed)
          missing.push(`${method} ${path}: ${response.status} ${text.slice(0, 120)}`);
      }
    expect(missing).toEqual([]);
    expect((await callApi(url, accounts.me, { jwt })).username).toBe('hanako');
    expect((await callApi(url, bots.list, { jwt })).data.length).toBeGreaterThan(0);
  } finally {
    await kotae.close();
    await line.close();
  }
});

/** Whether a path of a contract is this one, whatever the parts are called that are another each time. */
const matches = (route: string, path: string): boolean =>
  route.replace(/:\w+/g, '{}') === (path.split('?')[0] ?? '').replace(/\{\w+\}/g, '{}');
