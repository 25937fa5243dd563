import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { io, type Socket } from 'socket.io-client';
import { bots } from '../shared/contracts/bots.ts';
import { accounts } from '../shared/contracts/accounts.ts';
import { inbox } from '../shared/contracts/inbox.ts';
import { documents, knowledge } from '../shared/contracts/knowledge.ts';
import { seeAsVisitor, visitors, writeAsVisitor } from '../shared/contracts/visitors.ts';
import { webChannels } from '../shared/contracts/web-channels.ts';
import { workspaces } from '../shared/contracts/workspaces.ts';
import { arrive, callApi } from './api.ts';
import { expect, expectAccessible, expectNoOverflow, test } from './server.ts';

interface Visitor {
  ask(text: string): Promise<void>;
  askForPerson(): Promise<void>;
  /** What stands on their page, newest last. */
  said(): Promise<string[]>;
  /** The last thing in it. */
  lastSeq(): Promise<number>;
  /** A page with the widget open, as far as the server can tell. */
  connect(): Promise<Socket>;
}

interface Shop {
  jwt: string;
  workspace?: string | undefined;
  channel: string;
}

const aShop = async (page: Page, url: string): Promise<Shop> => furnish(url, { jwt: await arrive(page, url) });

/** A shop whose bot knows when it opens, on its website. */
async function furnish(url: string, owner: Omit<Shop, 'channel'>): Promise<Shop> {
  const base = (await callApi(url, knowledge.create, { ...owner, body: { name: 'Shop' } })).data.uuid;
  const text = '# Opening hours\n\nThe shop opens at nine and closes at six. On Sundays it is closed.';
  const [document] = (
    await callApi(url, documents.add, {
      ...owner,
      params: { knowledge: base },
      body: { source: 'text', name: 'Hours.md', text },
    })
  ).data;
  const at = { knowledge: base, document: document?.uuid ?? '' };
  await expect
    .poll(async () => (await callApi(url, documents.get, { ...owner, params: at })).data.status)
    .toBe('indexed');
  const bot = (await callApi(url, bots.create, { ...owner, body: { name: 'Guide', knowledges: [base] } })).data.uuid;
  await callApi(url, bots.publish, { ...owner, params: { uuid: bot }, body: { note: '' } });
  const channel = (await callApi(url, webChannels.create, { ...owner, body: { name: 'Coffee shop', bot } })).data.uuid;
  return { ...owner, channel };
}

