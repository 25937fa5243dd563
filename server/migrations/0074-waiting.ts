import { sql } from 'kysely';
import type { Migration } from '../infra/migrate.ts';

/** Who waits for a person is listed by how long. */
export const waiting: Migration = {
  name: '0074-waiting',
  async up(trx) {
    await sql`create index thread_waiting on thread (workspace, coalesce(waiting_since, last_at), uuid)
      where status = 'waiting' and guest is not null and deleted_at is null`.execute(trx);
  },
};
