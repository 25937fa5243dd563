import { Loader } from '@mantine/core';
import { getDocument, GlobalWorkerOptions, type PDFDocumentProxy } from 'pdfjs-dist';
import workerUrl from 'pdfjs-dist/build/pdf.worker.min.mjs?url';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { documents } from '../../../shared/contracts/knowledge.ts';
import { fetchBytes } from '../../lib/api.ts';
import classes from './conversations.module.css';

GlobalWorkerOptions.workerSrc = workerUrl;

interface Props {
  knowledge: string;
  document: string;
  page: number;
  /** Words to mark on the page. */
  highlight: string;
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
export default function PdfPage({ knowledge, document, page, highlight, label, failed, onPages }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [pdf, setPdf] = useState<PDFDocumentProxy>();
  const [marks, setMarks] = useState<Mark[]>([]);
  const [state, setState] = useState<'loading' | 'shown' | 'failed'>('loading');

  useEffect(() => {
    const abort = new AbortController();
    let opened: PDFDocumentProxy | undefined;
    const open = async () => {
      const data = await fetchBytes(documents.file, { params: { knowledge, document }, signal: abort.signal });
      opened = await getDocument({
        data,
        cMapUrl: '/pdf/cmaps/',
        cMapPacked: true,
        standardFontDataUrl: '/pdf/standard_fonts/',
        wasmUrl: '/pdf/wasm/',
        enableXfa: false,
      }).promise;
      if (abort.signal.aborted) return;
      setPdf(opened);
      onPages(opened.numPages);
    };
    open().catch(() => abort.signal.aborted || setState('failed'));
    return () => {
      abort.abort();
      void opened?.loadingTask.destroy();
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
  }, [pdf, page, highlight]);

  if (state === 'failed') return failed;
  return (
    <div className={classes['pageBox']}>
      {state === 'loading' && <Loader m="md" pos="absolute" />}
      <canvas ref={canvas} className={classes['pageCanvas']} role="img" aria-label={label} />
      {marks.map((mark, at) => (
        <div
          key={at}
          className={classes['pageMark']}
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
  const squeeze = (text: string) => text.normalize('NFKC').replace(/[\s-]+/g, '');
  const wanted = squeeze(words);
  if (wanted.length < 4) return [];
  const parts = items.map((item) => squeeze(item.str));
  const start = parts.join('').indexOf(wanted.slice(0, 400));
  if (start < 0) return [];
  const end = start + Math.min(400, wanted.length);
  let at = 0;
  return items.flatMap((item, index): Mark[] => {
    const from = at;
    at += parts[index]?.length ?? 0;
    if (at <= start || from >= end || at === from) return [];
    const [, , , , x = 0, y = 0] = item.transform;
    const [x1, y1] = toViewport(viewport.transform, x, y - item.height * 0.2);
    const [x2, y2] = toViewport(viewport.transform, x + item.width, y + item.height);
    return [
      {
        left: (Math.min(x1, x2) / viewport.width) * 100,
        top: (Math.min(y1, y2) / viewport.height) * 100,
        width: (Math.abs(x2 - x1) / viewport.width) * 100,
        height: (Math.abs(y2 - y1) / viewport.height) * 100,
      },
    ];
  });
}

function toViewport([a = 1, b = 0, c = 0, d = 1, e = 0, f = 0]: number[], x: number, y: number): [number, number] {
  return [a * x + c * y + e, b * x + d * y + f];
}
