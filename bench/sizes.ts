/** What each page makes a browser load, gzip, against its budget. Reads the list of files of the built front end. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { loadedWith, type Chunk } from '../vite.config.ts';

const folder = 'dist/web';
const chunks: Chunk[] = JSON.parse(readFileSync(join(folder, '.vite/chunks.json'), 'utf8'));
const kilobytes = (file: string) => gzipSync(readFileSync(join(folder, file)), { level: 9 }).length / 1024;
const sum = (files: Iterable<string>) => [...files].reduce((total, file) => total + kilobytes(file), 0);

function weigh(modules: string[], without = new Set<Chunk>()): { js: number; css: number } {
  const loaded = [...loadedWith(chunks, modules)].filter((chunk) => !without.has(chunk));
  return { js: sum(loaded.map(({ file }) => file)), css: sum(new Set(loaded.flatMap(({ css }) => css))) };
}

const texts = (...names: string[]) => names.map((name) => `shared/locales/ja/${name}.json`);
const entry = 'web/main.tsx';
const login = [entry, 'web/pages/login.tsx', ...texts('common', 'accounts')];
const shell = [...login, 'web/features/shell/default-layout.tsx'];
const missed: string[] = [];

function print(name: string, { js, css }: { js: number; css: number }, jsBar: number, cssBar: number): void {
  console.log(
    `${name.padEnd(28)} JavaScript ${js.toFixed(1).padStart(6)} KiB (≤ ${jsBar})   CSS ${css.toFixed(1).padStart(5)} KiB (≤ ${cssBar})`,
  );
  if (js > jsBar || css > cssBar) missed.push(name);
}

print('/Login', weigh(login), 175, 25);
const known = loadedWith(chunks, login);
print('signed-in shell, more', weigh(shell, known), 120, 25);
const inShell = loadedWith(chunks, shell);
for (const page of globSync('web/pages/*.tsx').map((file) => file.replaceAll('\\', '/'))) {
  if (![...known].some(({ modules }) => modules.includes(page)))
    print(
      `${page.replace('web/', '')}, more`,
      weigh([page, ...texts('bots', 'conversations', 'knowledge', 'home')], inShell),
      120,
      25,
    );
}
// 260 kB of a thousand bytes: the page with an answer in it, and whatever it fetches by itself afterwards; only what colors code and draws formulas comes when there are any.
const following = [
  'web/ui/toast-area.tsx',
  'web/ui/progress-bar.tsx',
  'web/features/shell/inbox-news.tsx',
  'node_modules/socket.io-client/build/esm/index.js',
];
const chat = [
  entry,
  'web/features/shell/default-layout.tsx',
  'web/pages/bot-chat.tsx',
  'web/features/conversations/answer-text.tsx',
  ...texts('common', 'bots', 'conversations'),
];
print('a conversation, cold', weigh(chat), 232, 30);
print('and what follows it', weigh([...chat, ...following]), 253.9, 30);
// The widget, before the first message: what a rival's page of the same kind loads, in gzip KiB, was measured in the same way.
const widget = join(folder, '../widget');
const ofWidget = (file: string) => gzipSync(readFileSync(join(widget, file)), { level: 9 }).length / 1024;
const widgetChunks: Chunk[] = JSON.parse(readFileSync(join(widget, '.vite/chunks.json'), 'utf8'));
const frame = [...loadedWith(widgetChunks, ['widget/main.tsx', 'shared/locales/ja/widget.json'])];
const loader = ofWidget('embed.js');
const firstLoad = [...new Set(['embed.js', 'chat.html', ...frame.flatMap(({ file, css }) => [file, ...css])])]
  .map(ofWidget)
  .reduce((total, each) => total + each, 0);
for (const [name, size, bar, others] of [
  ['widget, its launcher', loader, 3, 'Crisp 4.7'],
  ['widget, opened', firstLoad, 30, 'deep-chat 109, Botpress 185, Typebot 193, Flowise 279, n8n 596'],
] as const) {
  console.log(`${name.padEnd(28)} in all     ${size.toFixed(1).padStart(6)} KiB (≤ ${bar})   others: ${others}`);
  if (size > bar) missed.push(name);
}
// Files that import each other in a circle run before what they need, and the page stays blank.
for (const chunk of chunks) {
  const brought = chunk.imports.flatMap((file) => chunks.find((each) => each.file === file)?.modules.slice(0, 1) ?? []);
  if (loadedWith(chunks, brought).has(chunk)) missed.push(`${chunk.file}, which imports itself by others`);
}
if (missed.length > 0) {
  console.error(`Over the budget, or broken: ${missed.join(', ')}`);
  process.exit(1);
}
