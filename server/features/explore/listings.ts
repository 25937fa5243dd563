import { createHash } from 'node:crypto';
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
import { findBot, lineageOf, lockBot, longestLineage, mustFindBot, showBot, showInside } from '../bots/bots.ts';
import { toConfig } from '../bots/config.ts';
import { switchHidden } from '../connections/connections.ts';
import { digestOfPicture, endPictureAddress } from '../files/files.ts';
import { readSettings } from '../settings/settings.ts';
import { addPageChannel, changePageChannel, removePageChannel } from '../web-channels/web-channels.ts';
import { fillVariables } from '../../../shared/fill-variables.ts';
import { findWorkspaceName, isOwnerSuspended, listOwnedWorkspaces } from '../workspaces/memberships.ts';
import {
  channelsOfListings,
  deleteListing,
  findListingOf,
  indexListing,
  insertListing,
  isSlugTaken,
  listFaceless,
  listListingsIn,
  listTakenDown,
  updateListing,
  type StoredListing,
} from './explore.store.ts';
import { termsOfListing } from './listing-terms.ts';
import { trimEnd } from '../../../shared/text.ts';

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
    const seen = known ? toListing(known).updatedAt : null;
    if (given.seen !== undefined && given.seen !== seen) throw new AppError('conflict');
    const changes = {
      visibility: given.visibility,
      category: given.category,
      languages: JSON.stringify([...new Set(given.languages)].toSorted()),
      summary: given.summary,
      copying: given.copying,
      credits_per_day: given.creditsPerDay,
      name: bot.name,
      state: await stateAfter(trx, { bot, known, visibility: given.visibility }),
      hidden: (await isOwnerSuspended(trx, caller.workspace)) ? (1 as const) : (0 as const),
    };
    const row = known
      ? { ...known, ...changes, reason: null, updated_at: Math.max(Date.now(), known.updated_at + 1) }
      : await addListing(trx, caller, { ...changes, bot: uuid });
    await settle(context, trx, row);
    await showBot(trx, uuid, { visibility: row.visibility });
    await record(trx, caller, known ? 'listing.changed' : 'listing.published', bot.name, {
      visibility: row.visibility,
    });
  });
  const saved = await findListingOf(context.db, uuid);
  if (!saved) throw new AppError('listing-not-found');
  return toListing(saved);
}

/** What was taken down waits for the operator wherever it is published again, and so does what was copied from it. */
async function stateAfter(
  trx: Trx,
  {
    bot,
    known,
    visibility,
  }: {
    bot: { uuid: string; lineage: string | null };
    known: StoredListing | undefined;
    visibility: Listing['visibility'];
  },
): Promise<Listing['state']> {
  const lineage = lineageOf(bot);
  const down = await listTakenDown(trx, lineage);
  // Among those that are not known any more may be one that was taken down.
  const isUnsure = lineage.length >= longestLineage;
  // One that stayed when its like was taken down is one that the operator let be.
  const mayStay =
    known?.state === 'listed' &&
    (known.visibility === 'public' || visibility === 'link') &&
    !down.some((each) => each.bot === bot.uuid);
  return (down.length === 0 && !isUnsure) || mayStay ? 'listed' : 'review';
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
    face: '',
    approved: '',
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
  const plain = trimEnd(words?.join('-').slice(0, 30) ?? '', '-');
  const tail = uuid.replaceAll('-', '').slice(-12);
  if (plain.length < 3) return `bot-${tail}`;
  return (await isSlugTaken(trx, plain)) ? `${plain}-${tail}` : plain;
}

/** Writes a listing down, and lets lists and its channel follow: the one way in which anything of it changes. */
export async function settle(context: Context, trx: Trx, given: StoredListing): Promise<void> {
  const row = await look(context, trx, given);
  const isOpen = row.state === 'listed' && row.hidden === 0;
  const isShown = isOpen && row.visibility === 'public';
  const { number, uuid, tries: _, copies: __, popularity: ___, prominence: ____, ...changes } = row;
  await updateListing(trx, uuid, { ...changes, shown: isShown ? 1 : 0 });
  const { category, copying } = row;
  const texts = [row.name, row.summary];
  await indexListing(
    trx,
    context.engine,
    { uuid, number },
    isShown ? termsOfListing({ texts, category, languages: toLanguages(row.languages), copying }) : [],
  );
  await changePageChannel(trx, row.channel, {
    creditsPerDay: row.credits_per_day,
    active: isOpen && !isOff(context) ? 1 : 0,
  });
}

