import { infiniteQueryOptions, useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { richMessages, type RichMessage } from '../../../shared/contracts/rich-messages.ts';
import type { Picture } from '../../../shared/rich-message.ts';
import type { RichKind } from '../../../shared/rich-line.ts';
import type { BodyIn } from '../../../shared/route.ts';
import { call } from '../../lib/api.ts';

const keys = {
  list: ['rich-messages', 'list'] as const,
  one: (uuid: string) => ['rich-messages', uuid] as const,
  uses: (uuid: string) => ['rich-messages', uuid, 'uses'] as const,
};

const listOf = (q: string, kind: RichKind | undefined) =>
  infiniteQueryOptions({
    queryKey: [...keys.list, q, kind ?? ''],
    queryFn: ({ pageParam, signal }) =>
      call(richMessages.list, {
        query: { q: q || undefined, limit: 24, cursor: pageParam || undefined, ...(kind && { kind }) },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: (last) => last.meta.nextCursor ?? undefined,
    placeholderData: (before) => before,
    // What sends them is changed on other pages.
    staleTime: 0,
  });

export const useRichMessages = (q: string, kind?: RichKind) =>
  useInfiniteQuery({ ...listOf(q, kind), select: ({ pages }) => pages.flatMap((page) => page.data) });

/** The kinds of which the workspace has any, told along with that list. */
export const useRichKinds = (q: string, kind?: RichKind) =>
  useInfiniteQuery({ ...listOf(q, kind), select: ({ pages }) => pages[0]?.meta.kinds ?? [] }).data ?? [];

export const useRichMessage = (uuid: string | null) =>
  useQuery({
    queryKey: keys.one(uuid ?? ''),
    queryFn: async ({ signal }) => (await call(richMessages.get, { params: { uuid: uuid ?? '' }, signal })).data,
    enabled: uuid !== null,
  });

export const useRichUses = (uuid: string) =>
  useQuery({
    queryKey: keys.uses(uuid),
    queryFn: async ({ signal }) => (await call(richMessages.uses, { params: { uuid }, signal })).data,
  });

/** Keeps what the server said of a message, and has lists read again. */
function useKeep() {
  const client = useQueryClient();
  return (message: RichMessage) => {
    client.setQueryData(keys.one(message.uuid), message);
    void client.invalidateQueries({ queryKey: keys.list });
  };
}

export const useCreateRich = () =>
  useMutation({
    mutationFn: async (body: BodyIn<typeof richMessages.create>) => (await call(richMessages.create, { body })).data,
    onSuccess: useKeep(),
  });

export function useSaveRich(uuid: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (body: BodyIn<typeof richMessages.update>) =>
      (await call(richMessages.update, { params: { uuid }, body })).data,
    onSuccess: useKeep(),
    // Somebody else may have changed it.
    onError: () => void client.invalidateQueries({ queryKey: keys.one(uuid) }),
  });
}

export const useCopyRich = () =>
  useMutation({
    mutationFn: async ({ uuid, name }: { uuid: string; name: string }) =>
      (await call(richMessages.copy, { params: { uuid }, body: { name } })).data,
    onSuccess: useKeep(),
  });

export function useRemoveRich() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (uuid: string) => call(richMessages.remove, { params: { uuid } }),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.list }),
  });
}

export async function uploadRichImage(file: File): Promise<Picture> {
  const form = new FormData();
  form.append('file', file);
  return (await call(richMessages.uploadImage, { form })).data;
}

export const useUploadRichImage = () => useMutation({ mutationFn: uploadRichImage });

export const readLineJson = async (uuid: string): Promise<object> =>
  (await call(richMessages.exportJson, { params: { uuid } })).data;
