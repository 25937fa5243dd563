import type { ListingPreview, operatedStates, OperatedListing, Report } from '../../../shared/contracts/explore.ts';
import { AppError } from '../../../shared/errors.ts';
import type { Context } from '../../feature.ts';
import { lockRow, type Db, type Trx } from '../../infra/db.ts';
import type { Caller } from '../../infra/http.ts';
import { momentOf, page, readCursor } from '../../infra/page.ts';
import { momentsOf } from '../../infra/moments.ts';
import { record } from '../audit/audit.ts';
import { findBot, lineageOf } from '../bots/bots.ts';
import { avatarUrl, endPictureAddress } from '../files/files.ts';
import {
  findListing,
  findListingOf,
  findNamedListing,
  findOperated,
  findReport,
  listOperated,
  listReports,
  markTakenDown,
  orderOfOperated,
  unmarkTakenDown,
  updateListing,
  updateReport,
  type OperatedRow,
  type ReportRow,
  type StoredListing,
} from './explore.store.ts';
import { faceOf, saidAtFirst, settle, toLanguages } from './listings.ts';
import { toPublic } from './public.ts';

export async function listOperatedListings(
  { db }: Context,
  query: {
    q?: string | undefined;
    state: (typeof operatedStates)[number];
    limit: number;
    cursor?: string | undefined;
  },
) {
  const { rows, total } = await listOperated(db, {
    q: query.q,
    state: query.state,
    limit: query.limit,
    after: readCursor(query.cursor),
  });
  const shown = page(rows, query.limit, orderOfOperated);
  return {
    data: shown.rows.map(toOperated),
    meta: { nextCursor: shown.nextCursor, ...(total !== undefined && { total }) },
  };
}

/** What the page will show, without its chat: that would be paid by the maker. */
export async function previewListing({ db }: Context, bot: string): Promise<ListingPreview> {
  const row = await findNamedListing(db, bot);
  const source = row && (await findBot(db, row.workspace, bot));
  if (!source || source.version_config === null) throw new AppError('bot-not-found');
  return { ...toPublic(row), state: row.state, ...saidAtFirst(source.version_config), ...momentsOf(row) };
}

/** Above every number of uses: the first place of the row is the highest. */
const featuredFrom = 2 ** 40;

export async function featureListing(
  context: Context,
  caller: Caller,
  uuid: string,
  featured: number | null,
): Promise<OperatedListing> {
  await changeListing(context, uuid, async (trx, row) => {
    const prominence = featured === null ? row.popularity : featuredFrom - featured;
    await updateListing(trx, uuid, { featured, prominence });
    const action = featured === null ? 'listing.unfeatured' : 'listing.featured';
    await record(trx, asOperator(caller), action, row.name, { featured });
  });
  return getOperated(context.db, uuid);
}

/** Only as it was when the operator looked at it. */
export async function approveListing(
  context: Context,
  caller: Caller,
  uuid: string,
  seen: string,
): Promise<OperatedListing> {
  await changeListing(context, uuid, async (trx, row) => {
    if (Date.parse(seen) !== row.updated_at) throw new AppError('conflict');
    await unmarkTakenDown(trx, row.bot);
    await settle(context, trx, {
      ...row,
      state: 'listed',
      reason: null,
      approved: await faceOf(trx, row),
      ...(row.state === 'review' && { listed_at: Date.now() }),
      updated_at: later(row),
    });
    await record(trx, asOperator(caller), 'listing.approved', row.name);
  });
  return getOperated(context.db, uuid);
}

/** Gone at once for everybody; its maker reads why. */
export async function takeDownListing(
  context: Context,
  caller: Caller,
  uuid: string,
  reason: string,
): Promise<OperatedListing> {
  await changeListing(context, uuid, async (trx, row) => {
    const bot = await findBot(trx, row.workspace, row.bot);
    const [family = row.bot] = bot ? lineageOf(bot) : [];
    await markTakenDown(trx, { bot: row.bot, family, reason });
    await endPictureAddress(context, trx, bot?.avatar ?? null);
    await settle(context, trx, { ...row, state: 'taken-down', reason, approved: '', updated_at: later(row) });
    await record(trx, asOperator(caller), 'listing.taken-down', row.name, { reason });
  });
  return getOperated(context.db, uuid);
}

/** Two changes of one moment are two. */
const later = ({ updated_at }: StoredListing) => Math.max(Date.now(), updated_at + 1);

/** Reads a listing under its lock. */
async function changeListing(
  { db }: Context,
  uuid: string,
  change: (trx: Trx, row: StoredListing) => Promise<void>,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await lockRow(trx, 'listing', uuid);
    const found = await findListing(trx, uuid);
    const row = found && (await findListingOf(trx, found.bot));
    if (!row) throw new AppError('listing-not-found');
    await change(trx, row);
  });
}

export async function listListingReports(
  { db }: Context,
  query: { state: 'open' | 'settled'; limit: number; cursor?: string | undefined },
) {
  const rows = await listReports(db, { state: query.state, limit: query.limit, after: readCursor(query.cursor) });
  const shown = page(rows, query.limit, (row) => row.created_at);
  return { data: shown.rows.map(toReport), meta: { nextCursor: shown.nextCursor } };
}

export async function settleReport({ db }: Context, caller: Caller, uuid: string): Promise<Report> {
  return db.transaction().execute(async (trx) => {
    await lockRow(trx, 'listing_report', uuid);
    const row = await findReport(trx, uuid);
    if (!row) throw new AppError('report-not-found');
    if (row.settled_at !== null) return toReport(row);
    const settled_at = Date.now();
    const changes = { settled_at, updated_at: settled_at };
    // Nobody has to know any more where it came from.
    await updateReport(trx, uuid, { ...changes, who: '' });
    await record(trx, asOperator(caller), 'report.settled', row.name);
    return toReport({ ...row, ...changes });
  });
}

/** An operator's action belongs to no workspace. */
const asOperator = ({ user, username, address }: Caller) => ({ user, username, address });

async function getOperated(db: Db, uuid: string): Promise<OperatedListing> {
  const row = await findOperated(db, uuid);
  if (!row) throw new AppError('listing-not-found');
  return toOperated(row);
}

const toOperated = (row: OperatedRow): OperatedListing => ({
  uuid: row.uuid,
  slug: row.slug,
  visibility: row.visibility,
  category: row.category,
  languages: toLanguages(row.languages),
  summary: row.summary,
  copying: row.copying,
  state: row.state,
  reason: row.reason,
  tries: row.tries,
  copies: row.copies,
  createdAt: new Date(row.created_at).toISOString(),
  updatedAt: new Date(row.updated_at).toISOString(),
  bot: {
    uuid: row.bot,
    name: row.name,
    avatar: row.avatar === null ? null : { url: avatarUrl(row.avatar) },
    mark: row.mark,
  },
  workspace: { uuid: row.workspace, name: row.maker },
  featured: row.featured,
  reports: Number(row.reports),
  isHidden: row.hidden === 1,
});

const toReport = (row: ReportRow): Report => ({
  uuid: row.uuid,
  reason: row.reason,
  text: row.text,
  listing: { uuid: row.listing, bot: row.bot, name: row.name, state: row.state },
  ...momentsOf(row),
  settledAt: momentOf(row.settled_at),
});
