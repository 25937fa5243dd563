import { keys } from '../../../shared/contracts/keys.ts';
import { done } from '../../../shared/list.ts';
import { handle, type Http } from '../../infra/http.ts';
import type { Context } from '../../feature.ts';
import { createKey, listOwnKeys, removeKey, updateOwnKey } from './keys.ts';

export function keyRoutes(app: Http, context: Context): void {
  handle(app, keys.list, ({ caller, query }) => listOwnKeys(context, caller, query));
  handle(app, keys.create, async ({ caller, body }) => ({ data: await createKey(context, caller, body) }));
  handle(app, keys.update, async ({ caller, params, body }) => ({
    data: await updateOwnKey(context, caller, params.uuid, body),
  }));
  handle(app, keys.remove, async ({ caller, params }) => {
    await removeKey(context, caller, params.uuid);
    return done;
  });
}
