import { pptxToHtml } from '@jvmr/pptx-to-html';
import { parseHtml, type Drawing } from './drawing.ts';

/** One slide a page. */
export async function openPptx(bytes: ArrayBuffer): Promise<Drawing> {
  const slides = await pptxToHtml(bytes);
  return {
    pages: slides.length,
    names: [],
    draw: (page) => ({
      document: parseHtml(`<style>body { margin: 0; font-family: sans-serif }</style>${slides[page - 1] ?? ''}`),
      paper: '.slide-container',
    }),
  };
}
