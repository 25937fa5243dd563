import { sql } from 'kysely';
import type { Migration } from '../infra/migrate.ts';

/** Which message another refers to. */
export const quotes: Migration = {
  name: '0042-quotes',
  async up(trx, engine) {
    const id = sql.raw(engine === 'postgres' ? 'uuid' : 'text');
    await sql`alter table message add column quotes ${id}`.execute(trx);
  },
};
