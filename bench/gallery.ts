/** How many frames a second the gallery draws while 10,000 pictures are scrolled through, beside the page at rest. The web has to be built. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import SQLite from 'better-sqlite3';
import { chromium } from '@playwright/test';
import { accounts } from '../shared/contracts/accounts.ts';
import { images, sampleService } from '../shared/contracts/images.ts';
import { everySetting } from '../server/features.ts';
import { newId } from '../server/infra/db.ts';
import { caller } from './lib/caller.ts';
import { freePort, startServing } from './lib/processes.ts';

const count = 10_000;
const scrollMs = 6_000;
/** Least share of the frames that the page has at rest, 60 a second. */
const bar = 0.97;

process.chdir(join(import.meta.dirname, '..'));
const unset = Object.fromEntries(Object.keys(everySetting).map((name) => [name, '']));
const folder = mkdtempSync(join(tmpdir(), 'kotae-gallery-'));
const port = await freePort();
const url = `http://127.0.0.1:${port}`;
const env = { ...unset, PORT: String(port), DATA_DIR: folder, RATE_LIMITS: 'false', MIN_FREE_DISK_MB: '0' };
const server = await startServing([process.execPath, 'server/main.ts'], { port, env });
const executablePath = process.env['CHROMIUM_PATH'];
const browser = await chromium.launch({
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
  ...(executablePath && { executablePath }),
});
let ratio = 0;
try {
  const call = caller(url);
  const registered = await call(accounts.register, {
    body: { username: 'ann', email: 'ann@example.com', password: 'correct horse battery', locale: 'en' },
  });
  const jwt = 'jwt' in registered ? registered.jwt : '';
  const [image] = (await call(images.create, { jwt, body: { prompt: 'Hills', service: sampleService } })).data;
  const uuid = image?.uuid ?? '';
  while ((await call(images.get, { jwt, params: { uuid } })).data.status !== 'done') await sleep(50);
  fill(uuid);
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  const data = { identifier: 'ann', password: 'correct horse battery' };
  await page.request.post(`${url}${accounts.signIn.path}`, { data });
  await page.goto(`${url}/Image-Generate`);
  await page.getByRole('list').locator('img').first().waitFor();
  // As text: a page has what a program of Node has not.
  const countFrames = () =>
    page.evaluate<number>(
      `new Promise((done) => {
        let drawn = 0;
        const begun = performance.now();
        const next = () => {
          drawn++;
          const took = performance.now() - begun;
          if (took < ${scrollMs}) requestAnimationFrame(next);
          else done((drawn / took) * 1000);
        };
        requestAnimationFrame(next);
      })`,
    );
  const resting = await countFrames();
  const frames = countFrames();
  await page.mouse.move(800, 600);
  for (const until = Date.now() + scrollMs; Date.now() < until; await sleep(16)) await page.mouse.wheel(0, 120);
  const scrolled = await frames;
  ratio = scrolled / resting;
  const shown = await page.getByRole('listitem').count();
  const screens = (await page.evaluate<number>('scrollY / innerHeight')).toFixed(0);
  console.log(
    `gallery of ${count} pictures: ${resting.toFixed(1)} frames/s at rest, ${scrolled.toFixed(1)} while ${screens} screens go by (≥ ${bar} of it), ${shown} on the page`,
  );
} finally {
  await browser.close();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}
process.exit(ratio < bar ? 1 : 0);

/** The same picture so many times, each a row of its own. */
function fill(uuid: string): void {
  const db = new SQLite(join(folder, 'kotae.db'), { timeout: 10_000 });
  const row = db.prepare('select * from image where uuid = ?').get(uuid) as Record<string, unknown>;
  const names = Object.keys(row);
  const insert = db.prepare(
    `insert into image (${names.map((name) => `"${name}"`).join(', ')}) values (${names.map(() => '?').join(', ')})`,
  );
  db.transaction(() => {
    for (let at = 1; at < count; at++) {
      const changed = { ...row, uuid: newId(), created_at: Number(row['created_at']) - at, batch: newId() };
      insert.run(...names.map((name) => changed[name as keyof typeof changed]));
    }
  })();
  db.close();
}
