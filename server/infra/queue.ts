import { setTimeout as sleep } from 'node:timers/promises';
import { sql, type RawBuilder, type Selectable, type Updateable } from 'kysely';
import { inBatches, newId, type Database, type Db, type Trx } from './db.ts';
import type { JobTable, Lane } from './db.types.ts';
import type { Log } from './log.ts';
import type { Write } from './write.ts';

/** What jobs of one kind have in common: declared once, and named by the code that adds them and the code that runs them. */
export interface JobKind<P extends object> {
  name: string;
  lane: Lane;
  /** After this its signal aborts; a job that goes on all the same has failed, and its place is free. */
  timeoutMs: number;
  maxAttempts: number;
  /** The longest pause between two attempts. */
  maxPauseMs: number;
  /** How much of a place in its lane it takes: 1 unless it is so small that several share one. */
  share: number;
  /** Nothing of its payload stays once it is over. */
  holdsSecret: boolean;
  readPayload(json: string): P;
}

export const jobKind = <P extends object>({
  maxAttempts = defaultAttempts,
  maxPauseMs = 60_000,
  share = 1,
  holdsSecret = false,
  ...given
}: Pick<JobKind<P>, 'name' | 'lane' | 'timeoutMs'> &
  Partial<Pick<JobKind<P>, 'maxAttempts' | 'maxPauseMs' | 'share' | 'holdsSecret'>>): JobKind<P> => ({
  ...given,
  maxAttempts,
  maxPauseMs,
  share,
  holdsSecret,
  // A border: only `add` with this kind wrote the JSON of this payload.
  readPayload: (json) => JSON.parse(json),
});

export interface JobHandler<P extends object> {
  run(payload: P, run: JobRun): Promise<void>;
  /** Called once when every attempt has failed. */
  dead?(payload: P, error: unknown): Promise<void>;
}

export interface JobRun {
  /** Aborted when the server stops, when the time is up, or when the lease was lost to another worker. */
  signal: AbortSignal;
  /**
   * Runs the writes only while this run still holds the job; throws `LeaseLostError` otherwise. `first` comes before the job's own row,
   * for what others lock before they add such a job.
   */
  fenced<T>(write: (trx: Trx) => Promise<T>, first?: (trx: Trx) => Promise<unknown>): Promise<T>;
  /** The same for the last writes, which end the job in their transaction. */
  finish<T>(write: (trx: Trx) => Promise<T>, first?: (trx: Trx) => Promise<unknown>): Promise<T>;
}

export class LeaseLostError extends Error {}
class JobTimeoutError extends Error {}

export interface Queue {
  /** Adds a job in the transaction of the change that it follows from. A job with the same `uniqueKey` is not added twice; with `sooner` the one that waits is due no later than this one would be. */
  add<P extends object>(trx: Trx | Db, kind: JobKind<P>, payload: NoInfer<P>, options?: AddOptions): Promise<void>;
  /** The same for many, in few statements. */
  addAll<P extends object>(
    trx: Trx | Db,
    kind: JobKind<P>,
    jobs: { payload: NoInfer<P>; uniqueKey: string; tenant: string }[],
  ): Promise<void>;
  register<P extends object>(kind: JobKind<P>, handler: JobHandler<NoInfer<P>>): void;
  /** Looks for work now, for example after the transaction that added some. */
  wake(): void;
  start(): void;
  /** Claims nothing more, aborts what runs, and waits a few seconds for it. */
  stop(): Promise<void>;
}

interface AddOptions {
  uniqueKey?: string;
  /** The workspace that it is for, or the person: these take turns in a lane, and the jobs of one never take every place of it. */
  tenant?: string;
  delayMs?: number;
  sooner?: boolean;
}

interface QueueOptions {
  /** How many jobs of a lane run at once in this process, where not the default. */
  lanes?: Partial<Record<Lane, number>>;
  /** How long a job may take to end after its signal has aborted. */
  graceMs?: number;
}

/** A kind with a handler that parses its own payload, so that kinds with different payloads fit into one list. */
type Registered = Omit<JobKind<object>, 'readPayload'> & {
  run(json: string, run: JobRun): Promise<void>;
  dead?(json: string, error: unknown): Promise<void>;
};

