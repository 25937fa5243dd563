import { images, maxUploadMb } from '../../../shared/contracts/images.ts';
import { AppError } from '../../../shared/errors.ts';
import { done } from '../../../shared/list.ts';
import type { Context } from '../../feature.ts';
import { megabyte } from '../../infra/config.ts';
import { handle, type Http } from '../../infra/http.ts';
import { safeFileName } from '../../providers/parsers/detect.ts';
import {
  cancelImage,
  createImages,
  getImage,
  listOwnImages,
  readImage,
  readThumbs,
  removeImage,
  restoreImage,
  uploadImage,
} from './images.ts';

export function imagesRoutes(app: Http, context: Context): void {
  handle(app, images.list, ({ caller, query }) => listOwnImages(context, caller, query));
  handle(
    app,
    images.create,
    async ({ caller, body, key }) => ({ data: await createImages(context, caller, body, key) }),
    { keepsKey: true },
  );
  handle(
    app,
    images.upload,
    async ({ caller, files }) => {
      const part = (await files({ fileSize: maxUploadMb * megabyte, files: 1 }).next()).value;
      if (!part) throw new AppError('malformed-form');
      const bytes = Buffer.concat(await part.file.toArray());
      if (part.file.truncated) throw new AppError('file-too-large', { limitMb: maxUploadMb });
      return { data: await uploadImage(context, caller, { name: safeFileName(part.filename), bytes }) };
    },
    { formLimit: (maxUploadMb + 1) * megabyte, formMemory: maxUploadMb * megabyte },
  );
  handle(app, images.get, async ({ caller, params }) => ({ data: await getImage(context, caller, params.uuid) }));
  handle(app, images.file, async ({ caller, params: { uuid }, query: { size }, reply }) => {
    const bytes = await readImage(context, caller, uuid, size);
    reply.headers({
      'content-type': size === 'full' ? 'image/png' : 'image/webp',
      'content-disposition': `inline; filename="${uuid}.${size === 'full' ? 'png' : 'webp'}"`,
      'content-security-policy': "sandbox; default-src 'none'",
      'cache-control': 'private, max-age=60',
    });
    await reply.serializer(String).send(bytes);
  });
  for (const [route, from] of [
    [images.thumbs, 'gallery'],
    [images.trashThumbs, 'trash'],
  ] as const)
    handle(app, route, async ({ caller, query: { uuids }, reply }) => {
      reply.headers({
        'content-type': 'application/vnd.kotae.pictures',
        'cache-control': 'private, max-age=60',
        'content-security-policy': "sandbox; default-src 'none'",
      });
      await reply.serializer(String).send(await readThumbs(context, caller, { uuids, from }));
    });
  handle(app, images.cancel, async ({ caller, params }) => ({
    data: await cancelImage(context, caller, params.uuid),
  }));
  handle(app, images.remove, async ({ caller, params }) => {
    await removeImage(context, caller, params.uuid);
    return done;
  });
  handle(app, images.restore, async ({ caller, params }) => ({
    data: await restoreImage(context, caller, params.uuid),
  }));
}
