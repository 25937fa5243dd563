import { sql } from 'kysely';
import type { Migration } from '../infra/migrate.ts';

export const foundation: Migration = {
  name: '0001-foundation',
  async up(trx, engine) {
    const postgres = engine === 'postgres';
    const id = sql.raw(postgres ? 'uuid' : 'text');
    const serial = sql.raw(
      postgres ? 'bigint generated always as identity primary key' : 'integer primary key autoincrement',
    );
    const small = sql.raw(postgres ? 'smallint' : 'integer');
    const real = sql.raw(postgres ? 'double precision' : 'real');
    const entity = sql`uuid ${id} primary key, created_at bigint not null, updated_at bigint not null`;

    for (const statement of [
      sql`create table installation (name text primary key, value text not null)`,
      sql`create table "user" (${entity},
        username text not null, username_key text not null unique, email text not null, email_key text not null unique,
        email_verified ${small} not null default 0, password_hash text, avatar ${id}, locale text not null,
        timezone text not null, is_operator ${small} not null default 0, suspended_at bigint)`,
      sql`create table session (${entity},
        "user" ${id} not null references "user" (uuid) on delete cascade, secret_hash text not null unique,
        expires_at bigint not null, last_seen_at bigint not null, user_agent text not null, address text not null)`,
      sql`create index session_by_user on session ("user")`,
      sql`create table workspace (${entity}, name text not null, personal_of ${id} unique references "user" (uuid))`,
      sql`create table member (
        workspace ${id} not null references workspace (uuid) on delete cascade,
        "user" ${id} not null references "user" (uuid) on delete cascade,
        role text not null, created_at bigint not null, primary key (workspace, "user"))`,
      sql`create index member_user on member ("user")`,
      sql`create table file (${entity},
        workspace ${id} references workspace (uuid), "user" ${id} references "user" (uuid), kind text not null,
        name text not null, mime text not null, bytes bigint not null, sha256 text not null, storage_key text not null unique)`,
      sql`create table bot (${entity},
        workspace ${id} not null references workspace (uuid), name text not null, description text not null, avatar ${id},
        draft text not null, published_version ${id}, visibility text not null,
        created_by ${id} references "user" (uuid), deleted_at bigint)`,
      sql`create index bot_workspace on bot (workspace, updated_at)`,
      sql`create table bot_version (
        uuid ${id} primary key, bot ${id} not null references bot (uuid) on delete cascade, number integer not null,
        config text not null, note text not null, published_by ${id} references "user" (uuid), created_at bigint not null,
        unique (bot, number))`,
      sql`create table knowledge (key ${serial}, uuid ${id} not null unique, created_at bigint not null, updated_at bigint not null,
        workspace ${id} not null references workspace (uuid), name text not null, description text not null, deleted_at bigint)`,
      sql`create index knowledge_workspace on knowledge (workspace, updated_at)`,
      sql`create table document (${entity},
        knowledge ${id} not null references knowledge (uuid) on delete cascade, name text not null, source text not null,
        mime text not null, extension text not null, bytes bigint not null, sha256 text not null,
        file ${id} references file (uuid), language text, pages integer,
        status text not null, stage text, progress ${real} not null, error text, warnings text not null,
        tokens bigint not null default 0, chunk_count integer not null default 0, word_count bigint not null default 0,
        bigram_count bigint not null default 0, kanji_count bigint not null default 0, generation integer not null default 0,
        enabled ${small} not null default 1, deleted_at bigint)`,
      sql`create index document_knowledge on document (knowledge, created_at)`,
      sql`create unique index document_bytes on document (knowledge, sha256) where deleted_at is null`,
      sql`create table chunk (id ${serial}, uuid ${id} not null unique, created_at bigint not null, updated_at bigint not null,
        knowledge ${id} not null, document ${id} not null references document (uuid) on delete cascade,
        generation integer not null, position integer not null, headings text not null, page integer, text text not null,
        start_offset integer not null, end_offset integer not null, questions text not null, keywords text not null,
        tokens integer not null, enabled ${small} not null default 1, hit_count integer not null default 0,
        unique (document, generation, position))`,
      sql`create table thread (${entity},
        workspace ${id} not null references workspace (uuid), bot ${id} not null references bot (uuid) on delete cascade,
        "user" ${id} references "user" (uuid), channel text not null, title text not null, status text not null,
        language text not null, last_seq integer not null default 0, running ${id}, deleted_at bigint)`,
      sql`create index thread_bot on thread (bot, "user", updated_at)`,
      sql`create table message (${entity},
        thread ${id} not null references thread (uuid) on delete cascade, seq integer not null, role text not null, parent ${id},
        text text not null, citations text not null, status text not null, error text, service text,
        tokens_in integer not null default 0, tokens_out integer not null default 0, latency_ms integer, first_token_ms integer,
        trace text, lease_owner text, lease_until bigint, stop_requested ${small} not null default 0,
        unique (thread, seq))`,
      sql`create index message_lease on message (lease_until) where lease_until is not null`,
      sql`create table job (uuid ${id} primary key, kind text not null, payload text not null, unique_key text unique,
        state text not null, run_at bigint not null, attempts integer not null default 0, lease_owner text, lease_until bigint,
        fence integer not null default 0, error text, created_at bigint not null, updated_at bigint not null)`,
      sql`create index job_due on job (run_at) where state = 'queued'`,
      sql`create index job_lease on job (lease_until) where state = 'running'`,
    ]) {
      await statement.execute(trx);
    }
  },
};
