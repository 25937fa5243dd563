import { sql } from 'kysely';
import type { Migration } from '../infra/migrate.ts';

/** Tags and fields of documents: as they are shown, and a row for each by which documents are found. */
export const labels: Migration = {
  name: '0105-labels',
  async up(trx, engine) {
    const id = sql.raw(engine === 'postgres' ? 'uuid' : 'text');
    for (const statement of [
      sql`alter table document add column labels text not null default '{"tags":[],"fields":[]}'`,
      sql`create table document_label (knowledge ${id} not null, document ${id} not null references document (uuid) on delete cascade,
        name text not null, value text not null, primary key (document, name, value))`,
      sql`create index document_label_value on document_label (knowledge, name, value, document)`,
    ])
      await statement.execute(trx);
  },
};
