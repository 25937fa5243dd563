import { useEffect, useRef } from 'react';

/** A file needs the bearer, which a plain `src` does not send. */
export function Pixels({
  bytes,
  mime,
  alt,
  className,
}: {
  bytes: ArrayBuffer;
  mime: string;
  alt: string;
  className?: string;
}) {
  const image = useRef<HTMLImageElement>(null);
  useEffect(() => {
    const url = URL.createObjectURL(new Blob([bytes], { type: mime }));
    if (image.current) image.current.src = url;
    return () => URL.revokeObjectURL(url);
  }, [bytes, mime]);
  return <img ref={image} className={className} alt={alt} />;
}
