import { sql } from 'kysely';
import type { Migration } from '../infra/migrate.ts';

/** An attachment says itself whether a message names it, so that what was never sent is found without reading any message. */
export const sentFiles: Migration = {
  name: '0013-sent-files',
  async up(trx, engine) {
    await sql`alter table file add column sent_at bigint`.execute(trx);
    // Quotes in a name are escaped, so that only the key itself can match.
    const named =
      engine === 'postgres'
        ? sql`select (regexp_matches(files, '"uuid":"([0-9a-f-]{36})"', 'g'))[1]::uuid from message where files <> '[]'`
        : sql`select json_extract(each.value, '$.uuid') from message, json_each(message.files) as each where files <> '[]'`;
    await sql`update file set sent_at = created_at where kind = 'attachment' and uuid in (${named})`.execute(trx);
    await sql`drop index file_age`.execute(trx);
    await sql`create index file_unsent on file (created_at) where kind = 'attachment' and sent_at is null`.execute(trx);
  },
};
