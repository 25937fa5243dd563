import type SQLite from 'better-sqlite3';
import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely';
import type pg from 'pg';
import { withNames, type Database, type Db, type Trx } from './db.ts';
import type { Tables } from './db.types.ts';

/** Runs a write in a transaction; those that come at the same moment share one, and each is undone by itself when it fails. A work may be undone and run once more. */
export type Write = <T>(work: (trx: Trx) => Promise<T>, options?: WriteOptions) => Promise<T>;

interface WriteOptions {
  /** Nothing is wrong where statements of others come between its own: it holds no lock while it thinks. On Postgres only such works share a transaction. */
  mixes?: boolean;
}

interface Waiting {
  work(trx: Trx): Promise<unknown>;
  done(value: unknown): void;
  fail(error: unknown): void;
}

interface CreateOptions {
  /** For tests: each work is run, undone and run again, as it may be beside one that fails. */
  rehearses?: boolean;
}

/** What would wait in line for the disk goes there together (group commit). */
export function createWrite(database: Database, { rehearses = false }: CreateOptions = {}): Write {
  return database.engine === 'sqlite'
    ? createEmbeddedWrite(database.db, database.sqlite, rehearses)
    : createRemoteWrite(database.pool, rehearses);
}

/** A group that waits longer than this for somebody else's row gives up; two that wait for each other do so, too. */
const maxLockMs = 250;
/** A group that takes longer holds up the next one no more. */
const maxGroupMs = 1000;

/**
 * On Postgres works of a group run side by side on one connection: a trip to the server carries a statement of each. Where one
 * fails, the group is undone and each is run by itself.
 */
function createRemoteWrite(pool: pg.Pool, rehearses: boolean): Write {
  let waiting: Waiting[] = [];
  let isBusy = false;
  const next = () => {
    if (isBusy || waiting.length === 0) return;
    isBusy = true;
    const group = waiting;
    waiting = [];
    let isOver = false;
    const end = () => {
      if (isOver) return;
      isOver = true;
      isBusy = false;
      next();
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
          // What is being committed waits for nobody's rows: the next one may follow it, and wait for its.
          end();
        },
      );
      group.forEach(({ done }, at) => done(values[at]));
    } catch (error) {
      // Nobody knows whether a commit without an answer was one.
      if (isCommitting || group.length === 1) for (const { fail } of group) fail(error);
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
      if (command !== 'COMMIT') throw new Error('a work went on after one of its statements had failed');
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
    // None may still be at it when the transaction is undone.
    const [, ...ends] = await Promise.allSettled([begun, ...works.map((work) => work(trx))]);
    await begun;
    return ends.map((ended) => {
      if (ended.status === 'rejected') throw ended.reason;
      return ended.value;
    });
  };
  return (work, { mixes = false } = {}) =>
    mixes
      ? new Promise((done, fail) => {
          if (waiting.length === 0) setImmediate(next);
          // A border: what comes out of the queue for this caller is what its own work gave.
          waiting.push({ work, done: done as (value: unknown) => void, fail });
        })
      : // A border: as above.
        transact([work]).then(([value]) => value as Awaited<ReturnType<typeof work>>);
}

const alongside = new WeakMap<pg.PoolClient, Trx>();

/** A transaction on the connection whose statements do not wait for each other, as they do in Kysely's own. */
function transactionOn(client: pg.PoolClient): Trx {
  const lent: PostgresPoolClient = Object.create(withNames(client), { release: { value: () => {} } });
  const pool: PostgresPool = { options: {}, connect: async () => lent, end: async () => {} };
  // A border: what tells a transaction from a database is that it is begun and ended elsewhere, as it is here.
  const known = alongside.get(client) ?? (new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) }) as Db as Trx);
  alongside.set(client, known);
  return known;
}

/** A commit with more writes than this is a crowded one; Postgres counts the same under this name before it delays a commit. */
const commitSiblings = 4;

/** The embedded database forces each transaction to disk before the next one may begin. */
function createEmbeddedWrite(db: Db, sqlite: SQLite.Database, rehearses: boolean): Write {
  const [save, undo, release] = [
    sqlite.prepare('savepoint one'),
    sqlite.prepare('rollback to one'),
    sqlite.prepare('release one'),
  ];
  let waiting: Waiting[] = [];
  // With few writes, one begins a turn later: what was begun at the same moment, a model's call, is on its way while the disk is waited for.
  let wasCrowded = false;
  const begin = () => void flush();
  const flush = async () => {
    const batch = waiting;
    waiting = [];
    wasCrowded = batch.length > commitSiblings;
    try {
      // A savepoint for each costs a tenth of what they write; they are needed only where one fails.
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
    const settle: (() => void)[] = [];
    try {
      await db.transaction().execute(async (trx) => {
        for (const { work, done, fail } of batch) {
          save.run();
          try {
            const value = await work(trx);
            settle.push(() => done(value));
          } catch (error) {
            undo.run();
            settle.push(() => fail(error));
          }
          release.run();
        }
      });
    } catch (error) {
      for (const { fail } of batch) fail(error);
      return;
    }
    for (const tell of settle) tell();
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
      // A border: what comes out of the queue for this caller is what its own work gave.
      waiting.push({ work: rehearses ? rehearsed(work) : work, done: done as (value: unknown) => void, fail });
    });
}
