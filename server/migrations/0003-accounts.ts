import { sql } from 'kysely';
import type { Migration } from '../infra/migrate.ts';

export const accounts: Migration = {
  name: '0003-accounts',
  async up(trx, engine) {
    const id = sql.raw(engine === 'postgres' ? 'uuid' : 'text');
    const entity = sql`uuid ${id} primary key, created_at bigint not null, updated_at bigint not null`;
    const user = sql`references "user" (uuid) on delete cascade`;
    const workspace = sql`references workspace (uuid) on delete cascade`;

    for (const statement of [
      sql`alter table "user" add column suspended_for text`,
      sql`alter table "user" add column pending_email text`,
      sql`alter table "user" add column totp_secret text`,
      sql`alter table "user" add column totp_since bigint`,
      sql`alter table "user" add column totp_step bigint`,
      sql`alter table session add column method text not null default 'password'`,
      sql`alter table session add column confirmed_at bigint not null default 0`,
      sql`alter table workspace add column avatar ${id}`,
      sql`alter table thread add column api_key ${id}`,
      sql`create index document_file on document (file)`,
      sql`create table ticket (hash text primary key, kind text not null, "user" ${id} ${user}, data text not null,
        attempts integer not null default 0, expires_at bigint not null, created_at bigint not null)`,
      sql`create index ticket_user on ticket ("user", kind)`,
      sql`create index ticket_expiry on ticket (expires_at)`,
      sql`create table backup_code ("user" ${id} not null ${user}, hash text not null, primary key ("user", hash))`,
      sql`create table passkey (${entity}, "user" ${id} not null ${user}, name text not null, credential_id text not null unique,
        public_key text not null, counter bigint not null, transports text not null, last_used_at bigint)`,
      sql`create index passkey_user on passkey ("user")`,
      sql`create table identity (provider text not null, subject text not null, "user" ${id} not null ${user}, email text not null,
        created_at bigint not null, primary key (provider, subject), unique (provider, "user"))`,
      sql`create table invitation (${entity}, workspace ${id} not null ${workspace}, role text not null, email text,
        code_hash text not null unique, invited_by ${id} references "user" (uuid) on delete cascade,
        expires_at bigint not null, accepted_at bigint, revoked_at bigint)`,
      sql`create index invitation_workspace on invitation (workspace, created_at)`,
      sql`create table api_key (${entity}, workspace ${id} not null ${workspace}, "user" ${id} not null ${user}, name text not null,
        prefix text not null, hash text not null unique, scopes text not null, bots text, expires_at bigint, last_used_at bigint, revoked_at bigint)`,
      sql`create index api_key_workspace on api_key (workspace, created_at)`,
      // No references: an entry outlives whom and what it speaks of.
      sql`create table audit (uuid ${id} primary key, created_at bigint not null, action text not null, "user" ${id}, actor text not null,
        workspace ${id}, workspace_name text not null, subject text not null, details text not null, address text not null)`,
      sql`create index audit_time on audit (created_at)`,
      sql`create table mail (${entity}, kind text not null, recipient text not null, subject text not null, locale text not null,
        body text, state text not null, error text, sent_at bigint)`,
      sql`create index mail_time on mail (created_at)`,
      sql`create table setting (name text primary key, value text not null)`,
    ]) {
      await statement.execute(trx);
    }
  },
};
