import { createHmac } from 'node:crypto';
import type { Locale } from '../../../shared/contracts/accounts.ts';
import type { Category, orders, PublicBot, PublicBotPage, reportReasons } from '../../../shared/contracts/explore.ts';
import { AppError } from '../../../shared/errors.ts';
import type { Context } from '../../feature.ts';
import { lockRow, newId, type Trx } from '../../infra/db.ts';
import type { Caller } from '../../infra/http.ts';
import { page, readCursor } from '../../infra/page.ts';
import { createBot, findBot, lineageOf, lineageOfCopy } from '../bots/bots.ts';
import { toConfig } from '../bots/config.ts';
import { avatarUrl, keepAvatar, readAvatar } from '../files/files.ts';
import { prepareCopy } from '../knowledge/copies.ts';
import { openGrantKey } from '../usage/grants.ts';
import { listMemberships } from '../workspaces/memberships.ts';
import {
  countUse,
  deleteOldTries,
  endCopying,
  findListing,
  findNamedListing,
  findOpenReport,
  forgetReporters,
  hasCopied,
  countOpenReports,
  insertReport,
  listShown,
  renewCopying,
  takeCopy,
  takeCopying,
  takeTry,
  updateReport,
  type ListingRow,
} from './explore.store.ts';
import { isOff, saidAtFirst, toLanguages } from './listings.ts';
import { wantedTerms } from './listing-terms.ts';

interface Asked {
  q?: string | undefined;
  category?: Category | undefined;
  language?: Locale | undefined;
  copying?: 'knowledge' | undefined;
  sort: (typeof orders)[number];
  limit: number;
  cursor?: string | undefined;
}

/** What everybody may find. Words without a letter in them find nothing. */
export async function listPublicBots(
  context: Context,
  caller: Caller | undefined,
  { sort, limit, cursor, ...asked }: Asked,
) {
  const wanted = isOff(context) ? undefined : wantedTerms(asked);
  const after = readCursor(cursor);
  const rows = wanted ? await listShown(context.db, context.engine, { wanted, sort, limit, after }) : [];
  const shown = page(rows, limit, ({ prominence, popularity, listed_at }) =>
    sort === 'featured' ? prominence : sort === 'popular' ? popularity : listed_at,
  );
  const homes = await homesOf(context, caller);
  return { data: shown.rows.map((row) => toPublic(row, homes)), meta: { nextCursor: shown.nextCursor } };
}

/** One that anybody may see who knows its bot or its name in addresses. */
export async function findOpenListing(context: Context, name: string): Promise<ListingRow | undefined> {
  const row = isOff(context) ? undefined : await findNamedListing(context.db, name);
  return row && isOpen(row) ? row : undefined;
}

/** The same. Throws `bot-not-found`. */
export async function mustFindOpenListing(context: Context, name: string): Promise<ListingRow> {
  const row = await findOpenListing(context, name);
  if (!row) throw new AppError('bot-not-found');
  return row;
}

const isOpen = ({ state, hidden }: ListingRow) => state === 'listed' && hidden === 0;

/** Where whoever asks is a member; a key tells only of the workspace that it is for. */
async function homesOf({ db }: Context, caller: Caller | undefined): Promise<string[]> {
  if (!caller) return [];
  return caller.key ? [caller.workspace] : (await listMemberships(db, { user: caller.user })).map(({ uuid }) => uuid);
}

/** Nothing else of a listing, its bot or its workspace is told to strangers. */
export const toPublic = (row: ListingRow, homes: string[] = []): PublicBot => ({
  uuid: row.bot,
  listing: row.uuid,
  slug: row.slug,
  name: row.name,
  summary: row.summary,
  avatar: row.avatar === null ? null : { url: avatarUrl(row.avatar) },
  mark: row.mark,
  category: row.category,
  languages: toLanguages(row.languages),
  maker: row.maker,
  copying: row.copying,
  tries: row.tries,
  copies: row.copies,
  isFeatured: row.featured !== null && row.shown === 1,
  own: homes.includes(row.workspace) ? row.workspace : null,
});

export async function getPublicBot(context: Context, caller: Caller | undefined, name: string): Promise<PublicBotPage> {
  const row = await mustFindOpenListing(context, name);
  const [homes, source] = await Promise.all([homesOf(context, caller), findBot(context.db, row.workspace, row.bot)]);
  return {
    ...toPublic(row, homes),
    visibility: row.visibility,
    channel: row.channel,
    greeting: source?.version_config == null ? '' : saidAtFirst(source.version_config).greeting,
  };
}

/** From one address there is in a day one open report of a bot, with what was said last. */
const mostReports = 500;

export async function reportBot(
  context: Context,
  name: string,
  {
    reason,
    text = '',
    address,
  }: { reason: (typeof reportReasons)[number]; text?: string | undefined; address: string },
): Promise<void> {
  const { uuid: listing } = await mustFindOpenListing(context, name);
  const who = await wordOf(context, `${listing} ${address}`);
  const now = Date.now();
  await context.db.transaction().execute(async (trx) => {
    await lockRow(trx, 'listing', listing);
    const open = await findOpenReport(trx, listing, who);
    if (open) await updateReport(trx, open.uuid, { reason, text, updated_at: now });
    // Whoever deals with a bot has read enough of it by then.
    else if ((await countOpenReports(trx, listing)) < mostReports)
      await insertReport(trx, {
        uuid: newId(),
        listing,
        who,
        reason,
        text,
        settled_at: null,
        created_at: now,
        updated_at: now,
      });
  });
}

