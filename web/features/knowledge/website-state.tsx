import type { Website } from '../../../shared/contracts/websites.ts';
import { formatAgo, formatNumber } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { State, type StateKind } from '../../ui/page.tsx';

const kinds: Record<Website['state'], StateKind> = {
  crawling: 'working',
  ready: 'live',
  stopped: 'off',
  failed: 'failed',
};

/** How far a website is, and when it was read last. */
export function WebsiteState({ site }: { site: Website }) {
  const { t } = useTranslation('websites');
  const { state, reason, read, skipped, failed, waiting, crawledAt } = site;
  const all = read + skipped + failed + waiting;
  const done = state === 'crawling' && all > 0 ? Math.round((100 * (all - waiting)) / all) : undefined;
  const counts = { read: formatNumber(read), skipped: formatNumber(skipped + failed), waiting: formatNumber(waiting) };
  const told = [
    t(state === 'crawling' || state === 'stopped' ? 'counts' : 'countsDone', counts),
    ...(state === 'ready' && crawledAt ? [t('crawledAt', { when: formatAgo(crawledAt) })] : []),
  ];
  return (
    <>
      <State kind={kinds[state]} done={done}>
        {reason ? t(`reason.${reason}`) : t(`state.${state}`)}
      </State>{' '}
      <span>{told.join(t('common:dot'))}</span>
    </>
  );
}
