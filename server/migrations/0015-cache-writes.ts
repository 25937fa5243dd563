import { sql } from 'kysely';
import type { Migration } from '../infra/migrate.ts';

/** What a provider put into its cache has a price of its own, so an entry's amount follows from its tokens only with it. */
export const cacheWrites: Migration = {
  name: '0015-cache-writes',
  async up(trx) {
    await sql`alter table token_entry add column tokens_cache_written bigint not null default 0`.execute(trx);
  },
};
