import pg from 'pg';

/**
 * Has Postgres count the rows of its tables, as autovacuum does within a minute: until then it plans for what they were before,
 * and what a benchmark has filled in a second it takes for empty.
 */
export async function countRows({ DATABASE_URL: connectionString }: Record<string, string>): Promise<void> {
  if (!connectionString) return;
  const connection = new pg.Client({ connectionString });
  await connection.connect();
  await connection.query('analyze').finally(() => connection.end());
}
