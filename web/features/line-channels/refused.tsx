import type { LineRequest } from '../../../shared/contracts/line-channels.ts';
import { formatBytes, formatMoment } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { State } from '../../ui/page.tsx';
import classes from './line-channels.module.css';
import { useRefusedRequests } from './line-channels.queries.ts';

/** Requests to the channel's address that were not taken, and why. */
export function Refused({ channel }: { channel: string }) {
  const { t } = useTranslation('line-channels');
  const { data = [] } = useRefusedRequests(channel);
  if (data.length === 0) return null;
  return (
    <details>
      <summary>{t('request.refused', { count: data.reduce((sum, { times }) => sum + times, 0) })}</summary>
      <ul aria-label={t('request.refusedLabel')}>
        {data.map((request) => (
          <li key={request.uuid}>
            <Verdict request={request} />
            <p className={classes['hint']}>
              {formatMoment(request.createdAt)}, {formatBytes(request.bytes)}
              {request.times > 1 && `, ${t('request.times', { count: request.times })}`}
            </p>
            <Headers request={request} />
          </li>
        ))}
      </ul>
    </details>
  );
}

export function Verdict({ request: { verdict } }: { request: LineRequest }) {
  const { t } = useTranslation('line-channels');
  return <State kind={verdict === 'accepted' ? 'live' : 'warning'}>{t(`verdict.${verdict}`)}</State>;
}

/** As they came; what proves the sender is shortened. */
export function Headers({ request: { headers } }: { request: LineRequest }) {
  const { t } = useTranslation('line-channels');
  const all = Object.entries(headers);
  if (all.length === 0) return null;
  return (
    <details>
      <summary>{t('request.headers')}</summary>
      <dl className={classes['facts']}>
        {all.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd style={{ overflowWrap: 'anywhere' }}>{value}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
