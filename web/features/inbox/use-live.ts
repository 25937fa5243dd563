import { hashKey, useQueryClient, type QueryKey } from '@tanstack/react-query';
import { useEffect } from 'react';
import {
  inboxMessage,
  presence,
  threadChanged,
  unwatchInbox,
  watchInbox,
  type InboxThread,
} from '../../../shared/contracts/inbox.ts';
import { readAgain } from '../../lib/query-client.ts';
import { useUser, useWorkspace } from '../../lib/session.ts';
import { ask, on, onConnect } from '../../lib/socket.ts';
import { knownUntil } from './flow.ts';
import { keepMessage, keepThread, keptMessages, keys } from './inbox.queries.ts';

/** A list that a thousand visitors write into is drawn anew this often, and not with each of their messages. */
const gatherMs = 100;
/** A search is asked for again no more often than this, however much is written meanwhile. */
const askMs = 3_000;
/** Who has not said that they stopped writing has, after so long. */
const typingMs = 10_000;

/** Keeps lists and heads as they are at the server, and reads them again after each time without a connection. */
export function useLiveThreads(): void {
  const client = useQueryClient();
  const workspace = useWorkspace()?.uuid;
  const user = useUser()?.uuid;
  useEffect(() => {
    const changed = new Map<string, InboxThread>();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let asking: ReturnType<typeof setTimeout> | undefined;
    const unsure = new Map<string, QueryKey>();
    const askAgain = () => {
      asking = undefined;
      for (const queryKey of unsure.values()) void readAgain(client, queryKey);
      unsure.clear();
    };
    const stops = [
      on(threadChanged, (news) => {
        if (news.workspace !== workspace) return;
        changed.set(news.thread.uuid, news.thread);
        timer ??= setTimeout(() => {
          timer = undefined;
          for (const thread of changed.values())
            for (const queryKey of keepThread(client, thread, user)) unsure.set(hashKey(queryKey), queryKey);
          changed.clear();
          if (unsure.size > 0) asking ??= setTimeout(askAgain, askMs);
        }, gatherMs);
      }),
      onConnect((isNew) => void (isNew && readAgain(client, keys.lists))),
    ];
    return () => {
      clearTimeout(timer);
      clearTimeout(asking);
      for (const stop of stops) stop();
    };
  }, [client, workspace, user]);
}

/** Hears what is said in a conversation while it is open; after each time without a network, what was missed. */
export function useWatch(thread: string, isLoaded: boolean): void {
  const client = useQueryClient();
  useEffect(() => {
    if (!isLoaded) return undefined;
    const watch = async () => {
      const { messages, hasMore } = await ask(watchInbox, {
        thread,
        since: knownUntil(keptMessages(client, thread) ?? []),
      });
      // More than an answer holds: what is shown is read anew.
      if (hasMore) await client.resetQueries({ queryKey: keys.messages(thread) });
      else for (const message of messages) keepMessage(client, thread, message);
    };
    let forgetting: ReturnType<typeof setTimeout> | undefined;
    // Without a connection the page is whole, and the next one asks again.
    const tryToWatch = () => void watch().catch(() => {});
    const stops = [
      onConnect(() => {
        tryToWatch();
        void client.invalidateQueries({ queryKey: keys.thread(thread) });
      }),
      on(inboxMessage, (news) => {
        if (news.thread !== thread) return;
        const last = keptMessages(client, thread)?.at(-1)?.seq ?? 0;
        // Asked first: what is between them counts from what is here now.
        if (news.message.seq > last + 1) tryToWatch();
        keepMessage(client, thread, news.message);
      }),
      on(presence, (news) => {
        if (news.thread !== thread) return;
        client.setQueryData(keys.presence(thread), news);
        clearTimeout(forgetting);
        forgetting = setTimeout(
          () =>
            client.setQueryData(keys.presence(thread), {
              ...news,
              members: news.members.map((member) => ({ ...member, isTyping: false })),
              visitor: { ...news.visitor, isTyping: false },
            }),
          typingMs,
        );
      }),
    ];
    return () => {
      clearTimeout(forgetting);
      for (const stop of stops) stop();
      client.removeQueries({ queryKey: keys.presence(thread) });
      ask(unwatchInbox, { thread }).catch(() => {}); // it ends with the connection, too
    };
  }, [client, thread, isLoaded]);
}
