import {
  keepPreviousData,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
  type QueryKey,
} from '@tanstack/react-query';
import { unanswered, type Unanswered } from '../../../shared/contracts/unanswered.ts';
import type { BodyIn } from '../../../shared/route.ts';
import { call } from '../../lib/api.ts';
import { inboxCounts } from '../../lib/inbox-counts.ts';

export interface Filter {
  status: Unanswered['status'];
  reason: Unanswered['reason'] | undefined;
  bot: string | undefined;
  q: string | undefined;
}

const keys = {
  all: ['unanswered'] as const,
  one: (uuid: string) => ['unanswered', 'one', uuid] as const,
};

export const useQuestions = (filter: Filter) =>
  useInfiniteQuery({
    queryKey: [...keys.all, 'list', filter],
    queryFn: ({ signal, pageParam }) =>
      call(unanswered.list, { query: { ...filter, limit: 50, cursor: pageParam }, signal }),
    initialPageParam: undefined as string | undefined, // the first page has no cursor, the others do
    getNextPageParam: ({ meta }) => meta.nextCursor ?? undefined,
    select: ({ pages }) => pages.flatMap(({ data }) => data),
    placeholderData: keepPreviousData,
  });

export const useQuestion = (uuid: string) =>
  useQuery({
    queryKey: keys.one(uuid),
    queryFn: async ({ signal }) => (await call(unanswered.get, { params: { unanswered: uuid }, signal })).data,
  });

export const useCounts = () => useQuery(inboxCounts);

export const useSuggestion = (uuid: string) =>
  useMutation({
    mutationFn: async () => (await call(unanswered.suggest, { params: { unanswered: uuid } })).data.text,
  });

/** What else tells of the questions, or of the bases that an answer went into. */
function useRefresh() {
  const client = useQueryClient();
  return (...more: QueryKey[]) => {
    for (const queryKey of [keys.all, inboxCounts.queryKey, ['home'], ...more])
      void client.invalidateQueries({ queryKey });
  };
}

export function useAnswer(uuid: string) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: async (body: BodyIn<typeof unanswered.answer>) =>
      (await call(unanswered.answer, { params: { unanswered: uuid }, body })).data,
    onSuccess: () => refresh(['documents'], ['knowledges']),
  });
}

export const useTell = (uuid: string) =>
  useMutation({
    mutationFn: async (answer: string) =>
      (await call(unanswered.tell, { params: { unanswered: uuid }, body: { answer } })).data.told,
  });

export function useSetStatus() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: async ({ uuid, to }: { uuid: string; to: 'dismiss' | 'reopen' }) =>
      (await call(unanswered[to], { params: { unanswered: uuid } })).data,
    onSuccess: () => refresh(),
  });
}
