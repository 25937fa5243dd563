import { sql } from 'kysely';
import type { Migration } from '../infra/migrate.ts';

/** Step messages wait while their channel is off, and what LINE has counted of a broadcast is kept. */
export const campaignPauses: Migration = {
  name: '0050-campaign-pauses',
  async up(trx) {
    for (const statement of [
      sql`alter table step_scenario add column paused_at bigint`,
      sql`alter table broadcast add column insight text`,
      sql`alter table broadcast add column insight_at bigint`,
    ])
      await statement.execute(trx);
  },
};
