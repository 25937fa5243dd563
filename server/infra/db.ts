import { randomFillSync } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import {
  DummyDriver,
  Kysely,
  PostgresDialect,
  SqliteAdapter,
  SqliteDialect,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
  type Compilable,
  type CompiledQuery,
  type Selectable,
  type SqliteDatabase,
  type SqliteStatement,
  type Transaction,
} from 'kysely';
import pg from 'pg';
import type { Tables } from './db.types.ts';

export type Engine = 'sqlite' | 'postgres';
export type Db = Kysely<Tables>;
export type Trx = Transaction<Tables>;

export interface DbOptions {
  DATA_DIR: string;
  DATABASE_URL?: string | undefined;
}

export interface Database {
  engine: Engine;
  db: Db;
  /** The embedded database's own handle, for what Kysely has no words for. */
  sqlite: SQLite.Database | undefined;
  close(): Promise<void>;
}

export class DataLockedError extends Error {}

// Counters and money are well below 2^53; as strings they would be added up wrongly.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

/** Opens the database that the settings name. `readOnly` is for search workers: they never wait for a writer. */
export function openDatabase(options: DbOptions, { readOnly = false, connections = 10 } = {}): Database {
  return options.DATABASE_URL
    ? openPostgres(options.DATABASE_URL, connections, readOnly)
    : openSqlite(options.DATA_DIR, readOnly);
}

function openSqlite(folder: string, readOnly: boolean): Database {
  mkdirSync(folder, { recursive: true });
  const open = (readonly: boolean) => {
    const sqlite = new SQLite(join(folder, 'kotae.db'), { readonly, timeout: 5000 });
    if (!readonly) {
      sqlite.pragma('journal_mode = WAL');
      sqlite.pragma('synchronous = FULL');
      // What is deleted is overwritten; otherwise it would lie in the file until its place is needed.
      sqlite.pragma('secure_delete = ON');
    }
    sqlite.pragma('foreign_keys = ON');
    sqlite.pragma('cache_size = -16000');
    return sqlite;
  };
  const sqlite = open(readOnly);
  const reader = readOnly ? sqlite : open(true);
  const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database: keepingStatements(sqlite) }) });
  embedded.set(db.getExecutor().adapter, { sqlite, reader });
  return {
    engine: 'sqlite',
    db,
    sqlite,
    async close() {
      await db.destroy();
      reader.close();
      sqlite.close();
    },
  };
}

/**
 * The connections behind an embedded database, by Kysely's adapter for it. What only reads has one of its own: it sees what is
 * committed, and waits for no transaction.
 */
const embedded = new WeakMap<object, { sqlite: SQLite.Database; reader: SQLite.Database }>();

const maxStatements = 500;

/** SQLite plans a statement when it is prepared, which takes longer than most of ours run: the ones in use are kept. */
function keepingStatements(sqlite: SQLite.Database): SqliteDatabase {
  const kept = new Map<string, SqliteStatement>();
  return {
    prepare(text) {
      const known = kept.get(text);
      if (known) return known;
      const statement = sqlite.prepare<unknown[]>(text);
      if (kept.size >= maxStatements) kept.clear();
      kept.set(text, statement);
      return statement;
    },
    close: () => void sqlite.close(),
  };
}

function openPostgres(url: string, connections: number, readOnly: boolean): Database {
  const pool = new pg.Pool({
    // A search is over before a second worker of Postgres would have started.
    ...(readOnly && {
      options:
        '-c max_parallel_workers_per_gather=0 -c enable_seqscan=off -c jit=off -c default_transaction_read_only=on',
    }),
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: 5000,
    statement_timeout: 30_000,
    // A server that took the query and says no more.
    query_timeout: 35_000,
    idle_in_transaction_session_timeout: 30_000,
  });
  // A connection that dies while idle is replaced at the next query; without a listener it would end the process.
  pool.on('error', () => {});
  // One that dies in the middle of a query fails it, and says so a second time by itself: that would end the process, too.
  pool.on('connect', (client) => void client.on('error', () => {}));
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  return { engine: 'postgres', db, sqlite: undefined, close: () => db.destroy() };
}

/** Holds the data directory for one process; the system lets go of it when the process ends, however it ends. */
export function lockDataDirectory(folder: string): () => void {
  mkdirSync(folder, { recursive: true });
  const lock = new SQLite(join(folder, 'lock.db'), { timeout: 0 });
  try {
    lock.pragma('locking_mode = EXCLUSIVE');
    lock.exec('BEGIN EXCLUSIVE');
  } catch (cause) {
    lock.close();
    throw new DataLockedError(folder, { cause });
  }
  return () => lock.close();
}

/** Stands in a query where a value will be. */
class Place {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/**
 * SQLite with STAT4 looks at the values of parameters when it plans, and plans anew each time one has changed: a join of four
 * tables took 34 µs so, and takes 4 µs when the planner cannot see them. https://sqlite.org/c3ref/prepare.html ("STAT4")
 */
class HidingCompiler extends SqliteQueryCompiler {
  protected override getCurrentParameterPlaceholder(): string {
    return '(select ?)';
  }
}

/** Puts queries into SQL, and runs none. */
const hiding = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new HidingCompiler(),
  },
});

/** A query as it is sent: to the embedded database itself where that is possible, which is faster than through Kysely by 10 µs. */
interface Prepared<R> {
  query: CompiledQuery<R>;
  /** Runs on the connection of transactions. */
  within: SQLite.Statement<unknown[], R> | undefined;
  /** Runs outside of them; only what writes nothing. */
  outside: SQLite.Statement<unknown[], R> | undefined;
}

