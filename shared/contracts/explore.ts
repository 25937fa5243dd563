import { z } from 'zod';
import { byUuid, listQuery, many, moment, moments, ok, one } from '../list.ts';
import type server from '../locales/en/explore-server.json';
import type texts from '../locales/en/explore.json';
import { route } from '../route.ts';
import { optionalText, text, uuid } from '../text.ts';
import { Image, locales } from './accounts.ts';
import { Mark } from './bots.ts';

declare module '../texts.ts' {
  interface Texts {
    explore: typeof texts;
    'explore-server': typeof server;
  }
}

/** What bots are about, in the order in which they are offered. */
export const categories = [
  'shops',
  'restaurants',
  'hotels',
  'clinics',
  'schools',
  'offices',
  'services',
  'company',
  'play',
  'other',
] as const;
export type Category = (typeof categories)[number];

/** Who may publish for everybody: anyone who may edit, after the operator has looked at it, or nobody. */
export const exploreModes = ['open', 'review', 'off'] as const;
export type ExploreMode = (typeof exploreModes)[number];

export const listingStates = ['review', 'listed', 'taken-down'] as const;
export const orders = ['featured', 'popular', 'new'] as const;
export const reportReasons = ['harmful', 'misleading', 'personal', 'rights', 'spam', 'other'] as const;

/** What others may take over: nothing, how it speaks and looks, or that and the documents it answers from. */
export const copyings = ['none', 'settings', 'knowledge'] as const;

/** Why a document of a bot that is copied stays where it is: nobody answers from it, it could not be read, or it is not read yet. */
export const stayReasons = ['disabled', 'failed', 'busy', 'same'] as const;

/** How it is called in addresses besides its id. */
const slug = z.string().regex(/^(?=.{3,60}$)[a-z0-9]+(-[a-z0-9]+)*$/);
const byBot = { uuid: z.union([uuid, slug]) };

const fields = {
  /** `link`: whoever knows the address; `public`: everybody finds it. */
  visibility: z.enum(['link', 'public']),
  category: z.enum(categories),
  /** What it is asked and answers in. */
  languages: z.array(z.enum(locales)).min(1).max(locales.length),
  summary: text(160),
  /** What others may take over into a bot of their own. */
  copying: z.enum(copyings),
  /** What the answers on its public page may cost in a day, in credits. */
  creditsPerDay: z.number().int().min(1).max(100_000),
};

export const usualCreditsPerDay = 20;

/** A bot as everybody sees it. */
export const PublicBot = z.object({
  /** The bot's. */
  uuid,
  listing: uuid,
  slug: z.string(),
  name: z.string(),
  summary: z.string(),
  avatar: Image.nullable(),
  mark: Mark,
  category: fields.category,
  languages: z.array(z.enum(locales)),
  /** The name of its workspace. */
  maker: z.string(),
  copying: fields.copying,
  /** Visitors who have tried it. */
  tries: z.number().int(),
  /** Workspaces that have copied it. */
  copies: z.number().int(),
  isFeatured: z.boolean(),
  /** Its workspace, for who is a member of that; null for everybody else. */
  own: uuid.nullable(),
});
export type PublicBot = z.output<typeof PublicBot>;

/** What a bot shows of itself to who is no member, as its editors see it. */
export const Listing = z.object({
  uuid,
  slug: z.string(),
  ...fields,
  languages: z.array(z.enum(locales)),
  /** `taken-down`: the operator has taken it away, for this reason. */
  state: z.enum(listingStates),
  reason: z.string().nullable(),
  tries: z.number().int(),
  copies: z.number().int(),
  createdAt: moment,
  updatedAt: moment,
});
export type Listing = z.output<typeof Listing>;

/** The same for who runs the installation. */
export const OperatedListing = Listing.omit({ creditsPerDay: true }).extend({
  bot: z.object({ uuid, name: z.string(), avatar: Image.nullable(), mark: Mark }),
  workspace: z.object({ uuid, name: z.string() }),
  /** Its place among the featured ones. */
  featured: z.number().int().nullable(),
  /** Reports that nobody has dealt with. */
  reports: z.number().int(),
  /** Its owner is suspended, so nobody sees it. */
  isHidden: z.boolean(),
});
export type OperatedListing = z.output<typeof OperatedListing>;

export const Report = z.object({
  uuid,
  reason: z.enum(reportReasons),
  text: z.string(),
  listing: z.object({ uuid, bot: uuid, name: z.string(), state: z.enum(listingStates) }),
  ...moments,
  settledAt: moment.nullable(),
});
export type Report = z.output<typeof Report>;

