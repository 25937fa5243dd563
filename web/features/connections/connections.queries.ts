import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { bots } from '../../../shared/contracts/bots.ts';
import { connections } from '../../../shared/contracts/connections.ts';
import { conversations } from '../../../shared/contracts/conversations.ts';
import type { BodyIn } from '../../../shared/route.ts';
import { call } from '../../lib/api.ts';

const connectionKeys = {
  all: ['connections'] as const,
  list: ['connections', 'list'] as const,
  one: (uuid: string) => ['connections', uuid] as const,
};

export const useConnections = () =>
  useInfiniteQuery({
    queryKey: connectionKeys.list,
    queryFn: ({ pageParam, signal }) => call(connections.list, { query: { cursor: pageParam || undefined }, signal }),
    initialPageParam: '',
    getNextPageParam: (last) => last.meta.nextCursor ?? undefined,
    select: ({ pages }) => pages.flatMap((page) => page.data),
  });

export const useConnection = (uuid: string) =>
  useQuery({
    queryKey: connectionKeys.one(uuid),
    queryFn: async ({ signal }) => (await call(connections.get, { params: { uuid }, signal })).data,
  });

export function useUpdateConnection() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ uuid, ...body }: { uuid: string } & BodyIn<typeof connections.update>) =>
      (await call(connections.update, { params: { uuid }, body })).data,
    onSuccess: (connection) => {
      client.setQueryData(connectionKeys.one(connection.uuid), connection);
      void client.invalidateQueries({ queryKey: connectionKeys.list });
      // What a channel tells of itself is its connection's in part.
      void client.invalidateQueries({ queryKey: ['web-channels'] });
      void client.invalidateQueries({ queryKey: ['line-channels'] });
    },
    // Somebody else may have changed it.
    onError: (_, { uuid }) => void client.invalidateQueries({ queryKey: connectionKeys.one(uuid) }),
  });
}

export const useTestConnection = (uuid: string) =>
  useMutation({
    mutationFn: async (body: BodyIn<typeof connections.test>) =>
      (await call(connections.test, { params: { uuid }, body })).data,
  });

/** Asks it as the public would, in a conversation that is not kept. */
export const useAskPublished = () =>
  useMutation({
    mutationFn: async ({ bot, text }: { bot: string; text: string }) => {
      const { published } = (await call(bots.get, { params: { uuid: bot } })).data;
      const preview = published ? { version: published.uuid } : undefined;
      return (await call(conversations.send, { body: { bot, message: { text }, temporary: true, preview } })).data
        .message;
    },
  });
