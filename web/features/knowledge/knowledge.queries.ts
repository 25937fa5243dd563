import {
  keepPreviousData,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
  type InfiniteData,
  type QueryClient,
} from '@tanstack/react-query';
import { useEffect } from 'react';
import { accounts } from '../../../shared/contracts/accounts.ts';
import { bots } from '../../../shared/contracts/bots.ts';
import {
  documentChanged,
  documents,
  knowledge,
  type Document,
  type DocumentSorting,
  type Knowledge,
} from '../../../shared/contracts/knowledge.ts';
import type { Labels } from '../../../shared/labels.ts';
import type { BodyIn, ReplyOf } from '../../../shared/route.ts';
import { call, fetchBytes } from '../../lib/api.ts';
import { pathOf } from '../../lib/dropped-files.ts';
import { useKnownLabels } from '../../lib/labels.ts';
import { makeBase } from '../../lib/make-bot.ts';
import { saveFile } from '../../lib/save-file.ts';
import { on } from '../../lib/socket.ts';

const keys = {
  bases: ['knowledges'] as const,
  base: (uuid: string) => ['knowledges', uuid] as const,
  documents: ['documents'] as const,
  of: (base: string) => ['documents', 'of', base] as const,
  all: ['documents', 'all'] as const,
  document: (uuid: string) => ['documents', 'one', uuid] as const,
};

export const isBusy = (document: Pick<Document, 'status'>) =>
  ['queued', 'parsing', 'chunking', 'embedding'].includes(document.status);

export const useKnowledges = (q: string) =>
  useInfiniteQuery({
    queryKey: [...keys.bases, 'list', q],
    queryFn: ({ signal, pageParam }) =>
      call(knowledge.list, { query: { q: q || undefined, limit: 100, cursor: pageParam }, signal }),
    initialPageParam: undefined as string | undefined, // the first page has no cursor, the others do
    getNextPageParam: ({ meta }) => meta.nextCursor ?? undefined,
    placeholderData: keepPreviousData,
  });

export const useKnowledge = (uuid: string) =>
  useQuery({
    queryKey: keys.base(uuid),
    queryFn: async ({ signal }) => (await call(knowledge.get, { params: { uuid }, signal })).data,
  });

/** Where the socket is missing (a proxy that lets none through) the list asks now and then while something is on its way. */
const whileBusyMs = 3_000;

export interface DocumentFilter {
  q: string;
  status: 'busy' | 'problem' | undefined;
  sort: DocumentSorting;
  tag?: string | undefined;
}

const documentsAtOnce = 100;
const isOnTheWay = (list: InfiniteData<{ data: Document[] }> | undefined) =>
  list?.pages.some(({ data }) => data.some(isBusy)) ? whileBusyMs : false;

/** Documents of a base, or of all of them. */
export const useDocuments = (base: string | undefined, { q, status, sort, tag }: DocumentFilter) =>
  useInfiniteQuery({
    queryKey: [...(base ? keys.of(base) : keys.all), q, status, sort, tag],
    queryFn: ({ signal, pageParam }): Promise<ReplyOf<typeof documents.list> | ReplyOf<typeof documents.all>> => {
      const query = { q: q || undefined, status, sort, tag, limit: documentsAtOnce, cursor: pageParam };
      return base
        ? call(documents.list, { params: { knowledge: base }, query, signal })
        : call(documents.all, { query, signal });
    },
    initialPageParam: undefined as string | undefined, // the first page has no cursor, the others do
    getNextPageParam: ({ meta }) => meta.nextCursor ?? undefined,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => isOnTheWay(state.data),
  });

export const useDocumentTags = (base: string | undefined) =>
  useKnownLabels(base ? [base] : []).flatMap(({ name, value }) => (name === null ? [value] : []));

export const useDocument = (base: string, uuid: string) =>
  useQuery({
    queryKey: keys.document(uuid),
    queryFn: async ({ signal }) =>
      (await call(documents.get, { params: { knowledge: base, document: uuid }, signal })).data,
    refetchInterval: ({ state }) => (state.data && isBusy(state.data) ? whileBusyMs : false),
  });

const chunksAtOnce = 100;

