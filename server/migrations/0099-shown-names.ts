import { sql } from 'kysely';
import type { Migration } from '../infra/migrate.ts';

/** What customers know people and workspaces by. A personal workspace that has only ever had its owner's login name is not named yet. */
export const shownNames: Migration = {
  name: '0099-shown-names',
  async up(trx) {
    for (const statement of [
      sql`alter table "user" add column display_name text`,
      sql`alter table workspace add column named smallint not null default 1`,
      sql`update workspace set named = 0 where name = (select username from "user" where "user".uuid = workspace.personal_of)`,
    ])
      await statement.execute(trx);
  },
};
