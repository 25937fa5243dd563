import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from './log.ts';

/** Commands that a Redis which takes everything and says nothing may leave without an answer. */
const maxUnanswered = 10_000;
const pingMs = 1_000;

export type Redis = Awaited<ReturnType<typeof connect>>;

/** One connection for everything that nodes share; nothing where there is one node. */
export const openRedis = async (url: string | undefined, log: Log): Promise<Redis | undefined> =>
  url ? connect(url, log) : undefined;

async function connect(url: string, log: Log) {
  const { createClient } = await import('redis');
  // While Redis is away each process goes on alone: what was meant for others fails at once, and nothing waits in memory for its return.
  const redis = createClient({ url, disableOfflineQueue: true, commandsQueueMaxLength: maxUnanswered });
  redis.on('error', (err: unknown) => log.warn({ err }, 'Redis cannot be reached; it is tried again'));
  // Who listens asks again as soon as an answer fails, so those connections wait for the return instead.
  redis.duplicate = (overrides) => createClient({ url, ...overrides });
  // The adapter of the sockets does not wait for it; what goes out while Redis is gone reaches nobody, as everything else then.
  const publish = redis.publish.bind(redis);
  const quiet = (...given: Parameters<typeof publish>) => publish(...given).catch(() => 0);
  Object.defineProperty(redis, 'publish', { value: quiet });
  return redis.connect();
}

/** Whether it answers within a second. */
export const isRedisThere = (redis: Redis): Promise<boolean> =>
  Promise.race([
    redis.ping().then(
      () => true,
      () => false,
    ),
    sleep(pingMs, false, { ref: false }),
  ]);
