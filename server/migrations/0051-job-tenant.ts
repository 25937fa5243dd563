import { sql } from 'kysely';
import type { Migration } from '../infra/migrate.ts';

/** Whose a job is, where one of them could take every place of a lane. */
export const jobTenant: Migration = {
  name: '0051-job-tenant',
  async up(trx) {
    await sql`alter table job add column tenant text`.execute(trx);
  },
};