async function aVisitor(url: string, { jwt, workspace, channel }: Shop, name: string): Promise<Visitor> {
  const { token, guest } = (await callApi(url, visitors.begin, { body: { channel, locale: 'en' } })).data;
  await callApi(url, inbox.updateGuest, { jwt, workspace, params: { uuid: guest.uuid }, body: { name } });
  return {
    async ask(text) {
      const response = await fetch(`${url}${visitors.send.path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
        body: JSON.stringify({ key: randomUUID(), text }),
      });
      expect(response.ok, await response.text()).toBe(true);
    },
    askForPerson: async () => void (await callApi(url, visitors.person, { jwt: token })),
    said: async () => (await callApi(url, visitors.messages, { jwt: token })).data.messages.map(({ text }) => text),
    lastSeq: async () => (await callApi(url, visitors.messages, { jwt: token })).data.thread?.lastSeq ?? 0,
    connect: () =>
      new Promise((done, fail) => {
        const socket = io(url, { path: '/socket.io', transports: ['websocket'], auth: { token }, reconnection: false });
        socket.on('connect', () => done(socket)).on('connect_error', fail);
      }),
  };
}

const row = (page: Page, name: string) => page.getByRole('list', { name: 'Conversations' }).getByRole('link', { name });
const log = (page: Page, name: string) => page.getByRole('log', { name: `Conversation with ${name}` });

test('a visitor asks the bot, then a person; a member takes over, writes, and gives back', async ({ page, kotae }) => {
  const { url } = kotae;
  const shop = await aShop(page, url);
  await page.goto(`${url}/Friend`);
  await expect(page.getByText('No conversations yet')).toBeVisible();
  await expectAccessible(page);

  const sora = await aVisitor(url, shop, 'Sora');
  await sora.ask('When do you open?');
  // Nothing was reloaded: it came by itself.
  await row(page, 'Sora').click();
  await expect(page).toHaveURL(/thread=/);
  await expect(log(page, 'Sora')).toContainText('opens at nine');
  await expect(log(page, 'Sora').getByRole('group', { name: 'Sources' })).toContainText('Hours.md');
  const person = page.getByRole('complementary', { name: 'Person' });
  await expect(person).toContainText('Sources the bot used');
  await expectAccessible(page);

  await log(page, 'Sora').getByRole('group', { name: 'Sources' }).getByRole('button').first().click();
  await expect(page.getByRole('dialog', { name: 'Sources' }).locator('mark')).toContainText('nine');
  await page.goBack();
  await expect(page.getByRole('dialog', { name: 'Sources' })).toBeHidden();

  await sora.askForPerson();
  await expect(log(page, 'Sora')).toContainText('Sora asked for a person.');
  await expect(page.getByRole('navigation', { name: 'Main menu' }).getByRole('link', { name: /^Inbox/ })).toContainText(
    '1 conversation needs attention',
  );
  await expect(page).toHaveTitle(/^\(1\) Inbox/);

  // The first letter makes the bot silent.
  const visitorsPage = await sora.connect();
  await page.keyboard.press('r');
  await page.keyboard.type('/');
  await expect(page.getByText('No canned replies yet')).toBeVisible();
  await page.keyboard.press('Backspace');
  await expect(log(page, 'Sora')).not.toContainText('hanako took over');
  await page.keyboard.type('H');
  await expect(log(page, 'Sora')).toContainText('hanako took over');
  await expect(page.getByText('Unsent: back to waiting in about 5 min')).toBeVisible();
  await page.keyboard.press('Backspace');
  await expect(log(page, 'Sora')).toContainText('hanako undid taking over', { timeout: 15_000 });
  await expect(page).toHaveTitle(/^\(1\) Inbox/);
  await page.keyboard.type('Hello Sora');
  await expect(log(page, 'Sora').getByText('hanako took over')).toHaveCount(2);
  await expect(page).toHaveTitle(/^Inbox/);
  visitorsPage.emit(writeAsVisitor.name, { isTyping: true }, () => {});
  await expect(page.getByText('Sora is writing…')).toBeVisible();
  await page.keyboard.press('Enter');
  await expect.poll(sora.said).toContain('Hello Sora');
  const mine = log(page, 'Sora').locator('[data-side=staff]').last();
  await expect(mine).toContainText('Hello Sora');
  visitorsPage.emit(seeAsVisitor.name, { seq: await sora.lastSeq() }, () => {});
  await expect(mine).toContainText('Delivered');
  visitorsPage.disconnect();
  await sora.ask('Thank you, and on Sundays?');
  await expect(log(page, 'Sora').locator('[data-side=visitor]').last()).toContainText('on Sundays?');
  expect((await sora.said()).at(-1)).toBe('Thank you, and on Sundays?');

  // A note is for the team alone.
  await page.keyboard.press('Escape');
  await page.keyboard.press('n');
  await page.keyboard.type('@ha');
  await page.getByRole('option', { name: '@hanako' }).click();
  await page.keyboard.type('asks often');
  await page.keyboard.press('Enter');
  await expect(log(page, 'Sora').getByRole('group', { name: 'Note by hanako' })).toContainText('@hanako asks often');
  expect((await sora.said()).join()).not.toContain('asks often');

  // With the keys of a mail client; what was done can be taken back.
  await page.keyboard.press('Escape');
  await page.keyboard.press('e');
  await expect(page.getByRole('button', { name: 'Reopen' })).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByRole('button', { name: 'Resolve' })).toBeVisible();
  await page.keyboard.press('b');
  await expect(log(page, 'Sora')).toContainText('hanako returned this to the bot');
  await sora.ask('When do you close?');
  await expect(log(page, 'Sora').locator('[data-side=bot]').last()).toContainText('closes at six');
  await expectNoOverflow(page);
});

test('who writes while the page is still connecting stands in the list when it is', async ({ page, kotae }) => {
  const shop = await aShop(page, kotae.url);
  const sora = await aVisitor(kotae.url, shop, 'Sora');
  let letIn = () => {};
  const mayConnect = new Promise<void>((done) => (letIn = done));
  await page.route(/[/]socket[.]io[/]/, (route) => route.abort());
  await page.routeWebSocket(/[/]socket[.]io[/]/, async (socket) => {
    await mayConnect;
    socket.connectToServer();
  });
  await page.goto(`${kotae.url}/Friend`);
  await expect(page.getByText('No conversations yet')).toBeVisible();
  await sora.ask('When do you open?');
  letIn();
  await expect(row(page, 'Sora')).toBeVisible();
});

test('canned replies, pictures and what failed on its way', async ({ page, kotae }) => {
  const { url } = kotae;
  const shop = await aShop(page, url);
  await callApi(url, inbox.createCanned, {
    jwt: shop.jwt,
    body: { shortcut: 'sorry', title: 'We are sorry', text: 'Dear {{name}}, we are sorry. {{staff}}' },
  });
  const mika = await aVisitor(url, shop, 'Mika');
  await mika.askForPerson();
  await mika.ask('The box arrived open.');
  await page.goto(`${url}/Friend?view=waiting`);
  await row(page, 'Mika').click();
  const field = page.getByRole('textbox', { name: 'Reply to Mika' });
  await field.click();
  const name = page.getByRole('textbox', { name: 'Your name for customers' });
  await name.fill('Hana');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(name).toBeHidden();
  await field.fill('/so');
  await expect(page.getByRole('listbox', { name: 'Canned replies' })).toBeVisible();
  await expectAccessible(page);
  await field.press('Enter');
  await expect(field).toHaveValue('Dear Mika, we are sorry. Hana');

  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'picture.png', mimeType: 'image/png', buffer: await page.screenshot() });
  await expect(page.getByRole('list', { name: 'Attached files' })).toContainText('picture.png');
  await expect(page.getByText('Uploading')).toBeHidden();
  // What could not leave stays where it was said, and goes when it is sent again: once.
  await page.route('**/reply', (route) => route.abort());
  await field.press('Enter');
  await expect(log(page, 'Mika').getByText('Not sent.')).toBeVisible();
  await page.unroute('**/reply');
  await log(page, 'Mika').getByRole('button', { name: 'Try again' }).click();
  await expect(log(page, 'Mika').getByRole('button', { name: 'Enlarge picture.png' })).toBeEnabled();
  expect((await mika.said()).filter((text) => text.startsWith('Dear Mika'))).toHaveLength(1);

  await page.getByRole('button', { name: 'Canned replies' }).click();
  const dialog = page.getByRole('dialog', { name: 'Canned replies' });
  await dialog.getByRole('button', { name: 'Add a reply' }).click();
  await dialog.getByLabel('Shortcut').fill('not a shortcut');
  await dialog.getByLabel('Title').fill('Hours');
  await dialog.getByLabel('Reply').fill('We open at nine.');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByLabel('Shortcut')).toHaveAttribute('aria-invalid', 'true');
  await dialog.getByLabel('Shortcut').fill('/hours');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByText('/hours')).toBeVisible();
  await expectAccessible(page);
});

test('whoever is elsewhere hears of a visitor, and a press leads to them', async ({ page, kotae }) => {
  const { url } = kotae;
  const shop = await aShop(page, url);
  await page.goto(`${url}/Bot`);
  const ken = await aVisitor(url, shop, 'Ken');
  // The connection is there when the count in the menu comes by itself.
  await ken.askForPerson();
  await expect(page).toHaveTitle(/^\(1\)/);
  await ken.ask('Is anybody there?');
  await page.getByText('Is anybody there?').click();
  await expect(page).toHaveURL(/\/Friend\?thread=/);
  await expect(log(page, 'Ken')).toContainText('Is anybody there?');
  // Not of what one looks at.
  await ken.ask('Hello?');
  await expect(log(page, 'Ken')).toContainText('Hello?');
  await expect(page.getByRole('alert')).toHaveCount(0);

  await page.goto(`${url}/Bot`);
  await page.evaluate(() => localStorage.setItem('chatToast', 'false'));
  const aoi = await aVisitor(url, shop, 'Aoi');
  await aoi.askForPerson();
  await aoi.ask('And here?');
  await expect(page).toHaveTitle(/^\(2\)/);
  await expect(page.getByText('And here?')).toHaveCount(0);
});

test('no toast says what the list shows, and none stays for what is open', async ({ page, kotae }) => {
  const { url } = kotae;
  const shop = await aShop(page, url);
  const [ken, aoi] = [await aVisitor(url, shop, 'Ken'), await aVisitor(url, shop, 'Aoi')];
  await ken.askForPerson();
  await aoi.askForPerson();
  await page.goto(`${url}/Friend`);
  await expect(row(page, 'Aoi')).toBeVisible();
  await page.evaluate(`
    window.told = [];
    new MutationObserver(() => {
      for (const each of document.querySelectorAll('[role=alert]')) told.push(each.textContent);
    }).observe(document.body, { childList: true, subtree: true });
  `);
  await ken.ask('The list says this.');
  await expect(row(page, 'Ken')).toContainText('The list says this.');
  await page.getByRole('link', { name: 'Bots', exact: true }).click();
  await expect(page).toHaveURL(/\/Bot$/);
  await aoi.ask('And a toast this.');
  await expect(page.getByRole('alert')).toContainText('And a toast this.');
  expect(await page.evaluate("told.join().includes('The list says this.')")).toBe(false);
  await page.getByRole('link', { name: /^Inbox/ }).click();
  await row(page, 'Aoi').click();
  await expect(log(page, 'Aoi')).toContainText('And a toast this.');
  await expect(page.getByRole('alert')).toHaveCount(0, { timeout: 3_000 });
});

test('one finds, walks and reads back without losing one’s place', async ({ page, kotae }) => {
  const { url } = kotae;
  const shop = await aShop(page, url);
  for (const [name, text] of [
    ['Ken', 'The piano arrived.'],
    ['Aoi', 'Is parking free?'],
    ['Sora', 'Hello'],
  ] as const) {
    const visitor = await aVisitor(url, shop, name);
    await visitor.askForPerson();
    await visitor.ask(text);
  }
  const { data } = await callApi(url, inbox.threads, { jwt: shop.jwt });
  const sora = data.find(({ guest }) => guest.name === 'Sora')?.uuid ?? '';
  for (let at = 1; at <= 120; at++)
    await callApi(url, inbox.note, {
      jwt: shop.jwt,
      params: { thread: sora },
      body: { key: randomUUID(), text: `Note ${at}.` },
    });

  await page.goto(`${url}/Friend`);
  await expect(row(page, 'Ken')).toBeVisible();
  await page.keyboard.press('/');
  await page.keyboard.type('piano');
  await expect(page).toHaveURL(/q=piano/);
  await expect(row(page, 'Aoi')).toBeHidden();
  await expect(row(page, 'Ken')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(row(page, 'Aoi')).toBeVisible();

  await page.keyboard.press('j');
  await expect(row(page, 'Sora')).toBeFocused();
  await page.keyboard.press('j');
  await expect(row(page, 'Aoi')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(log(page, 'Aoi')).toContainText('Is parking free?');
  await page.keyboard.press('k');
  await page.keyboard.press('Enter');
  await expect(log(page, 'Sora')).toContainText('Note 120.');
  await expect(log(page, 'Sora').getByText('Note 120.')).toBeInViewport();

  // What is read stays where it is while older notes come in above it.
  const noted = log(page, 'Sora').getByText('Note 75.');
  await noted.scrollIntoViewIfNeeded();
  await page.mouse.move(700, 400);
  await page.mouse.wheel(0, -400);
  await expect(log(page, 'Sora').getByText('Note 40.')).toBeAttached();
  const seen = log(page, 'Sora').getByText('Note 72.');
  const before = (await seen.boundingBox())?.y ?? 0;
  const visitor = await aVisitor(url, shop, 'Mika');
  await visitor.askForPerson();
  await callApi(url, inbox.note, {
    jwt: shop.jwt,
    params: { thread: sora },
    body: { key: randomUUID(), text: 'The last.' },
  });
  await expect(log(page, 'Sora').getByText('The last.')).toBeAttached();
  expect(Math.abs(((await seen.boundingBox())?.y ?? 0) - before)).toBeLessThan(2);
  await page.getByRole('button', { name: 'Jump to latest' }).click();
  await expect(log(page, 'Sora').getByText('The last.')).toBeInViewport();
  await page.goBack();
  await expect(log(page, 'Aoi')).toContainText('Is parking free?');
});

test('what a person is called and known by is changed where it stands', async ({ page, kotae }) => {
  const { url } = kotae;
  const shop = await aShop(page, url);
  for (const name of ['Sora', 'Sora from work']) {
    const visitor = await aVisitor(url, shop, name);
    await visitor.ask(`I am ${name}`);
  }
  await page.goto(`${url}/Friend`);
  await row(page, 'Sora from work').click();
  const person = page.getByRole('complementary', { name: 'Person' });
  await person.getByRole('textbox', { name: 'Email' }).fill('sora@example.com');
  await page.keyboard.press('Enter');
  await person.getByRole('button', { name: 'Tag', exact: true }).click();
  await page.keyboard.type('regular');
  await page.keyboard.press('Enter');
  await expect(person.getByRole('button', { name: 'Remove the tag “regular”' })).toBeVisible();
  await person.getByRole('textbox', { name: 'Name' }).fill('Sora K.');
  await page.keyboard.press('Enter');
  await expect(row(page, 'Sora K.')).toBeVisible();
  await page.reload();
  await expect(person.getByRole('textbox', { name: 'Email' })).toHaveValue('sora@example.com');

  const actions = person.getByRole('button', { name: 'What can be done with Sora K.' });
  await actions.click();
  await page.getByRole('menuitem', { name: 'Merge with another person…' }).click();
  await page.getByRole('dialog').getByRole('searchbox').fill('Sora');
  await page.getByRole('dialog').getByRole('button', { name: /^Sora/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Merge', exact: true }).click();
  await expect(person.getByRole('button', { name: 'Split off' })).toHaveCount(2);
  await expect(person).toContainText('Other conversations');
  await expectAccessible(page);

  await actions.click();
  await page.getByRole('menuitem', { name: 'Erase…' }).click();
  await expect(page.getByRole('dialog')).toContainText('2 conversations, their files and notes are erased for good');
  await page.getByRole('dialog').getByRole('button', { name: 'Erase', exact: true }).click();
  await expect(page.getByText('No conversations yet')).toBeVisible();
});

test('two members see each other, and what was said while the server was away', async ({ page, browser, kotae }) => {
  const { url } = kotae;
  const jwt = await arrive(page, url);
  const workspace = (await callApi(url, workspaces.create, { jwt, body: { name: 'Coffee' } })).data.uuid;
  const shop = await furnish(url, { jwt, workspace });
  const sora = await aVisitor(url, shop, 'Sora');
  await sora.ask('When do you open?');
  await sora.askForPerson();
  const taro = await (await browser.newContext()).newPage();
  const signedIn = await taro.request.post(`${url}${accounts.register.path}`, {
    data: { username: 'taro', email: 'taro@example.com', password: 'correct horse battery', locale: 'en' },
  });
  const invitation = (await callApi(url, workspaces.invite, { jwt, workspace, body: { role: 'staff' } })).data.url;
  const code = new URL(invitation).searchParams.get('code') ?? '';
  await callApi(url, workspaces.acceptInvitation, { jwt: (await signedIn.json()).jwt, body: { code } });
  for (const each of [page, taro]) {
    await each.addInitScript(`localStorage.setItem('workspace', '${workspace}')`);
    await each.goto(`${url}/Friend`);
    await row(each, 'Sora').click();
    await expect(log(each, 'Sora')).toContainText('Sora asked for a person.');
  }
  await expect(page.getByText('Also here: taro')).toBeVisible();
  await taro.getByRole('textbox', { name: 'Reply to Sora' }).pressSequentially('I am ');
  await expect(page.getByText('taro is writing…')).toBeVisible();
  await expect(page.getByText('taro has this conversation')).toBeVisible();
  await page.getByRole('textbox', { name: 'Reply to Sora' }).fill('Me too');
  await page.keyboard.press('Enter');
  await page
    .getByRole('dialog', { name: 'taro has this conversation' })
    .getByRole('button', { name: 'Cancel' })
    .click();
  expect(await sora.said()).not.toContain('Me too');
  // Who may answer may not do what editors do.
  await taro.getByRole('button', { name: 'What can be done with Sora' }).click();
  await expect(taro.getByRole('menuitem', { name: 'Block' })).toBeVisible();
  await expect(taro.getByRole('menuitem', { name: 'Erase…' })).toHaveCount(0);
  await taro.context().close();
  await expect(page.getByText('Also here: taro')).toBeHidden();

  await kotae.killAndStart();
  // The page comes back a second later, and has missed this.
  await sora.ask('Are you still there?');
  await expect(log(page, 'Sora')).toContainText('Are you still there?');
  await expect(row(page, 'Sora')).toContainText('Are you still there?');
  await sora.ask('Hello?');
  await expect(log(page, 'Sora')).toContainText('Hello?');
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 360, height: 740 }, colorScheme: 'dark', hasTouch: true, isMobile: true });

  test('list, conversation and person are pages, and the arrow leads back', async ({ page, kotae }) => {
    const { url } = kotae;
    const shop = await aShop(page, url);
    const sora = await aVisitor(url, shop, 'Sora');
    await sora.ask('When do you open?');
    await page.goto(`${url}/Friend`);
    await expectAccessible(page);
    await row(page, 'Sora').click();
    await expect(log(page, 'Sora')).toContainText('opens at nine');
    await expect(page.getByRole('navigation', { name: 'Menu', exact: true })).toBeHidden();
    await expectNoOverflow(page);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Sora', exact: true }).click();
    await expect(page.getByRole('complementary', { name: 'Person' })).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Back to the conversation' }).click();
    await expect(log(page, 'Sora')).toBeVisible();
    await page.getByRole('button', { name: 'Back to the list' }).click();
    await expect(row(page, 'Sora')).toBeVisible();
    await expect(page).toHaveURL(`${url}/Friend`);
  });
});
