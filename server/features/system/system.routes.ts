import type { Http } from '../../infra/http.ts';
import { pingDatabase } from '../../infra/db.ts';
import { isRedisThere } from '../../infra/redis.ts';
import type { Context } from '../../feature.ts';

/** Liveness says that the process answers; readiness, that what it needs does too. Neither is for browsers. */
export function systemRoutes(app: Http, { db, storage, redis, log, isStopping }: Context): void {
  app.get('/healthz', { schema: { hide: true } }, async (_request, reply) => reply.send({ status: 'ok' }));
  app.get('/readyz', { schema: { hide: true } }, async (_request, reply) => {
    const [checks, shared] = await Promise.all([
      Promise.allSettled([pingDatabase(db), storage.freeBytes()]),
      redis && isRedisThere(redis),
    ]);
    const [database, files] = checks.map((check) => check.status === 'fulfilled');
    // Without Redis each process goes on alone; none of them would be ready if that counted.
    const isReady = Boolean(database && files) && !isStopping();
    if (!isReady) log.warn({ database, files, stopping: isStopping() }, 'not ready');
    return reply
      .status(isReady ? 200 : 503)
      .send({ status: isReady ? 'ready' : 'unavailable', database, storage: files, redis: shared });
  });
}
