/** Whose turn a work takes. */
export interface Turn {
  /** The workspace: each has its turn, however much another has waiting. */
  tenant: string;
  /** What visitors sent waits until nothing of their workspace's members does. */
  isVisitors?: boolean;
}

/**
 * Runs as many works at a time as there are places, of one tenant at most `mostOfOne`; others wait for their turn. Throws the reason of
 * `signal` when it aborts before the work has begun.
 */
export type FairLine = <T>(turn: Turn, signal: AbortSignal | undefined, work: () => Promise<T>) => Promise<T>;

interface Size {
  places: number;
  mostOfOne: number;
}

export function createFairLine(size: Size): FairLine {
  let waiting: (Turn & { start(): void })[] = [];
  const taken: string[] = [];
  /** The tenants that wait or work, with the number of their last turn. */
  const turns = new Map<string, number>();
  let count = 0;

  const isOpen = ({ tenant }: Turn) =>
    taken.length < size.places && taken.filter((each) => each === tenant).length < size.mostOfOne;
  const startNext = () => {
    const [next] = waiting
      .filter(isOpen)
      .sort(
        (a, b) =>
          (turns.get(a.tenant) ?? 0) - (turns.get(b.tenant) ?? 0) ||
          Number(a.isVisitors ?? false) - Number(b.isVisitors ?? false),
      );
    if (!next) return;
    waiting = waiting.filter((each) => each !== next);
    taken.push(next.tenant);
    turns.set(next.tenant, ++count);
    next.start();
  };
  const leave = (tenant: string) => {
    if (!taken.includes(tenant) && !waiting.some((each) => each.tenant === tenant)) turns.delete(tenant);
    startNext();
  };
  const wait = (turn: Turn, signal: AbortSignal | undefined) =>
    new Promise<void>((resolve, reject) => {
      const mine = {
        ...turn,
        start: () => {
          signal?.removeEventListener('abort', giveUp);
          resolve();
        },
      };
      const giveUp = () => {
        waiting = waiting.filter((each) => each !== mine);
        leave(turn.tenant);
        reject(signal?.reason);
      };
      signal?.addEventListener('abort', giveUp, { once: true });
      waiting.push(mine);
      startNext();
    });

  return async (turn, signal, work) => {
    signal?.throwIfAborted();
    await wait(turn, signal);
    try {
      return await work();
    } finally {
      taken.splice(taken.indexOf(turn.tenant), 1);
      leave(turn.tenant);
    }
  };
}
