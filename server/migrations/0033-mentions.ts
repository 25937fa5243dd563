import { sql } from 'kysely';
import type { Migration } from '../infra/migrate.ts';

/** Which members a note names, and when each has seen it. */
export const mentions: Migration = {
  name: '0033-mentions',
  async up(trx, engine) {
    const id = sql.raw(engine === 'postgres' ? 'uuid' : 'text');
    for (const statement of [
      sql`create table mention (message ${id} not null references message (uuid) on delete cascade,
        "user" ${id} not null references "user" (uuid) on delete cascade,
        thread ${id} not null references thread (uuid) on delete cascade, workspace ${id} not null,
        name text not null, seen_at bigint, created_at bigint not null, primary key (message, "user"))`,
      sql`create index mention_thread on mention (thread)`,
      sql`create index mention_unseen on mention ("user", workspace, created_at) where seen_at is null`,
    ])
      await statement.execute(trx);
  },
};
