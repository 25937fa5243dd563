import { useLocation, useRouter, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';
import type { Citation } from '../../../shared/contracts/conversations.ts';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The passage was opened from the entry before, so that Back closes it. */
    isOpened?: boolean;
    /** What an answer quotes of the passage that is opened. */
    quote?: string;
    /** A question to a bot that was written before its conversation was opened. */
    ask?: string;
  }
}

/** The passage that is open beside a conversation: a part of the address, so that Back, reload and a link find it again. */
export function useSource() {
  const router = useRouter();
  const { document, chunk } = useSearch({ strict: false });
  const quote = useLocation({ select: ({ state }) => state.quote });
  const open = useCallback(
    (citation: Citation) => {
      const { search, state } = router.state.location;
      void router.navigate({
        to: '.',
        search: { ...search, document: citation.document.uuid, chunk: citation.embedding },
        // A step to another source goes back no further than the first one did.
        state: { isOpened: 'chunk' in search ? (state.isOpened ?? false) : true, quote: citation.quote },
        replace: 'chunk' in search,
      });
    },
    [router],
  );
  const close = useCallback(() => {
    const { search, state } = router.state.location;
    if (state.isOpened) return router.history.back();
    void router.navigate({ to: '.', search: { ...search, document: undefined, chunk: undefined }, replace: true });
  }, [router]);
  return { place: document && chunk ? { document, chunk, quote } : undefined, open, close };
}