/** Each lane has its own places, so that two large files never hold up a mail. */
const defaultLanes: Record<Lane, number> = {
  // These mostly wait for other servers.
  messages: 8,
  // Each is one conversation, and a channel's server answers in a tenth of a second.
  channels: 20,
  // Each is one chat whose events arrive, and fetches what was sent.
  events: 20,
  // Other people's programs: one that is slow holds up no notice and no letter.
  webhooks: 8,
  // Mail servers of small providers refuse more than about ten connections from one sender.
  mail: 4,
  // Each is a child process that takes a whole core; one of these is never had by who has the others.
  ingestion: 3,
  // Their pages are read one at a time, in turns; nobody's scans hold up texts.
  scans: 2,
  // They mostly wait for other servers, and each holds a picture.
  images: 4,
  // Each waits for one website between its pages.
  websites: 4,
  // Nobody waits for it.
  upkeep: 1,
};
/** How much of a lane the jobs of one tenant may take, so that there is always a place for another's. */
const tenantShare = 4 / 5;
const leaseMs = 60_000;
const heartbeatMs = 15_000;
const pollMs = 1_000;
const defaultAttempts = 3;
const maxClaims = 25;
const backoffMs = (attempt: number, maxMs: number) => Math.min(maxMs, 1_000 * 4 ** attempt);

/** Adds a job without a queue, for a process that works on none. */
export const addJob: Queue['add'] = async (trx, kind, payload, options = {}) => {
  const row = toRow(kind, payload, options);
  const { run_at } = row;
  await trx
    .insertInto('job')
    .values(row)
    .onConflict((conflict) =>
      options.sooner
        ? conflict
            .column('unique_key')
            .doUpdateSet({ run_at })
            .where('job.state', '=', 'queued')
            .where('job.run_at', '>', run_at)
        : conflict.column('unique_key').doNothing(),
    )
    .execute();
};

const addJobs: Queue['addAll'] = async (trx, kind, jobs) => {
  for (const batch of inBatches(jobs))
    await trx
      .insertInto('job')
      .values(batch.map(({ payload, ...options }) => toRow(kind, payload, options)))
      .onConflict((conflict) => conflict.column('unique_key').doNothing())
      .execute();
};

function toRow<P extends object>(
  { name, lane }: JobKind<P>,
  payload: P,
  { uniqueKey, tenant, delayMs = 0 }: AddOptions,
) {
  const now = Date.now();
  return {
    uuid: newId(),
    kind: name,
    lane,
    payload: JSON.stringify(payload),
    unique_key: uniqueKey ?? null,
    tenant: tenant ?? null,
    state: 'queued' as const,
    run_at: now + delayMs,
    attempts: 0,
    fence: 0,
    created_at: now,
    updated_at: now,
  };
}

