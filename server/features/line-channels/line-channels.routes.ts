import { lineChannels } from '../../../shared/contracts/line-channels.ts';
import { done } from '../../../shared/list.ts';
import type { Context } from '../../feature.ts';
import { handle, type Http } from '../../infra/http.ts';
import { limit } from '../../infra/limits.ts';
import { proveAddress, tryAddress } from './address.ts';
import { getEvent, getRequest, listChannelEvents, listChannelRequests, replayEvent } from './console.ts';
import {
  changeChannel,
  connectChannel,
  getChannel,
  listChannels,
  refreshChannel,
  removeChannel,
  syncWebhook,
} from './line-channels.ts';

/** LINE lets its test be asked for 60 times an hour. */
export const lineAsked = limit(
  'line-asked',
  30,
  60,
  'questions to LINE about a channel that somebody asks for, by address',
);

export function lineChannelRoutes(app: Http, context: Context): void {
  handle(app, lineChannels.list, ({ caller, query }) => listChannels(context, caller, query));
  handle(
    app,
    lineChannels.connect,
    async ({ caller, body }) => ({ data: await connectChannel(context, caller, body) }),
    { limit: lineAsked },
  );
  handle(app, lineChannels.tryAddress, async ({ body }) => ({ data: await tryAddress(context, body.address) }), {
    limit: lineAsked,
  });
  handle(app, lineChannels.proveAddress, async ({ query }) => ({
    data: { proof: proveAddress(context, query.sealed) },
  }));
  handle(app, lineChannels.get, async ({ caller, params }) => ({
    data: await getChannel(context, caller, params.uuid),
  }));
  handle(app, lineChannels.update, async ({ caller, params, body }) => ({
    data: await changeChannel(context, caller, params.uuid, body),
  }));
  handle(app, lineChannels.remove, async ({ caller, params }) => {
    await removeChannel(context, caller, params.uuid);
    return done;
  });
  handle(
    app,
    lineChannels.sync,
    async ({ caller, params }) => ({ data: await syncWebhook(context, caller, params.uuid) }),
    { limit: lineAsked },
  );
  handle(
    app,
    lineChannels.refresh,
    async ({ caller, params }) => ({ data: await refreshChannel(context, caller, params.uuid) }),
    { limit: lineAsked },
  );
  handle(app, lineChannels.events, ({ caller, query }) => listChannelEvents(context, caller, query));
  handle(app, lineChannels.event, async ({ caller, params }) => ({
    data: await getEvent(context, caller, params.event),
  }));
  handle(app, lineChannels.replay, async ({ caller, params }) => ({
    data: await replayEvent(context, caller, params.event),
  }));
  handle(app, lineChannels.requests, ({ caller, query }) => listChannelRequests(context, caller, query));
  handle(app, lineChannels.request, async ({ caller, params }) => ({
    data: await getRequest(context, caller, params.request),
  }));
}
