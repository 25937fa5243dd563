import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { payments, type sandboxVerdicts } from '../../../shared/contracts/payments.ts';
import { call } from '../../lib/api.ts';

const paymentKeys = {
  list: ['payments', 'list'] as const,
  packages: ['payments', 'packages'] as const,
  one: (uuid: string) => ['payments', 'one', uuid] as const,
};

export const usePackages = () =>
  useQuery({ queryKey: paymentKeys.packages, queryFn: ({ signal }) => call(payments.packages, { signal }) });

export const usePayments = () =>
  useInfiniteQuery({
    queryKey: paymentKeys.list,
    queryFn: ({ pageParam, signal }) => call(payments.list, { query: { cursor: pageParam || undefined }, signal }),
    initialPageParam: '',
    getNextPageParam: (last) => last.meta.nextCursor ?? undefined,
    select: ({ pages }) => pages.flatMap((page) => page.data),
  });

/** Asked again each two seconds until the gateway has decided. */
export const usePayment = (uuid: string) =>
  useQuery({
    queryKey: paymentKeys.one(uuid),
    queryFn: ({ signal }) => call(payments.get, { params: { uuid }, signal }),
    enabled: uuid !== '',
    refetchOnMount: 'always',
    refetchInterval: ({ state }) => {
      const now = state.data?.data.state;
      return now === 'processing' || now === 'requires-action' ? 2000 : false;
    },
  });

/** Orders the package, once for a key; what comes with it opens the gateway's form. */
export function useOrder() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ wanted, key }: { wanted: string; key: string }) =>
      call(payments.create, { body: { package: wanted }, idempotencyKey: key }),
    onSettled: () => client.invalidateQueries({ queryKey: paymentKeys.list }),
  });
}

/** Orders the package, once for a key, and pays with the card. */
export function usePay() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ wanted, key, number }: { wanted: string; key: string; number: string }) => {
      const { data } = await call(payments.create, { body: { package: wanted }, idempotencyKey: key });
      if (data.state !== 'created') return data;
      return (await call(payments.pay, { params: { uuid: data.uuid }, body: { number } })).data;
    },
    onSettled: () => client.invalidateQueries({ queryKey: paymentKeys.list }),
  });
}

export function useAnswer(uuid: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (verdict: (typeof sandboxVerdicts)[number]) =>
      call(payments.answer, { params: { uuid }, body: { verdict } }),
    onSettled: () => client.invalidateQueries({ queryKey: paymentKeys.one(uuid) }),
  });
}
