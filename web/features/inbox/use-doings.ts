import { useCallback } from 'react';
import type { InboxThread } from '../../../shared/contracts/inbox.ts';
import { errorText } from '../../lib/error-text.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { useUser } from '../../lib/session.ts';
import { toast } from '../../ui/toast.tsx';
import { useThreadActions, type Doing } from './inbox.queries.ts';

type What = Doing extends infer Each ? (Each extends Doing ? Omit<Each, 'thread'> : never) : never;

/** Carries out what buttons and keys ask for; what puts a conversation out of sight can be taken back for a while. */
export function useDoings({
  nextAfter,
  onGo,
}: {
  /** Who waits next once a conversation is resolved. */
  nextAfter(thread: string): string | undefined;
  onGo(thread: string): void;
}) {
  const { t } = useTranslation('inbox');
  const user = useUser()?.uuid;
  const { mutate, isPending } = useThreadActions(user);
  const carryOut = useCallback(
    (thread: InboxThread, what: What) => {
      // That it was read is told again with the next message.
      const fail = (error: unknown) => void (what.does === 'see' || toast.error(errorText(error)));
      const doIt = (doing: What, onSuccess?: () => void) =>
        mutate(
          // A border: an omitted field put back.
          { ...doing, thread: thread.uuid } as Doing,
          { onError: fail, ...(onSuccess && { onSuccess }) },
        );
      const name = thread.guest.name;
      const told =
        what.does === 'resolve'
          ? t('done.resolved', { name })
          : what.does === 'snooze'
            ? t('done.snoozed', { name })
            : what.does === 'giveBack'
              ? t('done.returned', { name })
              : undefined;
      // Asked before it leaves its place in the list.
      const next = what.does === 'resolve' ? nextAfter(thread.uuid) : undefined;
      doIt(
        what,
        told === undefined
          ? undefined
          : () => {
              toast.undo(told, t('common:undo'), () => {
                undo(thread, what.does, doIt, user);
                if (next) onGo(thread.uuid);
              });
              if (next) onGo(next);
            },
      );
    },
    [mutate, t, user, nextAfter, onGo],
  );
  return { carryOut, isBusy: isPending };
}

/** To what it was: put away, with the bot, or with whoever had it. */
function undo(before: InboxThread, done: What['does'], doIt: (what: What) => void, user: string | undefined): void {
  const { status, assignee, snoozedUntil } = before;
  if (status === 'snoozed' && snoozedUntil) return doIt({ does: 'snooze', until: snoozedUntil });
  if (status === 'resolved') return doIt({ does: 'resolve' });
  if (status === 'bot') return doIt({ does: 'giveBack' });
  // What the bot has got is nobody's any more.
  if (done === 'giveBack') return doIt({ does: 'assign', to: assignee?.uuid ?? user ?? null });
  return doIt({ does: 'reopen' });
}