/** Jobs in a table of the same database: claimed with a lease, kept by a heartbeat, fenced by a number, tried three times. */
export function createQueue(
  { db, engine, write }: Pick<Database, 'db' | 'engine'> & { write: Write },
  log: Log,
  { lanes = {}, graceMs = 5_000 }: QueueOptions = {},
): Queue {
  const limits = { ...defaultLanes, ...lanes };
  const kinds = new Map<string, Registered>();
  const owner = newId();
  const stopping = new AbortController();
  const running = new Map<Promise<void>, { kind: Registered; tenant: string | null }>();
  /** Whose turn was the last in each lane. */
  const served = new Map<Lane, string>();
  let wakeUp = () => {};
  let loop: Promise<void> | undefined;

  async function claim() {
    const room = { ...limits };
    /** Places that each tenant has taken, by lane. */
    const taken = new Map<string, number>();
    const keyOf = (lane: Lane, tenant: string) => `${lane} ${tenant}`;
    const mayTake = ({ lane, share }: Registered, tenant: string | null) =>
      tenant === null ||
      (taken.get(keyOf(lane, tenant)) ?? 0) + share <= Math.max(1, Math.floor(limits[lane] * tenantShare));
    const take = ({ lane, share }: Registered, tenant: string | null) => {
      room[lane] -= share;
      if (tenant !== null) taken.set(keyOf(lane, tenant), (taken.get(keyOf(lane, tenant)) ?? 0) + share);
    };
    for (const { kind, tenant } of running.values()) take(kind, tenant);
    const open = [...kinds.values()].filter(({ lane, share }) => room[lane] >= share);
    if (open.length === 0) return [];
    const now = Date.now();
    return db.transaction().execute(async (trx) => {
      const due = [];
      // Each lane is asked for by itself: what waits in one hides nothing of another.
      for (const lane of new Set(open.map((kind) => kind.lane))) {
        const least = Math.min(...open.flatMap((kind) => (kind.lane === lane ? [kind.share] : [])));
        const full = [...running.values()].flatMap(({ kind, tenant }) =>
          tenant !== null && kind.lane === lane && !mayTake(kind, tenant) ? [tenant] : [],
        );
        const most = Math.ceil(room[lane] / least);
        const last = served.get(lane) ?? '';
        const turns = await listTurns(trx, { lane, now, last, most, full, kinds: [...kinds.keys()] });
        if (turns.length > 0)
          due.push(...(await listDue({ trx, engine }, { lane, now, turns, most, kinds: [...kinds.keys()] })));
      }
      const claimed = due.flatMap((job) => {
        const kind = kinds.get(job.kind);
        if (!kind) return [];
        // A job that does not fit gets the next free place; if smaller ones went first, it might wait forever.
        if (room[kind.lane] < kind.share) room[kind.lane] = 0;
        if (room[kind.lane] === 0 || !mayTake(kind, job.tenant)) return [];
        take(kind, job.tenant);
        served.set(kind.lane, job.tenant ?? '');
        return [{ job: { ...job, fence: job.fence + 1 }, kind }];
      });
      if (claimed.length > 0)
        await trx
          .updateTable('job')
          .set((set) => ({
            state: 'running',
            lease_owner: owner,
            lease_until: now + leaseMs,
            fence: set('fence', '+', 1),
            updated_at: now,
          }))
          .where(
            'uuid',
            'in',
            claimed.map(({ job }) => job.uuid),
          )
          .execute();
      return claimed;
    });
  }

  async function runJob({ job, kind }: Awaited<ReturnType<typeof claim>>[number]): Promise<void> {
    const lost = new AbortController();
    const late = new AbortController();
    const signal = AbortSignal.any([stopping.signal, lost.signal, late.signal]);
    let isOver = false;
    let isFinished = false;
    const mine = (query: Trx | Db) =>
      query
        .updateTable('job')
        .where('uuid', '=', job.uuid)
        .where('fence', '=', job.fence)
        .where('state', '=', 'running');
    const update = (changes: Updateable<JobTable>) =>
      write((trx) =>
        mine(trx)
          .set({ ...changes, lease_until: null, updated_at: Date.now() })
          .execute(),
      );
    const heartbeat = setInterval(() => {
      mine(db)
        .set({ lease_until: Date.now() + leaseMs, updated_at: Date.now() })
        .executeTakeFirst()
        .then(({ numUpdatedRows }) => numUpdatedRows === 0n && lost.abort(new LeaseLostError()))
        .catch((err: unknown) => log.warn({ err, job: job.uuid }, 'job heartbeat failed'));
    }, heartbeatMs);
    const clock = setTimeout(
      () => late.abort(new JobTimeoutError(`not done after ${kind.timeoutMs} ms`)),
      kind.timeoutMs,
    );
    const writeFenced = <T>(
      changes: Updateable<JobTable>,
      work: (trx: Trx) => Promise<T>,
      first?: (trx: Trx) => Promise<unknown>,
    ) =>
      write(async (trx) => {
        await first?.(trx);
        const { numUpdatedRows } = await mine(trx)
          .set({ lease_until: Date.now() + leaseMs, ...changes, updated_at: Date.now() })
          .executeTakeFirst();
        if (numUpdatedRows === 0n || isOver) throw new LeaseLostError();
        const value = await work(trx);
        // Its time ran out meanwhile, and its failure may be recorded already.
        if (isOver) throw new LeaseLostError();
        return value;
      });
    const over = { unique_key: null, ...(kind.holdsSecret && { payload: '{}' }) };
    const done = { ...over, state: 'done', error: null, lease_until: null } as const;
    const jobRun: JobRun = {
      signal,
      fenced: (work, first) => writeFenced({}, work, first),
      async finish(work, first) {
        const value = await writeFenced(done, work, first);
        isFinished = true;
        return value;
      },
    };
    // A killed process costs a job no attempt; each claim beyond its failures was such a kill.
    const claims = job.fence - job.attempts;
    try {
      // A job that takes every process down with it has to end at some time.
      if (claims > maxClaims)
        throw new Error('the process ended too often while it ran this job', { cause: job.error });
      await endsInTime(kind.run(job.payload, jobRun), signal, graceMs);
      if (!isFinished) await update(done);
    } catch (error) {
      isOver = true;
      if (error instanceof LeaseLostError || lost.signal.aborted) return;
      if (isFinished) return log.warn({ err: error, job: job.uuid, kind: job.kind }, 'job failed after it was done');
      if (stopping.signal.aborted && !late.signal.aborted) return void (await update({ state: 'queued' }));
      const attempts = job.attempts + 1;
      log.warn({ err: error, job: job.uuid, kind: job.kind, failures: attempts }, 'job failed');
      const failed = { attempts, error: error instanceof Error ? error.message.slice(0, 1000) : String(error) };
      if (attempts >= kind.maxAttempts || claims > maxClaims) {
        await kind.dead?.(job.payload, error);
        await update({ ...failed, ...over, state: 'dead' });
      } else await update({ ...failed, state: 'queued', run_at: Date.now() + backoffMs(attempts, kind.maxPauseMs) });
    } finally {
      clearTimeout(clock);
      clearInterval(heartbeat);
    }
  }

  async function work(): Promise<void> {
    let lookedAt = 0;
    while (!stopping.signal.aborted) {
      // Made before the queue is read, so that a job added meanwhile is not overlooked.
      const woken = Promise.withResolvers<void>();
      wakeUp = woken.resolve;
      let claimed: Awaited<ReturnType<typeof claim>> = [];
      try {
        if (Date.now() - lookedAt >= pollMs) {
          await freeJobs(db, Date.now());
          lookedAt = Date.now();
        }
        claimed = await claim();
      } catch (err) {
        log.warn({ err }, 'the job table cannot be read');
      }
      for (const each of claimed) {
        const run = runJob(each)
          .catch((err: unknown) =>
            log.error({ err, job: each.job.uuid }, 'job could not be settled; its lease will run out'),
          )
          .finally(() => {
            running.delete(run);
            wakeUp();
          });
        running.set(run, { kind: each.kind, tenant: each.job.tenant });
      }
      if (claimed.length > 0) continue;
      const pause = new AbortController();
      await Promise.race([woken.promise, sleep(pollMs, undefined, { signal: pause.signal }).catch(() => {})]);
      pause.abort();
    }
  }

  return {
    add: addJob,
    addAll: addJobs,
    register(kind, { run, dead }) {
      kinds.set(kind.name, {
        ...kind,
        run: async (json, job) => run(kind.readPayload(json), job),
        ...(dead && { dead: async (json: string, error: unknown) => dead(kind.readPayload(json), error) }),
      });
    },
    wake: () => wakeUp(),
    start() {
      loop ??= work();
    },
    async stop() {
      stopping.abort();
      wakeUp();
      await loop;
      await Promise.all(running.keys());
    },
  };
}

