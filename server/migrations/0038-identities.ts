import { sql } from 'kysely';
import type { Migration } from '../infra/migrate.ts';

/** A visitor's token names no channel: it was looked for among all people. */
export const identities: Migration = {
  name: '0038-identities',
  async up(trx) {
    await sql`create index guest_identity_external on guest_identity (external)`.execute(trx);
  },
};
