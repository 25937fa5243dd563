import { createHash } from 'node:crypto';
import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { build, defaultAllowedOrigins, defineConfig, runnerImport, type Plugin, type Rolldown } from 'vite';
import { pages, type Page } from './shared/pages.ts';

const contracts = resolve(import.meta.dirname, 'shared/contracts');
const pdfjs = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'));

/**
 * A page needs of a contract the method and the path; the schemas and zod behind them stay on the server. Types are not
 * touched by this: the compiler still reads the contracts themselves. Each export is a module, so that a page brings along the
 * calls that it makes and not those of the whole file.
 */
export function lightContracts(): Plugin {
  // Node imports a file once and keeps it; while somebody works on it, it is read anew, with what it imports.
  const kept = new Map<string, ReturnType<typeof runnerImport<Record<string, unknown>>>>();
  const readAnew = (file: string) => {
    const reading = kept.get(file) ?? runnerImport<Record<string, unknown>>(file);
    kept.set(file, reading);
    return reading;
  };
  return {
    name: 'light-contracts',
    enforce: 'pre',
    hotUpdate({ file, modules }) {
      kept.clear();
      // What a contract imports, a page does not: Vite cannot know whom such a change concerns.
      if (!file.startsWith(dirname(contracts)) || !file.endsWith('.ts')) return undefined;
      const all = [...this.environment.moduleGraph.idToModuleMap.values()];
      return [...new Set([...modules, ...all.filter((module) => module.file && dirname(module.file) === contracts)])];
    },
    async load(id) {
      const [file = '', only] = id.split('?only=');
      if (dirname(file) !== contracts || !file.endsWith('.ts')) return null;
      const { module: values, dependencies } =
        this.environment.mode === 'dev'
          ? await readAnew(file)
          : { module: await importContract(file), dependencies: [] };
      for (const each of [file, ...dependencies]) this.addWatchFile(each);
      if (only) return `export default ${JSON.stringify(lighten(values[only]))};`;
      const code = Object.keys(values)
        .filter((name) => lighten(values[name]) !== undefined)
        .map((name) => `export { default as ${name} } from './${basename(file)}?only=${name}';`)
        .join('\n');
      return { code, moduleSideEffects: false };
    },
  };
}

const importContract = (file: string): Promise<Record<string, unknown>> => import(pathToFileURL(file).href);

function lighten(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return typeof value === 'function' ? undefined : value;
  if ('_zod' in value) return undefined;
  if (Array.isArray(value)) return value;
  if ('method' in value && 'path' in value) return { method: value.method, path: value.path };
  if ('name' in value && 'data' in value) return { name: value.name };
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, lighten(each)]));
}

/** Of the thousands of icons, those that the table of pages names: who adds a page imports none. */
function pageIcons(): Plugin {
  const name = 'virtual:page-icons';
  const icons = [...new Set(Object.values<Page>(pages.app).flatMap(({ icon = [] }) => icon))].join();
  return {
    name: 'page-icons',
    resolveId: (id) => (id === name ? `\0${name}` : null),
    load: (id) =>
      id === `\0${name}` ? `import { ${icons} } from '@tabler/icons-react'; export default { ${icons} };` : null,
  };
}

/** The build's name in the page and in the file that open pages poll to learn of a new one, what the page needs early, and what pdf.js fetches for fonts that a file does not embed. */
function buildFiles(): Plugin {
  return {
    name: 'build-files',
    apply: 'build',
    async writeBundle({ dir = '' }, bundle) {
      const name = createHash('sha256').update(Object.keys(bundle).toSorted().join()).digest('hex').slice(0, 16);
      writeFileSync(join(dir, 'latest-build.json'), JSON.stringify({ build: name }));
      const page = join(dir, 'index.html');
      const chunks = chunksOf(bundle);
      mkdirSync(join(dir, '.vite'), { recursive: true });
      writeFileSync(join(dir, '.vite/chunks.json'), JSON.stringify(chunks));
      writeFileSync(
        page,
        readFileSync(page, 'utf8')
          .replace('%BUILD%', name)
          .replace('%PARTS%', JSON.stringify(partsOf(chunks)).replaceAll('"', '&quot;')),
      );
      pack(dir, Object.keys(bundle));
      for (const folder of ['cmaps', 'standard_fonts', 'wasm'])
        cpSync(join(pdfjs, folder), join(dir, 'pdf', folder), { recursive: true });
      await buildOriginal(join(dir, 'original'));
    },
  };
}

/** The page of the frame that draws originals shares no file with the others, so it may be read from an origin that is none. */
async function buildOriginal(dir: string): Promise<void> {
  await build({
    configFile: false,
    root: resolve(import.meta.dirname, 'web/original'),
    base: '/original/',
    logLevel: 'warn',
    // Where there is no origin, browsers start no module as a worker.
    worker: { format: 'iife' },
    build: {
      outDir: dir,
      emptyOutDir: true,
      target: 'es2022',
      modulePreload: { polyfill: false },
      chunkSizeWarningLimit: 1000,
    },
  });
  pack(dir, globSync('assets/*.{js,css}', { cwd: dir }));
}

/** Packed once and well, instead of at each request: 20 ms for the first file alone. */
export function pack(dir: string, files: string[]): void {
  for (const name of files) {
    if (!/\.(m?js|css)$/.test(name)) continue;
    const file = join(dir, name);
    const text = readFileSync(file);
    writeFileSync(`${file}.gz`, gzipSync(text, { level: 9 }));
    writeFileSync(
      `${file}.br`,
      brotliCompressSync(text, {
        params: { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: text.length },
      }),
    );
  }
}

