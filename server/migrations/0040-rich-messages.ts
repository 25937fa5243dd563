import { sql } from 'kysely';
import type { Migration } from '../infra/migrate.ts';

/** Rich messages of LINE, their pictures, and what a message keeps of the one that it is. */
export const richMessages: Migration = {
  name: '0040-rich-messages',
  async up(trx, engine) {
    const id = sql.raw(engine === 'postgres' ? 'uuid' : 'text');
    const entity = sql`uuid ${id} primary key, created_at bigint not null, updated_at bigint not null`;
    const workspace = sql`workspace ${id} not null references workspace (uuid) on delete cascade`;
    for (const statement of [
      sql`create table rich_message (${entity}, ${workspace}, name text not null, kind text not null, draft text not null)`,
      sql`create index rich_message_workspace on rich_message (workspace, updated_at)`,
      sql`create table rich_image (${entity}, ${workspace}, height integer not null, mime text not null, files text not null,
        kept_at bigint)`,
      sql`create index rich_image_workspace on rich_image (workspace)`,
      sql`create index rich_image_unkept on rich_image (created_at) where kept_at is null`,
      sql`alter table message add column rich text`,
    ])
      await statement.execute(trx);
  },
};
