import { onDenied, takeBack } from './store.ts';
import type { FromFrame, Identified, ToFrame } from './messages.ts';

export interface Surroundings {
  isOpen: boolean;
  /** The page that shows the widget. */
  page: string;
  identify: Identified | undefined;
  /** When the page last signed its visitor out; 0 for never. */
  resetAt: number;
}

/** The loader's side, where the address names one: its origin is checked in both directions. */
export function createHost(origin: string | null) {
  let now: Surroundings = { isOpen: true, page: location.href, identify: undefined, resetAt: 0 };
  const listeners = new Set<(kind: ToFrame['kotae']) => void>();
  const isFramed = origin !== null && window.parent !== window;
  const tell = (message: FromFrame) => {
    if (isFramed) window.parent.postMessage(message, origin);
  };
  const greeted = new Promise<void>((done) => {
    if (!isFramed) return done();
    window.addEventListener('message', ({ source, origin: from, data }: MessageEvent<ToFrame | undefined>) => {
      if (source !== window.parent || from !== origin || !isSaid(data)) return;
      // A loader that a browser has kept from before tells nothing of this.
      const { kotae, isOpen, page, identify, kept = {} } = data;
      now = { isOpen, page: page.slice(0, 2000), identify, resetAt: kept.reset ?? 0 };
      if (kotae === 'init') takeBack(kept.frame);
      done();
      for (const listen of listeners) listen(kotae);
    });
    onDenied((frame) => tell({ kotae: 'keep', detail: { frame } }));
    tell({ kotae: 'hello' });
  });
  return {
    tell,
    greeted,
    now: () => now,
    /** Returns what ends the listening. */
    on(listen: (kind: ToFrame['kotae']) => void): () => void {
      listeners.add(listen);
      return () => void listeners.delete(listen);
    },
  };
}

export type Host = ReturnType<typeof createHost>;

const isSaid = (data: ToFrame | undefined): data is ToFrame =>
  data !== undefined &&
  ['init', 'shown', 'identify'].includes(data?.kotae) &&
  typeof data.isOpen === 'boolean' &&
  typeof data.page === 'string';