/**
 * A query that comes with every call: written as any other, and put into SQL once. `build` gets the values only to put them
 * into the query; what it does otherwise with them would be done with a stand-in.
 */
export function prepareQuery<P extends Record<keyof P, string | number | null>, R>(
  build: (db: Db | Trx, given: P) => Compilable<R>,
): (db: Db | Trx, given: P) => Promise<R[]> {
  const known = new WeakMap<object, Prepared<R>>();
  // The stand-ins go where the values go, and nowhere else.
  const places = new Proxy({}, { get: (_, name) => new Place(String(name)) }) as P;
  const prepare = (db: Db | Trx, adapter: object): Prepared<R> => {
    const plain = build(db, places).compile();
    const connections = embedded.get(adapter);
    if (!connections) return { query: plain, within: undefined, outside: undefined };
    // What is written goes by one key; there is nothing to plan, and thirty hidden values are 5 µs.
    const query = plain.query.kind === 'SelectQueryNode' ? build(hiding, places).compile() : plain;
    const outside = connections.reader.prepare<unknown[], R>(query.sql);
    return {
      query,
      within: connections.sqlite.prepare<unknown[], R>(query.sql),
      outside: outside.readonly ? outside : undefined,
    };
  };
  return async (db, given) => {
    const { adapter } = db.getExecutor();
    let prepared = known.get(adapter);
    if (!prepared) known.set(adapter, (prepared = prepare(db, adapter)));
    const { query, within, outside } = prepared;
    const values = query.parameters.map((value) => (value instanceof Place ? valueOf(given, value.name) : value));
    const statement = db.isTransaction ? within : outside;
    if (!statement) return (await db.executeQuery<R>({ ...query, parameters: values })).rows;
    if (statement.reader) return statement.all(values);
    statement.run(values);
    return [];
  };
}

// A border: the names of the places are those of the parameters.
const valueOf = <P extends object>(given: P, name: string) => given[name as keyof P];

/** The insert of a whole row, put into SQL once. */
export function prepareInsert<T extends keyof Tables>(
  table: T,
  columns: Record<keyof Tables[T], true>,
): (db: Db | Trx, row: Selectable<Tables[T]>) => Promise<unknown> {
  const names = Object.keys(columns);
  // A border: a row of stand-ins has the columns of the table, and no values that a type could speak of.
  const insert = prepareQuery((db, row: Record<string, string | number | null>) =>
    db.insertInto(table).values(Object.fromEntries(names.map((name) => [name, row[name]])) as never),
  );
  return (db, row) => insert(db, row as Record<string, string | number | null>);
}

/** Runs a write in a transaction; those that come at the same moment share one, and each is undone by itself when it fails. A work may be undone and run once more. */
export type Write = <T>(work: (trx: Trx) => Promise<T>) => Promise<T>;

interface Waiting {
  work(trx: Trx): Promise<unknown>;
  done(value: unknown): void;
  fail(error: unknown): void;
}

const few = 4;

/**
 * The embedded database forces each transaction to disk before the next one may begin; what would wait in line goes to disk
 * together (group commit). Postgres does that by itself for its many connections.
 *
 * `rehearses` is for tests: each work is run, undone and run again, as it may be beside one that fails.
 */
export function createWrite(
  { db, sqlite }: Pick<Database, 'db' | 'sqlite'>,
  { rehearses = false }: { rehearses?: boolean } = {},
): Write {
  if (!sqlite) return (work) => db.transaction().execute(work);
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
    wasCrowded = batch.length > few;
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

/** Until the transaction ends nobody else locks or changes the row: what is read after this may be written back. An update holds its row on both engines. */
export async function lockRow(trx: Trx, table: keyof Tables, uuid: string): Promise<void> {
  await sql`update ${sql.table(table)} set uuid = uuid where uuid = ${uuid}`.execute(trx);
}

const idDigits = 20;
const random = Buffer.alloc(8000);
let digits = '';
let used = 0;

/** A UUIDv7: sortable by the millisecond it was made in, random beyond (RFC 9562 §5.7). */
export function newId(now = Date.now()): string {
  if (used === digits.length) {
    digits = randomFillSync(random).toString('hex');
    used = 0;
  }
  const time = now.toString(16).padStart(12, '0');
  const tail = digits.slice(used, (used += idDigits));
  const variant = '89ab'[Number.parseInt(tail.charAt(3), 16) & 3] ?? '8';
  return `${time.slice(0, 8)}-${time.slice(8)}-7${tail.slice(0, 3)}-${variant}${tail.slice(4, 7)}-${tail.slice(7, 19)}`;
}

/** True when a write was refused because its key is taken. */
export function isUniqueViolation(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false;
  return (
    error.code === '23505' || error.code === 'SQLITE_CONSTRAINT_UNIQUE' || error.code === 'SQLITE_CONSTRAINT_PRIMARYKEY'
  );
}

/** True when the database is out of reach, as opposed to refusing what it was asked. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  return (
    /^(ECONNREFUSED|ECONNRESET|ENOTFOUND|ETIMEDOUT|EPIPE|08\d{3}|57P0\d|53300|57014|SQLITE_BUSY)/.test(code) ||
    /Connection terminated|timeout exceeded when trying to connect|Query read timeout|is not queryable/.test(
      error.message,
    )
  );
}

export async function pingDatabase(db: Db | Trx): Promise<void> {
  await sql`select 1`.execute(db);
}
