import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { bots } from '../../../shared/contracts/bots.ts';
import { conversations, type AnswerEvent, type Message } from '../../../shared/contracts/conversations.ts';
import { ApiError, call, stream } from '../../lib/api.ts';

const keys = {
  threads: (bot: string) => ['threads', bot] as const,
  messages: (thread: string) => ['messages', thread] as const,
};

/** A bot as its chat page shows it. */
export const useShownBot = (uuid: string) => useQuery({ queryKey: ['bots', uuid, 'shown'], queryFn: async ({ signal }) => (await call(bots.show, { params: { uuid }, signal })).data });

export const useThreads = (bot: string, q: string) => useQuery({ queryKey: [...keys.threads(bot), q], queryFn: ({ signal }) => call(conversations.threads, { query: { bot, q: q || undefined, limit: 50 }, signal }) });

export const useMessages = (thread: string | undefined) =>
  useInfiniteQuery({
    queryKey: keys.messages(thread ?? 'none'),
    enabled: thread !== undefined,
    queryFn: ({ signal, pageParam }) => call(conversations.messages, { params: { thread: thread ?? '' }, query: { limit: 50, cursor: pageParam }, signal }),
    initialPageParam: undefined as string | undefined, // TanStack takes the type of its pages from here
    getNextPageParam: (last) => last.meta.nextCursor ?? undefined,
    staleTime: Infinity,
  });

export function useRenameThread(bot: string) {
  const client = useQueryClient();
  return useMutation({ mutationFn: ({ thread, title }: { thread: string; title: string }) => call(conversations.update, { params: { thread }, body: { title } }), onSuccess: () => client.invalidateQueries({ queryKey: keys.threads(bot) }) });
}

export function useRemoveThread(bot: string) {
  const client = useQueryClient();
  return useMutation({ mutationFn: (thread: string) => call(conversations.remove, { params: { thread } }), onSuccess: () => client.invalidateQueries({ queryKey: keys.threads(bot) }) });
}

interface Live {
  question: Message | undefined;
  answer: Message | undefined;
}

const nothing: Live = { question: undefined, answer: undefined };

/**
 * One conversation on the screen: what is stored, and over it what is being written. A page that comes back to a thread
 * with an answer on its way follows it from what it has so far.
 */
export function useChat({ bot, thread, onThread }: { bot: string; thread: string | undefined; onThread(thread: string): void }) {
  const client = useQueryClient();
  const stored = useMessages(thread);
  const [live, setLive] = useState<Live>(nothing);
  const [pending, setPending] = useState<string>();
  const [error, setError] = useState<ApiError>();
  const current = useRef<{ abort: AbortController; thread: string | undefined }>(undefined);

  const take = useCallback(
    (event: AnswerEvent) => {
      if (event.type === 'thread') {
        if (current.current) current.current.thread = event.thread.uuid;
        onThread(event.thread.uuid);
        void client.invalidateQueries({ queryKey: keys.threads(bot) });
      }
      setLive((before) => next(before, event));
      if (event.type === 'message' && event.message.role === 'user') setPending(undefined);
    },
    [bot, client, onThread],
  );

  const follow = useCallback(
    async (begin: (signal: AbortSignal) => Promise<void>, started: string | undefined) => {
      const run = { abort: new AbortController(), thread: started };
      current.current = run;
      try {
        await begin(run.abort.signal);
      } catch (failure) {
        if (run.abort.signal.aborted) return;
        setError(failure instanceof ApiError ? failure : undefined);
        setPending(undefined);
      } finally {
        if (current.current === run) {
          current.current = undefined;
          if (run.thread) await client.invalidateQueries({ queryKey: keys.messages(run.thread) });
          setLive(nothing);
          void client.invalidateQueries({ queryKey: keys.threads(bot) });
        }
      }
    },
    [bot, client],
  );

  const send = useCallback(
    (text: string) => {
      setError(undefined);
      setPending(text);
      void follow((signal) => stream(conversations.send, { body: { bot, message: { text }, stream: true, ...(thread && { thread }) }, signal }, take), thread);
    },
    [bot, follow, take, thread],
  );

  const stop = useCallback(() => {
    const running = current.current?.thread ?? thread;
    if (running) void call(conversations.stop, { params: { thread: running } }).catch(setError);
  }, [thread]);

  const messages = (stored.data?.pages ?? []).toReversed().flatMap((page) => page.data);
  const unfinished = messages.at(-1)?.status === 'streaming' ? messages.at(-1)?.uuid : undefined;

  useEffect(() => {
    if (!thread || !unfinished || current.current) return;
    void follow((signal) => stream(conversations.resume, { params: { thread }, signal }, take), thread);
  }, [thread, unfinished, follow, take]);

  // Leaving for another thread leaves its answer to the server, which goes on writing it.
  useEffect(
    () => () => {
      if (current.current && current.current.thread !== thread) return;
      current.current?.abort.abort();
      current.current = undefined;
      setLive(nothing);
      setPending(undefined);
      setError(undefined);
    },
    [thread],
  );

  const overlay = [live.question, live.answer].filter((message) => message !== undefined);
  const shown = [...messages.filter((message) => !overlay.some((each) => each.uuid === message.uuid)), ...overlay];
  return { messages: shown, pending, isAnswering: live.answer !== undefined || pending !== undefined, send, stop, error, stored, dismiss: () => setError(undefined) };
}

function next(before: Live, event: AnswerEvent): Live {
  const { answer } = before;
  switch (event.type) {
    case 'message':
      return event.message.role === 'user' ? { ...before, question: event.message } : { ...before, answer: event.message };
    case 'delta':
      return answer ? { ...before, answer: { ...answer, text: answer.text + event.text } } : before;
    case 'citation':
      return answer ? { ...before, answer: { ...answer, citations: [...answer.citations, event.citation] } } : before;
    case 'done':
    case 'error':
      return { ...before, answer: event.message };
    default:
      return before;
  }
}
