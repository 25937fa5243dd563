import { sql } from 'kysely';
import type { Migration } from '../infra/migrate.ts';

/** Until now the bot went on in a conversation that it had handed over; where it still does, that is what it says. */
export const silentThreads: Migration = {
  name: '0014-silent-threads',
  async up(trx) {
    await sql`update thread set status = 'bot' where status = 'waiting'`.execute(trx);
  },
};
