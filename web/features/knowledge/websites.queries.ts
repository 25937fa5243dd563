import { keepPreviousData, useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { websiteChanged, websites, type Website, type WebsitePage } from '../../../shared/contracts/websites.ts';
import type { BodyIn } from '../../../shared/route.ts';
import { call } from '../../lib/api.ts';
import { on } from '../../lib/socket.ts';

const keys = {
  all: ['websites'] as const,
  of: (base: string) => ['websites', 'of', base] as const,
  one: (uuid: string) => ['websites', 'one', uuid] as const,
};

/** Where no live connection comes through, a visit that goes on is asked for. */
const whileCrawlingMs = 3_000;

export const useWebsites = (knowledge: string) =>
  useQuery({
    queryKey: keys.of(knowledge),
    queryFn: async ({ signal }) =>
      (await call(websites.list, { params: { knowledge }, query: { limit: 100 }, signal })).data,
    refetchInterval: ({ state }) =>
      state.data?.some(({ state: each }) => each === 'crawling') ? whileCrawlingMs : false,
  });

export const useWebsite = (website: string) =>
  useQuery({
    queryKey: keys.one(website),
    queryFn: async ({ signal }) => (await call(websites.get, { params: { website }, signal })).data,
    refetchInterval: ({ state }) => (state.data?.state === 'crawling' ? whileCrawlingMs : false),
  });

export const useSitePages = (website: string, filter: { q: string; state: WebsitePage['state'] | undefined }) =>
  useInfiniteQuery({
    queryKey: [...keys.one(website), 'pages', filter],
    queryFn: ({ signal, pageParam }) =>
      call(websites.pages, {
        params: { website },
        query: { q: filter.q || undefined, state: filter.state, limit: 100, cursor: pageParam },
        signal,
      }),
    initialPageParam: undefined as string | undefined, // the first page has no cursor, the others do
    getNextPageParam: ({ meta }) => meta.nextCursor ?? undefined,
    select: ({ pages }) => pages.flatMap(({ data }) => data),
    placeholderData: keepPreviousData,
  });

export const useChanges = (website: string) =>
  useInfiniteQuery({
    queryKey: [...keys.one(website), 'changes'],
    queryFn: ({ signal, pageParam }) =>
      call(websites.changes, { params: { website }, query: { limit: 50, cursor: pageParam }, signal }),
    initialPageParam: undefined as string | undefined, // the first page has no cursor, the others do
    getNextPageParam: ({ meta }) => meta.nextCursor ?? undefined,
    select: ({ pages }) => pages.flatMap(({ data }) => data),
  });

/** Puts what the server tells of a website where it is shown. */
export function useLiveWebsites(): void {
  const client = useQueryClient();
  useEffect(() => {
    const stop = on(websiteChanged, (site) => {
      client.setQueryData(keys.one(site.uuid), site);
      client.setQueryData<Website[]>(keys.of(site.knowledge), (list) =>
        list?.map((each) => (each.uuid === site.uuid ? site : each)),
      );
      void client.invalidateQueries({ queryKey: [...keys.one(site.uuid), 'pages'] });
      if (site.state !== 'crawling') void client.invalidateQueries({ queryKey: [...keys.one(site.uuid), 'changes'] });
    });
    return stop;
  }, [client]);
}

export const useLook = () =>
  useMutation({ mutationFn: async (url: string) => (await call(websites.look, { body: { url } })).data });

function useRefresh(websitesKey: readonly string[] = keys.all) {
  const client = useQueryClient();
  return () =>
    Promise.all([websitesKey, ['knowledges'], ['documents']].map((queryKey) => client.invalidateQueries({ queryKey })));
}

export function useAddWebsite(knowledge: string) {
  const onSuccess = useRefresh();
  return useMutation({
    mutationFn: async (body: BodyIn<typeof websites.create>) =>
      (await call(websites.create, { params: { knowledge }, body })).data,
    onSuccess,
  });
}

export function useWebsiteActions(website: string) {
  const onSuccess = useRefresh();
  const onRemoved = useRefresh([...keys.all, 'of']);
  const params = { website };
  return {
    crawl: useMutation({ mutationFn: () => call(websites.crawl, { params }), onSuccess }),
    stop: useMutation({ mutationFn: () => call(websites.stop, { params }), onSuccess }),
    // The page itself shows it until it is left.
    remove: useMutation({ mutationFn: () => call(websites.remove, { params }), onSuccess: onRemoved }),
    update: useMutation({
      mutationFn: (body: BodyIn<typeof websites.update>) => call(websites.update, { params, body }),
      onSuccess,
    }),
  };
}
