import { explore, exploreOperator, listings } from '../../../shared/contracts/explore.ts';
import { done } from '../../../shared/list.ts';
import type { Context } from '../../feature.ts';
import { addressKey } from '../../infra/address.ts';
import { handle, type Http } from '../../infra/http.ts';
import { limit } from '../../infra/limits.ts';
import { getListing, removeListing, saveListing } from './listings.ts';
import {
  approveListing,
  featureListing,
  listListingReports,
  listOperatedListings,
  previewListing,
  settleReport,
  takeDownListing,
} from './operated.ts';
import { explorePages } from './pages.ts';
import { pictureOf, readPicture } from './picture.ts';
import { copyListing, getPublicBot, listPublicBots, mustFindOpenListing, reportBot } from './public.ts';

export const exploreLimits = {
  reports: limit('listing-reports', 10, 3600, 'reports of public bots, by address'),
  copies: limit('listing-copies', 30, 3600, 'copies of public bots, by address'),
};

export function exploreRoutes(app: Http, context: Context): void {
  handle(app, explore.list, async ({ caller, query, reply }) => {
    // Which of them are one's own is for nobody else.
    reply.header('cache-control', 'private, no-cache');
    return listPublicBots(context, caller, query);
  });
  handle(app, explore.get, async ({ caller, params, reply }) => {
    reply.header('cache-control', 'private, no-cache');
    return { data: await getPublicBot(context, caller, params.uuid) };
  });
  handle(app, explore.picture, async ({ params, request, reply }) => {
    const listing = await mustFindOpenListing(context, params.uuid);
    const etag = `"${pictureOf(listing)}"`;
    reply.headers({ etag, 'cache-control': 'public, max-age=5', 'cross-origin-resource-policy': 'cross-origin' });
    if (request.headers['if-none-match'] === etag) return void (await reply.status(304).send());
    const png = await readPicture(context, listing);
    await reply
      .headers({ 'content-type': 'image/png', 'content-security-policy': "sandbox; default-src 'none'" })
      .send(png);
  });
  handle(
    app,
    explore.report,
    async ({ params, body, request }) => {
      await reportBot(context, params.uuid, { ...body, address: addressKey(request.ip) });
      return done;
    },
    { limit: exploreLimits.reports },
  );
  handle(app, explore.copy, async ({ caller, params }) => ({ data: await copyListing(context, caller, params.uuid) }), {
    limit: exploreLimits.copies,
  });

  handle(app, listings.get, async ({ caller, params }) => ({ data: await getListing(context, caller, params.uuid) }));
  handle(app, listings.save, async ({ caller, params, body }) => ({
    data: await saveListing(context, caller, params.uuid, body),
  }));
  handle(app, listings.remove, async ({ caller, params }) => {
    await removeListing(context, caller, params.uuid);
    return done;
  });

  handle(app, exploreOperator.list, ({ query }) => listOperatedListings(context, query));
  handle(app, exploreOperator.preview, async ({ params }) => ({ data: await previewListing(context, params.uuid) }));
  handle(app, exploreOperator.feature, async ({ caller, params, body }) => ({
    data: await featureListing(context, caller, params.uuid, body.featured),
  }));
  handle(app, exploreOperator.approve, async ({ caller, params, body }) => ({
    data: await approveListing(context, caller, params.uuid, body.seen),
  }));
  handle(app, exploreOperator.takeDown, async ({ caller, params, body }) => ({
    data: await takeDownListing(context, caller, params.uuid, body.reason),
  }));
  handle(app, exploreOperator.reports, ({ query }) => listListingReports(context, query));
  handle(app, exploreOperator.settle, async ({ caller, params }) => ({
    data: await settleReport(context, caller, params.uuid),
  }));
  explorePages(app, context);
}
