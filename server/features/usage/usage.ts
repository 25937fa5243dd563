import { mostDays, type TokenEntry, type Usage, type UsedBy } from '../../../shared/contracts/usage.ts';
import { AppError } from '../../../shared/errors.ts';
import { hourMs, type Context } from '../../feature.ts';
import type { Db } from '../../infra/db.ts';
import { listDays, type Day } from '../../infra/days.ts';
import type { Caller } from '../../infra/http.ts';
import { page, readCursor } from '../../infra/page.ts';
import { findUser } from '../users/users.ts';
import { ensureAccount } from './accounts.ts';
import { sumEntries, type Dimension } from './sums.store.ts';
import {
  findAccount,
  listEntries,
  listMost,
  listNamesAt,
  listUses,
  sumUsed,
  sumUses,
  type EntryFilter,
} from './usage.store.ts';
import type { TokenEntryTable } from './usage.tables.ts';

/** What entries are narrowed by, in calendar days of the caller. */
export interface Wanted extends Omit<EntryFilter, 'since' | 'before'> {
  from?: string | undefined;
  until?: string | undefined;
}

export async function listHistory(
  context: Context,
  caller: Caller,
  { limit, cursor, ...wanted }: Wanted & { limit: number; cursor?: string | undefined },
) {
  const { db } = context;
  const filter = await toFilter(db, caller, wanted);
  await db.transaction().execute((trx) => ensureAccount(context, trx, caller.workspace));
  const [account, rows] = await Promise.all([
    findAccount(db, caller.workspace),
    listEntries(db, { workspace: caller.workspace, filter, limit, after: readCursor(cursor) }),
  ]);
  const shown = page(rows, limit, (row) => row.created_at);
  return {
    data: shown.rows.map(toEntry),
    meta: { nextCursor: shown.nextCursor, balance: account?.balance ?? 0, reserved: account?.reserved ?? 0 },
  };
}

/** What a workspace has in micro-credits, and what it used since. */
export async function sumUp(context: Context, workspace: string, since: number) {
  const { db } = context;
  await sumEntries(context, workspace);
  const balance = await db.transaction().execute((trx) => ensureAccount(context, trx, workspace));
  return { balance, used: await sumUsed(db, workspace, { since }) };
}

const zoneOf = async (db: Db, { user }: Caller) => (await findUser(db, user))?.timezone ?? 'UTC';

export async function toFilter(db: Db, caller: Caller, { from, until, ...rest }: Wanted): Promise<EntryFilter> {
  if (!from && !until) return rest;
  const zone = await zoneOf(db, caller);
  return {
    ...rest,
    since: from ? listDays(zone, from, from)[0]?.since : undefined,
    before: until ? listDays(zone, until, until)[0]?.before : undefined,
  };
}

const mostNamed = 4;

const columnOf: Record<UsedBy, Dimension> = {
  bot: 'bot',
  service: 'service',
  channel: 'channel_id',
  member: 'member',
  key: 'api_key',
};

