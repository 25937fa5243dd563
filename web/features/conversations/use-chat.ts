import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useReducer, useRef, useState } from 'react';
import { conversations, type ChatEvent, type Message } from '../../../shared/contracts/conversations.ts';
import { ApiError, call, stream } from '../../lib/api.ts';
import { errorText } from '../../lib/error-text.ts';

import { keys, messagesIn, refreshMessages, useMessages } from './conversations.queries.ts';
import { change, idle, messagesOf, type Asked, type Change } from './live.ts';

/** For editors: another version or service than the draft's. */
export interface Preview {
  version?: string;
  service?: string;
}

interface Options {
  bot: string;
  thread: string | undefined;
  onThread(thread: string): void;
  temporary?: boolean | undefined;
  preview?: Preview | undefined;
}

type Take = (event: ChatEvent) => void;
type Open = (signal: AbortSignal, take: Take) => Promise<void>;

interface Run {
  abort: AbortController;
  thread: string | undefined;
  /** The server has it; from here on a lost connection loses nothing. */
  isKept: boolean;
  isOver: boolean;
  /** Pressed before the thread had a name. */
  isStopRequested: boolean;
}

/**
 * One conversation on the screen: what is stored, and over it what is being written. A page that comes back to a thread
 * with an answer on its way, after a refresh or a tunnel, follows it from what it has so far.
 */
