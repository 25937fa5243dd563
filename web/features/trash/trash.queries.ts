import { keepPreviousData, useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { bots } from '../../../shared/contracts/bots.ts';
import { images } from '../../../shared/contracts/images.ts';
import { documents, knowledge } from '../../../shared/contracts/knowledge.ts';
import { trash, type TrashItem, type TrashKind } from '../../../shared/contracts/trash.ts';
import { call } from '../../lib/api.ts';

const key = ['trash'] as const;

export const useTrash = (q: string, kind: TrashKind | undefined) =>
  useInfiniteQuery({
    queryKey: [...key, q, kind],
    queryFn: ({ signal, pageParam }) =>
      call(trash.list, { query: { q: q || undefined, kind, limit: 50, cursor: pageParam }, signal }),
    initialPageParam: undefined as string | undefined, // TanStack takes the type of its pages from here
    getNextPageParam: (last) => last.meta.nextCursor ?? undefined,
    placeholderData: keepPreviousData,
  });

/** What comes back, or goes, is on many pages. */
function useRefresh() {
  const client = useQueryClient();
  return () => client.invalidateQueries();
}

/** A document whose base is in the trash comes back with it. */
async function restore({ kind, uuid, knowledge: base }: TrashItem): Promise<void> {
  if (kind === 'bot') await call(bots.restore, { params: { uuid } });
  else if (kind === 'knowledge') await call(knowledge.restore, { params: { uuid } });
  else if (kind === 'image') await call(images.restore, { params: { uuid } });
  else if (base) {
    if (base.isDeleted) await call(knowledge.restore, { params: { uuid: base.uuid } });
    await call(documents.restore, { params: { knowledge: base.uuid, document: uuid } });
  }
}

const erasing = {
  bot: trash.eraseBot,
  knowledge: trash.eraseKnowledge,
  document: trash.eraseDocument,
  image: trash.eraseImage,
};

export const useRestore = () => useMutation({ mutationFn: restore, onSettled: useRefresh() });

export const useErase = () =>
  useMutation({
    mutationFn: ({ kind, uuid }: TrashItem) => call(erasing[kind], { params: { uuid } }),
    onSettled: useRefresh(),
  });

export const useEmptyTrash = () =>
  useMutation({ mutationFn: async () => (await call(trash.empty)).erased, onSettled: useRefresh() });
