/** Takes the pictures of `docs/images` from a server with a small shop's data: `npm run pictures`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type Browser, type Page } from '@playwright/test';
import SQLite from 'better-sqlite3';
import playwright from '../playwright.config.ts';
import { botGroups, bots } from '../shared/contracts/bots.ts';
import { conversations } from '../shared/contracts/conversations.ts';
import { inbox } from '../shared/contracts/inbox.ts';
import { lineCampaigns } from '../shared/contracts/line-campaigns.ts';
import { lineChannels } from '../shared/contracts/line-channels.ts';
import { documents, knowledge } from '../shared/contracts/knowledge.ts';
import { startLine } from '../server/testing/line/start.ts';
import { arrive, callApi } from './api.ts';
import { fixture, openKotae, type Kotae } from './server.ts';
import { furnishShop, openSite } from './site.ts';
import { textsOf } from './texts.ts';

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

const guides = {
  en: {
    address: 'https://hinata-coffee.example/',
    site: 'Hinata Coffee',
    menu: 'Everyday',
    friends: ['Emma Carter', 'Liam Novak', 'Sofia Reyes'],
    broadcast: 'Spring beans',
    news: 'Hello {{name}}, the first beans of spring are here. Come and taste them on the terrace this weekend.',
    steps: 'Welcome',
    page: '<nav>Beans · Café · Gift cards</nav><h1>Roasted on Thursday.</h1><p>Three beans this week, from light to dark.<br>The terrace is open.</p>',
    asks: 'Can I bring my dog?',
    open: 'Hinata Coffee: open the chat',
    visitor: 'Emma Carter',
    needs: 'I left my umbrella at the table by the door. Do you have it?',
    reply: 'Yes, it is behind the counter. We keep it for you until Sunday.',
    unknown: 'Do you have oat milk?',
    answer: 'Yes. Every drink can be made with oat milk at no extra charge.',
  },
  ja: {
    address: 'https://hinata-coffee.example/',
    site: 'ひなた珈琲',
    menu: 'いつものメニュー',
    friends: ['佐藤 美咲', '田中 陽介', '高橋 さくら'],
    broadcast: '春の豆のお知らせ',
    news: 'こんにちは、{{name}}さん。春の豆が届きました。週末はテラスで試飲をご用意しております。',
    steps: '友だち追加後のごあいさつ',
    page: '<nav>コーヒー豆　カフェ　ギフトカード</nav><h1>木曜日に焙煎しています。</h1><p>今週の豆は、浅煎りから深煎りまで三種類。<br>テラス席も営業中です。</p>',
    asks: '犬を連れて行けますか？',
    open: 'チャットを開く',
    visitor: '佐藤 美咲',
    needs: '入口近くの席に傘を忘れました。そちらにありますか？',
    reply: 'はい、カウンターでお預かりしています。日曜日まで保管いたします。',
    unknown: 'オーツミルクはありますか？',
    answer: 'はい。すべてのドリンクを、追加料金なしでオーツミルクに変更できます。',
  },
} as const;

const look =
  'body{margin:0;font:17px/1.7 Georgia,"Noto Serif CJK JP",serif;background:#f6f1e7;color:#33261b}nav{padding:24px 72px;border-bottom:1px solid #d9cdb8;font-size:15px}h1{margin:96px 72px 12px;font-size:52px;font-weight:400}p{margin:0 72px}';

/** The pictures of the guide to a bot on a website: a visitor on a shop's page, and the team that answers. */
async function takeGuide(browser: Browser, locale: keyof typeof guides): Promise<void> {
  const words = guides[locale];
  const say = textsOf(locale);
  const kotae = await openKotae();
  const { url } = kotae;
  const context = await browser.newContext({
    locale: locale === 'ja' ? 'ja-JP' : 'en-US',
    viewport: { width: 1360, height: 850 },
  });
  const [staff, visitor] = [await context.newPage(), await context.newPage()];
  const take = async (page: Page, number: number) => {
    await page.bringToFront();
    await page.waitForTimeout(1200);
    await page.screenshot({ path: join(folder, `guide-website-${number}-${locale}.png`), animations: 'disabled' });
  };
  const jwt = await arrive(staff, url, locale);
  const { channel } = await furnishShop(url, jwt, { name: words.site, locale });
  await staff.goto(`${url}/Web-Channel`);
  await staff
    .getByRole('button', { name: say('web-channels:list.create') })
    .first()
    .click();
  await staff.getByLabel(say('web-channels:create.domain')).fill(words.address);
  await take(staff, 1);
  await staff.goto(`${url}/Web-Channel/${channel}`);
  await take(staff, 2);
  const script = `<script async src="${url}/embed.js" data-channel="${channel}"></script>`;
  const head = `<meta charset="utf-8"><title>${words.site}</title><style>${look}</style>`;
  const site = await openSite({
    '/': {
      html: `<!doctype html><html lang="${locale}"><head>${head}</head><body>${words.page}${script}</body></html>`,
    },
  });
  await visitor.goto(site.at('127.0.0.1'));
  await visitor.locator('body > div').getByRole('button').click();
  const chat = visitor.frameLocator('iframe');
  const write = async (text: string) => {
    await chat.getByRole('textbox').fill(text);
    await chat.getByRole('textbox').press('Enter');
  };
  await write(words.asks);
  await chat.getByRole('button', { name: /1/ }).first().waitFor();
  await take(visitor, 3);
  await write(words.unknown);
  await visitor.waitForTimeout(1000);
  const [thread] = (await callApi(url, inbox.threads, { jwt, query: {} })).data;
  if (!thread) throw new Error('no conversation');
  await callApi(url, inbox.updateGuest, { jwt, params: { uuid: thread.guest.uuid }, body: { name: words.visitor } });
  await chat.getByRole('button', { name: say('widget:talkToPerson') }).click();
  await write(words.needs);
  await visitor.waitForTimeout(500);
  const body = { key: crypto.randomUUID(), text: words.reply };
  await callApi(url, inbox.reply, { jwt, params: { thread: thread.uuid }, body });
  await staff.goto(`${url}/Friend?thread=${thread.uuid}`);
  await take(staff, 4);
  await staff.goto(`${url}/Unanswered`);
  await staff.getByText(words.unknown).first().click();
  await staff.getByLabel(say('unanswered:form.answer'), { exact: true }).fill(words.answer);
  await take(staff, 5);
  site.close();
  await context.close();
  await kotae.close();
}

