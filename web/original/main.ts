/** The page of the frame in which the document page draws an original: it has no origin, no network and no storage. */
import type { Format, Order, Told, View } from '../lib/original-frame.ts';
import type { Drawing, Drawn } from './drawing.ts';
import { show } from './show.ts';
import { tame } from './tame.ts';

type Open = (bytes: ArrayBuffer) => Drawing | Promise<Drawing>;

const openers: Record<Format, () => Promise<Open>> = {
  html: async () => (await import('./texts.ts')).openHtml,
  text: async () => (await import('./texts.ts')).openText,
  markdown: async () => (await import('./markdown.ts')).openMarkdown,
  mail: async () => (await import('./mail.ts')).openMail,
  csv: async () => (await import('./sheets.ts')).openCsv,
  sheets: async () => (await import('./sheets.ts')).openWorkbook,
  docx: async () => (await import('./docx.ts')).openDocx,
  pptx: async () => (await import('./pptx.ts')).openPptx,
  epub: async () => (await import('./epub.ts')).openEpub,
};

let drawing: Drawing | undefined;
let shown: { page: number; isCut: boolean; show(view: View): void } | undefined;
let zoomAndMark = () => {};
/** One after another, however fast pages are turned. */
let last: Promise<unknown> = Promise.resolve();

// The page that holds this frame may be anybody's only by name: `frame-ancestors` lets none but our own hold it.
const tell = (told: Told) => parent.postMessage(told, '*');

addEventListener('message', ({ source, data }: MessageEvent<Order>) => {
  if (source !== parent) return;
  last = last.then(() => obey(data)).catch(() => tell({ kind: 'failed' }));
});
addEventListener('resize', () => zoomAndMark());
tell({ kind: 'ready' });

async function obey({ original, view }: Order): Promise<void> {
  if (original) {
    const open = await openers[original.format]();
    drawing = await open(original.bytes);
    shown = undefined;
  }
  if (!drawing) return;
  const { pages, names } = drawing;
  const page = Math.min(Math.max(1, view.page), pages ?? 1);
  if (shown?.page !== page) {
    const drawn = await drawing.draw(page);
    shown = { page, isCut: drawn.isCut ?? false, show: put(drawn) };
  }
  const { show: showIt, isCut } = shown;
  zoomAndMark = () => showIt(view);
  zoomAndMark();
  tell({ kind: 'shown', view, pages, names, isCut });
}

/** Puts a page in the place of this one: what it was parsed to is not parsed again, so nothing that was taken out comes back. */
function put({ document: page, paper }: Drawn): (view: View) => void {
  tame(page);
  document.replaceChild(document.adoptNode(page.documentElement), document.documentElement);
  const style = document.createElement('style');
  style.textContent =
    ':root { background: #fff; color-scheme: light } [data-link] { color: #0b57d0; text-decoration: underline; cursor: help } ::highlight(cited) { background: #ffe58a; color: #000 }';
  document.documentElement.append(style);
  return (view) => show(paper, view);
}
