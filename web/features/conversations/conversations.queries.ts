import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
  type InfiniteData,
  type QueryClient,
} from '@tanstack/react-query';
import { bots } from '../../../shared/contracts/bots.ts';
import { conversations, type Feedback, type Message } from '../../../shared/contracts/conversations.ts';
import type { BodyIn, ReplyOf } from '../../../shared/route.ts';
import { call, fetchBytes } from '../../lib/api.ts';
import { withNewest } from './live.ts';

export const keys = {
  threads: (bot: string) => ['threads', bot] as const,
  thread: (uuid: string | undefined) => ['thread', uuid] as const,
  messages: (thread: string | undefined) => ['messages', thread] as const,
};

const pageSize = 50;

type Page = ReplyOf<typeof conversations.messages>;

const shownBot = (uuid: string) =>
  queryOptions({
    queryKey: ['bots', uuid, 'shown'],
    queryFn: async ({ signal }) => (await call(bots.show, { params: { uuid }, signal })).data,
  });

/** A bot as its chat page shows it. */
export const useShownBot = (uuid: string) => useQuery(shownBot(uuid));

export const useThreads = (bot: string, q: string) =>
  useInfiniteQuery({
    queryKey: [...keys.threads(bot), q],
    queryFn: ({ signal, pageParam }) =>
      call(conversations.threads, { query: { bot, q: q || undefined, limit: 50, cursor: pageParam }, signal }),
    initialPageParam: undefined as string | undefined, // TanStack takes the type of its pages from here
    getNextPageParam: (last) => last.meta.nextCursor ?? undefined,
    placeholderData: keepPreviousData,
  });

export const useThread = (uuid: string | undefined) =>
  useQuery({
    queryKey: keys.thread(uuid),
    enabled: uuid !== undefined,
    queryFn: async ({ signal }) => (await call(conversations.get, { params: { thread: uuid ?? '' }, signal })).data,
  });

export const messagesOf = (thread: string | undefined) =>
  infiniteQueryOptions({
    queryKey: keys.messages(thread),
    enabled: thread !== undefined,
    queryFn: ({ signal, pageParam }) =>
      call(conversations.messages, {
        params: { thread: thread ?? '' },
        query: { limit: pageSize, cursor: pageParam },
        signal,
      }),
    initialPageParam: undefined as string | undefined, // as above
    getNextPageParam: (last) => last.meta.nextCursor ?? undefined,
    staleTime: Infinity, // its end is kept current by refreshMessages
  });

export const useMessages = (thread: string | undefined) => useInfiniteQuery(messagesOf(thread));

/** Asks for what a conversation's page shows before the page itself is drawn. */
export function prefetchChat(client: QueryClient, bot: string, thread: string | undefined): void {
  void client.prefetchQuery(shownBot(bot));
  if (thread) void client.prefetchInfiniteQuery(messagesOf(thread));
}

/** Reads the end of a thread again, however much of it is on the screen. */
export async function refreshMessages(client: QueryClient, thread: string): Promise<void> {
  const queryKey = keys.messages(thread);
  const newest = await call(conversations.messages, { params: { thread }, query: { limit: pageSize } });
  // What is on its way has not seen the end.
  await client.cancelQueries({ queryKey });
  client.setQueryData<InfiniteData<Page, string | undefined>>(queryKey, (kept) => {
    const data = kept && withNewest(messagesIn(kept.pages), newest.data);
    const oldest = kept?.pages.at(-1);
    return {
      pages: [data && oldest && newest.meta.nextCursor !== null ? { data, meta: oldest.meta } : newest],
      pageParams: [undefined],
    };
  });
}

/** The pages hold older messages the further on they are. */
export const messagesIn = (pages: Page[]): Message[] => pages.toReversed().flatMap((page) => page.data);

/** Puts a message in the place of the one that is kept. */
function patchMessage(client: QueryClient, thread: string, message: Message): void {
  client.setQueryData<InfiniteData<Page>>(
    keys.messages(thread),
    (kept) =>
      kept && {
        ...kept,
        pages: kept.pages.map((page) => ({
          ...page,
          data: page.data.map((each) => (each.uuid === message.uuid ? message : each)),
        })),
      },
  );
}

export function useUpdateThread(bot: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ thread, ...body }: { thread: string } & BodyIn<typeof conversations.update>) =>
      (await call(conversations.update, { params: { thread }, body })).data,
    onSuccess: (thread) => {
      client.setQueryData(keys.thread(thread.uuid), thread);
      return client.invalidateQueries({ queryKey: keys.threads(bot) });
    },
  });
}

export function useRemoveThread(bot: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (thread: string) => call(conversations.remove, { params: { thread } }),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.threads(bot) }),
  });
}

export function useShareThread(bot: string, thread: string) {
  const client = useQueryClient();
  const onSuccess = () =>
    Promise.all([
      client.invalidateQueries({ queryKey: keys.thread(thread) }),
      client.invalidateQueries({ queryKey: keys.threads(bot) }),
    ]);
  return {
    share: useMutation({
      mutationFn: async () => (await call(conversations.share, { params: { thread } })).data.url,
      onSuccess,
    }),
    unshare: useMutation({ mutationFn: () => call(conversations.unshare, { params: { thread } }), onSuccess }),
  };
}

/** Shows at once what was pressed, and what it was before if that could not be kept. */
export function useRate(thread: string, message: Message) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (given: { rating: 'up' | 'down' | null; reasons?: Feedback['reasons']; text?: string }) =>
      (await call(conversations.rate, { params: { thread, message: message.uuid }, body: given })).data,
    onMutate: ({ rating, reasons = [], text = '' }) =>
      patchMessage(client, thread, { ...message, feedback: rating && { rating, reasons, text } }),
    onSuccess: (rated) => patchMessage(client, thread, rated),
    onError: () => patchMessage(client, thread, message),
  });
}

export const useTrace = (thread: string, message: string) =>
  useQuery({
    queryKey: ['trace', message],
    queryFn: async ({ signal }) => (await call(conversations.trace, { params: { thread, message }, signal })).data,
  });

export const useAttachment = (uuid: string) =>
  useQuery({
    queryKey: ['chat-file', uuid],
    queryFn: ({ signal }) => fetchBytes(conversations.file, { params: { uuid }, signal }),
    staleTime: Infinity,
  });

export const useSharedThread = (token: string) =>
  useQuery({
    queryKey: ['shared', token],
    queryFn: async ({ signal }) =>
      (await call(conversations.shared, { params: { token }, signal, anywhere: true })).data,
  });

/** Whether a person may talk to a bot that they found in somebody's thread. */
export const useMayAsk = (bot: string | undefined, isSignedIn: boolean) =>
  useQuery({
    queryKey: ['may-ask', bot],
    enabled: isSignedIn && bot !== undefined,
    retry: false,
    queryFn: ({ signal }) => call(bots.show, { params: { uuid: bot ?? '' }, signal }).then(({ data }) => data.own),
  }).data === true;
