/** What each page makes a browser load, gzip, against its budget. Reads the manifest of the built front end. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

interface Chunk {
  file: string;
  imports?: string[];
  css?: string[];
}

const folder = 'dist/web';
const manifest: Record<string, Chunk> = JSON.parse(readFileSync(join(folder, '.vite/manifest.json'), 'utf8'));
const kilobytes = (file: string) => gzipSync(readFileSync(join(folder, file)), { level: 9 }).length / 1024;

/** Every chunk that a module brings along before it runs. */
function closure(keys: string[], found = new Set<string>()): Set<string> {
  for (const key of keys) {
    if (found.has(key)) continue;
    found.add(key);
    closure(manifest[key]?.imports ?? [], found);
  }
  return found;
}

const sum = (files: Iterable<string>) => [...files].reduce((total, file) => total + kilobytes(file), 0);

function weigh(keys: string[], without = new Set<string>()): { js: number; css: number } {
  const chunks = [...closure(keys)].flatMap((key) => (manifest[key] && !without.has(key) ? [manifest[key]] : []));
  return { js: sum(new Set(chunks.map((chunk) => chunk.file))), css: sum(new Set(chunks.flatMap((chunk) => chunk.css ?? []))) };
}

const texts = (...names: string[]) => names.map((name) => `../shared/locales/ja/${name}.json`);
const entry = 'index.html';
const login = [entry, 'pages/login.tsx', ...texts('common', 'accounts')];
const shell = [...login, 'features/shell/default-layout.tsx'];
const missed: string[] = [];

function print(name: string, { js, css }: { js: number; css: number }, jsBar: number, cssBar: number): void {
  console.log(`${name.padEnd(28)} JavaScript ${js.toFixed(1).padStart(6)} KiB (≤ ${jsBar})   CSS ${css.toFixed(1).padStart(5)} KiB (≤ ${cssBar})`);
  if (js > jsBar || css > cssBar) missed.push(name);
}

print('/Login', weigh(login), 175, 25);
const known = closure(login);
print('signed-in shell, more', weigh(shell, known), 120, 25);
const inShell = closure(shell);
for (const page of globSync('web/pages/*.tsx').map((file) => file.replaceAll('\\', '/').replace('web/', ''))) {
  if (!known.has(page)) print(`${page}, more`, weigh([page, ...texts('bots', 'conversations', 'knowledge', 'home')], inShell), 120, 25);
}
// 260 kB of a thousand bytes, with all that a page of its own needs.
print('a conversation, cold', weigh([entry, 'features/shell/default-layout.tsx', 'pages/bot-chat.tsx', ...texts('common', 'bots', 'conversations')]), 253.9, 30);
// Files that import each other in a circle run before what they need, and the page stays blank.
for (const key of Object.keys(manifest)) {
  if (closure(manifest[key]?.imports ?? []).has(key)) missed.push(`${manifest[key]?.file}, which imports itself by others`);
}
if (missed.length > 0) {
  console.error(`Over the budget, or broken: ${missed.join(', ')}`);
  process.exit(1);
}
