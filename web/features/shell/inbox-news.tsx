import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useRef } from 'react';
import { messageSent } from '../../../shared/contracts/conversations.ts';
import { mentioned, threadChanged } from '../../../shared/contracts/inbox.ts';
import type { EventData } from '../../../shared/event.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { inboxCounts, inboxLists, needsYou } from '../../lib/inbox-counts.ts';
import { readAgain } from '../../lib/query-client.ts';
import { useWorkspace } from '../../lib/session.ts';
import { on, onConnect } from '../../lib/socket.ts';
import { tellWaiting } from '../../lib/use-title.ts';
import type { Told } from './inbox-toast.tsx';

/** However many write, how many wait is asked for this often. */
const countMs = 3_000;

/** Tells whoever may answer visitors that one has written: a toast, a sound, the number in the tab and on the app's icon. Draws nothing. */
export function InboxNews() {
  const { t } = useTranslation('common');
  const client = useQueryClient();
  const router = useRouter();
  const workspace = useWorkspace()?.uuid;
  const waiting = needsYou(useQuery(inboxCounts).data);

  useEffect(() => {
    tellWaiting(waiting);
    mark(waiting);
    return () => {
      tellWaiting(0);
      mark(0);
    };
  }, [waiting]);

  /** The conversation that was told of last, where it waits for people: that is right before a message in it. */
  const waits = useRef('');
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const count = () => void client.invalidateQueries({ queryKey: inboxCounts.queryKey });
    // Where the inbox is shown it follows by itself; whoever opens it later gets it as it is then.
    const age = () => void client.invalidateQueries({ queryKey: inboxLists, refetchType: 'none' });
    const stops = [
      on(threadChanged, (news) => {
        waits.current = news.thread.status === 'waiting' ? news.thread.uuid : '';
        if (news.workspace !== workspace) return;
        age();
        timer ??= setTimeout(() => {
          timer = undefined;
          count();
        }, countMs);
      }),
      onConnect((isNew) => {
        if (!isNew) return;
        age();
        void readAgain(client, inboxCounts.queryKey);
      }),
    ];
    return () => {
      clearTimeout(timer);
      for (const stop of stops) stop();
    };
  }, [client, workspace]);

  const tell = (id: string, thread: string, from: Told['from'], said: string, isWaiting: boolean) =>
    // Without a network there is nothing to hear either.
    void import('./inbox-toast.tsx').then(
      ({ callAttention }) => callAttention({ id, thread, from, said: said.trim() || t('noWords'), isWaiting, router }),
      () => {},
    );
  const hear = useEffectEvent(({ message, thread, workspace: of }: EventData<typeof messageSent>) => {
    if (message.role === 'user' && of !== undefined && of === workspace)
      tell(`message-${message.uuid}`, thread.uuid, thread.guest, message.message, waits.current === thread.uuid);
  });
  const hearNote = useEffectEvent(({ message, thread, workspace: of, by, text }: EventData<typeof mentioned>) => {
    if (of !== workspace) return;
    tell(`message-${message}`, thread, by, text, false);
    void client.invalidateQueries({ queryKey: inboxCounts.queryKey });
  });
  useEffect(() => {
    const stops = [on(messageSent, hear), on(mentioned, hearNote)];
    return () => stops.forEach((stop) => stop());
  }, []);
  return null;
}

/** Only an installed app has an icon to put it on. */
const mark = (count: number) =>
  void (count > 0 ? navigator.setAppBadge?.(count) : navigator.clearAppBadge?.())?.catch(() => {});
