import { sql } from 'kysely';
import type { Migration } from '../infra/migrate.ts';

/** One small row for each conversation with a visitor, from which figures are added up without a look at its messages. */
export const figures: Migration = {
  name: '0028-figures',
  async up(trx, engine) {
    const postgres = engine === 'postgres';
    const id = sql.raw(postgres ? 'uuid' : 'text');
    const small = sql.raw(postgres ? 'smallint' : 'integer');
    for (const statement of [
      // In the order in which they are read, on SQLite in the table itself.
      sql`create table thread_figures (thread ${id} not null unique references thread (uuid) on delete cascade,
        workspace ${id} not null, began_at bigint not null, counted_at bigint not null, bot ${id}, channel_id ${id} not null,
        refused integer not null, unaided ${small} not null, answer_ms bigint, person_ms bigint, ups integer not null,
        downs integer not null, cost bigint not null, primary key (workspace, began_at, thread)) ${sql.raw(postgres ? '' : 'without rowid')}`,
      sql`create index thread_figures_counted on thread_figures (counted_at)`,
      sql`create index thread_changed on thread (updated_at, uuid) where guest is not null`,
    ])
      await statement.execute(trx);
  },
};
