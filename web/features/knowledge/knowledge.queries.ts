import {
  keepPreviousData,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
  type QueryClient,
} from '@tanstack/react-query';
import { useEffect } from 'react';
import { documentChanged, documents, knowledge, type Document } from '../../../shared/contracts/knowledge.ts';
import type { BodyIn } from '../../../shared/route.ts';
import { call } from '../../lib/api.ts';
import { on } from '../../lib/socket.ts';

const keys = {
  bases: ['knowledges'] as const,
  base: (uuid: string) => ['knowledges', uuid] as const,
  documents: ['documents'] as const,
  of: (base: string) => ['documents', 'of', base] as const,
  document: (uuid: string) => ['documents', 'one', uuid] as const,
};

export const isBusy = (document: Pick<Document, 'status'>) =>
  ['queued', 'parsing', 'chunking', 'embedding'].includes(document.status);

export const useKnowledges = (q: string) =>
  useQuery({
    queryKey: [...keys.bases, 'list', q],
    queryFn: ({ signal }) => call(knowledge.list, { query: { q: q || undefined, limit: 100 }, signal }),
    placeholderData: keepPreviousData,
  });

export const useKnowledge = (uuid: string) =>
  useQuery({
    queryKey: keys.base(uuid),
    queryFn: async ({ signal }) => (await call(knowledge.get, { params: { uuid }, signal })).data,
  });

/** Where the socket is missing (a proxy that lets none through) the list asks now and then while something is on its way. */
const whileBusyMs = 3_000;

export const useDocuments = (base: string, q: string) =>
  useQuery({
    queryKey: [...keys.of(base), q],
    queryFn: ({ signal }) =>
      call(documents.list, { params: { knowledge: base }, query: { q: q || undefined, limit: 100 }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.data.some(isBusy) ? whileBusyMs : false),
  });

export const useAllDocuments = (q: string, status: 'busy' | 'failed' | 'ready' | undefined) =>
  useQuery({
    queryKey: [...keys.documents, 'all', q, status],
    queryFn: ({ signal }) => call(documents.all, { query: { q: q || undefined, status, limit: 100 }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.data.some(isBusy) ? whileBusyMs : false),
  });

export const useDocument = (base: string, uuid: string) =>
  useQuery({
    queryKey: keys.document(uuid),
    queryFn: async ({ signal }) =>
      (await call(documents.get, { params: { knowledge: base, document: uuid }, signal })).data,
    refetchInterval: ({ state }) => (state.data && isBusy(state.data) ? whileBusyMs : false),
  });

const chunksAtOnce = 100;

/** The chunks around a place of the document; more of them towards either end. */
export const useChunks = (document: string, generation: string, from: number | undefined) =>
  useInfiniteQuery({
    queryKey: [...keys.document(document), 'chunks', generation, from],
    enabled: from !== undefined,
    queryFn: ({ signal, pageParam }) =>
      call(documents.embeddings, { params: { uuid: document }, query: pageParam, signal }),
    initialPageParam: { from: from ?? 0, limit: chunksAtOnce },
    getNextPageParam: ({ data, meta }) =>
      meta.nextCursor === null ? undefined : { from: (data.at(-1)?.position ?? 0) + 1, limit: chunksAtOnce },
    getPreviousPageParam: ({ data }) => {
      const first = data[0]?.position ?? 0;
      return first > 0 ? { from: Math.max(0, first - chunksAtOnce), limit: Math.min(first, chunksAtOnce) } : undefined;
    },
  });

/** One chunk that is to be shown; none where the address names one that is gone. */
export const useChunk = (document: string, chunk: string | undefined) =>
  useQuery({
    queryKey: [...keys.document(document), 'chunk', chunk],
    enabled: chunk !== undefined,
    queryFn: async ({ signal }) =>
      (await call(documents.embedding, { params: { uuid: document, embedding: chunk ?? '' }, signal })).data,
  });

/** Puts what the server tells of a document into every list that shows it. */
export function useLiveDocuments(): void {
  const client = useQueryClient();
  useEffect(() => {
    const stop = on(documentChanged, (document) => {
      // Sentences of errors are asked for, since they come in the reader's language.
      if (document.status === 'failed' || !isBusy(document)) {
        void client.invalidateQueries({ queryKey: keys.documents });
        void client.invalidateQueries({ queryKey: keys.bases });
        return;
      }
      client.setQueryData(keys.document(document.uuid), document);
      patchLists(client, document);
    });
    return stop;
  }, [client]);
}

function patchLists(client: QueryClient, document: Document): void {
  client.setQueriesData<{ data: Document[] }>(
    { queryKey: keys.documents, predicate: ({ queryKey }) => queryKey[1] === 'of' || queryKey[1] === 'all' },
    (list) =>
      list && {
        ...list,
        data: list.data.map((each) => (each.uuid === document.uuid ? { ...each, ...document } : each)),
      },
  );
}

function useRefresh() {
  const client = useQueryClient();
  return () =>
    Promise.all([
      client.invalidateQueries({ queryKey: keys.bases }),
      client.invalidateQueries({ queryKey: keys.documents }),
    ]);
}

export function useCreateKnowledge() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: async (body: BodyIn<typeof knowledge.create>) => (await call(knowledge.create, { body })).data,
    onSuccess: refresh,
  });
}

export function useUpdateKnowledge(uuid: string) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (body: BodyIn<typeof knowledge.update>) => call(knowledge.update, { params: { uuid }, body }),
    onSuccess: refresh,
  });
}

export function useRemoveKnowledge() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (uuid: string) => call(knowledge.remove, { params: { uuid } }),
    onSuccess: refresh,
  });
}

export function useRestoreKnowledge() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (uuid: string) => call(knowledge.restore, { params: { uuid } }),
    onSuccess: refresh,
  });
}

/** One form for each file: a bad one does not take the others with it. */
export function useUploadFile(base: string) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: async (file: File) => {
      const form = new FormData();
      form.append('file', file);
      return (await call(documents.add, { params: { knowledge: base }, form })).data[0];
    },
    onSettled: refresh,
  });
}

export function useAddText(base: string) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: async (given: { name: string; text: string }) =>
      (await call(documents.add, { params: { knowledge: base }, body: { source: 'text', ...given } })).data[0],
    onSuccess: refresh,
  });
}

type DocumentAction = 'retry' | 'cancel' | 'reindex' | 'remove' | 'restore';

export function useDocumentAction() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: async ({ base, document, action }: { base: string; document: string; action: DocumentAction }) =>
      void (await call(documents[action], { params: { knowledge: base, document } })),
    onSettled: refresh,
  });
}

export function useUpdateDocument() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: ({ base, document, ...body }: { base: string; document: string; enabled?: boolean; name?: string }) =>
      call(documents.update, { params: { knowledge: base, document }, body }),
    onSettled: refresh,
  });
}

export function useSearchTest(base: string) {
  return useMutation({
    mutationFn: (query: string) => call(knowledge.search, { params: { uuid: base }, body: { query, limit: 8 } }),
  });
}
