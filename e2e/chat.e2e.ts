import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import type { Browser, Locator, Page } from '@playwright/test';
import sharp from 'sharp';
import { bots } from '../shared/contracts/bots.ts';
import { documents, knowledge } from '../shared/contracts/knowledge.ts';
import { operatorServices } from '../shared/contracts/services.ts';
import { delta, finish, sse, startModelServer, usage } from '../server/testing/openai.ts';
import { arrive, callApi, findService } from './api.ts';
import { complaintsOf, expect, expectAccessible, expectNoOverflow, openKotae, test, type Kotae } from './server.ts';

type Texts = typeof import('../shared/locales/en/conversations.json');
type Panels = typeof import('../shared/locales/en/conversations-panels.json');
type Upstream = Awaited<ReturnType<typeof startModelServer>>;

const textsIn = (locale: string): Texts =>
  JSON.parse(readFileSync(new URL(`../shared/locales/${locale}/conversations.json`, import.meta.url), 'utf8'));

const panelsIn = (locale: string): Panels =>
  JSON.parse(readFileSync(new URL(`../shared/locales/${locale}/conversations-panels.json`, import.meta.url), 'utf8'));

interface Scene {
  page: Page;
  kotae: Kotae;
  upstream: Upstream;
  jwt: string;
  bot: string;
  /** The bot's chat page. */
  chat: string;
}

/** Somebody with a bot that answers through the double of a model, from one document. */
async function open(
  browser: Browser,
  options: Parameters<Browser['newContext']>[0],
  work: (scene: Scene) => Promise<void>,
): Promise<void> {
  const upstream = await startModelServer();
  const kotae = await openKotae({ OPENAI_COMPATIBLE_BASE_URL: upstream.url });
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const complaints = complaintsOf(page);
  try {
    const jwt = await arrive(page, kotae.url, options?.locale === 'ja' ? 'ja' : 'en');
    const base = (await callApi(kotae.url, knowledge.create, { body: { name: 'Guide' }, jwt })).data.uuid;
    await callApi(kotae.url, documents.add, {
      params: { knowledge: base },
      body: {
        source: 'text',
        name: 'Delivery.md',
        text: '# Delivery\n\nDelivery within Japan costs 480 yen. Parcels leave within two working days.',
      },
      jwt,
    });
    await expect
      .poll(
        async () => (await callApi(kotae.url, documents.list, { params: { knowledge: base }, jwt })).data[0]?.status,
      )
      .toBe('indexed');
    const service = await findService(kotae.url, 'double-1');
    const able = { capabilities: ['tools' as const, 'json' as const] };
    await callApi(kotae.url, operatorServices.update, { params: { uuid: service }, body: able, jwt });
    const bot = (
      await callApi(kotae.url, bots.create, {
        body: { name: 'Guide', service, knowledges: [base], followUps: ['And abroad?'] },
        jwt,
      })
    ).data.uuid;
    await work({ page, kotae, upstream, jwt, bot, chat: `${kotae.url}/Bot/${bot}/Chat` });
    expect(complaints).toEqual([]);
  } finally {
    await context.close();
    await kotae.close();
    await upstream.stop();
  }
}

/** Begins an answer and leaves it open. */
function begin(response: ServerResponse, words: string[]): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const word of words) response.write(`data: ${delta(word)}\n\n`);
}

const say = (upstream: Upstream, text: string, reason?: string) =>
  upstream.behave((_request, response) => sse(response, [delta(text), finish(reason), usage(900, 40), '[DONE]']));

const table =
  '| Item | Price |\n|---|---|\n| Delivery | 480 yen [1] |\n\n```ts\nconst price: number = 480;\n```\n\nSo \\(480 + 20 = 500\\).\n\n- [x] asked\n- [ ] paid';

