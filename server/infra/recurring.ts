import type { Db } from './db.ts';
import type { Log } from './log.ts';

export interface RecurringWork {
  name: string;
  everyMs: number;
  /** The signal aborts when the server stops; the rest is done the next time. */
  run(signal: AbortSignal): Promise<void>;
}

export interface Recurring {
  register(work: RecurringWork): void;
  start(): void;
  /** Takes up nothing more, aborts what runs, and waits for it. */
  stop(): Promise<void>;
}

/** How often a process looks for due work. */
const defaultLookMs = 2_000;

/**
 * Recurring work, done once for the whole installation: each has a row with the time at which it is due next, and the process
 * that moves that time does the work. When that process dies, the work is due again at the next time.
 */
export function createRecurring(db: Db, log: Log, { lookMs = defaultLookMs } = {}): Recurring {
  const works = new Map<string, RecurringWork>();
  const stopping = new AbortController();
  const running = new Map<string, Promise<void>>();
  let timer: NodeJS.Timeout | undefined;

  /** True for one process only. Work that is new to the installation is due after its first interval. */
  async function claim({ name, everyMs }: RecurringWork): Promise<boolean> {
    const now = Date.now();
    const next = { due_at: now + everyMs };
    const known = await db.selectFrom('recurring').select('due_at').where('name', '=', name).executeTakeFirst();
    if (!known)
      await db
        .insertInto('recurring')
        .values({ name, ...next })
        .onConflict((conflict) => conflict.column('name').doNothing())
        .execute();
    if (!known || known.due_at > now) return false;
    const { numUpdatedRows } = await db
      .updateTable('recurring')
      .set(next)
      .where('name', '=', name)
      .where('due_at', '=', known.due_at)
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  }

  async function take(work: RecurringWork): Promise<void> {
    const { name, everyMs, run } = work;
    try {
      if (!(await claim(work))) return;
      // Work that takes longer than its interval is not begun a second time.
      const hold = setInterval(() => {
        db.updateTable('recurring')
          .set({ due_at: Date.now() + everyMs })
          .where('name', '=', name)
          // Somebody wants it once more as soon as it has ended.
          .where('due_at', '>', 0)
          .execute()
          .catch((err: unknown) => log.warn({ err, name }, 'recurring work could not be held'));
      }, everyMs / 2);
      await run(stopping.signal).finally(() => clearInterval(hold));
    } catch (err) {
      if (!stopping.signal.aborted) log.warn({ err, name }, 'recurring work failed');
    }
  }

  const look = () => {
    for (const work of works.values()) {
      if (running.has(work.name)) continue;
      running.set(
        work.name,
        take(work).finally(() => running.delete(work.name)),
      );
    }
  };

  return {
    register: (work) => void works.set(work.name, work),
    start() {
      look();
      timer = setInterval(look, lookMs).unref();
    },
    async stop() {
      stopping.abort();
      clearInterval(timer);
      await Promise.all(running.values());
    },
  };
}