export const explore = {
  list: route('GET', '/api/public/bots', {
    summary:
      'Public bots: the chosen ones first, the most used or the newest; by words, category, language and what a copy has of them',
    access: 'anyone',
    query: {
      ...listQuery,
      category: fields.category.optional(),
      language: z.enum(locales).optional(),
      /** Only those that are copied with their documents. */
      copying: z.literal('knowledge').optional(),
      sort: z.enum(orders).default('featured'),
    },
    reply: many(PublicBot),
  }),
  get: route('GET', '/api/public/bot/:uuid', {
    summary: 'One public bot, by its id or its name in addresses',
    access: 'anyone',
    params: byBot,
    reply: one(
      PublicBot.extend({
        visibility: fields.visibility,
        /** The website channel whose widget lets anybody talk with it. */
        channel: uuid,
        /** What the chat begins with, empty where that is the usual sentence. */
        greeting: z.string(),
      }),
    ),
  }),
  picture: route('GET', '/api/public/bot/:uuid/picture.png', {
    summary: 'The picture that other sites show of a public bot, 1200 × 630',
    access: 'anyone',
    kind: 'file',
    params: byBot,
    /** Another word for another picture, so that nobody shows an old one. */
    query: { v: z.string().max(40).optional() },
  }),
  report: route('POST', '/api/public/bot/:uuid/report', {
    summary: 'Tell the operator that a public bot should not be there',
    access: 'anyone',
    params: byBot,
    body: z.strictObject({ reason: z.enum(reportReasons), text: optionalText(500).optional() }),
    reply: ok,
  }),
  copy: route('POST', '/api/user/listing/:uuid/copy', {
    summary:
      'Make a bot of one’s own of what the maker of a public one allows: its settings, or its documents, too; never secrets or tools',
    access: 'edit',
    status: 201,
    params: byUuid,
    reply: one(
      z.object({
        uuid,
        name: z.string(),
        /** What of its documents has come along and is being read; null where its maker lets nobody have them. */
        knowledge: z
          .object({
            bases: z.number().int(),
            documents: z.number().int(),
            /** Those of them that are their text only, as their maker has changed or left out passages. */
            asText: z.number().int(),
            left: z.record(z.enum(stayReasons), z.number().int()),
          })
          .nullable(),
        ...moments,
      }),
    ),
  }),
};
export type PublicBotPage = z.output<typeof explore.get.reply>['data'];

export const listings = {
  get: route('GET', '/api/user/bot/:uuid/listing', {
    summary: 'What a bot shows of itself to everybody; null where only the workspace may use it',
    access: 'edit',
    params: byUuid,
    reply: one(z.object({ listing: Listing.nullable(), mode: z.enum(exploreModes) })),
  }),
  save: route('PUT', '/api/user/bot/:uuid/listing', {
    summary: 'Let everybody use a published bot: who has its address, or who finds it in Explore',
    access: 'edit',
    params: byUuid,
    body: z.strictObject({
      ...fields,
      /** `updatedAt` as it was last read, null where there was none: where that was changed since, this is refused with `conflict`. */
      seen: moment.nullable().optional(),
    }),
    reply: one(Listing),
  }),
  remove: route('DELETE', '/api/user/bot/:uuid/listing', {
    summary: 'Only the workspace may use it again: its page, picture and chat are gone at once',
    access: 'edit',
    params: byUuid,
    reply: ok,
  }),
};

export const operatedStates = ['all', ...listingStates, 'featured', 'reported'] as const;

export const exploreOperator = {
  list: route('GET', '/api/operator/listings', {
    summary:
      'What bots show of themselves to everybody: what waits for review, the featured ones in their order, then the last changed',
    access: 'operator',
    query: { ...listQuery, state: z.enum(operatedStates).default('all') },
    reply: many(OperatedListing),
  }),
  preview: route('GET', '/api/operator/bot/:uuid/listing', {
    summary: 'The page of a bot that waits for review or was taken down, with what it says at first',
    access: 'operator',
    params: byUuid,
    reply: one(
      PublicBot.extend({
        state: z.enum(listingStates),
        greeting: z.string(),
        starters: z.array(z.string()),
        followUps: z.array(z.string()),
        ...moments,
      }),
    ),
  }),
  feature: route('PUT', '/api/operator/listing/:uuid', {
    summary: 'Feature a public bot at a place of the row, or no longer',
    access: 'operator',
    params: byUuid,
    body: z.strictObject({ featured: z.number().int().min(1).max(1000).nullable() }),
    reply: one(OperatedListing),
  }),
  approve: route('POST', '/api/operator/listing/:uuid/approve', {
    summary: 'Let everybody see what waited for review or was taken down',
    access: 'operator',
    params: byUuid,
    /** The `updatedAt` of what was looked at; where it has changed since then: `conflict`. */
    body: z.strictObject({ seen: moment }),
    reply: one(OperatedListing),
  }),
  takeDown: route('POST', '/api/operator/listing/:uuid/take-down', {
    summary: 'Refuse what waits for review, or take away what everybody sees; the maker reads why',
    access: 'operator',
    params: byUuid,
    body: z.strictObject({ reason: text(500) }),
    reply: one(OperatedListing),
  }),
  reports: route('GET', '/api/operator/reports', {
    summary: 'What people have told of public bots, newest first',
    access: 'operator',
    query: {
      limit: listQuery.limit,
      cursor: listQuery.cursor,
      state: z.enum(['open', 'settled']).default('open'),
    },
    reply: many(Report),
  }),
  settle: route('POST', '/api/operator/report/:uuid/settle', {
    summary: 'A report is dealt with',
    access: 'operator',
    params: byUuid,
    reply: one(Report),
  }),
};
export type ListingPreview = z.output<typeof exploreOperator.preview.reply>['data'];
