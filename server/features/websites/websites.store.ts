import { sql } from 'kysely';
import { lockRow, type Db, type Trx } from '../../infra/db.ts';
import { basesOf } from '../knowledge/fetched.ts';
import { containing, type Position } from '../../infra/page.ts';
import type { WebsiteChangeTable, WebsitePageTable, WebsiteTable } from './websites.tables.ts';

export type WebsiteRow = WebsiteTable & { workspace: string; base_deleted_at: number | null };

const withBase = (db: Db | Trx) =>
  db
    .selectFrom('website')
    .innerJoin(basesOf(db), 'base.uuid', 'website.knowledge')
    .selectAll('website')
    .select(['base.workspace', 'base.deleted_at as base_deleted_at']);

export const findAnyWebsite = (db: Db | Trx, uuid: string): Promise<WebsiteRow | undefined> =>
  withBase(db).where('website.uuid', '=', uuid).executeTakeFirst();

export const findWebsite = (db: Db | Trx, workspace: string, uuid: string): Promise<WebsiteRow | undefined> =>
  withBase(db)
    .where('website.uuid', '=', uuid)
    .where('base.workspace', '=', workspace)
    .where('base.deleted_at', 'is', null)
    .executeTakeFirst();

/** A website was forgotten, or another visit has begun. */
export class NoLonger extends Error {}

/** For what a visit writes of its own, so that nothing of a website comes after it is gone. Throws `NoLonger`. */
export async function mustGoOn(trx: Trx, { uuid, run }: Pick<WebsiteTable, 'uuid' | 'run'>): Promise<void> {
  await lockRow(trx, 'website', uuid);
  if ((await findAnyWebsite(trx, uuid))?.run !== run) throw new NoLonger('the website is no longer visited');
}

interface Paged {
  q?: string | undefined;
  limit: number;
  after: Position | undefined;
}

export function listWebsites(db: Db, knowledge: string, { q, limit, after }: Paged): Promise<WebsiteRow[]> {
  let query = withBase(db).where('website.knowledge', '=', knowledge);
  if (q) query = query.where(sql<boolean>`lower(website.url) like ${containing(q)} escape '\\'`);
  if (after) query = query.where(sql<boolean>`(website.created_at, website.uuid) < (${after.at}, ${after.uuid})`);
  return query
    .orderBy('website.created_at', 'desc')
    .orderBy('website.uuid', 'desc')
    .limit(limit + 1)
    .execute();
}

export const insertWebsite = (trx: Trx, row: WebsiteTable) => trx.insertInto('website').values(row).execute();
export const countWebsites = async (db: Db | Trx, workspace: string): Promise<number> =>
  Number(
    (
      await withBase(db)
        .clearSelect()
        .select((count) => count.fn.countAll().as('websites'))
        .where('base.workspace', '=', workspace)
        .executeTakeFirstOrThrow()
    ).websites,
  );
export const updateWebsite = (db: Db | Trx, uuid: string, changes: Partial<WebsiteTable>) =>
  db
    .updateTable('website')
    .set({ ...changes, updated_at: Date.now() })
    .where('uuid', '=', uuid)
    .execute();
export const deleteWebsite = (trx: Trx, uuid: string) => trx.deleteFrom('website').where('uuid', '=', uuid).execute();

export const listDue = (db: Db, now: number) =>
  withBase(db)
    .where('website.next_at', '<=', now)
    .where('website.state', '<>', 'crawling')
    .where('base.deleted_at', 'is', null)
    .limit(100)
    .execute();

/** How many pages there are of each state, and how many are still to come to. */
export async function countPages(db: Db | Trx, { uuid, run }: Pick<WebsiteTable, 'uuid' | 'run'>) {
  const rows = await db
    .selectFrom('website_page')
    .select((select) => [
      'state',
      select.fn.countAll<number | string>().as('count'),
      sql<number | string>`sum(case when run < ${run} then 1 else 0 end)`.as('waiting'),
    ])
    .where('website', '=', uuid)
    .groupBy('state')
    .execute();
  const counts = { waiting: 0, read: 0, skipped: 0, failed: 0, gone: 0 };
  for (const { state, count, waiting } of rows) {
    if (state !== 'waiting') counts[state] = Number(count);
    counts.waiting += Number(waiting);
  }
  return counts;
}

export const listNextPages = (db: Db | Trx, { uuid, run }: Pick<WebsiteTable, 'uuid' | 'run'>, limit: number) =>
  db
    .selectFrom('website_page')
    .selectAll()
    .where('website', '=', uuid)
    .where('run', '<', run)
    .orderBy('depth')
    .orderBy('created_at')
    .orderBy('uuid')
    .limit(limit)
    .execute();

