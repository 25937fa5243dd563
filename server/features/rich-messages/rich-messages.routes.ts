import { richMessages } from '../../../shared/contracts/rich-messages.ts';
import { AppError } from '../../../shared/errors.ts';
import { done } from '../../../shared/list.ts';
import type { Context } from '../../feature.ts';
import { megabyte } from '../../infra/config.ts';
import { handle, type Http } from '../../infra/http.ts';
import { addImage, maxUploadMb, readImage } from './images.ts';
import {
  changeRich,
  copyRich,
  createRich,
  exportRich,
  getRich,
  listRich,
  listUses,
  removeRich,
} from './rich-messages.ts';

export function richMessageRoutes(app: Http, context: Context): void {
  handle(app, richMessages.list, ({ caller, query }) => listRich(context, caller, query));
  handle(app, richMessages.create, async ({ caller, body }) => ({ data: await createRich(context, caller, body) }));
  handle(app, richMessages.get, async ({ caller, params }) => ({ data: await getRich(context, caller, params.uuid) }));
  handle(app, richMessages.update, async ({ caller, params, body }) => ({
    data: await changeRich(context, caller, params.uuid, body),
  }));
  handle(app, richMessages.uses, async ({ caller, params }) => ({
    data: await listUses(context, caller, params.uuid),
  }));
  handle(app, richMessages.copy, async ({ caller, params, body }) => ({
    data: await copyRich(context, caller, params.uuid, body.name),
  }));
  handle(app, richMessages.remove, async ({ caller, params }) => {
    await removeRich(context, caller, params.uuid);
    return done;
  });
  handle(app, richMessages.exportJson, async ({ caller, params }) => ({
    data: await exportRich(context, caller, params.uuid),
  }));
  handle(
    app,
    richMessages.uploadImage,
    async ({ caller, files }) => {
      const part = (await files({ fileSize: maxUploadMb * megabyte, files: 1 }).next()).value;
      if (!part) throw new AppError('malformed-form');
      const bytes = Buffer.concat(await part.file.toArray());
      if (part.file.truncated) throw new AppError('file-too-large', { limitMb: maxUploadMb });
      return { data: await addImage(context, caller, bytes) };
    },
    { formLimit: (maxUploadMb + 1) * megabyte, formMemory: maxUploadMb * megabyte },
  );
  handle(app, richMessages.image, async ({ params, reply }) => {
    const { mime, body } = await readImage(context, params.image, params.width);
    reply.headers({
      'content-type': mime,
      'cache-control': 'public, max-age=60',
      'content-security-policy': "sandbox; default-src 'none'",
      'cross-origin-resource-policy': 'cross-origin',
    });
    await reply.serializer(String).send(body);
  });
}
