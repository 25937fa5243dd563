import { trash } from '../../../shared/contracts/trash.ts';
import { done } from '../../../shared/list.ts';
import type { Context } from '../../feature.ts';
import { handle, type Http } from '../../infra/http.ts';
import { emptyTrash, eraseOne, listTrash } from './trash.ts';

export function trashRoutes(app: Http, context: Context): void {
  handle(app, trash.list, ({ caller, query }) => listTrash(context, caller, query));
  handle(app, trash.empty, async ({ caller }) => ({ ...done, erased: await emptyTrash(context, caller) }));
  for (const [kind, route] of [
    ['bot', trash.eraseBot],
    ['knowledge', trash.eraseKnowledge],
    ['document', trash.eraseDocument],
    ['image', trash.eraseImage],
  ] as const)
    handle(app, route, async ({ caller, params }) => {
      await eraseOne(context, caller, kind, params.uuid);
      return done;
    });
}
