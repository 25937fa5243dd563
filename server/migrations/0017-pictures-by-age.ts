import { sql } from 'kysely';
import type { Migration } from '../infra/migrate.ts';

/** Pictures that nothing shows are found by their age without a look at other files. */
export const picturesByAge: Migration = {
  name: '0017-pictures-by-age',
  async up(trx) {
    await sql`create index file_pictures on file (created_at) where kind = 'avatar'`.execute(trx);
  },
};
