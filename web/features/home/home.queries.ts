import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { bots } from '../../../shared/contracts/bots.ts';
import { conversations } from '../../../shared/contracts/conversations.ts';
import { home } from '../../../shared/contracts/home.ts';
import { call } from '../../lib/api.ts';
import { currentLocale } from '../../lib/i18n.ts';

export const useHome = () =>
  useQuery({
    queryKey: ['home', currentLocale()],
    queryFn: async ({ signal }) => (await call(home.get, { signal })).data,
    refetchInterval: ({ state }) => ((state.data?.busyDocuments ?? 0) > 0 ? 3_000 : false),
  });

const recentThreads = 6;

/** One's own last conversations, with the bots that they were with. */
export const useRecentThreads = () =>
  useQuery({
    queryKey: ['home', 'threads'],
    queryFn: async ({ signal }) => {
      const { data } = await call(conversations.threads, { query: { limit: recentThreads }, signal });
      if (data.length === 0) return [];
      const all = new Map((await call(bots.dropdown, { signal })).data.map((bot) => [bot.uuid, bot]));
      return data.flatMap((thread) => {
        const bot = all.get(thread.bot);
        return bot ? [{ ...thread, bot }] : [];
      });
    },
  });

export function useSample() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async () => (await call(home.sample, { body: { locale: currentLocale() } })).data,
    onSuccess: () => client.invalidateQueries(),
  });
}
