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

/** Counted in this process, or in Redis for every node; while Redis is away each node counts for itself. */
export function createLimits(redis: Redis | undefined, changed: Partial<Record<LimitName, Limit>>): Limits {
  const limiters = new Map<LimitName, RateLimiterMemory | RateLimiterRedis>();
  const limiterOf = (name: LimitName) => {
    const known = limiters.get(name);
    if (known) return known;
    const { max, seconds } = changed[name] ?? defaultLimits[name];
    const options = { keyPrefix: `kotae:limit:${name}`, points: max, duration: seconds };
    const memory = new RateLimiterMemory(options);
    const limiter = redis ? new RateLimiterRedis({ ...options, storeClient: redis, useRedisPackage: true, insuranceLimiter: memory }) : memory;
    limiters.set(name, limiter);
    return limiter;
  };
  const refuse = (msLeft: number) => {
    const seconds = Math.max(1, Math.ceil(msLeft / 1000));
    return new AppError('too-many-requests', { seconds }, { retryAfterSeconds: seconds });
  };
  return {
    async take(name, who) {
      try {
        await limiterOf(name).consume(who);
      } catch (refusal) {
        throw refusal instanceof RateLimiterRes ? refuse(refusal.msBeforeNext) : refusal;
      }
    },
    async check(name, who) {
      const found = await limiterOf(name).get(who);
      if (found && found.remainingPoints <= 0) throw refuse(found.msBeforeNext);
    },
    async clear(name, who) {
      await limiterOf(name).delete(who);
    },
  };
}

/** Nothing is too often: for load tests. */
export const noLimits: Limits = { take: async () => {}, check: async () => {}, clear: async () => {} };
