import {
  CrawlSettings,
  usualCrawl,
  type Website,
  type WebsiteChange,
  type WebsitePage,
} from '../../../shared/contracts/websites.ts';
import type { Db, Trx } from '../../infra/db.ts';
import { momentOf } from '../../infra/page.ts';
import { countPages, type ShownPage, type WebsiteRow } from './websites.store.ts';
import type { WebsiteChangeTable } from './websites.tables.ts';

const dayMs = 86_400_000;

/** What was stored before a setting existed has its usual value. */
export const settingsOf = ({ settings }: Pick<WebsiteRow, 'settings'>): CrawlSettings =>
  CrawlSettings.parse({ ...usualCrawl, ...JSON.parse(settings) });

/** When a website is visited next, after one visit. */
export const nextAt = ({ schedule }: CrawlSettings, after = Date.now()): number | null =>
  schedule === 'never' ? null : after + (schedule === 'daily' ? dayMs : 7 * dayMs);

const moments = ({ created_at, updated_at }: { created_at: number; updated_at: number }) => ({
  createdAt: new Date(created_at).toISOString(),
  updatedAt: new Date(updated_at).toISOString(),
});

export async function toWebsite(db: Db | Trx, site: WebsiteRow): Promise<Website> {
  const { waiting, read, skipped, failed } = await countPages(db, site);
  return {
    uuid: site.uuid,
    knowledge: site.knowledge,
    url: site.url,
    title: site.title,
    settings: settingsOf(site),
    state: site.state,
    reason: site.reason,
    waiting,
    read,
    skipped,
    failed,
    isCut: site.is_cut === 1,
    crawledAt: momentOf(site.crawled_at),
    nextAt: momentOf(site.next_at),
    ...moments(site),
  };
}

export const toPage = (page: ShownPage): WebsitePage => ({
  uuid: page.uuid,
  url: page.url,
  title: page.title,
  state: page.state,
  reason: page.reason,
  document: page.document,
  visitedAt: momentOf(page.visited_at),
  ...moments(page),
});

export const toChange = (change: WebsiteChangeTable): WebsiteChange => ({
  uuid: change.uuid,
  kind: change.kind,
  url: change.url,
  title: change.title,
  document: change.document,
  lines: JSON.parse(change.lines),
  ...moments(change),
});
