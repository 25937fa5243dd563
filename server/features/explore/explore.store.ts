import { sql, type RawBuilder } from 'kysely';
import type { operatedStates, orders } from '../../../shared/contracts/explore.ts';
import { prepareQuery, type Db, type Engine, type Trx } from '../../infra/db.ts';
import { containing, type Position } from '../../infra/page.ts';
import { botFaces } from '../bots/bots.ts';
import { workspaceNames } from '../workspaces/memberships.ts';
import type { Wanted } from './listing-terms.ts';
import type { ListingReportTable, ListingTable } from './explore.tables.ts';

/** All but what only the index of one engine has. */
const columns = [
  'listing.number',
  'listing.uuid',
  'listing.created_at',
  'listing.updated_at',
  'listing.workspace',
  'listing.bot',
  'listing.channel',
  'listing.slug',
  'listing.name',
  'listing.visibility',
  'listing.state',
  'listing.reason',
  'listing.category',
  'listing.languages',
  'listing.summary',
  'listing.copying',
  'listing.face',
  'listing.approved',
  'listing.credits_per_day',
  'listing.featured',
  'listing.tries',
  'listing.copies',
  'listing.popularity',
  'listing.prominence',
  'listing.listed_at',
  'listing.hidden',
  'listing.shown',
] as const;

const withFace = (db: Db | Trx) =>
  db
    .selectFrom('listing')
    .innerJoin(botFaces(db), 'face.uuid', 'listing.bot')
    .innerJoin(workspaceNames(db), 'named.uuid', 'listing.workspace')
    .select(columns)
    .select(['face.avatar', 'face.mark', 'named.name as maker']);

export type StoredListing = Omit<ListingTable, 'number' | 'picture'> & { number: number };
export type ListingRow = StoredListing & { avatar: string | null; mark: number; maker: string };

export const findListingOf = (db: Db | Trx, bot: string): Promise<StoredListing | undefined> =>
  db.selectFrom('listing').select(columns).where('bot', '=', bot).executeTakeFirst();

export const findListing = (db: Db | Trx, uuid: string): Promise<ListingRow | undefined> =>
  withFace(db).where('listing.uuid', '=', uuid).executeTakeFirst();

const findByBot = prepareQuery((db, { bot }: { bot: string }) => withFace(db).where('listing.bot', '=', bot));
const findBySlug = prepareQuery((db, { slug }: { slug: string }) => withFace(db).where('listing.slug', '=', slug));

const uuidForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** By its bot, or by its name in addresses. */
export async function findNamedListing(db: Db, name: string): Promise<ListingRow | undefined> {
  const [row] = uuidForm.test(name) ? await findByBot(db, { bot: name }) : await findBySlug(db, { slug: name });
  return row;
}

export const isSlugTaken = async (trx: Trx, slug: string): Promise<boolean> =>
  (await trx.selectFrom('listing').select('uuid').where('slug', '=', slug).executeTakeFirst()) !== undefined;

export const insertListing = (trx: Trx, row: Omit<ListingTable, 'number'>): Promise<StoredListing> =>
  trx.insertInto('listing').values(row).returning(columns).executeTakeFirstOrThrow();

export const updateListing = (trx: Trx, uuid: string, changes: Partial<Omit<ListingTable, 'number'>>) =>
  trx.updateTable('listing').set(changes).where('uuid', '=', uuid).execute();

export const deleteListing = (trx: Trx, uuid: string) => trx.deleteFrom('listing').where('uuid', '=', uuid).execute();

export const listListingsIn = (trx: Trx, workspaces: string[]): Promise<StoredListing[]> =>
  workspaces.length === 0
    ? Promise.resolve([])
    : trx.selectFrom('listing').select(columns).where('workspace', 'in', workspaces).orderBy('uuid').execute();

export const listListingsFor = (db: Db, workspace: string): Promise<StoredListing[]> =>
  db.selectFrom('listing').select(columns).where('workspace', '=', workspace).orderBy('uuid').execute();

/** The channels of listings that anybody may talk with, or of all. */
export const channelsOfListings = (db: Db, { onlyOpen }: { onlyOpen: boolean }) =>
  db
    .selectFrom('listing')
    .select('channel')
    .$if(onlyOpen, (query) => query.where('state', '=', 'listed').where('hidden', '=', 0))
    .$asScalar();

/**
 * Says by which terms a listing is found; by none when it is no longer in lists. SQLite keeps them in FTS5, Postgres in a column
 * of the row with a GIN index.
 */
