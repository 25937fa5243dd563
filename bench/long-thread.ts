/** Times how soon the end of a thread of 10,000 messages is in sight: in a browser that has never been here, and by a click in the list of threads. */
import { accessSync, constants, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { chromium, type Browser, type Page } from '@playwright/test';
import { accounts } from '../shared/contracts/accounts.ts';
import { bots } from '../shared/contracts/bots.ts';
import { conversations } from '../shared/contracts/conversations.ts';
import type { BodyIn, ReplyOf, Route } from '../shared/route.ts';
import { newRow } from '../server/features/conversations/messages.ts';
import { everySetting } from '../server/features.ts';
import { newId, openDatabase } from '../server/infra/db.ts';
import { freePort, startServing } from './lib/processes.ts';

const bars = { coldMs: 1_000, warmMs: 1_000 };
const rounds = 5;
const messages = 10_000;
const password = 'correct horse battery';

const executablePath = findChromium();
if (!executablePath) {
  console.log('Long thread: skipped, since no Chromium was found; CHROMIUM_PATH may name one.');
  process.exit(0);
}
process.chdir(join(import.meta.dirname, '..'));
const folder = mkdtempSync(join(tmpdir(), 'kotae-long-thread-'));
const port = await freePort();
const url = `http://127.0.0.1:${port}`;
const unset = Object.fromEntries(Object.keys(everySetting).map((name) => [name, '']));
const missed: string[] = [];
const server = await startServing([process.execPath, 'server/main.ts'], {
  port,
  env: {
    ...unset,
    PORT: String(port),
    DATA_DIR: folder,
    RATE_LIMITS: 'false',
    MIN_FREE_DISK_MB: '0',
    LOG_LEVEL: 'warn',
  },
});
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
try {
  const registered = await call(accounts.register, accounts.register.path, '', {
    username: 'ann',
    email: 'ann@example.com',
    password,
    locale: 'en',
  });
  const jwt = 'jwt' in registered ? registered.jwt : '';
  const bot = (await call(bots.create, bots.create.path, jwt, { name: 'Guide' })).data.uuid;
  const { thread } = (
    await call(conversations.send, conversations.send.path, jwt, { bot, message: { text: 'How do I begin?' } })
  ).data;
  await lengthen(thread.uuid);
  const storageState = await signIn(browser);
  const chat = `${url}/Bot/${bot}/Chat`;

  const cold: Seen[] = [];
  const warm: Seen[] = [];
  for (let round = 0; round < rounds; round++) {
    const context = await browser.newContext({ storageState, viewport: { width: 1440, height: 900 } });
    const page = await context.newPage();
    await page.goto(`${chat}?thread=${thread.uuid}`, { waitUntil: 'commit' });
    cold.push(await untilSeen(page, 0));
    await context.close();
    const again = await browser.newContext({ storageState, viewport: { width: 1440, height: 900 } });
    const list = await again.newPage();
    await list.goto(chat);
    const entry = list.getByRole('navigation').getByText('How do I begin?');
    await entry.waitFor();
    await list.waitForLoadState('networkidle');
    await list.evaluate(
      'document.addEventListener("click", () => (window.clickedAt = performance.now()), { capture: true, once: true })',
    );
    await entry.click();
    warm.push(await untilSeen(list, Number(await list.evaluate('window.clickedAt'))));
    await again.close();
  }
  tell('cold', middle(cold), bars.coldMs);
  tell('by a click', middle(warm), bars.warmMs);
} finally {
  await browser.close();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}
if (missed.length > 0) {
  console.error(`Missed: ${missed.join('; ')}`);
  process.exit(1);
}

interface Seen {
  ms: number;
  /** What the page asked for meanwhile: when, and when it was there. */
  steps: { name: string; from: number; to: number }[];
}

/** The page's own clock, from its navigation or from `since`, to the frame after the last answer's text came into sight. */
async function untilSeen(page: Page, since: number): Promise<Seen> {
  // As a text: the page's policy forbids what `waitForFunction` does, and this side knows no DOM.
  const at = Number(
    await page.evaluate(`new Promise((done) => {
      const look = () => {
        const last = document.querySelector('[role=log] [data-last]');
        const box = last?.textContent.includes('Answer ${messages}') && last.getBoundingClientRect();
        if (box && box.top < innerHeight && box.bottom > 0) done(performance.now());
        else requestAnimationFrame(look);
      };
      look();
    })`),
  );
  const steps: Seen['steps'] = await page.evaluate(`(() => {
    const asked = performance.getEntriesByType('resource').filter(({ startTime }) => startTime >= ${since} && startTime < ${at});
    const step = (name, entries) => entries.length ? [{ name: name + ' (' + entries.length + ')', from: Math.min(...entries.map((each) => each.startTime)), to: Math.max(...entries.map((each) => each.responseEnd)) }] : [];
    const isCode = ({ name }) => /\\.(js|css)$/.test(new URL(name).pathname);
    const navigation = performance.getEntriesByType('navigation').filter(() => ${since} === 0);
    return [...step('page', navigation), ...step('code', asked.filter(isCode)), ...asked.filter(({ name }) => name.includes('/api/')).flatMap((each) => step(new URL(each.name).pathname.replace(/[0-9a-f-]{36}/g, ':id'), [each]))];
  })()`);
  return {
    ms: at - since,
    steps: steps
      .map(({ name, from, to }) => ({ name, from: from - since, to: to - since }))
      .toSorted((a, b) => a.from - b.from),
  };
}

function middle(all: Seen[]): Seen {
  const found = all.toSorted((a, b) => a.ms - b.ms)[all.length >> 1];
  if (!found) throw new Error('nothing was measured');
  return found;
}

function tell(way: string, { ms, steps }: Seen, bar: number): void {
  console.log(`The end of ${messages} messages, ${way}: ${ms.toFixed(0)} ms (median of ${rounds}; at most ${bar})`);
  for (const { name, from, to } of steps)
    console.log(`  ${from.toFixed(0).padStart(5)} to ${to.toFixed(0).padStart(5)} ms  ${name}`);
  if (ms > bar) missed.push(`${way} it takes ${ms.toFixed(0)} ms`);
}

/** One question after another on one branch, each with an answer as models give them. */
async function lengthen(uuid: string): Promise<void> {
  const { db, close } = openDatabase({ DATA_DIR: folder });
  const { head, last_seq } = await db
    .selectFrom('thread')
    .select(['head', 'last_seq'])
    .where('uuid', '=', uuid)
    .executeTakeFirstOrThrow();
  let parent = head;
  const rows = Array.from({ length: messages - last_seq }, (_, at) => {
    const seq = last_seq + at + 1;
    const isQuestion = at % 2 === 0;
    const row = newRow({
      uuid: newId(),
      thread: uuid,
      seq,
      role: isQuestion ? 'user' : 'assistant',
      parent,
      text: isQuestion
        ? `Question ${seq}: what about order ${seq}, and how long does it take?`
        : `**Answer ${seq}.** It takes two working days.\n\n- Delivery costs 480 yen.\n- Orders from 5,000 yen are free.\n\n| Step | Days |\n|---|---|\n| Packing | 1 |\n| Delivery | 1 |\n\nPlease ask when anything is missing.`,
      files: [],
      status: 'done',
      now: Date.now(),
    });
    parent = row.uuid;
    return isQuestion ? row : { ...row, finish: 'stop' as const, tokens_in: 900, tokens_out: 80 };
  });
  await db.transaction().execute(async (trx) => {
    for (let at = 0; at < rows.length; at += 200)
      await trx
        .insertInto('message')
        .values(rows.slice(at, at + 200))
        .execute();
    await trx.updateTable('thread').set({ head: parent, last_seq: messages }).where('uuid', '=', uuid).execute();
  });
  await close();
}

async function signIn(browser: Browser) {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${url}/Login`);
  await page.locator('input[name=username]').fill('ann@example.com');
  await page.locator('input[name=password]').fill(password);
  await page.locator('button[type=submit]').click();
  await page.waitForURL(`${url}/`);
  const state = await context.storageState();
  await context.close();
  return state;
}

async function call<T extends Route>({ method }: T, path: string, jwt: string, body: BodyIn<T>): Promise<ReplyOf<T>> {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...(jwt && { authorization: `Bearer ${jwt}` }) },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return JSON.parse(text);
}

function findChromium(): string | undefined {
  const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
  const known = [
    process.env.CHROMIUM_PATH,
    ...(process.env.PATH ?? '').split(delimiter).flatMap((each) => names.map((name) => join(each, name))),
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  ];
  return known.find((path) => {
    try {
      accessSync(path || '.', constants.X_OK);
      return Boolean(path);
    } catch {
      return false;
    }
  });
}
