import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import AxeBuilder from '@axe-core/playwright';
import { test as base, expect, type Page } from '@playwright/test';

export interface Kotae {
  url: string;
  /** Where its data is. */
  folder: string;
  /** Ends the process as a power cut would, and starts it again on the same data and port. */
  killAndStart(): Promise<void>;
}

async function start(
  folder: string,
  port: string,
  settings: Record<string, string>,
): Promise<{ child: ChildProcess; url: string }> {
  const child = spawn(process.execPath, ['server/main.ts'], {
    env: {
      ...process.env,
      NODE_NO_WARNINGS: '1',
      // Each journey has a server of its own, and reading the code anew takes a quarter of its start.
      NODE_COMPILE_CACHE: 'node_modules/.cache/compiled',
      PORT: port,
      DATA_DIR: folder,
      RATE_LIMITS: 'false',
      MIN_FREE_DISK_MB: '0',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await new Promise<string>((done, fail) => {
    let said = '';
    child.stdout?.on('data', (text) => {
      said += text;
      const address = /Kotae is ready: (\S+)/.exec(said)?.[1];
      if (address) done(address);
    });
    child.on('exit', (code) => fail(new Error(`the server ended with ${code}`)));
  });
  return { child, url };
}

const ended = (child: ChildProcess) =>
  new Promise((done) =>
    child.exitCode === null && child.signalCode === null ? child.on('exit', done) : done(undefined),
  );

/** A server of its own on data of its own. */
export async function openKotae(
  settings: Record<string, string> = {},
): Promise<Kotae & { end(): Promise<void>; close(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'kotae-e2e-'));
  let running = await start(folder, '0', settings);
  const leave = async (signal: 'SIGTERM' | 'SIGKILL') => {
    running.child.kill(signal);
    await ended(running.child);
    await rm(folder, { recursive: true, force: true });
  };
  return {
    url: running.url,
    folder,
    async killAndStart() {
      running.child.kill('SIGKILL');
      await ended(running.child);
      running = await start(folder, new URL(running.url).port, settings);
    },
    end: () => leave('SIGTERM'),
    close: () => leave('SIGKILL'),
  };
}

/** What a page complains of: errors it throws or logs, and what its content security policy refused. */
export function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    // A browser logs every answer of 400 and more by itself; what the journey expects of those it looks at on the page.
    if (message.type() === 'error' && !/Failed to load resource|WebSocket connection/.test(message.text()))
      complaints.push(message.text());
  });
  return complaints;
}

/** A journey has a server of its own, and fails when the page logs an error or breaks the content security policy. */
export const test = base.extend<{ kotae: Kotae }>({
  kotae: async ({ page }, use) => {
    const kotae = await openKotae();
    const complaints = complaintsOf(page);
    await use(kotae);
    await page.close();
    await kotae.close();
    expect(complaints).toEqual([]);
  },
});

/** No violation of WCAG 2.2 A and AA that a machine can find. */
export async function expectAccessible(page: Page): Promise<void> {
  // What is half faded has no contrast: nothing fades from here on, and what has begun to comes to its end; what goes by scrolling has none.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.evaluate(
    'Promise.allSettled(document.getAnimations().flatMap((each) => each.timeline !== document.timeline || each.effect.getComputedTiming().iterations === Infinity ? [] : [each.finished]))',
  );
  // Our pages have no frames, so axe answers on the page itself; otherwise it opens another page each time.
  const { violations } = await new AxeBuilder({ page })
    .setLegacyMode()
    .options({ resultTypes: ['violations'] })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
    .analyze();
  const found = violations.flatMap(({ id, nodes }) => nodes.map((node) => ({ id, node })));
  const told: string[] = [];
  for (const { id, node } of found)
    if (id !== 'target-size' || (await isSmall(page, String(node.target[0]))))
      told.push(`${id}: ${node.html.slice(0, 160)}`);
  await page.emulateMedia({ reducedMotion: null });
  expect(told).toEqual([]);
}

/** Whether a target is too small when nothing that stays in place while one scrolls lies over it. */
async function isSmall(page: Page, target: string): Promise<boolean> {
  await page.locator(target).evaluate((element) => element.scrollIntoView({ block: 'center' }));
  const { violations } = await new AxeBuilder({ page })
    .setLegacyMode()
    .include(target)
    .withRules('target-size')
    .analyze();
  return violations.length > 0;
}

/** Nothing sticks out to the side. */
export async function expectNoOverflow(page: Page): Promise<void> {
  const [wide, shown] = await page.locator('html').evaluate((html) => [html.scrollWidth, html.clientWidth]);
  expect(wide).toBeLessThanOrEqual(shown ?? 0);
}

export const fixture = (name: string) => join(import.meta.dirname, 'fixtures', name);

export { expect };
