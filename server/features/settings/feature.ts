import type { Feature } from '../../feature.ts';

/** What operators set for the whole installation. */
export const settings: Feature = { name: 'settings', tables: ['setting', 'allowed_host'] };
