import { queryOptions } from '@tanstack/react-query';
import { inboxNews } from '../../shared/contracts/inbox.ts';
import { call } from './api.ts';

/** How many conversations are in each view of the inbox; the menu and the tab tell how many wait. */
export const inboxCounts = queryOptions({
  queryKey: ['inbox', 'counts'],
  queryFn: async ({ signal }) => (await call(inboxNews.counts, { signal })).data,
  staleTime: 30_000,
});
