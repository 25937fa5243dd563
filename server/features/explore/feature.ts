import { z } from 'zod';
import { explore as contract, exploreModes, exploreOperator, listings } from '../../../shared/contracts/explore.ts';
import { hourMs, toJson, type Feature } from '../../feature.ts';
import { exploreLimits, exploreRoutes } from './explore.routes.ts';
import { deleteTriesOf, listListingsFor, listReports } from './explore.store.ts';
import { changeFace, followMode, hideListings, makeFaces, saveListing, toListing, withdrawBot } from './listings.ts';
import { erasePictures } from './picture.ts';
import { countTry, findOpenListing, forgetAddresses, reportBot } from './public.ts';

const audit = [
  'listing.published',
  'listing.changed',
  'listing.removed',
  'listing.featured',
  'listing.unfeatured',
  'listing.approved',
  'listing.taken-down',
  'report.settled',
] as const;

declare module '../audit/audit.ts' {
  interface AuditActions extends Record<(typeof audit)[number], true> {}
}

/** Bots for everybody: their public pages, the list in which they are found, and what the operator does about them. */
export const explore: Feature = {
  name: 'explore',
  tables: ['listing', 'listing_try', 'listing_copy', 'copying', 'listing_report', 'listing_picture', 'taken_down'],
  settings: {
    EXPLORE: z.enum(exploreModes).optional().meta({
      description:
        'Bots that everybody may find and try: open lets whoever may edit a bot publish it; review lets you look at it first; off takes Explore away. Unless set, it is open where everybody may register, and review elsewhere.',
    }),
  },
  contracts: [contract, listings, exploreOperator],
  routes: exploreRoutes,
  notFound: { listing: 'listing-not-found', report: 'report-not-found' },
  limits: Object.values(exploreLimits),
  audit,
  async prepare(context) {
    await makeFaces(context);
    await followMode(context);
  },
  withdrawBot,
  changeFace,
  triesListing: countTry,
  openBot: findOpenListing,
  eraseGuest: async (_, trx, ways) => void (await deleteTriesOf(trx, [...new Set(ways.map(({ guest }) => guest))])),
  recurring: (context) => [
    { name: 'explore.addresses', everyMs: hourMs, run: () => forgetAddresses(context) },
    { name: 'explore.pictures', everyMs: hourMs, run: () => erasePictures(context) },
  ],
  person: { suspend: hideListings },
  workspace: {
    async *export({ db }, workspace) {
      yield { name: 'listings.json', content: toJson((await listListingsFor(db, workspace)).map(toListing)) };
    },
  },
  async examples(context, caller, { bot = '' }) {
    const { uuid } = await saveListing(context, caller, bot, {
      visibility: 'public',
      category: 'shops',
      languages: ['en'],
      summary: 'Opening hours',
      copying: 'settings',
      creditsPerDay: 20,
    });
    await reportBot(context, bot, { reason: 'spam', address: '127.0.0.1' });
    const [report] = await listReports(context.db, { state: 'open', limit: 1, after: undefined });
    return { listing: uuid, ...(report && { report: report.uuid }) };
  },
};
