import { sql } from 'kysely';
import type { Migration } from '../infra/migrate.ts';

/** Requests of LINE's servers have their headers and what was found of them; they, events and menus are listed for a workspace, too. */
export const lineRequests: Migration = {
  name: '0081-line-requests',
  async up(trx, engine) {
    const id = sql.raw(engine === 'postgres' ? 'uuid' : 'text');
    for (const statement of [
      sql`alter table line_channel add column refused integer not null default 0`,
      sql`alter table line_request add column headers text not null default '{}'`,
      sql`alter table line_request add column verdict text not null default 'accepted'`,
      sql`alter table line_request add column bytes integer`,
      sql`alter table line_request add column times integer not null default 1`,
      sql`create index line_request_refused on line_request (channel, created_at, uuid) where verdict <> 'accepted'`,
      ...['line_request', 'line_event'].flatMap((name) => {
        const table = sql.table(name);
        return [
          sql`alter table ${table} add column workspace ${id}`,
          sql`update ${table} set workspace = (select workspace from line_channel where line_channel.uuid = ${table}.channel)`,
          sql`create index ${sql.raw(`${name}_workspace`)} on ${table} (workspace, created_at, uuid)`,
        ];
      }),
      sql`drop index rich_menu_workspace`,
      sql`create index rich_menu_workspace on rich_menu (workspace, place, uuid)`,
      sql`drop index rich_menu_channel`,
      sql`create index rich_menu_channel on rich_menu (channel, place, uuid)`,
    ])
      await statement.execute(trx);
  },
};
