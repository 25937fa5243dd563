import { bots } from '../../../shared/contracts/bots.ts';
import { done } from '../../../shared/list.ts';
import { handle, type Http } from '../../infra/http.ts';
import type { Context } from '../context.ts';
import { createBot, duplicateBot, getBot, getSpeakingBot, listBotNames, listOwnBots, publishBot, removeBot, restoreBot, updateOwnBot } from './bots.ts';

export function botRoutes(app: Http, context: Context): void {
  handle(app, bots.list, ({ caller, query }) => listOwnBots(context, caller, query));
  handle(app, bots.dropdown, async ({ caller }) => ({ data: await listBotNames(context, caller) }));
  handle(app, bots.create, async ({ caller, body }) => ({ data: await createBot(context, caller, body) }));
  handle(app, bots.get, async ({ caller, params }) => ({ data: await getBot(context, caller, params.uuid) }));
  handle(app, bots.update, async ({ caller, params, body }) => ({ data: await updateOwnBot(context, caller, params.uuid, body) }));
  handle(app, bots.remove, async ({ caller, params }) => {
    await removeBot(context, caller, params.uuid);
    return done;
  });
  handle(app, bots.restore, async ({ caller, params }) => ({ data: await restoreBot(context, caller, params.uuid) }));
  handle(app, bots.duplicate, async ({ caller, params }) => ({ data: await duplicateBot(context, caller, params.uuid) }));
  handle(app, bots.publish, async ({ caller, params, body }) => ({ data: await publishBot(context, caller, params.uuid, body?.note ?? '') }));
  handle(app, bots.show, async ({ caller, params }) => {
    const { uuid, name, description, avatar, greeting, starters, canEdit } = await getSpeakingBot(context, caller, params.uuid);
    return { data: { uuid, name, description, avatar, greeting, starters, canEdit } };
  });
}
