import { sql } from 'kysely';
import type { Migration } from '../infra/migrate.ts';

/** What operators give, once for each key; and indexes from which use is added up without reading the entries themselves. */
export const creditRequests: Migration = {
  name: '0021-credit-requests',
  async up(trx, engine) {
    const id = sql.raw(engine === 'postgres' ? 'uuid' : 'text');
    for (const statement of [
      sql`create table credit_request (operator ${id} not null, key text not null, workspace ${id} not null references workspace (uuid) on delete cascade,
        entry ${id} not null, created_at bigint not null, primary key (operator, key))`,
      sql`create index credit_request_workspace on credit_request (workspace)`,
      sql`drop index token_entry_workspace`,
      sql`create index token_entry_used on token_entry (workspace, created_at, kind, amount, own_key, bot, service, channel)`,
      sql`create index token_entry_counted on token_entry (workspace, created_at) where (kind <> 'use' or amount <> 0 or own_key = 1)`,
    ])
      await statement.execute(trx);
  },
};
