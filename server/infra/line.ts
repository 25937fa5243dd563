import { AppError } from '../../shared/errors.ts';

/** Runs `atOnce` works at a time. Beyond `maxWaiting` in line the next are told to come back: throws `unavailable`. */
export function createLine({ atOnce, maxWaiting }: { atOnce: number; maxWaiting: number }) {
  let active = 0;
  const line: (() => void)[] = [];
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (active >= atOnce) {
      if (line.length >= maxWaiting) throw new AppError('unavailable', {}, { retryAfterSeconds: 3 });
      await new Promise<void>((resolve) => line.push(resolve));
    } else active++;
    try {
      return await work();
    } finally {
      const next = line.shift();
      if (next) next();
      else active--;
    }
  };
}
