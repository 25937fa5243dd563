import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { AppError } from '../../shared/errors.ts';
import type { Redis } from './redis.ts';

/** How often something may be tried. An operator changes a limit with LIMITS=name=max/seconds. */
export interface Limit {
  name: string;
  max: number;
  seconds: number;
  /** What is counted, and by what, for the operator's documentation. */
  what: string;
}

export const limit = (name: string, max: number, seconds: number, what: string): Limit => ({
  name,
  max,
  seconds,
  what,
});

/** Limits of the web server itself; features declare theirs. */
export const callLimits = {
  byAddress: limit('calls', 1200, 60, 'every call of the API, by address'),
  pages: limit('pages', 6000, 60, 'pages, their files and everything else that is no call of the API, by address'),
  /** From few addresses, on behalf of everybody: LINE's servers, and the phones behind one address of a carrier. */
  incoming: limit('incoming', 60_000, 60, 'requests to webhooks and short links, by address'),
  byAccount: limit('account-calls', 1200, 60, 'every call, by account or API key'),
};

export interface Limits {
  /** Counts one try of `who`. Throws `too-many-requests` with the seconds to wait when there were too many. Returns a promise only where Redis counts. */
  take(limit: Limit, who: string): Promise<void> | void;
  /** Throws like `take`, but counts nothing. */
  check(limit: Limit, who: string): Promise<void> | void;
  clear(limit: Limit, who: string): Promise<void> | void;
}

type ChangedLimit = Pick<Limit, 'max' | 'seconds'>;
/** By the limit's name. */
export type ChangedLimits = Record<string, ChangedLimit>;

const redisMs = 500;

/** Counted in this process, or in Redis for every node; while Redis is away or slow each node counts for itself. */
export function createLimits(redis: Redis | undefined, changed: ChangedLimits = {}): Limits {
  const counts = new Map<Limit, { here: Count; shared: RateLimiterRedis | undefined }>();
  const countsOf = (limit: Limit) => {
    const known = counts.get(limit);
    if (known) return known;
    const { max, seconds } = changed[limit.name] ?? limit;
    const made = {
      here: countHere({ max, seconds }),
      shared:
        redis &&
        new RateLimiterRedis({
          keyPrefix: `kotae:limit:${limit.name}`,
          points: max,
          duration: seconds,
          storeClient: redis,
          useRedisPackage: true,
        }),
    };
    counts.set(limit, made);
    return made;
  };
  const use = (
    limit: Limit,
    locally: (here: Count) => void,
    everywhere: (shared: RateLimiterRedis) => Promise<unknown>,
  ): Promise<void> | void => {
    const { here, shared } = countsOf(limit);
    if (!shared || !redis?.isReady) return locally(here);
    return inTime(everywhere(shared)).then(
      () => {},
      (error: unknown) => {
        if (error instanceof AppError) throw error;
        if (error instanceof RateLimiterRes) throw tooMany(error.msBeforeNext);
        return locally(here);
      },
    );
  };
  return {
    take: (limit, who) =>
      use(
        limit,
        (here) => here.take(who),
        (shared) => shared.consume(who),
      ),
    check: (limit, who) =>
      use(
        limit,
        (here) => here.check(who),
        async (shared) => {
          const found = await shared.get(who);
          if (found && found.remainingPoints <= 0) throw tooMany(found.msBeforeNext);
        },
      ),
    clear: (limit, who) =>
      use(
        limit,
        (here) => here.clear(who),
        (shared) => shared.delete(who),
      ),
  };
}

function tooMany(msLeft: number): AppError {
  const seconds = Math.max(1, Math.ceil(msLeft / 1000));
  return new AppError('too-many-requests', { seconds }, { retryAfterSeconds: seconds });
}

interface Count {
  take(who: string): void;
  check(who: string): void;
  clear(who: string): void;
}

/** A window begins with its first try. Synchronous, because every call is counted twice and promises took 10 µs of it. */
function countHere({ max, seconds }: ChangedLimit): Count {
  const windows = new Map<string, { tries: number; until: number }>();
  let sweepAt = 0;
  const open = (who: string, now: number) => {
    const until = now + seconds * 1000;
    if (now > sweepAt) {
      for (const [each, window] of windows) if (window.until <= now) windows.delete(each);
      sweepAt = until;
    }
    windows.set(who, { tries: 1, until });
  };
  return {
    take(who) {
      const now = Date.now();
      const window = windows.get(who);
      if (!window || window.until <= now) return open(who, now);
      window.tries++;
      if (window.tries > max) throw tooMany(window.until - now);
    },
    check(who) {
      const window = windows.get(who);
      const now = Date.now();
      if (window && window.until > now && window.tries >= max) throw tooMany(window.until - now);
    },
    clear: (who) => void windows.delete(who),
  };
}

/** The client keeps commands until a Redis that has just gone is back, which may take long. */
async function inTime<T>(asked: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, fail) => {
    timer = setTimeout(() => fail(new Error('redis-slow')), redisMs);
  });
  try {
    return await Promise.race([asked, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Limits nothing; for load tests. */
export const noLimits: Limits = { take: () => {}, check: () => {}, clear: () => {} };
