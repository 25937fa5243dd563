import { sql } from 'kysely';
import type { Migration } from '../infra/migrate.ts';

/** Questions of visitors that got no answer, those alike as one. */
export const unanswered: Migration = {
  name: '0026-unanswered',
  async up(trx, engine) {
    const id = sql.raw(engine === 'postgres' ? 'uuid' : 'text');
    for (const statement of [
      sql`create table unanswered (uuid ${id} primary key, created_at bigint not null, updated_at bigint not null,
        workspace ${id} not null references workspace (uuid) on delete cascade,
        bot ${id} not null references bot (uuid) on delete cascade,
        question text not null, terms text not null, reason text not null, status text not null, count integer not null)`,
      sql`create index unanswered_list on unanswered (workspace, status, updated_at)`,
      sql`create index unanswered_bot on unanswered (bot, updated_at)`,
      sql`create table unanswered_case (unanswered ${id} not null references unanswered (uuid) on delete cascade,
        message ${id} primary key references message (uuid) on delete cascade, thread ${id} not null,
        question text not null, created_at bigint not null)`,
      sql`create index unanswered_cases on unanswered_case (unanswered, created_at)`,
    ])
      await statement.execute(trx);
  },
};
