import { sql } from 'kysely';
import type { Migration } from '../infra/migrate.ts';

const pageRetentionDays = 90;

/** What the operator looked at is known, bots know what they were copied from and who had them before they were public. */
export const listingFaces: Migration = {
  name: '0068-listing-faces',
  async up(trx, engine) {
    const id = sql.raw(engine === 'postgres' ? 'uuid' : 'text');
    for (const statement of [
      // Filled in at the next start, which can read what a bot shows.
      sql`alter table listing add column face text`,
      sql`alter table listing add column approved text`,
      sql`alter table bot add column inside text not null default 'workspace'`,
      sql`update bot set inside = 'private' where visibility = 'private'`,
      sql`alter table bot add column lineage text`,
      // It outlives its bot, too: what was copied from it may still be there. A node of the version before names no family.
      sql`create table taken_down_family (bot ${id} primary key, family ${id}, reason text not null,
        created_at bigint not null)`,
      sql`insert into taken_down_family (bot, family, reason, created_at) select bot, bot, reason, created_at from taken_down`,
      sql`drop table taken_down`,
      sql`alter table taken_down_family rename to taken_down`,
      sql`create index taken_down_of on taken_down (family)`,
    ])
      await statement.execute(trx);
    // Pages from before their conversations were erased.
    const { rows } = await sql<{
      uuid: string;
      settings: string;
    }>`select uuid, settings from web_channel where listing is not null`.execute(trx);
    for (const { uuid, settings } of rows) {
      const known: { history?: object } = JSON.parse(settings);
      const kept = JSON.stringify({
        ...known,
        history: { policy: 'last', ...known.history, retentionDays: pageRetentionDays },
      });
      if (kept !== settings)
        await sql`update web_channel set settings = ${kept}, updated_at = updated_at + 1 where uuid = ${uuid}`.execute(
          trx,
        );
    }
  },
};
