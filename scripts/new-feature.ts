/** Makes the skeleton of a feature, and its line wherever features are listed: npm run new:feature price-list */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { namesOf, skeletonOf, type Names } from './feature-skeleton.ts';

const [name = '', ...more] = process.argv.slice(2);
if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name) || more.length > 0)
  fail('Name the one thing that the feature is about, such as: npm run new:feature price-list');
// Numbers may have gaps, so the next one follows the highest.
const steps = readdirSync('server/migrations').map((file) => Number.parseInt(file, 10) || 0);
const names = namesOf(name, Math.max(...steps) + 1);
const made = skeletonOf(names);
const taken = [...Object.keys(made), `server/features/${name}`].find((file) => existsSync(file)) ?? listedIn(names);
if (taken) fail(`There is a ${name} already: see ${taken}.`);
const changed = changesFor(names);
for (const [file, text] of Object.entries({ ...made, ...changed })) await write(file, text);
execFileSync(process.execPath, ['scripts/operations.ts'], { stdio: 'inherit' });
console.log(
  `Made:\n  ${Object.keys(made).join('\n  ')}\nAdded to:\n  ${Object.keys(changed).join('\n  ')}\nIts name and texts in Japanese wait for you.`,
);

/** A list that has another feature's thing under the name that this one would have. */
function listedIn({ plural, many }: Names): string | undefined {
  const words = { 'server/features.ts': plural, 'server/migrations/migrations.ts': plural, 'shared/pages.ts': many };
  return Object.entries(words).find(([file, word]) =>
    new RegExp(`\\b${word}\\b`).test(readFileSync(file, 'utf8')),
  )?.[0];
}

/** The files that list every feature, step, error, page and label, as they are with this one. */
function changesFor({ plural, many, label, page, step }: Names): Record<string, string> {
  const missing = `${name}-not-found`;
  return {
    'server/features.ts': edited('server/features.ts', [
      [/.*\/features\/.*\n(?!.*\/features\/)/, `import { ${plural} } from './features/${name}/feature.ts';\n`],
      [/features: readonly Feature\[\] = \[[^\]]*/, `  ${plural},\n`],
    ]),
    'server/migrations/migrations.ts': edited('server/migrations/migrations.ts', [
      [/.*'\.\/\d.*\n(?!.*'\.\/\d)/, `import { ${plural} } from './${step}-${name}.ts';\n`],
      [/migrations: Migration\[\] = \[[^\]]*/, `  ${plural},\n`],
    ]),
    'shared/errors.ts': edited('shared/errors.ts', [
      [/.*-not-found'.*\n(?![^]*-not-found')/, `  '${missing}': { status: 404, retry: false },\n`],
    ]),
    'shared/pages.ts': edited('shared/pages.ts', [
      [
        /.*menu: 'build'.*\n(?![^]*menu: 'build', )/,
        `  '${many}': { path: '${page}', menu: 'build', isFound: true, icon: 'IconList' },\n`,
      ],
    ]),
    ...texts('errors', 'en', (errors) => {
      errors[missing] = 'This does not exist, or it is not of this workspace.';
    }),
    ...texts('errors', 'ja', (errors) => {
      errors[missing] = 'この項目は存在しないか、このワークスペースのものではありません。';
    }),
    ...texts('common', 'en', ({ page: labels }) => Object.assign(labels ?? {}, { [many]: label })),
    ...texts('common', 'ja', ({ page: labels }) => Object.assign(labels ?? {}, { [many]: label })),
  };
}

/** The file with each text behind what it belongs to. */
function edited(file: string, additions: [after: RegExp, text: string][]): string {
  return additions.reduce(
    (source, [after, text]) => {
      if (!after.test(source)) fail(`${file} is not written as this command expects.`);
      return source.replace(after, (found) => found + text);
    },
    readFileSync(file, 'utf8'),
  );
}

function texts(
  file: string,
  locale: string,
  add: (texts: Record<string, string | object>) => void,
): Record<string, string> {
  const path = `shared/locales/${locale}/${file}.json`;
  const found = JSON.parse(readFileSync(path, 'utf8'));
  add(found);
  return { [path]: JSON.stringify(found, null, 2) };
}

async function write(file: string, text: string): Promise<void> {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, await format(text, { ...(await resolveConfig(file)), filepath: file }));
}

function fail(text: string): never {
  console.error(text);
  process.exit(1);
}
