import { sql } from 'kysely';
import type { Migration } from '../infra/migrate.ts';

/** What a friend on LINE speaks was overwritten by the first words of each conversation, such as "OK": LINE is asked once more. */
export const toldLanguages: Migration = {
  name: '0092-told-languages',
  async up(trx) {
    const friends = sql`select guest from guest_identity where channel = 'line'`;
    await sql`update guest set language = null where uuid in (${friends})`.execute(trx);
    await sql`update guest_identity set updated_at = 0 where channel = 'line'`.execute(trx);
  },
};
