import { sql } from 'kysely';
import type { Migration } from '../infra/migrate.ts';

/** Websites that bases are kept up to date with. */
export const websites: Migration = {
  name: '0103-websites',
  async up(trx, engine) {
    const id = sql.raw(engine === 'postgres' ? 'uuid' : 'text');
    const entity = sql`uuid ${id} primary key, created_at bigint not null, updated_at bigint not null`;
    for (const statement of [
      sql`alter table document add column url text`,
      sql`alter table document add column leave_out text`,
      sql`create table website (${entity},
        knowledge ${id} not null references knowledge (uuid) on delete cascade, "user" ${id},
        url text not null, title text not null, settings text not null, state text not null, reason text,
        run integer not null, is_cut smallint not null, shared text not null, everywhere ${id},
        crawled_at bigint, next_at bigint)`,
      sql`create index website_knowledge on website (knowledge, created_at)`,
      sql`create index website_due on website (next_at) where next_at is not null`,
      sql`create table website_page (${entity},
        website ${id} not null references website (uuid) on delete cascade,
        url text not null, hash text not null, title text not null, depth integer not null,
        state text not null, reason text, run integer not null, document ${id},
        sha256 text, etag text, modified text, blocks text not null, links text not null,
        misses integer not null, visited_at bigint)`,
      sql`create unique index website_page_hash on website_page (website, hash)`,
      sql`create index website_page_next on website_page (website, run, depth, created_at)`,
      sql`create index website_page_state on website_page (website, state, created_at)`,
      sql`create index website_page_document on website_page (document) where document is not null`,
      sql`create table website_change (${entity},
        website ${id} not null references website (uuid) on delete cascade,
        kind text not null, url text not null, title text not null, document ${id}, lines text not null)`,
      sql`create index website_change_list on website_change (website, created_at)`,
    ])
      await statement.execute(trx);
  },
};
