import type { z } from 'zod';
import type { Health } from '../../../shared/contracts/operator.ts';
import { megabyte } from '../../infra/config.ts';
import { pingDatabase } from '../../infra/db.ts';
import { recentErrors } from '../../infra/log.ts';
import { countJobs } from '../../infra/queue.ts';
import type { Context } from '../../feature.ts';
import product from '../../../package.json' with { type: 'json' };
import { countBots } from '../bots/bots.ts';
import { listLateAnswers } from '../conversations/threads.ts';
import { countFiles } from '../files/files.ts';
import { countThings } from '../knowledge/knowledge.ts';
import { countMails } from '../mail/mail.ts';
import { findBooks } from '../usage/books.ts';
import { countUsers } from '../users/users.ts';
import { countWorkspaces } from '../workspaces/memberships.ts';
import { measureDatabase } from './operator.store.ts';

const hourMs = 60 * 60_000;
const slotMs = 5 * 60_000;
const mostAnswers = 5_000;

async function readAnswers({ db }: Context, now: number): Promise<z.output<typeof Health>['answers']> {
  const first = Math.floor((now - hourMs) / slotMs) * slotMs + slotMs;
  const slots = Array.from({ length: hourMs / slotMs }, (_, at) => ({ at: first + at * slotMs, count: 0, failed: 0 }));
  // Figures and slots are of the same answers: one that was stored with an earlier moment is in neither.
  const answers = (await listLateAnswers(db, first, mostAnswers)).filter(({ created_at, status }) => {
    const slot = slots[Math.floor((created_at - first) / slotMs)];
    if (!slot) return false;
    slot.count++;
    if (status === 'failed') slot.failed++;
    return true;
  });
  const waits = answers.flatMap(({ first_token_ms }) => first_token_ms ?? []).toSorted((one, other) => one - other);
  const at = (share: number) => waits[Math.min(waits.length - 1, Math.floor(waits.length * share))] ?? 0;
  return {
    count: answers.length,
    failed: answers.filter(({ status }) => status === 'failed').length,
    firstWordMs: waits.length > 0 ? { median: at(0.5), slow: at(0.95) } : null,
    slots: slots.map((slot) => ({ ...slot, at: new Date(slot.at).toISOString() })),
  };
}

/** How the installation is, as measured now. */
export async function readHealth(context: Context): Promise<z.output<typeof Health>> {
  const { db, engine, storage, mailer, config } = context;
  const asked = performance.now();
  await pingDatabase(db);
  const pingMs = Math.round((performance.now() - asked) * 100) / 100;
  const now = Date.now();
  const [
    { version, bytes },
    queue,
    files,
    mails,
    people,
    workspaces,
    { bots },
    { documents },
    freeBytes,
    answers,
    books,
  ] = await Promise.all([
    measureDatabase(db, engine),
    countJobs(db),
    countFiles(db),
    countMails(db),
    countUsers(db, now),
    countWorkspaces(db),
    countBots(db),
    countThings(db),
    storage.freeBytes(),
    readAnswers(context, now),
    findBooks(db),
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
    answers,
    ledger: books
      ? { at: new Date(books.at).toISOString(), accounts: books.accounts, faults: books.faults.length }
      : null,
    recentErrors: recentErrors(),
  };
}
