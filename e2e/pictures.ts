/** Takes the pictures of `docs/images` from a server with a small shop's data: `npm run pictures`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type Page } from '@playwright/test';
import SQLite from 'better-sqlite3';
import playwright from '../playwright.config.ts';
import { botGroups, bots } from '../shared/contracts/bots.ts';
import { conversations } from '../shared/contracts/conversations.ts';
import { documents, knowledge } from '../shared/contracts/knowledge.ts';
import { arrive, callApi } from './api.ts';
import { fixture, openKotae, type Kotae } from './server.ts';

const folder = join(import.meta.dirname, '../docs/images');
const dayMs = 86_400_000;
/** How many questions came on each of the last fourteen days, today last. */
const askedPerDay = [3, 5, 4, 7, 6, 2, 1, 6, 8, 5, 9, 7, 4, 3];

const scenes = {
  en: {
    base: 'Shop guide',
    second: 'Staff handbook',
    bots: ['Komorebi assistant', 'Wholesale desk', 'Staff helper', 'Night desk'],
    group: 'Shop',
    guide: 'guide-en.pdf',
    answers: 'bench/answers/en/handbook.md',
    questions: [
      'How much is delivery?',
      'When is the shop open?',
      'Is there a car park?',
      'Can opened bags be returned?',
    ],
  },
  ja: {
    base: '店舗案内',
    second: '社内規程',
    bots: ['こもれびアシスタント', '卸売デスク', '社内ヘルプ', '夜間受付'],
    group: '店舗',
    guide: 'guide-ja.pdf',
    answers: 'bench/answers/ja/handbook.md',
    questions: [
      '送料はいくらですか？',
      '営業時間を教えてください',
      '駐車場はありますか？',
      '開封した豆は返品できますか？',
    ],
  },
} as const;

/** A shop with documents, bots and two weeks of questions; what the pictures are taken of. */
async function furnish(page: Page, kotae: Kotae, locale: keyof typeof scenes) {
  const { url } = kotae;
  const scene = scenes[locale];
  const jwt = await arrive(page, url, locale);
  const aBase = async (name: string) => (await callApi(url, knowledge.create, { jwt, body: { name } })).data.uuid;
  const send = async (base: string, name: string, bytes: Buffer) => {
    const form = new FormData();
    form.append('file', new Blob([new Uint8Array(bytes)]), name);
    const response = await fetch(`${url}/api/user/knowledge/${base}/document`, {
      method: 'POST',
      headers: { authorization: `Bearer ${jwt}` },
      body: form,
    });
    if (!response.ok) throw new Error(`${name}: ${response.status}`);
  };
  const isRead = async (base: string) => {
    while ((await callApi(url, knowledge.get, { jwt, params: { uuid: base } })).data.busyCount > 0)
      await new Promise((resolve) => setTimeout(resolve, 100));
  };
  const base = await aBase(scene.base);
  const second = await aBase(scene.second);
  await send(base, scene.guide, readFileSync(fixture(scene.guide)));
  await send(base, 'prices.csv', readFileSync(fixture('prices.csv')));
  await send(second, 'handbook.md', readFileSync(scene.answers));
  await Promise.all([isRead(base), isRead(second)]);
  const botgroup = (await callApi(url, botGroups.create, { jwt, body: { name: scene.group, color: 'green' } })).data
    .uuid;
  const made: string[] = [];
  for (const [at, name] of scene.bots.entries()) {
    const knowledges = at === 2 ? [second] : [base];
    const { uuid } = (await callApi(url, bots.create, { jwt, body: { name, knowledges, ...(at < 2 && { botgroup }) } }))
      .data;
    made.push(uuid);
    if (at !== 1) await callApi(url, bots.publish, { jwt, params: { uuid }, body: { note: '' } });
  }
  const [bot = '', , helper = ''] = made;
  const threads: { thread: string; day: number }[] = [];
  for (const [at, count] of askedPerDay.entries())
    for (let asked = 0; asked < count; asked++) {
      const text = scene.questions[(at + asked) % scene.questions.length] ?? '';
      const body = { bot: asked % 3 === 2 ? helper : bot, message: { text } };
      const { thread } = (await callApi(url, conversations.send, { jwt, body })).data;
      threads.push({ thread: thread.uuid, day: askedPerDay.length - 1 - at });
    }
  spread(kotae, threads);
  const [document] = (await callApi(url, documents.list, { jwt, params: { knowledge: base } })).data.filter(
    ({ name }) => name.endsWith('.pdf'),
  );
  return { base, bot, document: document?.uuid ?? '', question: scene.questions[0] };
}

/** Questions of two weeks cannot be asked in a minute, so most are moved to the days before. */
function spread({ folder: data }: Kotae, threads: { thread: string; day: number }[]): void {
  const db = new SQLite(join(data, 'kotae.db'), { timeout: 5000 });
  for (const { thread, day } of threads) {
    const by = day * dayMs;
    db.prepare('update token_entry set created_at = created_at - ? where thread = ?').run(by, thread);
    db.prepare('update message set created_at = created_at - ? where thread = ?').run(by, thread);
    db.prepare('update thread set created_at = created_at - ?, updated_at = updated_at - ? where uuid = ?').run(
      by,
      by,
      thread,
    );
  }
  db.close();
}

const browser = await chromium.launch(playwright.use?.launchOptions);
for (const locale of ['en', 'ja'] as const) {
  const kotae = await openKotae();
  const isPhone = locale === 'ja';
  const context = await browser.newContext({
    locale: locale === 'ja' ? 'ja-JP' : 'en-US',
    viewport: isPhone ? { width: 390, height: 844 } : { width: 1440, height: 900 },
    deviceScaleFactor: isPhone ? 2 : 1,
    isMobile: isPhone,
    hasTouch: isPhone,
  });
  const page = await context.newPage();
  const { base, bot, document, question } = await furnish(page, kotae, locale);
  const take = async (name: string) => {
    await page.waitForLoadState('networkidle');
    await page.waitForTimeout(800);
    await page.screenshot({ path: join(folder, `${name}.png`), animations: 'disabled' });
  };
  const ask = async () => {
    await page.goto(`${kotae.url}/Bot/${bot}/Chat`);
    await page.getByRole('textbox').last().fill(question);
    await page.keyboard.press('Enter');
    await page.getByRole('blockquote').first().waitFor();
  };
  if (isPhone) {
    await ask();
    await take('chat-phone');
  } else {
    for (const [name, path] of [
      ['home', '/'],
      ['bots', '/Bot'],
      ['editor', `/Bot/${bot}`],
      ['knowledge', `/Knowledge/${base}/documents`],
      ['document', `/Knowledge/${base}/documents/${document}?page=2`],
      ['usage', '/Token?tab=usage'],
    ] as const) {
      await page.goto(`${kotae.url}${path}`);
      await take(name);
    }
    await ask();
    await page.getByRole('group', { name: 'Sources' }).getByRole('button').first().click();
    await take('chat');
  }
  await context.close();
  await kotae.close();
}
await browser.close();
