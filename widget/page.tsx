/** The page of a PDF that an answer cites; comes when a visitor wants to see it. */
import { getDocument, GlobalWorkerOptions, type PDFDocumentLoadingTask, type PDFPageProxy } from 'pdfjs-dist';
import workerUrl from 'pdfjs-dist/build/pdf.worker.min.mjs?url';
import { useEffect, useRef, useState } from 'react';
import { visitors } from '../shared/contracts/visitors.ts';
import { findMarks, pdfOptions, type Mark } from '../shared/pdf-page.ts';
import { useWidget } from './context.ts';
import type { Source } from './conversation.ts';
import type { SayOfPage } from './paper.tsx';

GlobalWorkerOptions.workerSrc = workerUrl;

/** Safari draws nothing on a canvas of more than 16,777,216: https://pqina.nl/blog/canvas-area-exceeds-the-maximum-limit/ */
const mostPixels = 16_000_000;
const mostZoom = 4;
/** What one press makes of it. */
const larger = 1.25;

export interface PageProps {
  source: Source;
  say: SayOfPage;
  onState(state: 'drawn' | 'failed'): void;
}

/** It is as wide as the place, and can be made larger; the passage is marked and in sight. */
export function Page({ source, say, onState }: PageProps) {
  const { conversation, say: sayUsual } = useWidget();
  const { file, page: number, quote } = source;
  const box = useRef<HTMLDivElement>(null);
  const sheet = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [page, setPage] = useState<PDFPageProxy>();
  const [marks, setMarks] = useState<Mark[]>([]);
  const [zoom, setZoom] = useState(1);

  useEffect(() => {
    // Whoever asked by keyboard reads on with the arrows.
    if (document.activeElement?.contains(box.current) && document.activeElement !== document.body) box.current?.focus();
  }, []);

  useEffect(() => {
    const abort = new AbortController();
    let task: PDFDocumentLoadingTask | undefined;
    const open = async () => {
      const bytes = await conversation.bytes(visitors.document, {
        params: { uuid: file ?? '' },
        signal: abort.signal,
      });
      const data = await bytes.arrayBuffer();
      if (abort.signal.aborted) return;
      task = getDocument({ ...pdfOptions, data });
      const pdf = await task.promise;
      setPage(await pdf.getPage(number ?? 1));
    };
    open().catch(() => abort.signal.aborted || onState('failed'));
    return () => {
      abort.abort();
      void task?.destroy();
    };
  }, [conversation, file, number, onState]);

  useEffect(() => {
    if (!page) return undefined;
    let isCurrent = true;
    let stop = () => {};
    const draw = async () => {
      const target = canvas.current;
      if (!target) return;
      const { width, height } = page.getViewport({ scale: 1 });
      const wanted = ((box.current?.clientWidth ?? 320) * zoom * Math.min(2, devicePixelRatio)) / width;
      const viewport = page.getViewport({ scale: Math.min(wanted, Math.sqrt(mostPixels / (width * height))) });
      // The one that is shown stays until the next is whole.
      const next = document.createElement('canvas');
      next.width = viewport.width;
      next.height = viewport.height;
      const task = page.render({ canvas: next, viewport });
      stop = () => task.cancel();
      await task.promise;
      const { items } = await page.getTextContent();
      if (!isCurrent) return;
      target.width = next.width;
      target.height = next.height;
      target.getContext('2d')?.drawImage(next, 0, 0);
      // Safari keeps the memory of a canvas that nobody has any more.
      next.width = 0;
      setMarks(
        findMarks(
          items.filter((item) => 'str' in item),
          viewport,
          quote,
        ),
      );
      onState('drawn');
    };
    // While fingers move, what is there is stretched.
    const timer = setTimeout(() => draw().catch(() => isCurrent && onState('failed')), zoom === 1 ? 0 : 150);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
      stop();
    };
  }, [page, quote, zoom, onState]);

  const isMarked = marks.length > 0;
  useEffect(() => {
    const mark = box.current?.querySelector('i');
    if (box.current && mark) box.current.scrollTop = mark.offsetTop - box.current.clientHeight / 3;
  }, [isMarked]);

  const zoomed = useRef(1);
  /** What is at a place of the box, its middle unless told, stays there. */
  const zoomTo = (wanted: number, at?: { x: number; y: number }) => {
    const place = box.current;
    if (!place || !sheet.current) return;
    const { x, y } = at ?? { x: place.clientWidth / 2, y: place.clientHeight / 2 };
    const next = Math.min(mostZoom, Math.max(1, wanted));
    const by = next / zoomed.current;
    const [left, top] = [(place.scrollLeft + x) * by - x, (place.scrollTop + y) * by - y];
    zoomed.current = next;
    sheet.current.style.width = `${next * 100}%`;
    place.scrollTo(left, top);
    setZoom(next);
  };
  const zoomBy = (by: number) => zoomTo(zoomed.current * by);

  useEffect(() => {
    const place = box.current;
    if (!place) return undefined;
    const at = (x: number, y: number) => {
      const { left, top } = place.getBoundingClientRect();
      return { x: x - left, y: y - top };
    };
    let last = 0;
    const pinch = (event: TouchEvent) => {
      const [one, other] = event.touches;
      if (!one || !other) return;
      event.preventDefault();
      const apart = Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);
      if (event.type === 'touchmove' && last > 0)
        zoomTo(
          (zoomed.current * apart) / last,
          at((one.clientX + other.clientX) / 2, (one.clientY + other.clientY) / 2),
        );
      last = apart;
    };
    // Browsers tell of fingers on a touchpad as of a wheel with this key.
    const turn = (event: WheelEvent) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      zoomTo(zoomed.current * Math.exp(-event.deltaY / 100), at(event.clientX, event.clientY));
    };
    const press = ({ key, ctrlKey, metaKey }: KeyboardEvent) => {
      if (ctrlKey || metaKey) return;
      if (key === '+' || key === '=') zoomBy(larger);
      if (key === '-') zoomBy(1 / larger);
      if (key === '0') zoomTo(1);
    };
    // What would be done with them otherwise has to be prevented, which React's own listeners may not.
    const listening = new AbortController();
    const options = { passive: false, signal: listening.signal };
    place.addEventListener('touchstart', pinch, options);
    place.addEventListener('touchmove', pinch, options);
    place.addEventListener('wheel', turn, options);
    place.addEventListener('keydown', press, options);
    return () => listening.abort();
  }, []);

  const name = sayUsual('page', { page: number ?? 1 });
  return (
    <>
      <div className="pdf" role="region" aria-label={name} tabIndex={0} ref={box}>
        <div ref={sheet}>
          <canvas ref={canvas} role="img" aria-label={name} />
          {marks.map((mark, at) => (
            <i
              key={at}
              style={{ left: `${mark.left}%`, top: `${mark.top}%`, width: `${mark.width}%`, height: `${mark.height}%` }}
            />
          ))}
        </div>
      </div>
      <div className="zoom">
        {(['smaller', 'larger'] as const).map((each) => (
          <button
            type="button"
            key={each}
            className="bare"
            aria-label={say(each)}
            aria-disabled={zoom === (each === 'larger' ? mostZoom : 1)}
            onClick={() => zoomBy(each === 'larger' ? larger : 1 / larger)}
          >
            <svg className="icon" viewBox="0 0 24 24" aria-hidden>
              <path d={each === 'larger' ? 'M12 5v14M5 12h14' : 'M5 12h14'} />
            </svg>
          </button>
        ))}
      </div>
    </>
  );
}
