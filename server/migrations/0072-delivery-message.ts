import { sql } from 'kysely';
import type { Migration } from '../infra/migrate.ts';

/** What is sent of a message goes where the message goes. */
export const deliveryMessage: Migration = {
  name: '0072-delivery-message',
  async up(trx, engine) {
    await sql`alter table webhook_delivery add column message ${sql.raw(engine === 'postgres' ? 'uuid' : 'text')}`.execute(
      trx,
    );
    await sql`create index webhook_delivery_message on webhook_delivery (message) where message is not null`.execute(
      trx,
    );
  },
};
