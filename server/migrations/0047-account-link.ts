import { sql } from 'kysely';
import type { Migration } from '../infra/migrate.ts';

/** What proves who somebody is at the shop is taken once. */
export const accountLink: Migration = {
  name: '0047-account-link',
  async up(trx) {
    await sql`alter table line_event add column nonce text`.execute(trx);
    await sql`create unique index line_event_nonce on line_event (nonce) where nonce is not null`.execute(trx);
  },
};
