import { useEffect, useRef } from 'react';
import type { MenuSize } from '../../../shared/menu-layout.ts';

/** Twice as sharp as it is wide on a phone. */
const width = 640;

/** A picture that is in memory only, for the eye alone. */
export function PictureCanvas({ source, size }: { source: CanvasImageSource | undefined; size: MenuSize }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const height = Math.round((width * size.height) / size.width);
  useEffect(() => {
    const paper = canvas.current?.getContext('2d');
    paper?.clearRect(0, 0, width, height);
    if (source) paper?.drawImage(source, 0, 0, width, height);
  }, [source, height]);
  return <canvas ref={canvas} width={width} height={height} aria-hidden />;
}
