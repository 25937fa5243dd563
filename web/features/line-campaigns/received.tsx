import { Link } from '@tanstack/react-router';
import type { LineReceived } from '../../../shared/contracts/line-campaigns.ts';
import { dayOf, formatDay, formatMoment } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { Section } from '../../ui/page.tsx';
import classes from './line-campaigns.module.css';
import { useReceived } from './line-campaigns.queries.ts';

/** What somebody was sent without having asked, the newest first. */
export function Received({ guest }: { guest: string }) {
  const { t } = useTranslation('line-campaigns');
  const { data = [] } = useReceived(guest);
  if (data.length === 0) return null;
  return (
    <Section title={t('received.title')} count={data.length}>
      {data.map((each) => (
        <One key={`${each.uuid} ${each.at}`} received={each} />
      ))}
    </Section>
  );
}

function One({ received: { kind, uuid, channel, name, text, at } }: { received: LineReceived }) {
  const { t } = useTranslation('line-campaigns');
  const words = (
    <>
      <span>
        <bdi>{name}</bdi>
        <time dateTime={at} title={formatMoment(at)}>
          {formatDay(dayOf(at))}
        </time>
      </span>
      <small>{[t(`received.${kind}`), text].filter(Boolean).join(' · ')}</small>
    </>
  );
  return kind === 'broadcast' ? (
    <Link
      to="/Line-Channel/$id/Broadcast/$broadcast"
      params={{ id: channel, broadcast: uuid }}
      className={classes['received']}
    >
      {words}
    </Link>
  ) : (
    <Link
      to="/Line-Channel/$id/Steps/$scenario"
      params={{ id: channel, scenario: uuid }}
      className={classes['received']}
    >
      {words}
    </Link>
  );
}
