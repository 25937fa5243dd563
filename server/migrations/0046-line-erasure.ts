import { sql } from 'kysely';
import type { Migration } from '../infra/migrate.ts';

/** What somebody wrote is erased with them also where it is kept as it came, which is found by who wrote it and by what it became. */
export const lineErasure: Migration = {
  name: '0046-line-erasure',
  async up(trx) {
    await sql`create index line_event_message on line_event (message) where message is not null`.execute(trx);
    await sql`create index line_event_whose on line_event (channel, chat)`.execute(trx);
  },
};
