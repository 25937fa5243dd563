import { randomFillSync } from 'node:crypto';
import { chmodSync, closeSync, mkdirSync, openSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
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
import type { Log } from './log.ts';

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

/** With the driver's own handle, for what Kysely cannot express. */
export type Database = Opened & ({ engine: 'sqlite'; sqlite: SQLite.Database } | { engine: 'postgres'; pool: pg.Pool });

export class DataLockedError extends Error {}

// pg gives a bigint as a string, which `+` would concatenate; our counters and amounts are well below 2^53.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

/** Opens the database that the settings name. Search workers open it with `readOnly`, so that they never wait for a writer. */
export function openDatabase(options: DbOptions, { readOnly = false, connections = 10 } = {}): Database {
  return options.DATABASE_URL
    ? openPostgres(options.DATABASE_URL, connections, readOnly)
    : openSqlite(options.DATA_DIR, readOnly);
}

function openSqlite(folder: string, readOnly: boolean): Database {
  const path = join(folder, 'kotae.db');
  if (!readOnly) touchPrivate(path);
  const open = (readonly: boolean) => {
    const sqlite = new SQLite(path, { readonly, timeout: 5000 });
    if (!readonly) {
      sqlite.pragma('journal_mode = WAL');
      sqlite.pragma('synchronous = FULL');
      // Deleted data is overwritten at once; otherwise it would stay in the file until its space is used again.
      sqlite.pragma('secure_delete = ON');
    }
    sqlite.pragma('foreign_keys = ON');
    // SQLite's own knows A to Z only.
    sqlite.function('lower', { deterministic: true }, (text: unknown) =>
      text === null ? null : String(text).toLowerCase(),
    );
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
 * The connections of an embedded database, by Kysely's adapter. Reads have a connection of their own: they see committed data
 * only, and wait for no transaction.
 */
const embedded = new WeakMap<object, { sqlite: SQLite.Database; reader: SQLite.Database }>();

const maxStatements = 500;

/** SQLite plans a statement when it is prepared, which takes longer than running most of ours, so prepared statements are kept. */
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
    // A search ends before Postgres could have started a parallel worker.
    ...(readOnly && {
      options:
        '-c max_parallel_workers_per_gather=0 -c enable_seqscan=off -c jit=off -c default_transaction_read_only=on',
    }),
    connectionString: url,
    // One more for the shared reader.
    max: connections + 1,
    connectionTimeoutMillis: 5000,
    // Statements of one turn are sent together; without this each waits for the answer to the one before it.
    pipeline: true,
    statement_timeout: 30_000,
    // In case the server takes a query and never answers.
    query_timeout: 35_000,
    idle_in_transaction_session_timeout: 30_000,
  });
  // The pool replaces an idle connection that dies; without a listener its error would end the process.
  pool.on('error', () => {});
  // A connection that dies during a query emits an error besides failing the query; unheard, that would end the process too.
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

/** How Postgres is read outside of transactions, without Kysely's queue; by Kysely's adapter. */
const readers = new WeakMap<object, Read>();

/** The names of prepared queries: Postgres parses a named query only once for each connection. */
const planNames = new Map<string, string>();
let namesGiven = 0;

function keepPlan(text: string): void {
  if (!planNames.has(text)) planNames.set(text, `kotae_${namesGiven++}`);
}

async function runNamed(client: pg.PoolClient, text: string, values: readonly unknown[]) {
  const name = planNames.get(text);
  try {
    return await client.query({ text, values: values.map(withoutNul), ...(name !== undefined && { name }) });
  } catch (error) {
    // A newer version of Kotae has changed a table: under another name the query is planned anew.
    if (isStalePlan(error) && planNames.get(text) === name) planNames.set(text, `kotae_${namesGiven++}`);
    throw error;
  }
}

/** Postgres refuses NUL in a text, and with it the whole transaction. Halves of surrogate pairs become replacement characters on the wire. */
const withoutNul = (value: unknown) =>
  typeof value === 'string' && value.includes('\u0000') ? value.replaceAll('\u0000', '') : value;

const isStalePlan = (error: unknown) =>
  error instanceof Error && error.message.includes('cached plan must not change result type');

/** Adds the names of prepared queries, which Kysely cannot pass on. */
const keepingPlans = (pool: pg.Pool): PostgresPool => ({
  options: pool.options,
  connect: async () => withNames(await pool.connect()),
  end: () => pool.end(),
});

const named = new WeakMap<pg.PoolClient, PostgresPoolClient>();

/** A connection for Kysely that adds the names of prepared queries. */
export function withNames(client: pg.PoolClient): PostgresPoolClient {
  const known: PostgresPoolClient =
    named.get(client) ??
    Object.create(client, {
      query: { value: (text: string, values: unknown[]) => runNamed(client, text, values) },
    });
  named.set(client, known);
  return known;
}

/** Small reads share one connection, so that none waits for a free one. */
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
      const read = () => runNamed(client, text, values);
      return (await read().catch((error: unknown) => (isStalePlan(error) ? read() : Promise.reject(error)))).rows;
    },
    async close() {
      const client = await open?.catch(() => undefined);
      if (lose) client?.off('end', lose).release();
    },
  };
}

