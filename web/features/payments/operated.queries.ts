import { keepPreviousData, useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { payments } from '../../../shared/contracts/payments.ts';
import type { BodyIn, QueryIn } from '../../../shared/route.ts';
import { call } from '../../lib/api.ts';

const operatedKeys = {
  all: ['payments', 'operated'] as const,
  list: ['payments', 'operated', 'list'] as const,
  months: ['payments', 'operated', 'months'] as const,
  packages: ['payments', 'operated', 'packages'] as const,
  one: (uuid: string) => ['payments', 'operated', 'one', uuid] as const,
};

export type StateFilter = NonNullable<QueryIn<typeof payments.everyPayment>['state']>;

export const useOperatedPayments = (q: string, state: StateFilter | undefined) =>
  useInfiniteQuery({
    queryKey: [...operatedKeys.list, q, state],
    queryFn: ({ pageParam, signal }) =>
      call(payments.everyPayment, { query: { q: q || undefined, state, cursor: pageParam || undefined }, signal }),
    initialPageParam: '',
    getNextPageParam: (last) => last.meta.nextCursor ?? undefined,
    select: ({ pages }) => pages.flatMap((page) => page.data),
    placeholderData: keepPreviousData,
  });

export const useMonths = () =>
  useQuery({
    queryKey: operatedKeys.months,
    queryFn: async ({ signal }) => (await call(payments.months, { signal })).data,
  });

export const useEveryPackage = () =>
  useQuery({
    queryKey: operatedKeys.packages,
    queryFn: async ({ signal }) => (await call(payments.everyPackage, { signal })).data,
  });

export const usePaymentDetails = (uuid: string) =>
  useQuery({
    queryKey: operatedKeys.one(uuid),
    queryFn: async ({ signal }) => (await call(payments.details, { params: { uuid }, signal })).data,
    refetchOnMount: 'always',
  });

export function useRefund(uuid: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ key, ...body }: { key: string } & BodyIn<typeof payments.refund>) =>
      call(payments.refund, { params: { uuid }, idempotencyKey: key, body }),
    onSettled: () => client.invalidateQueries({ queryKey: operatedKeys.all }),
  });
}

export function useRelease(uuid: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call(payments.release, { params: { uuid } }),
    onSettled: () => client.invalidateQueries({ queryKey: operatedKeys.all }),
  });
}

export function useAddPackage() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: BodyIn<typeof payments.addPackage>) => call(payments.addPackage, { body }),
    onSettled: () => client.invalidateQueries({ queryKey: ['payments'] }),
  });
}

export function useRemovePackage() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (uuid: string) => call(payments.removePackage, { params: { uuid } }),
    onSettled: () => client.invalidateQueries({ queryKey: ['payments'] }),
  });
}
