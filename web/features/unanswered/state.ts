import type { Unanswered } from '../../../shared/contracts/unanswered.ts';
import type { StateKind } from '../../ui/page.tsx';

/** Only what is open asks for somebody. */
export const kindOf = ({ status, reason }: Pick<Unanswered, 'status' | 'reason'>): StateKind =>
  status === 'answered' ? 'live' : status === 'dismissed' ? 'off' : reason === 'refused' ? 'failed' : 'warning';
