import { sql } from 'kysely';
import type { Migration } from '../infra/migrate.ts';

/** What is in the trash is found without a look at all the rest. */
export const trash: Migration = {
  name: '0006-trash',
  async up(trx) {
    for (const table of ['bot', 'knowledge', 'document', 'thread'])
      await sql`create index ${sql.raw(`${table}_trash`)} on ${sql.table(table)} (deleted_at) where deleted_at is not null`.execute(
        trx,
      );
  },
};