for (const [locale, timezoneId, colorScheme, width] of [
  ['en', 'Europe/London', 'light', 1440],
  ['ja', 'Asia/Tokyo', 'dark', 360],
] as const) {
  test(`a conversation from its first question to its public link (${locale}, ${colorScheme}, ${width} px)`, async ({
    browser,
  }) => {
    test.setTimeout(240_000);
    const t = textsIn(locale);
    await open(
      browser,
      {
        locale,
        timezoneId,
        colorScheme,
        viewport: { width, height: 800 },
        permissions: ['clipboard-read', 'clipboard-write'],
      },
      async ({ page, upstream, chat }) => {
        const field = page.getByLabel(t.composer.label, { exact: true });
        const answer = page.getByRole('group', { name: 'Guide' }).last();
        const question = page.getByRole('group', { name: t.chat.you, exact: true }).last();
        const openThreads = () =>
          width < 768 ? page.getByRole('button', { name: t.threads.label }).click() : Promise.resolve();
        await page.goto(chat);

        await test.step('ask, stop, and go on', async () => {
          upstream.behave((_request, response) => begin(response, ['Delivery within Japan', ' costs']));
          await field.fill('How much does delivery within Japan cost?');
          await page.keyboard.press('Enter');
          await expect(answer).toContainText('Delivery within Japan costs');
          await page.getByRole('button', { name: t.composer.stop }).click();
          await expect(answer).toContainText(t.chat.interrupted);
          say(upstream, ' 480 yen [1].');
          await answer.getByRole('button', { name: t.chat.continue }).click();
          await expect(answer).toContainText('Delivery within Japan costs 480 yen');
          await expect(answer.getByRole('button', { name: t.chat.continue })).toHaveCount(0);
          await expect(answer.getByRole('button', { name: 'Delivery.md' }).first()).toBeVisible();
          await expect(page.getByRole('button', { name: 'And abroad?' })).toBeVisible();
          await expectAccessible(page);
          await expectNoOverflow(page);
        });

        await test.step('answer again, and go back to the first', async () => {
          say(upstream, table);
          await answer.getByRole('button', { name: t.chat.regenerate }).click();
          await expect(answer.getByRole('table')).toBeVisible();
          await expect(answer.locator('.hljs-keyword')).toHaveText('const');
          await expect(answer.locator('.katex')).toBeVisible();
          await expect(answer.getByText('2 / 2')).toBeVisible();
          await expectAccessible(page);
          await expectNoOverflow(page);
          await answer.getByRole('button', { name: t.branch.previous }).click();
          await expect(answer).toContainText('costs 480 yen');
          await expect(answer.getByText('1 / 2')).toBeVisible();
        });

        await test.step('ask in other words, from the keyboard', async () => {
          say(upstream, 'It leaves within two working days [1].');
          await field.focus();
          await page.keyboard.press('ArrowUp');
          const edit = page.getByLabel(t.edit.field, { exact: true });
          await expect(edit).toHaveValue('How much does delivery within Japan cost?');
          await edit.fill('When do parcels leave?');
          await page.keyboard.press('Enter');
          await expect(answer).toContainText('two working days');
          await question.hover();
          await expect(question.getByText('2 / 2')).toBeVisible();
          expect(upstream.received.at(-1)?.body.messages?.filter(({ role }) => role === 'user')).toHaveLength(1);
        });

        await test.step('say what is wrong with it', async () => {
          await answer.getByRole('button', { name: t.feedback.down }).click();
          const form = page.getByRole('dialog', { name: t.feedback.why });
          await form.getByText(t.feedback.reason.incomplete).click();
          await form.getByLabel(t.feedback.text).fill('No times');
          await form.getByRole('button', { name: t.composer.send }).click();
          await expect(form).toHaveCount(0);
          await page.reload();
          await expect(answer.getByRole('button', { name: t.feedback.down })).toHaveAttribute('aria-pressed', 'true');
        });

        await test.step('see why it is what it is', async () => {
          await answer.getByRole('button', { name: t.why.title }).click();
          const why = page.getByRole('dialog', { name: t.why.title });
          await expect(why.getByText('When do parcels leave?').first()).toBeVisible();
          await expect(why.getByText('Delivery.md').first()).toBeVisible();
          await why.getByRole('button', { name: panelsIn(locale).why.role.system }).click();
          await expect(
            why.locator('pre').filter({ hasText: 'Parcels leave within two working days.' }).first(),
          ).toBeVisible();
          await expectAccessible(page);
          await page.keyboard.press('Escape');
          await answer.getByRole('button', { name: /940/ }).click();
          await expect(page.getByRole('dialog', { name: /940/ })).toContainText('900');
          await page.keyboard.press('Escape');
        });

        await test.step('attach a document', async () => {
          say(upstream, 'Your order is number 42.');
          const attach = (name: string, mimeType: string, buffer: Buffer) =>
            page.locator('input[type=file]').setInputFiles({ name, mimeType, buffer });
          await attach('empty.txt', 'text/plain', Buffer.from(' '));
          await expect(page.getByRole('alert')).toBeVisible();
          await page.getByRole('button', { name: t.attach.remove.replace('{{name}}', 'empty.txt') }).click();
          await attach('photo.png', 'image/png', Buffer.from('x'));
          await expect(page.getByText(t.attach.noPictures)).toBeVisible();
          await page.getByRole('button', { name: t.attach.remove.replace('{{name}}', 'photo.png') }).click();
          await attach('order.txt', 'text/plain', Buffer.from('Order number 42'));
          await field.fill('What is my order number?');
          await expect(page.getByRole('button', { name: t.composer.send })).toBeEnabled();
          await page.keyboard.press('Enter');
          await expect(answer).toContainText('number 42');
          await expect(question.getByRole('button', { name: /order\.txt/ })).toBeVisible();
          expect(upstream.received.at(-1)?.body.messages?.at(-1)?.content).toContain('Order number 42');
        });

        await test.step('pin it, and find it by what was said', async () => {
          await openThreads();
          const list = page.getByRole('navigation', { name: t.threads.label }).last();
          await list
            .getByRole('button', { name: /How much/ })
            .last()
            .click();
          await page.getByRole('menuitem', { name: t.threads.pin }).click();
          await expect(list.getByRole('heading', { name: t.threads.day.pinned })).toBeVisible();
          await page.getByRole('searchbox', { name: t.threads.search }).last().fill('number 42');
          await expect(list.getByText('How much does delivery')).toBeVisible();
          await page.getByRole('searchbox', { name: t.threads.search }).last().fill('nobody said this');
          await expect(page.getByText(t.threads.noMatch).last()).toBeVisible();
          if (width < 768) await page.keyboard.press('Escape');
          else await page.getByRole('searchbox', { name: t.threads.search }).fill('');
        });

        await test.step('print it', async () => {
          await page.evaluate('window.print = () => document.body.setAttribute("data-printed", "")');
          const printed = page.locator('body[data-printed]');
          if (width < 768) {
            await page
              .getByRole('button', { name: /How much/ })
              .last()
              .click();
            await page.getByRole('menuitem', { name: t.threads.print }).click();
          } else {
            await field.focus();
            await page.keyboard.press('Control+p');
          }
          await expect(printed).toHaveCount(1);
          await page.emulateMedia({ media: 'print' });
          await expect(page.getByRole('heading', { level: 1, name: /How much does delivery/ })).toBeVisible();
          await expect(page.getByText(/^Guide(?: · |・).*20\d\d/)).toBeVisible();
          await expect(page.getByText(/Delivery within Japan costs 480 yen\. Parcels leave/).first()).toBeVisible();
          await expect(field).toBeHidden();
          await page.emulateMedia({ media: null });
          // Whoever goes on has the screen as it was.
          await page.keyboard.press('Escape');
          await expect(page.getByRole('heading', { level: 1, name: /How much does delivery/ })).toHaveCount(0);
        });

        await test.step('share it with somebody who has no account, for a while', async () => {
          await page
            .getByRole('button', { name: /How much/ })
            .last()
            .click();
          await page.getByRole('menuitem', { name: t.share.title }).click();
          const dialog = page.getByRole('dialog', { name: t.share.title });
          await dialog.getByRole('button', { name: t.share.create }).click();
          const link = await dialog.getByLabel(t.share.link, { exact: true }).inputValue();
          const stranger = await browser.newContext({ locale, viewport: { width, height: 800 }, colorScheme });
          const reader = await stranger.newPage();
          const complaints = complaintsOf(reader);
          await reader.goto(link);
          await expect(reader.getByRole('heading', { level: 1 })).toContainText('How much does delivery');
          await expect(reader.getByText('Your order is number 42.')).toBeVisible();
          await expect(reader.getByText('Delivery.md').first()).toBeVisible();
          await expect(reader.getByText(panelsIn(locale).shared.own)).toHaveCount(0);
          await expect(reader.getByRole('textbox')).toHaveCount(0);
          await expectAccessible(reader);
          await expectNoOverflow(reader);
          await dialog.getByRole('button', { name: t.share.end }).click();
          await expect(dialog).toHaveCount(0);
          await reader.reload();
          await expect(reader.getByRole('heading', { level: 1 })).toHaveText(panelsIn(locale).shared.gone);
          expect(complaints).toEqual([]);
          await stranger.close();
        });
      },
    );
  });
}