export interface Chunk {
  file: string;
  /** Files that it brings along before it runs. */
  imports: string[];
  css: string[];
  /** What went into it, as paths from the project's root. */
  modules: string[];
}

export function chunksOf(bundle: Rolldown.OutputBundle): Chunk[] {
  const own = (id: string) => relative(import.meta.dirname, id).replaceAll(sep, '/');
  return Object.values(bundle).flatMap((each) =>
    each.type === 'chunk'
      ? [
          {
            file: each.fileName,
            imports: each.imports,
            css: [...(each.viteMetadata?.importedCss ?? [])],
            modules: each.moduleIds.map(own),
          },
        ]
      : [],
  );
}

/** Every chunk that is loaded with these modules, themselves included. */
export function loadedWith(chunks: Chunk[], modules: string[]): Set<Chunk> {
  const found = new Set<Chunk>();
  const add = (chunk: Chunk | undefined) => {
    if (!chunk || found.has(chunk)) return;
    found.add(chunk);
    for (const file of chunk.imports) add(chunks.find((each) => each.file === file));
  };
  for (const module of modules) {
    const chunk = chunks.find((each) => each.modules.includes(module));
    if (!chunk) throw new Error(`no file has ${module}`);
    add(chunk);
  }
  return found;
}

/** Files that `early.js` asks for before the code that would ask for them is there, by when they are needed. */
function partsOf(chunks: Chunk[]): Record<string, string[]> {
  const filesOf = (before: string[], modules: string[]) => {
    const known = loadedWith(chunks, before);
    return [
      ...new Set(
        [...loadedWith(chunks, modules)]
          .filter((chunk) => !known.has(chunk))
          .flatMap(({ file, css }) => [file, ...css]),
      ),
    ];
  };
  const entry = ['web/main.tsx'];
  const shell = [...entry, 'web/features/shell/default-layout.tsx'];
  const chat = ['web/pages/bot-chat.tsx'];
  const texts = (locale: string, ...names: string[]) =>
    filesOf(
      shell,
      names.map((name) => `shared/locales/${locale}/${name}.json`),
    );
  return {
    shell: filesOf(entry, shell),
    chat: filesOf(shell, chat),
    answers: filesOf([...shell, ...chat], ['web/features/conversations/answer-text.tsx']),
    en: texts('en', 'common'),
    ja: texts('ja', 'common'),
    chat_en: texts('en', ...pages.app['bot-chat'].texts),
    chat_ja: texts('ja', ...pages.app['bot-chat'].texts),
  };
}

/**
 * Which modules go into one file, from the first that is needed to the last. Each takes along what it needs and no file before it
 * has, so files never import each other in a circle. A browser asks for six at a time, and small ones compress badly.
 */
const layers = [
  { name: 'start', tags: ['$initial' as const] },
  // What forms and pages have in common, so that a page does without the forms that one signs in with.
  {
    name: 'fields',
    test: /components\/(TextInput|Alert|Anchor|Avatar|CloseButton|Divider|Skeleton)\/|contracts\/workspaces|create-safe-context|use-uncontrolled|get-transition-props|get-style-object|use-force-update|lib\/(format|use-task|use-title|query-text)|ui\/avatar/,
  },
  { name: 'progress', test: /components\/Progress\// },
  {
    name: 'entrance',
    test: /pages\/(login|register|forgot-password|reset-password|verify-email|invitation|google-callback)\.tsx|shell\/login-layout/,
  },
  { name: 'shell', test: /shell\/default-layout/ },
  {
    name: 'basics',
    minShareCount: 14,
    test: /^(?!.*(floating|ui\/(form-actions|table)\.|AccordionChevron|components\/((Combobox|Select|Popover|Menu|Tooltip|FocusTrap|Overlay|Radio|ScrollArea)\/|Checkbox\/(?!CheckIcon))|use-(focus|click-outside|long-press|previous)|create-scoped-keydown|styles\/(Checkbox|Radio)\.css|find-element-in|contracts\/(connections|knowledge)))/i,
  },
  // What is opened: after the page.
  { name: 'floating', test: /components\/(Popover|Menu|Tooltip)\// },
  { name: 'overlays', test: /components\/(Modal|Drawer)\// },
  // What a shared conversation has in common with one's own.
  {
    name: 'reading',
    test: /conversations\/conversations\.(queries|module)|lib\/plain-text|ui\/copy-button|contracts\/conversations|Icon(FileText|Copy|Check)\./,
  },
  { name: 'conversation', test: /conversations\/chat\.tsx|pages\/bot-chat/ },
];

const server = `http://127.0.0.1:${process.env['PORT'] ?? 3000}`;

export default defineConfig({
  root: 'web',
  plugins: [lightContracts(), pageIcons(), react(), buildFiles()],
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // Every page knows the names of the files of all others.
        chunkFileNames: 'assets/[hash:7].js',
        assetFileNames: ({ names }) =>
          names[0]?.endsWith('.css') ? 'assets/[hash:7].css' : 'assets/[name]-[hash][extname]',
        codeSplitting: { groups: layers.map((layer, at) => ({ ...layer, priority: layers.length - at })) },
      },
    },
  },
  server: {
    // Links of the server name this port, so another one is no help.
    strictPort: true,
    // The frame that draws originals has no origin.
    cors: { origin: [defaultAllowedOrigins, 'null'] },
    proxy: {
      '/api': server,
      '/v1': server,
      '/docs': server,
      '/services': server,
      '/socket.io': { target: server, ws: true },
      '/embed.js': server,
      '/widget/': server,
      '/line/image/': server,
      '/l/': server,
      '^/Bot/[^/]+/chat_embed': server,
    },
  },
});