/** SQLite gives its other files the mode of this one, and would make it readable for everybody. */
function touchPrivate(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  closeSync(openSync(path, 'a', 0o600));
}

/** What Kotae itself makes in the data folder. */
const ownEntry = /^(?:(?:kotae|lock)\.db(?:-wal|-shm|-journal)?|files|mail|secrets)$/;

/** Keeps what Kotae made in the data folder from everybody else on the machine, as earlier versions did not. What others put there is theirs. */
export function keepPrivate(folder: string, log: Pick<Log, 'warn'>): void {
  const attempt = (path: string, work: () => void) => {
    try {
      work();
    } catch (err) {
      log.warn({ err, path }, 'it could not be kept from other users of the machine');
    }
  };
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  attempt(folder, () => {
    for (const name of readdirSync(folder).filter((each) => ownEntry.test(each))) {
      const path = join(folder, name);
      attempt(path, () => chmodSync(path, statSync(path).isDirectory() ? 0o700 : 0o600));
    }
  });
}

/** Reserves the data directory for this process; the system releases it however the process ends. */
export function lockDataDirectory(folder: string): () => void {
  const path = join(folder, 'lock.db');
  touchPrivate(path);
  const lock = new SQLite(path, { timeout: 0 });
  try {
    lock.pragma('locking_mode = EXCLUSIVE');
    lock.exec('BEGIN EXCLUSIVE');
  } catch (cause) {
    lock.close();
    throw new DataLockedError(folder, { cause });
  }
  return () => lock.close();
}

/** A placeholder for a value in a query. */
class Place {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/**
 * SQLite with STAT4 plans by the values of parameters, and plans again each time one has changed: a join of four tables took
 * 34 µs that way, and takes 4 µs when the planner cannot see the values. https://sqlite.org/c3ref/prepare.html ("STAT4")
 */
class HidingCompiler extends SqliteQueryCompiler {
  protected override getCurrentParameterPlaceholder(): string {
    return '(select ?)';
  }
}

/** Compiles queries to SQL, and runs none. */
const hiding = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new HidingCompiler(),
  },
});

/** A compiled query. The embedded database runs it directly where possible, which saves the 10 µs that Kysely takes. */
interface Prepared<R> {
  query: CompiledQuery<R>;
  /** For use inside a transaction. */
  within: SQLite.Statement<unknown[], R> | undefined;
  /** For use outside of transactions, by queries that write nothing. */
  outside: SQLite.Statement<unknown[], R> | undefined;
  /** The same for Postgres. */
  read: Read | undefined;
}

/**
 * A query that is compiled to SQL once, for those that run with every call. `build` gets placeholders instead of values, so it
 * must do nothing with them but put them into the query.
 */
export function prepareQuery<P extends Record<keyof P, string | number | null>, R>(
  build: (db: Db | Trx, given: P) => Compilable<R>,
): (db: Db | Trx, given: P) => Promise<R[]> {
  const known = new WeakMap<object, Prepared<R>>();
  // A border: a placeholder takes the place of a value, and goes nowhere else.
  const places = new Proxy({}, { get: (_, name) => new Place(String(name)) }) as P;
  const prepare = (db: Db | Trx, adapter: object): Prepared<R> => {
    const plain = build(db, places).compile();
    const connections = embedded.get(adapter);
    if (!connections) {
      keepPlan(plain.sql);
      const read = plain.query.kind === 'SelectQueryNode' ? readers.get(adapter) : undefined;
      return { query: plain, within: undefined, outside: undefined, read };
    }
    // A write finds its row by one key, so there is nothing to plan, and hiding thirty values would take 5 µs.
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
    // A border: the driver does not know the type of the query's rows.
    if (read && !db.isTransaction) return (await read(query.sql, values)) as R[];
    const statement = db.isTransaction ? within : outside;
    if (!statement) return (await db.executeQuery<R>({ ...query, parameters: values })).rows;
    if (statement.reader) return statement.all(values);
    statement.run(values);
    return [];
  };
}

