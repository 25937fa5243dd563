import { sql } from 'kysely';
import type { Migration } from '../infra/migrate.ts';

/** What a message needs that a channel's servers are handed, and who of a group wrote one. */
export const outgoing: Migration = {
  name: '0034-outgoing',
  async up(trx) {
    for (const column of ['sending', 'sender', 'link'])
      await sql`alter table message add column ${sql.id(column)} text`.execute(trx);
  },
};
