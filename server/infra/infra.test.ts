import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import { migrations } from '../migrations/migrations.ts';
import { ConfigError, readConfig } from './config.ts';
import {
  DataLockedError,
  firstIdAt,
  isDatabaseAway,
  lockDataDirectory,
  newId,
  openDatabase,
  prepareQuery,
} from './db.ts';
import { createDatabase } from '../testing/database.ts';
import { migrate } from './migrate.ts';
import { createOutbound, isPrivateAddress } from './outbound.ts';
import { createSealer, openSealer, SecretsError } from './sealed.ts';
import { createWrite, type Write } from './write.ts';

const folders: string[] = [];
const aFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'kotae-infra-'));
  folders.push(folder);
  return folder;
};
afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true })));

describe('settings', () => {
  test('a wrong one is named', () => {
    expect(() => readConfig({ PORT: '99999' }, {})).toThrow(ConfigError);
    expect(() => readConfig({ DATABASE_URL: 'mysql://x' }, {})).toThrow(/DATABASE_URL/);
  });

  test('an empty one takes its default', () => {
    expect(readConfig({ PORT: '', BASE_URL: '' }, {})).toMatchObject({ PORT: 3000, secure: false });
  });
});

test('ids of any number for one moment sort in their order, whatever was asked for between them', () => {
  const moment = 1_600_000_000_000;
  const ids = Array.from({ length: 10_000 }, () => (newId(moment + 5_000), newId(moment)));
  expect(ids.toSorted()).toEqual(ids);
  expect(new Set(ids).size).toBe(ids.length);
  expect(firstIdAt(moment) < ids[0]!).toBe(true);
});

