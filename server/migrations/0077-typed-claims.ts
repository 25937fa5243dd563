import { sql } from 'kysely';
import type { Migration } from '../infra/migrate.ts';

/** Until when whoever took a thread over by typing is waited for. */
export const typedClaims: Migration = {
  name: '0077-typed-claims',
  async up(trx) {
    await sql`alter table thread add column typed_until bigint`.execute(trx);
    await sql`create index thread_typed on thread (typed_until) where typed_until is not null`.execute(trx);
  },
};
