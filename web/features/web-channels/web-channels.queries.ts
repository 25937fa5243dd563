import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { bots } from '../../../shared/contracts/bots.ts';
import { connections } from '../../../shared/contracts/connections.ts';
import { webChannels } from '../../../shared/contracts/web-channels.ts';
import type { BodyIn } from '../../../shared/route.ts';
import { call } from '../../lib/api.ts';

const channelKeys = {
  all: ['web-channels'] as const,
  list: ['web-channels', 'list'] as const,
  one: (uuid: string) => ['web-channels', uuid] as const,
};
const connectionKeys = { all: ['connections'] as const, one: (uuid: string) => ['connections', uuid] as const };

/** A page of the site may show the widget at any time. */
const seenMs = 30_000;

export const useWebChannels = () =>
  useInfiniteQuery({
    queryKey: channelKeys.list,
    queryFn: ({ pageParam, signal }) => call(webChannels.list, { query: { cursor: pageParam || undefined }, signal }),
    initialPageParam: '',
    getNextPageParam: (last) => last.meta.nextCursor ?? undefined,
    select: ({ pages }) => pages.flatMap((page) => page.data),
  });

export const useWebChannel = (uuid: string) =>
  useQuery({
    queryKey: channelKeys.one(uuid),
    queryFn: async ({ signal }) => (await call(webChannels.get, { params: { uuid }, signal })).data,
    refetchInterval: seenMs,
  });

/** Hours and hand-over of a channel are its connection's. */
export const useChannelConnection = (uuid: string | undefined) =>
  useQuery({
    queryKey: connectionKeys.one(uuid ?? ''),
    queryFn: async ({ signal }) => (await call(connections.get, { params: { uuid: uuid ?? '' }, signal })).data,
    enabled: uuid !== undefined,
  });

/** The bot as its maker has it, whose draft the preview answers from. */
export const useDraftOf = (bot: string | undefined) =>
  useQuery({
    queryKey: ['bots', bot],
    queryFn: async ({ signal }) => (await call(bots.get, { params: { uuid: bot ?? '' }, signal })).data,
    enabled: bot !== undefined,
  });

export function useRefresh() {
  const client = useQueryClient();
  return () =>
    Promise.all([
      client.invalidateQueries({ queryKey: channelKeys.all }),
      client.invalidateQueries({ queryKey: connectionKeys.all }),
    ]);
}

export function useCreateWebChannel() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: async (body: BodyIn<typeof webChannels.create>) => (await call(webChannels.create, { body })).data,
    onSuccess: () => void refresh(),
  });
}

export interface ChannelChanges {
  channel?: BodyIn<typeof webChannels.update>;
  connection?: BodyIn<typeof connections.update>;
}

/** Saves what belongs to the channel, then what belongs to its connection. */
export function useSaveWebChannel({ uuid, connection }: { uuid: string; connection: string }) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (changes: ChannelChanges) => {
      if (changes.channel) {
        const { data } = await call(webChannels.update, { params: { uuid }, body: changes.channel });
        client.setQueryData(channelKeys.one(uuid), data);
      }
      if (changes.connection) {
        const { data } = await call(connections.update, { params: { uuid: connection }, body: changes.connection });
        client.setQueryData(connectionKeys.one(connection), data);
        if (changes.connection.active !== undefined || changes.connection.bot !== undefined)
          await client.invalidateQueries({ queryKey: channelKeys.one(uuid) });
      }
    },
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: channelKeys.list });
      void client.invalidateQueries({ queryKey: [...connectionKeys.all, 'list'] });
    },
  });
}

export function useRemoveWebChannel() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (uuid: string) => call(webChannels.remove, { params: { uuid } }),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: channelKeys.list });
      void client.invalidateQueries({ queryKey: [...connectionKeys.all, 'list'] });
    },
  });
}

/** What the bot's draft says, visitors get from now on. */
export function usePublishBot() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (uuid: string) => call(bots.publish, { params: { uuid }, body: { note: '' } }),
    onSuccess: () =>
      Promise.all(
        [['web-channels'], ['connections'], ['bots']].map((queryKey) => client.invalidateQueries({ queryKey })),
      ),
  });
}

export function useNewSecret(uuid: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async () => (await call(webChannels.secret, { params: { uuid } })).data.secret,
    onSuccess: () => void client.invalidateQueries({ queryKey: channelKeys.all }),
  });
}

export const useSiteCheck = (uuid: string) =>
  useMutation({
    mutationFn: async (url: string) => (await call(webChannels.check, { params: { uuid }, body: { url } })).data.checks,
  });
