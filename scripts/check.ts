/** Rules that no other tool knows: imports between layers, texts in both languages, sentences for every error. */
import { existsSync, globSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { documentErrorCodes, errors } from '../shared/errors.ts';
import { isPage, pages, type Page } from '../shared/pages.ts';
import { checkCode } from './code.ts';
import { checkFeatures } from './feature-rules.ts';
import { checkOperations } from './operations.ts';

const problems = [
  ...checkCode(),
  ...checkFeatures(),
  ...checkLocales(),
  ...checkErrorSentences(),
  ...checkPages(),
  ...checkOperations(),
];
for (const problem of problems) console.error(problem);
process.exit(problems.length > 0 ? 1 : 0);

function checkLocales(): string[] {
  const found: string[] = [];
  const namespaces = readdirSync('shared/locales/en').map((file) => file.replace('.json', ''));
  if (readdirSync('shared/locales/ja').join() !== readdirSync('shared/locales/en').join())
    found.push('shared/locales: en and ja have different files.');
  const sources = globSync(['web/**/*.{ts,tsx}', 'widget/**/*.{ts,tsx}', 'server/**/*.ts', 'shared/**/*.ts'])
    .filter((file) => !file.endsWith('.test.ts'))
    .map((file) => ({ file, text: readFileSync(file, 'utf8') }));
  const all = sources.map(({ text }) => text).join('\n');
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
  for (const { file, text } of sources) found.push(...missingKeys(file, text, namespaces));
  return found;
}

/** A key counts as used where it is written out, or where a template builds keys that begin as it does. */
function isUsed(all: string, namespace: string, key: string): boolean {
  if (namespace === 'errors' || (namespace === 'documents' && key.startsWith('error.'))) return true; // checked against the codes themselves
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

function missingKeys(file: string, text: string, namespaces: string[]): string[] {
  const own = [...text.matchAll(/useTranslation\(\s*\[?\s*'([\w-]+)'/g)].map(([, namespace = '']) => namespace);
  const keys = [...text.matchAll(/\bt\(\s*'([^']+)'/g), ...text.matchAll(/translate\([^,()]+,\s*'([^']+)'/g)].map(
    ([, key = '']) => key,
  );
  return keys.flatMap((full) => {
    const [first, rest] = full.includes(':')
      ? [full.split(':')[0] ?? '', full.slice(full.indexOf(':') + 1)]
      : ['', full];
    const candidates = first ? [first] : own;
    if (candidates.length === 0) return [];
    const isThere = candidates.some((namespace) => namespaces.includes(namespace) && hasKey(namespace, rest));
    return isThere ? [] : [`${file}: ${full} is in no locale file.`];
  });
}

function hasKey(namespace: string, key: string): boolean {
  const keys = flatten(readLocale('en', namespace));
  return keys.has(key) || keys.has(`${key}_other`);
}

function checkErrorSentences(): string[] {
  return (['en', 'ja'] as const).flatMap((locale) => {
    const sentences = readLocale(locale, 'errors');
    const known = Object.keys(sentences).filter((key) => typeof sentences[key] === 'string');
    const documents = flatten(readLocale(locale, 'documents'));
    return [
      ...Object.keys(errors)
        .filter((code) => !known.includes(code))
        .map((code) => `${locale}: the error ${code} has no sentence.`),
      ...known
        .filter((code) => !(code in errors))
        .map((code) => `${locale}: the sentence of ${code} belongs to no error.`),
      ...documentErrorCodes
        .filter((code) => !documents.has(`error.${code}`))
        .map((code) => `${locale}: the document error ${code} has no sentence.`),
    ];
  });
}

/** A page is its file, its entry in the table, and its label where the menu or the palette has it. */
function checkPages(): string[] {
  const entries = Object.values<Record<string, Page>>(pages).flatMap((frame) => Object.entries(frame));
  const names = entries.map(([name]) => name);
  const files = readdirSync('web/pages').map((file) => file.replace('.tsx', ''));
  return [
    ...names
      .filter((name) => !files.includes(name))
      .map((name) => `shared/pages.ts: ${name} has no file in web/pages.`),
    ...files
      .filter((file) => !names.includes(file))
      .map((file) => `web/pages: ${file} has no entry in shared/pages.ts.`),
    ...entries.flatMap(([name, { menu, isFound, instead, icon }]) => [
      ...((menu || isFound) && !hasKey('common', `page.${name}`) ? [`common:page.${name} is missing in English.`] : []),
      ...(icon && !existsSync(`node_modules/@tabler/icons-react/dist/esm/icons/${icon}.mjs`)
        ? [`shared/pages.ts: Tabler has no ${icon}.`]
        : []),
      ...(instead && !isPage(instead) ? [`shared/pages.ts: ${name} sends to ${instead}, where there is no page.`] : []),
    ]),
  ];
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
