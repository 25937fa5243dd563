import type { Log } from './log.ts';

export type Redis = Awaited<ReturnType<typeof connect>>;

/** One connection for everything that nodes share; nothing where there is one node. */
export const openRedis = async (url: string | undefined, log: Log): Promise<Redis | undefined> =>
  url ? connect(url, log) : undefined;

async function connect(url: string, log: Log) {
  const { createClient } = await import('redis');
  const redis = createClient({ url });
  redis.on('error', (err: unknown) => log.warn({ err }, 'Redis cannot be reached; it is tried again'));
  return redis.connect();
}
