/** Features import only those before them, and query only their own tables. */
import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, posix } from 'node:path';
import { features } from '../server/features.ts';
import { readImports } from './code.ts';

const root = 'server/features/';
const order = features.map(({ name }) => name);
const owners = new Map(features.flatMap(({ name, tables = [] }) => tables.map((table) => [String(table), name])));

/** Each breaks one rule; a check that lets one pass has stopped guarding it. */
const planted: Record<string, string> = {
  'server/features/users/planted.ts': "import { record } from '../bots/bots.ts';",
  'server/features/files/planted.ts': "const later = await import('../bots/bots.ts');",
  'server/features/bots/planted.ts': "import { knowledge } from '../knowledge/feature.ts';",
  'server/features/home/planted.ts': "db.selectFrom('message').selectAll()",
  'server/features/keys/planted.ts': "db.selectFrom('api_key').innerJoin('user', 'user.uuid', 'api_key.user')",
  'server/features/usage/planted.ts': 'sql`select count(*) from "user" where ${sql`uuid = ${id}`}`',
};

export function checkFeatures(): string[] {
  const folders = new Set(globSync(`${root}*/feature.ts`).map((file) => basename(dirname(file))));
  const found = globSync(`${root}*/**/*.ts`)
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => !file.endsWith('.test.ts'))
    .flatMap((file) => problemsOf(file, readFileSync(file, 'utf8')));
  const passed = Object.entries(planted).filter(([file, text]) => problemsOf(file, text).length === 0);
  return [
    ...found,
    ...[...folders]
      .filter((folder) => !order.includes(folder))
      .map((folder) => `${root}${folder} is not listed in server/features.ts.`),
    ...passed.map(([file]) => `The rules of features no longer catch what is planted in ${file}.`),
  ];
}

function problemsOf(file: string, text: string): string[] {
  return [
    ...readImports(file, text).imports.flatMap((path) => problemOfImport(file, path)),
    ...problemsOfTables(file, text),
  ];
}

const featureOf = (file: string) => (file.startsWith(root) ? file.slice(root.length).split('/')[0] : undefined);

function problemOfImport(file: string, path: string): string[] {
  const target = posix.join(posix.dirname(file), path);
  const [own = '', other] = [featureOf(file), featureOf(target)];
  if (other === undefined || other === own) return [];
  if (order.indexOf(other) > order.indexOf(own)) return [`${file} imports ${other}, which comes after ${own}.`];
  return target.endsWith('/feature.ts') ? [`${file} imports ${target}, which only the list of features does.`] : [];
}

/** Tables are named in calls of the query builder, and after a few words in raw SQL. */
function problemsOfTables(file: string, text: string): string[] {
  const called = text.matchAll(/(?:From|insertInto|updateTable|Join|Insert|lockRow)\((?:trx, )?'(\w+)(?: as \w+)?'/g);
  const raw = sqlIn(text).flatMap((each) => [...each.matchAll(/\b(?:from|join|into|update)\s+"?(\w+)"?/gi)]);
  const named = new Set([...called, ...raw].map(([, table = '']) => table));
  return [...named].flatMap((table) => {
    const owner = owners.get(table);
    return owner !== undefined && owner !== featureOf(file)
      ? [`${file} queries ${table}, which belongs to ${owner}.`]
      : [];
  });
}

/** The texts of sql templates, those inside of others too. */
function sqlIn(text: string): string[] {
  return [...text.matchAll(/\bsql(?:<[^`]*?>)?`/g)].map((match) => {
    const start = match.index + match[0].length;
    let depth = 0;
    for (let at = start; at < text.length; at++) {
      if (text.startsWith('${', at)) depth++;
      else if (text[at] === '}' && depth > 0) depth--;
      else if (text[at] === '`' && depth === 0) return text.slice(start, at);
    }
    return text.slice(start);
  });
}
