import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { attend } from '../../../shared/contracts/notices.ts';
import { inboxCounts } from '../../lib/inbox-counts.ts';
import { ask, onConnect } from '../../lib/socket.ts';

/** Whoever has the conversation before their eyes, in the window that they use, is not told of it elsewhere. */
export function useAttend(thread: string): void {
  const client = useQueryClient();
  useEffect(() => {
    let told: boolean | undefined;
    const tell = (isActive: boolean) => {
      if (told === isActive) return;
      told = isActive;
      // Without a connection there is nothing to say: the server counts only connections.
      ask(attend, { thread, isActive }).then(
        () => {
          // What named them here no longer waits.
          if (isActive && client.getQueryData(inboxCounts.queryKey)?.mentions.includes(thread))
            void client.invalidateQueries({ queryKey: inboxCounts.queryKey });
        },
        () => {},
      );
    };
    const look = () => tell(document.visibilityState === 'visible' && document.hasFocus());
    const stop = onConnect(() => {
      told = undefined;
      look();
    });
    window.addEventListener('focus', look);
    window.addEventListener('blur', look);
    document.addEventListener('visibilitychange', look);
    return () => {
      stop();
      window.removeEventListener('focus', look);
      window.removeEventListener('blur', look);
      document.removeEventListener('visibilitychange', look);
      if (told) tell(false);
    };
  }, [client, thread]);
}
