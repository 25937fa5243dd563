import { sql } from 'kysely';
import type { Migration } from '../infra/migrate.ts';

/** A broadcast to every friend has the id that LINE gave it; how many friends there are, and how far it is to know them all. */
export const lineFriends: Migration = {
  name: '0052-line-friends',
  async up(trx, engine) {
    const id = sql.raw(engine === 'postgres' ? 'uuid' : 'text');
    const channel = sql`channel ${id} primary key references line_channel (uuid) on delete cascade`;
    for (const statement of [
      sql`alter table broadcast add column request_id text`,
      sql`create table line_reach (${channel}, asked_at bigint not null, day text, reached integer)`,
      sql`create table line_take_over (${channel}, state text not null, reason text, cursor text, found integer not null,
        added integer not null, started_at bigint not null, ended_at bigint)`,
    ])
      await statement.execute(trx);
  },
};
