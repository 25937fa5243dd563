import { sql } from 'kysely';
import type { Migration } from '../infra/migrate.ts';

/** LINE channels, what LINE's servers have sent, and what it calls messages. */
export const line: Migration = {
  name: '0036-line',
  async up(trx, engine) {
    const postgres = engine === 'postgres';
    const id = sql.raw(postgres ? 'uuid' : 'text');
    const small = sql.raw(postgres ? 'smallint' : 'integer');
    const entity = sql`uuid ${id} primary key, created_at bigint not null, updated_at bigint not null`;
    const workspace = sql`workspace ${id} not null references workspace (uuid) on delete cascade`;
    const channel = sql`channel ${id} not null references line_channel (uuid) on delete cascade`;
    for (const statement of [
      sql`create table line_channel (${entity}, ${workspace}, key text not null unique, line_id text not null unique,
        bot_user text not null unique, secret text not null, basic_id text not null, avatar ${id}, chat_mode text not null,
        settings text not null, registered text, webhook_active ${small}, tested_at bigint, test text, checked_at bigint,
        quota text, quota_at bigint, secret_failed_at bigint, strayed_at bigint, last_event_at bigint)`,
      sql`create index line_channel_workspace on line_channel (workspace, updated_at)`,
      sql`create table line_request (${entity}, ${channel}, body text not null, events integer not null, ms integer not null)`,
      sql`create index line_request_channel on line_request (channel, created_at)`,
      sql`create index line_request_age on line_request (created_at)`,
      sql`create table line_event (${entity}, ${channel}, request ${id} not null references line_request (uuid) on delete cascade,
        line_id text not null, type text not null, kind text, chat text not null, mode text not null, raw text not null,
        line_at bigint not null, redelivered ${small} not null, reply_token text, token_at bigint not null, token_used_at bigint,
        state text not null, reason text, attempts integer not null, due_at bigint not null, thread ${id}, guest ${id}, message ${id}, way text,
        done_at bigint, unique (channel, line_id))`,
      sql`create index line_event_channel on line_event (channel, created_at)`,
      sql`create index line_event_pending on line_event (channel, line_at) where state = 'pending'`,
      sql`create index line_event_chat on line_event (channel, chat, due_at) where state = 'pending'`,
      sql`create index line_event_token on line_event (channel, chat, token_at) where reply_token is not null and token_used_at is null`,
      sql`create index line_event_request on line_event (request)`,
      sql`create index line_event_thread on line_event (thread, created_at) where thread is not null`,
      sql`create table line_message (channel ${id} not null references line_channel (uuid) on delete cascade, line_id text not null,
        message ${id}, thread ${id}, quote_token text, edited_at bigint, unsent_at bigint, created_at bigint not null,
        primary key (channel, line_id))`,
      sql`create index line_message_message on line_message (message) where message is not null`,
      sql`alter table guest_identity add column left_at bigint`,
    ])
      await statement.execute(trx);
  },
};
