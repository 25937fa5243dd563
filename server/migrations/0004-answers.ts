import { sql } from 'kysely';
import type { Migration } from '../infra/migrate.ts';

export const answers: Migration = {
  name: '0004-answers',
  async up(trx, engine) {
    const postgres = engine === 'postgres';
    const id = sql.raw(postgres ? 'uuid' : 'text');
    const small = sql.raw(postgres ? 'smallint' : 'integer');
    const entity = sql`uuid ${id} primary key, created_at bigint not null, updated_at bigint not null`;
    const workspace = sql`workspace ${id} not null references workspace (uuid) on delete cascade`;

    for (const statement of [
      sql`create table model_key (${entity}, ${workspace}, provider text not null, name text not null, base_url text, sealed text,
        hint text not null, state text not null, message text, models text not null, checked_at bigint not null, last_used_at bigint)`,
      sql`create index model_key_workspace on model_key (workspace, created_at)`,
      sql`create table service_setting (service ${id} primary key, hidden ${small} not null default 0, name text, price text, added text, updated_at bigint not null)`,

      sql`create table bot_group (${entity}, ${workspace}, name text not null, color text not null, position integer not null)`,
      sql`create index bot_group_workspace on bot_group (workspace, position)`,
      sql`alter table bot add column bot_group ${id} references bot_group (uuid) on delete set null`,
      sql`create table bot_secret (bot ${id} not null references bot (uuid) on delete cascade, name text not null, sealed text not null,
        updated_at bigint not null, primary key (bot, name))`,

      // What a workspace has is the sum of its entries; the row is what one conditional update can hold to it.
      sql`create table credit_account (workspace ${id} primary key references workspace (uuid) on delete cascade,
        balance bigint not null, reserved bigint not null default 0 check (reserved >= 0))`,
      sql`create table credit_hold (message ${id} primary key, workspace ${id} not null references workspace (uuid) on delete cascade,
        amount bigint not null check (amount >= 0), created_at bigint not null)`,
      sql`create index credit_hold_time on credit_hold (created_at)`,
      // Append-only; names are kept as they were. An entry of a message can be made once.
      sql`create table token_entry (uuid ${id} primary key, created_at bigint not null, ${workspace}, kind text not null, amount bigint not null,
        balance bigint not null, message ${id} unique, thread ${id}, bot ${id}, bot_name text, "user" ${id}, api_key ${id}, channel text, service ${id},
        service_name text, provider text, model text, model_key ${id}, own_key ${small} not null default 0, price text,
        tokens_in bigint not null default 0, tokens_out bigint not null default 0, tokens_cached bigint not null default 0,
        latency_ms integer, first_token_ms integer, note text)`,
      sql`create index token_entry_workspace on token_entry (workspace, created_at)`,

      sql`alter table thread add column head ${id}`,
      sql`alter table thread add column pinned_at bigint`,
      sql`alter table thread add column temporary ${small} not null default 0`,
      sql`alter table thread add column share_hash text`,
      sql`create unique index thread_share on thread (share_hash)`,
      sql`alter table message add column reasoning text not null default ''`,
      sql`alter table message add column tools text not null default '[]'`,
      sql`alter table message add column files text not null default '[]'`,
      sql`alter table message add column feedback text`,
      sql`alter table message add column finish text`,
      sql`alter table message add column service_name text`,
      sql`alter table message add column tokens_cached integer not null default 0`,
      sql`alter table message add column cost bigint not null default 0`,
      sql`alter table message add column own_key ${small} not null default 0`,
      sql`create index message_parent on message (parent)`,
      // A thread was one line until now: each question follows the answer before it, and the newest message is its end.
      sql`update message set parent = (select before.uuid from message before where before.thread = message.thread and before.seq = message.seq - 1) where role = 'user' and parent is null`,
      sql`update thread set head = (select last.uuid from message last where last.thread = thread.uuid order by last.seq desc limit 1)`,
    ]) {
      await statement.execute(trx);
    }
  },
};
