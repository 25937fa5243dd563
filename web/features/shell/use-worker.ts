import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';

/** Has the app's worker beside the pages, and goes where a pressed notice leads. */
export function useWorker(): void {
  const router = useRouter();
  useEffect(() => {
    // While somebody works on the pages, a worker would stand between.
    if (import.meta.env.DEV || !('serviceWorker' in navigator)) return undefined;
    const { serviceWorker } = navigator;
    const begin = () => void import('../../lib/worker.ts').then(({ startWorker }) => startWorker()).catch(() => {}); // the next page tries again
    const timer = setTimeout(begin, beginMs);
    const listen = ({ data }: MessageEvent<unknown>) => {
      const path = pathIn(data);
      if (path) void router.navigate({ href: path });
    };
    serviceWorker.addEventListener('message', listen);
    serviceWorker.startMessages();
    return () => {
      clearTimeout(timer);
      serviceWorker.removeEventListener('message', listen);
    };
  }, [router]);
}

/** After everything that the first page needs. */
const beginMs = 2_000;

function pathIn(data: unknown): string | undefined {
  if (typeof data !== 'object' || data === null || !('type' in data) || !('path' in data)) return undefined;
  const { type, path } = data;
  return type === 'open' && typeof path === 'string' && /^\/(?!\/)/.test(path) ? path : undefined;
}
