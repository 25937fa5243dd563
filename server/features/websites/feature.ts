import { websites as contract } from '../../../shared/contracts/websites.ts';
import { hourMs, type Feature } from '../../feature.ts';
import { crawlJob, crawlKind } from './crawl.ts';
import { websiteRoutes } from './websites.routes.ts';
import { crawlDue, createWebsite, forgetChanges, lookLimit, stopCrawl } from './websites.ts';

const audit = ['website.added', 'website.removed'] as const;

declare module '../audit/audit.ts' {
  interface AuditActions extends Record<(typeof audit)[number], true> {}
}

/** Websites whose pages are documents, and stay as the pages are. */
export const websites: Feature = {
  name: 'websites',
  tables: ['website', 'website_page', 'website_change'],
  contracts: [contract],
  routes: websiteRoutes,
  limits: [lookLimit],
  notFound: { website: 'website-not-found' },
  audit,
  jobs: (context) => context.queue.register(crawlKind, crawlJob(context)),
  recurring: (context) => [
    { name: 'websites.due', everyMs: 60_000, run: () => crawlDue(context) },
    { name: 'websites.changes', everyMs: hourMs, run: async () => void (await forgetChanges(context)) },
  ],
  async examples(context, caller, { knowledge = '' }) {
    const { uuid } = await createWebsite(context, caller, knowledge, { url: 'https://example.com/', settings: {} });
    await stopCrawl(context, caller, uuid);
    return { website: uuid };
  },
};
