import type SQLite from 'better-sqlite3';
import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely';
import pg from 'pg';
import { withNames, type Database, type Db, type Trx } from './db.ts';
import type { Tables } from './db.types.ts';

/** Runs `work` in a transaction. Works of the same moment share one transaction, each is undone alone when it fails, and each may run twice. */
export type Write = <T>(work: (trx: Trx) => Promise<T>, options?: WriteOptions) => Promise<T>;

interface WriteOptions {
  /**
   * On Postgres works share a transaction where they say with which: statements of the others may come between its own. True for
   * those that hold no lock while they decide; those that do name a company in which none locks what another has locked.
   */
  mixes?: boolean | string;
}

interface Waiting {
  work(trx: Trx): Promise<unknown>;
  done(value: unknown): void;
  fail(error: unknown): void;
}

/** Works that share transactions, one transaction after another. */
interface Company {
  waiting: Waiting[];
  isBusy: boolean;
}

interface CreateOptions {
  /** For tests: runs each work, undoes it and runs it again, as happens to a work beside one that fails. */
  rehearses?: boolean;
}

/** Writes that would wait for the disk one after another share a commit (group commit). */
export function createWrite(database: Database, { rehearses = false }: CreateOptions = {}): Write {
  return database.engine === 'sqlite'
    ? createEmbeddedWrite(database.db, database.sqlite, rehearses)
    : createRemoteWrite(database.pool, rehearses);
}

/** A group gives up after waiting this long for a locked row, which also ends a deadlock. */
const maxLockMs = 250;
/** After this the next group begins, even if this one is still running. */
const maxGroupMs = 1000;

/**
 * On Postgres the works of a group run concurrently on one connection, so that one round trip carries a statement of each.
 * Where one fails, the group is undone and each runs in a transaction of its own.
 */
function createRemoteWrite(pool: pg.Pool, rehearses: boolean): Write {
  const companies = new Map<string, Company>();
  const companyOf = (mixes: true | string) => {
    const name = mixes === true ? '' : mixes;
    const company = companies.get(name) ?? { waiting: [], isBusy: false };
    companies.set(name, company);
    return company;
  };
  const next = (company: Company) => {
    if (company.isBusy || company.waiting.length === 0) return;
    company.isBusy = true;
    const group = company.waiting;
    company.waiting = [];
    let isOver = false;
    const end = () => {
      if (isOver) return;
      isOver = true;
      company.isBusy = false;
      next(company);
    };
    const late = setTimeout(end, maxGroupMs);
    void runGroup(group, end).finally(() => {
      clearTimeout(late);
      end();
    });
  };
  const runGroup = async (group: Waiting[], end: () => void) => {
    let isCommitting = false;
    try {
      const values = await transact(
        group.map(({ work }) => work),
        () => {
          isCommitting = true;
          // A group that is committing waits for no locks, so the next may begin.
          end();
        },
      );
      group.forEach(({ done }, at) => done(values[at]));
    } catch (error) {
      // A commit without an answer may have succeeded, so nothing is run again.
      if ((isCommitting && !isUndone(error)) || group.length === 1) for (const { fail } of group) fail(error);
      else void Promise.all(group.map(({ work, done, fail }) => transact([work]).then(([value]) => done(value), fail)));
    }
  };
  const transact = async (works: Waiting['work'][], onCommit = () => {}): Promise<unknown[]> => {
    const client = await pool.connect();
    let isBroken = false;
    try {
      if (rehearses) {
        await runAll(client, works);
        await client.query('rollback');
      }
      const values = await runAll(client, works);
      onCommit();
      const { command } = await client.query('commit');
      if (command !== 'COMMIT') throw new RolledBackError('a work went on after one of its statements had failed');
      return values;
    } catch (error) {
      await client.query('rollback').catch(() => (isBroken = true));
      throw error;
    } finally {
      client.release(isBroken);
    }
  };
  const runAll = async (client: pg.PoolClient, works: Waiting['work'][]): Promise<unknown[]> => {
    const trx = transactionOn(client);
    const begun = client.query(works.length > 1 ? `begin; set local lock_timeout = ${maxLockMs}` : 'begin');
    // Every work has to end before the transaction is undone.
    const [, ...ends] = await Promise.allSettled([begun, ...works.map((work) => work(trx))]);
    await begun;
    return ends.map((ended) => {
      if (ended.status === 'rejected') throw ended.reason;
      return ended.value;
    });
  };
  return (work, { mixes = false } = {}) => {
    // A border: the value that comes back is that of the caller's own work.
    if (mixes === false) return transact([work]).then(([value]) => value as Awaited<ReturnType<typeof work>>);
    const company = companyOf(mixes);
    return new Promise((done, fail) => {
      if (company.waiting.length === 0) setImmediate(next, company);
      // A border: as above.
      company.waiting.push({ work, done: done as (value: unknown) => void, fail });
    });
  };
}

