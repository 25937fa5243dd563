import { webhooks } from '../../../shared/contracts/webhooks.ts';
import { done } from '../../../shared/list.ts';
import type { Context } from '../../feature.ts';
import { handle, type Http } from '../../infra/http.ts';
import {
  changeWebhook,
  createWebhook,
  getWeek,
  listDeliveries,
  listWebhooks,
  removeWebhook,
  renewSecret,
  replay,
  retryAll,
  testWebhook,
} from './webhooks.ts';

export function webhookRoutes(app: Http, context: Context): void {
  handle(app, webhooks.list, async ({ caller }) => ({ data: await listWebhooks(context, caller) }));
  handle(app, webhooks.create, async ({ caller, body }) => ({ data: await createWebhook(context, caller, body) }));
  handle(app, webhooks.update, async ({ caller, params, body }) => ({
    data: await changeWebhook(context, caller, params.uuid, body),
  }));
  handle(app, webhooks.secret, async ({ caller, params }) => ({
    data: await renewSecret(context, caller, params.uuid),
  }));
  handle(app, webhooks.remove, async ({ caller, params }) => {
    await removeWebhook(context, caller, params.uuid);
    return done;
  });
  handle(app, webhooks.test, async ({ caller, params }) => ({ data: await testWebhook(context, caller, params.uuid) }));
  handle(app, webhooks.week, async ({ caller, params }) => ({ data: await getWeek(context, caller, params.uuid) }));
  handle(app, webhooks.deliveries, ({ caller, params, query }) => listDeliveries(context, caller, params.uuid, query));
  handle(app, webhooks.replay, async ({ caller, params }) => ({ data: await replay(context, caller, params) }));
  handle(app, webhooks.retry, async ({ caller, params }) => ({ data: await retryAll(context, caller, params.uuid) }));
}
