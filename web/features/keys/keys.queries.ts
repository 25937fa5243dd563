import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { keys } from '../../../shared/contracts/keys.ts';
import type { BodyIn } from '../../../shared/route.ts';
import { call } from '../../lib/api.ts';

const keyKeys = { all: ['keys'] as const };

export const useKeys = () =>
  useInfiniteQuery({
    queryKey: keyKeys.all,
    queryFn: ({ pageParam, signal }) => call(keys.list, { query: { cursor: pageParam || undefined }, signal }),
    initialPageParam: '',
    getNextPageParam: (last) => last.meta.nextCursor ?? undefined,
    select: ({ pages }) => pages.flatMap((page) => page.data),
  });

function useRefresh() {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: keyKeys.all });
}

export function useCreateKey() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: async (body: BodyIn<typeof keys.create>) => (await call(keys.create, { body })).data,
    onSuccess: refresh,
  });
}

export function useUpdateKey(uuid: string) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (body: BodyIn<typeof keys.update>) => call(keys.update, { params: { uuid }, body }),
    onSuccess: refresh,
  });
}

export function useRevokeKey() {
  const refresh = useRefresh();
  return useMutation({ mutationFn: (uuid: string) => call(keys.remove, { params: { uuid } }), onSettled: refresh });
}
