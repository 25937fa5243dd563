/** Times the team's inbox where 100,000 people have written 1,000,000 messages: its list, a search, a thread, and the figures, on SQLite and, where TEST_DATABASE_URL is set, on Postgres. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { accounts } from '../shared/contracts/accounts.ts';
import { figures } from '../shared/contracts/figures.ts';
import { inbox, inboxNews } from '../shared/contracts/inbox.ts';
import { webChannels } from '../shared/contracts/web-channels.ts';
import type { BodyIn, ReplyOf, Route } from '../shared/route.ts';
import { everySetting, featureSettings } from '../server/features.ts';
import { newRow } from '../server/features/conversations/messages.ts';
import { countChanged } from '../server/features/conversations/figures.ts';
import { indexMessages } from '../server/features/conversations/message-index.ts';
import { readConfig } from '../server/infra/config.ts';
import { newId, type Db } from '../server/infra/db.ts';
import { createLog } from '../server/infra/log.ts';
import { startServer } from '../server/server.ts';
import { createDatabase } from '../server/testing/database.ts';

const people = Number(process.env['BENCH_PEOPLE'] ?? 100_000);
const messagesEach = 10;
const rounds = 9;
const bars = { list: 300, view: 300, search: 500, thread: 300, figures: 300 };
const missed: string[] = [];

process.chdir(join(import.meta.dirname, '..'));
const unset = Object.fromEntries(Object.keys(everySetting).map((name) => [name, '']));

for (const engine of ['sqlite', ...(process.env['TEST_DATABASE_URL'] ? ['postgres'] : [])]) {
  const folder = mkdtempSync(join(tmpdir(), 'kotae-inbox-'));
  const database = await createDatabase({ engine });
  const settings = {
    ...unset,
    PORT: '0',
    DATA_DIR: folder,
    RATE_LIMITS: 'false',
    MIN_FREE_DISK_MB: '0',
    ...database.settings,
  };
  const config = readConfig(settings, featureSettings);
  const server = await startServer(config, createLog('warn', process.stderr), ['web']);
  try {
    const call = caller(server.address ?? '');
    const registered = await call(accounts.register, accounts.register.path, '', {
      username: 'ann',
      email: 'ann@example.com',
      password: 'correct horse battery',
      locale: 'en',
    });
    const jwt = 'jwt' in registered ? registered.jwt : '';
    const channel = (await call(webChannels.create, webChannels.create.path, jwt, { name: 'shop', bot: null })).data
      .uuid;
    const { db } = server.context;
    const { workspace } = await db.selectFrom('web_channel').select('workspace').executeTakeFirstOrThrow();
    const { uuid: member } = await db.selectFrom('user').select('uuid').executeTakeFirstOrThrow();
    const began = performance.now();
    const threads = await fill(db, { workspace, channel, member });
    const filled = performance.now();
    await indexMessages(server.context);
    const indexed = performance.now();
    if (engine === 'postgres') await sql`analyze`.execute(db);
    await countChanged(db, engine === 'sqlite' ? 'sqlite' : 'postgres');
    console.log(
      `${engine}: ${people} people, ${people * messagesEach} messages: written in ${seconds(filled - began)}, indexed in ${seconds(indexed - filled)}, counted in ${seconds(performance.now() - indexed)}`,
    );
    const ask = async (path: string) => {
      const response = await fetch(`${server.address}${path}`, { headers: { authorization: `Bearer ${jwt}` } });
      const text = await response.text();
      if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`);
      return JSON.parse(text);
    };
    // The connection that was idle while everything was written is gone.
    await ask('/healthz').catch(() => {});
    const some = () => threads[Math.floor(Math.random() * threads.length)] ?? '';
    await time(`${engine}: list`, bars.list, () => ask(inbox.threads.path));
    await time(`${engine}: waiting`, bars.view, () => ask(`${inbox.threads.path}?view=waiting`));
    await time(`${engine}: counts`, bars.list, () => ask(inboxNews.counts.path));
    for (const q of ['delivery', 'order 77123', '抹茶ラテ', 'ありがとう', 'guest 99', 'nothing says this'])
      await time(`${engine}: search for “${q}”`, bars.search, () =>
        ask(`${inbox.threads.path}?q=${encodeURIComponent(q)}`),
      );
    for (const days of ['30', '90'])
      await time(`${engine}: figures of ${days} days`, bars.figures, () => ask(`${figures.get.path}?days=${days}`));
    await time(`${engine}: figures of a member`, bars.figures, () =>
      ask(`${figures.get.path}?days=90&member=${member}`),
    );
    await time(`${engine}: websites`, bars.list, () => ask(webChannels.list.path));
    await time(`${engine}: thread`, bars.thread, async () => {
      const thread = some();
      await Promise.all([ask(`/api/inbox/thread/${thread}`), ask(`/api/inbox/thread/${thread}/messages`)]);
    });
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

async function time(what: string, bar: number, run: () => Promise<unknown>): Promise<void> {
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

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(0)} s`;
}

/** Everyone with one conversation of ten messages in either language, most of them the bot's or resolved; a member has ended every fifth. */
async function fill(
  db: Db,
  { workspace, channel, member }: { workspace: string; channel: string; member: string },
): Promise<string[]> {
  const threads: string[] = [];
  const batch = 200;
  const start = Date.now() - people * 60_000;
  for (let from = 0; from < people; from += batch) {
    const made = Array.from({ length: Math.min(batch, people - from) }, (_, at) => conversation(from + at));
    await db.transaction().execute(async (trx) => {
      await trx
        .insertInto('guest')
        .values(made.map(({ guest }) => guest))
        .execute();
      await trx
        .insertInto('thread')
        .values(made.map(({ thread }) => thread))
        .execute();
      for (let at = 0; at < made.length; at += 40)
        await trx
          .insertInto('message')
          .values(made.slice(at, at + 40).flatMap(({ messages }) => messages))
          .execute();
    });
    threads.push(...made.map(({ thread }) => thread.uuid));
  }
  return threads;

  function conversation(number: number) {
    const now = start + number * 60_000;
    const [guest, thread] = [newId(now), newId(now)];
    const isJapanese = number % 2 === 1;
    const isEnded = number % 5 === 0;
    let parent: string | null = null;
    const messages = Array.from({ length: messagesEach }, (_, at) => {
      const row = newRow({
        uuid: newId(now + at),
        thread,
        seq: at + 1,
        role: at % 2 === 0 ? 'user' : isEnded && at === messagesEach - 1 ? 'staff' : 'assistant',
        parent,
        text: textOf(number, at, isJapanese),
        files: [],
        status: 'done',
        now: now + at,
        indexed: 0,
      });
      parent = row.uuid;
      return row.role === 'staff' ? { ...row, author: member } : row;
    });
    const status =
      number % 50 === 0 ? ('waiting' as const) : number % 3 === 0 ? ('resolved' as const) : ('bot' as const);
    return {
      guest: {
        uuid: guest,
        workspace,
        name: number % 4 === 0 ? `Guest ${number}` : '',
        avatar: null,
        language: isJapanese ? ('ja' as const) : ('en' as const),
        email: '',
        phone: '',
        note: '',
        fields: '[]',
        search: number % 4 === 0 ? `guest${number}` : '',
        page: '',
        preview: 0 as const,
        silent: 0 as const,
        blocked_at: null,
        consented_at: null,
        answered_at: null,
        last_seen_at: now,
        created_at: now,
        updated_at: now,
      },
      thread: {
        uuid: thread,
        workspace,
        bot: null,
        user: null,
        api_key: null,
        channel: 'web' as const,
        title: 'Question',
        status,
        language: isJapanese ? ('ja' as const) : ('en' as const),
        last_seq: messagesEach,
        running: null,
        head: parent,
        pinned_at: null,
        temporary: 0 as const,
        share_hash: null,
        deleted_at: null,
        guest,
        identity: null,
        channel_id: channel,
        assignee: null,
        reason: null,
        waiting_since: null,
        snoozed_until: null,
        unread: number % 10 === 0 ? 1 : 0,
        seen_seq: 0,
        last_text: 'Thank you',
        last_role: 'assistant' as const,
        last_author: null,
        last_at: now + messagesEach,
        left_at: null,
        created_at: now,
        updated_at: now,
      },
      messages,
    };
  }
}

function textOf(number: number, at: number, isJapanese: boolean): string {
  const english = [
    `Hello, when will my order ${number} be delivered?`,
    `Order ${number} is on its way. Delivery takes two working days, and costs 480 yen below 5,000 yen.`,
    `Can I still change the address of house ${number % 977}?`,
    'Yes, until it is packed. Please write the whole new address here.',
    'Thank you very much.',
  ];
  const japanese = [
    `こんにちは。注文番号${number}はいつ届きますか。`,
    `ご注文${number}は発送済みです。送料は全国一律480円、5,000円以上で無料になります。`,
    number % 40 === 1 ? '抹茶ラテはまだありますか。' : `配送先を${number % 977}号室に変更できますか。`,
    'はい、梱包前であれば変更できます。新しいご住所をお知らせください。',
    'ありがとうございます。',
  ];
  return (isJapanese ? japanese : english)[at % 5] ?? '';
}

function caller(address: string) {
  return async <T extends Route>({ method }: T, path: string, jwt: string, body: BodyIn<T>): Promise<ReplyOf<T>> => {
    const response = await fetch(`${address}${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...(jwt && { authorization: `Bearer ${jwt}` }) },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return JSON.parse(text);
  };
}
