import { files as contract } from '../../../shared/contracts/accounts.ts';
import type { Feature } from '../../feature.ts';
import { erasePersonFiles, eraseWorkspaceFiles } from './files.ts';
import { fileRoutes } from './files.routes.ts';

/** Files that people upload, and pictures of people and things. */
export const files: Feature = {
  name: 'files',
  tables: ['file'],
  contracts: [contract],
  routes: fileRoutes,
  notFound: { avatar: 'file-not-found' },
  person: { erase: (trx, { user }, context) => erasePersonFiles(trx, user, context) },
  workspace: { erase: eraseWorkspaceFiles },
};
