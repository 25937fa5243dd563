import { setImmediate } from 'node:timers/promises';
import { sql, type RawBuilder } from 'kysely';
import type { Feedback } from '../../../shared/contracts/conversations.ts';
import { quarterMs } from '../../infra/days.ts';
import { lockName, type Database, type Db } from '../../infra/db.ts';

/** A change that is older than this has been committed. */
const unsettledMs = 60_000;
const batch = 1000;

/** Counts visitors' conversations that have changed since they were counted. */
export async function countChanged(db: Db, engine: Database['engine'], signal?: AbortSignal): Promise<void> {
  const { last } = await db
    .selectFrom('thread_figures')
    .select((select) => select.fn.max('counted_at').as('last'))
    .executeTakeFirstOrThrow();
  let after = { at: Number(last ?? 0) - unsettledMs, uuid: '00000000-0000-0000-0000-000000000000' };
  for (;;) {
    signal?.throwIfAborted();
    const threads = await listChanged(db, after);
    const changed = threads.flatMap(({ uuid, updated_at, counted_at }) => (counted_at === updated_at ? [] : [uuid]));
    if (changed.length > 0)
      await db.transaction().execute(async (trx) => {
        // Two that count the same would wait for each other's rows.
        await lockName(trx, engine, 'figures of threads');
        await countOf(changed).execute(trx);
      });
    const end = threads.at(-1);
    if (!end || threads.length < batch) return;
    after = { at: end.updated_at, uuid: end.uuid };
    // On SQLite nothing else is answered while one batch follows another.
    await setImmediate();
  }
}

const listChanged = (db: Db, after: { at: number; uuid: string }) =>
  db
    .selectFrom('thread')
    .leftJoin('thread_figures', 'thread_figures.thread', 'thread.uuid')
    .select(['thread.uuid', 'thread.updated_at', 'thread_figures.counted_at'])
    // Written out, since an index of some rows is not found by a parameter.
    .where(sql<boolean>`thread.guest is not null`)
    .where(sql<boolean>`(thread.updated_at, thread.uuid) > (${after.at}, ${after.uuid})`)
    .where('thread.temporary', '=', 0)
    .where('thread.deleted_at', 'is', null)
    .orderBy('thread.updated_at')
    .orderBy('thread.uuid')
    .limit(batch)
    .execute();

// JSON as text: quotes that somebody has written are escaped in it, so that no words look like a field.
const refusal = sql`message.trace like '%"refused":true%'`;
const said = sql`message.text <> '' and message.internal = 0`;

function countOf(threads: string[]): RawBuilder<unknown> {
  return sql`insert into thread_figures
      (thread, workspace, began_at, counted_at, bot, channel_id, refused, unaided, answer_ms, person_ms, ups, downs, cost)
    select thread.uuid, thread.workspace, told.asked, thread.updated_at, thread.bot, thread.channel_id, told.refused,
      case when told.answers > told.refused and told.staff is null and told.handed is null then 1 else 0 end,
      case when told.answered <= coalesce(told.staff, told.answered) then told.answered else told.staff end - told.asked,
      told.staff - coalesce(
        case when told.handed <= told.staff then told.handed end,
        (select max(message.created_at) from message
          where message.thread = thread.uuid and message.role = 'user' and message.created_at <= told.staff),
        told.staff),
      told.ups, told.downs, told.cost
    from (select message.thread,
        min(case when message.role = 'user' then message.created_at end) as asked,
        min(case when message.role = 'assistant' and ${said} and message.status = 'done'
          then message.created_at + coalesce(message.latency_ms, 0) end) as answered,
        min(case when message.role = 'staff' and ${said} then message.created_at end) as staff,
        min(case when message.happening like '%"kind":"handed-off"%' then message.created_at end) as handed,
        sum(case when message.role = 'assistant' and ${said} and message.status = 'done' then 1 else 0 end) as answers,
        sum(case when message.role = 'assistant' and ${refusal} then 1 else 0 end) as refused,
        sum(case when message.feedback like '%"rating":"up"%' then 1 else 0 end) as ups,
        sum(case when message.feedback like '%"rating":"down"%' then 1 else 0 end) as downs,
        sum(message.cost) as cost
      from message where message.thread in (${sql.join(threads)}) group by message.thread) told
    join thread on thread.uuid = told.thread
    where told.asked is not null and thread.channel_id is not null
    on conflict (thread) do update set counted_at = excluded.counted_at, bot = excluded.bot, refused = excluded.refused,
      unaided = excluded.unaided, answer_ms = excluded.answer_ms, person_ms = excluded.person_ms, ups = excluded.ups,
      downs = excluded.downs, cost = excluded.cost`;
}

