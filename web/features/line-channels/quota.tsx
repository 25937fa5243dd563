import type { LineChannel } from '../../../shared/contracts/line-channels.ts';
import { formatAgo, formatNumber } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import classes from './line-channels.module.css';

/** How much of the month's messages is used, in a line of a list. */
export function QuotaBar({ channel: { quota, settings } }: { channel: LineChannel }) {
  const { t } = useTranslation('line-channels');
  if (!quota) return null;
  const { used, limit } = quota;
  return (
    <span className={classes['quota']} title={wordsOf(quota, t)}>
      {limit !== null && <Bar used={used} limit={limit} stopAt={settings.stopAt} />}
      <span>{limit === null ? formatNumber(used) : `${formatNumber(used)} / ${formatNumber(limit)}`}</span>
    </span>
  );
}

/** The same with what it will be, and where it stops. */
export function QuotaGauge({ channel: { quota, settings } }: { channel: LineChannel }) {
  const { t } = useTranslation('line-channels');
  if (!quota) return <p className={classes['hint']}>{t('quota.unknown')}</p>;
  const { used, limit, forecast, at } = quota;
  const { stopAt } = settings;
  const isOver = forecast !== null && limit !== null && forecast > limit;
  return (
    <div className={classes['gauge']}>
      <p className={classes['figure']}>{wordsOf(quota, t)}</p>
      {limit !== null && <Bar used={used} limit={limit} stopAt={stopAt} forecast={forecast} />}
      {forecast !== null && used > 0 && (
        <p className={classes['hint']}>
          {t(isOver ? 'quota.forecastOver' : 'quota.forecast', { forecast: formatNumber(forecast) })}
        </p>
      )}
      {stopAt !== null && <p className={classes['hint']}>{t('quota.stop', { stopAt: formatNumber(stopAt) })}</p>}
      <p className={classes['hint']}>{t('quota.free')}</p>
      <p className={classes['asked']}>{t('quota.asked', { ago: formatAgo(at) })}</p>
    </div>
  );
}

const wordsOf = (
  { used, limit }: NonNullable<LineChannel['quota']>,
  t: ReturnType<typeof useTranslation<'line-channels'>>['t'],
) =>
  limit === null
    ? t('quota.usedFree', { used: formatNumber(used) })
    : t('quota.used', { used: formatNumber(used), limit: formatNumber(limit) });

/** The words beside it say the same. */
function Bar({
  used,
  limit,
  stopAt,
  forecast = null,
}: {
  used: number;
  limit: number;
  stopAt: number | null;
  forecast?: number | null;
}) {
  const share = (value: number) => `${Math.min(100, limit > 0 ? (value / limit) * 100 : 100)}%`;
  return (
    <span className={classes['bar']} data-spent={used >= Math.min(limit, stopAt ?? limit) || undefined} aria-hidden>
      {forecast !== null && <i data-forecast style={{ width: share(forecast) }} />}
      <i style={{ width: share(used) }} />
      {stopAt !== null && stopAt < limit && <b style={{ insetInlineStart: share(stopAt) }} />}
    </span>
  );
}
