import { sql } from 'kysely';
import type { Migration } from '../infra/migrate.ts';

/** A package that is bought again by itself: what a workspace has set up, what an order would set up, and which payments it made. */
export const topUp: Migration = {
  name: '0067-top-up',
  async up(trx, engine) {
    const id = sql.raw(engine === 'postgres' ? 'uuid' : 'text');
    for (const statement of [
      sql`alter table payment add column top_up_below bigint`,
      sql`alter table payment add column top_up_limit bigint`,
      sql`alter table payment add column top_up_by ${id} references "user" (uuid) on delete set null`,
      sql`alter table payment add column top_up ${id}`,
      sql`alter table payment add column asked_at bigint`,
      sql`create index payment_by_itself on payment (workspace, created_at) where top_up is not null`,
      sql`create index payment_top_up_by on payment (top_up_by) where top_up_by is not null`,
      sql`create table top_up (uuid ${id} primary key, created_at bigint not null, updated_at bigint not null,
        workspace ${id} not null unique references workspace (uuid) on delete cascade,
        "user" ${id} references "user" (uuid) on delete set null, payment ${id} not null, package ${id} not null,
        credits bigint not null, price bigint not null, currency text not null, below bigint not null, month_limit bigint not null,
        is_on integer not null, reason text, gateway text not null, live integer not null, customer text, method text, label text,
        charges bigint not null, full_month text)`,
      sql`create index top_up_user on top_up ("user") where "user" is not null`,
    ])
      await statement.execute(trx);
  },
};
