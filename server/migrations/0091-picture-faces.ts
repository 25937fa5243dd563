import { sql } from 'kysely';
import type { Migration } from '../infra/migrate.ts';

/** A face was made of the address of its picture, and is made of the picture itself: all are made anew at the next start. */
export const pictureFaces: Migration = {
  name: '0091-picture-faces',
  async up(trx) {
    await sql`update listing set face = null`.execute(trx);
  },
};
