import { sql } from 'kysely';
import type { Migration } from '../infra/migrate.ts';

/** Files whose place another has taken stay for a while; and a file that is to take a place says from where it is. */
export const documentVersions: Migration = {
  name: '0104-document-versions',
  async up(trx, engine) {
    const id = sql.raw(engine === 'postgres' ? 'uuid' : 'text');
    for (const statement of [
      sql`create table document_version (uuid ${id} primary key,
        created_at bigint not null, updated_at bigint not null,
        document ${id} not null references document (uuid) on delete cascade,
        name text not null, mime text not null, extension text not null, bytes bigint not null, sha256 text not null,
        source text not null, url text, leave_out text, file ${id} not null, replaced_by ${id})`,
      sql`create index document_version_list on document_version (document, created_at)`,
      sql`create index document_version_age on document_version (created_at)`,
    ])
      await statement.execute(trx);
    const waiting = await trx
      .selectFrom('document')
      .select(['uuid', 'source', 'url', 'leave_out', 'replacement'])
      .where('replacement', 'is not', null)
      .execute();
    for (const { uuid, replacement, ...place } of waiting) {
      const { isFetched, ...file }: { isFetched?: true } = JSON.parse(replacement ?? '');
      const from = isFetched ? place : { source: 'file', url: null, leave_out: null };
      await trx
        .updateTable('document')
        .set({ replacement: JSON.stringify({ ...file, ...from, by: null }) })
        .where('uuid', '=', uuid)
        .execute();
    }
  },
};
