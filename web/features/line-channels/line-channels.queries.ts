import {
  queryOptions,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
  useSuspenseQuery,
} from '@tanstack/react-query';
import { connections } from '../../../shared/contracts/connections.ts';
import { lineChannels, type LineChannel, type LineEvent } from '../../../shared/contracts/line-channels.ts';
import { modelKeys } from '../../../shared/contracts/services.ts';
import { webChannels } from '../../../shared/contracts/web-channels.ts';
import type { BodyIn } from '../../../shared/route.ts';
import { call } from '../../lib/api.ts';

const keys = {
  all: ['line-channels'] as const,
  list: ['line-channels', 'list'] as const,
  one: (uuid: string) => ['line-channels', uuid] as const,
  events: (channel: string) => ['line-channels', channel, 'events'] as const,
  event: (event: string) => ['line-channels', 'event', event] as const,
  request: (request: string) => ['line-channels', 'request', request] as const,
};

/** LINE may send something at any time. */
const lookAgainMs = 15_000;
const eventsMs = 3_000;

export const useLineChannels = (q: string) =>
  useInfiniteQuery({
    queryKey: [...keys.list, q],
    queryFn: ({ pageParam, signal }) =>
      call(lineChannels.list, { query: { q: q || undefined, cursor: pageParam || undefined }, signal }),
    initialPageParam: '',
    getNextPageParam: (last) => last.meta.nextCursor ?? undefined,
    select: ({ pages }) => pages.flatMap((page) => page.data),
    refetchInterval: lookAgainMs,
    placeholderData: (before) => before,
  });

const oneChannel = (uuid: string) =>
  queryOptions({
    queryKey: keys.one(uuid),
    queryFn: async ({ signal }) => (await call(lineChannels.get, { params: { uuid }, signal })).data,
    refetchInterval: lookAgainMs,
  });

export const useLineChannel = (uuid: string) => useQuery(oneChannel(uuid));

/** As many as a workspace may have. */
const most = 100;

/** One of all, which are asked for once, however many rows of a list want to know. */
export const useLineChannelOfAll = (uuid: string) =>
  useQuery({
    queryKey: [...keys.all, 'all'],
    queryFn: async ({ signal }) => (await call(lineChannels.list, { query: { limit: most }, signal })).data,
    select: (all) => all.find((channel) => channel.uuid === uuid),
    staleTime: 60_000,
  });

/** What is drawn with it waits until it is there. */
export const useKnownLineChannel = (uuid: string) => useSuspenseQuery(oneChannel(uuid));

/** Their providers are asked each time, which takes a moment. */
export const useTranscribers = (enabled: boolean) =>
  useQuery({
    queryKey: ['model-keys', 'transcribers'],
    queryFn: async ({ signal }) => (await call(modelKeys.transcribers, { signal })).data,
    staleTime: 60_000,
    enabled,
  });

/** Websites whose customers friends may be. */
export const useWebsites = () =>
  useQuery({
    queryKey: ['web-channels', 'dropdown'],
    queryFn: async ({ signal }) => (await call(webChannels.list, { query: { limit: 100 }, signal })).data,
  });

/** Keeps what the server said of a channel, and has lists read again. */
function useKeep() {
  const client = useQueryClient();
  return (channel: LineChannel) => {
    client.setQueryData(keys.one(channel.uuid), channel);
    void client.invalidateQueries({ queryKey: keys.list });
    void client.invalidateQueries({ queryKey: ['connections'] });
  };
}

export const useConnectLine = () =>
  useMutation({
    mutationFn: async (body: BodyIn<typeof lineChannels.connect>) => (await call(lineChannels.connect, { body })).data,
    onSuccess: useKeep(),
  });

export const useTryAddress = () =>
  useMutation({
    mutationFn: async (address: string) => (await call(lineChannels.tryAddress, { body: { address } })).data,
  });

export function useSaveLine(uuid: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (body: BodyIn<typeof lineChannels.update>) =>
      (await call(lineChannels.update, { params: { uuid }, body })).data,
    onSuccess: useKeep(),
    // Somebody else may have changed it.
    onError: () => void client.invalidateQueries({ queryKey: keys.one(uuid) }),
  });
}

/** Tells LINE the address, and lets it try. */
export function useSync(uuid: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async () => (await call(lineChannels.sync, { params: { uuid } })).data,
    onSuccess: useKeep(),
    onError: () => void client.invalidateQueries({ queryKey: keys.one(uuid) }),
  });
}

/** Asks LINE how the channel is. */
export function useAskLine(uuid: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async () => (await call(lineChannels.refresh, { params: { uuid } })).data,
    onSuccess: useKeep(),
    onError: () => void client.invalidateQueries({ queryKey: keys.one(uuid) }),
  });
}

export function useSwitchLine({ uuid, connection }: Pick<LineChannel, 'uuid' | 'connection'>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (active: boolean) => call(connections.update, { params: { uuid: connection }, body: { active } }),
    onSuccess: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: keys.one(uuid), exact: true }),
        client.invalidateQueries({ queryKey: keys.list }),
        client.invalidateQueries({ queryKey: ['connections'] }),
      ]),
  });
}

export function useDisconnectLine() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (uuid: string) => call(lineChannels.remove, { params: { uuid } }),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: keys.list });
      void client.invalidateQueries({ queryKey: ['connections'] });
    },
  });
}

export interface EventFilter {
  type?: string | undefined;
  state?: LineEvent['state'] | undefined;
}

export const useLineEvents = (channel: string, filter: EventFilter) =>
  useInfiniteQuery({
    queryKey: [...keys.events(channel), filter],
    queryFn: ({ pageParam, signal }) =>
      call(lineChannels.events, { query: { channel, ...filter, cursor: pageParam || undefined }, signal }),
    initialPageParam: '',
    getNextPageParam: (last) => last.meta.nextCursor ?? undefined,
    select: ({ pages }) => pages.flatMap((page) => page.data),
    refetchInterval: eventsMs,
  });

export const useRefusedRequests = (channel: string) =>
  useQuery({
    queryKey: [...keys.events(channel), 'refused'],
    queryFn: ({ signal }) => call(lineChannels.requests, { query: { channel, verdict: 'refused', limit: 20 }, signal }),
    select: ({ data }) => data,
    refetchInterval: eventsMs,
  });

export const useLineEvent = (event: string) =>
  useQuery({
    queryKey: keys.event(event),
    queryFn: async ({ signal }) => (await call(lineChannels.event, { params: { event }, signal })).data,
    refetchInterval: ({ state }) => (state.data?.state === 'pending' ? eventsMs : false),
  });

export const useLineRequest = (request: string) =>
  useQuery({
    queryKey: keys.request(request),
    queryFn: async ({ signal }) => (await call(lineChannels.request, { params: { request }, signal })).data,
  });

export function useReplayEvent(channel: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (event: string) => (await call(lineChannels.replay, { params: { event } })).data,
    onSettled: (_, __, event) =>
      Promise.all([
        client.invalidateQueries({ queryKey: keys.event(event) }),
        client.invalidateQueries({ queryKey: keys.events(channel) }),
      ]),
  });
}
