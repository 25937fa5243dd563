import { Loader } from '@mantine/core';
import { getDocument, GlobalWorkerOptions, type PDFDocumentLoadingTask, type PDFDocumentProxy } from 'pdfjs-dist';
import workerUrl from 'pdfjs-dist/build/pdf.worker.min.mjs?url';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { findMarks, pdfOptions, type Mark } from '../../../shared/pdf-page.ts';
import { bringInSight } from './in-sight.ts';
import classes from './pdf-page.module.css';

GlobalWorkerOptions.workerSrc = workerUrl;

interface Props {
  /** Fetches the original; another one for another document. */
  open(signal: AbortSignal): Promise<ArrayBuffer>;
  page: number;
  /** Words to mark on the page. */
  highlight: string;
  /** How wide it is drawn, as a share of the room; 1 unless told. */
  zoom?: number;
  label: string;
  failed: ReactNode;
  onPages(pages: number): void;
}

/** One page of a PDF, drawn by pdf.js from the original, with the cited words marked. */
export default function PdfPage({ open, page, highlight, zoom = 1, label, failed, onPages }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [pdf, setPdf] = useState<PDFDocumentProxy>();
  const [marks, setMarks] = useState<Mark[]>([]);
  const [isLost, setLost] = useState(false);
  const [state, setState] = useState<'loading' | 'shown' | 'failed'>('loading');

  useEffect(() => {
    const abort = new AbortController();
    let task: PDFDocumentLoadingTask | undefined;
    const load = async () => {
      const data = await open(abort.signal);
      if (abort.signal.aborted) return;
      task = getDocument({ ...pdfOptions, data });
      const opened = await task.promise;
      if (abort.signal.aborted) return;
      setPdf(opened);
      onPages(opened.numPages);
    };
    load().catch(() => abort.signal.aborted || setLost(true));
    return () => {
      abort.abort();
      void task?.destroy();
    };
  }, [open, onPages]);

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
