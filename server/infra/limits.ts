import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { AppError } from '../../shared/errors.ts';
import type { Redis } from './redis.ts';

export interface Limit {
  max: number;
  seconds: number;
}

/** How often what may be tried. An operator changes one with LIMITS=name=max/seconds. */
export const defaultLimits = {
  calls: { max: 1200, seconds: 60, what: 'every call, by address' },
  'account-calls': { max: 1200, seconds: 60, what: 'every call, by account or API key' },
  'sign-in': { max: 20, seconds: 300, what: 'tries to sign in, by address' },
  'sign-in-account': {
    max: 20,
    seconds: 900,
    what: 'wrong passwords and codes, by account; a device that signed in before has its own count',
  },
  register: { max: 20, seconds: 3600, what: 'new accounts, by address' },
  'forgot-password': { max: 10, seconds: 3600, what: 'mails asked for with a forgotten password, by address' },
  'forgot-password-account': { max: 3, seconds: 3600, what: 'mails to one account with a forgotten password' },
  code: { max: 30, seconds: 3600, what: 'codes from mails and invitations, by address' },
  invite: { max: 100, seconds: 86_400, what: 'invitations, by person' },
  export: { max: 5, seconds: 3600, what: "exports of one's own data, by person" },
} as const satisfies Record<string, Limit & { what: string }>;

export type LimitName = keyof typeof defaultLimits;

export interface Limits {
  /** Counts one try of `who`. Throws `too-many-requests` with the seconds to wait when there were too many. Nothing to wait for where this process counts. */
  take(name: LimitName, who: string): Promise<void> | void;
  /** Throws like `take`, but counts nothing. */
  check(name: LimitName, who: string): Promise<void> | void;
  clear(name: LimitName, who: string): Promise<void> | void;
}

const redisMs = 500;

/** Counted in this process, or in Redis for every node; while Redis is away or slow each node counts for itself. */
export function createLimits(redis: Redis | undefined, changed: Partial<Record<LimitName, Limit>>): Limits {
  const counts = new Map<LimitName, { here: Count; shared: RateLimiterRedis | undefined }>();
  const countsOf = (name: LimitName) => {
    const known = counts.get(name);
    if (known) return known;
    const limit = changed[name] ?? defaultLimits[name];
    const made = {
      here: countHere(limit),
      shared:
        redis &&
        new RateLimiterRedis({
          keyPrefix: `kotae:limit:${name}`,
          points: limit.max,
          duration: limit.seconds,
          storeClient: redis,
          useRedisPackage: true,
        }),
    };
    counts.set(name, made);
    return made;
  };
  const use = (
    name: LimitName,
    locally: (here: Count) => void,
    everywhere: (shared: RateLimiterRedis) => Promise<unknown>,
  ): Promise<void> | void => {
    const { here, shared } = countsOf(name);
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
    take: (name, who) =>
      use(
        name,
        (here) => here.take(who),
        (shared) => shared.consume(who),
      ),
    check: (name, who) =>
      use(
        name,
        (here) => here.check(who),
        async (shared) => {
          const found = await shared.get(who);
          if (found && found.remainingPoints <= 0) throw tooMany(found.msBeforeNext);
        },
      ),
    clear: (name, who) =>
      use(
        name,
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

/** Windows that begin with the first try in them. Every call is counted twice, so there is nothing here to wait for: promises made it 10 µs a call. */
function countHere({ max, seconds }: Limit): Count {
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

/** What was asked of a Redis that has just gone is kept by its client until Redis is back, which may be long. */
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

/** Nothing is too often: for load tests. */
export const noLimits: Limits = { take: () => {}, check: () => {}, clear: () => {} };