test('ids sort by the moment they were made and never repeat', () => {
  const ids = Array.from({ length: 2000 }, (_, at) => {
    const now = 1_700_000_000_000 + Math.floor(at / 100);
    if (at % 3 === 0) newId(now - 5); // of something that happened before
    return newId(now);
  });
  expect(ids.toSorted()).toEqual(ids);
  expect(new Set(ids).size).toBe(2000);
  expect(ids[0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

test('a data directory belongs to one process at a time', () => {
  const folder = aFolder();
  const unlock = lockDataDirectory(folder);
  expect(() => lockDataDirectory(folder)).toThrow(DataLockedError);
  unlock();
  lockDataDirectory(folder)();
});

describe('a sealed text', () => {
  const sealer = createSealer([randomBytes(32)]);

  test('opens where it was sealed and nowhere else', () => {
    const sealed = sealer.seal('鍵', 'user:1:key');
    expect(sealer.open(sealed, 'user:1:key')).toBe('鍵');
    expect(() => sealer.open(sealed, 'user:2:key')).toThrow(SecretsError);
  });

  test('is never the same twice, and a changed bit is noticed', () => {
    const [one, other] = [sealer.seal('x', 'p'), sealer.seal('x', 'p')];
    expect(one).not.toBe(other);
    expect(() => sealer.open(`${one.slice(0, -2)}${one.endsWith('AA') ? 'BB' : 'AA'}`, 'p')).toThrow(SecretsError);
  });

  test('outlives a change of the key while the old one is at hand', () => {
    const old = randomBytes(32);
    const sealed = createSealer([old]).seal('x', 'p');
    const rotated = createSealer([randomBytes(32), old]);
    expect([rotated.open(sealed, 'p'), rotated.isStale(sealed), rotated.isStale(rotated.seal('x', 'p'))]).toEqual([
      'x',
      true,
      false,
    ]);
  });
});

/** On the engine under test; `again` opens it as another node would. */
async function aDatabase() {
  const { settings, drop } = await createDatabase();
  const again = () => openDatabase({ DATA_DIR: aFolder(), ...settings });
  const database = again();
  await migrate(database, migrations);
  const end = async () => {
    await database.close();
    await drop();
  };
  return { database, again, end };
}

test('of writes at the same moment those that fail are undone, and the others stand', async () => {
  const { database, end } = await aDatabase();
  const write = createWrite(database);
  const put = (name: string, fails: boolean) =>
    write(
      async (trx) => {
        await trx.insertInto('setting').values({ name, value: 'x' }).execute();
        if (fails) throw new Error(`${name} fails`);
        return name;
      },
      { mixes: true },
    );
  const results = await Promise.allSettled(Array.from({ length: 9 }, (_, at) => put(`test-${at}`, at % 3 === 1)));
  expect(results.map((result) => (result.status === 'fulfilled' ? result.value : String(result.reason)))).toEqual([
    'test-0',
    'Error: test-1 fails',
    'test-2',
    'test-3',
    'Error: test-4 fails',
    'test-5',
    'test-6',
    'Error: test-7 fails',
    'test-8',
  ]);
  const stored = await database.db
    .selectFrom('setting')
    .select('name')
    .where('name', 'like', 'test-%')
    .orderBy('name')
    .execute();
  expect(stored.map(({ name }) => name)).toEqual(['test-0', 'test-2', 'test-3', 'test-5', 'test-6', 'test-8']);
  await expect(put('test-9', true)).rejects.toThrow('test-9 fails');
  expect(await put('test-9', false)).toBe('test-9');
  // A statement that the database refuses takes no neighbor along either.
  const again = await Promise.allSettled(['test-9', 'test-10', 'test-11'].map((name) => put(name, false)));
  expect(again.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
  await end();
});

test('a write that the database refuses only at the end takes no neighbor along', async () => {
  const { database, end } = await aDatabase();
  const write = createWrite(database);
  await sql`create table pair (name text primary key, other text references pair (name) deferrable initially deferred)`.execute(
    database.db,
  );
  const put = (name: string, other: string | null) =>
    write((trx) => sql`insert into pair (name, other) values (${name}, ${other})`.execute(trx), { mixes: true });
  const given = [put('a', null), put('b', 'nothing'), put('c', null)];
  expect((await Promise.allSettled(given)).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  const stored = await sql<{ name: string }>`select name from pair order by name`.execute(database.db);
  expect(stored.rows.map(({ name }) => name)).toEqual(['a', 'c']);
  await end();
});

test('a write that hides the error of its statement loses its own work at most', async () => {
  const { database, end } = await aDatabase();
  const write = createWrite(database);
  const put = (name: string, hides = false) =>
    write(
      async (trx) => {
        await trx.insertInto('setting').values({ name, value: 'x' }).execute();
        if (hides) await sql`insert into nowhere values (1)`.execute(trx).catch(() => {});
      },
      { mixes: true },
    );
  await Promise.allSettled([put('quiet-1'), put('quiet-2', true), put('quiet-3')]);
  const stored = await database.db.selectFrom('setting').select('name').where('name', 'like', 'quiet-%').execute();
  expect(stored.map(({ name }) => name)).toEqual(expect.arrayContaining(['quiet-1', 'quiet-3']));
  await end();
});

test('a NUL takes nothing along that is stored beside it, and is left out where the database has none', async () => {
  const { database, end } = await aDatabase();
  const write = createWrite(database);
  await Promise.all(
    ['one', 'two\u0000', 'three'].map((value) =>
      write(
        (trx) =>
          trx
            .insertInto('setting')
            .values({ name: `nul-${value.length}`, value })
            .execute(),
        {
          mixes: true,
        },
      ),
    ),
  );
  const stored = await database.db.selectFrom('setting').select('value').where('name', 'like', 'nul-%').execute();
  const two = process.env['TEST_ENGINE'] === 'postgres' ? 'two' : 'two\u0000';
  expect(stored.map(({ value }) => value).toSorted()).toEqual(['one', 'three', two]);
  await end();
});

test.runIf(process.env['TEST_ENGINE'] === 'postgres')(
  'two nodes that change the same rows in opposite orders do not wait for each other for ever',
  async () => {
    const { database, end, again } = await aDatabase();
    const other = again();
    const names = Array.from({ length: 6 }, (_, at) => `row-${at}`);
    await database.db
      .insertInto('setting')
      .values(names.map((name) => ({ name, value: '' })))
      .execute();
    const add = (write: Write, name: string) =>
      write(
        (trx) =>
          trx
            .updateTable('setting')
            .set({ value: sql<string>`value || '.'` })
            .where('name', '=', name)
            .execute(),
        { mixes: true },
      );
    const [one, two] = [createWrite(database), createWrite(other)];
    for (let round = 0; round < 10; round++)
      await Promise.all([...names.map((name) => add(one, name)), ...names.toReversed().map((name) => add(two, name))]);
    const rows = await database.db.selectFrom('setting').select('value').where('name', 'in', names).execute();
    expect(rows.map(({ value }) => value.length)).toEqual(names.map(() => 20));
    await other.close();
    await end();
  },
);

test('a write that is rehearsed is run twice, and only the second run stands', async () => {
  const { database, end } = await aDatabase();
  const write = createWrite(database, { rehearses: true });
  let runs = 0;
  const given = await write(async (trx) => {
    await trx
      .insertInto('setting')
      .values({ name: `run-${++runs}`, value: 'x' })
      .execute();
    return runs;
  });
  const stored = await database.db.selectFrom('setting').select('name').where('name', 'like', 'run-%').execute();
  expect([given, stored]).toEqual([2, [{ name: 'run-2' }]]);
  await end();
});

test('a question mark in a prepared query stays what it is', async () => {
  const database = openDatabase({ DATA_DIR: aFolder() });
  const find = prepareQuery((db, { name }: { name: string }) =>
    db.selectNoFrom([sql<string>`'Why?'`.as('asked'), sql<string>`${name}`.as('by?')]),
  );
  expect(await find(database.db, { name: 'Hana' })).toEqual([{ asked: 'Why?', 'by?': 'Hana' }]);
  await database.close();
});

test('a prepared query goes on when a newer version has changed its table', async () => {
  const { database, end } = await aDatabase();
  const find = prepareQuery((db, { name }: { name: string }) =>
    db.selectFrom('setting').selectAll().where('name', '=', name),
  );
  await database.db.insertInto('setting').values({ name: 'a', value: 'x' }).execute();
  const within = () => database.db.transaction().execute((trx) => find(trx, { name: 'a' }));
  expect([await find(database.db, { name: 'a' }), await within()]).toEqual([
    [{ name: 'a', value: 'x' }],
    [{ name: 'a', value: 'x' }],
  ]);
  await sql`alter table setting add column note text`.execute(database.db);
  const [found] = await find(database.db, { name: 'a' });
  expect(found).toMatchObject({ value: 'x' });
  await within().catch((error: unknown) => expect(isDatabaseAway(error)).toBe(true));
  expect(await within()).toMatchObject([{ value: 'x' }]);
  await end();
});

test('a database of 0.2.0 knows afterwards which files were sent, and no bot falls silent', async () => {
  const { settings, drop } = await createDatabase();
  const database = openDatabase({ DATA_DIR: aFolder(), ...settings });
  const { db } = database;
  const released = migrations.findIndex(({ name }) => name.endsWith('file-lookups')) + 1;
  await migrate(database, migrations.slice(0, released));
  const [user, workspace, bot, waiting, resolved, sent, unsent] = Array.from({ length: 7 }, () => newId());
  const times = sql`1, 1`;
  await sql`insert into "user" (uuid, created_at, updated_at, username, username_key, email, email_key, locale, timezone) values (${user}, ${times}, 'hana', 'hana', 'hana@example.com', 'hana@example.com', 'ja', 'UTC')`.execute(
    db,
  );
  await sql`insert into workspace (uuid, created_at, updated_at, name) values (${workspace}, ${times}, 'W')`.execute(
    db,
  );
  await sql`insert into bot (uuid, created_at, updated_at, workspace, name, description, draft, visibility) values (${bot}, ${times}, ${workspace}, 'B', '', '{}', 'private')`.execute(
    db,
  );
  for (const [uuid, status] of [
    [waiting, 'waiting'],
    [resolved, 'resolved'],
  ])
    await sql`insert into thread (uuid, created_at, updated_at, workspace, bot, "user", channel, title, status, language, last_seq, temporary) values (${uuid}, ${times}, ${workspace}, ${bot}, ${user}, 'app', '', ${status}, 'ja', 0, 0)`.execute(
      db,
    );
  for (const uuid of [sent, unsent])
    await sql`insert into file (uuid, created_at, updated_at, workspace, "user", kind, name, mime, bytes, sha256, storage_key) values (${uuid}, ${times}, ${workspace}, ${user}, 'attachment', 'a', 'text/plain', 1, '', ${uuid})`.execute(
      db,
    );
  // A name can say anything.
  const files = JSON.stringify([{ uuid: sent, name: `\\","uuid":"${unsent}"`, mime: '', bytes: 1 }]);
  await sql`insert into message (uuid, created_at, updated_at, thread, seq, role, text, reasoning, tools, files, citations, status) values (${newId()}, ${times}, ${waiting}, 1, 'user', '', '', '[]', ${files}, '[]', 'done')`.execute(
    db,
  );
  await migrate(database, migrations);
  const found = await db.selectFrom('file').select(['uuid', 'sent_at']).execute();
  expect(new Map(found.map((file) => [file.uuid, file.sent_at]))).toEqual(
    new Map([
      [sent, 1],
      [unsent, null],
    ]),
  );
  const threads = await db.selectFrom('thread').select(['uuid', 'status']).execute();
  expect(new Map(threads.map((thread) => [thread.uuid, thread.status]))).toEqual(
    new Map([
      [waiting, 'bot'],
      [resolved, 'resolved'],
    ]),
  );
  await database.close();
  await drop();
});

test('bots from before marks were kept look different from each other afterwards', async () => {
  const { settings, drop } = await createDatabase();
  const database = openDatabase({ DATA_DIR: aFolder(), ...settings });
  const { db } = database;
  await migrate(
    database,
    migrations.slice(
      0,
      migrations.findIndex(({ name }) => name.endsWith('bot-marks')),
    ),
  );
  const [one, other] = [newId(), newId()];
  for (const workspace of [one, other]) {
    await sql`insert into workspace (uuid, created_at, updated_at, name) values (${workspace}, 1, 1, 'W')`.execute(db);
    for (let at = 0; at < 100; at++)
      await sql`insert into bot (uuid, created_at, updated_at, workspace, name, description, draft, visibility) values (${newId()}, 1, 1, ${workspace}, 'B', '', '{}', 'private')`.execute(
        db,
      );
  }
  await migrate(database, migrations);
  for (const workspace of [one, other]) {
    const rows = await db.selectFrom('bot').select('mark').where('workspace', '=', workspace).execute();
    expect(new Set(rows.map(({ mark }) => mark)).size).toBe(100);
  }
  await database.close();
  await drop();
});

describe('the master key', () => {
  const open = async (DATA_DIR: string, more: { MASTER_KEY?: string; PREVIOUS_MASTER_KEYS?: string[] } = {}) => {
    const database = openDatabase({ DATA_DIR });
    await migrate(database, migrations);
    return openSealer({ DATA_DIR, PREVIOUS_MASTER_KEYS: [], ...more }, database.db).finally(() => database.close());
  };
  const aKey = () => randomBytes(32).toString('base64');

  test('that was lost or does not fit refuses to start', async () => {
    const folder = aFolder();
    await open(folder);
    await expect(open(folder, { MASTER_KEY: aKey() })).rejects.toThrow(/does not fit/);
    rmSync(join(folder, 'secrets/master.key'));
    await expect(open(folder)).rejects.toThrow(/is missing/);
  });

  test.each([
    ['short', Buffer.alloc(31, 1).toString('base64')],
    ['all the same', Buffer.alloc(32).toString('base64')],
    ['words', 'change me'],
  ])('that is %s is refused', async (_, key) => {
    await expect(open(aFolder(), { MASTER_KEY: key })).rejects.toThrow(SecretsError);
  });

  test('is changed by naming the old one, which what it sealed still needs', async () => {
    const folder = aFolder();
    const [old, next] = [aKey(), aKey()];
    const sealed = (await open(folder, { MASTER_KEY: old })).seal('x', 'p');
    const rotated = await open(folder, { MASTER_KEY: next, PREVIOUS_MASTER_KEYS: [old] });
    expect(rotated.open(sealed, 'p')).toBe('x');
    await expect(open(folder, { MASTER_KEY: next })).rejects.toThrow(/does not fit/);
    const again = await open(folder, { MASTER_KEY: next, PREVIOUS_MASTER_KEYS: [old] });
    expect(again.open(sealed, 'p')).toBe('x');
    await expect(open(folder, { MASTER_KEY: old })).rejects.toThrow(/does not fit/);
  });
});

describe('an address that a person names', () => {
  test.each([
    'http://169.254.169.254/',
    'http://127.0.0.1:80/',
    'http://10.0.0.1/',
    'http://100.64.0.1/',
    'http://0.0.0.0/',
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[64:ff9b::7f00:1]/',
    'http://[::7f00:1]/',
    'http://localhost/',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://example.com:22/',
    'file:///etc/passwd',
    'gopher://x/',
    'data:text/plain,x',
    'http://user@example.com/',
    'http://evil\\@127.0.0.1/',
    'http://exa\tmple.com/',
    'nonsense',
  ])('%s is not called', async (address) => {
    await expect(createOutbound([]).request(address)).rejects.toMatchObject({ code: 'address-not-allowed' });
  });

  test.each([
    '::ffff:127.0.0.1',
    '::ffff:0:7f00:1',
    '::ffff:0:10.0.0.1',
    '::127.0.0.1',
    '64:ff9b::7f00:1',
    '64:ff9b:1::a00:1',
    '2002:7f00:1::',
    '2001:0:4136:e378:8000:63bf:80ff:fffe',
    '2a01:4f8:1:2:0:5efe:7f00:1',
    '2a01:4f8:1:2:200:5efe:192.168.0.1',
  ])('%s is private, as the IPv4 address that it carries', (address) => {
    expect(isPrivateAddress(address)).toBe(true);
  });

  test('on the open internet is not private', () => {
    expect(['1.1.1.1', '2606:4700::1111'].map(isPrivateAddress)).toEqual([false, false]);
  });
});
