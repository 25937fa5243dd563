import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { lockName, type Database, type Db } from '../../infra/db.ts';
import type { Log } from '../../infra/log.ts';
import { sumsOf } from './sums.store.ts';

/** An entry that is older than this has been committed, and never changes. */
const settledMs = 120_000;
const batch = 20_000;
const accountsAtOnce = 500;

/**
 * What is wrong with a workspace's account, in micro-credits: `balance` is not the sum of its entries, `reserved` not the sum of
 * what is set aside for answers, or what was used differs from its sums by the hour (`usage`).
 */
export interface BooksFault {
  workspace: string;
  of: 'balance' | 'reserved' | 'usage';
  told: number;
  counted: number;
}

export interface Books {
  accounts: number;
  faults: BooksFault[];
}

/** Counts every account again from its entries, while answers go on. */
export async function checkBooks(db: Db, signal?: AbortSignal): Promise<Books> {
  const books: Books = { accounts: 0, faults: [] };
  for (let after: string | undefined; ;) {
    const accounts = await db
      .selectFrom('credit_account')
      .select('workspace')
      .$if(after !== undefined, (query) => query.where('workspace', '>', after ?? ''))
      .orderBy('workspace')
      .limit(accountsAtOnce)
      .execute();
    for (const { workspace } of accounts) {
      signal?.throwIfAborted();
      books.faults.push(...(await checkAccount(db, workspace)));
      books.accounts++;
      // On SQLite nothing else is answered while one account follows another.
      await setImmediate();
    }
    after = accounts.at(-1)?.workspace;
    if (accounts.length < accountsAtOnce) return books;
  }
}

async function checkAccount(db: Db, workspace: string): Promise<BooksFault[]> {
  const settled = Date.now() - settledMs;
  const before = await sumBefore(db, workspace, settled);
  // One statement, so that nothing of an answer is in one figure and not in another.
  const { rows } = await sql<Record<'balance' | 'reserved' | 'added' | 'held', number | string>>`
    select balance, reserved,
      (select coalesce(sum(amount), 0) from token_entry where workspace = ${workspace} and created_at >= ${settled}) as added,
      (select coalesce(sum(amount), 0) from credit_hold where workspace = ${workspace}) as held
    from credit_account where workspace = ${workspace}`.execute(db);
  const [row] = rows;
  if (!row) return [];
  const figures = [
    { of: 'balance' as const, told: Number(row.balance), counted: before.all + Number(row.added) },
    { of: 'reserved' as const, told: Number(row.reserved), counted: Number(row.held) },
  ];
  const summed = await readSums(db, workspace);
  const usage = summed && {
    of: 'usage' as const,
    told: summed.told,
    counted: (await sumBefore(db, workspace, summed.until)).used,
  };
  return [...figures, ...(usage ? [usage] : [])]
    .filter(({ told, counted }) => told !== counted)
    .map((fault) => ({ workspace, ...fault }));
}

/** In parts, each of which takes some milliseconds. */
async function sumBefore(db: Db, workspace: string, until: number): Promise<{ all: number; used: number }> {
  const sums = { all: 0, used: 0 };
  for (let from = 0; from < until;) {
    const next = await db
      .selectFrom('token_entry')
      .select('created_at')
      .where('workspace', '=', workspace)
      .where('created_at', '>=', from)
      .orderBy('created_at')
      .offset(batch)
      .limit(1)
      .executeTakeFirst();
    const to = Math.min(until, Math.max(next?.created_at ?? until, from + 1));
    const { rows } = await sql<Record<'all' | 'used', number | string>>`
      select coalesce(sum(amount), 0) as "all", coalesce(sum(case when kind = 'use' then amount else 0 end), 0) as used
      from token_entry where workspace = ${workspace} and created_at >= ${from} and created_at < ${to}`.execute(db);
    sums.all += Number(rows[0]?.all ?? 0);
    sums.used += Number(rows[0]?.used ?? 0);
    from = to;
    await setImmediate();
  }
  return sums;
}

/** What was added up, and until when; nothing where it never was. */
async function readSums(db: Db, workspace: string): Promise<{ told: number; until: number } | undefined> {
  const { rows } = await sql<Record<'told' | 'until', number | string>>`
    select (select coalesce(sum(amount), 0) from token_sum where workspace = ${workspace}) as told, until
    from token_summed where workspace = ${workspace}`.execute(db);
  const [row] = rows;
  return row && { told: Number(row.told), until: Number(row.until) };
}

const kept = 'ledger-check';
const mostKept = 100;

export interface KeptBooks extends Books {
  at: number;
}

/** Checks the accounts, mends what is only derived from them, and keeps what was found for whoever runs the installation. */
export async function keepBooks(
  { db, engine, log }: Pick<Database, 'db' | 'engine'> & { log: Log },
  signal?: AbortSignal,
): Promise<KeptBooks> {
  const books = await checkBooks(db, signal);
  for (const fault of books.faults) {
    log.error(fault, 'an account of credits does not agree with its entries');
    if (fault.of === 'usage')
      await db.transaction().execute(async (trx) => {
        await lockName(trx, engine, sumsOf(fault.workspace));
        await trx.deleteFrom('token_sum').where('workspace', '=', fault.workspace).execute();
        await trx.deleteFrom('token_summed').where('workspace', '=', fault.workspace).execute();
      });
  }
  const found = { at: Date.now(), accounts: books.accounts, faults: books.faults.slice(0, mostKept) };
  const value = JSON.stringify(found);
  await db
    .insertInto('installation')
    .values({ name: kept, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
  return found;
}

/** What was found last; nothing before the first night. */
export async function findBooks(db: Db): Promise<KeptBooks | undefined> {
  const row = await db.selectFrom('installation').select('value').where('name', '=', kept).executeTakeFirst();
  return row && JSON.parse(row.value);
}
