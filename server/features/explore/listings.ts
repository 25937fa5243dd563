import type { Locale } from '../../../shared/contracts/accounts.ts';
import type { ExploreMode, Listing } from '../../../shared/contracts/explore.ts';
import { AppError } from '../../../shared/errors.ts';
import type { BodyIn } from '../../../shared/route.ts';
import type { listings } from '../../../shared/contracts/explore.ts';
import type { Context } from '../../feature.ts';
import { lockRow, newId, type Db, type Trx } from '../../infra/db.ts';
import type { Caller } from '../../infra/http.ts';
import { translate } from '../../infra/translate.ts';
import { record } from '../audit/audit.ts';
import { findBot, lockBot, mustFindBot, showBot } from '../bots/bots.ts';
import { switchHidden } from '../connections/connections.ts';
import { readSettings } from '../settings/settings.ts';
import { addPageChannel, changePageChannel, removePageChannel } from '../web-channels/web-channels.ts';
import { isOwnerSuspended, listOwnedWorkspaces } from '../workspaces/memberships.ts';
import {
  channelsOfListings,
  deleteListing,
  findListingOf,
  findTakenDown,
  indexListing,
  insertListing,
  isSlugTaken,
  listListingsIn,
  updateListing,
  type StoredListing,
} from './explore.store.ts';
import { termsOfListing } from './listing-terms.ts';

/** Who may publish for everybody: as the operator says, and unless told everybody where everybody may register. */
export async function modeOf({ config, db }: Pick<Context, 'config'> & { db: Db | Trx }): Promise<ExploreMode> {
  const told = config.declared['EXPLORE'];
  if (told === 'open' || told === 'review' || told === 'off') return told;
  return (await readSettings(db)).registration === 'open' ? 'open' : 'review';
}

/** Whether there is anything for everybody at all. */
export const isOff = ({ config }: Pick<Context, 'config'>): boolean => config.declared['EXPLORE'] === 'off';

export async function getListing(context: Context, caller: Caller, bot: string) {
  await mustFindBot(context, caller, bot);
  const row = await findListingOf(context.db, bot);
  return { listing: row ? toListing(row) : null, mode: await modeOf(context) };
}

type Given = BodyIn<typeof listings.save>;

/** Publishes a bot for who has its address, or for everybody, with the channel of its page; or changes what it shows. */
export async function saveListing(context: Context, caller: Caller, uuid: string, given: Given): Promise<Listing> {
  await mustFindBot(context, caller, uuid);
  const mode = await modeOf(context);
  if (mode === 'off') throw new AppError('explore-off');
  await context.db.transaction().execute(async (trx) => {
    await lockBot(trx, uuid);
    const bot = await findBot(trx, caller.workspace, uuid);
    if (!bot) throw new AppError('bot-not-found');
    if (bot.published_version === null) throw new AppError('bot-not-published');
    const known = await lockListingOf(trx, uuid);
    const changes = {
      visibility: given.visibility,
      category: given.category,
      languages: JSON.stringify([...new Set(given.languages)].toSorted()),
      summary: given.summary,
      copying: given.copying,
      credits_per_day: given.creditsPerDay,
      name: bot.name,
      state: await stateAfter(trx, { mode, bot: uuid, known, given }),
      hidden: (await isOwnerSuspended(trx, caller.workspace)) ? (1 as const) : (0 as const),
    };
    const row = known
      ? { ...known, ...changes, reason: null, updated_at: Math.max(Date.now(), known.updated_at + 1) }
      : await addListing(trx, caller, { ...changes, bot: uuid });
    await settle(context, trx, row);
    await showBot(trx, uuid, row.visibility);
    await record(trx, caller, known ? 'listing.changed' : 'listing.published', bot.name, {
      visibility: row.visibility,
    });
  });
  const saved = await findListingOf(context.db, uuid);
  if (!saved) throw new AppError('listing-not-found');
  return toListing(saved);
}

/** What was taken down waits for the operator wherever it is published again; what is not public needs no review. */
async function stateAfter(
  trx: Trx,
  { mode, bot, known, given }: { mode: ExploreMode; bot: string; known: StoredListing | undefined; given: Given },
): Promise<Listing['state']> {
  if (await findTakenDown(trx, bot)) return 'review';
  if (mode === 'open' || given.visibility === 'link') return 'listed';
  const isApproved = known?.state === 'listed' && known.visibility === 'public' && known.summary === given.summary;
  return isApproved ? 'listed' : 'review';
}

/** Until the transaction ends nobody else changes it. */
async function lockListingOf(trx: Trx, bot: string): Promise<StoredListing | undefined> {
  const known = await findListingOf(trx, bot);
  if (known) await lockRow(trx, 'listing', known.uuid);
  return known && findListingOf(trx, bot);
}

type Fields = Pick<
  StoredListing,
  | 'bot'
  | 'name'
  | 'visibility'
  | 'state'
  | 'category'
  | 'languages'
  | 'summary'
  | 'copying'
  | 'credits_per_day'
  | 'hidden'
>;

