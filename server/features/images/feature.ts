import { setTimeout as sleep } from 'node:timers/promises';
import { images as contract, sampleService } from '../../../shared/contracts/images.ts';
import { toJson, type Feature } from '../../feature.ts';
import { findFile } from '../files/files.ts';
import { drawJob } from './draw.ts';
import { createImages, drawKind, emptyImageTrash, eraseImages, getImage, stopped } from './images.ts';
import { imagesRoutes } from './images.routes.ts';
import { deleteImagesOf, exportImagesOf, forgetPerson, listPending } from './images.store.ts';

/** Pictures that are drawn from words. */
export const images: Feature = {
  name: 'images',
  tables: ['image'],
  contracts: [contract],
  routes: imagesRoutes,
  limits: [stopped],
  notFound: { image: 'image-not-found' },
  jobs: (context) => context.queue.register(drawKind, drawJob(context)),
  holds: ({ db }, ids) => listPending(db, ids),
  emptyTrash: emptyImageTrash,
  person: {
    erase: async (trx, { user }) => void (await forgetPerson(trx, user)),
    async *export({ db }, user) {
      const rows = await exportImagesOf(db, { user });
      if (rows.length > 0) yield { name: 'images.json', content: toJson(rows.map(({ file: _file, ...row }) => row)) };
    },
  },
  workspace: {
    clear: eraseImages,
    erase: async (trx, workspace) => void (await deleteImagesOf(trx, workspace)),
    async *export(context, workspace) {
      const rows = await exportImagesOf(context.db, { workspace });
      yield { name: 'images.json', content: toJson(rows.map(({ file: _file, ...row }) => row)) };
      for (const { uuid, file } of rows) {
        const stored = file ? await findFile(context.db, file) : undefined;
        if (stored) yield { name: `images/${uuid}.png`, content: () => context.storage.get(stored.storage_key) };
      }
    },
  },
  async examples(context, caller) {
    const wanted = { prompt: 'Hills', service: sampleService, size: '1024x1024' as const, count: 1, references: [] };
    const [image] = await createImages(context, caller, wanted, undefined);
    for (const until = Date.now() + 10_000; ; await sleep(20)) {
      if (image && (await getImage(context, caller, image.uuid)).status === 'done') return { image: image.uuid };
      if (Date.now() > until) throw new Error('the example is not drawn within ten seconds');
    }
  },
};
