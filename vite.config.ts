import { createHash } from 'node:crypto';
import { cpSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const contracts = resolve(import.meta.dirname, 'shared/contracts');
const pdfjs = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'));

/**
 * A page needs of a contract the method and the path; the schemas and zod behind them stay on the server. Types are not
 * touched by this: the compiler still reads the contracts themselves.
 */
function lightContracts(): Plugin {
  return {
    name: 'light-contracts',
    enforce: 'pre',
    async load(id) {
      const file = id.split('?')[0] ?? '';
      if (dirname(file) !== contracts || !file.endsWith('.ts')) return null;
      const values: Record<string, unknown> = await import(pathToFileURL(file).href);
      return Object.entries(values)
        .map(([name, value]) => `export const ${name} = ${JSON.stringify(lighten(value)) ?? 'undefined'};`)
        .join('\n');
    },
  };
}

function lighten(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return typeof value === 'function' ? undefined : value;
  if ('_zod' in value) return undefined;
  if (Array.isArray(value)) return value;
  if ('method' in value && 'path' in value) return { method: value.method, path: value.path };
  if ('name' in value && 'data' in value) return { name: value.name };
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, lighten(each)]));
}

/** The file that open pages poll to learn of a new build, and what pdf.js fetches for fonts that a file does not embed. */
function buildFiles(): Plugin {
  return {
    name: 'build-files',
    apply: 'build',
    generateBundle(_options, bundle) {
      const build = createHash('sha256').update(Object.keys(bundle).toSorted().join()).digest('hex').slice(0, 16);
      this.emitFile({ type: 'asset', fileName: 'latest-build.json', source: JSON.stringify({ build }) });
      const html = bundle['index.html'];
      if (html?.type === 'asset') html.source = String(html.source).replace('%BUILD%', build);
    },
    writeBundle({ dir = '' }) {
      for (const folder of ['cmaps', 'standard_fonts', 'wasm']) cpSync(join(pdfjs, folder), join(dir, 'pdf', folder), { recursive: true });
    },
  };
}

/**
 * Which modules go into one file, from the first that is needed to the last. Each takes along what it needs and no file before it
 * has, so files never import each other in a circle. A browser asks for six at a time, and small ones compress badly.
 */
const layers = [
  { name: 'start', tags: ['$initial' as const] },
  { name: 'entrance', test: /pages\/(login|register|forgot-password|reset-password|verify-email|invitation|google-callback)\.tsx|shell\/login-layout/ },
  { name: 'shell', test: /shell\/default-layout/ },
  { name: 'basics', minShareCount: 12 },
  { name: 'overlays', test: /components\/(Modal|Drawer)\// },
  // What a shared conversation has in common with one's own.
  { name: 'reading', test: /conversations\/(conversations\.(queries|module)|plain-text)|ui\/(copy-button|anchored-popover)|contracts\/conversations|Icon(FileText|Copy|Check)\./ },
  { name: 'conversation', test: /conversations\/chat\.tsx|pages\/bot-chat/ },
];

export default defineConfig({
  root: 'web',
  plugins: [lightContracts(), react(), buildFiles()],
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    manifest: true,
    target: 'es2022',
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // Every page knows the names of the files of all others.
        chunkFileNames: 'assets/[hash].js',
        codeSplitting: { groups: layers.map((layer, at) => ({ ...layer, priority: layers.length - at })) },
      },
    },
  },
  server: { proxy: { '/api': 'http://127.0.0.1:3000', '/docs': 'http://127.0.0.1:3000', '/socket.io': { target: 'http://127.0.0.1:3000', ws: true } } },
});
