export interface Pace {
  push(text: string): void;
  /** Sends the waiting text at once, before anything that has to come after it. */
  flush(): void;
}

/** A screen shows sixty frames a second; sending pieces of text more often is work that nobody sees. */
const frameMs = 16;

interface Paced {
  waiting: string;
  toldAt: number;
  tell(text: string): void;
}

// One timer for all texts.
const late = new Set<Paced>();
let clock: NodeJS.Timeout | undefined;

function tellAll(): void {
  clock = undefined;
  const now = performance.now();
  for (const paced of late) tellNow(paced, now);
  late.clear();
}

function tellNow(paced: Paced, now: number): void {
  if (paced.waiting === '') return;
  const text = paced.waiting;
  paced.waiting = '';
  paced.toldAt = now;
  paced.tell(text);
}

/** Passes on a growing text: at once if nothing was sent for a frame, otherwise with the next frame. */
export function createPace(tell: (text: string) => void): Pace {
  const paced: Paced = { waiting: '', toldAt: -Infinity, tell };
  return {
    push(text) {
      paced.waiting += text;
      const now = performance.now();
      if (now - paced.toldAt >= frameMs) return tellNow(paced, now);
      late.add(paced);
      clock ??= setTimeout(tellAll, frameMs);
    },
    flush() {
      late.delete(paced);
      tellNow(paced, performance.now());
    },
  };
}
