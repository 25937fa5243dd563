/** The least that can be done: a Fastify route, one SELECT by key of about as many bytes as a profile has, no identity. node bench/lib/bare.ts <port> <folder> */
import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import fastify from 'fastify';

const sqlite = new SQLite(join(process.argv[3] ?? '', 'bare.db'));
sqlite.pragma('journal_mode = WAL');
const fields = [
  'uuid',
  'username',
  'email',
  'emailVerified',
  'pendingEmail',
  'avatar',
  'locale',
  'timezone',
  'providers',
  'twoFactor',
  'suspendedAt',
  'operator',
  'workspaces',
  'createdAt',
  'updatedAt',
];
sqlite.exec(`create table user (uuid text primary key, ${fields.slice(1).join(', ')})`);
const insert = sqlite.prepare(`insert into user values (${fields.map(() => '?').join(', ')})`);
for (let at = 0; at < 1000; at++)
  insert.run(
    `user-${at}`,
    `name-${at}`,
    `mail-${at}@example.com`,
    1,
    null,
    null,
    'en',
    'UTC',
    'local',
    0,
    null,
    1,
    'x'.repeat(170),
    '2026-01-01T00:00:00.000Z',
    '2026-01-01T00:00:00.000Z',
  );
const select = sqlite.prepare(`select ${fields.join(', ')} from user where uuid = ?`);

const app = fastify();
app.get('/healthz', async () => ({ status: 'ok' }));
app.get('/me', async () => select.get('user-500'));
await app.listen({ port: Number(process.argv[2]), host: '127.0.0.1' });
