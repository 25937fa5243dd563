import { images } from '../../../shared/contracts/images.ts';
import { done } from '../../../shared/list.ts';
import type { Context } from '../../feature.ts';
import { handle, type Http } from '../../infra/http.ts';
import {
  cancelImage,
  createImages,
  describePng,
  getImage,
  listOwnImages,
  readImageFile,
  removeImage,
  restoreImage,
} from './images.ts';

export function imagesRoutes(app: Http, context: Context): void {
  handle(app, images.list, ({ caller, query }) => listOwnImages(context, caller, query));
  handle(app, images.create, async ({ caller, body, request }) => ({
    data: await createImages(context, caller, body, request.headers['idempotency-key']?.toString()),
  }));
  handle(app, images.get, async ({ caller, params }) => ({ data: await getImage(context, caller, params.uuid) }));
  handle(app, images.file, async ({ caller, params, query, reply }) => {
    const { row, mime, body } = await readImageFile(context, caller, params.uuid, query.size);
    reply.headers({
      'content-type': mime,
      'content-disposition': `inline; filename="${row.uuid}.${query.size === 'full' ? 'png' : 'webp'}"`,
      'content-security-policy': "sandbox; default-src 'none'",
      'cache-control': 'private, max-age=86400, immutable',
    });
    await reply
      .serializer(String)
      .send(query.size === 'full' ? describePng(Buffer.concat(await body.toArray()), row.prompt) : body);
  });
  handle(app, images.cancel, async ({ caller, params }) => ({ data: await cancelImage(context, caller, params.uuid) }));
  handle(app, images.remove, async ({ caller, params }) => {
    await removeImage(context, caller, params.uuid);
    return done;
  });
  handle(app, images.restore, async ({ caller, params }) => ({
    data: await restoreImage(context, caller, params.uuid),
  }));
}