export interface FiguresFilter {
  workspace: string;
  bot?: string | undefined;
  channel?: string | undefined;
  /** Whoever of the team has written to the visitor. */
  member?: string | undefined;
  /** Moments: the first that counts, and the first that no longer does. */
  since: number;
  before: number;
}

const within = (db: Db, { workspace, bot, channel, member, since, before }: FiguresFilter) =>
  db
    .selectFrom('thread_figures')
    .where('workspace', '=', workspace)
    .where('began_at', '>=', since)
    .where('began_at', '<', before)
    .$if(bot !== undefined, (query) => query.where('bot', '=', bot ?? ''))
    .$if(channel !== undefined, (query) => query.where('channel_id', '=', channel ?? ''))
    .$if(member !== undefined, (query) =>
      query.where('thread', 'in', (written) =>
        written
          .selectFrom('message')
          .select('message.thread')
          .where('message.author', '=', member ?? '')
          .where('message.internal', '=', 0),
      ),
    );

/** What visitors wrote about answers, the newest first. */
export async function listComments(db: Db, filter: FiguresFilter, limit: number) {
  const rows = await db
    .selectFrom(
      within(db, filter)
        .where(sql<number>`ups + downs`, '>', 0)
        .select('thread')
        .as('rated'),
    )
    .innerJoin('message', 'message.thread', 'rated.thread')
    .select(['message.thread', 'message.uuid', 'message.feedback', 'message.created_at'])
    .where('message.feedback', 'is not', null)
    .where('message.feedback', 'not like', '%"text":""%')
    .orderBy('message.created_at', 'desc')
    .limit(limit)
    .execute();
  return rows.map(({ thread, uuid, feedback, created_at }) => {
    const { rating, text }: Feedback = JSON.parse(feedback ?? '');
    return { thread, message: uuid, rating, text, at: new Date(created_at).toISOString() };
  });
}

/** By the quarter of an hour since 1970 in which conversations began. */
export async function sumByQuarter(db: Db, filter: FiguresFilter) {
  const sum = (column: 'unaided' | 'refused' | 'ups' | 'downs' | 'cost') =>
    sql<number | string>`sum(${sql.ref(column)})`.as(column);
  const rows = await within(db, filter)
    .select([
      sql<number>`began_at / ${sql.lit(quarterMs)}`.as('quarter'),
      sql<number | string>`count(*)`.as('conversations'),
      sum('unaided'),
      // Who has written has waited for it, be it no time at all.
      sql<number | string>`count(person_ms)`.as('staffed'),
      sum('refused'),
      sum('ups'),
      sum('downs'),
      sum('cost'),
    ])
    .groupBy('quarter')
    .execute();
  return rows.map((row) => ({
    quarter: Number(row.quarter),
    conversations: Number(row.conversations),
    unaided: Number(row.unaided),
    staffed: Number(row.staffed),
    refused: Number(row.refused),
    ups: Number(row.ups),
    downs: Number(row.downs),
    cost: Number(row.cost),
  }));
}

const dayMs = 86_400_000;

export interface Begun {
  /** Of each day, the oldest first. */
  perDay: number[];
  unaided: number;
}

