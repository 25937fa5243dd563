import { files as contract } from '../../../shared/contracts/accounts.ts';
import { hourMs, type Feature } from '../../feature.ts';
import { erasePersonFiles, eraseWorkspaceFiles, sweepPictures } from './files.ts';
import { fileRoutes } from './files.routes.ts';

/** Files that people upload, and pictures of people and things. */
export const files: Feature = {
  name: 'files',
  tables: ['file'],
  contracts: [contract],
  routes: fileRoutes,
  notFound: { avatar: 'file-not-found' },
  recurring: (context) => [
    { name: 'pictures.sweep', everyMs: hourMs, run: (signal) => sweepPictures(context, signal) },
  ],
  person: { erase: (trx, { user }, context) => erasePersonFiles(trx, user, context) },
  workspace: { erase: eraseWorkspaceFiles },
};
