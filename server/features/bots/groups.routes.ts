import { botGroups } from '../../../shared/contracts/bots.ts';
import { done } from '../../../shared/list.ts';
import { handle, type Http } from '../../infra/http.ts';
import type { Context } from '../../feature.ts';
import { createGroup, getGroup, listOwnGroups, removeGroup, updateOwnGroup } from './groups.ts';

export function botGroupRoutes(app: Http, context: Context): void {
  handle(app, botGroups.list, async ({ caller }) => ({
    data: await listOwnGroups(context, caller),
    meta: { nextCursor: null },
  }));
  handle(app, botGroups.create, async ({ caller, body }) => ({ data: await createGroup(context, caller, body) }));
  handle(app, botGroups.get, async ({ caller, params }) => ({ data: await getGroup(context, caller, params.uuid) }));
  handle(app, botGroups.update, async ({ caller, params, body }) => ({
    data: await updateOwnGroup(context, caller, params.uuid, body),
  }));
  handle(app, botGroups.remove, async ({ caller, params }) => {
    await removeGroup(context, caller, params.uuid);
    return done;
  });
}
