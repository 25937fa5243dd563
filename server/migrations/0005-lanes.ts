import { sql } from 'kysely';
import type { Migration } from '../infra/migrate.ts';

export const lanes: Migration = {
  name: '0005-lanes',
  async up(trx) {
    for (const statement of [
      sql`alter table job add column lane text not null default 'upkeep'`,
      sql`update job set lane = 'ingestion' where kind = 'knowledge.ingest'`,
      sql`update job set lane = 'mail' where kind in ('mail.send', 'accounts.forgot-password')`,
      sql`create index job_lane on job (lane, run_at) where state = 'queued'`,
      sql`create table recurring (name text primary key, due_at bigint not null)`,
    ]) {
      await statement.execute(trx);
    }
  },
};