// A border: each placeholder has the name of a parameter.
const valueOf = <P extends object>(given: P, name: string) => given[name as keyof P];

/** The insert of a whole row, compiled once. */
export function prepareInsert<T extends keyof Tables>(
  table: T,
  columns: Record<keyof Tables[T], true>,
): (db: Db | Trx, row: Selectable<Tables[T]>) => Promise<unknown> {
  const names = Object.keys(columns);
  // A border: a row of placeholders has the columns of the table, but not its types.
  const insert = prepareQuery((db, row: Record<string, string | number | null>) =>
    db.insertInto(table).values(Object.fromEntries(names.map((name) => [name, row[name]])) as never),
  );
  return (db, row) => insert(db, row as Record<string, string | number | null>);
}

const batchSize = 100;

/** Rows of one statement: SQLite takes 32,766 values in one, Postgres 65,535, and no row has a hundred. */
export const inBatches = <T>(rows: T[]): T[][] =>
  Array.from({ length: Math.ceil(rows.length / batchSize) }, (_, at) =>
    rows.slice(at * batchSize, (at + 1) * batchSize),
  );

/** Locks the row until the transaction ends, so that what is read after this may be written back. An update locks its row on both engines. */
export async function lockRow(trx: Trx, table: keyof Tables, uuid: string): Promise<void> {
  await sql`update ${sql.table(table)} set uuid = uuid where uuid = ${uuid}`.execute(trx);
}

/** Until the transaction ends, whoever else asks for the same name waits. SQLite has one writer at a time anyway. */
export async function lockName(trx: Trx, engine: Database['engine'], name: string): Promise<void> {
  if (engine === 'postgres') await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(trx);
}

const idDigits = 16;
const random = Buffer.alloc(8000);
let digits = '';
let used = 0;
/** How many ids this process has made for each of the moments it was asked for last. */
const idCounts = new Map<number, number>();
const maxIdCounts = 1000;

/**
 * A UUIDv7: sorts by its millisecond, within it by a count of this process, and is random otherwise. What is more than the
 * count can hold takes the next millisecond (RFC 9562 §5.7 and §6.2, method 1).
 */
export function newId(now = Date.now()): string {
  if (used === digits.length) {
    digits = randomFillSync(random).toString('hex');
    used = 0;
  }
  let moment = now;
  while ((idCounts.get(moment) ?? 0) > 0xfff) moment++;
  const made = idCounts.get(moment) ?? 0;
  idCounts.set(moment, made + 1);
  if (idCounts.size > maxIdCounts) idCounts.delete(idCounts.keys().next().value ?? 0);
  const time = moment.toString(16).padStart(12, '0');
  const count = made.toString(16).padStart(3, '0');
  const tail = digits.slice(used, (used += idDigits));
  const variant = '89ab'[Number.parseInt(tail.charAt(0), 16) & 3] ?? '8';
  return `${time.slice(0, 8)}-${time.slice(8)}-7${count}-${variant}${tail.slice(1, 4)}-${tail.slice(4)}`;
}

/** No id that was made at this moment or later sorts before it. */
export function firstIdAt(ms: number): string {
  const time = ms.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`;
}

/** True when a write was refused because its key exists already. */
export function isUniqueViolation(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false;
  return (
    error.code === '23505' || error.code === 'SQLITE_CONSTRAINT_UNIQUE' || error.code === 'SQLITE_CONSTRAINT_PRIMARYKEY'
  );
}

/** True when a write was refused because what it names is not there. */
export const isForeignKeyViolation = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  (error.code === '23503' || error.code === 'SQLITE_CONSTRAINT_FOREIGNKEY');

/** True when the database cannot be reached, as opposed to refusing a statement. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  return (
    /^(ECONNREFUSED|ECONNRESET|ENOTFOUND|ETIMEDOUT|EPIPE|08\d{3}|57P0\d|53300|57014|SQLITE_BUSY)/.test(code) ||
    isStalePlan(error) ||
    /Connection terminated|timeout exceeded when trying to connect|Query read timeout|is not queryable/.test(
      error.message,
    )
  );
}

export async function pingDatabase(db: Db | Trx): Promise<void> {
  await sql`select 1`.execute(db);
}
