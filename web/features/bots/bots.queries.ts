import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { bots } from '../../../shared/contracts/bots.ts';
import { knowledge } from '../../../shared/contracts/knowledge.ts';
import type { BodyIn } from '../../../shared/route.ts';
import { call } from '../../lib/api.ts';

export const botKeys = { all: ['bots'] as const, one: (uuid: string) => ['bots', uuid] as const };

export const useBots = (q: string, sort: 'updated' | 'name') =>
  useQuery({ queryKey: [...botKeys.all, 'list', q, sort], queryFn: ({ signal }) => call(bots.list, { query: { q: q || undefined, sort, limit: 100 }, signal }), placeholderData: keepPreviousData });

export const useBot = (uuid: string) => useQuery({ queryKey: botKeys.one(uuid), queryFn: async ({ signal }) => (await call(bots.get, { params: { uuid }, signal })).data });

/** Bases to choose from in the editor. */
export const useBotKnowledges = () => useQuery({ queryKey: ['knowledges', 'options'], queryFn: async ({ signal }) => (await call(knowledge.list, { query: { limit: 100 }, signal })).data });

function useRefresh() {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: botKeys.all });
}

export function useCreateBot() {
  const refresh = useRefresh();
  return useMutation({ mutationFn: async (body: BodyIn<typeof bots.create>) => (await call(bots.create, { body })).data, onSuccess: refresh });
}

export function useUpdateBot(uuid: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (body: BodyIn<typeof bots.update>) => (await call(bots.update, { params: { uuid }, body })).data,
    onSuccess: (bot) => {
      client.setQueryData(botKeys.one(uuid), bot);
      void client.invalidateQueries({ queryKey: [...botKeys.all, 'list'] });
    },
  });
}

export function usePublishBot(uuid: string) {
  const refresh = useRefresh();
  return useMutation({ mutationFn: (note: string) => call(bots.publish, { params: { uuid }, body: { note } }), onSuccess: refresh });
}

export function useDuplicateBot() {
  const refresh = useRefresh();
  return useMutation({ mutationFn: async (uuid: string) => (await call(bots.duplicate, { params: { uuid } })).data, onSuccess: refresh });
}

export function useRemoveBot() {
  const refresh = useRefresh();
  return useMutation({ mutationFn: (uuid: string) => call(bots.remove, { params: { uuid } }), onSuccess: refresh });
}

export function useRestoreBot() {
  const refresh = useRefresh();
  return useMutation({ mutationFn: (uuid: string) => call(bots.restore, { params: { uuid } }), onSuccess: refresh });
}
