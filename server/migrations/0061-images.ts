import { sql } from 'kysely';
import type { Migration } from '../infra/migrate.ts';

export const images: Migration = {
  name: '0061-images',
  async up(trx, engine) {
    const id = sql.raw(engine === 'postgres' ? 'uuid' : 'text');
    for (const statement of [
      sql`create table "image" (uuid ${id} primary key, created_at bigint not null, updated_at bigint not null,
        workspace ${id} not null references workspace (uuid), "user" ${id}, api_key ${id}, batch ${id} not null,
        request_key text, request_hash text, prompt text not null, service ${id} not null, service_name text not null,
        own_key smallint not null, width integer not null, height integer not null, seed integer not null,
        "references" text not null, status text not null, cost bigint not null, file ${id}, thumb ${id},
        error text, reason text, deleted_at bigint, deleted_by ${id})`,
      sql`create index image_workspace on "image" (workspace, created_at, uuid)`,
      sql`create index image_user on "image" ("user") where "user" is not null`,
      sql`create index image_request on "image" (workspace, request_key) where request_key is not null`,
      sql`create index image_pending on "image" (workspace) where status in ('queued', 'drawing')`,
      sql`create index image_trash on "image" (deleted_at) where deleted_at is not null`,
    ])
      await statement.execute(trx);
  },
};
