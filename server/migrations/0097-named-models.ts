import { sql } from 'kysely';
import type { Migration } from '../infra/migrate.ts';

/** Models may be named by hand, where a server has no list of its own. */
export const namedModels: Migration = {
  name: '0097-named-models',
  async up(trx) {
    await sql`alter table model_key add column named text not null default ''`.execute(trx);
  },
};
