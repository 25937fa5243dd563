/** Rules that no other tool knows: imports between layers, texts in both languages that are used. */
import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { errors } from '../shared/errors.ts';
import { checkOperations } from './operations.ts';

const problems = [...checkPlantedImports(), ...checkLocales(), ...checkErrorSentences(), ...checkOperations()];
for (const problem of problems) console.error(problem);
process.exit(problems.length > 0 ? 1 : 0);

/** Each import breaks a rule of the layers; a lint that lets one pass has stopped guarding that layer. */
function checkPlantedImports(): string[] {
  const planted: Record<string, string> = {
    'shared/planted.ts': "import '../server/main.ts';",
    'shared/other.ts': "import 'fastify';",
    'server/infra/planted.ts': "import '../features/bots/bots.ts';",
    'server/providers/models/planted.ts': "import '../storage/local.ts';",
    'server/providers/parsers/planted.ts': "import '../../features/bots/bots.ts';",
    'server/features/bots/planted.ts': "import '../knowledge/knowledge.store.ts';",
    'web/ui/planted.tsx': "import '../lib/api.ts';",
    'web/lib/planted.ts': "import '../features/bots/bots.queries.ts';",
    'web/features/bots/planted.ts': "import '../knowledge/knowledge.queries.ts';",
    'widget/planted.ts': "import '../web/lib/api.ts';",
  };
  const folder = mkdtempSync(join(tmpdir(), 'kotae-lint-'));
  try {
    copyFileSync('.oxlintrc.json', join(folder, '.oxlintrc.json'));
    for (const [file, source] of Object.entries(planted)) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), `${source}\n`);
    }
    const { stdout } = spawnSync(
      process.execPath,
      [join(import.meta.dirname, '../node_modules/oxlint/bin/oxlint'), '--format', 'json'],
      { cwd: folder, encoding: 'utf8' },
    );
    const found: { diagnostics: { code: string; filename: string }[] } = JSON.parse(stdout);
    const caught = new Set(
      found.diagnostics
        .filter(({ code }) => code.includes('no-restricted-imports'))
        .map(({ filename }) => filename.replaceAll('\\', '/')),
    );
    return Object.keys(planted).flatMap((file) =>
      caught.has(file) ? [] : [`The lint no longer catches a forbidden import in ${dirname(file)}.`],
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function checkLocales(): string[] {
  const found: string[] = [];
  const namespaces = readdirSync('shared/locales/en').map((file) => file.replace('.json', ''));
  if (readdirSync('shared/locales/ja').join() !== readdirSync('shared/locales/en').join())
    found.push('shared/locales: en and ja have different files.');
  const sources = globSync(['web/**/*.{ts,tsx}', 'widget/**/*.{ts,tsx}', 'server/**/*.ts', 'shared/**/*.ts'])
    .filter((file) => !/\.test\.tsx?$/.test(file))
    .map((file) => readFileSync(file, 'utf8'));
  const all = sources.join('\n');
  for (const namespace of namespaces) {
    const en = flatten(readLocale('en', namespace));
    const ja = flatten(readLocale('ja', namespace));
    const base = (key: string) => key.replace(/_(one|other|zero)$/, '');
    const bases = (texts: Map<string, string>) => new Set([...texts.keys()].map(base));
    for (const key of bases(en)) if (!bases(ja).has(key)) found.push(`${namespace}:${key} is missing in Japanese.`);
    for (const key of bases(ja)) if (!bases(en).has(key)) found.push(`${namespace}:${key} is missing in English.`);
    for (const [key, text] of ja) {
      const original = en.get(key) ?? en.get(`${base(key)}_other`);
      if (original !== undefined && placeholders(original) !== placeholders(text))
        found.push(`${namespace}:${key} has other placeholders in Japanese.`);
      if (!text.trim()) found.push(`${namespace}:${key} is empty.`);
    }
    for (const key of bases(en)) if (!isUsed(all, namespace, key)) found.push(`${namespace}:${key} is used nowhere.`);
  }
  return found;
}

/** A key counts as used where it is written out, or where a template builds keys that begin as it does. */
function isUsed(all: string, namespace: string, key: string): boolean {
  if (namespace === 'errors') return true; // checked against the codes themselves
  if (all.includes(`'${key}'`) || all.includes(`'${namespace}:${key}'`) || all.includes(`"${key}"`)) return true;
  const parts = key.split('.');
  return (
    parts.some(
      (_, at) =>
        at > 0 &&
        [`\`${parts.slice(0, at).join('.')}.\${`, `\`${namespace}:${parts.slice(0, at).join('.')}.\${`].some((prefix) =>
          all.includes(prefix),
        ),
    ) || all.includes(`\`${namespace}:\${`)
  );
}

/** That every error has a sentence, the compiler knows. */
function checkErrorSentences(): string[] {
  return Object.entries(readLocale('en', 'errors')).flatMap(([code, sentence]) =>
    typeof sentence !== 'string' || code in errors ? [] : [`The sentence of ${code} belongs to no error.`],
  );
}

interface Texts {
  [key: string]: string | Texts;
}

function readLocale(locale: string, namespace: string): Texts {
  return JSON.parse(readFileSync(join('shared/locales', locale, `${namespace}.json`), 'utf8'));
}

function flatten(texts: Texts, path: string[] = []): Map<string, string> {
  return new Map(
    Object.entries(texts).flatMap(([key, value]) =>
      typeof value === 'string' ? [[[...path, key].join('.'), value] as const] : [...flatten(value, [...path, key])],
    ),
  );
}

function placeholders(text: string): string {
  return [...text.matchAll(/\{\{\s*(\w+)/g)]
    .map(([, name]) => name)
    .toSorted()
    .join();
}
