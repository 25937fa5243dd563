import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { webhooks, type OutgoingWebhook } from '../../../shared/contracts/webhooks.ts';
import type { BodyIn } from '../../../shared/route.ts';
import { call } from '../../lib/api.ts';

const webhookKeys = {
  all: ['webhooks'] as const,
  list: ['webhooks', 'list'] as const,
  deliveries: (uuid: string) => ['webhooks', uuid, 'deliveries'] as const,
};

export const useWebhooks = () =>
  useQuery({
    queryKey: webhookKeys.list,
    queryFn: async ({ signal }) => (await call(webhooks.list, { signal })).data,
  });

const lookAgainMs = 3_000;

/** What an address was sent; asked again while something is on its way. */
export const useDeliveries = (uuid: string) =>
  useInfiniteQuery({
    queryKey: webhookKeys.deliveries(uuid),
    queryFn: ({ pageParam, signal }) =>
      call(webhooks.deliveries, { params: { uuid }, query: { cursor: pageParam || undefined }, signal }),
    initialPageParam: '',
    getNextPageParam: (last) => last.meta.nextCursor ?? undefined,
    select: ({ pages }) => pages.flatMap((page) => page.data),
    refetchInterval: ({ state }) =>
      state.data?.pages.some((page) => page.data.some((each) => each.state === 'queued')) ? lookAgainMs : false,
  });

function useRefresh() {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: webhookKeys.all });
}

export function useCreateWebhook() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: async (body: BodyIn<typeof webhooks.create>) => (await call(webhooks.create, { body })).data,
    onSuccess: refresh,
  });
}

export function useUpdateWebhook() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ uuid, ...body }: { uuid: string } & BodyIn<typeof webhooks.update>) =>
      (await call(webhooks.update, { params: { uuid }, body })).data,
    onSuccess: (changed) =>
      client.setQueryData<OutgoingWebhook[]>(webhookKeys.list, (rows) =>
        rows?.map((row) => (row.uuid === changed.uuid ? changed : row)),
      ),
  });
}

export const useRenewSecret = () =>
  useMutation({
    mutationFn: async (uuid: string) => (await call(webhooks.secret, { params: { uuid } })).data.secret,
  });

export function useDeleteWebhook() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (uuid: string) => call(webhooks.remove, { params: { uuid } }),
    onSettled: refresh,
  });
}

export function useTestWebhook() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: async (uuid: string) => (await call(webhooks.test, { params: { uuid } })).data,
    onSuccess: refresh,
  });
}

export function useReplay(uuid: string) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: async (delivery: string) => (await call(webhooks.replay, { params: { uuid, delivery } })).data,
    onSuccess: refresh,
  });
}
