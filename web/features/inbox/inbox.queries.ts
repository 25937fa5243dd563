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
  type QueryKey,
} from '@tanstack/react-query';
import { connections } from '../../../shared/contracts/connections.ts';
import {
  inbox,
  type GuestProfile,
  type InboxMessage,
  type InboxThread,
  type presence,
} from '../../../shared/contracts/inbox.ts';
import type { EventData } from '../../../shared/event.ts';
import type { BodyIn, ReplyOf } from '../../../shared/route.ts';
import { call, fetchBytes } from '../../lib/api.ts';
import { inboxCounts, inboxLists } from '../../lib/inbox-counts.ts';
import { messagesIn, withMessage } from './flow.ts';
import { isIn, withThread, type Filter } from './rows.ts';

export const keys = {
  lists: inboxLists,
  thread: (uuid: string) => ['inbox', 'thread', uuid] as const,
  messages: (thread: string) => ['inbox', 'messages', thread] as const,
  presence: (thread: string) => ['inbox', 'presence', thread] as const,
  guest: (uuid: string) => ['inbox', 'guest', uuid] as const,
  canned: ['inbox', 'canned'] as const,
};

const threadsOf = (filter: Filter) =>
  infiniteQueryOptions({
    queryKey: [...keys.lists, filter],
    queryFn: ({ signal, pageParam }) =>
      call(inbox.threads, { query: { ...filter, q: filter.q || undefined, limit: 50, cursor: pageParam }, signal }),
    initialPageParam: undefined as string | undefined, // TanStack takes the type of its pages from here
    getNextPageParam: (last) => last.meta.nextCursor ?? undefined,
    placeholderData: keepPreviousData,
    // The socket keeps it current; a long one would be asked for page by page.
    staleTime: 60_000,
    refetchOnWindowFocus: false,
  });

const threadOf = (uuid: string) =>
  queryOptions({
    queryKey: keys.thread(uuid),
    queryFn: async ({ signal }) => (await call(inbox.thread, { params: { thread: uuid }, signal })).data,
  });

const messagesOf = (thread: string) =>
  infiniteQueryOptions({
    queryKey: keys.messages(thread),
    queryFn: ({ signal, pageParam }) =>
      call(inbox.messages, { params: { thread }, query: { before: pageParam }, signal }),
    initialPageParam: undefined as number | undefined, // as above
    getNextPageParam: ({ data, meta }) => (meta.hasMore ? data[0]?.seq : undefined),
    staleTime: Infinity, // its end is kept current by the socket
  });

type Rows = ReplyOf<typeof inbox.threads>;
type Messages = ReplyOf<typeof inbox.messages>;

export const useThreads = (filter: Filter) => useInfiniteQuery(threadsOf(filter));
export const useCounts = () => useQuery(inboxCounts);
export const useInboxThread = (uuid: string) => useQuery(threadOf(uuid));
export const useMessages = (thread: string) => useInfiniteQuery(messagesOf(thread));

/** Asks for what the page shows before it is drawn. */
export function prefetchInbox(client: QueryClient, filter: Filter, thread: string | undefined): void {
  void client.prefetchInfiniteQuery(threadsOf(filter));
  void client.prefetchQuery(inboxCounts);
  if (!thread) return;
  void client.prefetchQuery(threadOf(thread));
  void client.prefetchInfiniteQuery(messagesOf(thread));
}

/** Members who may answer; asked for again each time that somebody is about to choose one, as others join meanwhile. */
export const useStaff = ({ isChoosing }: { isChoosing: boolean }) =>
  useQuery({
    queryKey: ['inbox', 'staff'],
    queryFn: async ({ signal }) => (await call(inbox.staff, { signal })).data,
    enabled: isChoosing,
    staleTime: 1_000,
  });

/** Where visitors come from, and which bots answer there. */
export const useChannels = () =>
  useQuery({
    queryKey: ['inbox', 'channels'],
    queryFn: async ({ signal }) => (await call(connections.list, { query: { limit: 100 }, signal })).data,
    staleTime: 60_000,
  });

export const useGuest = (uuid: string | undefined) =>
  useQuery({
    queryKey: keys.guest(uuid ?? ''),
    enabled: uuid !== undefined,
    queryFn: async ({ signal }) => (await call(inbox.guest, { params: { uuid: uuid ?? '' }, signal })).data,
  });

export const useGuests = (q: string) =>
  useQuery({
    queryKey: ['inbox', 'guests', q],
    enabled: q !== '',
    queryFn: async ({ signal }) => (await call(inbox.guests, { query: { q, limit: 20 }, signal })).data,
    placeholderData: keepPreviousData,
  });

export const useCanned = () =>
  useQuery({
    queryKey: keys.canned,
    queryFn: async ({ signal }) => (await call(inbox.canned, { signal })).data,
    staleTime: 60_000,
  });

export const useFile = (thread: string, uuid: string) =>
  useQuery({
    queryKey: ['inbox', 'file', uuid],
    queryFn: ({ signal }) => fetchBytes(inbox.file, { params: { thread, uuid }, signal }),
    staleTime: Infinity,
  });

