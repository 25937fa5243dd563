import { sql } from 'kysely';
import type { Migration } from '../infra/migrate.ts';

/** The secret of a session changes at each renewal; the one before is still known, and the new one can be given again for a moment. */
export const sessionSecrets: Migration = {
  name: '0012-session-secrets',
  async up(trx) {
    for (const column of ['previous_hash text', 'sealed_secret text', 'rotated_at bigint not null default 0'])
      await sql`alter table session add column ${sql.raw(column)}`.execute(trx);
    await sql`create index session_previous on session (previous_hash)`.execute(trx);
  },
};