/** Under a key of the installation: there are so few addresses that whoever reads a bare hash of one can try them all. */
const wordOf = async (context: Context, text: string): Promise<string> =>
  createHmac('sha256', await openGrantKey(context, context.db))
    .update(text)
    .digest('hex');

const dayMs = 86_400_000;
const today = () => Math.floor(Date.now() / dayMs);

/** A visitor counts once, and of one address nobody twice in a day. */
export async function countTry(
  context: Context,
  { listing, guest, address }: { listing: string; guest: string; address: string },
): Promise<void> {
  const day = today();
  const who = await wordOf(context, `${listing} ${day} ${address}`);
  await context.db.transaction().execute(async (trx) => {
    if (!(await takeTry(trx, listing, guest, null))) return;
    if (await takeTry(trx, listing, who, day)) await countUse(trx, listing, 'tries');
  });
}

/** Addresses are forgotten after the day that they count for, and those of reports a day after them. */
export async function forgetAddresses({ db }: Context, now = Date.now()): Promise<void> {
  await deleteOldTries(db, Math.floor(now / dayMs));
  await forgetReporters(db, now - dayMs);
}

const leaseMs = 60_000;

/**
 * Copies a public bot. A workspace copies one at a time, on whatever node: pressed twice it is copied once, and nobody fills the line that
 * all wait in. Where its process is killed, the next may begin a minute later. Throws `copy-busy`.
 */
export async function copyListing(context: Context, caller: Caller, uuid: string) {
  const { db, log } = context;
  const { workspace } = caller;
  if (!(await takeCopying(db, workspace, leaseMs))) throw new AppError('copy-busy', {}, { retryAfterSeconds: 5 });
  const warn = (err: unknown) => log.warn({ err, workspace }, 'the lease of a copy could not be renewed or ended');
  const renewal = setInterval(() => void renewCopying(db, workspace, leaseMs).catch(warn), leaseMs / 4);
  try {
    return await copyAlone(context, caller, uuid);
  } finally {
    clearInterval(renewal);
    await endCopying(db, workspace).catch(warn);
  }
}

/**
 * A bot of the caller's own, as the public one was published: how it speaks and looks, and where its maker lets others have them, its
 * documents as they are now. Its tools, people to reach and whatever else could be somebody's alone stay behind. All of it comes in one
 * transaction. Throws `listing-not-found`, `not-allowed` where its maker lets nobody, `conflict` where either is changed meanwhile, and
 * what `prepareCopy` does.
 */
async function copyAlone(context: Context, caller: Caller, uuid: string) {
  const row = isOff(context) ? undefined : await findListing(context.db, uuid);
  if (!row || !isOpen(row)) throw new AppError('listing-not-found');
  if (row.copying === 'none') throw new AppError('not-allowed');
  const source = await findBot(context.db, row.workspace, row.bot);
  if (!source || source.version_config === null) throw new AppError('listing-not-found');
  const config = toConfig(source.version_config);
  const isThere = (await context.models.find(caller.workspace, config.service)) !== undefined;
  const { instructions, variables, parameters, greeting, starters, followUps, refusal } = config;
  const { language, guardrails, appearance, knowledges, retrieval } = config;
  const theirs = (await listMemberships(context.db, { user: caller.user })).map((each) => each.uuid);
  const prepared =
    row.copying === 'knowledge'
      ? await prepareCopy(context, caller, { workspace: row.workspace, knowledges })
      : undefined;
  try {
    const bot = await createBot(
      context,
      caller,
      {
        name: row.name,
        description: row.summary,
        avatar: row.avatar === null ? null : await copyAvatar(context, caller, row.avatar),
        ...(isThere && { service: config.service }),
        instructions,
        variables,
        parameters,
        greeting,
        starters,
        followUps,
        refusal,
        language,
        guardrails,
        appearance,
      },
      {
        lineage: lineageOfCopy(lineageOf(source), { isOwn: caller.workspace === row.workspace }),
        async within(trx) {
          const came = prepared && { ...(await prepared.write(trx)), retrieval };
          // Visitors, reports and take-downs wait for the listing from here on, so all that takes long comes before.
          await mustStillGive(trx, row, source.published_version);
          // Whoever copies their own makes nobody more of a maker, and a person is one, however many workspaces they have.
          if (!theirs.includes(row.workspace)) {
            const isNew = !(await hasCopied(trx, uuid, theirs));
            if ((await takeCopy(trx, uuid, caller.workspace)) && isNew) await countUse(trx, uuid, 'copies');
          }
          return came ?? {};
        },
      },
    );
    const { name, createdAt, updatedAt } = bot;
    return { uuid: bot.uuid, name, knowledge: prepared?.told ?? null, createdAt, updatedAt };
  } catch (error) {
    await prepared?.undo();
    throw error;
  }
}

/** Until the transaction ends nobody takes it away or allows less. */
async function mustStillGive(trx: Trx, read: ListingRow, version: string | null): Promise<void> {
  await lockRow(trx, 'listing', read.uuid);
  const row = await findListing(trx, read.uuid);
  if (!row || !isOpen(row)) throw new AppError('listing-not-found');
  const source = await findBot(trx, row.workspace, row.bot);
  if (row.copying !== read.copying || source?.published_version !== version) throw new AppError('conflict');
}

/** The copy has its mark where there is no room for the picture. */
async function copyAvatar(context: Context, { workspace, user }: Caller, uuid: string): Promise<string | null> {
  try {
    const bytes = Buffer.concat(await (await readAvatar(context, uuid)).toArray());
    return (await keepAvatar(context, { workspace, user }, bytes)).uuid;
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}