export function useChat({ bot, thread, onThread, temporary, preview }: Options) {
  const client = useQueryClient();
  const stored = useMessages(thread);
  const [live, dispatch] = useReducer(change, idle);
  const [isStopping, setIsStopping] = useState(false);
  const [problem, setProblem] = useState<ApiError>();
  const current = useRef<Run>(undefined);
  const latest = useRef<[open: Open, started: string | undefined, begin: Change]>(undefined);

  const refresh = useCallback(
    async (uuid: string | undefined) => {
      void client.invalidateQueries({ queryKey: keys.threads(bot) });
      if (!uuid) return;
      void client.invalidateQueries({ queryKey: keys.thread(uuid) });
      await refreshMessages(client, uuid);
    },
    [bot, client],
  );

  const stopThread = useCallback(async (uuid: string) => {
    try {
      await call(conversations.stop, { params: { thread: uuid } });
    } catch (failure) {
      setProblem(toApiError(failure));
    } finally {
      setIsStopping(false);
    }
  }, []);

  const follow = useCallback(
    async (open: Open, started: string | undefined, begin: Change) => {
      latest.current = [open, started, begin];
      const run: Run = {
        abort: new AbortController(),
        thread: started,
        isKept: false,
        isOver: false,
        isStopRequested: false,
      };
      const { signal } = run.abort;
      current.current = run;
      setProblem(undefined);
      dispatch(begin);
      const take: Take = (event) => {
        run.isKept = true;
        run.isOver ||=
          event.type === 'done' || event.type === 'error' || (event.type === 'thread' && event.thread.running === null);
        if (event.type === 'thread') {
          client.setQueryData(keys.thread(event.thread.uuid), event.thread);
          if (run.thread === undefined) {
            run.thread = event.thread.uuid;
            onThread(event.thread.uuid);
            void client.invalidateQueries({ queryKey: keys.threads(bot) });
          }
          if (run.isStopRequested) void stopThread(event.thread.uuid);
          run.isStopRequested = false;
        }
        dispatch({ type: 'told', event });
      };
      let next = open;
      for (let attempt = 0; !run.isOver; attempt++) {
        try {
          await next(signal, take);
        } catch (error) {
          if (signal.aborted) return;
          const failure = toApiError(error);
          if (failure.status !== 0 || !run.isKept) {
            dispatch({ type: 'failed', failure });
            break;
          }
          dispatch({ type: 'lost' });
        }
        if (run.isOver || !run.thread) break;
        await untilBack(attempt, signal);
        if (signal.aborted) return;
        const { thread: uuid } = run;
        next = () => stream(conversations.resume, { params: { thread: uuid }, signal }, take);
      }
      await refresh(run.thread).catch(() => {});
      if (current.current !== run) return;
      current.current = undefined;
      setIsStopping(false);
      dispatch({ type: 'ended' });
    },
    [bot, client, onThread, refresh, stopThread],
  );

  const send = useCallback(
    (asked: Asked) => {
      const message = {
        text: asked.text,
        ...(asked.files.length > 0 && { files: asked.files.map(({ uuid }) => uuid) }),
      };
      const open: Open = (signal, take) =>
        stream(
          conversations.send,
          {
            body: {
              bot,
              message,
              stream: true,
              ...(thread && { thread }),
              ...(!thread && temporary && { temporary }),
              ...(preview && { preview }),
            },
            signal,
          },
          take,
        );
      void follow(open, thread, { type: 'began', asked });
    },
    [bot, follow, preview, temporary, thread],
  );

  const regenerate = useCallback(
    (message: Message) => {
      if (!thread) return;
      const open: Open = (signal, take) =>
        stream(
          conversations.regenerate,
          { params: { thread, message: message.uuid }, body: { stream: true, ...(preview && { preview }) }, signal },
          take,
        );
      void follow(open, thread, { type: 'began', after: message.parent });
    },
    [follow, preview, thread],
  );

  const edit = useCallback(
    (message: Message, text: string) => {
      if (!thread) return;
      const open: Open = (signal, take) =>
        stream(
          conversations.edit,
          { params: { thread, message: message.uuid }, body: { text, stream: true }, signal },
          take,
        );
      void follow(open, thread, { type: 'began', after: message.parent, asked: { text, files: message.files } });
    },
    [follow, thread],
  );

  const continueAnswer = useCallback(
    (message: Message) => {
      if (!thread) return;
      const open: Open = (signal, take) =>
        stream(
          conversations.continue,
          { params: { thread, message: message.uuid }, body: { stream: true }, signal },
          take,
        );
      void follow(open, thread, {
        type: 'began',
        after: message.parent,
        answer: { ...message, status: 'streaming', finish: null, error: null },
      });
    },
    [follow, thread],
  );

  const show = useCallback(
    async (message: string) => {
      if (!thread) return;
      setProblem(undefined);
      try {
        await call(conversations.show, { params: { thread, message } });
        await refresh(thread);
      } catch (failure) {
        setProblem(toApiError(failure));
      }
    },
    [refresh, thread],
  );

  const stop = useCallback(() => {
    const running = current.current?.thread ?? thread;
    setIsStopping(true);
    setProblem(undefined);
    if (running) void stopThread(running);
    else if (current.current) current.current.isStopRequested = true;
  }, [stopThread, thread]);

  const kept = useMemo(() => messagesIn(stored.data?.pages ?? []), [stored.data]);
  const last = kept.at(-1);
  const unfinished = last?.status === 'streaming' ? last.uuid : undefined;

  // A question that was refused because another answer is being written stays in sight until it was read.
  const hasFailed = live.failure !== undefined;
  useEffect(() => {
    if (!thread || !unfinished || current.current || hasFailed) return;
    void follow((signal, take) => stream(conversations.resume, { params: { thread }, signal }, take), thread, {
      type: 'began',
    });
  }, [thread, unfinished, hasFailed, follow]);

  // What was said on another screen meanwhile.
  useEffect(() => {
    if (!thread) return;
    const comeBack = () => {
      if (document.visibilityState === 'visible' && !current.current)
        void refreshMessages(client, thread).catch(() => {}); // the next one may get through
    };
    document.addEventListener('visibilitychange', comeBack);
    window.addEventListener('online', comeBack);
    return () => {
      document.removeEventListener('visibilitychange', comeBack);
      window.removeEventListener('online', comeBack);
    };
  }, [client, thread]);

  // Leaving for another thread leaves its answer to the server; a thread that has just got its name is the same one.
  useEffect(
    () => () => {
      if (current.current && current.current.thread !== thread) return;
      current.current?.abort.abort();
      current.current = undefined;
      setIsStopping(false);
      setProblem(undefined);
      dispatch({ type: 'cleared' });
    },
    [thread],
  );

  const messages = useMemo(() => messagesOf(kept, live), [kept, live]);
  const retry = useCallback(() => latest.current && void follow(...latest.current), [follow]);
  const dismiss = useCallback(() => dispatch({ type: 'cleared' }), []);
  const forgetProblem = useCallback(() => setProblem(undefined), []);
  return {
    messages,
    live,
    isAnswering: live.phase !== 'idle',
    problem,
    isStopping,
    stored,
    send,
    regenerate,
    edit,
    continueAnswer,
    show,
    stop,
    retry,
    dismiss,
    forgetProblem,
  };
}

const toApiError = (error: unknown) =>
  error instanceof ApiError ? error : new ApiError(500, 'unavailable', errorText(error));

const maxPauseMs = 10_000;

/** A moment, longer each time; or less, when the browser says that the network is back. */
function untilBack(attempt: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      clearTimeout(timer);
      window.removeEventListener('online', go);
      signal.removeEventListener('abort', go);
      resolve();
    };
    const timer = setTimeout(go, Math.min(maxPauseMs, 500 * 2 ** attempt));
    window.addEventListener('online', go);
    signal.addEventListener('abort', go);
  });
}
