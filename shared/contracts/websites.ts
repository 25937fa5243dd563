import { z } from 'zod';
import { event } from '../event.ts';
import { listQuery, many, moment, moments, ok, one } from '../list.ts';
import { route } from '../route.ts';
import { uuid, webAddress } from '../text.ts';

/** What of a website is read: the one page, the pages that its map lists, or all that links lead to within its folder. */
export const reaches = ['page', 'sitemap', 'site'] as const;
export const schedules = ['never', 'daily', 'weekly'] as const;
export const crawlStates = ['crawling', 'ready', 'stopped', 'failed'] as const;

/** Why a page has no document, or its document is from an earlier visit. */
export const pageReasons = [
  'robots',
  'noindex',
  'excluded',
  'redirected',
  'canonical',
  'elsewhere',
  'same',
  'repeats',
  'kind',
  'too-large',
  'no-text',
  'drawn-by-script',
  'not-found',
  'forbidden',
  'too-many-requests',
  'server-error',
  'unreachable',
  'slow',
  'not-allowed',
  'damaged',
  'full',
  'removed',
] as const;
export type PageReason = (typeof pageReasons)[number];

/** A path with `*` for anything, such as `/blog/*`. */
const pattern = z.string().trim().min(1).max(300);

export const CrawlSettings = z.strictObject({
  reach: z.enum(reaches),
  maxPages: z.number().int().min(1).max(5000),
  /** How many links away from the first page. */
  maxDepth: z.number().int().min(0).max(50),
  include: z.array(pattern).max(50),
  exclude: z.array(pattern).max(50),
  schedule: z.enum(schedules),
});
export type CrawlSettings = z.output<typeof CrawlSettings>;
const CrawlChanges = CrawlSettings.partial();
export type CrawlChanges = z.output<typeof CrawlChanges>;

export const usualCrawl: CrawlSettings = {
  reach: 'site',
  maxPages: 200,
  maxDepth: 10,
  include: [],
  exclude: [],
  schedule: 'weekly',
};

export const Website = z.object({
  uuid,
  knowledge: uuid,
  url: z.string(),
  title: z.string(),
  settings: CrawlSettings,
  state: z.enum(crawlStates),
  /** Why it failed. */
  reason: z.enum(pageReasons).nullable(),
  /** Found and not yet visited in this run; those with a document; those without one, and why is told of each. */
  waiting: z.number().int(),
  read: z.number().int(),
  skipped: z.number().int(),
  failed: z.number().int(),
  /** More pages were found than may be read. */
  isCut: z.boolean(),
  crawledAt: moment.nullable(),
  nextAt: moment.nullable(),
  ...moments,
});
export type Website = z.output<typeof Website>;

export const pageStates = ['waiting', 'read', 'skipped', 'failed', 'gone'] as const;
export const WebsitePage = z.object({
  uuid,
  url: z.string(),
  title: z.string(),
  state: z.enum(pageStates),
  reason: z.enum(pageReasons).nullable(),
  document: uuid.nullable(),
  visitedAt: moment.nullable(),
  ...moments,
});
export type WebsitePage = z.output<typeof WebsitePage>;

/** A line of a page; long rows of lines that are the same are left out. */
export const ChangedLine = z.object({ is: z.enum(['same', 'added', 'removed']), text: z.string() });
export const WebsiteChange = z.object({
  uuid,
  kind: z.enum(['added', 'changed', 'removed']),
  url: z.string(),
  title: z.string(),
  document: uuid.nullable(),
  lines: z.array(ChangedLine),
  ...moments,
});
export type WebsiteChange = z.output<typeof WebsiteChange>;

/** What an address holds, before anything is kept. */
export const Looked = z.object({
  url: z.string(),
  title: z.string(),
  /** The first words of it. */
  excerpt: z.string(),
  /** Pages within reach that it links to. */
  links: z.number().int(),
  /** Pages within reach that the website's map lists; null without one. */
  mapped: z.number().int().nullable(),
  /** Why it cannot be read. */
  reason: z.enum(pageReasons).nullable(),
});
export type Looked = z.output<typeof Looked>;

const byWebsite = { website: uuid };
const base = '/api/user/knowledge/:knowledge/website';
const own = '/api/user/website/:website';

export const websites = {
  look: route('POST', '/api/user/websites/look', {
    summary: 'What an address holds and how much of its website can be read; nothing is kept',
    access: 'edit',
    body: z.strictObject({ url: webAddress }),
    reply: one(Looked),
  }),
  list: route('GET', `${base}s`, {
    summary: 'Websites of a knowledge base',
    access: 'read',
    params: { knowledge: uuid },
    query: listQuery,
    reply: many(Website),
  }),
  create: route('POST', base, {
    summary: 'Add a page, the pages of a site map, or a website; each page becomes a document',
    access: 'edit',
    status: 202,
    params: { knowledge: uuid },
    body: z.strictObject({ url: webAddress, settings: CrawlChanges.default({}) }),
    reply: one(Website),
  }),
  get: route('GET', own, { summary: 'One website', access: 'read', params: byWebsite, reply: one(Website) }),
  update: route('PUT', own, {
    summary: 'Change what of a website is read and how often; it counts from the next visit on',
    access: 'edit',
    params: byWebsite,
    body: CrawlChanges,
    reply: one(Website),
  }),
  remove: route('DELETE', own, {
    summary: 'Forget a website; its documents go to the trash',
    access: 'edit',
    params: byWebsite,
    reply: ok,
  }),
  crawl: route('POST', `${own}/crawl`, {
    summary: 'Visit a website again, or go on where it was stopped',
    access: 'edit',
    status: 202,
    params: byWebsite,
    reply: one(Website),
  }),
  stop: route('POST', `${own}/stop`, {
    summary: 'Stop visiting a website; what was read stays',
    access: 'edit',
    params: byWebsite,
    reply: one(Website),
  }),
  pages: route('GET', `${own}/pages`, {
    summary: 'The pages that were found on a website, each with what became of it',
    access: 'read',
    params: byWebsite,
    query: { ...listQuery, state: z.enum(pageStates).optional() },
    reply: many(WebsitePage),
  }),
  changes: route('GET', `${own}/changes`, {
    summary: 'What has changed on a website in the last 30 days, the newest first',
    access: 'read',
    params: byWebsite,
    query: listQuery,
    reply: many(WebsiteChange),
  }),
};

/** How far a website is; sent to everyone who looks at its workspace. */
export const websiteChanged = event('website', Website);
