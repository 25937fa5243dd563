import { sql } from 'kysely';
import type { Migration } from '../infra/migrate.ts';

/** `original` is a chunk's text as it was read, where people have changed it; `by_hand` is a chunk that they wrote. */
export const chunkEdits: Migration = {
  name: '0019-chunk-edits',
  async up(trx, engine) {
    const small = sql.raw(engine === 'postgres' ? 'smallint' : 'integer');
    await sql`alter table chunk add column original text`.execute(trx);
    await sql`alter table chunk add column by_hand ${small} not null default 0`.execute(trx);
    await sql`alter table chunk add column deleted_at bigint`.execute(trx);
    await sql`create index chunk_deleted on chunk (deleted_at) where deleted_at is not null`.execute(trx);
    await sql`alter table document add column title text`.execute(trx);
  },
};
