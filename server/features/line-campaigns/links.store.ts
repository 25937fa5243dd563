import { sql } from 'kysely';
import type { Db, Trx } from '../../infra/db.ts';
import { containing, type Position } from '../../infra/page.ts';
import type { LineLinkPersonTable, LineLinkTable } from './line-campaigns.tables.ts';

export const insertLinks = (trx: Trx, rows: LineLinkTable[]) =>
  rows.length === 0 ? Promise.resolve() : trx.insertInto('line_link').values(rows).execute();

export const listLinksOf = (db: Db | Trx, owners: string[]) =>
  owners.length === 0
    ? Promise.resolve([])
    : db.selectFrom('line_link').selectAll().where('owner', 'in', owners).orderBy('created_at').execute();

/** What whoever taps gets, and whose days are counted, also where the link was sent already. */
export const updateLinksOf = (trx: Trx, { owner, tag, timezone }: Pick<LineLinkTable, 'owner' | 'tag' | 'timezone'>) =>
  trx.updateTable('line_link').set({ tag, timezone, updated_at: Date.now() }).where('owner', '=', owner).execute();

export function listLinkRows(
  db: Db,
  { channel, q, limit, after }: { channel: string; q?: string | undefined; limit: number; after: Position | undefined },
): Promise<LineLinkTable[]> {
  let query = db.selectFrom('line_link').selectAll().where('channel', '=', channel);
  if (q) query = query.where(sql<boolean>`lower(target) like ${containing(q)} escape '\\'`);
  if (after) query = query.where(sql<boolean>`(created_at, uuid) < (${Number(after.at)}, ${after.uuid})`);
  return query
    .orderBy('created_at', 'desc')
    .orderBy('uuid', 'desc')
    .limit(limit + 1)
    .execute();
}

export const findLinkByCode = (db: Db, code: string) =>
  db.selectFrom('line_link').selectAll().where('code', '=', code).executeTakeFirst();

export const findPersonalLink = (db: Db, code: string) =>
  db
    .selectFrom('line_link_person')
    .innerJoin('line_link', 'line_link.uuid', 'line_link_person.link')
    .selectAll('line_link')
    .select(['line_link_person.identity', 'line_link_person.taps'])
    .where('line_link_person.code', '=', code)
    .executeTakeFirst();

export const addCodes = (trx: Trx, rows: LineLinkPersonTable[]) =>
  trx
    .insertInto('line_link_person')
    .values(rows)
    // What somebody was sent once stays theirs.
    .onConflict((conflict) => conflict.columns(['link', 'identity']).doNothing())
    .execute();

export const listCodes = (db: Db | Trx, links: string[], identities: string[]) =>
  links.length === 0 || identities.length === 0
    ? Promise.resolve([])
    : db
        .selectFrom('line_link_person')
        .select(['code', 'link', 'identity'])
        .where('link', 'in', links)
        .where('identity', 'in', identities)
        .execute();

export const addTap = (trx: Trx, link: string, day: string) =>
  trx
    .insertInto('line_link_day')
    .values({ link, day, taps: 1 })
    .onConflict((conflict) => conflict.columns(['link', 'day']).doUpdateSet({ taps: sql`line_link_day.taps + 1` }))
    .execute();

export const addPersonalTap = (trx: Trx, code: string) =>
  trx
    .updateTable('line_link_person')
    .set({ taps: sql`taps + 1`, tapped_at: Date.now() })
    .where('code', '=', code)
    .execute();

export const listDays = (db: Db, links: string[]) =>
  links.length === 0
    ? Promise.resolve([])
    : db.selectFrom('line_link_day').selectAll().where('link', 'in', links).orderBy('day').execute();

/** How often links of these owners were tapped. */
export const sumTaps = async (db: Db, owners: string[]): Promise<Map<string, number>> => {
  if (owners.length === 0) return new Map();
  const rows = await db
    .selectFrom('line_link')
    .innerJoin('line_link_day', 'line_link_day.link', 'line_link.uuid')
    .select((select) => ['line_link.owner', select.fn.sum('line_link_day.taps').as('taps')])
    .where('line_link.owner', 'in', owners)
    .groupBy('line_link.owner')
    .execute();
  return new Map(rows.map(({ owner, taps }) => [owner, Number(taps)]));
};

/** How many people have tapped each. */
export const countTappers = async (db: Db, links: string[]): Promise<Map<string, number>> => {
  if (links.length === 0) return new Map();
  const rows = await db
    .selectFrom('line_link_person')
    .select(['link', sql<number>`sum(case when taps > 0 then 1 else 0 end)`.as('people')])
    .where('link', 'in', links)
    .groupBy('link')
    .execute();
  return new Map(rows.map(({ link, people }) => [link, Number(people)]));
};

export const deleteLinksOf = (trx: Trx, workspace: string) =>
  trx.deleteFrom('line_link').where('workspace', '=', workspace).execute();
