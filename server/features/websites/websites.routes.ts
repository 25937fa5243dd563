import { websites } from '../../../shared/contracts/websites.ts';
import { done } from '../../../shared/list.ts';
import type { Context } from '../../feature.ts';
import { handle, type Http } from '../../infra/http.ts';
import {
  crawlAgain,
  createWebsite,
  getWebsite,
  listOwnChanges,
  listOwnPages,
  listOwnWebsites,
  lookAt,
  removeWebsite,
  stopCrawl,
  updateOwnWebsite,
} from './websites.ts';

export function websiteRoutes(app: Http, context: Context): void {
  handle(app, websites.look, async ({ caller, body, reply }) => {
    const gone = new AbortController();
    reply.raw.once('close', () => gone.abort());
    return { data: await lookAt(context, caller, body.url, gone.signal) };
  });
  handle(app, websites.list, ({ caller, params, query }) => listOwnWebsites(context, caller, params.knowledge, query));
  handle(app, websites.create, async ({ caller, params, body }) => ({
    data: await createWebsite(context, caller, params.knowledge, body),
  }));
  handle(app, websites.get, async ({ caller, params }) => ({
    data: await getWebsite(context, caller, params.website),
  }));
  handle(app, websites.update, async ({ caller, params, body }) => ({
    data: await updateOwnWebsite(context, caller, params.website, body),
  }));
  handle(app, websites.remove, async ({ caller, params }) => {
    await removeWebsite(context, caller, params.website);
    return done;
  });
  handle(app, websites.crawl, async ({ caller, params }) => ({
    data: await crawlAgain(context, caller, params.website),
  }));
  handle(app, websites.stop, async ({ caller, params }) => ({
    data: await stopCrawl(context, caller, params.website),
  }));
  handle(app, websites.pages, ({ caller, params, query }) => listOwnPages(context, caller, params.website, query));
  handle(app, websites.changes, ({ caller, params, query }) => listOwnChanges(context, caller, params.website, query));
}
