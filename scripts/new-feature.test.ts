import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..');
const parts = [
  'shared',
  'server',
  'web',
  'widget',
  'scripts',
  'docs',
  'package.json',
  'tsconfig.json',
  'tsconfig.web.json',
];

let copy: string;
beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'kotae-feature-'));
  for (const part of [...parts, '.prettierrc.json', '.env.example'])
    cpSync(join(root, part), join(copy, part), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'), 'junction');
});
afterAll(() => rmSync(copy, { recursive: true, force: true }));

const node = (...args: string[]) => run(process.execPath, args, { cwd: copy });
const refusal = (name: string) =>
  node('scripts/new-feature.ts', name).then(
    () => 'none',
    ({ stderr }: { stderr: string }) => stderr,
  );

describe('what is there already is refused:', () => {
  test.each([
    ['a feature', 'knowledge'],
    ['one that is called by the many', 'bot'],
    ['a page', 'document'],
  ])('%s', async (_, name) => {
    expect(await refusal(name)).toContain(`There is a ${name} already`);
  });

  test.each(['', 'PriceList', 'price list', '../price', 'price-'])('and what is no name: "%s"', async (name) => {
    expect(await refusal(name)).toContain('Name the one thing');
  });
});

test('a new feature keeps the rules and has its types, and is a line in eight lists', async () => {
  const before = readdirSync(join(copy, 'server/migrations'));
  await node('scripts/new-feature.ts', 'price-list');
  const [made = ''] = readdirSync(join(copy, 'server/migrations')).filter((file) => file.endsWith('-price-list.ts'));
  const highest = before
    .map((file) => file.slice(0, 4))
    .filter((step) => /^\d/.test(step))
    .at(-1);
  expect(Number(made.slice(0, 4))).toBe(Number(highest) + 1);
  const checks = [
    ['scripts/check.ts'],
    types('tsconfig.json', [
      'server/main.ts',
      'server/infra/*.d.ts',
      'server/features/*/*.tables.ts',
      'server/features/price-list',
    ]),
    types('tsconfig.web.json', ['web/*.d.ts', 'web/pages/price-lists.tsx']),
  ];
  const said = await Promise.all(checks.map((args) => node(...args)));
  expect(said.map(({ stdout, stderr }) => stdout + stderr)).toEqual(['', '', '']);
  expect(changedFiles()).toEqual([
    'docs/operations/permissions.md',
    'server/features.ts',
    'server/migrations/migrations.ts',
    'shared/errors.ts',
    'shared/locales/en/common.json',
    'shared/locales/en/errors.json',
    'shared/locales/ja/common.json',
    'shared/locales/ja/errors.json',
    'shared/pages.ts',
  ]);
  expect(await refusal('price-list')).toContain('There is a price-list already');
}, 180_000);

/** Of the new files and what they need, which takes half as long as of everything. */
function types(settings: string, include: string[]): string[] {
  const file = `new-${settings}`;
  writeFileSync(join(copy, file), JSON.stringify({ extends: `./${settings}`, include }));
  return ['node_modules/typescript/bin/tsc', '-p', file];
}

const changedFiles = () =>
  ['shared', 'server', 'web', 'docs']
    .flatMap((folder) => readdirSync(join(root, folder), { recursive: true, encoding: 'utf8', withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(root.length + 1)
        .replaceAll('\\', '/'),
    )
    .filter((file) => !readFileSync(join(root, file)).equals(readFileSync(join(copy, file))))
    .toSorted();
