import type { Feature } from '../../feature.ts';
import { systemRoutes } from './system.routes.ts';

/** Whether the process lives, and is ready. */
export const system: Feature = { name: 'system', routes: systemRoutes };
