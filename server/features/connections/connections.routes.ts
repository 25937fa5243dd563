import { connections } from '../../../shared/contracts/connections.ts';
import type { Context } from '../../feature.ts';
import { handle, type Http } from '../../infra/http.ts';
import { changeConnection, getConnection, listConnections, tryMessage } from './connections.ts';

export function connectionRoutes(app: Http, context: Context): void {
  handle(app, connections.list, ({ caller, query }) => listConnections(context, caller, query));
  handle(app, connections.get, async ({ caller, params }) => ({
    data: await getConnection(context, caller, params.uuid),
  }));
  handle(app, connections.update, async ({ caller, params, body }) => ({
    data: await changeConnection(context, caller, params.uuid, body),
  }));
  handle(app, connections.test, async ({ caller, params, body }) => ({
    data: await tryMessage(context, caller, params.uuid, body),
  }));
}
