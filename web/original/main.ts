/** The page of the frame in which the document page draws an original: it has no origin, no network and no storage. */
import type { Format, Order, Told, View } from '../lib/original-frame.ts';
import type { Drawing, Drawn } from './drawing.ts';
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
    shown = { page, isCut: drawn.isCut ?? false, show: await put(drawn) };
  }
  const { show, isCut } = shown;
  zoomAndMark = () => show(view);
  zoomAndMark();
  tell({ kind: 'shown', pages, names, isCut });
}

/** Puts a page into a frame in which nothing runs, instead of the one before. */
async function put({ document: page, paper }: Drawn): Promise<(view: View) => void> {
  tame(page);
  const frame = document.createElement('iframe');
  // Without `allow-scripts` nothing in it runs; with its origin, which is this page's none, words can be marked in it.
  frame.setAttribute('sandbox', 'allow-same-origin');
  frame.title = document.title;
  const loaded = new Promise((done) => frame.addEventListener('load', done, { once: true }));
  frame.srcdoc = '<!doctype html>';
  document.body.replaceChildren(frame);
  await loaded;
  const [inside, { show }] = [frame.contentDocument, await import('./show.ts')];
  if (!inside) throw new TypeError('a frame without a document');
  inside.replaceChild(inside.adoptNode(page.documentElement), inside.documentElement);
  const style = inside.createElement('style');
  style.textContent =
    ':root { background: #fff; color-scheme: light } [data-link] { color: #0b57d0; text-decoration: underline; cursor: help } ::highlight(cited) { background: #ffe58a; color: #000 }';
  (inside.head ?? inside.documentElement).append(style);
  return (view) => show(inside, paper, view);
}
