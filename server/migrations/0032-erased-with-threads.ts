import { sql } from 'kysely';
import type { Migration } from '../infra/migrate.ts';

/** What tells of a conversation goes with it; an address that keeps failing is left alone for a while. */
export const erasedWithThreads: Migration = {
  name: '0032-erased-with-threads',
  async up(trx, engine) {
    const postgres = engine === 'postgres';
    const id = sql.raw(postgres ? 'uuid' : 'text');
    const said = postgres
      ? sql`(payload::json -> 'data' -> 'conversation' ->> 'uuid')::uuid`
      : sql`json_extract(payload, '$.data.conversation.uuid')`;
    for (const statement of [
      sql`alter table mail add column thread ${id} references thread (uuid) on delete cascade`,
      sql`create index mail_thread on mail (thread) where thread is not null`,
      sql`alter table webhook_delivery add column thread ${id} references thread (uuid) on delete cascade`,
      sql`alter table webhook_delivery add column queued_at bigint not null default 0`,
      sql`alter table webhook_delivery add column due_at bigint not null default 0`,
      sql`update webhook_delivery set queued_at = created_at`,
      sql`update webhook_delivery set thread = ${said}
        where event <> 'test' and exists (select 1 from thread where thread.uuid = ${said})`,
      // Those of conversations that had been erased.
      sql`delete from webhook_delivery where event <> 'test' and thread is null`,
      sql`create index webhook_delivery_thread on webhook_delivery (thread)`,
      sql`create index webhook_delivery_due on webhook_delivery (target, due_at) where state = 'queued'`,
      sql`alter table webhook_target add column failures integer not null default 0`,
      sql`alter table webhook_target add column paused_until bigint`,
      sql`alter table webhook_target add column busy_until bigint`,
      // One job for each delivery; from now on there is one for each address.
      sql`delete from job where kind = 'webhook.send'`,
    ])
      await statement.execute(trx);
  },
};
