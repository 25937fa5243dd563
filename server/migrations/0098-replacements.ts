import { sql } from 'kysely';
import type { Migration } from '../infra/migrate.ts';

/** A file waits beside the one whose place it takes until it is read. */
export const replacements: Migration = {
  name: '0098-replacements',
  async up(trx) {
    await sql`alter table document add column replacement text`.execute(trx);
  },
};