/** Without its blocks and links, which may be a hundred times as much. */
const shownOfPage = [
  'uuid',
  'url',
  'title',
  'state',
  'reason',
  'document',
  'visited_at',
  'created_at',
  'updated_at',
] as const;
export type ShownPage = Pick<WebsitePageTable, (typeof shownOfPage)[number]>;

export function listPages(
  db: Db,
  website: string,
  { q, state, limit, after }: Paged & { state?: WebsitePageTable['state'] | undefined },
) {
  let query = db.selectFrom('website_page').select(shownOfPage).where('website', '=', website);
  if (state) query = query.where('state', '=', state);
  if (q)
    query = query.where(
      sql<boolean>`(lower(url) like ${containing(q)} escape '\\' or lower(title) like ${containing(q)} escape '\\')`,
    );
  if (after) query = query.where(sql<boolean>`(created_at, uuid) > (${after.at}, ${after.uuid})`);
  return query
    .orderBy('created_at')
    .orderBy('uuid')
    .limit(limit + 1)
    .execute();
}

export const listReadPages = (db: Db | Trx, website: string) =>
  db
    .selectFrom('website_page')
    .select(['title', 'depth', 'document', 'blocks'])
    .where('website', '=', website)
    .where('state', '=', 'read')
    .orderBy('depth')
    .orderBy('created_at')
    .execute();

export const listPageDocuments = async (trx: Db | Trx, website: string): Promise<string[]> =>
  (
    await trx
      .selectFrom('website_page')
      .select('document')
      .where('website', '=', website)
      .where('document', 'is not', null)
      .execute()
  ).flatMap(({ document }) => document ?? []);

/** Those that are there already keep what is known of them. */
export async function insertPages(trx: Trx, pages: WebsitePageTable[]): Promise<void> {
  for (let at = 0; at < pages.length; at += 50)
    await trx
      .insertInto('website_page')
      .values(pages.slice(at, at + 50))
      .onConflict((conflict) => conflict.columns(['website', 'hash']).doNothing())
      .execute();
}

export const countAllPages = async (db: Db | Trx, website: string): Promise<number> =>
  Number(
    (
      await db
        .selectFrom('website_page')
        .select((select) => select.fn.countAll<number | string>().as('count'))
        .where('website', '=', website)
        .executeTakeFirstOrThrow()
    ).count,
  );

export const listKnownHashes = async (db: Db | Trx, website: string, hashes: string[]): Promise<Set<string>> =>
  hashes.length === 0
    ? new Set()
    : new Set(
        (
          await db
            .selectFrom('website_page')
            .select('hash')
            .where('website', '=', website)
            .where('hash', 'in', hashes)
            .execute()
        ).map(({ hash }) => hash),
      );

export const findPageWith = (db: Db | Trx, website: string, where: { sha256: string; besides: string }) =>
  db
    .selectFrom('website_page')
    .select('uuid')
    .where('website', '=', website)
    .where('sha256', '=', where.sha256)
    .where('state', '=', 'read')
    .where('uuid', '<>', where.besides)
    .executeTakeFirst();

export const updatePage = (db: Db | Trx, uuid: string, changes: Partial<WebsitePageTable>) =>
  db
    .updateTable('website_page')
    .set({ ...changes, updated_at: Date.now() })
    .where('uuid', '=', uuid)
    .execute();

export const insertChange = (trx: Trx, row: WebsiteChangeTable) =>
  trx.insertInto('website_change').values(row).execute();

export function listChanges(db: Db, website: string, { limit, after }: Paged) {
  let query = db.selectFrom('website_change').selectAll().where('website', '=', website);
  if (after) query = query.where(sql<boolean>`(created_at, uuid) < (${after.at}, ${after.uuid})`);
  return query
    .orderBy('created_at', 'desc')
    .orderBy('uuid', 'desc')
    .limit(limit + 1)
    .execute();
}

export const deleteChangesBefore = (db: Db, before: number) =>
  db.deleteFrom('website_change').where('created_at', '<', before).execute();

/** What a visit that was stopped has come to counts as come to in the next one. */
export const moveRun = (trx: Trx, { uuid, run }: Pick<WebsiteTable, 'uuid' | 'run'>, next: number) =>
  trx.updateTable('website_page').set({ run: next }).where('website', '=', uuid).where('run', '=', run).execute();
