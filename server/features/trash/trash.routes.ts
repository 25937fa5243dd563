import { trash } from '../../../shared/contracts/trash.ts';
import { done } from '../../../shared/list.ts';
import type { Context } from '../../feature.ts';
import { handle, type Http } from '../../infra/http.ts';
import { eraseBot } from '../bots/bots.ts';
import { eraseImage } from '../images/images.ts';
import { eraseDocument } from '../knowledge/documents.ts';
import { eraseKnowledge } from '../knowledge/knowledge.ts';
import { emptyTrash, listTrash } from './trash.ts';

export function trashRoutes(app: Http, context: Context): void {
  handle(app, trash.list, ({ caller, query }) => listTrash(context, caller, query));
  handle(app, trash.empty, async ({ caller }) => ({ ...done, erased: await emptyTrash(context, caller) }));
  handle(app, trash.eraseBot, async ({ caller, params }) => {
    await eraseBot(context, caller, params.uuid);
    return done;
  });
  handle(app, trash.eraseKnowledge, async ({ caller, params }) => {
    await eraseKnowledge(context, caller, params.uuid);
    return done;
  });
  handle(app, trash.eraseDocument, async ({ caller, params }) => {
    await eraseDocument(context, caller, params.uuid);
    return done;
  });
  handle(app, trash.eraseImage, async ({ caller, params }) => {
    await eraseImage(context, caller, params.uuid);
    return done;
  });
}