/** Conversations that began in the last days, by their channel. */
export async function countByChannel(db: Db, workspace: string, days: number): Promise<Map<string, Begun>> {
  const since = Date.now() - days * dayMs;
  const rows = await within(db, { workspace, since, before: Number.MAX_SAFE_INTEGER })
    .select([
      'channel_id',
      sql<number>`(began_at - ${sql.lit(since)}) / ${sql.lit(dayMs)}`.as('day'),
      sql<number | string>`count(*)`.as('count'),
      sql<number | string>`sum(unaided)`.as('unaided'),
    ])
    .groupBy(['channel_id', 'day'])
    .execute();
  const counts = new Map<string, Begun>();
  for (const { channel_id, day, count, unaided } of rows) {
    const of = counts.get(channel_id) ?? { perDay: Array.from({ length: days }, () => 0), unaided: 0 };
    counts.set(channel_id, of);
    of.unaided += Number(unaided);
    // What began since this was asked is of the last day.
    const at = Math.min(Number(day), days - 1);
    of.perDay[at] = (of.perDay[at] ?? 0) + Number(count);
  }
  return counts;
}

export interface Wait {
  ms: number;
  /** How often it was since `middle`, and before. */
  now: number;
  before: number;
}

/** How often each wait was, in ascending order: exact to 10 ms, above a second to 0.1 s, above a minute to 1 s. */
export async function countWaits(
  db: Db,
  column: 'answer_ms' | 'person_ms',
  { middle, ...filter }: FiguresFilter & { middle: number },
): Promise<Wait[]> {
  const ms = sql.ref(column);
  const rows = await within(db, filter)
    .where(column, 'is not', null)
    .select([
      sql<
        number | string
      >`case when ${ms} < 1000 then ${ms} / 10 * 10 when ${ms} < 60000 then ${ms} / 100 * 100 else ${ms} / 1000 * 1000 end`.as(
        'ms',
      ),
      sql<number | string>`sum(case when began_at >= ${sql.lit(middle)} then 1 else 0 end)`.as('now'),
      sql<number | string>`count(*)`.as('all'),
    ])
    .groupBy('ms')
    .orderBy('ms')
    .execute();
  return rows.map((row) => ({ ms: Number(row.ms), now: Number(row.now), before: Number(row.all) - Number(row.now) }));
}

/** Whether the last that was done in a conversation before a message has left it with people. */
const isWithPeople = sql<boolean>`coalesce((select case when earlier.role = 'staff' or earlier.happening like '%"kind":"handed-off"%'
      or earlier.happening like '%"kind":"taken"%' or earlier.happening like '%"kind":"assigned"%'
      or earlier.happening like '%"kind":"woken"%' then 1 else 0 end
    from message earlier
    where earlier.thread = message.thread and earlier.seq < message.seq
      and (earlier.happening is not null or earlier.role = 'assistant' or (earlier.role = 'staff' and earlier.internal = 0))
    order by earlier.seq desc limit 1), 0) = 1`;

/** The first characters of the newest that visitors wrote to a bot, or to begin with, in the conversations that began last. */
export const listAsked = (db: Db, filter: FiguresFilter, { limit, length }: { limit: number; length: number }) =>
  db
    .selectFrom(
      db
        .selectFrom(
          within(db, filter).select(['thread', 'began_at']).orderBy('began_at', 'desc').limit(limit).as('newest'),
        )
        .innerJoin('message', 'message.thread', 'newest.thread')
        .select([
          sql<string>`substr(message.text, 1, ${sql.lit(length)})`.as('text'),
          'message.thread',
          'message.seq',
          'newest.began_at',
        ])
        .where('message.role', '=', 'user')
        .where('message.text', '<>', '')
        // What stands for a sticker or a place are no words of theirs.
        .where('message.sticker', 'is', null)
        .where('message.location', 'is', null)
        .orderBy('newest.began_at', 'desc')
        .orderBy('message.seq')
        .limit(limit)
        // Not before: each needs a look at what came before it.
        .as('message'),
    )
    .select(['message.text', 'message.thread'])
    .where((each) => each.not(isWithPeople))
    .orderBy('message.began_at', 'desc')
    .orderBy('message.seq')
    .execute();
