import { sql } from 'kysely';
import type { Db, Engine } from '../../infra/db.ts';

/** The version of the database and the bytes it takes. */
export async function measureDatabase(db: Db, engine: Engine): Promise<{ version: string; bytes: number }> {
  const query =
    engine === 'sqlite'
      ? sql<{
          version: string;
          bytes: number;
        }>`select sqlite_version() as version, page_count * page_size as bytes from pragma_page_count(), pragma_page_size()`
      : sql<{
          version: string;
          bytes: number;
        }>`select current_setting('server_version') as version, pg_database_size(current_database()) as bytes`;
  const { rows } = await query.execute(db);
  return rows[0] ?? { version: '', bytes: 0 };
}
