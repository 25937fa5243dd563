import { sql } from 'kysely';
import type { Migration } from '../infra/migrate.ts';

/** Browsers that are told of visitors, how each person wants to be told, and for which conversations a mail was written. */
export const notices: Migration = {
  name: '0027-notices',
  async up(trx, engine) {
    const id = sql.raw(engine === 'postgres' ? 'uuid' : 'text');
    for (const statement of [
      sql`create table push_subscription (uuid ${id} primary key, created_at bigint not null, updated_at bigint not null,
        "user" ${id} not null references "user" (uuid) on delete cascade,
        session ${id} not null unique references session (uuid) on delete cascade,
        endpoint_hash text not null unique, target text not null)`,
      sql`create index push_subscription_user on push_subscription ("user")`,
      sql`create table notice_setting ("user" ${id} primary key references "user" (uuid) on delete cascade,
        mail text not null, quiet_from text, quiet_to text)`,
      sql`create table notice_thread (thread ${id} primary key references thread (uuid) on delete cascade, mailed_at bigint not null)`,
    ])
      await statement.execute(trx);
  },
};