export async function indexListing(
  trx: Trx,
  engine: Engine,
  { uuid, number }: Pick<StoredListing, 'uuid' | 'number'>,
  terms: string[],
): Promise<void> {
  if (engine === 'sqlite') {
    await sql`delete from listing_keyword where rowid = ${number}`.execute(trx);
    if (terms.length > 0)
      await sql`insert into listing_keyword (rowid, terms) values (${number}, ${terms.join(' ')})`.execute(trx);
    return;
  }
  const vector = sql`array_to_tsvector(array(select jsonb_array_elements_text(${JSON.stringify(terms)}::jsonb)))`;
  await sql`update listing set terms = ${terms.length > 0 ? vector : sql`null`} where uuid = ${uuid}`.execute(trx);
}

const sortedBy = { featured: 'listing.prominence', popular: 'listing.popularity', new: 'listing.listed_at' } as const;

/** Of terms that more listings have, the first ones are looked for along the order; of others, all are found and then ordered. */
const mostFound = 10_000;

/** What lists show, with every wanted term: so many, and one more where there is one. */
export async function listShown(
  db: Db,
  engine: Engine,
  {
    wanted,
    sort,
    limit,
    after,
  }: { wanted: Wanted[]; sort: (typeof orders)[number]; limit: number; after: Position | undefined },
): Promise<ListingRow[]> {
  const place = sql.ref<number>(sortedBy[sort]);
  const index = wanted.length > 0 ? (engine === 'sqlite' ? ftsOf(wanted) : vectorOf(wanted)) : undefined;
  const isFew = index && (await countFound(db, index.found)) <= mostFound;
  // Only what it is ordered by, of very many; the rest of those that are shown.
  let found = db
    .selectFrom('listing')
    .select('listing.uuid')
    .where(sql<boolean>`listing.shown = 1`);
  if (index) found = found.where(isFew ? index.byTerms : index.alongOrder);
  if (after) found = found.where(sql<boolean>`(${place}, listing.uuid) < (${Number(after.at)}, ${after.uuid})`);
  found = found
    .orderBy(isFew ? sql`${place} + 0` : place, 'desc')
    .orderBy('listing.uuid', 'desc')
    .limit(limit + 1);
  return withFace(db)
    .innerJoin(found.as('chosen'), 'chosen.uuid', 'listing.uuid')
    .orderBy(place, 'desc')
    .orderBy('listing.uuid', 'desc')
    .execute();
}

/** Neither planner can tell how many listings have a term, or what begins with it. */
async function countFound(db: Db, found: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{
    count: number | string;
  }>`select count(*) as count from (${found} limit ${mostFound + 1}) as found`.execute(db);
  return Number(rows[0]?.count ?? 0);
}

/** A `+` before a column keeps an index of it out of the plan: https://www.sqlite.org/optoverview.html#disqualifying_where_clause_terms_using_unary_ */
function ftsOf(wanted: Wanted[]) {
  const match = wanted.map(({ term, isPrefix }) => (isPrefix ? `"${term}" *` : `"${term}"`)).join(' AND ');
  const found = sql`select rowid from listing_keyword where listing_keyword match ${match}`;
  return {
    found,
    byTerms: sql<boolean>`listing.number in (${found})`,
    alongOrder: sql<boolean>`+listing.number in (${found})`,
  };
}

/** On Postgres an expression does the same as that `+`. */
function vectorOf(wanted: Wanted[]) {
  // Terms are letters and digits, so there is nothing in them to be quoted: https://www.postgresql.org/docs/current/datatype-textsearch.html#DATATYPE-TSQUERY
  const text = wanted.map(({ term, isPrefix }) => (isPrefix ? `'${term}':*` : `'${term}'`)).join(' & ');
  const byTerms = sql<boolean>`listing.terms @@ ${text}::tsquery`;
  return {
    found: sql`select 1 from listing where ${byTerms}`,
    byTerms,
    alongOrder: sql<boolean>`(listing.terms || ''::tsvector) @@ ${text}::tsquery`,
  };
}

/** Those that are shown, the oldest first: for lists of addresses that are longer than one file may be. */
export const listAddresses = (db: Db, { limit, offset }: { limit: number; offset: number }) =>
  db
    .selectFrom('listing')
    .select(['bot', 'updated_at'])
    .where(sql<boolean>`shown = 1`)
    .orderBy('listed_at')
    .orderBy('uuid')
    .limit(limit)
    .offset(offset)
    .execute();

export async function countShown(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('listing')
    .select((select) => select.fn.countAll().as('count'))
    .where(sql<boolean>`shown = 1`)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Whether one of these workspaces has a copy of it. */
export const hasCopied = async (trx: Trx, listing: string, workspaces: string[]): Promise<boolean> =>
  (await trx
    .selectFrom('listing_copy')
    .select('workspace')
    .where('listing', '=', listing)
    .where('workspace', 'in', workspaces)
    .executeTakeFirst()) !== undefined;

/** Whether whoever tries it has not done so before; from now on they have. */
export async function takeTry(trx: Trx, listing: string, who: string, day: number | null): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('listing_try')
    .values({ listing, who, day })
    .onConflict((conflict) => conflict.columns(['listing', 'who']).doNothing())
    .executeTakeFirst();
  return (numInsertedOrUpdatedRows ?? 0n) > 0n;
}

