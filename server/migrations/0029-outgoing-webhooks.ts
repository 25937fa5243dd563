import { sql } from 'kysely';
import type { Migration } from '../infra/migrate.ts';

/** Addresses that are told of conversations, and what each was told. */
export const outgoingWebhooks: Migration = {
  name: '0029-outgoing-webhooks',
  async up(trx, engine) {
    const postgres = engine === 'postgres';
    const id = sql.raw(postgres ? 'uuid' : 'text');
    const small = sql.raw(postgres ? 'smallint' : 'integer');
    const entity = sql`uuid ${id} primary key, created_at bigint not null, updated_at bigint not null`;
    for (const statement of [
      sql`create table webhook_target (${entity}, workspace ${id} not null references workspace (uuid) on delete cascade,
        url text not null, events text not null, secret text not null, active ${small} not null, last_ok ${small}, last_at bigint)`,
      sql`create index webhook_target_workspace on webhook_target (workspace, created_at)`,
      sql`create table webhook_delivery (${entity}, target ${id} not null references webhook_target (uuid) on delete cascade,
        event text not null, payload text not null, state text not null, attempts integer not null, status integer, error text, ended_at bigint)`,
      sql`create index webhook_delivery_target on webhook_delivery (target, created_at)`,
      sql`create index webhook_delivery_time on webhook_delivery (created_at)`,
    ])
      await statement.execute(trx);
  },
};
