import { test as base, type BrowserContext, type Page, type Request } from '@playwright/test';
import { startWebProxy } from '../server/testing/web-proxy.ts';
import { inbox } from '../shared/contracts/inbox.ts';
import { visitors } from '../shared/contracts/visitors.ts';
import { arrive, callApi } from './api.ts';
import { complaintsOf, expect, expectAccessible, expectNoOverflow, openKotae, test } from './server.ts';
import { furnishShop } from './site.ts';
import { textsOf } from './texts.ts';

/* What lies between people and the server, and lets through less than it should. */

const soonMs = 5_000;

async function write(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox').fill(text);
  await page.keyboard.press('Enter');
}

for (const upgrades of ['dropped', 'unanswered'] as const)
  base(
    `behind a proxy by which WebSockets are ${upgrades}, both sides read each other within seconds`,
    async ({ browser }) => {
      const proxy = await startWebProxy(upgrades);
      const { url } = proxy;
      const kotae = await openKotae({ PORT: proxy.port, BASE_URL: url });
      const [team, guests] = [await browser.newContext(), await browser.newContext()];
      const [page, theirs] = [await team.newPage(), await guests.newPage()];
      const complaints = [complaintsOf(page), complaintsOf(theirs)];
      try {
        const jwt = await arrive(page, url);
        const { channel } = await furnishShop(url, jwt);
        await page.goto(`${url}/Friend`);
        await expect(page.getByText('No conversations yet')).toBeVisible();
        await theirs.goto(`${url}/Bot/-/chat_embed?channel=${channel}`);
        await write(theirs, 'Can I bring my dog?');
        await page.getByRole('list', { name: 'Conversations' }).getByRole('link').first().click({ timeout: soonMs });
        await theirs.getByRole('button', { name: 'Talk to a person' }).click();
        await write(theirs, 'I left my umbrella.');
        await expect(page.getByRole('log')).toContainText('I left my umbrella.', { timeout: soonMs });
        await page.getByRole('textbox', { name: /^Reply to / }).fill('We have it here.');
        await page.getByRole('button', { name: 'Send', exact: true }).click();
        await expect(theirs.getByRole('log')).toContainText('We have it here.', { timeout: soonMs });
        expect(complaints).toEqual([[], []]);
      } finally {
        await team.close();
        await guests.close();
        await kotae.close();
        await proxy.close();
      }
    },
  );

/** Nothing live goes through until it is let. */
async function withoutLive(context: BrowserContext) {
  let isOpen = false;
  let connections = 0;
  const isLetIn = () => {
    connections += Number(isOpen);
    return isOpen;
  };
  await context.route(/[/]socket[.]io[/]/, (route) => (isLetIn() ? route.continue() : route.abort()));
  await context.routeWebSocket(/[/]socket[.]io[/]/, (socket) =>
    isLetIn() ? void socket.connectToServer() : socket.close(),
  );
  return { letIn: () => (isOpen = true), connections: () => connections };
}

for (const locale of ['en', 'ja'] as const)
  test(`a page that hears nothing live says so until it does, in ${locale}`, async ({ page, context, kotae }) => {
    const say = textsOf(locale);
    await arrive(page, kotae.url, locale);
    const live = await withoutLive(context);
    await page.goto(`${kotae.url}/Friend`);
    const notice = page.getByRole('status').filter({ hasText: say('common:notLive') });
    await expect(page.getByText(say('inbox:list.empty'))).toBeVisible();
    await expect(notice).toBeHidden();
    await expect(notice).toBeVisible();
    await expectAccessible(page);
    await expectNoOverflow(page);
    live.letIn();
    await expect(notice).toBeHidden({ timeout: 30_000 });
  });

test('a visitor without a live connection gets what is written all the same, while they look', async ({
  page,
  context,
  kotae,
}) => {
  const { url } = kotae;
  const jwt = await arrive(page, url);
  const { channel } = await furnishShop(url, jwt);
  const live = await withoutLive(context);
  await page.clock.install();
  let asked = 0;
  let open = 0;
  const asks = (request: Request) => Number(new URL(request.url()).pathname === visitors.messages.path);
  page.on('request', (request) => {
    asked += asks(request);
    open += asks(request);
  });
  page.on('requestfinished', (request) => (open -= asks(request)));
  page.on('requestfailed', (request) => (open -= asks(request)));
  await page.goto(`${url}/Bot/-/chat_embed?channel=${channel}`);
  await write(page, 'Can I bring my dog?');
  await expect(page.getByRole('log')).toContainText('Dogs on a lead');
  const [thread] = (await callApi(url, inbox.threads, { jwt, query: {} })).data;
  const reply = (text: string) =>
    callApi(url, inbox.reply, {
      jwt,
      params: { thread: thread?.uuid ?? '' },
      body: { key: crypto.randomUUID(), text, files: [] },
    });
  await reply('There is a bowl of water at the door.');
  await expect(page.getByRole('log')).toContainText('There is a bowl of water at the door.');

  // Less and less often: ten minutes are thirty questions at most, and none while nobody looks.
  const see = (state: 'hidden' | 'visible') =>
    page.evaluate(
      `Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true }); document.dispatchEvent(new Event('visibilitychange'))`,
    );
  /** Answers come in the time of the machine, and what follows them is waited for from then on. */
  const minutes = async (count: number) => {
    for (let step = 0; step < 6 * count; step++) {
      await page.clock.runFor('00:10');
      await expect.poll(() => open).toBe(0);
    }
  };
  asked = 0;
  await minutes(5);
  expect(asked).toBeGreaterThan(5);
  expect(asked).toBeLessThan(30);
  await see('hidden');
  asked = 0;
  await reply('See you on Sunday.');
  await page.clock.runFor('05:00');
  expect(asked).toBe(0);
  await see('visible');
  await page.clock.runFor('00:10');
  await expect(page.getByRole('log')).toContainText('See you on Sunday.');

  // Once there is a connection, it tells.
  live.letIn();
  await expect
    .poll(async () => {
      await page.clock.runFor('00:10');
      return live.connections();
    })
    .toBeGreaterThan(0);
});