async function addListing(trx: Trx, { workspace, locale }: Caller, fields: Fields): Promise<StoredListing> {
  const now = Date.now();
  const uuid = newId();
  const channel = newId();
  const row = await insertListing(trx, {
    ...fields,
    uuid,
    workspace,
    channel,
    slug: await freeSlug(trx, fields.name, uuid),
    reason: null,
    featured: null,
    tries: 0,
    copies: 0,
    popularity: 0,
    prominence: 0,
    listed_at: now,
    picture: null,
    shown: 0,
    created_at: now,
    updated_at: now,
  });
  await addPageChannel(trx, {
    uuid: channel,
    workspace,
    listing: uuid,
    bot: fields.bot,
    name: translate(locale, 'explore-server:channel'),
    creditsPerDay: fields.credits_per_day,
    active: 0,
  });
  return row;
}

/** Of the Latin letters of a name, or of an id; with a part of the id where it is taken. */
async function freeSlug(trx: Trx, name: string, uuid: string): Promise<string> {
  const words = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}+/gu, '')
    .match(/[a-z0-9]+/g);
  const plain = words?.join('-').slice(0, 30).replace(/-+$/, '') ?? '';
  const tail = uuid.replaceAll('-', '').slice(-12);
  if (plain.length < 3) return `bot-${tail}`;
  return (await isSlugTaken(trx, plain)) ? `${plain}-${tail}` : plain;
}

/** Writes a listing down, and lets lists and its channel follow: the one way in which anything of it changes. */
export async function settle(context: Context, trx: Trx, row: StoredListing): Promise<void> {
  const isOpen = row.state === 'listed' && row.hidden === 0;
  const isShown = isOpen && row.visibility === 'public';
  const { number, uuid, tries: _, copies: __, popularity: ___, prominence: ____, ...changes } = row;
  await updateListing(trx, uuid, { ...changes, shown: isShown ? 1 : 0 });
  const texts = [row.name, row.summary];
  await indexListing(
    trx,
    context.engine,
    { uuid, number },
    isShown ? termsOfListing({ texts, category: row.category, languages: toLanguages(row.languages) }) : [],
  );
  await changePageChannel(trx, row.channel, {
    creditsPerDay: row.credits_per_day,
    active: isOpen && !isOff(context) ? 1 : 0,
  });
}

/** Its page, its picture and its chat are gone with the transaction; open streams look again within a second. */
export async function withdrawBot(_: Context, trx: Trx, bot: string): Promise<void> {
  const row = await lockListingOf(trx, bot);
  if (!row) return;
  await removePageChannel(trx, row.channel);
  await deleteListing(trx, row.uuid);
}

export async function removeListing(context: Context, caller: Caller, uuid: string): Promise<void> {
  await mustFindBot(context, caller, uuid);
  await context.db.transaction().execute(async (trx) => {
    await lockBot(trx, uuid);
    const bot = await findBot(trx, caller.workspace, uuid);
    if (!bot || !(await findListingOf(trx, uuid))) throw new AppError('listing-not-found');
    await withdrawBot(context, trx, uuid);
    await showBot(trx, uuid, 'workspace');
    await record(trx, caller, 'listing.removed', bot.name);
  });
}

/** A name that nobody has looked at is not shown where the operator wants to look first. */
export async function renameBot(context: Context, trx: Trx, { uuid, name }: { uuid: string; name: string }) {
  const row = await lockListingOf(trx, uuid);
  if (!row) return;
  const needsReview =
    row.state === 'listed' && row.visibility === 'public' && (await modeOf({ ...context, db: trx })) === 'review';
  await settle(context, trx, {
    ...row,
    name,
    state: needsReview ? 'review' : row.state,
    updated_at: Math.max(Date.now(), row.updated_at + 1),
  });
}

/** What a suspended person's workspaces show to everybody is not seen for as long as that lasts. */
export async function hideListings(
  context: Context,
  trx: Trx,
  { user, suspended }: { user: string; suspended: boolean },
): Promise<void> {
  const owned = (await listOwnedWorkspaces(trx, user)).map(({ uuid }) => uuid);
  for (const { bot } of await listListingsIn(trx, owned)) {
    const row = await lockListingOf(trx, bot);
    if (row) await settle(context, trx, { ...row, hidden: suspended ? 1 : 0 });
  }
}

/** The operator may have switched Explore off, or on again, since the last start. */
export async function followMode(context: Context): Promise<void> {
  if (isOff(context)) await switchHidden(context.db, channelsOfListings(context.db, { onlyOpen: false }), 0);
  else await switchHidden(context.db, channelsOfListings(context.db, { onlyOpen: true }), 1);
}

/** A border: written by us only. */
export const toLanguages = (text: string): Locale[] => JSON.parse(text);

export const toListing = (row: StoredListing): Listing => ({
  uuid: row.uuid,
  slug: row.slug,
  visibility: row.visibility,
  category: row.category,
  languages: toLanguages(row.languages),
  summary: row.summary,
  copying: row.copying,
  creditsPerDay: row.credits_per_day,
  state: row.state,
  reason: row.reason,
  tries: row.tries,
  copies: row.copies,
  createdAt: new Date(row.created_at).toISOString(),
  updatedAt: new Date(row.updated_at).toISOString(),
});