interface Waiting {
  lane: Lane;
  now: number;
  /** More jobs than these fit nowhere. */
  most: number;
  kinds: string[];
}

/** As the index of jobs in turn says it; jobs of no workspace take turns as one. */
const tenantOf = sql<string>`coalesce(tenant, '')`;
const isDue = ({ lane, now, kinds }: Waiting) =>
  sql`state = 'queued' and lane = ${lane} and run_at <= ${now} and kind in (${sql.join(kinds)})`;

/** Who has due jobs in a lane, from whoever comes after the one whose turn was the last; each is found by one step in the index. */
async function listTurns(
  trx: Trx,
  { last, full, ...waiting }: Waiting & { last: string; full: string[] },
): Promise<string[]> {
  const isOpen = full.length > 0 ? sql`and ${tenantOf} not in (${sql.join(full)})` : sql``;
  const next = (part: RawBuilder<unknown>) =>
    sql`select ${tenantOf} from job where ${isDue(waiting)} ${isOpen} and ${part} order by ${tenantOf} limit 1`;
  const round = (name: string, first: RawBuilder<unknown>, rest: RawBuilder<unknown>) => {
    const so = sql.raw(name);
    return sql`${so}(tenant, count) as (select (${next(first)}), 1 union all
      select (${next(rest)}), ${so}.count + 1 from ${so} where ${so}.tenant is not null and ${so}.count < ${waiting.most})`;
  };
  const { rows } = await sql<{ tenant: string }>`with recursive
    ${round('ahead', sql`${tenantOf} > ${last}`, sql`${tenantOf} > ahead.tenant`)},
    ${round('behind', sql`${tenantOf} <= ${last}`, sql`${tenantOf} > behind.tenant and ${tenantOf} <= ${last}`)}
    select tenant, 0 as half from ahead where tenant is not null
    union all select tenant, 1 as half from behind where tenant is not null
    order by half, tenant limit ${waiting.most}`.execute(trx);
  return rows.map(({ tenant }) => tenant);
}

