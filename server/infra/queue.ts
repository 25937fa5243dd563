import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { newId, type Database, type Db, type Trx } from './db.ts';
import type { Log } from './log.ts';

export interface JobRun {
  /** Aborted when the server stops, or when the lease was lost to another worker. */
  signal: AbortSignal;
  /** Runs the writes only while this worker still holds the job; throws `LeaseLostError` otherwise. */
  fenced<T>(write: (trx: Trx) => Promise<T>): Promise<T>;
}

export interface JobKind<P> {
  kind: string;
  /** How often it may fail, and the longest pause between two tries; three times and a minute unless told. */
  attempts?: number;
  longestPauseMs?: number;
  run(payload: P, run: JobRun): Promise<void>;
  /** Called once when every attempt has failed. */
  dead?(payload: P, error: unknown): Promise<void>;
}

export class LeaseLostError extends Error {}

export interface Queue {
  /** Adds a job in the transaction of the change it follows from. A `uniqueKey` that waits already is not added twice. */
  add<P>(trx: Trx | Db, kind: string, payload: P, options?: { uniqueKey?: string; delayMs?: number }): Promise<void>;
  register<P>(kind: JobKind<P>): void;
  /** Looks for work now, for example after the transaction that added some. */
  wake(): void;
  start(): void;
  /** Claims nothing more, aborts what runs, and waits for it. */
  stop(): Promise<void>;
}

const leaseMs = 60_000;
const heartbeatMs = 15_000;
const pollMs = 1_000;
const usualAttempts = 3;
const mostClaims = 25;
const backoffMs = (attempt: number, longest = 60_000) => Math.min(longest, 1_000 * 4 ** attempt);

