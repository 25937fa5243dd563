import { sql } from 'kysely';
import type { Migration } from '../infra/migrate.ts';

/** The operator reads what bots show in the order of `orderOfOperated` in features/explore. */
const order = sql.raw(`(case when state = 'review' then 9007199254740991 - updated_at
  when featured is not null and state = 'listed' then 4503599627370496 - featured else updated_at end)`);

export const listingOrder: Migration = {
  name: '0076-listing-order',
  async up(trx) {
    await sql`drop index listing_changed`.execute(trx);
    await sql`drop index listing_state`.execute(trx);
    await sql`create index listing_operated on listing (${order}, uuid)`.execute(trx);
    await sql`create index listing_state on listing (state, ${order}, uuid)`.execute(trx);
  },
};
