import { sql } from 'kysely';
import type { Database, Engine, Trx } from './db.ts';

export interface Migration {
  name: string;
  /** It makes a table anew, which on SQLite must not take along what refers to it. */
  rebuildsTables?: true;
  up(trx: Trx, engine: Engine): Promise<void>;
}

export class NewerDatabaseError extends Error {}

/**
 * Brings the database to this version, each step in a transaction of its own. Several processes may call it at once.
 * Throws `NewerDatabaseError` when the data was written by a version that knows more steps than this one.
 */
export async function migrate(database: Database, migrations: Migration[]): Promise<void> {
  const { db, engine } = database;
  await sql`create table if not exists migration (name text primary key, done_at bigint not null)`.execute(db);
  const done = await sql<{ name: string }>`select name from migration`.execute(db);
  const known = new Set(migrations.map((step) => step.name));
  const foreign = done.rows.find((row) => !known.has(row.name));
  if (foreign) throw new NewerDatabaseError(foreign.name);
  const doneNames = new Set(done.rows.map((row) => row.name));
  for (const step of migrations) {
    if (doneNames.has(step.name)) continue;
    const isUnbound = step.rebuildsTables === true && engine === 'sqlite';
    // Inside of a transaction it cannot be switched.
    if (isUnbound) await sql`pragma foreign_keys = off`.execute(db);
    await db.transaction().execute(async (trx) => {
      if (engine === 'postgres') await sql`select pg_advisory_xact_lock(4802)`.execute(trx);
      // Another process may have done it since.
      const already = await sql`select 1 from migration where name = ${step.name}`.execute(trx);
      if (already.rows.length > 0) return;
      await step.up(trx, engine);
      if (isUnbound) {
        const { rows } = await sql`pragma foreign_key_check`.execute(trx);
        if (rows.length > 0) throw new Error(`${step.name} would leave rows that refer to nothing.`);
      }
      await sql`insert into migration (name, done_at) values (${step.name}, ${Date.now()})`.execute(trx);
    });
    if (isUnbound) await sql`pragma foreign_keys = on`.execute(db);
  }
}
