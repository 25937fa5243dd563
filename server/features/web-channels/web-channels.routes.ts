import { webChannels } from '../../../shared/contracts/web-channels.ts';
import { done } from '../../../shared/list.ts';
import type { Context } from '../../feature.ts';
import { handle, type Http } from '../../infra/http.ts';
import { limit } from '../../infra/limits.ts';
import { checkSite } from './check-site.ts';
import { changeChannel, createChannel, getChannel, listChannels, removeChannel, renewSecret } from './web-channels.ts';

export const siteChecks = limit('site-checks', 30, 60, 'pages fetched by “check my site”, by address');

export function webChannelRoutes(app: Http, context: Context): void {
  handle(app, webChannels.list, ({ caller, query }) => listChannels(context, caller, query));
  handle(app, webChannels.create, async ({ caller, body }) => ({ data: await createChannel(context, caller, body) }));
  handle(app, webChannels.get, async ({ caller, params }) => ({
    data: await getChannel(context, caller, params.uuid),
  }));
  handle(app, webChannels.update, async ({ caller, params, body }) => ({
    data: await changeChannel(context, caller, params.uuid, body),
  }));
  handle(app, webChannels.remove, async ({ caller, params }) => {
    await removeChannel(context, caller, params.uuid);
    return done;
  });
  handle(app, webChannels.secret, async ({ caller, params }) => ({
    data: await renewSecret(context, caller, params.uuid),
  }));
  handle(
    app,
    webChannels.check,
    async ({ caller, params, body }) => ({ data: await checkSite(context, caller, params.uuid, body.url) }),
    { limit: siteChecks },
  );
}
