import { createContext, useContext } from 'react';
import { useThumb } from '../../lib/use-thumb.ts';
import classes from './images.module.css';

/** While the page scrolls fast, pictures that are not there yet are not fetched. */
export const ScrollsFast = createContext(false);

/** A small picture; its place is there before it is. */
export function Thumb({ uuid, alt }: { uuid: string; alt: string }) {
  const { data: src } = useThumb(uuid, { enabled: !useContext(ScrollsFast) });
  return src ? <img className={classes['pixels']} src={src} alt={alt} /> : <span className={classes['blank']} />;
}
