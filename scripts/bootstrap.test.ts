import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

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
};

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
