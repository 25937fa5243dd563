import { sql } from 'kysely';
import type { Migration } from '../infra/migrate.ts';

/** How a base divides and finds; what is not written there is as usual. */
export const baseSettings: Migration = {
  name: '0023-base-settings',
  async up(trx) {
    await sql`alter table knowledge add column settings text not null default '{}'`.execute(trx);
  },
};
