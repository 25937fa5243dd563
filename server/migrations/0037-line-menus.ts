import { sql } from 'kysely';
import type { Migration } from '../infra/migrate.ts';

/** Rich menus of LINE channels, and who sees which. */
export const lineMenus: Migration = {
  name: '0037-line-menus',
  async up(trx, engine) {
    const postgres = engine === 'postgres';
    const id = sql.raw(postgres ? 'uuid' : 'text');
    const small = sql.raw(postgres ? 'smallint' : 'integer');
    const channel = sql`channel ${id} not null references line_channel (uuid) on delete cascade`;
    const menu = sql`menu ${id} not null references rich_menu (uuid) on delete cascade`;
    const identity = sql`identity ${id} not null references guest_identity (uuid) on delete cascade`;
    for (const statement of [
      sql`create table rich_menu (uuid ${id} primary key, created_at bigint not null, updated_at bigint not null,
        workspace ${id} not null references workspace (uuid) on delete cascade, ${channel}, place integer not null,
        draft text not null, image ${id}, image_size text, is_default ${small} not null, tags text not null,
        from_at bigint, to_at bigint, target text, target_image ${id}, target_hash text, line_id text, live_hash text,
        published_at bigint, creating text, making text, making_hash text, alias_id text, default_id text,
        previous text not null, state text not null, reason text, detail text not null, removing ${small} not null)`,
      sql`create index rich_menu_channel on rich_menu (channel, place)`,
      sql`create index rich_menu_workspace on rich_menu (workspace)`,
      sql`create index rich_menu_image on rich_menu (image) where image is not null`,
      sql`create index rich_menu_target_image on rich_menu (target_image) where target_image is not null`,
      sql`create table rich_menu_person (${menu}, ${identity}, primary key (menu, identity))`,
      sql`create index rich_menu_person_identity on rich_menu_person (identity)`,
      sql`create table rich_menu_link (identity ${id} primary key references guest_identity (uuid) on delete cascade, ${channel},
        ${menu}, line_id text not null)`,
      sql`create index rich_menu_link_channel on rich_menu_link (channel)`,
      sql`create index rich_menu_link_menu on rich_menu_link (menu)`,
      sql`create index file_menus on file (created_at) where kind = 'menu'`,
    ])
      await statement.execute(trx);
  },
};
