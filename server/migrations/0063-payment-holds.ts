import { sql } from 'kysely';
import type { Migration } from '../infra/migrate.ts';

/** A payment may wait for an operator for several reasons at once, each about a charge or a refund at the gateway. */
export const paymentHolds: Migration = {
  name: '0063-payment-holds',
  async up(trx, engine) {
    const id = sql.raw(engine === 'postgres' ? 'uuid' : 'text');
    for (const statement of [
      sql`create table payment_hold (payment ${id} not null references payment (uuid) on delete cascade, reason text not null,
        about text not null, created_at bigint not null, released_at bigint, primary key (payment, reason, about))`,
      sql`insert into payment_hold (payment, reason, about, created_at) select uuid, held,
        case when held in ('price-differs', 'workspace-gone') then coalesce(gateway_id, '') else '' end, updated_at
        from payment where held is not null`,
      sql`create index payment_event_other on payment_event (created_at) where payment is null`,
    ])
      await statement.execute(trx);
  },
};
