import { infiniteQueryOptions, useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import {
  webhooks,
  type DeliveryEvent,
  type DeliveryState,
  type OutgoingWebhook,
} from '../../../shared/contracts/webhooks.ts';
import type { BodyIn } from '../../../shared/route.ts';
import { call } from '../../lib/api.ts';

interface Which {
  state?: DeliveryState | undefined;
  event?: DeliveryEvent | undefined;
}

const webhookKeys = {
  all: ['webhooks'] as const,
  list: ['webhooks', 'list'] as const,
  week: (uuid: string) => ['webhooks', uuid, 'week'] as const,
  deliveries: (uuid: string, which: Which) => ['webhooks', uuid, 'deliveries', which] as const,
};

const lookAgainMs = 3_000;

/** Asked again while something is on its way, since that tells how the address is. */
export const useWebhooks = () =>
  useQuery({
    queryKey: webhookKeys.list,
    queryFn: async ({ signal }) => (await call(webhooks.list, { signal })).data,
    refetchInterval: ({ state }) => (state.data?.some(({ week }) => week.queued > 0) ? lookAgainMs : false),
  });

/** What an address was sent, in all or what became of it so; asked again while something is on its way. */
const deliveriesOf = (uuid: string, which: Which) =>
  infiniteQueryOptions({
    queryKey: webhookKeys.deliveries(uuid, which),
    queryFn: ({ pageParam, signal }) =>
      call(webhooks.deliveries, { params: { uuid }, query: { ...which, cursor: pageParam || undefined }, signal }),
    initialPageParam: '',
    getNextPageParam: (last) => last.meta.nextCursor ?? undefined,
    // Whoever reads further back is not read to again every few seconds.
    refetchInterval: ({ state: { data } }) =>
      data?.pages.length === 1 && (data.pages[0]?.counts?.queued ?? 0) > 0 ? lookAgainMs : false,
  });

export const useDeliveries = (uuid: string, which: Which) =>
  useInfiniteQuery({ ...deliveriesOf(uuid, which), select: ({ pages }) => pages.flatMap((page) => page.data) });

/** How many were sent in the days that the log tells of. */
export const useDeliveryCounts = (uuid: string, event?: DeliveryEvent) =>
  useInfiniteQuery({ ...deliveriesOf(uuid, { event }), select: ({ pages }) => pages[0]?.counts ?? undefined });

/** Each asks the database for a count of all that the week has brought. */
const weekAgainMs = 15_000;

/** Asked again while something is on its way, and as soon as that begins and ends. */
export function useWeek(uuid: string, isIdle: boolean) {
  const week = useQuery({
    queryKey: webhookKeys.week(uuid),
    queryFn: async ({ signal }) => (await call(webhooks.week, { params: { uuid }, signal })).data,
    refetchInterval: ({ state }) => (state.data?.days.some(({ queued }) => queued > 0) ? weekAgainMs : false),
  });
  const { refetch } = week;
  useEffect(() => void refetch(), [isIdle, refetch]);
  return week;
}

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

export function useRetryAll() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: async (uuid: string) => (await call(webhooks.retry, { params: { uuid } })).data,
    onSuccess: refresh,
  });
}
