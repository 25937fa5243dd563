import { sql } from 'kysely';
import type { Migration } from '../infra/migrate.ts';

/** The log of a webhook is counted and read by state, of which failures are few among many. */
export const deliveryStates: Migration = {
  name: '0071-delivery-states',
  async up(trx) {
    await sql`create index webhook_delivery_state on webhook_delivery (target, state, created_at)`.execute(trx);
  },
};