export const deleteTriesOf = (trx: Trx, guests: string[]) =>
  guests.length === 0
    ? Promise.resolve()
    : trx.deleteFrom('listing_try').where('who', 'in', guests).where('day', 'is', null).execute();

export const deleteOldTries = (db: Db, before: number) =>
  db.deleteFrom('listing_try').where('day', '<', before).execute();

export async function takeCopy(trx: Trx, listing: string, workspace: string): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('listing_copy')
    .values({ listing, workspace })
    .onConflict((conflict) => conflict.columns(['listing', 'workspace']).doNothing())
    .executeTakeFirst();
  return (numInsertedOrUpdatedRows ?? 0n) > 0n;
}

/** Whether no other copy of the workspace goes on, on whatever node; from now on one does. */
export async function takeCopying(db: Db, workspace: string, leaseMs: number): Promise<boolean> {
  const now = Date.now();
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('copying')
    .values({ workspace, lease_until: now + leaseMs })
    .onConflict((conflict) =>
      conflict
        .column('workspace')
        .doUpdateSet({ lease_until: now + leaseMs })
        .where('copying.lease_until', '<', now),
    )
    .executeTakeFirst();
  return (numInsertedOrUpdatedRows ?? 0n) > 0n;
}

export const renewCopying = (db: Db, workspace: string, leaseMs: number) =>
  db
    .updateTable('copying')
    .set({ lease_until: Date.now() + leaseMs })
    .where('workspace', '=', workspace)
    .execute();

export const endCopying = (db: Db, workspace: string) =>
  db.deleteFrom('copying').where('workspace', '=', workspace).execute();

/** One more try, or one more copy. */
export const countUse = (trx: Trx, uuid: string, what: 'tries' | 'copies') =>
  sql`update listing set ${sql.ref(what)} = ${sql.ref(what)} + 1, popularity = popularity + 1,
    prominence = case when featured is null then popularity + 1 else prominence end where uuid = ${uuid}`.execute(trx);

type OperatedState = (typeof operatedStates)[number];

const withReports = (db: Db | Trx) =>
  withFace(db).select(
    sql<
      number | string
    >`(select count(*) from listing_report where listing_report.listing = listing.uuid and settled_at is null)`.as(
      'reports',
    ),
  );

export type OperatedRow = ListingRow & { reports: number | string };

export const findOperated = (db: Db | Trx, uuid: string): Promise<OperatedRow | undefined> =>
  withReports(db).where('listing.uuid', '=', uuid).executeTakeFirst();

const [waitingFrom, featuredFrom] = [Number.MAX_SAFE_INTEGER, 2 ** 52];

/** What waits for the operator stands first, the longest at the top, then the featured ones in their order, then the last changed. */
export const orderOfOperated = ({ state, featured, updated_at }: StoredListing): number => {
  if (state === 'review') return waitingFrom - updated_at;
  return featured !== null && state === 'listed' ? featuredFrom - featured : updated_at;
};
/** As the index listing_operated has it. */
const operatedOrder = sql<number>`case when listing.state = 'review' then ${sql.lit(waitingFrom)} - listing.updated_at
  when listing.featured is not null and listing.state = 'listed' then ${sql.lit(featuredFrom)} - listing.featured
  else listing.updated_at end`;

export async function listOperated(
  db: Db,
  {
    q,
    state,
    limit,
    after,
  }: { q: string | undefined; state: OperatedState; limit: number; after: Position | undefined },
): Promise<{ rows: OperatedRow[]; total: number | undefined }> {
  const matches: RawBuilder<boolean>[] = [];
  if (q) {
    const like = sql`like ${containing(q)} escape '\\'`;
    const makers = db
      .selectFrom(workspaceNames(db))
      .select('named.uuid')
      .where(sql<boolean>`lower(named.name) ${like}`);
    matches.push(
      sql`(lower(listing.name) ${like} or lower(listing.summary) ${like} or listing.workspace in (${makers}))`,
    );
  }
  if (state === 'featured') matches.push(sql`listing.featured is not null`);
  else if (state === 'reported')
    matches.push(sql`listing.uuid in (select listing from listing_report where settled_at is null)`);
  else if (state !== 'all') matches.push(sql`listing.state = ${state}`);
  let all = db.selectFrom('listing').select(({ fn }) => fn.countAll<number | string>().as('total'));
  let query = withReports(db);
  for (const match of matches) [all, query] = [all.where(match), query.where(match)];
  if (after) query = query.where(sql<boolean>`(${operatedOrder}, listing.uuid) < (${Number(after.at)}, ${after.uuid})`);
  // They are counted with the first page only, since to count reads all.
  const [counted, rows] = await Promise.all([
    after ? undefined : all.executeTakeFirstOrThrow(),
    query
      .orderBy(operatedOrder, 'desc')
      .orderBy('listing.uuid', 'desc')
      .limit(limit + 1)
      .execute(),
  ]);
  return { rows, total: counted && Number(counted.total) };
}

