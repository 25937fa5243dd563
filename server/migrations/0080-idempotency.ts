import { sql } from 'kysely';
import type { Migration } from '../infra/migrate.ts';

/** What calls with an `Idempotency-Key` have answered. */
export const idempotency: Migration = {
  name: '0080-idempotency',
  async up(trx, engine) {
    const id = sql.raw(engine === 'postgres' ? 'uuid' : 'text');
    for (const statement of [
      sql`create table idempotency (id text primary key, created_at bigint not null, owner ${id} not null,
        workspace ${id} not null, fingerprint text, alive_until bigint not null, status integer, answer text,
        bytes integer not null default 0)`,
      sql`create index idempotency_age on idempotency (created_at)`,
      sql`create index idempotency_owner on idempotency (owner)`,
      sql`create index idempotency_workspace on idempotency (workspace)`,
      sql`create index idempotency_large on idempotency (owner, bytes) where bytes > 16384`,
    ])
      await statement.execute(trx);
  },
};