for (const [locale, width] of [
  ['en', 1280],
  ['ja', 360],
] as const)
  test(`a bot is published where one talks with it (${locale}, ${width} px)`, async ({ browser }) => {
    const t = textsIn(locale);
    const b: typeof import('../shared/locales/en/bots.json') = JSON.parse(
      readFileSync(new URL(`../shared/locales/${locale}/bots.json`, import.meta.url), 'utf8'),
    );
    const publishing: typeof import('../shared/locales/en/bots-publish.json') = JSON.parse(
      readFileSync(new URL(`../shared/locales/${locale}/bots-publish.json`, import.meta.url), 'utf8'),
    );
    const options = { locale, viewport: { width, height: 800 }, hasTouch: width < 768, isMobile: width < 768 };
    await open(browser, options, async ({ page, kotae, jwt, bot, chat }) => {
      await page.goto(chat);
      const menu = page.getByRole('button', { name: t.threads.menu.replace('{{title}}', 'Guide') });
      const publish = async () => {
        if (width < 768) {
          await menu.click();
          await page.getByRole('menuitem', { name: b.publish.button }).click();
        } else await page.getByRole('button', { name: b.publish.button }).click();
        const dialog = page.getByRole('dialog', { name: publishing.title });
        await dialog.getByRole('button', { name: b.publish.button }).click();
        const done = page.getByRole('dialog', { name: publishing.done });
        await expect(done).toBeVisible();
        await expectAccessible(page);
        await page.keyboard.press('Escape');
        await expect(done).toHaveCount(0);
      };
      const told = (words: string) => page.locator('main > header').getByText(words, { exact: true }).first();
      const state = (name: 'draft' | 'published') => told(b.state[name]);
      await expect(state('draft')).toBeVisible();
      await publish();
      await expect(state('published')).toBeVisible();
      await callApi(kotae.url, bots.update, { params: { uuid: bot }, body: { greeting: 'New' }, jwt });
      await page.reload();
      await expect(told(t.answering.draftAnswers)).toBeVisible();
      const version = t.answering.published.replace('{{number}}', '1');
      if (width < 768) {
        await menu.click();
        await expect(page.getByRole('menuitemradio', { name: t.answering.draft })).toBeChecked();
        await page.getByRole('menuitemradio', { name: version }).click();
        await menu.click();
        await expect(page.getByRole('menuitemradio', { name: version })).toBeChecked();
        await expectAccessible(page);
        await page.keyboard.press('Escape');
      } else await page.getByRole('button', { name: version }).click();
      await expect(told(t.answering.versionAnswers.replace('{{number}}', '1'))).toBeVisible();
      await expectNoOverflow(page);
      await publish();
      await expect(state('published')).toBeVisible();
    });
  });

