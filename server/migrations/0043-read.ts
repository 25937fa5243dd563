import { sql } from 'kysely';
import type { Migration } from '../infra/migrate.ts';

/** By which LINE is told that somebody of the team has read a message. */
export const read: Migration = {
  name: '0043-read',
  async up(trx) {
    await sql`alter table line_message add column read_token text`.execute(trx);
    await sql`create index line_message_unread on line_message (thread, created_at) where read_token is not null`.execute(
      trx,
    );
  },
};
