import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { websiteChanged, type PageReason } from '../../../shared/contracts/websites.ts';
import type { Context } from '../../feature.ts';
import { newId, type Trx } from '../../infra/db.ts';
import { jobKind, type JobHandler, type JobRun } from '../../infra/queue.ts';
import { withoutMarks } from '../../providers/parsers/detect.ts';
import type { ParsedDocument } from '../../providers/parsers/parser.ts';
import { isFull } from '../files/files.ts';
import { blockKey } from '../knowledge/block-key.ts';
import { keepFetched, readFetched, withdrawFetched } from '../knowledge/fetched.ts';
import { openReader } from '../knowledge/parse-file.ts';
import { extensionOf, findRobots, mostBytesOf, nameOf, reasonOf } from '../knowledge/web-page.ts';
import { isChosen, isWithin, normalize, pathOf } from '../knowledge/addresses.ts';
import { differenceOf } from './difference.ts';
import { fetchPage, NotFetched, type Visit } from '../knowledge/fetch-page.ts';
import { findMapped } from './maps.ts';
import type { Robots } from '../knowledge/robots.ts';
import { settle } from './settle.ts';
import { sharedBlocks } from './shared-blocks.ts';
import { nextAt, settingsOf, toWebsite } from './shown.ts';
import {
  countAllPages,
  findAnyWebsite,
  findPageWith,
  insertChange,
  insertPages,
  listKnownHashes,
  listNextPages,
  mustGoOn,
  NoLonger,
  updatePage,
  updateWebsite,
  type WebsiteRow,
} from './websites.store.ts';
import type { WebsitePageTable } from './websites.tables.ts';

export interface CrawlJob {
  website: string;
  run: number;
  /** The first page and the site map are known. */
  isBegun?: boolean;
  /** All pages have been come to. */
  isVisited?: boolean;
  /** How often in a row the server has asked to wait. */
  refusals?: number;
}

/** A website is visited by one job after another, each for some minutes: what was found stays in the database. */
export const crawlKind = jobKind<CrawlJob>({
  name: 'websites.crawl',
  lane: 'websites',
  timeoutMs: 10 * 60_000,
  maxAttempts: 5,
});
const sliceMs = 3 * 60_000;
/** Until documents that are being read are looked at again. */
const settleMs = 1_000;

const atOnce = 2;
const mostRefusals = 5;
const usualWaitMs = 30_000;
const longestWaitMs = 10 * 60_000;
/** What a page shares with others stands at its beginning and its end. */
const mostBlocks = 400;
/** Of the links of a page that are kept, so that a long address before short ones does not make them many times what they are. */
const mostLinkCharacters = 100_000;
/** How many pages are seen before the first becomes a document, so that what they share is known. */
const firstPages = 8;
const toldEveryMs = 500;
/** Visits without it after which a page's document goes. */
const mostMisses = 2;

/** These may be over by the next visit, and say nothing of the page. */
const passing = new Set<PageReason>(['too-many-requests', 'server-error', 'unreachable', 'slow', 'full']);

class Waits extends Error {
  readonly ms: number;
  constructor(ms: number) {
    super('the server asks to wait');
    this.ms = ms;
  }
}

export function crawlJob(context: Context): JobHandler<CrawlJob> {
  const { db } = context;
  return {
    async run(job, run) {
      const site = await findAnyWebsite(db, job.website);
      if (!site || site.run !== job.run || site.state !== 'crawling' || site.base_deleted_at !== null) return;
      const again = (more: Partial<CrawlJob>, delayMs = 0) =>
        run.finish((trx) => addCrawl(context, trx, site, { ...job, ...more }, delayMs));
      try {
        if (!job.isVisited) {
          const crawl = await startCrawl(context, site, run, job.isBegun ?? false);
          const ended = await crawl.work(Date.now() + sliceMs);
          if (ended === 'stopped') return;
          if (ended === 'late') return await again({ isBegun: true, refusals: 0 });
        }
        if (!(await settle(context, site, run)))
          return await again({ isBegun: true, isVisited: true, refusals: 0 }, settleMs);
        await end(context, site, run, 'ready', null);
      } catch (error) {
        run.signal.throwIfAborted();
        if (error instanceof NoLonger) return;
        const refusals = (job.refusals ?? 0) + 1;
        if (error instanceof Waits && refusals <= mostRefusals)
          return await again({ isBegun: true, refusals }, error.ms);
        const reason =
          error instanceof Waits
            ? 'too-many-requests'
            : error instanceof NotFetched
              ? error.reason
              : isFull(error)
                ? 'full'
                : undefined;
        if (!reason) throw error;
        await end(context, site, run, 'failed', reason);
      }
    },
    async dead({ website, run }) {
      const site = await findAnyWebsite(db, website);
      if (site?.run !== run || site.state !== 'crawling') return;
      await updateWebsite(db, website, { state: 'failed', reason: 'damaged', next_at: nextAt(settingsOf(site)) });
      await announce(context, website);
    },
  };
}

