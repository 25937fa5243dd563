import { sql } from 'kysely';
import type { Migration } from '../infra/migrate.ts';

/** Which file each of some pictures is that were sent at once, so that one can be taken back. */
export const lineFiles: Migration = {
  name: '0049-line-files',
  async up(trx) {
    await sql`alter table line_message add column file text`.execute(trx);
  },
};
