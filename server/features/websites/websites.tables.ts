import type { crawlStates, PageReason, pageStates } from '../../../shared/contracts/websites.ts';
import type { Entity, Flag, Json } from '../../infra/db.types.ts';

export interface WebsiteTable extends Entity {
  knowledge: string;
  /** In whose name its files are kept. */
  user: string | null;
  /** The first page, as it is called after redirects. */
  url: string;
  title: string;
  settings: Json;
  state: (typeof crawlStates)[number];
  reason: PageReason | null;
  /** How often it was visited; pages of an earlier visit are still to come to. */
  run: number;
  is_cut: Flag;
  /** Keys of blocks that stand on most of its pages. */
  shared: Json;
  /** The document that has them once. */
  everywhere: string | null;
  crawled_at: number | null;
  next_at: number | null;
}

export interface WebsitePageTable extends Entity {
  website: string;
  url: string;
  /** Of the address, since an index holds no long text. */
  hash: string;
  title: string;
  /** How many links away from the first page. */
  depth: number;
  state: (typeof pageStates)[number];
  reason: PageReason | null;
  /** The visit in which it was come to last. */
  run: number;
  document: string | null;
  /** Of the bytes, and what the server calls them. */
  sha256: string | null;
  etag: string | null;
  modified: string | null;
  /** Keys of its blocks, in order. */
  blocks: Json;
  links: Json;
  /** Visits in a row in which it was not to be found. */
  misses: number;
  visited_at: number | null;
}

export interface WebsiteChangeTable extends Entity {
  website: string;
  kind: 'added' | 'changed' | 'removed';
  url: string;
  title: string;
  document: string | null;
  lines: Json;
}

declare module '../../infra/db.types.ts' {
  interface Tables {
    website: WebsiteTable;
    website_page: WebsitePageTable;
    website_change: WebsiteChangeTable;
  }
}
