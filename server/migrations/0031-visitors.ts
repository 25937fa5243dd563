import { sql } from 'kysely';
import type { Migration } from '../infra/migrate.ts';

/** Who tries a widget; what deleted channels promised; identities by what is proved of them. */
export const visitors: Migration = {
  name: '0031-visitors',
  async up(trx, engine) {
    const id = sql.raw(engine === 'postgres' ? 'uuid' : 'text');
    for (const statement of [
      sql`alter table guest add column maker ${id} references "user" (uuid) on delete set null`,
      sql`create index guest_maker on guest (maker) where maker is not null`,
      sql`create table gone_channel (uuid ${id} primary key, created_at bigint not null, updated_at bigint not null,
        workspace ${id} not null references workspace (uuid) on delete cascade, retention_days integer not null)`,
      sql`create index gone_channel_workspace on gone_channel (workspace)`,
      sql`update guest_identity set name = substr(external, 6) where external like 'site:%'`,
    ])
      await statement.execute(trx);
  },
};
