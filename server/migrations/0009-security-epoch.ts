import { sql } from 'kysely';
import type { Migration } from '../infra/migrate.ts';

/** What a ticket was issued under: a reset raises the account's number, and with that ends all that is on its way. */
export const securityEpoch: Migration = {
  name: '0009-security-epoch',
  async up(trx) {
    await sql`alter table "user" add column security_epoch bigint not null default 0`.execute(trx);
    await sql`alter table ticket add column security_epoch bigint not null default 0`.execute(trx);
  },
};
