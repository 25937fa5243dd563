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
  type PostgresPool,
  type PostgresPoolClient,
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

interface Opened {
  db: Db;
  close(): Promise<void>;
}

/** With the driver's own handle, for what Kysely has no words for. */
export type Database = Opened & ({ engine: 'sqlite'; sqlite: SQLite.Database } | { engine: 'postgres'; pool: pg.Pool });

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
    // One of them is the reader's.
    max: connections + 1,
    connectionTimeoutMillis: 5000,
    // What is asked in one turn is sent at once and answered in its order; without it each statement waits for the answer to the one before.
    pipeline: true,
    statement_timeout: 30_000,
    // A server that took the query and says no more.
    query_timeout: 35_000,
    idle_in_transaction_session_timeout: 30_000,
  });
  // A connection that dies while idle is replaced at the next query; without a listener it would end the process.
  pool.on('error', () => {});
  // One that dies in the middle of a query fails it, and says so a second time by itself: that would end the process, too.
  pool.on('connect', (client) => void client.on('error', () => {}));
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: keepingPlans(pool) }) });
  const reader = createReader(pool);
  readers.set(db.getExecutor().adapter, reader.read);
  return {
    engine: 'postgres',
    db,
    pool,
    async close() {
      await reader.close();
      await db.destroy();
    },
  };
}

type Read = (text: string, values: readonly unknown[]) => Promise<unknown[]>;

/** Reads of Postgres outside of transactions, without Kysely's queue, by Kysely's adapter for it. */
const readers = new WeakMap<object, Read>();

/** The names of prepared queries: Postgres reads and plans one that has a name once for each connection. */
const planNames = new Map<string, string>();

function keepPlan(text: string): void {
  if (!planNames.has(text)) planNames.set(text, `kotae_${planNames.size}`);
}

function toNamed(text: string, values: readonly unknown[]): pg.QueryConfig {
  const name = planNames.get(text);
  return { text, values: [...values], ...(name !== undefined && { name }) };
}

/** Kysely has no word for a query's name. */
const keepingPlans = (pool: pg.Pool): PostgresPool => ({
  options: pool.options,
  connect: async () => withNames(await pool.connect()),
  end: () => pool.end(),
});

const named = new WeakMap<pg.PoolClient, PostgresPoolClient>();

/** The connection as Kysely knows one, with the names of its queries. */
export function withNames(client: pg.PoolClient): PostgresPoolClient {
  const known: PostgresPoolClient =
    named.get(client) ??
    Object.create(client, {
      query: { value: (text: string, values: unknown[]) => client.query(toNamed(text, values)) },
    });
  named.set(client, known);
  return known;
}

/** Small reads share one connection: each is sent as it comes, and none waits for a free one. */
function createReader(pool: pg.Pool): { read: Read; close(): Promise<void> } {
  let open: Promise<pg.PoolClient> | undefined;
  let lose: (() => void) | undefined;
  const take = async () => {
    const client = await pool.connect();
    lose = () => {
      open = undefined;
      client.release(true);
    };
    return client.once('end', lose);
  };
  return {
    async read(text, values) {
      open ??= take().catch((error: unknown) => {
        open = undefined;
        throw error;
      });
      const client = await open;
      return (await client.query(toNamed(text, values))).rows;
    },
    async close() {
      const client = await open?.catch(() => undefined);
      if (lose) client?.off('end', lose).release();
    },
  };
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
  /** The same on Postgres. */
  read: Read | undefined;
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
    if (!connections) {
      keepPlan(plain.sql);
      const read = plain.query.kind === 'SelectQueryNode' ? readers.get(adapter) : undefined;
      return { query: plain, within: undefined, outside: undefined, read };
    }
    // What is written goes by one key; there is nothing to plan, and thirty hidden values are 5 µs.
    const query = plain.query.kind === 'SelectQueryNode' ? build(hiding, places).compile() : plain;
    const outside = connections.reader.prepare<unknown[], R>(query.sql);
    return {
      query,
      within: connections.sqlite.prepare<unknown[], R>(query.sql),
      outside: outside.readonly ? outside : undefined,
      read: undefined,
    };
  };
  return async (db, given) => {
    const { adapter } = db.getExecutor();
    let prepared = known.get(adapter);
    if (!prepared) known.set(adapter, (prepared = prepare(db, adapter)));
    const { query, within, outside, read } = prepared;
    const values = query.parameters.map((value) => (value instanceof Place ? valueOf(given, value.name) : value));
    // A border: the rows are those of the query.
    if (read && !db.isTransaction) return (await read(query.sql, values)) as R[];
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
