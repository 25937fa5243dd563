import { sql } from 'kysely';
import type { Migration } from '../infra/migrate.ts';

/** Why the last attempt failed is told where the addresses are listed. */
export const webhookAnswers: Migration = {
  name: '0045-webhook-answers',
  async up(trx) {
    await sql`alter table webhook_target add column last_error text`.execute(trx);
  },
};
