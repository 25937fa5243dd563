import { heightAt, imagemapWidth, imageWidths, maxImageHeight, minImageHeight } from '../../../shared/rich-line.ts';
import type { Picture } from '../../../shared/rich-message.ts';
import { AppError } from '../../../shared/errors.ts';
import { hourMs, type Context } from '../../feature.ts';
import { newId, type Trx } from '../../infra/db.ts';
import type { Caller } from '../../infra/http.ts';
import { addFile, eraseFiles, findFile, keepOrRemove, listStored, mustHaveRoom, storageKey } from '../files/files.ts';
import { sizeOf, toFit } from '../files/pictures.ts';
import { findImage, insertImage, keepImages, listImages, takeUnkept } from './rich-messages.store.ts';

/** Far above what is needed, so that a photograph is made small enough here. */
export const maxUploadMb = 10;
const maxPixels = 40_000_000;
/** LINE takes ten times as much; people wait for it. */
const maxBytes = 1024 * 1024;

type Files = Record<string, string>;

/** Keeps a picture in every width that LINE asks for. */
export async function addImage(context: Context, { workspace }: Caller, bytes: Buffer): Promise<Picture> {
  if (bytes.length === 0) throw new AppError('file-empty');
  const given = await sizeOf(bytes, maxPixels);
  const height = Math.round((given.height * imagemapWidth) / given.width);
  if (height < minImageHeight || height > maxImageHeight) throw new AppError('image-shape');
  await mustHaveRoom(context, { workspace, bytes: bytes.length });
  const whole = await toFit(bytes, { width: imagemapWidth, height, maxPixels, maxBytes });
  const files: Files = {};
  const kept: { uuid: string; width: number; key: string; bytes: Buffer; mime: string }[] = [];
  for (const width of imageWidths) {
    const size = { width, height: heightAt({ height }, width) };
    const made = width === imagemapWidth ? whole : await toFit(whole.bytes, { ...size, maxPixels, maxBytes });
    const uuid = newId();
    files[width] = uuid;
    kept.push({ uuid, width, key: storageKey('rich', uuid), ...made });
  }
  const uuid = newId();
  const now = Date.now();
  const keys = kept.map(({ key }) => key);
  await keepOrRemove(context, keys, async () => {
    for (const { key, bytes: content } of kept) await context.storage.put(key, content);
    await context.db.transaction().execute(async (trx) => {
      for (const { uuid: file, width, key, bytes: content, mime } of kept)
        await addFile(context, trx, {
          uuid: file,
          workspace,
          // It belongs to the workspace alone, and stays when whoever uploaded it goes.
          user: null,
          kind: 'rich',
          name: `${width}`,
          mime,
          bytes: content.length,
          sha256: '',
          storage_key: key,
        });
      await insertImage(trx, {
        uuid,
        workspace,
        height,
        mime: whole.mime,
        files: JSON.stringify(files),
        kept_at: null,
        created_at: now,
        updated_at: now,
      });
    });
  });
  return { uuid, height };
}

/** The picture in one of LINE's widths. Throws `file-not-found` for any other. */
export async function readImage({ db, storage }: Context, uuid: string, width: string) {
  const row = await findImage(db, uuid);
  const files: Files = row ? JSON.parse(row.files) : {};
  const stored = Object.hasOwn(files, width) ? files[width] : undefined;
  const file = stored === undefined ? undefined : await findFile(db, stored);
  if (!file) throw new AppError('file-not-found');
  return { mime: file.mime, body: await storage.get(file.storage_key) };
}

/** From now on these stay, whatever becomes of what shows them. Throws where one is not of the workspace, or of another height. */
export async function keepPictures(
  trx: Trx,
  workspace: string,
  pictures: { path: string; uuid: string; height?: number }[],
): Promise<void> {
  const uuids = [...new Set(pictures.map(({ uuid }) => uuid))];
  await keepImages(trx, workspace, uuids, Date.now());
  const known = new Map((await listImages(trx, workspace, uuids)).map((row) => [row.uuid, row]));
  const fields = pictures.flatMap(({ path, uuid, height }) => {
    const row = known.get(uuid);
    return row && (height === undefined || height === row.height) ? [] : [{ path, code: 'invalid' }];
  });
  if (fields.length > 0) throw new AppError('validation-failed', { fields });
}

const eraseBatch = 16;

/** Erases what was uploaded a day ago and has never been shown. */
export async function sweepImages(context: Context, signal: AbortSignal, now = Date.now()): Promise<void> {
  for (;;) {
    signal.throwIfAborted();
    const rows = await takeUnkept(context.db, { before: now - 24 * hourMs, limit: eraseBatch });
    if (rows.length === 0) return;
    for (const { files } of rows) {
      const stored: Files = JSON.parse(files);
      await eraseFiles(context, await listStored(context.db, 'rich', Object.values(stored)), async () => {});
    }
  }
}