test('a conversation stands in the middle of what is left for it', async ({ browser }) => {
  await open(browser, { locale: 'en' }, async ({ page, upstream, chat }) => {
    say(upstream, 'It costs 480 yen [1].');
    await page.goto(chat);
    const field = page.getByLabel(textsIn('en').composer.label, { exact: true });
    await field.fill('How much is it?');
    await page.keyboard.press('Enter');
    const answer = page.getByRole('group', { name: 'Guide' }).last();
    await expect(answer).toContainText('480 yen');
    const question = page.getByRole('group', { name: textsIn('en').chat.you, exact: true });
    const list = page.getByRole('navigation', { name: textsIn('en').threads.label });
    for (let width = 620; width <= 880; width += 52) {
      await page.setViewportSize({ width, height: 800 });
      const off = async () => {
        const said = (await question.boundingBox()) ?? { x: 0, width: 0 };
        // What stands left of it: the list where there is room, otherwise the menu, under which the main part of the page lies.
        const beside = (await list.isVisible()) ? await list.boundingBox() : null;
        const menu = Number(
          await page.evaluate(`Number.parseFloat(getComputedStyle(document.querySelector('main')).paddingLeft)`),
        );
        const left = beside ? beside.x + beside.width : menu;
        return Math.abs((left + width) / 2 - said.x - said.width / 2);
      };
      await expect.poll(off, { message: `at ${width} px` }).toBeLessThanOrEqual(8);
    }
  });
});

