import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { Attachment } from '../../../shared/contracts/conversations.ts';
import { inbox, type InboxMessage } from '../../../shared/contracts/inbox.ts';
import { call } from '../../lib/api.ts';
import { errorText } from '../../lib/error-text.ts';
import { newId } from '../../lib/new-id.ts';
import { createStore } from '../../lib/store.ts';
import { keepMessage } from './inbox.queries.ts';

/** A reply or note on its way to the server. Sent again it has the same key, so it is there once. */
export interface Outgoing {
  key: string;
  thread: string;
  kind: 'reply' | 'note';
  text: string;
  files: Attachment[];
  /** It is this rich message, of which its text is what stands for it. */
  rich?: string;
  /** The message that it answers. */
  quotes?: string;
  /** The last message when it was sent: what is newer and says the same is this. */
  after: number;
  state: 'sending' | 'failed';
  /** Nothing where the page went before there was an answer. */
  error?: string;
  createdAt: string;
  /** Whose it is: in the same tab somebody else may sign in. */
  by: string | undefined;
}

const storageKey = 'inbox-outbox';

/** What the page before could not send. A border: storage holds what this file put there, or nothing of use. */
function readKept(): Outgoing[] {
  try {
    const kept = JSON.parse(sessionStorage.getItem(storageKey) ?? '[]') as Outgoing[];
    return kept.map((each) => ({ ...each, state: 'failed' }));
  } catch {
    return [];
  }
}

/** Kept beside the pages: whoever goes on to another conversation finds it when they come back, and after a reload. */
const outbox = createStore<Outgoing[]>(readKept());

function keep(next: Outgoing[]): void {
  outbox.set(next);
  try {
    sessionStorage.setItem(storageKey, JSON.stringify(next));
  } catch {
    // A full or closed storage loses what a reload would find, and nothing else.
  }
}

const set = (key: string, changes: Partial<Outgoing>) =>
  keep(outbox.get().map((each) => (each.key === key ? { ...each, ...changes } : each)));
const drop = (key: string) => keep(outbox.get().filter((each) => each.key !== key));

export function useOutbox(thread: string, messages: InboxMessage[], user: string | undefined) {
  const client = useQueryClient();
  const send = useCallback(
    async ({ key, thread: to, kind, text, files, rich, quotes }: Outgoing) => {
      const params = { thread: to };
      try {
        const { data } =
          kind === 'note'
            ? await call(inbox.note, { params, body: { key, text } })
            : await call(inbox.reply, {
                params,
                body:
                  rich === undefined
                    ? { key, text, files: files.map(({ uuid }) => uuid), quotes }
                    : { key, text: '', rich },
              });
        keepMessage(client, to, data);
        drop(key);
      } catch (error) {
        set(key, { state: 'failed', error: errorText(error) });
      }
    },
    [client],
  );
  const all = outbox.use().filter((each) => each.thread === thread && each.by === user);
  return {
    /** The socket may have brought it before its sender was told. */
    pending: all.filter(
      ({ state, after, text }) =>
        state === 'failed' ||
        !messages.some((message) => message.seq > after && message.author?.uuid === user && message.text === text),
    ),
    add(what: Pick<Outgoing, 'kind' | 'text' | 'files' | 'rich' | 'quotes'>) {
      const outgoing: Outgoing = {
        ...what,
        key: newId(),
        thread,
        after: messages.at(-1)?.seq ?? 0,
        state: 'sending',
        createdAt: new Date().toISOString(),
        by: user,
      };
      keep([...outbox.get(), outgoing]);
      void send(outgoing);
    },
    retry(outgoing: Outgoing) {
      set(outgoing.key, { state: 'sending' });
      void send(outgoing);
    },
    discard: drop,
  };
}