/** The jobs of these, each in the order in which they came: first one of each, then the second of each. */
async function listDue(
  { trx, engine }: { trx: Trx; engine: Database['engine'] },
  { turns, ...waiting }: Waiting & { turns: string[] },
): Promise<Selectable<JobTable>[]> {
  const each = Math.ceil(waiting.most / turns.length);
  const parts = turns.map(
    (tenant) => sql`select * from (select * from job where ${isDue(waiting)} and ${tenantOf} = ${tenant}
      order by run_at limit ${each} ${engine === 'postgres' ? sql`for update skip locked` : sql``}) as part`,
  );
  const { rows } = await sql<Selectable<JobTable>>`${sql.join(parts, sql` union all `)}`.execute(trx);
  const byTurn = turns.map((turn) => rows.filter(({ tenant }) => (tenant ?? '') === turn));
  return Array.from({ length: each }, (_, at) => byTurn.flatMap((jobs) => jobs[at] ?? [])).flat();
}

/** Waits for the work, but only `graceMs` after its signal has aborted; then throws the signal's reason. */
async function endsInTime(work: Promise<void>, signal: AbortSignal, graceMs: number): Promise<void> {
  const givenUp = Promise.withResolvers<never>();
  let grace: NodeJS.Timeout | undefined;
  const onAbort = () => (grace = setTimeout(() => givenUp.reject(signal.reason), graceMs));
  if (signal.aborted) onAbort();
  else signal.addEventListener('abort', onAbort, { once: true });
  try {
    await Promise.race([work, givenUp.promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
    clearTimeout(grace);
  }
}

/** Frees jobs whose lease has run out, because their process is gone. */
async function freeJobs(db: Db, now: number): Promise<void> {
  await db
    .updateTable('job')
    .set({ state: 'queued', lease_until: null })
    .where('state', '=', 'running')
    .where('lease_until', '<', now)
    .execute();
}

/** An embedded database has one process, so the jobs of the former one are free at once, before their leases run out. */
export const dropLeases = (db: Db): Promise<void> => freeJobs(db, Number.MAX_SAFE_INTEGER);

/** Deletes jobs that were done over a week ago; failed ones stay for a month, for whoever looks for the reason. */
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
    (select min(run_at) from job where state = 'queued' and run_at <= ${Date.now()}) as "oldestQueuedAt"`.execute(db);
  return rows[0] ?? { queued: 0, running: 0, dead: 0, oldestQueuedAt: null };
}
