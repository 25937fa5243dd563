import { files } from '../../../shared/contracts/accounts.ts';
import { AppError } from '../../../shared/errors.ts';
import { megabyte } from '../../infra/config.ts';
import { handle, type Http } from '../../infra/http.ts';
import type { Context } from '../../feature.ts';
import { keepAvatar, mustHaveRoom, readAvatar } from './files.ts';

const maxPictureMb = 10;

export function fileRoutes(app: Http, context: Context): void {
  handle(
    app,
    files.uploadImage,
    async ({ files, caller }) => {
      const parts = files({ fileSize: maxPictureMb * megabyte, files: 1 });
      await mustHaveRoom(context, caller);
      const part = (await parts.next()).value;
      if (!part) throw new AppError('malformed-form');
      const bytes = Buffer.concat(await part.file.toArray());
      if (part.file.truncated) throw new AppError('file-too-large', { limitMb: maxPictureMb });
      return { data: await keepAvatar(context, caller, bytes) };
    },
    { formLimit: (maxPictureMb + 1) * megabyte, formMemory: maxPictureMb * megabyte },
  );

  handle(app, files.avatar, async ({ params, reply }) => {
    const picture = await readAvatar(context, params.uuid);
    await reply
      .header('content-type', 'image/webp')
      .header('cache-control', 'public, max-age=60')
      .header('content-security-policy', "sandbox; default-src 'none'")
      .send(picture);
  });
}
