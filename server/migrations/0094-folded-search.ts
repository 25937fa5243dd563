import { sql } from 'kysely';
import { foldLines } from '../../shared/fold.ts';
import type { Trx } from '../infra/db.ts';
import type { Migration } from '../infra/migrate.ts';

/**
 * What guests are searched by stands in a column, folded. The index of messages has other terms: it is emptied, and the job that brings
 * new messages in brings these in too.
 */
export const foldedSearch: Migration = {
  name: '0094-folded-search',
  async up(trx, engine) {
    await sql`alter table guest add column search text not null default ''`.execute(trx);
    await foldGuests(trx);
    if (engine === 'postgres') await sql`truncate message_index`.execute(trx);
    else
      for (const statement of [
        // Row by row it would take minutes.
        sql`drop trigger message_index_gone`,
        sql`delete from message_index`,
        sql`insert into message_keyword (message_keyword) values ('delete-all')`,
        sql`create trigger message_index_gone after delete on message_index begin
            delete from message_keyword where rowid = old.id; end`,
      ])
        await statement.execute(trx);
    await sql`update message set indexed = 0 where indexed = 1`.execute(trx);
  },
};

interface Row {
  uuid: string;
  name: string;
  email: string;
  phone: string;
  note: string;
  fields: string;
}

const batch = 500;

async function foldGuests(trx: Trx): Promise<void> {
  for (let last = '00000000-0000-0000-0000-000000000000'; ;) {
    const { rows } = await sql<Row>`select uuid, name, email, phone, note, fields from guest where uuid > ${last}
      order by uuid limit ${sql.lit(batch)}`.execute(trx);
    if (rows.length === 0) return;
    last = rows.at(-1)?.uuid ?? last;
    const { rows: tags } = await sql<{ guest: string; name: string }>`select guest, name from guest_tag
      where guest in (${sql.join(rows.map(({ uuid }) => uuid))}) order by name`.execute(trx);
    const tagsOf = Map.groupBy(tags, ({ guest }) => guest);
    for (const { uuid, name, email, phone, note, fields } of rows) {
      const own: { name: string; value: string }[] = JSON.parse(fields);
      const tagged = tagsOf.get(uuid) ?? [];
      const search = foldLines([
        name,
        email,
        phone,
        note,
        ...own.flatMap((field) => [field.name, field.value]),
        ...tagged.map((tag) => tag.name),
      ]);
      await sql`update guest set search = ${search} where uuid = ${uuid}`.execute(trx);
    }
  }
}
