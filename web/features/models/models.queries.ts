import { keepPreviousData, useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { modelKeys, operatorServices, trials, type ModelProviderInfo } from '../../../shared/contracts/services.ts';
import { usage } from '../../../shared/contracts/usage.ts';
import type { BodyIn, QueryIn } from '../../../shared/route.ts';
import { call, fetchBytes } from '../../lib/api.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { fetchServices } from '../../lib/session.ts';

const queryKeys = {
  providers: ['model-providers'] as const,
  keys: ['model-keys'] as const,
  opened: (key: string) => ['model-keys', key] as const,
  usage: ['usage'] as const,
  operated: ['operator', 'services'] as const,
};

export const useProviders = () =>
  useQuery({
    queryKey: queryKeys.providers,
    queryFn: async ({ signal }) => (await call(modelKeys.providers, { signal })).data,
    select: useTitles(),
    staleTime: Infinity,
  });

/** As for a workspace of one's own: an operator may be a guest in the one that is open. */
export const useAnyProviders = () =>
  useQuery({
    queryKey: [...queryKeys.providers, 'anywhere'],
    queryFn: async ({ signal }) => (await call(modelKeys.providers, { signal, anywhere: true })).data,
    select: useTitles(),
    staleTime: Infinity,
  });

/** Vendors are called the same in every language; what is no vendor is not. */
function useTitles() {
  const { t } = useTranslation('models');
  return (providers: ModelProviderInfo[]): ModelProviderInfo[] =>
    providers.map((each) => (each.kind === 'server' ? { ...each, title: t('compatible') } : each));
}

export const useModelKeys = () =>
  useQuery({ queryKey: queryKeys.keys, queryFn: async ({ signal }) => (await call(modelKeys.list, { signal })).data });

/** What a key opens is in every list of models. */
function useRefreshKeys() {
  const client = useQueryClient();
  return () => Promise.all([client.invalidateQueries({ queryKey: queryKeys.keys }), fetchServices()]);
}

export type KeySettings = BodyIn<typeof modelKeys.update>;

/** Makes a key, or changes the one of this id. */
export function useSaveModelKey() {
  const refresh = useRefreshKeys();
  return useMutation({
    mutationFn: async ({
      uuid,
      provider,
      settings,
    }: {
      uuid?: string | undefined;
      provider: string;
      settings: KeySettings;
    }) =>
      (uuid
        ? await call(modelKeys.update, { params: { uuid }, body: settings })
        : await call(modelKeys.create, { body: { provider, ...settings } })
      ).data,
    onSuccess: refresh,
  });
}

export function useCheckModelKey() {
  const refresh = useRefreshKeys();
  return useMutation({
    mutationFn: async (uuid: string) => (await call(modelKeys.check, { params: { uuid } })).data,
    onSettled: refresh,
  });
}

export function useRemoveModelKey() {
  const refresh = useRefreshKeys();
  return useMutation({
    mutationFn: (uuid: string) => call(modelKeys.remove, { params: { uuid } }),
    onSettled: refresh,
  });
}

export const useKeyModels = (uuid: string) =>
  useQuery({
    queryKey: queryKeys.opened(uuid),
    queryFn: async ({ signal }) => (await call(modelKeys.models, { params: { uuid }, signal })).data,
  });

export function useChangeKeyModel(uuid: string) {
  const refresh = useRefreshKeys();
  return useMutation({
    mutationFn: ({ service, changes }: { service: string; changes: BodyIn<typeof modelKeys.changeModel> }) =>
      call(modelKeys.changeModel, { params: { uuid, service }, body: changes }),
    onSettled: refresh,
  });
}

/** Asks a service for a sentence, once for as long as it is looked at. */
export const useTrial = (service: string | undefined) =>
  useQuery({
    queryKey: ['model-trial', service],
    queryFn: async ({ signal }) => (await call(trials.try, { body: { service: service ?? '' }, signal })).data,
    enabled: service !== undefined,
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
    refetchOnMount: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });

export type HistoryFilter = Omit<QueryIn<typeof usage.exportHistory>, 'from' | 'until'> & {
  from: string;
  until: string;
};
export type UsageFilter = QueryIn<typeof usage.byDay>;

export const useHistory = (filter: HistoryFilter, enabled: boolean) =>
  useInfiniteQuery({
    enabled,
    queryKey: [...queryKeys.usage, 'history', filter],
    queryFn: ({ pageParam, signal }) =>
      call(usage.history, { query: { ...filter, cursor: pageParam || undefined }, signal }),
    initialPageParam: '',
    getNextPageParam: (last) => last.meta.nextCursor ?? undefined,
    placeholderData: keepPreviousData,
  });

export const useUsage = (filter: UsageFilter) =>
  useQuery({
    queryKey: [...queryKeys.usage, 'by-day', filter],
    queryFn: async ({ signal }) => (await call(usage.byDay, { query: filter, signal })).data,
    placeholderData: keepPreviousData,
  });

export const useExportHistory = () =>
  useMutation({ mutationFn: (filter: HistoryFilter) => fetchBytes(usage.exportHistory, { query: filter }) });

export const useOperatedServices = () =>
  useQuery({
    queryKey: queryKeys.operated,
    queryFn: async ({ signal }) => (await call(operatorServices.list, { signal })).data,
  });

function useRefreshServices() {
  const client = useQueryClient();
  return () => Promise.all([client.invalidateQueries({ queryKey: queryKeys.operated }), fetchServices()]);
}

export function useChangeService() {
  const refresh = useRefreshServices();
  return useMutation({
    mutationFn: ({ uuid, changes }: { uuid: string; changes: BodyIn<typeof operatorServices.update> }) =>
      call(operatorServices.update, { params: { uuid }, body: changes }),
    onSettled: refresh,
  });
}

export function useAddService() {
  const refresh = useRefreshServices();
  return useMutation({
    mutationFn: (body: BodyIn<typeof operatorServices.add>) => call(operatorServices.add, { body }),
    onSuccess: refresh,
  });
}

export function useRemoveService() {
  const refresh = useRefreshServices();
  return useMutation({
    mutationFn: (uuid: string) => call(operatorServices.remove, { params: { uuid } }),
    onSettled: refresh,
  });
}
