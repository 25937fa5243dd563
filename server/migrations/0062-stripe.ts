import { sql } from 'kysely';
import { newId } from '../infra/db.ts';
import type { Migration } from '../infra/migrate.ts';

/**
 * Payments outlive their workspace, and are followed at the gateway until that is done with them. Refunds, disputes, events, and
 * what a receipt said on the day it was numbered have rows of their own. Packages from the beginning are for the sandbox only.
 */
export const stripePayments: Migration = {
  name: '0062-stripe',
  rebuildsTables: true,
  async up(trx, engine) {
    const id = sql.raw(engine === 'postgres' ? 'uuid' : 'text');
    const run = async (...statements: ReturnType<typeof sql>[]) => {
      for (const statement of statements) await statement.execute(trx);
    };
    await run(
      sql`drop index payment_workspace`,
      sql`drop index payment_open`,
      sql`create table payment_made (uuid ${id} primary key, created_at bigint not null, updated_at bigint not null,
        workspace ${id} references workspace (uuid) on delete set null, package ${id} not null, key text not null,
        credits bigint not null, amount bigint not null, currency text not null, gateway text not null, gateway_id text,
        live integer not null, state text not null, failure text, receipt bigint unique, method text, held text,
        ended integer not null, refund_asked bigint not null, refunded bigint not null, lost bigint not null,
        taken_back bigint not null, unique (workspace, key))`,
      sql`insert into payment_made select uuid, created_at, updated_at, workspace, package, key, credits, amount, currency, gateway,
        gateway_id, 0, state, failure, receipt, null, null,
        case when state in ('created', 'requires-action', 'processing') then 0 else 1 end,
        case when refund_reason is null then 0 else amount end, case when state = 'refunded' then amount else 0 end, 0,
        case when state = 'refunded' then credits * 1000000 else 0 end from payment`,
      sql`create table payment_refund (uuid ${id} primary key, created_at bigint not null, updated_at bigint not null,
        payment ${id} not null references payment_made (uuid) on delete cascade, amount bigint not null, reason text not null,
        state text not null, gateway_id text, refused text, key text, note bigint unique, unique (payment, key),
        unique (payment, gateway_id))`,
    );
    const { rows: given } = await sql<
      Record<'uuid' | 'state' | 'refund_reason', string> & Record<'updated_at' | 'amount', number>
    >`
      select uuid, state, refund_reason, updated_at, amount from payment where refund_reason is not null`.execute(trx);
    for (const row of given)
      await sql`insert into payment_refund (uuid, created_at, updated_at, payment, amount, reason, state, gateway_id)
        values (${newId()}, ${row.updated_at}, ${row.updated_at}, ${row.uuid}, ${row.amount}, ${row.refund_reason},
          ${row.state === 'refunded' ? 'succeeded' : 'wanted'}, ${row.state === 'refunded' ? row.uuid : null})`.execute(
        trx,
      );
    await run(
      sql`create table sandbox_made (payment ${id} primary key references payment_made (uuid) on delete cascade, created_at bigint not null,
        updated_at bigint not null, amount bigint not null, currency text not null, card text, state text not null, failure text)`,
      sql`insert into sandbox_made select payment, created_at, updated_at, amount, currency, card,
        case when state = 'refunded' then 'succeeded' else state end, failure from sandbox_charge`,
      sql`create table sandbox_refund (refund ${id} primary key, payment ${id} not null references payment_made (uuid) on delete cascade,
        created_at bigint not null, amount bigint not null)`,
      sql`insert into sandbox_refund select uuid, payment, created_at, amount from payment_refund where state = 'succeeded'`,
      sql`update payment_refund set gateway_id = cast(uuid as text) where state = 'succeeded'`,
      sql`drop table sandbox_charge`,
      sql`drop table payment`,
      sql`alter table payment_made rename to payment`,
      sql`alter table sandbox_made rename to sandbox_charge`,
      sql`create index payment_workspace on payment (workspace, created_at, uuid)`,
      sql`create index payment_created on payment (created_at, uuid)`,
      sql`create index payment_open on payment (updated_at) where ended = 0 or refund_asked > refunded`,
      sql`create table payment_dispute (payment ${id} not null references payment (uuid) on delete cascade, id text not null,
        created_at bigint not null, updated_at bigint not null, amount bigint not null, reason text not null, state text not null,
        primary key (payment, id))`,
      sql`create table payment_event (id text primary key, created_at bigint not null, type text not null, payment ${id})`,
      sql`create index payment_event_payment on payment_event (payment)`,
      sql`create table payment_document (payment ${id} not null references payment (uuid) on delete cascade, kind text not null,
        number bigint not null, refund ${id}, created_at bigint not null, buyer text not null, seller text not null,
        address text not null, registration text not null, primary key (kind, number))`,
      sql`create index payment_document_payment on payment_document (payment)`,
      sql`insert into payment_document select payment.uuid, 'receipt', payment.receipt, null, payment.updated_at, workspace.name, '', '', ''
        from payment join workspace on workspace.uuid = payment.workspace where payment.receipt is not null`,
      sql`insert into payment_receipt (name, last) values ('credit-note', 0)`,
      sql`alter table credit_package add column sandbox integer not null default 0`,
      // Those that every installation began with were added in one moment.
      sql`update credit_package set sandbox = 1 where currency = 'JPY' and (credits, price) in (values (500, 880), (2000, 3300), (10000, 15400))
        and created_at = (select min(created_at) from credit_package)`,
    );
  },
};
