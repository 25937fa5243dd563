import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { billing, type CreditCap } from '../../../shared/contracts/billing.ts';
import { bots } from '../../../shared/contracts/bots.ts';
import { connections } from '../../../shared/contracts/connections.ts';
import { keys } from '../../../shared/contracts/keys.ts';
import { usage, type CreditPrice } from '../../../shared/contracts/usage.ts';
import { workspaces } from '../../../shared/contracts/workspaces.ts';
import type { BodyIn } from '../../../shared/route.ts';
import { usualTokens } from '../../lib/amounts.ts';
import { call } from '../../lib/api.ts';
import { useBotNames } from '../../lib/bot-names.ts';
import { currentLocale } from '../../lib/i18n.ts';

const capKeys = { all: ['caps'] as const, targets: (kind: string) => ['caps', 'targets', kind] as const };

export const useCaps = () =>
  useQuery({
    queryKey: capKeys.all,
    queryFn: async ({ signal }) => (await call(billing.caps, { signal })).data,
  });

/**
 * How many bots use a model, and for how many of them it is the one that answers; of none known where it cannot be told, and nothing
 * while it is on its way.
 */
export function useBotsOf(): ((service: string) => { using: number; answering: number }) | undefined {
  const { data = [], isPending } = useBotNames();
  if (isPending) return undefined;
  return (service) => ({
    using: data.filter(({ services }) => services.includes(service)).length,
    answering: data.filter(({ services }) => services[0] === service).length,
  });
}

export const usePrices = () =>
  useQuery({
    queryKey: ['prices'],
    queryFn: async ({ signal }) => (await call(usage.prices, { signal })).data,
    staleTime: 60_000,
  });

export type TokenRates = Pick<NonNullable<CreditPrice['tokens']>, 'in' | 'out' | 'cached'>;

/** At one of the rates that a model has. */
export type PricedModel = Omit<CreditPrice, 'tokens'> & { tokens: TokenRates | null };

/** Credits are no matter where nobody or somebody else is paid. */
export const isFree = ({ key, tokens, image }: PricedModel): boolean =>
  key !== 'operator' || (tokens ? tokens.in + tokens.out === 0 : image === 0);

/** Credits for an answer from documents, as it usually is. */
export const creditsOf = ({ in: input, out }: TokenRates): number =>
  (usualTokens.in * input + usualTokens.out * out) / 1_000_000;

/** To the hundredth, so that a column of them is even; of less, two digits. */
export const formatAbout = (credits: number) =>
  new Intl.NumberFormat(
    currentLocale(),
    credits < 0.01
      ? { minimumSignificantDigits: 2, maximumSignificantDigits: 2 }
      : { minimumFractionDigits: 2, maximumFractionDigits: 2 },
  ).format(credits);

const most = 100;

/** What a cap can be for. */
export const useTargets = (kind: CreditCap['kind']) =>
  useQuery({
    queryKey: capKeys.targets(kind),
    queryFn: async ({ signal }): Promise<{ uuid: string; name: string }[]> => {
      const query = { limit: most };
      switch (kind) {
        case 'workspace':
          return [];
        case 'bot':
          return (await call(bots.dropdown, { signal })).data;
        case 'member':
          return (await call(workspaces.members, { query, signal })).data.map(({ uuid, username }) => ({
            uuid,
            name: username,
          }));
        case 'key':
          return (await call(keys.list, { query, signal })).data.filter(({ state }) => state === 'active');
        default:
          return (await call(connections.list, { query, signal })).data.map(({ channelId, name }) => ({
            uuid: channelId,
            name,
          }));
      }
    },
  });

function useRefresh() {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: capKeys.all, exact: true });
}

export function usePutCap() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: async (body: BodyIn<typeof billing.putCap>) => (await call(billing.putCap, { body })).data,
    onSuccess: refresh,
  });
}

export function useRemoveCap() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (uuid: string) => call(billing.removeCap, { params: { uuid } }),
    onSuccess: refresh,
  });
}
