import type { Unanswered } from '../../../shared/contracts/unanswered.ts';
import type { Translate } from '../../lib/i18n.ts';
import type { StateKind } from '../../ui/page.tsx';

/** Only what is open asks for somebody. */
export const kindOf = ({ status, reason }: Pick<Unanswered, 'status' | 'reason'>): StateKind =>
  status === 'answered' ? 'live' : status === 'dismissed' ? 'off' : reason === 'refused' ? 'failed' : 'warning';

/** While it is open why it is, afterwards what became of it. */
export const wordFor = (
  { status, reason }: Pick<Unanswered, 'status' | 'reason'>,
  t: Translate<'unanswered'>,
): string => (status === 'open' ? t(`reason.${reason}`) : t(`status.${status}`));
