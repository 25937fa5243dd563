import { Loader } from '@mantine/core';
import { useEffect, useState, type ReactNode } from 'react';
import { Pixels } from '../../ui/pixels.tsx';
import classes from './chunks.module.css';

interface Props {
  /** Fetches the original; another one for another document. */
  open(signal: AbortSignal): Promise<ArrayBuffer>;
  mime: string;
  /** How wide it is, as a share of the room. */
  zoom: number;
  label: string;
  failed: ReactNode;
}

/** A document that is a picture, as browsers show it. */
export function PicturePage({ open, mime, zoom, label, failed }: Props) {
  const [bytes, setBytes] = useState<ArrayBuffer>();
  const [isLost, setLost] = useState(false);
  useEffect(() => {
    const abort = new AbortController();
    open(abort.signal).then(setBytes, () => abort.signal.aborted || setLost(true));
    return () => abort.abort();
  }, [open]);
  if (isLost) return failed;
  if (!bytes) return <Loader mx="auto" my="xl" />;
  return (
    <div style={{ width: `${zoom * 100}%` }}>
      <Pixels className={classes['picture'] ?? ''} bytes={bytes} mime={mime} alt={label} />
    </div>
  );
}
