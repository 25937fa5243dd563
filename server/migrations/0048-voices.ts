import { sql } from 'kysely';
import type { Migration } from '../infra/migrate.ts';

/** Which model has written down what was said, and what is known of a voice until its message is there. */
export const voices: Migration = {
  name: '0048-voices',
  async up(trx) {
    await sql`alter table message add column heard text`.execute(trx);
    await sql`alter table line_event add column voice text`.execute(trx);
  },
};
