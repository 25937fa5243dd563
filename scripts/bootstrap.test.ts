import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../server/testing/app.ts';

/** What the launcher finds: nothing to install or to build, and a server that ends in its own time. */
const files = {
  'package.json': '{}',
  'package-lock.json': '{}',
  'bin/npm': '#!/bin/sh\n',
  'node_modules/vite/package.json': '{ "bin": { "vite": "vite.cjs" } }',
  'node_modules/vite/vite.cjs': `
    const folder = process.argv.includes('vite.widget.config.ts') ? 'dist/widget' : 'dist/web';
    require('node:fs').mkdirSync(folder, { recursive: true });
  `,
  'server/main.ts': `
    setInterval(() => {}, 1_000);
    for (const signal of ['SIGINT', 'SIGTERM'])
      process.on(signal, () => setTimeout(() => (console.log(\`drained after \${signal}\`), process.exit(3)), 50));
    console.log(\`serving as \${process.pid} with \${process.argv[2]}\`);
  `,
  // Each says that it ran, and fails where FAILS names it.
  ...Object.fromEntries(
    [
      'node_modules/prettier/bin/prettier.cjs',
      ...['typescript/tsc', 'oxlint/oxlint', 'knip/knip', 'vitest/vitest', '@playwright/test/playwright'].map(
        (name) => `node_modules/${name}.cjs`,
      ),
      'scripts/check.ts',
      'bench/sizes.ts',
    ].map((file) => [file, `console.log('ran ${file}'); process.exit(process.env.FAILS === '${file}' ? 1 : 0);`]),
  ),
  ...Object.fromEntries(
    [
      ['typescript', 'tsc'],
      ['oxlint', 'oxlint'],
      ['knip', 'knip'],
      ['vitest', 'vitest'],
      ['@playwright/test', 'playwright'],
    ].map(([name, bin]) => [`node_modules/${name}/package.json`, `{ "bin": { "${bin}": "${bin}.cjs" } }`]),
  ),
};
const services = ['redis-server', 'python3', 'chromium'];

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'kotae-launcher-'));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text, { mode: 0o755 });
  }
  cpSync(join(import.meta.dirname, 'bootstrap.mjs'), join(folder, 'scripts/bootstrap.mjs'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function launch(signal: NodeJS.Signals, ...options: string[]) {
  const child = spawn(process.execPath, [...options, 'scripts/bootstrap.mjs', 'start', 'web'], {
    cwd: folder,
    env: { PATH: [join(folder, 'bin'), process.env['PATH']].join(delimiter) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      if (text.includes('serving as')) child.kill(signal);
    });
  const [code] = await once(child, 'close');
  return { code, said, serves: Number(/serving as (\d+) with web\n/.exec(said)?.[1]), launcher: child.pid };
}

describe.skipIf(process.platform === 'win32')('npm test', () => {
  const tested = async (env: Record<string, string>) => {
    const child = spawn(process.execPath, ['scripts/bootstrap.mjs', 'test'], { cwd: folder, env });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (said += text));
    const [code] = await once(child, 'close');
    return { code, said };
  };
  const bare = () => join(folder, 'bin');
  const everything = () => ({
    PATH: [bare(), join(folder, 'services')].join(delimiter),
    TEST_DATABASE_URL: 'postgres://here',
    TEST_REDIS_URL: 'redis://here',
    CI: 'true',
  });
  beforeAll(() => {
    mkdirSync(join(folder, 'services'));
    for (const name of services) writeFileSync(join(folder, 'services', name), '#!/bin/sh\n', { mode: 0o755 });
  });

  test('is good where everything is there and holds', async () => {
    const { code, said } = await tested(everything());
    expect(said).toMatch(/Everything holds\.\n$/);
    expect(said).not.toContain('Skipped');
    expect(code).toBe(0);
  });

  test.each([
    ['node_modules/knip/knip.cjs', 'Dead code'],
    ['node_modules/vitest/vitest.cjs', 'Tests'],
    ['bench/sizes.ts', 'Sizes of the pages'],
  ])('runs every step although %s fails, and ends with what did', async (file, title) => {
    const { code, said } = await tested({ ...everything(), FAILS: file });
    for (const step of ['vitest/vitest.cjs', 'bench/sizes.ts', '@playwright/test/playwright.cjs'])
      expect(said).toContain(`ran ${step.startsWith('bench') ? step : `node_modules/${step}`}`);
    expect(said).toMatch(new RegExp(`Failed:\\n  - ${title}\\n$`));
    expect(code).toBe(1);
  });

  test('skips and names what this machine has not, which is a failure only with CI=true', async () => {
    const bareOnly = { PATH: bare(), HOME: folder };
    const { code, said } = await tested(bareOnly);
    for (const what of ['Postgres', 'one Redis', 'redis-server', 'python3', 'Chromium'])
      expect(said.slice(said.indexOf('Skipped here:'))).toContain(what);
    expect(said).toMatch(/Everything that ran holds\.\n$/);
    expect(code).toBe(0);
    expect((await tested({ ...bareOnly, CI: 'true' })).code).toBe(1);
  });
});

/** The real server, started as people start it, with a folder of its own. */
describe.skipIf(process.platform === 'win32')('the server that npm start has begun', () => {
  const groups: number[] = [];
  afterAll(() => {
    for (const group of groups)
      try {
        process.kill(-group, 'SIGKILL');
      } catch {
        // all of it has ended
      }
  });
  const start = async (env: Record<string, string> = {}) => {
    const child = spawn('npm', ['start'], {
      detached: true,
      env: {
        PATH: process.env['PATH'],
        HOME: folder,
        PORT: '0',
        DATA_DIR: join(folder, `data-${Math.random()}`),
        ...env,
      },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    groups.push(child.pid!);
    let said = '';
    child.stdout.setEncoding('utf8').on('data', (text) => (said += text));
    const address = await eventually('it serves', async () => /ready: (http:\S+)/.exec(said)?.[1], 60_000);
    return { npm: child.pid!, launcher: Number(/launcher (\d+)/.exec(said)?.[1]), address };
  };
  const isServed = (address: string) =>
    fetch(`${address}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    );

  test.each(['SIGTERM', 'SIGKILL', 'SIGHUP'] as const)('ends when npm gets %s', async (signal) => {
    const { npm, address } = await start();
    expect(await isServed(address)).toBe(true);
    process.kill(npm, signal);
    await eventually('it has ended', async () => !(await isServed(address)));
  });

  test('ends when its launcher is gone, where that could not become the server', async () => {
    const code = `delete(process.execve);process.argv[1]?.endsWith('bootstrap.mjs')&&console.log('launcher',process.pid)`;
    const { launcher, address } = await start({ NODE_OPTIONS: `--import=data:text/javascript,${code}` });
    process.kill(launcher, 'SIGKILL');
    await eventually('it has ended', async () => !(await isServed(address)));
  });
});

// Windows has neither: there a process cannot become another, and a signal ends it at once.
describe.skipIf(process.platform === 'win32').each(['SIGINT', 'SIGTERM'] as const)('npm start and %s:', (signal) => {
  test('the launcher becomes the server, which ends in its own time', async () => {
    const { code, said, serves, launcher } = await launch(signal);
    expect(said).toContain(`drained after ${signal}`);
    expect(said).not.toContain('Warning');
    expect({ code, serves }).toEqual({ code: 3, serves: launcher });
  });

  test('where Node cannot do that, the launcher stays and hands the signal on', async () => {
    const { code, said, serves, launcher } = await launch(
      signal,
      '--import=data:text/javascript,delete process.execve',
    );
    expect(said).toContain(`drained after ${signal}`);
    expect(code).toBe(3);
    expect(serves).not.toBe(launcher);
  });
});
