import type { InboxThread } from '../../../shared/contracts/inbox.ts';
import { formatMoment } from '../../lib/format.ts';
import type { Translate } from '../../lib/i18n.ts';
import type { StateKind } from '../../ui/page.tsx';

/** Who answers a conversation, as a shape and a word. */
export function stateOf(
  { status, assignee, snoozedUntil, typed }: Pick<InboxThread, 'status' | 'assignee' | 'snoozedUntil' | 'typed'>,
  t: Translate<'inbox'>,
  user: string | undefined,
): { kind: StateKind; label: string; title?: string } {
  switch (status) {
    case 'bot':
      return { kind: 'live', label: t('state.bot') };
    case 'waiting':
      return { kind: 'failed', label: t('state.waiting') };
    case 'staff':
      return {
        kind: 'staff',
        label: !assignee
          ? t('state.staff')
          : assignee.uuid === user
            ? t(typed ? 'state.unsent' : 'state.withYou')
            : t('state.with', { name: assignee.name }),
      };
    case 'snoozed':
      return {
        kind: 'draft',
        label: t('state.snoozed'),
        ...(snoozedUntil && { title: t('state.snoozedUntil', { time: formatMoment(snoozedUntil) }) }),
      };
    case 'resolved':
      return { kind: 'off', label: t('state.resolved') };
  }
}
