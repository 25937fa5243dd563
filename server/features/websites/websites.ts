import type { CrawlChanges, Looked, Website } from '../../../shared/contracts/websites.ts';
import { usualCrawl } from '../../../shared/contracts/websites.ts';
import { AppError } from '../../../shared/errors.ts';
import type { Context } from '../../feature.ts';
import { inBatches, lockRow, newId, type Db, type Trx } from '../../infra/db.ts';
import type { Caller } from '../../infra/http.ts';
import { limit } from '../../infra/limits.ts';
import { page, readCursor } from '../../infra/page.ts';
import { record } from '../audit/audit.ts';
import { withdrawFetched } from '../knowledge/fetched.ts';
import { mustFindKnowledge } from '../knowledge/knowledge.ts';
import { parseFile } from '../knowledge/parse-file.ts';
import { findRobots, mustBeAllowed, reasonOf } from '../knowledge/web-page.ts';
import { isWithin, normalize, pathOf } from '../knowledge/addresses.ts';
import { addCrawl, announce } from './crawl.ts';
import { fetchPage, NotFetched } from '../knowledge/fetch-page.ts';
import { findMapped } from './maps.ts';
import { nextAt, settingsOf, toChange, toPage, toWebsite } from './shown.ts';
import {
  countWebsites,
  deleteChangesBefore,
  deleteWebsite,
  findAnyWebsite,
  findWebsite,
  insertWebsite,
  listChanges,
  listDue,
  listPageDocuments,
  listPages,
  listWebsites,
  moveRun,
  updateWebsite,
  type WebsiteRow,
} from './websites.store.ts';
import type { WebsitePageTable } from './websites.tables.ts';

export const lookLimit = limit('website-looks', 30, 60, 'looks at websites, by person');

const excerptLength = 300;
const lookMs = 20_000;
const mostLookedBytes = 10 * 1024 * 1024;
const changesKeptMs = 30 * 86_400_000;

/** What an address holds, before anything is kept of it. Throws `validation-failed` for one that may not be called. */
export async function lookAt(context: Context, caller: Caller, typed: string, gone: AbortSignal): Promise<Looked> {
  await context.limits.take(lookLimit, caller.user);
  const first = await mustBeAllowed(context.outbound, typed);
  const signal = AbortSignal.any([gone, AbortSignal.timeout(lookMs)]);
  const found: Looked = { url: first, title: '', excerpt: '', links: 0, mapped: null, reason: null };
  try {
    const robots = await findRobots(context.outbound, first, signal);
    if (!robots.allows(pathOf(first))) return { ...found, reason: 'robots' };
    const map = await findMapped(context.outbound, first, robots, signal, 3);
    const mapped = map.hasMap ? map.pages.length : null;
    if (map.isMap) return { ...found, mapped };
    const visit = await fetchPage(context.outbound, first, { mostBytes: mostLookedBytes, signal, follows: () => true });
    const url = normalize(visit.url) ?? first;
    const { document } = await parseFile({
      file: visit.bytes ?? Buffer.alloc(0),
      extension: 'html',
      turn: { tenant: caller.workspace },
      isPreview: true,
      signal,
    });
    const links = new Set(
      (document.page?.links ?? []).flatMap((link) => {
        const to = normalize(link, visit.url);
        return to && isWithin(to, url) && to !== url ? [to] : [];
      }),
    );
    const excerpt = document.blocks
      .filter(({ kind }) => kind !== 'heading')
      .map(({ text }) => text)
      .join(' ')
      .slice(0, excerptLength)
      .toWellFormed();
    return { url, title: document.title ?? '', excerpt, links: links.size, mapped, reason: null };
  } catch (error) {
    if (gone.aborted) throw error;
    if (signal.aborted) return { ...found, reason: 'slow' };
    return { ...found, reason: error instanceof NotFetched ? error.reason : reasonOf(error) };
  }
}

/** Of a workspace. */
const mostWebsites = 100;

export async function createWebsite(
  context: Context,
  caller: Caller,
  knowledge: string,
  { url: typed, settings }: { url: string; settings: CrawlChanges },
): Promise<Website> {
  const base = await mustFindKnowledge(context.db, caller, knowledge);
  const url = await mustBeAllowed(context.outbound, typed);
  const now = Date.now();
  const uuid = newId();
  await context.db.transaction().execute(async (trx) => {
    if ((await countWebsites(trx, caller.workspace)) >= mostWebsites)
      throw new AppError('too-many', { limit: mostWebsites });
    await insertWebsite(trx, {
      uuid,
      knowledge,
      user: caller.user,
      url,
      title: '',
      settings: JSON.stringify({ ...usualCrawl, ...settings }),
      state: 'crawling',
      reason: null,
      run: 1,
      is_cut: 0,
      shared: '[]',
      everywhere: null,
      crawled_at: null,
      next_at: null,
      created_at: now,
      updated_at: now,
    });
    await addCrawl(context, trx, { uuid, workspace: caller.workspace }, { run: 1 });
    await record(trx, caller, 'website.added', base.name, { website: uuid });
  });
  context.queue.wake();
  return getWebsite(context, caller, uuid);
}

