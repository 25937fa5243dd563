import { sql } from 'kysely';
import type { Migration } from '../infra/migrate.ts';

/** How the picture of a rich menu was drawn, where it was drawn here. */
export const menuDesigns: Migration = {
  name: '0039-menu-designs',
  async up(trx) {
    await sql`alter table rich_menu add column design text`.execute(trx);
  },
};
