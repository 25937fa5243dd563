import { sql } from 'kysely';
import type { Trx } from '../infra/db.ts';
import type { Migration } from '../infra/migrate.ts';

/** Visitors, the channels that they come through, and what threads and messages have of them. */
export const channels: Migration = {
  name: '0025-channels',
  rebuildsTables: true,
  async up(trx, engine) {
    const postgres = engine === 'postgres';
    const id = sql.raw(postgres ? 'uuid' : 'text');
    const small = sql.raw(postgres ? 'smallint' : 'integer');
    const entity = sql`uuid ${id} primary key, created_at bigint not null, updated_at bigint not null`;
    const workspace = sql`workspace ${id} not null references workspace (uuid) on delete cascade`;

    // Where only people answer there is no bot.
    if (postgres) await sql`alter table thread alter column bot drop not null`.execute(trx);
    else await makeBotOptional(trx);

    for (const statement of [
      sql`create table guest (${entity}, ${workspace}, name text not null, avatar ${id}, language text, email text not null,
        phone text not null, note text not null, fields text not null, page text not null, preview ${small} not null default 0, silent ${small} not null default 1,
        blocked_at bigint, consented_at bigint, answered_at bigint, last_seen_at bigint)`,
      sql`create index guest_workspace on guest (workspace, last_seen_at)`,
      sql`create index guest_preview on guest (created_at) where preview = 1`,
      sql`create index guest_silent on guest (last_seen_at) where silent = 1`,
      sql`create table guest_identity (${entity}, guest ${id} not null references guest (uuid) on delete cascade, ${workspace},
        channel text not null, channel_id ${id} not null, external text not null, name text not null, verified ${small} not null,
        unique (channel_id, external))`,
      sql`create index guest_identity_guest on guest_identity (guest)`,
      sql`create table guest_tag (guest ${id} not null references guest (uuid) on delete cascade, ${workspace}, name text not null,
        primary key (guest, name))`,
      sql`create index guest_tag_workspace on guest_tag (workspace, name)`,

      sql`create table connection (${entity}, ${workspace}, name text not null, channel text not null, channel_id ${id} not null unique,
        bot ${id} references bot (uuid) on delete set null, active ${small} not null, settings text not null)`,
      sql`create index connection_workspace on connection (workspace, updated_at)`,
      sql`create index connection_bot on connection (bot)`,
      sql`create table web_channel (${entity}, ${workspace}, settings text not null, avatar ${id}, secret text,
        seen_at bigint, seen_on text)`,
      sql`create index web_channel_workspace on web_channel (workspace, updated_at)`,
      sql`create table canned_reply (${entity}, ${workspace}, shortcut text not null, title text not null, text text not null,
        unique (workspace, shortcut))`,

      sql`alter table thread add column guest ${id} references guest (uuid) on delete cascade`,
      sql`alter table thread add column identity ${id}`,
      sql`alter table thread add column channel_id ${id}`,
      sql`alter table thread add column assignee ${id} references "user" (uuid) on delete set null`,
      sql`alter table thread add column reason text`,
      sql`alter table thread add column waiting_since bigint`,
      sql`alter table thread add column snoozed_until bigint`,
      sql`alter table thread add column unread integer not null default 0`,
      sql`alter table thread add column seen_seq integer not null default 0`,
      sql`alter table thread add column last_text text`,
      sql`alter table thread add column last_role text`,
      sql`alter table thread add column last_author ${id}`,
      sql`alter table thread add column last_at bigint`,
      sql`alter table thread add column left_at bigint`,
      // Lists of the inbox: everything, a view, mine.
      sql`create index thread_inbox on thread (workspace, last_at) where guest is not null and deleted_at is null`,
      sql`create index thread_status on thread (workspace, status, last_at) where guest is not null and deleted_at is null`,
      sql`create index thread_assignee on thread (assignee, last_at) where guest is not null and deleted_at is null`,
      sql`create index thread_guest on thread (guest, updated_at) where guest is not null`,
      sql`create index thread_channel on thread (channel_id, last_at) where guest is not null`,
      sql`create index thread_snoozed on thread (snoozed_until) where snoozed_until is not null`,

      sql`alter table message add column author ${id}`,
      sql`alter table message add column internal ${small} not null default 0`,
      sql`alter table message add column happening text`,
      sql`alter table message add column sticker text`,
      sql`alter table message add column location text`,
      sql`alter table message add column delivery text`,
      sql`alter table message add column delivery_error text`,
      sql`alter table message add column channel_key text`,
      // 0: it is to be searched and is not yet.
      sql`alter table message add column indexed ${small}`,
      sql`create index message_unindexed on message (uuid) where indexed = 0`,
      sql`create unique index message_channel_key on message (thread, channel_key) where channel_key is not null`,
      sql`create index message_author on message (author) where author is not null`,
      sql`alter table file add column guest ${id}`,
      sql`create index file_guest on file (guest) where guest is not null`,
    ])
      await statement.execute(trx);
    for (const statement of postgres
      ? [
          sql`create table message_index (id bigserial primary key, message uuid not null unique references message (uuid) on delete cascade,
            thread uuid not null, terms bigint[] not null)`,
          sql`create index message_keyword on message_index using gin (terms)`,
        ]
      : [
          sql`create table message_index (id integer primary key, message text not null unique references message (uuid) on delete cascade,
            thread text not null)`,
          sql`create virtual table message_keyword using fts5(terms, content='', contentless_delete=1, detail=none, tokenize='ascii')`,
          sql`create trigger message_index_gone after delete on message_index begin
            delete from message_keyword where rowid = old.id; end`,
        ])
      await statement.execute(trx);
  },
};

/** SQLite cannot take a NOT NULL away: the table is made anew, as https://www.sqlite.org/lang_altertable.html#otheralter says. */
async function makeBotOptional(trx: Trx): Promise<void> {
  const { rows } = await sql<{
    type: string;
    sql: string;
  }>`select type, sql from sqlite_master where tbl_name = 'thread' and sql is not null order by type desc`.execute(trx);
  const [table, ...indexes] = rows;
  if (table?.type !== 'table') throw new Error('The table of threads is not there.');
  const made = table.sql
    .replace(/^create table "?thread"?/i, 'create table thread_made')
    .replace(/\bbot text not null references bot/i, 'bot text references bot');
  await sql.raw(made).execute(trx);
  await sql`insert into thread_made select * from thread`.execute(trx);
  await sql`drop table thread`.execute(trx);
  await sql`alter table thread_made rename to thread`.execute(trx);
  for (const index of indexes) await sql.raw(index.sql).execute(trx);
}
