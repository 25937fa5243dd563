import { sql } from 'kysely';
import type { Migration } from '../infra/migrate.ts';

/** Which messages name a file is found without a look at those that name none. */
export const messagesWithFiles: Migration = {
  name: '0018-messages-with-files',
  async up(trx) {
    await sql`create index message_files on message (thread) where files <> '[]'`.execute(trx);
  },
};
