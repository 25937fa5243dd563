import { setImmediate } from 'node:timers/promises';
import { sql, type RawBuilder } from 'kysely';
import { hourMs } from '../../feature.ts';
import { lockName, type Database, type Db, type Trx } from '../../infra/db.ts';

/** An entry that is older than this has been committed. */
const unsettledMs = 120_000;
const batch = 5_000;

/** By what entries are added up: each is empty where there is none. */
export const dimensions = ['bot', 'service', 'channel', 'channel_id', 'member', 'api_key'] as const;
export type Dimension = (typeof dimensions)[number];

/** Of an entry, as its sum has them: an entry calls a member its user. */
const ofEntry: Record<Dimension, RawBuilder<string>> = {
  bot: sql`coalesce(cast(bot as text), '')`,
  service: sql`coalesce(cast(service as text), '')`,
  channel: sql`coalesce(channel, '')`,
  channel_id: sql`coalesce(cast(channel_id as text), '')`,
  member: sql`coalesce(cast("user" as text), '')`,
  api_key: sql`coalesce(cast(api_key as text), '')`,
};
const hour = sql`created_at / cast(${sql.lit(hourMs)} as bigint)`;
/** Pictures are used, too, and are no answers. */
const isUse = sql`kind in ('use', 'image')`;
const isAnswer = sql`case when kind = 'use' then 1 else 0 end`;
const isPaid = sql`case when kind = 'use' and amount <> 0 then 1 else 0 end`;
const isFree = sql`case when kind = 'use' and amount = 0 and own_key = 0 then 1 else 0 end`;
const names = sql.join(dimensions.map((each) => sql.ref(each)));

/** Adds up what a workspace has used since the last time; of two who do it at once, one waits for the other. */
export async function sumEntries(
  { db, engine }: Pick<Database, 'db' | 'engine'>,
  workspace: string,
  signal?: AbortSignal,
): Promise<void> {
  const before = Date.now() - unsettledMs;
  while (await sumNext({ db, engine }, workspace, before)) {
    signal?.throwIfAborted();
    // On SQLite nothing else is answered while one batch follows another.
    await setImmediate();
  }
}

/** What whoever writes the sums of a workspace holds. */
export const sumsOf = (workspace: string): string => `token sums ${workspace}`;

/** True where there may be more. */
async function sumNext(
  { db, engine }: Pick<Database, 'db' | 'engine'>,
  workspace: string,
  before: number,
): Promise<boolean> {
  if ((await nextOf(db, workspace, before)) === undefined) return false;
  return db.transaction().execute(async (trx) => {
    await lockName(trx, engine, sumsOf(workspace));
    const first = await nextOf(trx, workspace, before);
    if (first === undefined) return false;
    const { rows } = await sql<{ last: number; count: number }>`select max(created_at) as last, count(*) as count from (
      select created_at from token_entry where workspace = ${workspace} and created_at >= ${first} and created_at < ${before}
      order by created_at limit ${batch}) as next`.execute(trx);
    // Entries of one millisecond are never parted.
    const until = Number(rows[0]?.last ?? first) + 1;
    await sql`insert into token_sum (workspace, hour, ${names}, amount, answers, paid, free, last)
      select workspace, ${hour} as hour, ${sql.join(dimensions.map((each) => ofEntry[each]))},
        sum(amount), sum(${isAnswer}), sum(${isPaid}), sum(${isFree}), max(created_at)
      from token_entry
      where workspace = ${workspace} and ${isUse} and created_at >= ${first} and created_at < ${until}
      group by 1, 2, 3, 4, 5, 6, 7, 8
      on conflict (workspace, hour, ${names}) do update set amount = token_sum.amount + excluded.amount,
        answers = token_sum.answers + excluded.answers, paid = token_sum.paid + excluded.paid,
        free = token_sum.free + excluded.free, last = excluded.last`.execute(trx);
    await trx
      .insertInto('token_summed')
      .values({ workspace, until })
      .onConflict((conflict) => conflict.column('workspace').doUpdateSet({ until }))
      .execute();
    return Number(rows[0]?.count) === batch;
  });
}

/** When the first entry was that no sum has yet. */
const nextOf = async (db: Db | Trx, workspace: string, before: number): Promise<number | undefined> =>
  (
    await db
      .selectFrom('token_entry')
      .select('created_at')
      .where('workspace', '=', workspace)
      .where('created_at', '>=', (until) => until.fn.coalesce(summedUntil(workspace), sql<number>`0`))
      .where('created_at', '<', before)
      .orderBy('created_at')
      .limit(1)
      .executeTakeFirst()
  )?.created_at;

const summedUntil = (workspace: string) =>
  sql<number | null>`(select until from token_summed where workspace = ${workspace})`;

/** One bound, the later of two: of two SQLite takes the first, and reads a million entries to leave them out. */
const notSummed = (workspace: string, moment: number) =>
  sql`created_at >= (select case when max(until) > ${moment} then max(until) else ${moment} end
    from token_summed where workspace = ${workspace})`;

export interface UseFilter extends Partial<Record<Dimension, string | undefined>> {
  /** Moments: the first that counts, and the first that no longer does. */
  since?: number | undefined;
  before?: number | undefined;
}

/**
 * What a workspace has used, as a table with `at` (when it was, or its hour began) and else the columns of `token_sum`: sums of
 * whole hours, and beside them the entries that are in none. One statement, so that nothing is in both or in neither. With `entries` each
 * entry is told by itself, for days that begin within an hour.
 */
export function usesOf(
  workspace: string,
  { since, before, ...wanted }: UseFilter,
  { entries = false } = {},
): RawBuilder<unknown> {
  const where = (of: (each: Dimension) => RawBuilder<unknown>) =>
    sql.join(
      [
        sql`workspace = ${workspace}`,
        ...dimensions.flatMap((each) => (wanted[each] === undefined ? [] : [sql`${of(each)} = ${wanted[each]}`])),
      ],
      sql` and `,
    );
  const [from, to] = [since ?? 0, before ?? Number.MAX_SAFE_INTEGER];
  const told = (first: RawBuilder<unknown>, last: number) => sql`
    select created_at as at, ${sql.join(dimensions.map((each) => sql`${ofEntry[each]} as ${sql.ref(each)}`))},
      amount, ${isAnswer} as answers, ${isPaid} as paid, ${isFree} as free, created_at as last
    from token_entry where ${where((each) => ofEntry[each])} and ${isUse} and ${first} and created_at < ${last}`;
  const notBefore = (moment: number) => sql`created_at >= ${moment}`;
  const [whole, wholeUntil] = [Math.ceil(from / hourMs) * hourMs, Math.floor(to / hourMs) * hourMs];
  if (entries || whole >= wholeUntil) return told(notBefore(from), to);
  const parts = [
    sql`select hour * cast(${sql.lit(hourMs)} as bigint) as at, ${names}, amount, answers, paid, free, last from token_sum
      where ${where((each) => sql.ref(each))} and hour >= ${whole / hourMs} and hour < ${wholeUntil / hourMs}`,
    told(notSummed(workspace, whole), wholeUntil),
    ...(from < whole ? [told(notBefore(from), whole)] : []),
    ...(wholeUntil < to && before !== undefined ? [told(notBefore(wholeUntil), to)] : []),
  ];
  return sql.join(parts, sql` union all `);
}
