import { home as contract } from '../../../shared/contracts/home.ts';
import type { Feature } from '../../feature.ts';
import { homeRoutes } from './home.routes.ts';

/** What needs a person now, and the first steps. */
export const home: Feature = { name: 'home', contracts: [contract], routes: homeRoutes };