test('an answer survives a refresh, a lost network and a stop that does not get through', async ({ browser }) => {
  test.setTimeout(150_000);
  const t = textsIn('en');
  await open(browser, { locale: 'en' }, async ({ page, upstream, chat }) => {
    const field = page.getByLabel(t.composer.label, { exact: true });
    const answer = page.getByRole('group', { name: 'Guide' }).last();
    let writing: ServerResponse | undefined;
    upstream.behave((_request, response) => {
      writing = response;
      begin(response, ['One']);
    });
    const more = (word: string) => void writing?.write(`data: ${delta(word)}\n\n`);
    await page.goto(chat);
    await field.fill('Count');
    await page.keyboard.press('Enter');
    await expect(answer).toContainText('One');
    await page.reload();
    await expect(answer).toContainText('One');
    more(' two');
    await expect(answer).toContainText('One two');

    await page.route('**/stop', (route) => route.abort());
    await page.getByRole('button', { name: t.composer.stop }).click();
    await expect(page.getByRole('alert').getByRole('button', { name: 'Try again' })).toBeVisible();
    more(' three');
    await expect(answer).toContainText('One two three');

    // Whatever the page asks for now fails, and the stream that is open breaks.
    await page.route('**/api/**', (route) => route.abort());
    await page.context().setOffline(true);
    await page.evaluate('window.dispatchEvent(new Event("offline"))');
    more(' four');
    await page.context().setOffline(false);
    await page.unrouteAll();
    await expect(answer).toContainText('One two three four');

    await field.fill('A draft');
    await page.reload();
    await expect(field).toHaveValue('A draft');
    writing?.end([finish(), usage(10, 5), '[DONE]'].map((part) => `data: ${part}\n\n`).join(''));
    await expect(page.getByRole('button', { name: t.composer.send })).toBeEnabled();
    await expect(answer).toContainText('One two three four');
  });
});

test('a conversation that is not to be kept is not in the list until it is', async ({ browser }) => {
  const t = textsIn('en');
  await open(browser, { locale: 'en' }, async ({ page, upstream, chat }) => {
    say(upstream, 'Hello.');
    await page.goto(chat);
    await page.getByRole('switch', { name: t.temporary.switch }).or(page.getByText(t.temporary.switch)).first().click();
    await page.getByLabel(t.composer.label, { exact: true }).fill('Hi there');
    await page.keyboard.press('Enter');
    await expect(page.getByText('Hello.')).toBeVisible();
    await expect(page.getByText(t.temporary.switch, { exact: true })).toBeVisible();
    const list = page.getByRole('navigation', { name: t.threads.label });
    await expect(list.getByText('Hi there')).toHaveCount(0);
    await page.getByRole('button', { name: t.temporary.keep }).click();
    await expect(list.getByText('Hi there')).toBeVisible();
    await expect(page.getByText(t.temporary.switch, { exact: true })).toHaveCount(0);
  });
});

