import { sql } from 'kysely';
import type { Migration } from '../infra/migrate.ts';

/** A question that was answered knows where its answer stands. */
export const answersKept: Migration = {
  name: '0069-answers-kept',
  async up(trx, engine) {
    const id = engine === 'postgres' ? 'uuid' : 'text';
    for (const column of [`answer_document ${id}`, `answer_chunk ${id}`, `answered_by ${id}`, 'answered_at bigint'])
      await sql`alter table "unanswered" add column ${sql.raw(column)}`.execute(trx);
    await sql`create index unanswered_by on "unanswered" (answered_by) where answered_by is not null`.execute(trx);
  },
};
