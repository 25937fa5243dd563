import { sql } from 'kysely';
import type { Migration } from '../infra/migrate.ts';

/** The trash of a workspace has its pictures, too, and a part of a picture can be changed. */
export const imageParts: Migration = {
  name: '0066-image-parts',
  async up(trx) {
    await sql`alter table "image" add column mask text`.execute(trx);
    await sql`create index image_trashed on "image" (workspace, deleted_at, uuid) where deleted_at is not null`.execute(
      trx,
    );
  },
};