async function mustFind(
  context: Context,
  caller: Caller,
  uuid: string,
  db: Db | Trx = context.db,
): Promise<WebsiteRow> {
  const site = await findWebsite(db, caller.workspace, uuid);
  if (!site) throw new AppError('website-not-found');
  return site;
}

export const getWebsite = async (context: Context, caller: Caller, uuid: string): Promise<Website> =>
  toWebsite(context.db, await mustFind(context, caller, uuid));

interface ListQuery {
  q?: string | undefined;
  limit: number;
  cursor?: string | undefined;
}

export async function listOwnWebsites(context: Context, caller: Caller, knowledge: string, query: ListQuery) {
  await mustFindKnowledge(context.db, caller, knowledge);
  const rows = await listWebsites(context.db, knowledge, { ...query, after: readCursor(query.cursor) });
  const shown = page(rows, query.limit, ({ created_at }) => created_at);
  return {
    data: await Promise.all(shown.rows.map((row) => toWebsite(context.db, row))),
    meta: { nextCursor: shown.nextCursor },
  };
}

export async function listOwnPages(
  context: Context,
  caller: Caller,
  uuid: string,
  query: ListQuery & { state?: WebsitePageTable['state'] | undefined },
) {
  const site = await mustFind(context, caller, uuid);
  const rows = await listPages(context.db, site.uuid, { ...query, after: readCursor(query.cursor) });
  const shown = page(rows, query.limit, ({ created_at }) => created_at);
  return { data: shown.rows.map(toPage), meta: { nextCursor: shown.nextCursor } };
}

export async function listOwnChanges(context: Context, caller: Caller, uuid: string, query: ListQuery) {
  const site = await mustFind(context, caller, uuid);
  const rows = await listChanges(context.db, site.uuid, { ...query, after: readCursor(query.cursor) });
  const shown = page(rows, query.limit, ({ created_at }) => created_at);
  return { data: shown.rows.map(toChange), meta: { nextCursor: shown.nextCursor } };
}

export async function updateOwnWebsite(
  context: Context,
  caller: Caller,
  uuid: string,
  changes: CrawlChanges,
): Promise<Website> {
  const site = await mustFind(context, caller, uuid);
  const before = settingsOf(site);
  const settings = settingsOf({ settings: JSON.stringify({ ...before, ...changes }) });
  await updateWebsite(context.db, uuid, {
    settings: JSON.stringify(settings),
    ...(settings.schedule !== before.schedule && { next_at: nextAt(settings, site.crawled_at ?? undefined) }),
  });
  return getWebsite(context, caller, uuid);
}

/** Forgets a website. Its documents go to the trash, from where each can be restored. */
export async function removeWebsite(context: Context, caller: Caller, uuid: string): Promise<void> {
  await stopCrawl(context, caller, uuid);
  // A few at a time; the website is known until all are gone, so that what is cut off can be done again.
  const gone = new Set(await listPageDocuments(context.db, uuid));
  for (const batch of inBatches([...gone]))
    await context.db.transaction().execute(async (trx) => {
      for (const document of batch) await withdrawFetched(trx, document, caller.user);
    });
  await context.db.transaction().execute(async (trx) => {
    await lockRow(trx, 'website', uuid);
    const { everywhere } = await mustFind(context, caller, uuid, trx);
    const left = (await listPageDocuments(trx, uuid)).filter((document) => !gone.has(document));
    for (const document of [...left, ...(everywhere ? [everywhere] : [])])
      await withdrawFetched(trx, document, caller.user);
    await deleteWebsite(trx, uuid);
    await record(trx, caller, 'website.removed', '', { website: uuid });
  });
}

/** Visits a website anew. One that was stopped goes on where it was, and one that is being visited is left alone. */
export async function crawlAgain(context: Context, caller: Caller, uuid: string): Promise<Website> {
  await mustFind(context, caller, uuid);
  await begin(context, uuid);
  return getWebsite(context, caller, uuid);
}

async function begin(context: Context, uuid: string): Promise<void> {
  await context.db.transaction().execute(async (trx: Trx) => {
    await lockRow(trx, 'website', uuid);
    const site = await findAnyWebsite(trx, uuid);
    if (!site || site.state === 'crawling') return;
    const run = site.run + 1;
    const goesOn = site.state === 'stopped';
    if (goesOn) await moveRun(trx, site, run);
    await updateWebsite(trx, uuid, { run, state: 'crawling', reason: null, is_cut: 0, next_at: null });
    await addCrawl(context, trx, site, { run });
  });
  context.queue.wake();
  await announce(context, uuid);
}

export async function stopCrawl(context: Context, caller: Caller, uuid: string): Promise<Website> {
  await mustFind(context, caller, uuid);
  await context.db.transaction().execute(async (trx) => {
    await lockRow(trx, 'website', uuid);
    const site = await findAnyWebsite(trx, uuid);
    if (site?.state === 'crawling') await updateWebsite(trx, uuid, { state: 'stopped' });
  });
  await announce(context, uuid);
  return getWebsite(context, caller, uuid);
}

/** Begins what is due. */
export async function crawlDue(context: Context): Promise<void> {
  for (const { uuid } of await listDue(context.db, Date.now())) await begin(context, uuid);
}

export const forgetChanges = (context: Context) => deleteChangesBefore(context.db, Date.now() - changesKeptMs);
