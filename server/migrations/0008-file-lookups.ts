import { sql } from 'kysely';
import type { Migration } from '../infra/migrate.ts';

/** What a workspace stores is summed up without a look at other files, and files that nobody sent are found by their age. */
export const fileLookups: Migration = {
  name: '0008-file-lookups',
  async up(trx) {
    await sql`create index file_workspace on file (workspace, bytes)`.execute(trx);
    await sql`create index file_age on file (kind, created_at)`.execute(trx);
  },
};
