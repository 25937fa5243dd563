/** Rules that no other tool knows: imports between layers, texts in both languages, sentences for every error. */
import { existsSync, globSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { features } from '../server/features.ts';
import { errors } from '../shared/errors.ts';
import { pages, type Page } from '../shared/pages.ts';
import { checkCode } from './code.ts';
import { checkFeatures } from './feature-rules.ts';
import { checkOperations } from './operations.ts';

/** Between Japanese and letters, digits or what is filled in: https://developer.mozilla.org/docs/Web/CSS/text-autospace */
const typedSpace = /[ぁ-んァ-ヶ一-龠々ー] (?=\{\{|[A-Za-z0-9$<])|(?:\}\}|[A-Za-z0-9%>]) (?=[ぁ-んァ-ヶ一-龠々])/;

const problems = [
  ...checkCode(),
  ...checkFeatures(),
  ...checkLocales(),
  ...checkErrorSentences(),
  ...checkAuditWords(),
  ...checkPages(),
  ...checkStyles(),
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
      if (typedSpace.test(text))
        found.push(`${namespace}:${key} has a space beside Japanese, which the browser sets itself.`);
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

/** What the log can be searched for are the actions that have words: those that features declare, and no others. */
function checkAuditWords(): string[] {
  const declared = features.flatMap(({ audit = [] }) => audit);
  const words = [...flatten(readLocale('en', 'operator')).keys()]
    .filter((key) => key.startsWith('audit.actions.'))
    .map((key) => key.replace('audit.actions.', ''));
  return [
    ...declared
      .filter((action) => !words.includes(action))
      .map((action) => `The action ${action} has no words in operator.json.`),
    ...words
      .filter((action) => !declared.includes(action))
      .map((action) => `The words of ${action} belong to no feature's action.`),
  ];
}

/** A page is its file, its entry in the table, and its label where the menu or the palette has it. */
function checkPages(): string[] {
  const entries = Object.values<Record<string, Page>>(pages).flatMap((frame) => Object.entries(frame));
  const names = entries.flatMap(([name, { file, open }]) => [file ?? name, ...(open ? [open] : [])]);
  const files = readdirSync('web/pages').map((file) => file.replace('.tsx', ''));
  return [
    ...names
      .filter((name) => !files.includes(name))
      .map((name) => `shared/pages.ts: ${name} has no file in web/pages.`),
    ...files
      .filter((file) => !names.includes(file))
      .map((file) => `web/pages: ${file} has no entry in shared/pages.ts.`),
    ...entries
      .filter(([, { icon }]) => icon && !existsSync(`node_modules/@tabler/icons-react/dist/esm/icons/${icon}.mjs`))
      .map(([, { icon }]) => `shared/pages.ts: Tabler has no ${icon}.`),
  ];
}

/** Two places that take the same name for their own get each other's rules. */
function checkStyles(): string[] {
  return globSync('web/**/*.module.css').flatMap((file) => {
    const selectors = [...readFileSync(file, 'utf8').matchAll(/^[^\s@/}][^{}]*(?= \{)/gm)].map(
      ([selector]) => selector,
    );
    return selectors
      .filter((selector, at) => selectors.indexOf(selector) < at)
      .map((selector) => `${file}: ${selector} is there twice.`);
  });
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
