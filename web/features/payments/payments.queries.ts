import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { payments, type sandboxVerdicts } from '../../../shared/contracts/payments.ts';
import type { BodyIn } from '../../../shared/route.ts';
import { unitOf } from '../../../shared/money.ts';
import { call } from '../../lib/api.ts';
import { currentLocale } from '../../lib/i18n.ts';
import { formatSpan } from './price.ts';

const paymentKeys = {
  list: ['payments', 'list'] as const,
  packages: ['payments', 'packages'] as const,
  topUp: ['payments', 'top-up'] as const,
  one: (uuid: string) => ['payments', 'one', uuid] as const,
};

export const usePackages = () =>
  useQuery({ queryKey: paymentKeys.packages, queryFn: ({ signal }) => call(payments.packages, { signal }) });

const currencyOf = { en: 'USD', ja: 'JPY' } as const;

interface CreditPrice {
  /** Some packages are better than others. */
  varies: boolean;
  format(credits: number): string;
}

/**
 * What so many credits cost, from the best package to the dearest, in the currency of whoever reads where they are sold in it; null
 * where they are not sold, and nothing while that is on its way.
 */
export function useCreditPrice(): CreditPrice | null | undefined {
  const { data, isPending } = usePackages();
  if (isPending) return undefined;
  const sold = data?.data ?? [];
  const locale = currentLocale();
  const { currency } = sold.find((one) => one.currency === currencyOf[locale]) ?? sold[0] ?? {};
  if (!currency) return null;
  const each = sold
    .filter((one) => one.currency === currency)
    .map(({ price, credits }) => price / unitOf(currency) / credits);
  const [least, most] = [Math.min(...each), Math.max(...each)];
  return {
    varies: least < most,
    format: (credits) => formatSpan([credits * least, credits * most], currency, locale),
  };
}

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

interface Order {
  wanted: string;
  key: string;
  topUp: BodyIn<typeof payments.create>['topUp'];
}

const order = ({ wanted, key, topUp }: Order) =>
  call(payments.create, { body: { package: wanted, topUp }, idempotencyKey: key });

/** What a purchase may have changed. */
function useRefresh() {
  const client = useQueryClient();
  return () =>
    Promise.all([paymentKeys.list, paymentKeys.topUp].map((queryKey) => client.invalidateQueries({ queryKey })));
}

/** Orders the package, once for a key; what comes with it opens the gateway's form. */
export const useOrder = () => useMutation({ mutationFn: order, onSettled: useRefresh() });

/** Orders the package, once for a key, and pays with the card. */
export const usePay = () =>
  useMutation({
    mutationFn: async ({ number, ...wanted }: Order & { number: string }) => {
      const { data } = await order(wanted);
      if (data.state !== 'created') return data;
      return (await call(payments.pay, { params: { uuid: data.uuid }, body: { number } })).data;
    },
    onSettled: useRefresh(),
  });

export const useTopUp = () =>
  useQuery({
    queryKey: paymentKeys.topUp,
    queryFn: async ({ signal }) => (await call(payments.topUp, { signal })).data,
    refetchOnMount: 'always',
  });

export function useChangeTopUp() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: BodyIn<typeof payments.changeTopUp>) => call(payments.changeTopUp, { body }),
    onSuccess: ({ data }) => client.setQueryData(paymentKeys.topUp, data),
  });
}

export function useForgetTopUp() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call(payments.forgetTopUp),
    onSettled: () => client.invalidateQueries({ queryKey: paymentKeys.topUp }),
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