class RolledBackError extends Error {}

/** The server said itself that nothing of the transaction stands. */
const isUndone = (error: unknown) =>
  error instanceof RolledBackError ||
  // Not by its severity, which is in the server's language. These classes end a connection, and may come after the commit.
  (error instanceof pg.DatabaseError && error.code !== undefined && !/^(08|57)/.test(error.code));

const alongside = new WeakMap<pg.PoolClient, Trx>();

/** A transaction whose statements are sent without waiting for each other, unlike in Kysely's own. */
function transactionOn(client: pg.PoolClient): Trx {
  const lent: PostgresPoolClient = Object.create(withNames(client), { release: { value: () => {} } });
  const pool: PostgresPool = { options: {}, connect: async () => lent, end: async () => {} };
  // A border: to Kysely a transaction is a database that is begun and ended elsewhere, as this one is.
  const known = alongside.get(client) ?? (new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) }) as Db as Trx);
  alongside.set(client, known);
  return known;
}

/** A commit with more writes than this counts as crowded. Named after Postgres's setting for delaying a commit. */
const commitSiblings = 4;

/** The embedded database forces each transaction to disk before the next one may begin. */
function createEmbeddedWrite(db: Db, sqlite: SQLite.Database, rehearses: boolean): Write {
  let waiting: Waiting[] = [];
  // With few writes a commit begins one turn later, so that what was begun at the same moment, such as a model's call, is sent before the disk blocks.
  let wasCrowded = false;
  const begin = () => void flush();
  const flush = async () => {
    const batch = waiting;
    waiting = [];
    wasCrowded = batch.length > commitSiblings;
    try {
      const values = await db.transaction().execute(async (trx) => {
        const given: unknown[] = [];
        for (const { work } of batch) given.push(await work(trx));
        return given;
      });
      batch.forEach(({ done }, at) => done(values[at]));
    } catch (error) {
      if (batch.length === 1) batch[0]?.fail(error);
      else await flushEach(batch);
    }
  };
  const flushEach = async (batch: Waiting[]) => {
    for (const { work, done, fail } of batch) await db.transaction().execute(work).then(done, fail);
  };
  const begun = sqlite.prepare('savepoint rehearsal');
  const undone = sqlite.prepare('rollback to rehearsal');
  const over = sqlite.prepare('release rehearsal');
  const rehearsed =
    <T>(work: (trx: Trx) => Promise<T>) =>
    async (trx: Trx) => {
      begun.run();
      await work(trx);
      undone.run();
      over.run();
      return work(trx);
    };
  return (work) =>
    new Promise((done, fail) => {
      if (waiting.length === 0) setImmediate(wasCrowded ? begin : () => setImmediate(begin));
      // A border: the value that comes back is that of the caller's own work.
      waiting.push({ work: rehearses ? rehearsed(work) : work, done: done as (value: unknown) => void, fail });
    });
}