export const addCrawl = (
  { queue }: Pick<Context, 'queue'>,
  trx: Trx,
  { uuid, workspace }: Pick<WebsiteRow, 'uuid' | 'workspace'>,
  job: Omit<CrawlJob, 'website'>,
  delayMs = 0,
) => queue.add(trx, crawlKind, { ...job, website: uuid }, { tenant: workspace, delayMs });

async function end(
  context: Context,
  site: WebsiteRow,
  run: JobRun,
  state: 'ready' | 'failed',
  reason: PageReason | null,
): Promise<void> {
  await run.finish(async (trx) => {
    const now = await findAnyWebsite(trx, site.uuid);
    if (now?.run !== site.run || now.state !== 'crawling') return;
    await updateWebsite(trx, site.uuid, { state, reason, crawled_at: Date.now(), next_at: nextAt(settingsOf(now)) });
  });
  await announce(context, site.uuid);
}

export async function announce(context: Context, website: string): Promise<void> {
  const site = await findAnyWebsite(context.db, website);
  if (site) context.sockets.toWorkspace(site.workspace, websiteChanged, await toWebsite(context.db, site));
}

export const hashOf = (url: string) => createHash('sha256').update(url).digest('base64url');

interface Read {
  page: WebsitePageTable;
  visit: Visit;
  bytes: Buffer;
  extension: string;
  title: string;
  blocks: string[];
  texts: string[];
  links: string[];
  sha256: string;
}