test('what goes wrong is said in words, and can be tried again', async ({ browser }) => {
  const t = textsIn('en');
  await open(browser, { locale: 'en' }, async ({ page, upstream, chat }) => {
    upstream.behave(
      (_request, response) =>
        void response.writeHead(400, { 'content-type': 'application/json' }).end('{"error":{"message":"no"}}'),
    );
    await page.goto(chat);
    const field = page.getByLabel(t.composer.label, { exact: true });
    await field.fill('Hello?');
    await page.keyboard.press('Enter');
    const answer = page.getByRole('group', { name: 'Guide' }).last();
    await expect(answer.getByRole('alert')).toBeVisible();
    say(upstream, 'Here I am.');
    await answer.getByRole('button', { name: 'Try again' }).click();
    await expect(answer).toContainText('Here I am.');
    // Nothing is sent before the answer has ended.
    await expect(page.getByRole('button', { name: t.composer.stop })).toHaveCount(0);

    await page.route('**/api/chat', (route) =>
      route.request().method() === 'POST' ? route.abort() : route.fallback(),
    );
    await field.fill('Are you there?');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('alert')).toContainText('Kotae cannot be reached');
    await expect(page.getByText('Are you there?')).toBeVisible();
    await page.unrouteAll();
    say(upstream, 'Still here.');
    await page.getByRole('alert').getByRole('button', { name: 'Try again' }).click();
    await expect(answer).toContainText('Still here.');
  });
});

interface GivenFile {
  name: string;
  type: string;
  bytes: Buffer;
}

/** An expression for the page: a file as the browser hands it over. */
const transferOf = ({ name, type, bytes }: GivenFile) => `(() => {
  const transfer = new DataTransfer();
  transfer.items.add(new File([Uint8Array.from(atob('${bytes.toString('base64')}'), (each) => each.charCodeAt(0))], '${name}', { type: '${type}' }));
  return transfer;
})()`;

async function dropOn(page: Page, target: Locator, file: GivenFile): Promise<void> {
  const dataTransfer = await page.evaluateHandle(transferOf(file));
  const invitation = page.getByText(textsIn('en').attach.drop);
  for (const event of ['dragenter', 'dragover']) await target.dispatchEvent(event, { dataTransfer });
  await expect(invitation).toBeVisible();
  await target.dispatchEvent('drop', { dataTransfer });
  await expect(invitation).toHaveCount(0);
}

async function pasteInto(page: Page, field: Locator, file: GivenFile): Promise<void> {
  await field.focus();
  await page.evaluate(
    `document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData: ${transferOf(file)}, bubbles: true, cancelable: true }))`,
  );
}