/** What answers and pictures used on each of the caller's own days: those that used most, and the others together. */
export async function addUpByDay(
  context: Context,
  caller: Caller,
  {
    from,
    until,
    by,
    ...wanted
  }: Pick<EntryFilter, 'bot' | 'service' | 'channel'> & {
    from: string;
    until: string;
    by: UsedBy;
  },
): Promise<Usage> {
  const { workspace } = caller;
  const { db } = context;
  mustBeSpan(from, until);
  await sumEntries(context, workspace);
  const days = listDays(await zoneOf(db, caller), from, until);
  const span = { since: days[0]?.since, before: days.at(-1)?.before };
  const uses = await listUses(db, workspace, span);
  const names = await findNames(db, workspace, uses);
  const column = columnOf[by];
  const named = await listMost(db, workspace, { ...span, ...wanted }, column, mostNamed);
  if (by === 'channel' || by === 'member' || by === 'key')
    for (const { names: called } of context.features)
      for (const [id, name] of (await called?.[by]?.(context, workspace, named)) ?? []) names.set(id, name);
  // Where the clock is half an hour apart, so are the days.
  const quarters = days.some(({ since }) => since % hourMs !== 0);
  const sums = await sumUses(db, { workspace, filter: { ...span, ...wanted }, by: column, named, quarters });
  const total = { amount: 0, answers: 0, paid: 0, free: 0 };
  const cells = new Map<string | null, { amounts: number[]; answers: number[] }>();
  const dayOf = dayFinder(days);
  for (const { name, at, amount, answers, paid, free } of sums) {
    total.amount += amount;
    total.answers += answers;
    total.paid += paid;
    total.free += free;
    const cell = cells.get(name) ?? { amounts: days.map(() => 0), answers: days.map(() => 0) };
    cells.set(name, cell);
    const day = dayOf(at);
    cell.amounts[day] = (cell.amounts[day] ?? 0) + amount;
    cell.answers[day] = (cell.answers[day] ?? 0) + answers;
  }
  const choose = (of: 'bot' | 'service') =>
    [...new Set(uses.flatMap((use) => use[of] || []))]
      .slice(0, mostChoices)
      .map((uuid) => ({ uuid, name: names.get(uuid) ?? '' }));
  return {
    days: days.map(({ day }) => day),
    series: [...named, '', null].flatMap((id) => {
      const cell = cells.get(id);
      return cell ? [{ uuid: id || null, name: (id && names.get(id)) || '', other: id === null, ...cell }] : [];
    }),
    total,
    choices: {
      bots: choose('bot'),
      services: choose('service'),
      channels: [...new Set(uses.flatMap((use) => use.channel || []))],
    },
  };
}

const mostChoices = 100;
const dayMs = 86_400_000;

function mustBeSpan(from: string, until: string): void {
  const days = (Date.parse(until) - Date.parse(from)) / dayMs + 1;
  const wrong =
    days < 1
      ? { path: 'until', code: 'invalid' }
      : days > mostDays
        ? { path: 'from', code: 'too-many-days', maximum: mostDays }
        : undefined;
  if (wrong) throw new AppError('validation-failed', { fields: [wrong] });
}

/** As they were called last. */
async function findNames(
  db: Db,
  workspace: string,
  uses: Awaited<ReturnType<typeof listUses>>,
): Promise<Map<string, string>> {
  const last = new Map<string, number>();
  for (const use of uses)
    for (const id of [use.bot, use.service]) if (id) last.set(id, Math.max(last.get(id) ?? 0, use.last));
  if (last.size === 0) return new Map();
  const rows = await listNamesAt(db, workspace, [...new Set(last.values())]);
  return new Map(
    rows.flatMap(({ bot, bot_name, service, service_name }): [string, string][] => [
      ...(bot ? [[bot, bot_name ?? ''] as [string, string]] : []),
      ...(service ? [[service, service_name ?? ''] as [string, string]] : []),
    ]),
  );
}

/** Which of these days a moment belongs to. */
function dayFinder(days: Day[]): (at: number) => number {
  return (at) => {
    let [low, high] = [0, days.length - 1];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if (at < (days[middle]?.before ?? 0)) high = middle;
      else low = middle + 1;
    }
    return low;
  };
}

function toEntry(row: TokenEntryTable): TokenEntry {
  return {
    uuid: row.uuid,
    kind: row.kind,
    amount: row.amount,
    balance: row.balance,
    use:
      row.service === null
        ? null
        : {
            service: row.service,
            serviceName: row.service_name ?? '',
            ownKey: row.own_key === 1,
            bot: row.bot === null ? null : { uuid: row.bot, name: row.bot_name ?? '' },
            thread: row.thread,
            channel: row.channel ?? '',
            tokensIn: row.tokens_in,
            tokensOut: row.tokens_out,
            tokensCached: row.tokens_cached,
            tokensCacheWritten: row.tokens_cache_written,
            latencyMs: row.latency_ms ?? 0,
            firstTokenMs: row.first_token_ms,
          },
    reason: row.note,
    createdAt: new Date(row.created_at).toISOString(),
    updatedAt: new Date(row.created_at).toISOString(),
  };
}
