import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test, vi } from 'vitest';
import { findSuperLinear } from './patterns.ts';

/** Those that stand in the code as they are have theirs in `npm run check`. */
test('patterns that are put together when a file is loaded take no more than linear work', async () => {
  const files = globSync('{server,shared,web,widget}/**/*.ts')
    .filter((file) => !/\.test\.ts$|\/testing\//.test(file) && readFileSync(file, 'utf8').includes('new RegExp('))
    .map((file) => resolve(file));
  const made = new Map<string, RegExp>();
  vi.resetModules();
  vi.stubGlobal(
    'RegExp',
    new Proxy(RegExp, {
      construct(target, given) {
        const pattern = new target(given[0], given[1]);
        // Libraries that a file loads make theirs, too.
        const caller = new Error().stack?.split('\n')[2] ?? '';
        if (files.some((file) => caller.includes(file))) made.set(String(pattern), pattern);
        return pattern;
      },
    }),
  );
  try {
    for (const file of files) await import(file);
  } finally {
    vi.unstubAllGlobals();
  }
  expect(made.size).toBeGreaterThan(20);
  expect([...made.values()].flatMap(({ source, flags }) => findSuperLinear(source, flags))).toEqual([]);
}, 120_000);
