import { trash as contract } from '../../../shared/contracts/trash.ts';
import type { Feature } from '../../feature.ts';
import { trashRoutes } from './trash.routes.ts';

/** What was deleted in a workspace, until it is erased. */
export const trash: Feature = { name: 'trash', contracts: [contract], routes: trashRoutes };
