import { sql } from 'kysely';
import type { Migration } from '../infra/migrate.ts';

/** Everything says when it was made and when it was last changed: what had one moment for two things gets another for the other. */
export const moments: Migration = {
  name: '0085-moments',
  async up(trx) {
    for (const statement of [
      sql`alter table member add column updated_at bigint not null default 0`,
      sql`update member set updated_at = created_at`,
      sql`alter table service_setting add column created_at bigint not null default 0`,
      sql`alter table service_setting add column priced_at bigint`,
      sql`update service_setting set created_at = updated_at, priced_at = case when price is null then null else updated_at end`,
      sql`alter table unanswered add column asked_at bigint not null default 0`,
      sql`update unanswered set asked_at = updated_at`,
      sql`drop index unanswered_list`,
      sql`create index unanswered_list on unanswered (workspace, status, asked_at)`,
      sql`drop index unanswered_bot`,
      sql`create index unanswered_bot on unanswered (bot, asked_at)`,
    ])
      await statement.execute(trx);
  },
};