/** How many of a listing nobody has dealt with. */
export const countOpenReports = async (trx: Trx, listing: string): Promise<number> => {
  const { count } = await trx
    .selectFrom('listing_report')
    .select((select) => select.fn.countAll().as('count'))
    .where('listing', '=', listing)
    .where('settled_at', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(count);
};

export const insertReport = (trx: Trx, row: ListingReportTable) =>
  trx.insertInto('listing_report').values(row).execute();

export const updateReport = (trx: Trx, uuid: string, changes: Partial<ListingReportTable>) =>
  trx.updateTable('listing_report').set(changes).where('uuid', '=', uuid).execute();

export const forgetReporters = (db: Db, before: number) =>
  db.updateTable('listing_report').set({ who: '' }).where('who', '!=', '').where('created_at', '<', before).execute();

export const findOpenReport = (trx: Trx, listing: string, who: string) =>
  trx
    .selectFrom('listing_report')
    .select('uuid')
    .where('listing', '=', listing)
    .where('who', '=', who)
    .where('settled_at', 'is', null)
    .executeTakeFirst();

const withListing = (db: Db | Trx) =>
  db
    .selectFrom('listing_report')
    .innerJoin('listing', 'listing.uuid', 'listing_report.listing')
    .selectAll('listing_report')
    .select(['listing.bot', 'listing.name', 'listing.state']);

export type ReportRow = ListingReportTable & Pick<ListingTable, 'bot' | 'name' | 'state'>;

export const findReport = (db: Db | Trx, uuid: string): Promise<ReportRow | undefined> =>
  withListing(db).where('listing_report.uuid', '=', uuid).executeTakeFirst();

export function listReports(
  db: Db,
  { state, limit, after }: { state: 'open' | 'settled'; limit: number; after: Position | undefined },
): Promise<ReportRow[]> {
  let query = withListing(db).where('listing_report.settled_at', state === 'open' ? 'is' : 'is not', null);
  if (after)
    query = query.where(
      sql<boolean>`(listing_report.created_at, listing_report.uuid) < (${Number(after.at)}, ${after.uuid})`,
    );
  return query
    .orderBy('listing_report.created_at', 'desc')
    .orderBy('listing_report.uuid', 'desc')
    .limit(limit + 1)
    .execute();
}

/** Says that a picture is kept, before it is. */
export const insertPicture = (db: Db, word: string) =>
  db
    .insertInto('listing_picture')
    .values({ word, created_at: Date.now() })
    .onConflict((conflict) => conflict.column('word').doUpdateSet({ created_at: Date.now() }))
    .execute();

export const setPicture = (db: Db, uuid: string, picture: string) =>
  db.updateTable('listing').set({ picture }).where('uuid', '=', uuid).execute();

/** Pictures that no listing shows, or no longer. */
export const listStrayPictures = (db: Db, before: number) =>
  db
    .selectFrom('listing_picture')
    .select('word')
    .where('created_at', '<', before)
    .where(sql<boolean>`not exists (select 1 from listing where listing.picture = listing_picture.word)`)
    .limit(500)
    .execute();

export const deletePicture = (db: Db, word: string) =>
  db.deleteFrom('listing_picture').where('word', '=', word).execute();

/** The bots that were taken down, of those that are known by one of these. */
export const listTakenDown = (db: Db | Trx, families: string[]) =>
  db
    .selectFrom('taken_down')
    .select('bot')
    .where((where) => where.or([where('family', 'in', families), where('bot', 'in', families)]))
    .execute();

export const markTakenDown = (trx: Trx, { bot, family, reason }: { bot: string; family: string; reason: string }) =>
  trx
    .insertInto('taken_down')
    .values({ bot, family, reason, created_at: Date.now() })
    .onConflict((conflict) => conflict.column('bot').doUpdateSet({ reason }))
    .execute();

/** Those whose faces were never made. */
export const listFaceless = (db: Db, limit: number): Promise<StoredListing[]> =>
  db.selectFrom('listing').select(columns).where('face', 'is', null).orderBy('uuid').limit(limit).execute();

export const unmarkTakenDown = (trx: Trx, bot: string) => trx.deleteFrom('taken_down').where('bot', '=', bot).execute();
