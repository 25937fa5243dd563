import { sql } from 'kysely';
import type { Migration } from '../infra/migrate.ts';

/** What a model can do, where the operator knows it better than the list. */
export const serviceAbilities: Migration = {
  name: '0007-service-abilities',
  async up(trx) {
    await sql`alter table service_setting add column capabilities text`.execute(trx);
  },
};
