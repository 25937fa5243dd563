import { queryOptions } from '@tanstack/react-query';
import { inboxNews } from '../../shared/contracts/inbox.ts';
import type { ReplyOf } from '../../shared/route.ts';
import { call } from './api.ts';

/** How many conversations are in each view of the inbox; the menu and the tab tell how many wait. */
export const inboxCounts = queryOptions({
  queryKey: ['inbox', 'counts'],
  queryFn: async ({ signal }) => (await call(inboxNews.counts, { signal })).data,
  staleTime: 30_000,
});

/** Lists of conversations in pages, which change while another page is shown. Nothing of another form has a key that begins like this. */
export const inboxLists = ['inbox', 'threads'] as const;

/** How many conversations call for whoever looks: those that wait for anybody, and those with a note that names them. */
export const needsYou = (counts: ReplyOf<typeof inboxNews.counts>['data'] | undefined): number =>
  counts ? counts.views.waiting + counts.mentions.length : 0;