async function startCrawl(context: Context, site: WebsiteRow, run: JobRun, isBegun: boolean) {
  const { db, outbound, config } = context;
  const settings = settingsOf(site);
  let robots: Robots = await findRobots(outbound, site.url, run.signal);
  let first = site.url;
  let shared = new Set<string>(JSON.parse(site.shared));
  /** Pages that wait until it is known what they share. */
  let pending: Read[] | undefined = site.run === 1 && shared.size === 0 && settings.reach !== 'page' ? [] : undefined;
  const taken = new Set<string>();
  const reader = openReader({ tenant: site.workspace });
  let slot = 0;
  let toldAt = 0;

  if (!isBegun) await begin();
  return { work };

  async function begin(): Promise<void> {
    const mapped =
      settings.reach === 'page'
        ? { isMap: false, pages: [] }
        : await findMapped(outbound, site.url, robots, run.signal);
    const start = mapped.isMap ? [] : [{ url: site.url, depth: 0 }];
    await run.fenced((trx) => add(trx, [...start, ...mapped.pages.map((url) => ({ url, depth: 1 }))]));
  }

  /** Keeps addresses to come to, as many as may be read. */
  async function add(trx: Trx, found: { url: string; depth: number }[]): Promise<void> {
    const byHash = new Map(
      found
        .filter(({ url, depth }) => depth === 0 || (isWithin(url, first) && isChosen(url, settings)))
        .map((each) => [hashOf(each.url), each]),
    );
    const known = await listKnownHashes(trx, site.uuid, [...byHash.keys()].slice(0, 5000));
    const fresh = [...byHash].filter(([hash]) => !known.has(hash));
    if (fresh.length === 0) return;
    const room = settings.maxPages - (await countAllPages(trx, site.uuid));
    if (fresh.length > room) await updateWebsite(trx, site.uuid, { is_cut: 1 });
    const now = Date.now();
    await insertPages(
      trx,
      fresh.slice(0, Math.max(0, room)).map(([hash, { url, depth }]) => ({
        uuid: newId(),
        website: site.uuid,
        url,
        hash,
        title: '',
        depth,
        state: 'waiting',
        reason: null,
        run: site.run - 1,
        document: null,
        sha256: null,
        etag: null,
        modified: null,
        blocks: '[]',
        links: '[]',
        misses: 0,
        visited_at: null,
        created_at: now,
        updated_at: now,
      })),
    );
  }

  /** Visits pages until none is left, the time is over or somebody has stopped it. */
  async function work(until: number): Promise<'done' | 'late' | 'stopped'> {
    let ended: 'done' | 'late' | 'stopped' | 'failed' = 'done';
    const worker = async () => {
      while (ended === 'done') {
        run.signal.throwIfAborted();
        if (Date.now() > until) {
          ended = 'late';
          return;
        }
        const page = (await listNextPages(db, site, taken.size + 1)).find(({ uuid }) => !taken.has(uuid));
        if (!page) {
          const others = [...taken].filter((uuid) => !pending?.some((read) => read.page.uuid === uuid));
          if (others.length === 0) return;
          await sleep(20);
          continue;
        }
        taken.add(page.uuid);
        await turn();
        if (await isStopped()) ended = 'stopped';
        else await come(page);
        await tell();
      }
    };
    const failing = (error: unknown) => {
      ended = 'failed';
      throw error;
    };
    const workers = await Promise.allSettled(Array.from({ length: atOnce }, () => worker().catch(failing)));
    const failed = workers.find((each) => each.status === 'rejected');
    try {
      if (failed?.reason instanceof Waits || !failed) await flush();
    } finally {
      await reader.end();
    }
    if (failed) throw failed.reason;
    // A border: what workers set is not seen here.
    return ended as 'done' | 'late' | 'stopped';
  }

  async function isStopped(): Promise<boolean> {
    const now = await findAnyWebsite(db, site.uuid);
    return now?.run !== site.run || now.state !== 'crawling' || now.base_deleted_at !== null;
  }

  /** One request begins after another. */
  async function turn(): Promise<void> {
    const now = Date.now();
    slot = Math.max(slot + Math.max(config.CRAWL_DELAY_MS, robots.delayMs), now);
    if (slot > now) await sleep(slot - now, undefined, { signal: run.signal });
  }

  async function tell(): Promise<void> {
    if (Date.now() - toldAt < toldEveryMs) return;
    toldAt = Date.now();
    await announce(context, site.uuid);
  }

  async function come(page: WebsitePageTable): Promise<void> {
    try {
      if (!robots.allows(pathOf(page.url))) return await leave(page, 'robots');
      if (page.depth > 0 && !(isWithin(page.url, first) && isChosen(page.url, settings)))
        return await leave(page, 'excluded');
      const visit = await fetchPage(outbound, page.url, {
        mostBytes: mostBytesOf(config, page.url),
        signal: run.signal,
        follows: (url) => page.depth === 0 || isWithin(url, first),
        ...(page.document && { etag: page.etag, modified: page.modified }),
      });
      if (!visit.bytes) return await stay(page);
      const url = normalize(visit.url) ?? page.url;
      if (url !== page.url) return await move(page, url);
      await read(page, visit, visit.bytes);
    } catch (error) {
      if (!(error instanceof NotFetched)) throw error;
      const { reason, waitMs } = error;
      if (reason === 'too-many-requests' || waitMs !== undefined)
        throw new Waits(Math.min(waitMs ?? usualWaitMs, longestWaitMs));
      // Without its first page there is no website.
      if (page.depth === 0 && !page.document && passing.has(reason)) throw error;
      await leave(page, reason);
    }
  }

  async function move(page: WebsitePageTable, url: string): Promise<void> {
    if (page.depth === 0) {
      // Another host has wishes of its own.
      if (new URL(url).host !== new URL(first).host) robots = await findRobots(outbound, url, run.signal);
      first = url;
      site.url = url;
    }
    await leave(page, 'redirected', async (trx) => {
      if (page.depth === 0) await updateWebsite(trx, site.uuid, { url });
      await add(trx, [{ url, depth: page.depth }]);
    });
  }

  async function read(page: WebsitePageTable, visit: Visit, bytes: Buffer): Promise<void> {
    const extension = extensionOf(visit);
    if (!extension) return leave(page, 'kind');
    let document: ParsedDocument;
    try {
      document = await parse(bytes, extension);
    } catch (error) {
      return leave(page, reasonOf(error));
    }
    const web = document.page ?? { base: null, links: [], canonical: null, robots: '' };
    const base = normalize(web.base ?? '', visit.url) ?? visit.url;
    const wishes = `${web.robots} ${[visit.headers['x-robots-tag']].flat().join(' ').toLowerCase()}`;
    const mayFollow =
      settings.reach === 'site' && page.depth < settings.maxDepth && !/\b(?:nofollow|none)\b/.test(wishes);
    const links = mayFollow ? web.links.flatMap((link) => normalize(link, base) ?? []) : [];
    const follow = (trx: Trx) =>
      add(
        trx,
        links.map((url) => ({ url, depth: page.depth + 1 })),
      );
    if (/\b(?:noindex|none)\b/.test(wishes)) return leave(page, 'noindex', follow);
    const canonical = web.canonical === null ? undefined : normalize(web.canonical, base);
    if (canonical && isOther(canonical, page.url))
      return leave(page, 'canonical', async (trx) => {
        await follow(trx);
        await add(trx, [{ url: canonical, depth: page.depth }]);
      });
    const isPage = extension === 'html';
    const texts = document.blocks.map(({ text }) => text);
    const found: Read = {
      page,
      visit,
      bytes,
      extension,
      title: withoutMarks(document.title ?? ''),
      blocks: isPage ? keysOf(texts) : [],
      texts,
      links: atMost(links.filter((url) => isWithin(url, first))),
      sha256: createHash('sha256').update(texts.join('\n\n')).digest('hex'),
    };
    if (pending && isPage) {
      await run.fenced(follow);
      pending.push(found);
      if (pending.length >= firstPages) await flush();
    } else await keep(found);
  }

  /** A canonical address that is another page's. That of the website itself on every page is a mistake that many make. */
  function isOther(canonical: string, url: string): boolean {
    const plain = (address: string) => address.replace(/^https?:\/\/(?:www\.)?/, '').replace(/\/$/, '');
    return isWithin(canonical, first) && plain(canonical) !== plain(url) && new URL(canonical).pathname !== '/';
  }

  async function parse(bytes: Buffer, extension: string): Promise<ParsedDocument> {
    return (await reader.read({ file: bytes, extension, signal: run.signal })).document;
  }

  async function flush(): Promise<void> {
    if (!pending) return;
    const waiting = pending;
    pending = undefined;
    if (shared.size === 0) shared = sharedBlocks(waiting.map(({ blocks }) => blocks));
    for (const each of waiting) await keep(each);
  }

  async function keep({ page, visit, bytes, extension, title, blocks, texts, links, sha256 }: Read): Promise<void> {
    const twin = await findPageWith(db, site.uuid, { sha256, besides: page.uuid });
    const follow = (trx: Trx) =>
      add(
        trx,
        links.map((url) => ({ url, depth: page.depth + 1 })),
      );
    if (twin) return leave(page, 'same', follow);
    const own = shared.size > 0 ? texts.filter((text) => !shared.has(blockKey(text))) : texts;
    if (own.length === 0) return leave(page, 'repeats', follow);
    const isChanged = page.document !== null && page.sha256 !== sha256;
    const lines = isChanged && page.document ? await changesOf(page.document, extension, own) : [];
    const { etag, 'last-modified': modified } = visit.headers;
    const seen = {
      title: title.slice(0, 300).toWellFormed(),
      blocks: JSON.stringify(blocks),
      links: JSON.stringify(links),
      run: site.run,
      visited_at: Date.now(),
      misses: 0,
    };
    await keepFetched(
      context,
      run.fenced,
      { workspace: site.workspace, user: site.user },
      site.knowledge,
      {
        name: nameOf(title, page.url),
        extension,
        bytes,
        url: page.url,
        leaveOut: [...new Set(blocks.filter((key) => shared.has(key)))],
      },
      page.document,
      async (trx, { document, is }) => {
        await mustGoOn(trx, site);
        await follow(trx);
        if (is === 'twin' && page.document) await note(trx, page, 'removed');
        if (is === 'deleted' || is === 'twin')
          return void (await updatePage(trx, page.uuid, {
            ...seen,
            state: 'skipped',
            reason: is === 'twin' ? 'same' : 'removed',
            ...(is === 'twin' && { document: null }),
          }));
        await updatePage(trx, page.uuid, {
          ...seen,
          state: 'read',
          reason: null,
          document,
          // What could not be taken over now is to be fetched again.
          ...(is !== 'busy' && { sha256, etag: short(etag), modified: short(modified) }),
        });
        if (site.run > 1 && (is === 'new' || lines.length > 0))
          await note(trx, { ...page, ...seen, document }, is === 'new' ? 'added' : 'changed', lines);
      },
    );
    taken.delete(page.uuid);
  }

  async function changesOf(document: string, extension: string, own: string[]) {
    const bytes = await readFetched(context, document);
    const before = bytes ? await parse(bytes, extension).catch(() => undefined) : undefined;
    if (!before) return [];
    const texts = before.blocks.map(({ text }) => text).filter((text) => !shared.has(blockKey(text)));
    return differenceOf(texts, own);
  }

  function note(
    trx: Trx,
    { url, title, document }: Pick<WebsitePageTable, 'url' | 'title' | 'document'>,
    kind: 'added' | 'changed' | 'removed',
    lines: object[] = [],
  ) {
    const now = Date.now();
    return insertChange(trx, {
      uuid: newId(),
      website: site.uuid,
      kind,
      url,
      title,
      document,
      lines: JSON.stringify(lines),
      created_at: now,
      updated_at: now,
    });
  }

  /** It is as it was. */
  async function stay(page: WebsitePageTable): Promise<void> {
    const links: string[] = JSON.parse(page.links);
    await run.fenced(async (trx) => {
      await add(
        trx,
        links.map((url) => ({ url, depth: page.depth + 1 })),
      );
      await updatePage(trx, page.uuid, {
        run: site.run,
        visited_at: Date.now(),
        state: 'read',
        reason: null,
        misses: 0,
      });
    });
    taken.delete(page.uuid);
  }

  /** No document comes of it; one that is there goes where that is so twice. */
  async function leave(
    page: WebsitePageTable,
    reason: PageReason,
    also: (trx: Trx) => Promise<void> = async () => {},
  ): Promise<void> {
    const { document } = page;
    const hasFailed = passing.has(reason);
    const misses = hasFailed ? page.misses : page.misses + 1;
    const isGone = document !== null && !hasFailed && misses >= mostMisses;
    await run.fenced(async (trx) => {
      await also(trx);
      await updatePage(trx, page.uuid, {
        run: site.run,
        visited_at: Date.now(),
        reason,
        misses,
        state: document !== null && !isGone ? 'read' : isGone ? 'gone' : hasFailed ? 'failed' : 'skipped',
        ...(isGone && { document: null, sha256: null, etag: null, modified: null }),
      });
      if (!isGone) return;
      await withdrawFetched(trx, document);
      await note(trx, page, 'removed');
    });
    taken.delete(page.uuid);
  }
}

const keysOf = (texts: string[]): string[] =>
  (texts.length <= mostBlocks ? texts : [...texts.slice(0, mostBlocks / 2), ...texts.slice(-mostBlocks / 2)]).map(
    blockKey,
  );

function atMost(links: string[]): string[] {
  let room = mostLinkCharacters;
  return links.filter(({ length }) => (room -= length) >= 0);
}

const short = (header: string | string[] | undefined): string | null => {
  const [one] = [header].flat();
  return one === undefined || one.length > 500 ? null : one;
};
