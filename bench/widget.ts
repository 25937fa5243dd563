/** How soon a visitor can type: from the click on the launcher until the field in the frame has the focus, on a page of another origin. The web has to be built. */
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { accounts } from '../shared/contracts/accounts.ts';
import { webChannels } from '../shared/contracts/web-channels.ts';
import type { BodyIn, ReplyOf, Route } from '../shared/route.ts';
import { everySetting } from '../server/features.ts';
import { freePort, startServing } from './lib/processes.ts';

const rounds = 15;
const bars = { cold: 300, warm: 300 };
const missed: string[] = [];
process.chdir(join(import.meta.dirname, '..'));

const folder = mkdtempSync(join(tmpdir(), 'kotae-widget-'));
const port = await freePort();
const env = {
  ...Object.fromEntries(Object.keys(everySetting).map((name) => [name, ''])),
  PORT: String(port),
  DATA_DIR: folder,
  RATE_LIMITS: 'false',
  MIN_FREE_DISK_MB: '0',
};
const server = await startServing([process.execPath, 'server/main.ts'], { port, env });
const site = createServer((_, reply) => void reply.writeHead(200, { 'content-type': 'text/html' }).end(page));
await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
const address = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`; // it listens on a port
const executablePath = process.env['CHROMIUM_PATH'];
const browser = await chromium.launch({
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
  ...(executablePath && { executablePath }),
});
let page = '';
try {
  const registered = await call(accounts.register, '', {
    username: 'ann',
    email: 'ann@example.com',
    password: 'correct horse battery',
    locale: 'en',
  });
  const jwt = 'jwt' in registered ? registered.jwt : '';
  const { data } = await call(webChannels.create, jwt, { name: 'Shop', bot: null, domains: ['127.0.0.1'] });
  page = `<!doctype html><title>Shop</title><h1>Beans</h1><script async src="http://localhost:${port}/embed.js" data-channel="${data.uuid}"></script>`;
  const cold: number[] = [];
  const warm: number[] = [];
  for (let round = 0; round < rounds; round++) {
    // Nothing is cached, nobody is known.
    const context = await browser.newContext();
    cold.push(await open(context));
    warm.push(await open(context));
    await context.close();
  }
  tell('first time', cold, bars.cold);
  tell('on the next page', warm, bars.warm);
} finally {
  await browser.close();
  site.close();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}
if (missed.length > 0) {
  console.error(`Missed: ${missed.join('; ')}`);
  process.exit(1);
}
process.exit(0);

async function open(context: Awaited<ReturnType<typeof browser.newContext>>): Promise<number> {
  const tab = await context.newPage();
  await tab.goto(address);
  const launcher = tab.getByRole('button').first();
  await launcher.waitFor();
  // Both ends are read in the browser, so that what drives it is not measured.
  await tab.evaluate(
    `addEventListener('click', () => (window.clicked = performance.timeOrigin + performance.now()), { capture: true, once: true })`,
  );
  await launcher.click();
  const frame = await (await tab.waitForSelector('iframe')).contentFrame();
  if (!frame) throw new Error('there is no frame');
  const ready = await frame.evaluate<number>(
    `new Promise((done) => {
      const look = () => document.activeElement?.matches('textarea') ? done(performance.timeOrigin + performance.now()) : requestAnimationFrame(look);
      look();
    })`,
  );
  const clicked = await tab.evaluate<number>('window.clicked');
  await tab.close();
  return ready - clicked;
}

function tell(what: string, times: number[], bar: number): void {
  const sorted = times.toSorted((a, b) => a - b);
  const middle = sorted[Math.floor(sorted.length / 2)] ?? Infinity;
  console.log(
    `from the click until one can type, ${what}: ${middle.toFixed(0)} ms (at most ${bar}), slowest of ${rounds} ${sorted.at(-1)?.toFixed(0)} ms`,
  );
  if (middle > bar) missed.push(`${what} ${middle.toFixed(0)} ms`);
}

async function call<T extends Route>({ method, path }: T, jwt: string, body: BodyIn<T>): Promise<ReplyOf<T>> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...(jwt && { authorization: `Bearer ${jwt}` }) },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return JSON.parse(text);
}