/** The pictures of the guide to a bot on LINE: an account is connected, and stands there with half a month's messages. */
async function takeLineGuide(browser: Browser, locale: keyof typeof guides): Promise<void> {
  const words = guides[locale];
  const say = textsOf(locale);
  const line = await startLine({
    allowHttp: true,
    bot: { displayName: words.site, basicId: '@hinata-coffee', chatMode: 'bot' },
    quota: { type: 'limited', value: 200 },
  });
  const kotae = await openKotae({ LINE_API_URL: line.url, ALLOW_PRIVATE_HOSTS: new URL(line.url).host });
  const context = await browser.newContext({
    locale: locale === 'ja' ? 'ja-JP' : 'en-US',
    viewport: { width: 1360, height: 850 },
  });
  const page = await context.newPage();
  const take = async (number: number) => {
    await page.waitForTimeout(1200);
    await page.screenshot({ path: join(folder, `guide-line-${number}-${locale}.png`), animations: 'disabled' });
  };
  const jwt = await arrive(page, kotae.url, locale);
  await furnishShop(kotae.url, jwt, { name: words.site, locale });
  await page.goto(`${kotae.url}/Line-Channel`);
  await page.getByRole('button', { name: say('line-channels:list.connect') }).click();
  await page.getByRole('button', { name: say('line-channels:connect.next') }).waitFor();
  await take(1);
  await page.getByRole('button', { name: say('line-channels:connect.next') }).click();
  await page.getByLabel(say('line-channels:connect.paste.id'), { exact: true }).fill(line.channel.id);
  await page.getByLabel(say('line-channels:connect.paste.secret'), { exact: true }).fill(line.channel.secret);
  await page.getByRole('button', { name: say('line-channels:connect.paste.submit'), exact: true }).click();
  await page.getByText('@hinata-coffee').last().waitFor();
  await take(2);
  line.quota.used = 61;
  await page.getByRole('button', { name: say('line-channels:connect.done.open') }).click();
  await page.getByRole('button', { name: say('line-channels:overview.refresh') }).click();
  await take(3);
  await page.getByRole('tab', { name: say('line-channels:tabs.menus') }).click();
  await page.getByRole('button', { name: say('line-menus:list.new') }).click();
  await page.getByLabel(say('line-menus:create.name'), { exact: true }).fill(words.menu);
  await page.getByRole('button', { name: say('line-menus:create.go'), exact: true }).click();
  await page.getByRole('button', { name: say('line-menus:picture.themes.shop') }).click();
  await take(4);
  for (const name of words.friends) await line.user({ name, isFriend: false }).follow();
  const { data: channels } = await callApi(kotae.url, lineChannels.list, { jwt });
  const channel = channels[0]?.uuid ?? '';
  const body = { channel, name: words.broadcast };
  const { uuid } = (await callApi(kotae.url, lineCampaigns.createBroadcast, { jwt, body })).data;
  await callApi(kotae.url, lineCampaigns.changeBroadcast, {
    jwt,
    params: { uuid },
    body: { content: [{ type: 'text', text: words.news }], audience: { kind: 'all', without: [] } },
  });
  await page.goto(`${kotae.url}/Line-Channel/${channel}/Broadcast/${uuid}`);
  await take(5);
  await page.goto(`${kotae.url}/Line-Channel/${channel}?tab=steps`);
  await page.getByRole('button', { name: words.steps }).click();
  await page.getByRole('heading', { level: 1, name: words.steps }).waitFor();
  await take(6);
  await context.close();
  await kotae.close();
  await line.close();
}

const browser = await chromium.launch(playwright.use?.launchOptions);
for (const locale of ['en', 'ja'] as const) await takeGuide(browser, locale);
for (const locale of ['en', 'ja'] as const) await takeLineGuide(browser, locale);
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
