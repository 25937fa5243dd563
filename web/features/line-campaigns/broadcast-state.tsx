import type { BroadcastBase } from '../../../shared/contracts/line-campaigns.ts';
import { formatShare } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { State, type StateKind } from '../../ui/page.tsx';

const kinds: Record<BroadcastBase['state'], StateKind> = {
  draft: 'draft',
  scheduled: 'working',
  sending: 'working',
  done: 'live',
  cancelled: 'off',
  failed: 'failed',
  stopped: 'warning',
};

/** How many of those who were to get it are done with, from 0 to 1. */
export const shareOf = ({ recipients, sent, failed, skipped }: BroadcastBase): number =>
  recipients ? (sent + failed + skipped) / recipients : 0;

/** How many have got it; nothing before it began, and of everyone while nobody knows. */
export function sentOf({ startedAt, audience, state, reason, recipients, sent }: BroadcastBase): number | null {
  const isKnown = state === 'done' ? recipients !== null : reason === 'quota' || reason === 'refused';
  return startedAt === null || (audience.kind === 'everyone' && !isKnown) ? null : sent;
}

export function BroadcastState({ broadcast }: { broadcast: BroadcastBase }) {
  const { t } = useTranslation('line-campaigns');
  const { state, reason, recipients, audience } = broadcast;
  if (reason === 'off') return <State kind="warning">{t('state.off')}</State>;
  if (state !== 'sending') return <State kind={kinds[state]}>{t(`state.${state}`)}</State>;
  // All of them get it at one moment.
  if (audience.kind === 'everyone') return <State kind="working">{t('state.choosing')}</State>;
  const share = shareOf(broadcast);
  return (
    <State kind="working" done={Math.round(share * 100)}>
      {recipients === null ? t('state.choosing') : t('state.sending', { share: formatShare(share) })}
    </State>
  );
}
