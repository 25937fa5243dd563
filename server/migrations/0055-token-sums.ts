import { sql } from 'kysely';
import type { Migration } from '../infra/migrate.ts';

/** What answers used, added up by the quarter of an hour, so that a year of a busy workspace is read in an instant. */
export const tokenSums: Migration = {
  name: '0055-token-sums',
  async up(trx, engine) {
    const postgres = engine === 'postgres';
    const id = sql.raw(postgres ? 'uuid' : 'text');
    for (const statement of [
      // Empty for none, since a key has no nulls; on SQLite in the table itself.
      sql`create table token_sum (workspace ${id} not null references workspace (uuid) on delete cascade, quarter bigint not null,
        bot text not null, service text not null, channel text not null, channel_id text not null, member text not null, api_key text not null,
        amount bigint not null, answers bigint not null, paid bigint not null, free bigint not null, last bigint not null,
        primary key (workspace, quarter, bot, service, channel, channel_id, member, api_key)) ${sql.raw(postgres ? '' : 'without rowid')}`,
      sql`create table token_summed (workspace ${id} primary key references workspace (uuid) on delete cascade, until bigint not null)`,
    ])
      await statement.execute(trx);
  },
};
