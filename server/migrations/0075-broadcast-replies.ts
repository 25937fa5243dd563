import { sql } from 'kysely';
import type { Migration } from '../infra/migrate.ts';

/** How many have replied to a broadcast is kept, since counting it reads a week. */
export const broadcastReplies: Migration = {
  name: '0075-broadcast-replies',
  async up(trx) {
    await sql`alter table broadcast add column replies integer`.execute(trx);
    await sql`alter table broadcast add column replies_at bigint`.execute(trx);
  },
};
