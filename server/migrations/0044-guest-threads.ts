import { sql } from 'kysely';
import type { Migration } from '../infra/migrate.ts';

/** A message that comes is looked for in its guest's threads on its channel: they were found through all threads of the channel. */
export const guestThreads: Migration = {
  name: '0044-guest-threads',
  async up(trx) {
    await sql`drop index thread_guest`.execute(trx);
    await sql`create index thread_guest on thread (guest, channel_id, updated_at) where guest is not null`.execute(trx);
  },
};
