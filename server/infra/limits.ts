import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { AppError } from '../../shared/errors.ts';
import type { Redis } from './redis.ts';

export interface Limit {
  max: number;
  seconds: number;
}

/** How often what may be tried. An operator changes one with LIMITS=name=max/seconds. */
export const defaultLimits = {
  'calls': { max: 1200, seconds: 60, what: 'every call, by address' },
  'account-calls': { max: 1200, seconds: 60, what: 'every call, by account or API key' },
  'sign-in': { max: 20, seconds: 300, what: 'tries to sign in, by address' },
  'sign-in-account': { max: 20, seconds: 900, what: 'wrong passwords and codes, by account; a device that signed in before has its own count' },
  'register': { max: 20, seconds: 3600, what: 'new accounts, by address' },
  'forgot-password': { max: 10, seconds: 3600, what: 'mails asked for with a forgotten password, by address' },
  'forgot-password-account': { max: 3, seconds: 3600, what: 'mails to one account with a forgotten password' },
  'code': { max: 30, seconds: 3600, what: 'codes from mails and invitations, by address' },
  'invite': { max: 100, seconds: 86_400, what: 'invitations, by person' },
  'export': { max: 5, seconds: 3600, what: 'exports of one\'s own data, by person' },
} as const satisfies Record<string, Limit & { what: string }>;

export type LimitName = keyof typeof defaultLimits;

export interface Limits {
  /** Counts one try of `who`. Throws `too-many-requests` with the seconds to wait when there were too many. */
  take(name: LimitName, who: string): Promise<void>;
  /** Throws like `take`, but counts nothing. */
  check(name: LimitName, who: string): Promise<void>;
  clear(name: LimitName, who: string): Promise<void>;
}

const redisMs = 500;

/** Counted in this process, or in Redis for every node; while Redis is away or slow each node counts for itself. */
export function createLimits(redis: Redis | undefined, changed: Partial<Record<LimitName, Limit>>): Limits {
  const limiters = new Map<LimitName, { memory: RateLimiterMemory; shared: RateLimiterRedis | undefined }>();
  const limitersOf = (name: LimitName) => {
    const known = limiters.get(name);
    if (known) return known;
    const { max, seconds } = changed[name] ?? defaultLimits[name];
    const options = { keyPrefix: `kotae:limit:${name}`, points: max, duration: seconds };
    const made = { memory: new RateLimiterMemory(options), shared: redis && new RateLimiterRedis({ ...options, storeClient: redis, useRedisPackage: true }) };
    limiters.set(name, made);
    return made;
  };
  const ask = async <T>(name: LimitName, use: (limiter: RateLimiterMemory | RateLimiterRedis) => Promise<T>): Promise<T> => {
    const { memory, shared } = limitersOf(name);
    if (!shared || !redis?.isReady) return use(memory);
    try {
      return await inTime(use(shared));
    } catch (error) {
      if (error instanceof RateLimiterRes) throw error;
      return use(memory);
    }
  };
  const refuse = (msLeft: number) => {
    const seconds = Math.max(1, Math.ceil(msLeft / 1000));
    return new AppError('too-many-requests', { seconds }, { retryAfterSeconds: seconds });
  };
  return {
    async take(name, who) {
      try {
        await ask(name, (limiter) => limiter.consume(who));
      } catch (refusal) {
        throw refusal instanceof RateLimiterRes ? refuse(refusal.msBeforeNext) : refusal;
      }
    },
    async check(name, who) {
      const found = await ask(name, (limiter) => limiter.get(who));
      if (found && found.remainingPoints <= 0) throw refuse(found.msBeforeNext);
    },
    async clear(name, who) {
      await ask(name, (limiter) => limiter.delete(who));
    },
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
export const noLimits: Limits = { take: async () => {}, check: async () => {}, clear: async () => {} };