/** Its page, its picture and its chat are gone with the transaction; open streams look again within a second. */
export async function withdrawBot(context: Context, trx: Trx, bot: string): Promise<void> {
  const row = await lockListingOf(trx, bot);
  if (!row) return;
  await endPictureAddress(context, trx, (await findBot(trx, row.workspace, bot))?.avatar ?? null);
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
    await showInside(trx, uuid);
    await record(trx, caller, 'listing.removed', bot.name);
  });
}

/** Where the operator wants to look first, nothing is shown that is not as it was when they looked: what differs waits again. */
async function look(context: Context, trx: Trx, row: StoredListing): Promise<StoredListing> {
  const name = (await findBot(trx, row.workspace, row.bot))?.name ?? row.name;
  const face = await faceOf(trx, row);
  if (row.visibility !== 'public' || row.state === 'taken-down') return { ...row, name, face };
  const mode = await modeOf({ ...context, db: trx });
  if (mode === 'review') return { ...row, name, face, state: row.approved === face ? 'listed' : 'review' };
  return { ...row, name, face, approved: mode === 'open' && row.state === 'listed' ? face : row.approved };
}

/** A digest of all that list, page, its chat and the share picture show of a bot, as far as its makers decide it. */
export async function faceOf(
  trx: Trx,
  {
    bot,
    workspace,
    summary,
    category,
    languages,
  }: Pick<StoredListing, 'bot' | 'workspace' | 'summary' | 'category' | 'languages'>,
): Promise<string> {
  const source = await findBot(trx, workspace, bot);
  const maker = await findWorkspaceName(trx, workspace);
  const said = source?.version_config == null ? null : saidAtFirst(source.version_config);
  const picture = await digestOfPicture(trx, source?.avatar ?? null);
  return createHash('sha256')
    .update(JSON.stringify([source?.name, picture, maker, summary, category, languages, said]))
    .digest('hex');
}

/** What a bot says and offers before anybody has asked anything, and offers after an answer. */
export function saidAtFirst(text: string) {
  const { greeting, starters, followUps, variables } = toConfig(text);
  const fill = (each: string) => fillVariables(each, variables);
  return { greeting: fill(greeting), starters: starters.map(fill), followUps: followUps.map(fill) };
}

/** A bot shows something else of itself, or all of a workspace do. */
export async function changeFace(
  context: Context,
  trx: Trx,
  of: { bot: string } | { workspace: string },
): Promise<void> {
  const bots = 'bot' in of ? [of.bot] : (await listListingsIn(trx, [of.workspace])).map(({ bot }) => bot);
  for (const bot of bots) {
    const row = await lockListingOf(trx, bot);
    if (!row || (await faceOf(trx, row)) === row.face) continue;
    await settle(context, trx, { ...row, updated_at: Math.max(Date.now(), row.updated_at + 1) });
  }
}

const faceBatch = 100;

/** Of listings that were made before their faces were known, what is public now counts as looked at. */
export async function makeFaces(context: Context): Promise<void> {
  for (;;) {
    const rows = await listFaceless(context.db, faceBatch);
    if (rows.length === 0) return;
    await context.db.transaction().execute(async (trx) => {
      for (const { bot } of rows) {
        const row = await lockListingOf(trx, bot);
        if (row?.face !== null) continue;
        const isApproved = row.state === 'listed' && row.visibility === 'public';
        await settle(context, trx, { ...row, approved: isApproved ? await faceOf(trx, row) : '' });
      }
    });
  }
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
    if (!row) continue;
    if (suspended) await endPictureAddress(context, trx, (await findBot(trx, row.workspace, bot))?.avatar ?? null);
    await settle(context, trx, { ...row, hidden: suspended ? 1 : 0 });
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
