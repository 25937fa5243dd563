import { sql } from 'kysely';
import type { Migration } from '../infra/migrate.ts';

/** What was added up before pictures counted is added up again, by whoever looks next. */
export const sumsWithPictures: Migration = {
  name: '0065-sums-with-pictures',
  async up(trx) {
    await sql`delete from token_sum`.execute(trx);
    await sql`delete from token_summed`.execute(trx);
  },
};
