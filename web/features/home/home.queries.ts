import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { home } from '../../../shared/contracts/home.ts';
import { call } from '../../lib/api.ts';
import { currentLocale } from '../../lib/i18n.ts';

export const useHome = () =>
  useQuery({
    queryKey: ['home', currentLocale()],
    queryFn: async ({ signal }) => (await call(home.get, { signal })).data,
    refetchInterval: ({ state }) => ((state.data?.busyDocuments ?? 0) > 0 ? 3_000 : false),
  });

export function useSample() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async () => (await call(home.sample, { body: { locale: currentLocale() } })).data,
    onSuccess: () => client.invalidateQueries(),
  });
}
