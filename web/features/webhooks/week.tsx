import { VisuallyHidden } from '@mantine/core';
import type { WebhookWeek } from '../../../shared/contracts/webhooks.ts';
import { dayHere, formatDay, formatNumber, formatShare, formatWait } from '../../lib/format.ts';
import { formatLocale, useTranslation } from '../../lib/i18n.ts';
import { Section } from '../../ui/page.tsx';
import classes from './webhooks.module.css';
import { useWeek } from './webhooks.queries.ts';
import { shortMoment } from './when.ts';

/** From the one that stands below. */
const states = ['sent', 'queued', 'failed'] as const;

type Day = WebhookWeek['days'][number];

const sumOf = ({ sent, queued, failed }: Omit<Day, 'day'>) => sent + queued + failed;

interface Props {
  webhook: string;
  /** Nothing is on its way. */
  isIdle: boolean;
  failsSince: string | undefined;
}

/** How a week went: in figures, and day by day. Nothing where nothing was sent. */
export function Week({ webhook, isIdle, failsSince }: Props) {
  const { t } = useTranslation('webhooks');
  const week = useWeek(webhook, isIdle).data;
  const days = week?.days ?? [];
  const all = days.reduce(
    (sum, { sent, queued, failed }) => ({
      sent: sum.sent + sent,
      queued: sum.queued + queued,
      failed: sum.failed + failed,
    }),
    { sent: 0, queued: 0, failed: 0 },
  );
  if (!week || sumOf(all) === 0) return null;
  const share = formatShare(Math.floor((all.sent / (all.sent + all.failed)) * 100) / 100);
  return (
    <div className={classes['week']}>
      <Section title={t('list.week')}>
        <div className={classes['inWeek']}>
          <dl>
            {states.map((state) => (
              <div key={state} data-state={state} data-none={all[state] === 0 || undefined}>
                <dt>{t(`log.${state}`)}</dt>
                <dd>
                  {formatNumber(all[state])}
                  {state === 'sent' && all.sent > 0 && failsSince === undefined && <small>{share}</small>}
                </dd>
              </div>
            ))}
            {failsSince !== undefined ? (
              <div>
                <dt>{t('week.failsSince')}</dt>
                <dd>{shortMoment(failsSince)}</dd>
              </div>
            ) : (
              week.tookMs !== null && (
                <div>
                  <dt title={t('week.tookHint')}>{t('week.took')}</dt>
                  <dd>{formatWait(week.tookMs)}</dd>
                </div>
              )
            )}
          </dl>
          <Bars days={days} />
        </div>
      </Section>
    </div>
  );
}

function Bars({ days }: { days: Day[] }) {
  const { t } = useTranslation('webhooks');
  const most = Math.max(1, ...days.map(sumOf));
  const today = dayHere();
  const weekday = new Intl.DateTimeFormat(formatLocale(), { weekday: 'short', timeZone: 'UTC' });
  return (
    <ol className={classes['bars']} aria-label={t('week.byDay')}>
      {days.map((day) => {
        const told = states
          .filter((state) => day[state] > 0)
          .map((state) => t(`list.${state}`, { shown: formatNumber(day[state]) }))
          .join(t('common:comma'));
        return (
          <li key={day.day} title={[formatDay(day.day), told || t('list.none')].join(t('common:dot'))}>
            <VisuallyHidden>{[formatDay(day.day), told || t('list.none')].join(t('common:comma'))}</VisuallyHidden>
            <span aria-hidden>{sumOf(day) > 0 && formatNumber(sumOf(day))}</span>
            <div aria-hidden>
              {states
                .filter((state) => day[state] > 0)
                .map((state) => (
                  <i key={state} data-state={state} style={{ height: `${(day[state] / most) * 100}%` }} />
                ))}
            </div>
            <span aria-hidden>{day.day === today ? t('common:today') : weekday.format(Date.parse(day.day))}</span>
          </li>
        );
      })}
    </ol>
  );
}
