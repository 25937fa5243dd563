import { sql } from 'kysely';
import type { Migration } from '../infra/migrate.ts';

/** `chunk_terms` is what chunks are scored by; the rest only finds which chunks have a term. */
export const keywordIndex: Migration = {
  name: '0002-keyword-index',
  async up(trx, engine) {
    if (engine === 'sqlite') {
      await sql`create table chunk_terms (chunk integer primary key, data blob not null)`.execute(trx);
      await sql`create virtual table chunk_keyword using fts5(terms, content='', contentless_delete=1, detail=none, tokenize='ascii')`.execute(
        trx,
      );
      await sql`create virtual table keyword using fts5vocab('chunk_keyword', 'row')`.execute(trx);
      return;
    }
    await sql`create table chunk_terms (chunk bigint primary key, data bytea not null, keys bigint[] not null)`.execute(
      trx,
    );
    await sql`alter table chunk_terms alter column data set storage external`.execute(trx);
    await sql`create index chunk_keyword on chunk_terms using gin (keys) with (fastupdate = off)`.execute(trx);
    await sql`create table keyword (term bigint primary key, chunks integer not null)`.execute(trx);
  },
};
