import { randomFillSync } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import { Kysely, PostgresDialect, SqliteDialect, sql, type Transaction } from 'kysely';
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
  return options.DATABASE_URL ? openPostgres(options.DATABASE_URL, connections, readOnly) : openSqlite(options.DATA_DIR, readOnly);
}

function openSqlite(folder: string, readOnly: boolean): Database {
  mkdirSync(folder, { recursive: true });
  const sqlite = new SQLite(join(folder, 'kotae.db'), { readonly: readOnly, timeout: 5000 });
  if (!readOnly) {
    sqlite.pragma('journal_mode = WAL');
    sqlite.pragma('synchronous = FULL');
  }
  sqlite.pragma('foreign_keys = ON');
  sqlite.pragma('cache_size = -16000');
  const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database: sqlite }) });
  return { engine: 'sqlite', db, sqlite, close: () => db.destroy() };
}

function openPostgres(url: string, connections: number, readOnly: boolean): Database {
  const pool = new pg.Pool({
    // A search is over before a second worker of Postgres would have started.
    ...(readOnly && { options: '-c max_parallel_workers_per_gather=0 -c enable_seqscan=off -c jit=off -c default_transaction_read_only=on' }),
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: 5000,
    statement_timeout: 30_000,
    idle_in_transaction_session_timeout: 30_000,
  });
  // A connection that dies while idle is replaced at the next query; without a listener it would end the process.
  pool.on('error', () => {});
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

const random = new Uint8Array(10);

/** A UUIDv7: sortable by the millisecond it was made in, random beyond (RFC 9562 §5.7). */
export function newId(now = Date.now()): string {
  randomFillSync(random);
  const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
  const time = now.toString(16).padStart(12, '0');
  const tail = hex(random);
  const variant = ((Number.parseInt(tail.slice(3, 5), 16) & 0x3f) | 0x80).toString(16);
  return `${time.slice(0, 8)}-${time.slice(8)}-7${tail.slice(0, 3)}-${variant}${tail.slice(5, 7)}-${tail.slice(7, 19)}`;
}

/** True when a write was refused because its key is taken. */
export function isUniqueViolation(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false;
  return error.code === '23505' || error.code === 'SQLITE_CONSTRAINT_UNIQUE' || error.code === 'SQLITE_CONSTRAINT_PRIMARYKEY';
}

/** True when the database is out of reach, as opposed to refusing what it was asked. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  return /^(ECONNREFUSED|ECONNRESET|ENOTFOUND|ETIMEDOUT|EPIPE|08\d{3}|57P0\d|53300|57014|SQLITE_BUSY)/.test(code) || /Connection terminated|timeout exceeded when trying to connect|Query read timeout/.test(error.message);
}

export async function pingDatabase(db: Db): Promise<void> {
  await sql`select 1`.execute(db);
}
