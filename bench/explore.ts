/** Times the list of 100,000 public bots: its orders, searches in both languages, filters, and the list of addresses, on SQLite and, where TEST_DATABASE_URL is set, on Postgres. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { bots } from '../shared/contracts/bots.ts';
import { categories, explore, listings } from '../shared/contracts/explore.ts';
import { everySetting, featureSettings } from '../server/features.ts';
import { indexListing, insertListing } from '../server/features/explore/explore.store.ts';
import { termsOfListing } from '../server/features/explore/listing-terms.ts';
import { readConfig } from '../server/infra/config.ts';
import { newId, type Db, type Engine } from '../server/infra/db.ts';
import { createLog } from '../server/infra/log.ts';
import { startServer } from '../server/server.ts';
import { createDatabase } from '../server/testing/database.ts';

const count = Number(process.env['BENCH_LISTINGS'] ?? 100_000);
const rounds = 9;
const bar = 200;
const missed: string[] = [];
const wares = ['coffee', 'tea', 'bread', 'books', 'bicycles', 'flowers', 'shoes', 'games', 'cameras', 'plants'];
const japaneseWares = ['珈琲', 'お茶', 'パン', '本', '自転車', '花', '靴', 'ゲーム', 'カメラ', '植物'];

process.chdir(join(import.meta.dirname, '..'));
const unset = Object.fromEntries(Object.keys(everySetting).map((name) => [name, '']));

for (const engine of ['sqlite', ...(process.env['TEST_DATABASE_URL'] ? ['postgres'] : [])] as const) {
  const folder = mkdtempSync(join(tmpdir(), 'kotae-explore-'));
  const database = await createDatabase({ engine });
  const settings = {
    ...unset,
    PORT: '0',
    DATA_DIR: folder,
    RATE_LIMITS: 'false',
    MIN_FREE_DISK_MB: '0',
    ...database.settings,
  };
  const server = await startServer(readConfig(settings, featureSettings), createLog('warn', process.stderr), ['web']);
  try {
    const send = async (path: string, body?: object, jwt = '', method = 'POST') => {
      const response = await fetch(`${server.address}${path}`, {
        method: body ? method : 'GET',
        headers: { 'content-type': 'application/json', ...(jwt && { authorization: `Bearer ${jwt}` }) },
        ...(body && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`);
      return text.startsWith('{') ? JSON.parse(text) : {};
    };
    const { jwt } = await send('/api/auth/local/register', {
      username: 'ann',
      email: 'ann@example.com',
      password: 'correct horse battery',
    });
    const { uuid } = (await send(bots.create.path, { name: 'First' }, jwt)).data;
    await send(`/api/user/bot/${uuid}/publish`, { note: '' }, jwt);
    const first = {
      visibility: 'public',
      category: 'other',
      languages: ['en'],
      summary: 'The only one that says heliotrope',
      copying: 'none',
      creditsPerDay: 20,
    };
    await send(listings.save.path.replace(':uuid', uuid), first, jwt, 'PUT');
    const began = performance.now();
    await fill(server.context.db, server.context.engine, uuid);
    console.log(`${engine}: ${count} listings written in ${((performance.now() - began) / 1000).toFixed(0)} s`);
    if (engine === 'postgres') await sql`analyze`.execute(server.context.db);
    const list = (query: Record<string, string>) => send(`${explore.list.path}?${new URLSearchParams(query)}`);
    await list({}).catch(() => {});
    for (const sort of ['featured', 'popular', 'new']) await time(`${engine}: ${sort}`, () => list({ sort }));
    for (const q of [
      'heliotrope',
      'coffee',
      'c',
      'shop answers',
      '珈琲',
      'お答えします',
      '答',
      'bot 77123',
      'nothing says this',
    ])
      await time(`${engine}: “${q}”`, () => list({ q, sort: 'popular' }));
    await time(`${engine}: a category`, () => list({ category: 'clinics', sort: 'popular' }));
    await time(`${engine}: a language`, () => list({ language: 'ja', sort: 'new' }));
    await time(`${engine}: words of a category`, () => list({ category: 'clinics', q: 'coffee', sort: 'popular' }));
    await time(`${engine}: words of two languages that are never together`, () => list({ q: 'coffee 珈琲' }));
    let cursor = '';
    for (let at = 0; at < 20; at++) cursor = (await list({ q: 'coffee', ...(cursor && { cursor }) })).meta.nextCursor;
    await time(`${engine}: the 21st page of “coffee”`, () => list({ q: 'coffee', cursor }));
    await time(`${engine}: one`, () => send(explore.get.path.replace(':uuid', uuid)));
  } finally {
    await server.stop();
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  }
}
if (missed.length > 0) {
  console.error(`Missed: ${missed.join('; ')}`);
  process.exit(1);
}

async function time(what: string, run: () => Promise<unknown>): Promise<void> {
  const took: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const began = performance.now();
    await run();
    took.push(performance.now() - began);
  }
  const sorted = took.toSorted((a, b) => a - b);
  const [median = 0, most = 0] = [sorted[rounds >> 1], sorted.at(-1)];
  console.log(`${what}: ${median.toFixed(0)} ms, at most ${most.toFixed(0)} (bar ${bar})`);
  if (median > bar) missed.push(`${what} takes ${median.toFixed(0)} ms`);
}

/** Bots of one workspace in either language; every tenth is of the same wares. */
async function fill(db: Db, engine: Engine, template: string): Promise<void> {
  const bot = await db.selectFrom('bot').selectAll().where('uuid', '=', template).executeTakeFirstOrThrow();
  const batch = 200;
  for (let from = 0; from < count; from += batch)
    await db.transaction().execute(async (trx) => {
      for (let number = from; number < Math.min(count, from + batch); number++) {
        const isJapanese = number % 2 === 1;
        const ware = (isJapanese ? japaneseWares : wares)[Math.floor(number / 2) % 10] ?? '';
        const name = isJapanese ? `${ware}の相談室 ${number}` : `The ${ware} bot ${number}`;
        const summary = isJapanese
          ? `${ware}の選び方や営業時間について、お店の資料からお答えします。`
          : `The shop answers what you ask about ${ware}, opening hours and prices, with the page of its guide.`;
        const category = categories[number % categories.length] ?? 'other';
        const languages = isJapanese ? (['ja'] as const) : (['en'] as const);
        const uuid = newId();
        const now = Date.now() - number;
        await trx
          .insertInto('bot')
          .values({ ...bot, uuid, name, published_version: null })
          .execute();
        const tries = (number * 7919) % 1000;
        const row = await insertListing(trx, {
          uuid: newId(),
          workspace: bot.workspace,
          bot: uuid,
          channel: newId(),
          slug: `bot-${number}`,
          name,
          visibility: 'public',
          state: 'listed',
          reason: null,
          category,
          languages: JSON.stringify(languages),
          summary,
          copying: 'none',
          face: '',
          approved: '',
          credits_per_day: 20,
          featured: null,
          tries,
          copies: 0,
          popularity: tries,
          prominence: tries,
          listed_at: now,
          picture: null,
          hidden: 0,
          shown: 1,
          created_at: now,
          updated_at: now,
        });
        await indexListing(
          trx,
          engine,
          row,
          termsOfListing({ texts: [name, summary], category, languages: [...languages], copying: 'none' }),
        );
      }
    });
}