/** The chunks around a place of the document; more of them towards either end. */
export const useChunks = (document: string, q: string, from: number | undefined) =>
  useInfiniteQuery({
    queryKey: [...keys.document(document), 'chunks', q, from],
    enabled: from !== undefined,
    placeholderData: keepPreviousData,
    queryFn: ({ signal, pageParam }) =>
      call(documents.embeddings, { params: { uuid: document }, query: { ...pageParam, q: q || undefined }, signal }),
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
  client.setQueriesData<InfiniteData<{ data: Document[] }>>(
    { queryKey: keys.documents, predicate: ({ queryKey }) => queryKey[1] === 'of' || queryKey[1] === 'all' },
    (list) =>
      list && {
        ...list,
        pages: list.pages.map((page) => ({
          ...page,
          data: page.data.map((each) => (each.uuid === document.uuid ? { ...each, ...document } : each)),
        })),
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
    mutationFn: ({ files, ...body }: BodyIn<typeof knowledge.create> & { files: File[] }) => makeBase(body, files),
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

export function useReindexBase(uuid: string) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: () => call(knowledge.reindex, { params: { uuid } }),
    onSuccess: refresh,
  });
}

export type PreviewOf = BodyIn<typeof knowledge.preview>['of'];

export const useChunkPreview = (uuid: string, body: BodyIn<typeof knowledge.preview>, isSettled: boolean) =>
  useQuery({
    enabled: isSettled,
    queryKey: ['chunk-preview', uuid, body],
    queryFn: ({ signal }) => call(knowledge.preview, { params: { uuid }, body, signal }),
    placeholderData: keepPreviousData,
    retry: false,
  });

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

/** How large a file may be, as who runs the server has set it. */
export const useMaxUploadMb = () =>
  useQuery({
    queryKey: ['max-upload'],
    queryFn: async ({ signal }) => (await call(accounts.options, { signal, anywhere: true })).data.maxUploadMb,
    staleTime: Infinity,
  }).data;

/** A smaller file is there before anybody has read how far it is. */
const toldBytes = 500_000;

interface Sending {
  file: File;
  /** The document whose place it takes. */
  document?: string | undefined;
  onProgress(share: number): void;
}

/** One form for each file: a bad one does not take the others with it. A ZIP may give several documents, and files that were left out. */
export function useUploadFile(base: string) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: async ({ file, document, onProgress }: Sending) => {
      const form = new FormData();
      form.append('file', file, pathOf(file));
      const sent = { form, ...(file.size > toldBytes && { onProgress }) };
      if (!document) return call(documents.add, { params: { knowledge: base }, ...sent });
      const { data } = await call(documents.replace, { params: { knowledge: base, document }, ...sent });
      return { data: [data], meta: { skipped: [] } };
    },
    onSettled: refresh,
  });
}

/** As many names as are asked for in one call. */
const mostNames = 1000;

/** The documents that have the names of these files. Each is that of one file, the first. */
export async function findNamed(base: string, files: File[]): Promise<Map<File, string>> {
  const names = files.map(pathOf);
  const data: ReplyOf<typeof documents.named>['data'] = [];
  for (let at = 0; at < names.length; at += mostNames) {
    const body = { names: names.slice(at, at + mostNames) };
    data.push(...(await call(documents.named, { params: { knowledge: base }, body })).data);
  }
  const free = new Map(data.map(({ name, document }) => [document, name]));
  return new Map(
    files.flatMap((file) => {
      const same = data.find(({ name, document }) => name === pathOf(file) && free.get(document) === name);
      return same && free.delete(same.document) ? [[file, same.document]] : [];
    }),
  );
}

export function useAddText(base: string) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: async (given: { name: string; text: string }) =>
      (await call(documents.add, { params: { knowledge: base }, body: { source: 'text', ...given } })).data[0],
    onSuccess: refresh,
  });
}

export function useAddPairs(base: string) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: async (given: { name: string; pairs: { question: string; answer: string }[] }) =>
      (await call(documents.add, { params: { knowledge: base }, body: { source: 'qa', ...given } })).data[0],
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

/** Files that the document had before: never more than fit one page. */
export const useVersions = (document: Document) =>
  useQuery({
    queryKey: [...keys.document(document.uuid), 'versions'],
    queryFn: async ({ signal }) =>
      (
        await call(documents.versions, {
          params: { knowledge: document.knowledge, document: document.uuid },
          query: {},
          signal,
        })
      ).data,
    refetchInterval: isBusy(document) ? whileBusyMs : false,
  });

export function useRestoreVersion({ knowledge: base, uuid }: Document) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: async (version: string) =>
      (await call(documents.restoreVersion, { params: { knowledge: base, document: uuid, version } })).data,
    onSettled: refresh,
  });
}

/** Does it with several, a few at a time; tells with how many it did not work, and why. */
export function useBulk() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: async ({ of, act }: { of: Document[]; act(params: DocumentPath): Promise<unknown> }) => {
      const left = [...of];
      const failed: unknown[] = [];
      const work = async () => {
        for (let next = left.shift(); next; next = left.shift()) {
          try {
            await act({ knowledge: next.knowledge, document: next.uuid });
          } catch (error) {
            failed.push(error);
          }
        }
      };
      await Promise.all([work(), work(), work()]);
      return failed;
    },
    onSettled: refresh,
  });
}

interface DocumentPath {
  knowledge: string;
  document: string;
}