/** Jobs in a table of the same database: claimed with a lease, kept by a heartbeat, fenced by a number, tried three times. */
export function createQueue({ db, engine }: Database, log: Log, concurrency: number): Queue {
  // The payload's type belongs to the kind; the table keeps JSON, and only the kind's own jobs reach it.
  const kinds = new Map<string, JobKind<never>>();
  const owner = newId();
  const stopping = new AbortController();
  const running = new Set<Promise<void>>();
  let wakeUp = () => {};
  let loop: Promise<void> | undefined;

  async function claim() {
    const now = Date.now();
    return db.transaction().execute(async (trx) => {
      let due = trx
        .selectFrom('job')
        .selectAll()
        .where('kind', 'in', [...kinds.keys()])
        .where((where) =>
          where.or([
            where.and([where('state', '=', 'queued'), where('run_at', '<=', now)]),
            where.and([where('state', '=', 'running'), where('lease_until', '<', now)]),
          ]),
        )
        .orderBy('run_at')
        .limit(1);
      if (engine === 'postgres') due = due.forUpdate().skipLocked();
      const job = await due.executeTakeFirst();
      if (!job) return undefined;
      const claimed = {
        state: 'running' as const,
        lease_owner: owner,
        lease_until: now + leaseMs,
        fence: job.fence + 1,
        updated_at: now,
      };
      await trx.updateTable('job').set(claimed).where('uuid', '=', job.uuid).execute();
      return { ...job, ...claimed };
    });
  }

  async function runJob(job: NonNullable<Awaited<ReturnType<typeof claim>>>): Promise<void> {
    const kind = kinds.get(job.kind);
    if (!kind) return;
    const lost = new AbortController();
    const signal = AbortSignal.any([stopping.signal, lost.signal]);
    const mine = (query: Trx | Db) =>
      query
        .updateTable('job')
        .where('uuid', '=', job.uuid)
        .where('fence', '=', job.fence)
        .where('state', '=', 'running');
    const heartbeat = setInterval(() => {
      mine(db)
        .set({ lease_until: Date.now() + leaseMs, updated_at: Date.now() })
        .executeTakeFirst()
        .then(({ numUpdatedRows }) => numUpdatedRows === 0n && lost.abort(new LeaseLostError()))
        .catch((err: unknown) => log.warn({ err, job: job.uuid }, 'job heartbeat failed'));
    }, heartbeatMs);
    const payload: never = JSON.parse(job.payload) as never; // see `kinds`
    // A kill is not the job's fault and costs no attempt; each claim beyond the failures was one.
    const claims = job.fence - job.attempts;
    try {
      // A kill is not the job's fault and costs no attempt; a job that takes every process down with it ends all the same.
      if (claims > mostClaims)
        throw new Error('the process ended too often while it ran this job', { cause: job.error });
      await kind.run(payload, {
        signal,
        fenced: (write) =>
          db.transaction().execute(async (trx) => {
            const { numUpdatedRows } = await mine(trx)
              .set({ lease_until: Date.now() + leaseMs })
              .executeTakeFirst();
            if (numUpdatedRows === 0n) throw new LeaseLostError();
            return write(trx);
          }),
      });
      await mine(db)
        .set({ state: 'done', unique_key: null, lease_until: null, error: null, updated_at: Date.now() })
        .execute();
    } catch (error) {
      if (error instanceof LeaseLostError || lost.signal.aborted) return;
      if (stopping.signal.aborted) {
        await mine(db).set({ state: 'queued', lease_until: null, updated_at: Date.now() }).execute();
        return;
      }
      const failures = job.attempts + 1;
      log.warn({ err: error, job: job.uuid, kind: job.kind, failures }, 'job failed');
      const message = error instanceof Error ? error.message.slice(0, 1000) : String(error);
      if (failures >= (kind.attempts ?? usualAttempts) || claims > mostClaims) {
        await kind.dead?.(payload, error);
        await mine(db)
          .set({
            state: 'dead',
            attempts: failures,
            unique_key: null,
            lease_until: null,
            error: message,
            updated_at: Date.now(),
          })
          .execute();
      } else {
        await mine(db)
          .set({
            state: 'queued',
            attempts: failures,
            lease_until: null,
            error: message,
            run_at: Date.now() + backoffMs(failures, kind.longestPauseMs),
            updated_at: Date.now(),
          })
          .execute();
      }
    } finally {
      clearInterval(heartbeat);
    }
  }

  async function work(): Promise<void> {
    while (!stopping.signal.aborted) {
      let claimed = false;
      if (kinds.size > 0 && running.size < concurrency) {
        try {
          const job = await claim();
          if (job) {
            claimed = true;
            const run = runJob(job)
              .catch((err: unknown) =>
                log.error({ err, job: job.uuid }, 'job could not be settled; its lease will run out'),
              )
              .finally(() => {
                running.delete(run);
                wakeUp();
              });
            running.add(run);
          }
        } catch (err) {
          log.warn({ err }, 'the job table cannot be read');
        }
      }
      if (!claimed) {
        const woken = new Promise<void>((resolve) => {
          wakeUp = resolve;
        });
        const pause = new AbortController();
        await Promise.race([woken, sleep(pollMs, undefined, { signal: pause.signal }).catch(() => {})]);
        pause.abort();
      }
    }
  }

  return {
    async add(trx, kind, payload, { uniqueKey, delayMs = 0 } = {}) {
      const now = Date.now();
      await trx
        .insertInto('job')
        .values({
          uuid: newId(),
          kind,
          payload: JSON.stringify(payload),
          unique_key: uniqueKey ?? null,
          state: 'queued',
          run_at: now + delayMs,
          attempts: 0,
          fence: 0,
          created_at: now,
          updated_at: now,
        })
        .onConflict((conflict) => conflict.column('unique_key').doNothing())
        .execute();
    },
    register: (kind) => void kinds.set(kind.kind, kind as JobKind<never>), // see `kinds`
    wake: () => wakeUp(),
    start() {
      loop ??= work();
    },
    async stop() {
      stopping.abort();
      wakeUp();
      await loop;
      await Promise.all(running);
    },
  };
}

/** The embedded database has one process: whatever a former one had claimed is free at once, not when its lease runs out. */
export async function dropLeases(db: Db): Promise<void> {
  await db.updateTable('job').set({ lease_until: 0 }).where('state', '=', 'running').execute();
}

/** Deletes what was done over a week ago; what died stays a month for whoever looks for the reason. */
export async function sweepJobs(db: Db, now = Date.now()): Promise<void> {
  const day = 86_400_000;
  await sql`delete from job where (state = 'done' and updated_at < ${now - 7 * day}) or (state = 'dead' and updated_at < ${now - 30 * day})`.execute(
    db,
  );
}

export interface JobCounts {
  queued: number;
  running: number;
  dead: number;
  oldestQueuedAt: number | null;
}

export async function countJobs(db: Db): Promise<JobCounts> {
  const { rows } = await sql<JobCounts>`select
    (select count(*) from job where state = 'queued') as queued,
    (select count(*) from job where state = 'running') as running,
    (select count(*) from job where state = 'dead') as dead,
    (select min(run_at) from job where state = 'queued') as "oldestQueuedAt"`.execute(db);
  return rows[0] ?? { queued: 0, running: 0, dead: 0, oldestQueuedAt: null };
}
