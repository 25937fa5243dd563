import { createRequire } from 'node:module';
import { dirname, join, sep } from 'node:path';
import type { Pictures } from './parser.ts';
import { hasText, readPage } from './pdf.ts';

/** Print of ten points is then 35 pixels high, which is what the models like best. */
const usualScale = 250 / 72;
/** A sheet of A4 has six million at 250 dots per inch; larger ones are drawn coarser. */
const mostPixels = 9_000_000;

/**
 * The pages of a PDF that hold no text, drawn. This is another build of pdf.js than the one that reads text, since only this one draws;
 * both in one process fail.
 */
export async function openPages(file: Uint8Array): Promise<Pictures> {
  const [{ getDocument }, { createCanvas }] = await Promise.all([
    import('pdfjs-dist/legacy/build/pdf.mjs'),
    import('@napi-rs/canvas'),
  ]);
  const home = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'));
  const folder = (name: string) => join(home, name) + sep;
  const document = await getDocument({
    data: new Uint8Array(file),
    cMapUrl: folder('cmaps'),
    cMapPacked: true,
    standardFontDataUrl: folder('standard_fonts'),
    wasmUrl: folder('wasm'),
    iccUrl: folder('iccs'),
    useSystemFonts: false,
    verbosity: 0,
  }).promise;
  return {
    count: document.numPages,
    async picture(number) {
      if (hasText(await readPage(document, number))) return undefined;
      const page = await document.getPage(number);
      const { width, height } = page.getViewport({ scale: 1 });
      const scale = Math.min(usualScale, Math.sqrt(mostPixels / (width * height)));
      const viewport = page.getViewport({ scale });
      const canvas = createCanvas(Math.ceil(viewport.width), Math.ceil(viewport.height));
      // A border: pdf.js names the canvas of browsers, and draws on this one as well.
      const sheet = canvas as unknown as Parameters<typeof page.render>[0]['canvas'];
      await page.render({ canvas: sheet, viewport }).promise;
      page.cleanup();
      const colours = canvas.data();
      const pixels = new Uint8Array(canvas.width * canvas.height);
      for (let at = 0; at < pixels.length; at++)
        pixels[at] =
          0.3 * (colours[at * 4] ?? 0) + 0.59 * (colours[at * 4 + 1] ?? 0) + 0.11 * (colours[at * 4 + 2] ?? 0);
      return { pixels, width: canvas.width, height: canvas.height, perPoint: scale };
    },
  };
}
