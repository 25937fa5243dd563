import { sql } from 'kysely';
import type { Migration } from '../infra/migrate.ts';

/** What the answers of a channel cost is found by the channel. */
export const channelSpending: Migration = {
  name: '0030-channel-spending',
  async up(trx, engine) {
    const id = sql.raw(engine === 'postgres' ? 'uuid' : 'text');
    for (const statement of [
      sql`alter table credit_hold add column channel_id ${id}`,
      sql`alter table token_entry add column channel_id ${id}`,
      sql`create index credit_hold_channel on credit_hold (channel_id) where channel_id is not null`,
      sql`create index token_entry_channel on token_entry (channel_id, created_at) where channel_id is not null`,
    ])
      await statement.execute(trx);
  },
};
