import { sql } from 'kysely';
import type { Migration } from '../infra/migrate.ts';

/** Friends who were erased: by what nobody can read, so that taking over all friends does not bring them back. */
export const lineErased: Migration = {
  name: '0057-line-erased',
  async up(trx, engine) {
    const id = sql.raw(engine === 'postgres' ? 'uuid' : 'text');
    await sql`create table line_erased (channel ${id} not null references line_channel (uuid) on delete cascade,
      digest text not null, primary key (channel, digest))`.execute(trx);
  },
};
