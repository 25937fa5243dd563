import { sql } from 'kysely';
import type { Migration } from '../infra/migrate.ts';

/** Private addresses that operators have allowed. */
export const allowedHosts: Migration = {
  name: '0100-allowed-hosts',
  async up(trx, engine) {
    const id = sql.raw(engine === 'postgres' ? 'uuid' : 'text');
    await sql`create table allowed_host (uuid ${id} primary key, created_at bigint not null, updated_at bigint not null,
      host text not null unique)`.execute(trx);
  },
};
