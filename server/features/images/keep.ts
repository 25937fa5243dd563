import type { Context } from '../../feature.ts';
import { newId, type Trx } from '../../infra/db.ts';
import { addFile, keepOrRemove, storageKey } from '../files/files.ts';
import { sizeOf, toPng, toWebp } from '../files/pictures.ts';

/** No model of today draws more. */
export const maxPixels = 4096 * 4096;
const maxSide = 4096;
const thumbSide = 512;

export interface Kept {
  width: number;
  height: number;
  /** Ids of files: the picture as PNG, and a small one as WebP. */
  file: string;
  thumb: string;
  /** Adds the rows of the files; in the transaction in which something names them. */
  add(trx: Trx): Promise<void>;
}

/**
 * Decodes a picture and encodes it again, whatever it said it was, and stores it; where `save` fails, nothing of it stays. Throws
 * `image-invalid` and `image-too-large`.
 */
export async function keepPicture(
  context: Context,
  { name, workspace, bytes }: { name: string; workspace: string; bytes: Buffer },
  save: (kept: Kept) => Promise<void>,
): Promise<void> {
  const shape = { maxPixels, width: maxSide, height: maxSide, fit: 'inside' as const };
  const full = await toPng(bytes, shape);
  const small = await toWebp(full, { ...shape, width: thumbSide, height: thumbSide, quality: 80 });
  const [file, thumb] = [newId(), newId()];
  const files = [
    { uuid: file, mime: 'image/png', name: `${name}.png`, content: full, key: storageKey('image', file) },
    { uuid: thumb, mime: 'image/webp', name: `${name}.webp`, content: small, key: storageKey('image', thumb) },
  ];
  const size = await sizeOf(full, maxPixels);
  await keepOrRemove(
    context,
    files.map(({ key }) => key),
    async () => {
      for (const { key, content } of files) await context.storage.put(key, content);
      await save({
        ...size,
        file,
        thumb,
        async add(trx) {
          for (const { key, content, ...row } of files)
            await addFile(context, trx, {
              ...row,
              workspace,
              // It belongs to the workspace alone, and stays when whoever asked for it goes.
              user: null,
              kind: 'image',
              bytes: content.length,
              sha256: '',
              storage_key: key,
            });
        },
      });
    },
  );
}
