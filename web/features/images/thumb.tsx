import { Pixels } from '../../ui/pixels.tsx';
import { usePixels } from './images.queries.ts';
import classes from './images.module.css';

/** A small picture; its place is there before it is. */
export function Thumb({ uuid, alt }: { uuid: string; alt: string }) {
  const { data: bytes } = usePixels(uuid, 'thumb');
  return bytes ? (
    <Pixels className={classes['pixels'] ?? ''} bytes={bytes} mime="image/webp" alt={alt} />
  ) : (
    <span className={classes['blank']} />
  );
}
