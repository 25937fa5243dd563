import { sql } from 'kysely';
import { newId } from '../infra/db.ts';
import type { Migration } from '../infra/migrate.ts';

/** Packages of credits, payments for them, and the entries that payments made, each once. */
export const payments: Migration = {
  name: '0060-payments',
  async up(trx, engine) {
    const id = sql.raw(engine === 'postgres' ? 'uuid' : 'text');
    const now = Date.now();
    for (const statement of [
      sql`create table credit_package (uuid ${id} primary key, created_at bigint not null, updated_at bigint not null,
        credits bigint not null, price bigint not null, currency text not null, removed_at bigint)`,
      sql`create table payment (uuid ${id} primary key, created_at bigint not null, updated_at bigint not null,
        workspace ${id} not null references workspace (uuid) on delete cascade, package ${id} not null, key text not null,
        credits bigint not null, amount bigint not null, currency text not null, gateway text not null, gateway_id text,
        state text not null, failure text, receipt bigint unique, refund_reason text, unique (workspace, key))`,
      sql`create index payment_workspace on payment (workspace, created_at, uuid)`,
      sql`create index payment_open on payment (created_at) where state in ('created', 'requires-action', 'processing') or refund_reason is not null`,
      sql`create table payment_receipt (name text primary key, last bigint not null)`,
      sql`insert into payment_receipt (name, last) values ('receipt', 0)`,
      sql`create table sandbox_charge (payment ${id} primary key references payment (uuid) on delete cascade, created_at bigint not null,
        updated_at bigint not null, amount bigint not null, currency text not null, card text, state text not null, failure text)`,
      sql`create table credit_purchase (payment ${id} not null, kind text not null, workspace ${id} not null references workspace (uuid) on delete cascade,
        entry ${id} not null, primary key (payment, kind))`,
      ...[
        [500, 880],
        [2_000, 3_300],
        [10_000, 15_400],
      ].map(
        ([credits, price]) => sql`insert into credit_package (uuid, created_at, updated_at, credits, price, currency)
          values (${newId()}, ${now}, ${now}, ${credits}, ${price}, 'JPY')`,
      ),
    ])
      await statement.execute(trx);
  },
};