test('pictures are dropped and pasted, and a file that is not what it says is refused', async ({ browser }) => {
  const t = textsIn('en');
  await open(browser, { locale: 'en' }, async ({ page, kotae, upstream, jwt, bot, chat }) => {
    const seeing = (
      await callApi(kotae.url, operatorServices.add, {
        body: {
          provider: 'openai-compatible',
          modelId: 'double-2',
          name: 'Double Two',
          contextTokens: 64_000,
          capabilities: ['vision'],
          price: null,
        },
        jwt,
      })
    ).data.uuid;
    await callApi(kotae.url, bots.update, { params: { uuid: bot }, body: { service: seeing }, jwt });
    const picture = (width: number, background: string) =>
      sharp({ create: { width, height: 48, channels: 3, background } })
        .png()
        .toBuffer();
    const field = page.getByLabel(t.composer.label, { exact: true });
    const chosen = page.getByRole('list', { name: t.attach.files });
    const send = page.getByRole('button', { name: t.composer.send });
    const widthIn = (where: Locator) =>
      where.locator('img').evaluate((image) => 'naturalWidth' in image && image.naturalWidth);
    say(upstream, 'Two pictures.');
    await page.goto(chat);

    await test.step('what lies about its type is not attached', async () => {
      await field.fill('What do you see?');
      await dropOn(page, page.getByRole('log'), {
        name: 'lie.png',
        type: 'image/png',
        bytes: Buffer.from('Not a picture at all.'),
      });
      await expect(chosen.getByRole('alert')).toHaveText(/^[A-Z][^{}]+\.$/);
      await expect(send).toBeDisabled();
      await expectAccessible(page);
      await page.getByRole('button', { name: t.attach.remove.replace('{{name}}', 'lie.png') }).click();
      await expect(chosen).toHaveCount(0);
    });

    await test.step('a picture is dropped, another is pasted, and both are seen', async () => {
      await dropOn(page, page.getByRole('log'), {
        name: 'red.png',
        type: 'image/png',
        bytes: await picture(64, '#c92a2a'),
      });
      await pasteInto(page, field, { name: 'green.png', type: 'image/png', bytes: await picture(80, '#00b900') });
      await expect.poll(() => widthIn(chosen.getByRole('listitem').filter({ hasText: 'red.png' }))).toBe(64);
      await expect.poll(() => widthIn(chosen.getByRole('listitem').filter({ hasText: 'green.png' }))).toBe(80);
      await expect(field).toHaveValue('What do you see?');
      await expectAccessible(page);
      await expectNoOverflow(page);
    });

    await test.step('they go with the question', async () => {
      await field.press('Enter');
      await expect(page.getByRole('group', { name: 'Guide' }).last()).toContainText('Two pictures.');
      await expect(chosen).toHaveCount(0);
      expect(upstream.received.at(-1)?.body.messages?.at(-1)?.content).toMatchObject([
        { type: 'text', text: expect.stringContaining('What do you see?') },
        ...Array.from({ length: 2 }, () => ({
          type: 'image_url',
          image_url: { url: expect.stringMatching(/^data:image\/webp;base64,/) },
        })),
      ]);
      await page.reload();
      const question = page.getByRole('group', { name: t.chat.you, exact: true }).last();
      for (const [name, width] of [
        ['red.png', 64],
        ['green.png', 80],
      ] as const)
        await expect
          .poll(() => widthIn(question.getByRole('button', { name: t.attach.open.replace('{{name}}', name) })))
          .toBe(width);
      await expect(question.getByText('lie.png')).toHaveCount(0);
      await expectAccessible(page);
    });
  });
});

test('the Enter that ends a Japanese composition does not send', async ({ browser }) => {
  const t = textsIn('ja');
  await open(browser, { locale: 'ja', timezoneId: 'Asia/Tokyo' }, async ({ page, upstream, chat }) => {
    say(upstream, '480円です。');
    await page.goto(chat);
    const field = page.getByLabel(t.composer.label, { exact: true });
    const asked = () => upstream.received.filter(({ path }) => path === '/v1/chat/completions').length;
    const compose = await page.context().newCDPSession(page);
    const keydown = (options: string) =>
      page.evaluate(
        `document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', code: 'Enter', bubbles: true, cancelable: true, ${options} }))`,
      );
    await field.focus();

    // While the browser composes, the input method takes the Enter, and the page is told only of the keydown.
    await compose.send('Input.imeSetComposition', { text: 'そうりょうは', selectionStart: 6, selectionEnd: 6 });
    await expect(field).toHaveValue('そうりょうは');
    await keydown('keyCode: 13, isComposing: true');
    await keydown('keyCode: 229, isComposing: true');
    await expect(field).toHaveValue('そうりょうは');
    await compose.send('Input.insertText', { text: '送料は？' });
    await expect(field).toHaveValue('送料は？');
    // Safari ends the composition first, and tells of the Enter afterwards as the key 229.
    await keydown('keyCode: 229, isComposing: false');
    await expect(field).toHaveValue('送料は？');
    await expect(page.getByRole('group', { name: t.chat.you, exact: true })).toHaveCount(0);
    expect(asked()).toBe(0);

    await page.keyboard.press('Enter');
    await expect(page.getByRole('group', { name: 'Guide' }).last()).toContainText('480円です。');
    await expect(page.getByRole('group', { name: t.chat.you, exact: true })).toHaveText(/送料は？/);
    await expect(field).toHaveValue('');
    expect(asked()).toBe(1);
  });
});
