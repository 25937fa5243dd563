import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { bots } from '../../../shared/contracts/bots.ts';
import { explore, exploreOperator, listings, type Category, type orders } from '../../../shared/contracts/explore.ts';
import type { BodyIn, QueryIn, ReplyOf } from '../../../shared/route.ts';
import { ApiError, call } from '../../lib/api.ts';
import type { Locale } from '../../lib/i18n.ts';

export interface Wanted {
  q: string;
  category: Category | undefined;
  language: Locale | undefined;
  copying: 'knowledge' | undefined;
  sort: (typeof orders)[number];
}

const pageSize = 24;

export const usePublicBots = ({ q, category, language, copying, sort }: Wanted) =>
  useInfiniteQuery({
    queryKey: ['explore', 'list', q, category, language, copying, sort],
    queryFn: ({ pageParam, signal }) =>
      call(explore.list, {
        query: {
          q: q || undefined,
          category,
          language,
          copying,
          sort,
          limit: pageSize,
          cursor: pageParam || undefined,
        },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: (last) => last.meta.nextCursor ?? undefined,
    select: ({ pages }) => pages.flatMap((page) => page.data),
  });

const mostFeatured = 6;

/** Those that the operator has chosen, in their order. */
export const useFeatured = (enabled: boolean) =>
  useQuery({
    queryKey: ['explore', 'featured'],
    enabled,
    queryFn: async ({ signal }) =>
      (await call(explore.list, { query: { sort: 'featured', limit: mostFeatured }, signal })).data.filter(
        ({ isFeatured }) => isFeatured,
      ),
  });

/** Nothing where there is no such public bot, or none any more. */
export const usePublicBot = (id: string, enabled = true) =>
  useQuery({
    queryKey: ['explore', 'one', id],
    enabled,
    // What was taken down is gone from a page that somebody left open, too.
    refetchInterval: 30_000,
    retry: (count, error) => count < 2 && !(error instanceof ApiError && error.status < 500 && error.status > 0),
    queryFn: async ({ signal }) => {
      try {
        return (await call(explore.get, { params: { uuid: id }, signal })).data;
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) return null;
        throw error;
      }
    },
  });

/** What the operator sees of a bot that nobody else does. */
export const useListingPreview = (bot: string, enabled: boolean) =>
  useQuery({
    queryKey: ['explore-operator', 'preview', bot],
    enabled,
    retry: false,
    queryFn: async ({ signal }) => (await call(exploreOperator.preview, { params: { uuid: bot }, signal })).data,
  });

export const useReport = (bot: string) =>
  useMutation({
    mutationFn: (body: BodyIn<typeof explore.report>) => call(explore.report, { params: { uuid: bot }, body }),
  });

type CopiedBot = ReplyOf<typeof explore.copy>['data'];
export type CopiedWithDocuments = CopiedBot & { knowledge: NonNullable<CopiedBot['knowledge']> };

/**
 * `onCopied` is told even when what asked for it is drawn no more, as all that knows of bots is asked anew. Where documents came along,
 * that waits until `tell`, so that what came can be said first.
 */
export function useCopy(onCopied: (bot: CopiedBot) => void) {
  const client = useQueryClient();
  const tell = () =>
    void Promise.all(['bots', 'knowledges', 'documents'].map((key) => client.invalidateQueries({ queryKey: [key] })));
  const copy = useMutation({
    mutationFn: async (listing: string) => (await call(explore.copy, { params: { uuid: listing } })).data,
    onSuccess: (bot) => {
      onCopied(bot);
      return bot.knowledge ? undefined : client.invalidateQueries({ queryKey: ['bots'] });
    },
  });
  return { ...copy, tell };
}

export const useListing = (bot: string) =>
  useQuery({
    queryKey: ['bots', bot, 'listing'],
    queryFn: async ({ signal }) => (await call(listings.get, { params: { uuid: bot }, signal })).data,
  });

export type ListingFields = BodyIn<typeof listings.save>;

/** Who may use a bot: its listing comes or goes with it. */
export function useShowTo(bot: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (to: ListingFields | 'private' | 'workspace') => {
      if (typeof to !== 'string') return (await call(listings.save, { params: { uuid: bot }, body: to })).data;
      await call(bots.update, { params: { uuid: bot }, body: { visibility: to } });
      return null;
    },
    // Also when it was refused, as somebody else may have changed it.
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: ['bots'] }),
        client.invalidateQueries({ queryKey: ['explore'] }),
      ]),
  });
}

export type OperatedState = NonNullable<QueryIn<typeof exploreOperator.list>['state']>;

export const useOperatedListings = (q: string, state: OperatedState) =>
  useInfiniteQuery({
    queryKey: ['explore-operator', 'listings', q, state],
    queryFn: ({ pageParam, signal }) =>
      call(exploreOperator.list, { query: { q: q || undefined, state, cursor: pageParam || undefined }, signal }),
    initialPageParam: '',
    getNextPageParam: (last) => last.meta.nextCursor ?? undefined,
    select: ({ pages }) => ({ rows: pages.flatMap((page) => page.data), total: pages[0]?.meta.total ?? 0 }),
  });

export const useReports = () =>
  useInfiniteQuery({
    queryKey: ['explore-operator', 'reports'],
    queryFn: ({ pageParam, signal }) =>
      call(exploreOperator.reports, { query: { state: 'open', cursor: pageParam || undefined }, signal }),
    initialPageParam: '',
    getNextPageParam: (last) => last.meta.nextCursor ?? undefined,
    select: ({ pages }) => pages.flatMap((page) => page.data),
  });

/** What the operator does about a listing or a report. */
export type Measure =
  | { what: 'approve'; listing: string; seen: string }
  | { what: 'takeDown'; listing: string; reason: string }
  | { what: 'feature'; listing: string; featured: number | null }
  | { what: 'settle'; report: string };

export function useMeasure() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (measure: Measure): Promise<unknown> => {
      if (measure.what === 'settle') return call(exploreOperator.settle, { params: { uuid: measure.report } });
      const params = { uuid: measure.listing };
      if (measure.what === 'approve') return call(exploreOperator.approve, { params, body: { seen: measure.seen } });
      if (measure.what === 'feature')
        return call(exploreOperator.feature, { params, body: { featured: measure.featured } });
      return call(exploreOperator.takeDown, { params, body: { reason: measure.reason } });
    },
    // Also when it failed: somebody else may have changed it meanwhile.
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: ['explore-operator'] }),
        client.invalidateQueries({ queryKey: ['explore'] }),
      ]),
  });
}
