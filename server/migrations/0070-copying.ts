import { sql } from 'kysely';
import type { Migration } from '../infra/migrate.ts';

/** Workspaces that copy a public bot at this moment. */
export const copying: Migration = {
  name: '0070-copying',
  async up(trx, engine) {
    const id = sql.raw(engine === 'postgres' ? 'uuid' : 'text');
    await sql`create table copying (workspace ${id} primary key references workspace (uuid) on delete cascade,
      lease_until bigint not null)`.execute(trx);
  },
};
