import { visitors } from '../../../shared/contracts/visitors.ts';
import { webChannels as contract } from '../../../shared/contracts/web-channels.ts';
import { AppError } from '../../../shared/errors.ts';
import { hourMs, type Feature } from '../../feature.ts';
import { tellVisitor, visitorRequests } from './live.ts';
import { dailyCap, visitorLimits } from './limits.ts';
import { eraseOldThreads, sweepVisitors } from './retention.ts';
import { findVisitor, newVisitors, tokenPrefix } from './visitors.ts';
import { visitorRoutes } from './visitors.routes.ts';
import { createChannel } from './web-channels.ts';
import { siteChecks, webChannelRoutes } from './web-channels.routes.ts';
import { widgetRoutes } from './widget.routes.ts';

const audit = ['channel.created', 'channel.changed', 'channel.deleted', 'channel.secret'] as const;

declare module '../audit/audit.ts' {
  interface AuditActions extends Record<(typeof audit)[number], true> {}
}

/** Websites on which visitors talk with bots and people: the widget's look, and everything that visitors may call. */
export const webChannels: Feature = {
  name: 'web-channels',
  tables: ['web_channel', 'gone_channel'],
  contracts: [contract, visitors],
  routes(app, context) {
    webChannelRoutes(app, context);
    visitorRoutes(app, context);
    widgetRoutes(app, context);
  },
  notFound: { 'web-channel': 'channel-not-found' },
  audit,
  limits: [newVisitors, siteChecks, ...Object.values(visitorLimits)],
  requests: visitorRequests,
  visit: findVisitor,
  identity: {
    prefix: tokenPrefix,
    // A visitor's token opens what is for visitors, and nothing else.
    find: async () => undefined,
    async listen(context, token) {
      const again = async () => {
        const guest = await findVisitor(context, token, 'en').catch((error: unknown) => {
          // They are not let in, or no longer.
          if (error instanceof AppError) return undefined;
          throw error;
        });
        return (
          guest && {
            kind: 'guest' as const,
            guest: guest.guest,
            workspace: guest.workspace,
            channelId: guest.channelId,
            locale: guest.locale,
          }
        );
      };
      const listener = await again();
      return listener && { listener, again };
    },
  },
  guestThreadHere: tellVisitor,
  dailyCap,
  recurring: (context) => [
    { name: 'threads.retention', everyMs: hourMs, run: (signal) => eraseOldThreads(context, signal) },
    { name: 'visitors.sweep', everyMs: hourMs, run: (signal) => sweepVisitors(context, signal) },
  ],
  pictures: [{ table: 'web_channel', column: 'avatar' }],
  examples: async (context, caller, { bot = '' }) => {
    const { uuid, connection } = await createChannel(context, caller, { name: 'Site', bot, domains: ['example.com'] });
    return { 'web-channel': uuid, connection };
  },
};
