import { sql } from 'kysely';
import type { Migration } from '../infra/migrate.ts';

/** What an answer offers to be asked next, as a list; null where it offers nothing. */
export const suggestions: Migration = {
  name: '0024-suggestions',
  async up(trx) {
    await sql`alter table message add column suggestions text`.execute(trx);
  },
};