export const bulkActions = {
  reindex: (params: DocumentPath) => call(documents.reindex, { params }),
  remove: (params: DocumentPath) => call(documents.remove, { params }),
  restore: (params: DocumentPath) => call(documents.restore, { params }),
  enable: (params: DocumentPath) => call(documents.update, { params, body: { enabled: true } }),
  disable: (params: DocumentPath) => call(documents.update, { params, body: { enabled: false } }),
};

/** Files a document under tags and fields. */
export function useLabel() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: ({ document, labels }: { document: Document; labels: Labels }) =>
      call(documents.update, { params: { knowledge: document.knowledge, document: document.uuid }, body: labels }),
    onSettled: refresh,
  });
}

/** Names of the bots that answer from any of the bases, as it is now. */
export async function findBotsOf(client: QueryClient, bases: string[]): Promise<string[]> {
  const found = await Promise.all(
    [...new Set(bases)].map((uuid) =>
      client.fetchQuery({
        queryKey: keys.base(uuid),
        queryFn: async ({ signal }) => (await call(knowledge.get, { params: { uuid }, signal })).data,
      }),
    ),
  );
  return [...new Map(found.flatMap(({ bots: those }) => those.map(({ uuid, name }) => [uuid, name]))).values()];
}

/** Makes a base of a file that was exported. */
export function useImportBase() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: ({ file, onProgress }: Pick<Sending, 'file' | 'onProgress'>) => {
      const form = new FormData();
      form.append('file', file);
      return call(knowledge.import, { form, onProgress });
    },
    onSuccess: refresh,
  });
}

/** Hands the base to the browser as a file to save. */
export const useExportBase = () =>
  useMutation({
    mutationFn: async ({ uuid, name }: Pick<Knowledge, 'uuid' | 'name'>) => {
      const bytes = await fetchBytes(knowledge.export, { params: { uuid } });
      const plain = name.replace(/[\\/:*?"<>|\p{Cc}]+/gu, ' ').trim();
      saveFile(bytes, { name: `${plain}.kotae-base.zip`, type: 'application/zip' });
    },
  });

/** A bot that answers from this base and is otherwise as it comes. */
export function useBotFrom() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ uuid, name }: { uuid: string; name: string }) =>
      (await call(bots.create, { body: { name, knowledges: [uuid] } })).data,
    onSuccess: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: ['bots'] }),
        client.invalidateQueries({ queryKey: keys.bases }),
      ]),
  });
}

/** The first chunk of a page of the original, or of the next that has one. */
export const findChunkOnPage = async (document: string, page: number) =>
  (await call(documents.embeddings, { params: { uuid: document }, query: { page, limit: 1 } })).data[0];

/** What people may do with the chunks of a document; each change brings the list and the counts up to date. */
export function useChunkActions(document: string) {
  const client = useQueryClient();
  const { mutateAsync, isPending } = useMutation({
    mutationFn: (act: () => Promise<unknown>) => act(),
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: keys.document(document) }),
        client.invalidateQueries({ queryKey: keys.bases }),
      ]),
  });
  const at = (embedding: string) => ({ params: { uuid: document, embedding } });
  return {
    isPending,
    /** What follows does so also where the row is gone by then. */
    run: (act: () => Promise<unknown>, { onSuccess, onError }: { onSuccess(): void; onError(error: object): void }) =>
      void mutateAsync(act).then(onSuccess, onError),
    add: (body: BodyIn<typeof documents.addEmbedding>) =>
      call(documents.addEmbedding, { params: { uuid: document }, body }),
    update: (chunk: string, body: BodyIn<typeof documents.updateEmbedding>) =>
      call(documents.updateEmbedding, { ...at(chunk), body }),
    split: (chunk: string, body: BodyIn<typeof documents.splitEmbedding>) =>
      call(documents.splitEmbedding, { ...at(chunk), body }),
    merge: (chunk: string, updatedAt: string) => call(documents.mergeEmbedding, { ...at(chunk), body: { updatedAt } }),
    remove: (chunk: string) => call(documents.removeEmbedding, at(chunk)),
    restore: (chunk: string, after?: string) =>
      call(documents.restoreEmbedding, { ...at(chunk), ...(after && { query: { after } }) }),
  };
}

/** What a question finds; asked again when all is read that was being read. */
export const useSearchTest = (
  base: string,
  { query, filter, isReading }: { query: string; filter: Labels; isReading: boolean },
) =>
  useQuery({
    queryKey: ['search-test', base, query, filter, isReading],
    queryFn: ({ signal }) =>
      call(knowledge.search, { params: { uuid: base }, body: { query, limit: 8, filter }, signal }),
    staleTime: 0,
    placeholderData: (before, last) => (last?.queryKey[2] === query ? before : undefined),
    enabled: query !== '',
    refetchOnWindowFocus: false,
  });
