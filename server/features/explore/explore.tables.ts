import type { Generated } from 'kysely';
import type { Category, Listing, Report } from '../../../shared/contracts/explore.ts';
import type { Entity, Flag, Json } from '../../infra/db.types.ts';

/** What a published bot shows of itself to everybody. */
export interface ListingTable extends Entity {
  /** By which the index of words knows it. */
  number: Generated<number>;
  workspace: string;
  bot: string;
  /** The website channel through which anybody talks with it. */
  channel: string;
  slug: string;
  /** The bot's. */
  name: string;
  visibility: Listing['visibility'];
  state: Listing['state'];
  /** Why it was taken down. */
  reason: string | null;
  category: Category;
  languages: Json;
  summary: string;
  copying: Listing['copying'];
  /** A digest of all that list, page and picture show of it; null until it was made for the first time. */
  face: string | null;
  /** That of what was public and might be: looked at by the operator, or published where nobody has to look. Empty for none. */
  approved: string | null;
  credits_per_day: number;
  /** Its place among those that the operator has chosen. */
  featured: number | null;
  tries: number;
  copies: number;
  /** Tries and copies together. */
  popularity: number;
  /** The same, and above all of them those that are featured, by their places. */
  prominence: number;
  /** When it was first there for everybody. */
  listed_at: number;
  /** What its picture for other sites is kept under, once one was drawn. */
  picture: string | null;
  /** Its owner is suspended. */
  hidden: Flag;
  /** Whether lists have it: public, listed and not hidden. */
  shown: Flag;
}

/** Who has tried it: a visitor once, and of one address nobody twice in a day. */
export interface ListingTryTable {
  listing: string;
  who: string;
  /** Of an address: the day, in days since 1970. */
  day: number | null;
}

export interface ListingCopyTable {
  listing: string;
  workspace: string;
}

/** A workspace that copies a public bot at this moment. */
export interface CopyingTable {
  workspace: string;
  /** Renewed while it goes on; after this its process is gone. */
  lease_until: number;
}

export interface ListingReportTable extends Entity {
  listing: string;
  /** The address it came from, under a key of the installation; empty after a day, or once it is settled. */
  who: string;
  reason: Report['reason'];
  text: string;
  settled_at: number | null;
}

/** Pictures that are kept; those of no listing any more go. */
export interface ListingPictureTable {
  word: string;
  created_at: number;
}

/** A bot that was taken down, until the operator lets it be shown again. It outlives the bot, as copies of it may. */
export interface TakenDownTable {
  bot: string;
  /** What the bot and its duplicates are known by. */
  family: string;
  reason: string;
  created_at: number;
}

declare module '../../infra/db.types.ts' {
  interface Tables {
    listing: ListingTable;
    listing_try: ListingTryTable;
    listing_copy: ListingCopyTable;
    copying: CopyingTable;
    listing_report: ListingReportTable;
    listing_picture: ListingPictureTable;
    taken_down: TakenDownTable;
  }
}
