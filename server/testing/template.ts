import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../infra/db.ts';
import { migrate } from '../infra/migrate.ts';
import { migrations } from '../migrations/migrations.ts';
import { createDatabase } from './database.ts';

/** A database that is up to date for each engine, of which a test's server has a copy: making the tables takes longer than most tests. */
export default async function makeTemplates(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'kotae-template-'));
  const ends = [() => rm(folder, { recursive: true, force: true })];
  const end = async () => void (await Promise.all(ends.map((each) => each())));
  const up = async (settings: Record<string, string>) => {
    const database = openDatabase({ DATA_DIR: folder, ...settings });
    await migrate(database, migrations);
    // So that all of it is in the one file.
    if (database.engine === 'sqlite') database.sqlite.pragma('wal_checkpoint(TRUNCATE)');
    await database.close();
  };
  try {
    await up({});
    process.env['TEST_TEMPLATE_FILE'] = join(folder, 'kotae.db');
    const { settings, drop } = await createDatabase({ engine: 'postgres' });
    ends.push(drop);
    if (settings['DATABASE_URL'] !== undefined) {
      await up(settings);
      process.env['TEST_TEMPLATE_DATABASE'] = new URL(settings['DATABASE_URL']).pathname.slice(1);
    }
  } catch (error) {
    await end();
    throw error;
  }
  return end;
}
