import type { z } from 'zod';
import type { Health } from '../../../shared/contracts/operator.ts';
import { pingDatabase } from '../../infra/db.ts';
import { recentErrors } from '../../infra/log.ts';
import type { Context } from '../context.ts';
import product from '../../../package.json' with { type: 'json' };
import { countAll, measureDatabase } from './operator.store.ts';

/** How the installation is, as measured now. */
export async function readHealth({ db, engine, storage, mailer, config }: Context): Promise<z.output<typeof Health>> {
  const asked = performance.now();
  await pingDatabase(db);
  const pingMs = Math.round((performance.now() - asked) * 100) / 100;
  const [{ version, bytes }, counts, freeBytes] = await Promise.all([
    measureDatabase(db, engine),
    countAll(db, Date.now()),
    storage.freeBytes(),
  ]);
  const { users, workspaces, bots, documents, sessions } = counts;
  return {
    version: product.version,
    node: process.versions.node,
    startedAt: new Date(performance.timeOrigin).toISOString(),
    memoryBytes: process.memoryUsage.rss(),
    database: { engine, version, bytes, pingMs },
    queue: {
      queued: counts.queued,
      running: counts.running,
      dead: counts.dead,
      oldestQueuedAt: counts.oldestQueuedAt === null ? null : new Date(counts.oldestQueuedAt).toISOString(),
    },
    // Where there is no telling how much is free, it is as much as a number can say.
    storage: {
      files: counts.files,
      bytes: counts.fileBytes,
      freeBytes: Math.min(freeBytes, Number.MAX_SAFE_INTEGER),
      lowBytes: config.MIN_FREE_DISK_MB * 1024 * 1024,
    },
    mail: { mode: mailer.mode, waiting: counts.mailsWaiting, failed: counts.mailsFailed },
    counts: { users, workspaces, bots, documents, sessions },
    recentErrors: recentErrors(),
  };
}
