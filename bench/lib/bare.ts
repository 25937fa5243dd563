/** The least that can be done: a Fastify route, one SELECT by key, no identity. node bench/lib/bare.ts <port> <folder> */
import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import fastify from 'fastify';

const sqlite = new SQLite(join(process.argv[3] ?? '', 'bare.db'));
sqlite.pragma('journal_mode = WAL');
sqlite.exec('create table user (uuid text primary key, username text not null, email text not null)');
const insert = sqlite.prepare('insert into user values (?, ?, ?)');
for (let at = 0; at < 1000; at++) insert.run(`user-${at}`, `name-${at}`, `mail-${at}@example.com`);
const select = sqlite.prepare('select uuid, username, email from user where uuid = ?');

const app = fastify();
app.get('/healthz', async () => ({ status: 'ok' }));
app.get('/me', async () => select.get('user-500'));
await app.listen({ port: Number(process.argv[2]), host: '127.0.0.1' });
