import { sql } from 'kysely';
import type { Migration } from '../infra/migrate.ts';

/** Who moved a thing to the trash. */
export const deletedBy: Migration = {
  name: '0022-deleted-by',
  async up(trx, engine) {
    const id = sql.raw(engine === 'postgres' ? 'uuid' : 'text');
    for (const table of ['bot', 'knowledge', 'document'])
      await sql`alter table ${sql.table(table)} add column deleted_by ${id} references "user" (uuid) on delete set null`.execute(
        trx,
      );
  },
};
