import { Loader } from '@mantine/core';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { mostColumns, mostRows, type Format, type Order, type Told, type View } from '../../lib/original-frame.ts';
import { formatNumber } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import classes from './chunks.module.css';

const timeLimitMs = 20_000;

interface Props {
  /** Fetches the original; another one for another document. */
  open(signal: AbortSignal): Promise<ArrayBuffer>;
  format: Format;
  page: number;
  /** Words to mark. */
  words: string;
  zoom: number;
  label: string;
  failed: ReactNode;
  onPages(pages: number | null): void;
  onSheets(names: string[]): void;
}

/** An original that a library draws, in a frame that has no origin and calls nobody. Whatever goes wrong in it ends with it. */
export default function OriginalFrame({ open, format, page, words, zoom, label, failed, onPages, onSheets }: Props) {
  const { t } = useTranslation('knowledge');
  const frame = useRef<HTMLIFrameElement>(null);
  const [isReady, setReady] = useState(false);
  const [bytes, setBytes] = useState<ArrayBuffer>();
  const [isLost, setLost] = useState(false);
  const [shown, setShown] = useState<{ view: View; isCut: boolean }>();
  const isDrawing = shown?.view.page !== page || shown.view.words !== words || shown.view.zoom !== zoom;

  useEffect(() => {
    const abort = new AbortController();
    open(abort.signal).then(setBytes, () => abort.signal.aborted || setLost(true));
    return () => abort.abort();
  }, [open]);

  useEffect(() => {
    const listen = ({ source, data }: MessageEvent<Told>) => {
      if (!source || source !== frame.current?.contentWindow) return;
      if (data.kind === 'ready') setReady(true);
      else if (data.kind === 'failed') setLost(true);
      else if (data.kind === 'shown') {
        setShown(data);
        onPages(data.pages);
        onSheets(data.names);
      }
    };
    window.addEventListener('message', listen);
    return () => window.removeEventListener('message', listen);
  }, [onPages, onSheets]);

  const sent = useRef<ArrayBuffer>(undefined);
  useEffect(() => {
    if (!isReady || !bytes) return;
    const order: Order = { view: { page, words, zoom } };
    if (sent.current !== bytes) order.original = { bytes, format };
    sent.current = bytes;
    // It has no origin that could be named; nobody else can be in it, since it leads nowhere and this page frames only its own.
    frame.current?.contentWindow?.postMessage(order, '*');
  }, [isReady, bytes, format, page, words, zoom]);

  useEffect(() => {
    if (!isDrawing || !bytes) return;
    const timer = setTimeout(() => setLost(true), timeLimitMs);
    return () => clearTimeout(timer);
  }, [isDrawing, bytes]);

  if (isLost) return failed;
  return (
    <>
      {isDrawing && <Loader className={classes['drawing'] ?? ''} />}
      {shown?.isCut && (
        <p className={classes['cut']}>
          {t('document.originalCut', { rows: formatNumber(mostRows), columns: formatNumber(mostColumns) })}
        </p>
      )}
      <iframe
        ref={frame}
        className={classes['frame']}
        title={label}
        sandbox="allow-scripts"
        src="/original/index.html"
        aria-busy={isDrawing}
      />
    </>
  );
}
