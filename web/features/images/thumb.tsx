import { Pixels } from '../../ui/pixels.tsx';
import { usePixels } from './images.queries.ts';
import classes from './images.module.css';

/** A small picture; its place is there before it is. One that waits is not fetched yet. */
export function Thumb({ uuid, alt, waits = false }: { uuid: string; alt: string; waits?: boolean }) {
  const { data: bytes } = usePixels(uuid, 'thumb', !waits);
  return bytes ? (
    <Pixels className={classes['pixels'] ?? ''} bytes={bytes} mime="image/webp" alt={alt} />
  ) : (
    <span className={classes['blank']} />
  );
}
