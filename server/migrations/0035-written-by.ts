import { sql } from 'kysely';
import type { Migration } from '../infra/migrate.ts';

/** In which conversations a member has written is found without a look at the messages. */
export const writtenBy: Migration = {
  name: '0035-written-by',
  async up(trx) {
    for (const statement of [
      sql`drop index message_author`,
      sql`create index message_author on message (author, internal, thread) where author is not null`,
    ])
      await statement.execute(trx);
  },
};
