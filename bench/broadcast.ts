/**
 * Broadcasts to 100,000 friends, at LINE's own rates: one that is the same for all, and one that calls each by name. The process is
 * killed in the middle of both. Tells how long they take, and counts at LINE what each person has got. `BENCH_PEOPLE` is for how many.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { accounts } from '../shared/contracts/accounts.ts';
import { lineCampaigns } from '../shared/contracts/line-campaigns.ts';
import { lineChannels } from '../shared/contracts/line-channels.ts';
import { everySetting } from '../server/features.ts';
import { newId, openDatabase, type Db } from '../server/infra/db.ts';
import { createDatabase } from '../server/testing/database.ts';
import { startLine } from '../server/testing/line/start.ts';
import { caller } from './lib/caller.ts';
import { freePort, startServing, type Started } from './lib/processes.ts';

const people = Number(process.env['BENCH_PEOPLE'] ?? 100_000);
const barSeconds = 600;
const missed: string[] = [];

process.chdir(join(import.meta.dirname, '..'));
const unset = Object.fromEntries(Object.keys(everySetting).map((name) => [name, '']));

for (const engine of ['sqlite', ...(process.env['TEST_DATABASE_URL'] ? ['postgres'] : [])]) {
  if (process.env['BENCH_ONLY'] && process.env['BENCH_ONLY'] !== engine) continue;
  const folder = mkdtempSync(join(tmpdir(), 'kotae-broadcast-'));
  const database = await createDatabase({ engine });
  const line = await startLine({ allowHttp: true, rates: 1 });
  const friends = line.friends(people);
  const port = await freePort();
  const env = {
    ...unset,
    PORT: String(port),
    DATA_DIR: folder,
    RATE_LIMITS: 'false',
    MIN_FREE_DISK_MB: '0',
    LOG_LEVEL: 'error',
    LINE_API_URL: line.url,
    ALLOW_PRIVATE_HOSTS: new URL(line.url).host,
    ...database.settings,
  };
  const start = () => startServing([process.execPath, 'server/main.ts'], { port, env });
  let server: Started = await start();
  try {
    const call = caller(`http://127.0.0.1:${port}`);
    const registered = await call(accounts.register, {
      body: { username: 'ann', email: 'ann@example.com', password: 'correct horse battery', locale: 'en' },
    });
    const jwt = 'jwt' in registered ? registered.jwt : '';
    const { id: channelId, secret } = line.channel;
    const { data: channel } = await call(lineChannels.connect, { jwt, body: { channelId, secret } });
    const { db, close } = openDatabase({ DATA_DIR: folder, ...database.settings });
    const { workspace } = await db.selectFrom('line_channel').select('workspace').executeTakeFirstOrThrow();
    await know(
      db,
      { workspace, channel: channel.uuid },
      friends.map(({ id, name }) => ({ id, name })),
    );
    await close();

    for (const [kind, text] of [
      ['the same for all', 'Spring sale: https://example.com/sale'],
      ['with a name', '{{name}}, spring sale: https://example.com/sale'],
    ] as const) {
      const before = friends.map(({ id }) => line.shown(id).length);
      const { data: broadcast } = await call(lineCampaigns.createBroadcast, {
        jwt,
        body: { channel: channel.uuid, name: kind, content: [{ type: 'text', text }], taps: 'all' },
      });
      const params = { uuid: broadcast.uuid };
      const { data: sent } = await call(lineCampaigns.sendBroadcast, { jwt, params, body: {} });
      await sleep(Math.max(0, Date.parse(sent.dueAt ?? '') - Date.now()));
      const from = performance.now();
      const now = async () => (await call(lineCampaigns.broadcast, { jwt, params })).data;
      while ((await now()).sent < people / 3) await sleep(50);
      await server.kill();
      const atKill = friends.filter(({ id }, at) => line.shown(id).length > (before[at] ?? 0)).length;
      server = await start();
      let last = await now();
      for (; last.state === 'sending' || last.state === 'scheduled'; last = await now()) await sleep(500);
      const seconds = (performance.now() - from) / 1000;
      const got = friends.map(({ id }, at) => line.shown(id).length - (before[at] ?? 0));
      const lost = got.filter((count) => count === 0).length;
      const doubled = got.filter((count) => count > 1).length;
      console.log(
        `${engine}, ${kind}: ${people} in ${seconds.toFixed(0)} s (≤ ${barSeconds}), killed at ${atKill}; ${lost} lost, ${doubled} doubled; Kotae says ${last.sent} ${last.state}`,
      );
      if (lost + doubled > 0 || last.sent !== people || seconds > barSeconds) missed.push(`${engine}, ${kind}`);
    }
    line.mustBeValid();
  } finally {
    await server.stop();
    await line.close();
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  }
}
if (missed.length > 0) {
  console.error(`Missed: ${missed.join('; ')}`);
  process.exit(1);
}
process.exit(0);

/** As if each had become a friend long ago. */
async function know(
  db: Db,
  { workspace, channel }: { workspace: string; channel: string },
  friendsOfLine: { id: string; name: string }[],
): Promise<void> {
  const times = { created_at: 1, updated_at: 1 };
  await db.transaction().execute(async (trx) => {
    for (let at = 0; at < friendsOfLine.length; at += 1000) {
      const rows = friendsOfLine.slice(at, at + 1000).map(({ id, name }) => ({ id, name, guest: newId() }));
      await trx
        .insertInto('guest')
        .values(
          rows.map(({ guest, name }) => ({
            ...times,
            uuid: guest,
            workspace,
            name,
            avatar: null,
            language: null,
            email: '',
            phone: '',
            note: '',
            fields: '[]',
            search: '',
            page: '',
            preview: 0 as const,
            maker: null,
            silent: 0 as const,
            blocked_at: null,
            consented_at: null,
            answered_at: null,
            last_seen_at: null,
          })),
        )
        .execute();
      await trx
        .insertInto('guest_identity')
        .values(
          rows.map(({ guest, name, id }) => ({
            ...times,
            uuid: newId(),
            guest,
            workspace,
            channel: 'line' as const,
            channel_id: channel,
            external: id,
            name,
            verified: 1 as const,
            left_at: null,
          })),
        )
        .execute();
    }
  });
}
