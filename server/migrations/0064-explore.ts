import { sql } from 'kysely';
import type { Migration } from '../infra/migrate.ts';

/** What bots show of themselves to everybody, and what people made of it. */
export const explore: Migration = {
  name: '0064-explore',
  async up(trx, engine) {
    const postgres = engine === 'postgres';
    const id = sql.raw(postgres ? 'uuid' : 'text');
    const number = sql.raw(postgres ? 'bigserial primary key' : 'integer primary key');
    for (const statement of [
      // Every member could talk with every bot.
      sql`update bot set visibility = 'workspace'`,
      sql`alter table connection add column hidden smallint not null default 0`,
      sql`alter table web_channel add column listing ${id}`,
      sql`create table listing (number ${number}, uuid ${id} not null unique, created_at bigint not null, updated_at bigint not null,
        workspace ${id} not null references workspace (uuid) on delete cascade,
        bot ${id} not null unique references bot (uuid) on delete cascade, channel ${id} not null, slug text not null unique,
        name text not null, visibility text not null, state text not null, reason text, category text not null,
        languages text not null, summary text not null, copying text not null, credits_per_day integer not null,
        featured integer, tries integer not null, copies integer not null, popularity bigint not null, prominence bigint not null,
        listed_at bigint not null, picture text, hidden smallint not null, shown smallint not null${postgres ? sql`, terms tsvector` : sql``})`,
      sql`create index listing_popular on listing (popularity, uuid) where shown = 1`,
      sql`create index listing_prominent on listing (prominence, uuid) where shown = 1`,
      sql`create index listing_new on listing (listed_at, uuid) where shown = 1`,
      sql`create index listing_featured on listing (featured) where featured is not null`,
      sql`create index listing_workspace on listing (workspace)`,
      sql`create index listing_changed on listing (updated_at, uuid)`,
      sql`create index listing_state on listing (state, updated_at, uuid)`,
      sql`create table listing_try (listing ${id} not null references listing (uuid) on delete cascade, who text not null, day integer,
        primary key (listing, who))`,
      sql`create index listing_try_day on listing_try (day) where day is not null`,
      sql`create table listing_copy (listing ${id} not null references listing (uuid) on delete cascade,
        workspace ${id} not null references workspace (uuid) on delete cascade, primary key (listing, workspace))`,
      sql`create index listing_copy_workspace on listing_copy (workspace)`,
      sql`create table listing_report (uuid ${id} primary key, created_at bigint not null, updated_at bigint not null,
        listing ${id} not null references listing (uuid) on delete cascade, who text not null, reason text not null,
        text text not null, settled_at bigint)`,
      sql`create index listing_report_listing on listing_report (listing)`,
      sql`create index listing_report_open on listing_report (created_at, uuid) where settled_at is null`,
      sql`create index listing_report_settled on listing_report (created_at, uuid) where settled_at is not null`,
      sql`create index listing_picture_of on listing (picture) where picture is not null`,
      sql`create table listing_picture (word text primary key, created_at bigint not null)`,
      // It stays when the maker takes the listing away, so that publishing again is no way around it.
      sql`create table taken_down (bot ${id} primary key references bot (uuid) on delete cascade, reason text not null,
        created_at bigint not null)`,
      ...(postgres
        ? [sql`create index listing_keyword on listing using gin (terms) with (fastupdate = off)`]
        : [
            sql`create virtual table listing_keyword using fts5(terms, content='', contentless_delete=1, detail=none,
              tokenize='ascii', prefix='1 2 3')`,
            sql`create trigger listing_gone after delete on listing begin
              delete from listing_keyword where rowid = old.number; end`,
          ]),
    ])
      await statement.execute(trx);
  },
};
