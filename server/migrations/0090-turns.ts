import { sql } from 'kysely';
import type { Migration } from '../infra/migrate.ts';

/** Finds whose turn is next in a lane, however much one workspace has waiting there. */
export const turns: Migration = {
  name: '0090-turns',
  async up(trx) {
    await sql`create index job_turn on job (lane, (coalesce(tenant, '')), run_at) where state = 'queued'`.execute(trx);
    await sql`drop index job_lane`.execute(trx);
  },
};
