import { randomBytes } from 'node:crypto';
import pg from 'pg';

/** A database of its own on the engine under test; settings that lead a server to it, and a way to be rid of it. */
export async function createDatabase({
  engine = process.env['TEST_ENGINE'],
  url = process.env['TEST_DATABASE_URL'],
  template = 'template1',
}: {
  engine?: string | undefined;
  url?: string | undefined;
  /** What it is a copy of. */
  template?: string | undefined;
} = {}): Promise<{ settings: Record<string, string>; drop(): Promise<void> }> {
  if (engine !== 'postgres' || !url) return { settings: {}, drop: async () => {} };
  const name = `kotae_test_${randomBytes(6).toString('hex')}`;
  const admin = async (statement: string) => {
    const connection = new pg.Client({ connectionString: url });
    await connection.connect();
    await connection.query(statement).finally(() => connection.end());
  };
  await admin(`create database ${name} template ${template}`);
  const own = new URL(url);
  own.pathname = `/${name}`;
  return { settings: { DATABASE_URL: own.href }, drop: () => admin(`drop database ${name} with (force)`) };
}
