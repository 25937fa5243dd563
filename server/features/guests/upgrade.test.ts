import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { newId, openDatabase } from '../../infra/db.ts';
import { migrate } from '../../infra/migrate.ts';
import { migrations } from '../../migrations/migrations.ts';
import { createDatabase } from '../../testing/database.ts';

test('people from before searches were folded have what they are searched by, and messages are brought in again', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kotae-upgrade-'));
  const made = await createDatabase();
  const database = openDatabase({ DATA_DIR: folder, ...made.settings });
  try {
    const { db, engine } = database;
    const before = migrations.findIndex(({ name }) => name === '0094-folded-search');
    await migrate(database, migrations.slice(0, before));
    const [workspace, thread, message] = [newId(), newId(), newId()];
    await sql`insert into workspace (uuid, created_at, updated_at, name) values (${workspace}, 1, 1, 'Shop')`.execute(
      db,
    );
    const people = Array.from({ length: 1201 }, (_, at) => newId(at + 1));
    const values = people.map(
      (uuid, at) =>
        sql`(${uuid}, 1, 2, ${workspace}, ${`ｻｸﾗ ${at}`}, '', '', '', '[{"name":"番号","value":"KZ 1"}]', '')`,
    );
    await sql`insert into guest (uuid, created_at, updated_at, workspace, name, email, phone, note, fields, page)
      values ${sql.join(values)}`.execute(db);
    await sql`insert into guest_tag (guest, workspace, name) values (${people[1200]}, ${workspace}, 'ＶＩＰ')`.execute(
      db,
    );
    await sql`insert into thread (uuid, created_at, updated_at, guest, channel, title, status, language, workspace)
      values (${thread}, 1, 1, ${people[0]}, 'web', '', 'bot', 'en', ${workspace})`.execute(db);
    await sql`insert into message (uuid, created_at, updated_at, thread, seq, role, text, files, citations, status, indexed)
      values (${message}, 1, 1, ${thread}, 1, 'user', 'Hello', '[]', '[]', 'done', 1)`.execute(db);
    await (
      engine === 'postgres'
        ? sql`insert into message_index (message, thread, terms) values (${message}, ${thread}, '{1}')`
        : sql`insert into message_index (message, thread) values (${message}, ${thread})`
    ).execute(db);
    await migrate(database, migrations);
    const found = await db.selectFrom('guest').select(['uuid', 'search', 'updated_at']).orderBy('uuid').execute();
    expect(found.map(({ uuid }) => uuid)).toEqual(people.toSorted());
    expect([found[0], found[1200]]).toMatchObject([
      { search: 'さくら0\n番号\nkz1', updated_at: 2 },
      { search: 'さくら1200\n番号\nkz1\nvip' },
    ]);
    expect((await sql`select 1 from message_index`.execute(db)).rows).toEqual([]);
    expect(await db.selectFrom('message').select('indexed').execute()).toEqual([{ indexed: 0 }]);
  } finally {
    await database.close();
    await made.drop();
    await rm(folder, { recursive: true });
  }
});
