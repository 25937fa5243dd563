import { sql } from 'kysely';
import type { Migration } from '../infra/migrate.ts';

/** The log of a webhook is read by event, of which some are few among many, and counted by event and state. */
export const deliveryEvents: Migration = {
  name: '0073-delivery-events',
  async up(trx) {
    await sql`create index webhook_delivery_event on webhook_delivery (target, event, created_at)`.execute(trx);
    await sql`create index webhook_delivery_event_state on webhook_delivery (target, event, state, created_at)`.execute(
      trx,
    );
  },
};