/** Who is at a conversation, as it was last told. */
export const usePresence = (thread: string) =>
  useQuery<EventData<typeof presence> | null>({
    queryKey: keys.presence(thread),
    queryFn: () => null,
    enabled: false,
  }).data;

/**
 * Puts a conversation as it is now wherever it is shown. Gives the lists of which only the server knows whether it belongs there:
 * those that are searched by their words, and those that are on their way.
 */
export function keepThread(client: QueryClient, thread: InboxThread, user: string | undefined): QueryKey[] {
  const unsure: QueryKey[] = [];
  client.setQueryData(keys.thread(thread.uuid), thread);
  for (const [queryKey, known] of client.getQueriesData<InfiniteData<Rows>>({ queryKey: keys.lists })) {
    // A border: the key was made from a filter above.
    const filter = queryKey[2] as Filter;
    const fits = isIn(thread, filter, user);
    client.setQueryData<InfiniteData<Rows>>(
      queryKey,
      (kept) =>
        kept && {
          ...kept,
          pages: withThread(kept.pages, thread, { view: filter.view, fits: fits !== false, mayJoin: fits === true }),
        },
    );
    if (fits === undefined || known === undefined) unsure.push(queryKey);
  }
  return unsure;
}

/** The rows of a list, as far as they are here. */
export const keptThreads = (client: QueryClient, filter: Filter): InboxThread[] =>
  client.getQueryData(threadsOf(filter).queryKey)?.pages.flatMap(({ data }) => data) ?? [];

export function keepMessage(client: QueryClient, thread: string, message: InboxMessage): void {
  client.setQueryData<InfiniteData<Messages>>(
    keys.messages(thread),
    (kept) => kept && { ...kept, pages: withMessage(kept.pages, message) },
  );
}

export const keptMessages = (client: QueryClient, thread: string): InboxMessage[] | undefined => {
  const kept = client.getQueryData<InfiniteData<Messages>>(keys.messages(thread));
  return kept && messagesIn(kept.pages);
};

/** What is done with a conversation as a whole. */
export function useThreadActions(user: string | undefined) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (what: Doing) => (await carryOut(what)).data,
    onSuccess: (thread) => {
      for (const queryKey of keepThread(client, thread, user)) void client.invalidateQueries({ queryKey, exact: true });
      void client.invalidateQueries({ queryKey: inboxCounts.queryKey });
    },
  });
}

export type Doing = { thread: string } & (
  | { does: 'take' | 'giveBack' | 'resolve' | 'reopen' | 'see' | 'unsee' }
  | { does: 'assign'; to: string | null }
  | { does: 'snooze'; until: string }
);

function carryOut(what: Doing) {
  const params = { thread: what.thread };
  switch (what.does) {
    case 'assign':
      return call(inbox.assign, { params, body: { user: what.to } });
    case 'snooze':
      return call(inbox.snooze, { params, body: { until: what.until } });
    case 'see':
      return call(inbox.see, { params });
    case 'unsee':
      return call(inbox.see, { params, body: { unread: true } });
    default:
      return call(inbox[what.does], { params });
  }
}

export function useUpdateGuest(uuid: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (body: BodyIn<typeof inbox.updateGuest>) =>
      (await call(inbox.updateGuest, { params: { uuid }, body })).data,
    onSuccess: (guest) => keepGuest(client, guest),
  });
}

export function useMergeGuest(uuid: string) {
  const client = useQueryClient();
  const onSuccess = (guest: GuestProfile) => {
    keepGuest(client, guest);
    return client.invalidateQueries({ queryKey: keys.lists });
  };
  return {
    merge: useMutation({
      mutationFn: async (other: string) => (await call(inbox.merge, { params: { uuid }, body: { other } })).data,
      onSuccess,
    }),
    split: useMutation({
      mutationFn: async (identity: string) => (await call(inbox.split, { params: { uuid }, body: { identity } })).data,
      onSuccess,
    }),
  };
}

export function useEraseGuest(uuid: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call(inbox.eraseGuest, { params: { uuid } }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['inbox'] }),
  });
}

/** Its rows and heads name the person, and its tags are among those to choose. */
function keepGuest(client: QueryClient, guest: GuestProfile): void {
  client.setQueryData(keys.guest(guest.uuid), guest);
  void client.invalidateQueries({ queryKey: keys.lists });
  void client.invalidateQueries({ queryKey: ['inbox', 'thread'] });
  void client.invalidateQueries({ queryKey: inboxCounts.queryKey });
}

export function useSaveCanned() {
  const client = useQueryClient();
  const onSuccess = () => client.invalidateQueries({ queryKey: keys.canned });
  return {
    save: useMutation({
      mutationFn: ({ uuid, ...body }: BodyIn<typeof inbox.createCanned> & { uuid?: string | undefined }) =>
        uuid ? call(inbox.updateCanned, { params: { canned: uuid }, body }) : call(inbox.createCanned, { body }),
      onSuccess,
    }),
    remove: useMutation({
      mutationFn: (uuid: string) => call(inbox.removeCanned, { params: { canned: uuid } }),
      onSuccess,
    }),
  };
}
