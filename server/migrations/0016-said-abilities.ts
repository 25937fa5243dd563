import { sql } from 'kysely';
import type { Migration } from '../infra/migrate.ts';

/** What a workspace says of the models of its own server, and what an operator says of how much a model reads. */
export const saidAbilities: Migration = {
  name: '0016-said-abilities',
  async up(trx) {
    await sql`alter table model_key add column abilities text not null default '{}'`.execute(trx);
    await sql`alter table service_setting add column context_tokens integer`.execute(trx);
  },
};
