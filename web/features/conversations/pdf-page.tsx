import { Loader } from '@mantine/core';
import { getDocument, GlobalWorkerOptions, type PDFDocumentLoadingTask, type PDFDocumentProxy } from 'pdfjs-dist';
import workerUrl from 'pdfjs-dist/build/pdf.worker.min.mjs?url';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { documents } from '../../../shared/contracts/knowledge.ts';
import { fetchBytes } from '../../lib/api.ts';
import { bringInSight } from './in-sight.ts';
import classes from './pdf-page.module.css';

GlobalWorkerOptions.workerSrc = workerUrl;

interface Props {
  knowledge: string;
  document: string;
  page: number;
  /** Words to mark on the page. */
  highlight: string;
  /** How wide it is drawn, as a share of the room; 1 unless told. */
  zoom?: number;
  label: string;
  failed: ReactNode;
  onPages(pages: number): void;
}

interface Mark {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** One page of a PDF, drawn by pdf.js from the original, with the cited words marked. */
export default function PdfPage({ knowledge, document, page, highlight, zoom = 1, label, failed, onPages }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [pdf, setPdf] = useState<PDFDocumentProxy>();
  const [marks, setMarks] = useState<Mark[]>([]);
  const [isLost, setLost] = useState(false);
  const [state, setState] = useState<'loading' | 'shown' | 'failed'>('loading');

  useEffect(() => {
    const abort = new AbortController();
    let task: PDFDocumentLoadingTask | undefined;
    const open = async () => {
      const data = await fetchBytes(documents.file, { params: { knowledge, document }, signal: abort.signal });
      if (abort.signal.aborted) return;
      task = getDocument({
        data,
        cMapUrl: '/pdf/cmaps/',
        cMapPacked: true,
        standardFontDataUrl: '/pdf/standard_fonts/',
        wasmUrl: '/pdf/wasm/',
        enableXfa: false,
      });
      const opened = await task.promise;
      if (abort.signal.aborted) return;
      setPdf(opened);
      onPages(opened.numPages);
    };
    open().catch(() => abort.signal.aborted || setLost(true));
    return () => {
      abort.abort();
      void task?.destroy();
    };
  }, [knowledge, document, onPages]);

  useEffect(() => {
    let isCurrent = true;
    let stop = () => {};
    const draw = async () => {
      const target = canvas.current;
      if (!pdf || !target) return;
      const shown = await pdf.getPage(page);
      const width = target.parentElement?.clientWidth ?? 600;
      const scale = (width / shown.getViewport({ scale: 1 }).width) * Math.min(2, window.devicePixelRatio || 1);
      const viewport = shown.getViewport({ scale });
      if (!isCurrent) return;
      setMarks([]);
      setState('loading');
      target.width = viewport.width;
      target.height = viewport.height;
      const task = shown.render({ canvas: target, viewport });
      stop = () => task.cancel();
      await task.promise;
      const content = await shown.getTextContent();
      if (!isCurrent) return;
      setMarks(
        findMarks(
          content.items.filter((item) => 'str' in item),
          viewport,
          highlight,
        ),
      );
      setState('shown');
    };
    draw().catch(() => isCurrent && setState('failed'));
    return () => {
      isCurrent = false;
      stop();
    };
  }, [pdf, page, highlight, zoom]);

  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const mark = box.current?.querySelector(`.${classes['mark']}`);
    if (mark) bringInSight(mark);
  }, [marks]);

  if (isLost) return failed;
  return (
    <div className={classes['box']} ref={box} style={{ width: `${zoom * 100}%` }}>
      {state === 'failed' && failed}
      {state === 'loading' && <Loader mt="xl" pos="absolute" left="50%" style={{ translate: '-50%' }} />}
      <canvas
        ref={canvas}
        style={state === 'failed' ? { display: 'none' } : {}}
        className={classes['canvas']}
        role="img"
        aria-label={label}
      />
      {(state === 'failed' ? [] : marks).map((mark, at) => (
        <div
          key={at}
          className={classes['mark']}
          style={{ left: `${mark.left}%`, top: `${mark.top}%`, width: `${mark.width}%`, height: `${mark.height}%` }}
        />
      ))}
    </div>
  );
}

interface TextItem {
  str: string;
  transform: number[];
  width: number;
  height: number;
}

/** Where the words stand on the page, in percent of it. Spaces and line ends differ between the two, so they do not count. */
function findMarks(
  items: TextItem[],
  viewport: { width: number; height: number; transform: number[] },
  words: string,
): Mark[] {
  const squeeze = (text: string) => text.normalize('NFKC').replace(/[\s|*#>-]+/g, '');
  const parts = items.map((item) => squeeze(item.str));
  const whole = parts.join('');
  const find = (text: string) => {
    const wanted = squeeze(text).slice(0, 2000);
    const start = wanted.length < 4 ? -1 : whole.indexOf(wanted);
    return start < 0 ? [] : [{ start, end: start + wanted.length }];
  };
  const once = find(words);
  // A passage has lines that the page does not have in the same order, such as a table's.
  const ranges = once.length > 0 ? once : words.split('\n').flatMap(find);
  let at = 0;
  return items.flatMap((item, index): Mark[] => {
    const from = at;
    const length = parts[index]?.length ?? 0;
    at += length;
    const [, , , , x = 0, y = 0] = item.transform;
    // Letters are taken as equally wide, which is near enough to see what is meant.
    const xAt = (place: number) => x + item.width * Math.min(1, Math.max(0, (place - from) / length));
    const met = length > 0 ? ranges.filter(({ start, end }) => at > start && from < end) : [];
    return met.map(({ start, end }) => {
      const [x1, y1] = toViewport(viewport.transform, xAt(start), y - item.height * 0.2);
      const [x2, y2] = toViewport(viewport.transform, xAt(end), y + item.height);
      return {
        left: (Math.min(x1, x2) / viewport.width) * 100,
        top: (Math.min(y1, y2) / viewport.height) * 100,
        width: (Math.abs(x2 - x1) / viewport.width) * 100,
        height: (Math.abs(y2 - y1) / viewport.height) * 100,
      };
    });
  });
}

function toViewport([a = 1, b = 0, c = 0, d = 1, e = 0, f = 0]: number[], x: number, y: number): [number, number] {
  return [a * x + c * y + e, b * x + d * y + f];
}
