import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { build, defineConfig, type Plugin } from 'vite';
import { chunksOf, lightContracts, pack } from './vite.config.ts';

const folder = (path: string) => resolve(import.meta.dirname, path);
/** Where the page's texts are, for the server to name those of the visitor's language. */
const locale = /^shared\/locales\/(\w+)\/widget\.json$/;

/** The list of files for the measurement of sizes, the names of the files of texts, and `/embed.js`, which is a program of its own. */
function widgetFiles(): Plugin {
  return {
    name: 'widget-files',
    apply: 'build',
    buildStart() {
      this.addWatchFile(folder('widget/loader.ts'));
    },
    async writeBundle({ dir = '' }, bundle) {
      const chunks = chunksOf(bundle);
      mkdirSync(join(dir, '.vite'), { recursive: true });
      writeFileSync(join(dir, '.vite/chunks.json'), JSON.stringify(chunks));
      const texts = chunks.flatMap(({ file, modules }) =>
        modules.flatMap((name) => (locale.exec(name)?.[1] ? [[locale.exec(name)?.[1] ?? '', file]] : [])),
      );
      writeFileSync(join(dir, '.vite/texts.json'), JSON.stringify(Object.fromEntries(texts)));
      await build({
        configFile: false,
        logLevel: 'warn',
        build: {
          outDir: dir,
          emptyOutDir: false,
          target: 'es2022',
          lib: { entry: folder('widget/loader.ts'), formats: ['iife'], name: 'kotae', fileName: () => 'embed.js' },
        },
      });
      pack(dir, [...Object.keys(bundle), 'embed.js']);
    },
  };
}

/** The widget: a page for its frame on a smaller React, and the script that brings it. */
export default defineConfig({
  root: 'widget',
  plugins: [lightContracts(), react(), widgetFiles()],
  resolve: {
    alias: [
      { find: /^react$/, replacement: 'preact/compat' },
      { find: /^react-dom\/client$/, replacement: 'preact/compat/client' },
      { find: /^react\/jsx-runtime$/, replacement: 'preact/jsx-runtime' },
    ],
  },
  base: '/widget/',
  build: {
    outDir: '../dist/widget',
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: folder('widget/chat.html'),
      output: { entryFileNames: 'assets/[hash].js', chunkFileNames: 'assets/[hash].js' },
    },
  },
});
