import type { Feature } from '../../feature.ts';
import { endPreviews } from './guests.store.ts';

/** Visitors and friends: who they are, and by what channels they are known. */
export const guests: Feature = {
  name: 'guests',
  tables: ['guest', 'guest_identity', 'guest_tag'],
  person: { newEpoch: endPreviews },
  pictures: [{ table: 'guest', column: 'avatar' }],
};
