import type { BroadcastPreview } from '../../../shared/contracts/line-campaigns.ts';
import { formatNumber } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import classes from './line-campaigns.module.css';

/** How much of the month's messages is used, and how much will be with this. */
export function QuotaLine({ preview: { quota, recipients } }: { preview: BroadcastPreview }) {
  const { t } = useTranslation('line-campaigns');
  if (!quota) return <p className={classes['hint']}>{t('quota.none')}</p>;
  const { limit, used, left } = quota;
  if (limit === null || left === null)
    return <p className={classes['hint']}>{t('quota.free', { used: formatNumber(used) })}</p>;
  const after = used + (recipients ?? 0);
  const share = (value: number) => `${Math.min(100, limit > 0 ? (value / limit) * 100 : 100)}%`;
  return (
    <>
      {/* The words under it say the same. */}
      <span className={classes['bar']} data-short={after > used + left || undefined} aria-hidden>
        <i data-after style={{ width: share(after) }} />
        <i style={{ width: share(used) }} />
      </span>
      <p className={classes['hint']}>
        {t(recipients === null ? 'everyone.quota' : 'quota.with', {
          used: formatNumber(used),
          limit: formatNumber(limit),
          after: formatNumber(after),
        })}
      </p>
    </>
  );
}
