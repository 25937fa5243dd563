import type { z } from 'zod';
import type { Health } from '../../../shared/contracts/operator.ts';
import { megabyte } from '../../infra/config.ts';
import { pingDatabase } from '../../infra/db.ts';
import { recentErrors } from '../../infra/log.ts';
import { countJobs } from '../../infra/queue.ts';
import type { Context } from '../../feature.ts';
import product from '../../../package.json' with { type: 'json' };
import { countBots } from '../bots/bots.ts';
import { countFiles } from '../files/files.ts';
import { countThings } from '../knowledge/knowledge.ts';
import { countMails } from '../mail/mail.ts';
import { countUsers } from '../users/users.ts';
import { countWorkspaces } from '../workspaces/memberships.ts';
import { measureDatabase } from './operator.store.ts';

/** How the installation is, as measured now. */
export async function readHealth({ db, engine, storage, mailer, config }: Context): Promise<z.output<typeof Health>> {
  const asked = performance.now();
  await pingDatabase(db);
  const pingMs = Math.round((performance.now() - asked) * 100) / 100;
  const now = Date.now();
  const [{ version, bytes }, queue, files, mails, people, workspaces, { bots }, { documents }, freeBytes] =
    await Promise.all([
      measureDatabase(db, engine),
      countJobs(db),
      countFiles(db),
      countMails(db),
      countUsers(db, now),
      countWorkspaces(db),
      countBots(db),
      countThings(db),
      storage.freeBytes(),
    ]);
  return {
    version: product.version,
    node: process.versions.node,
    startedAt: new Date(performance.timeOrigin).toISOString(),
    memoryBytes: process.memoryUsage.rss(),
    database: { engine, version, bytes, pingMs },
    queue: {
      queued: queue.queued,
      running: queue.running,
      dead: queue.dead,
      oldestQueuedAt: queue.oldestQueuedAt === null ? null : new Date(queue.oldestQueuedAt).toISOString(),
    },
    // Where the free space is unknown, it is given as the largest number.
    storage: {
      files: files.files,
      bytes: files.bytes,
      freeBytes: Math.min(freeBytes, Number.MAX_SAFE_INTEGER),
      lowBytes: config.MIN_FREE_DISK_MB * megabyte,
    },
    mail: { mode: mailer.mode, waiting: mails.waiting, failed: mails.failed },
    counts: { ...people, workspaces, bots, documents },
    recentErrors: recentErrors(),
  };
}
