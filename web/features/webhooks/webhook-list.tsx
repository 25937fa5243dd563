import { Box, Button } from '@mantine/core';
import { IconChevronRight, IconPlus } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { OutgoingWebhook } from '../../../shared/contracts/webhooks.ts';
import { errorText } from '../../lib/error-text.ts';
import { formatAgo, formatMoment, formatNumber, formatShare } from '../../lib/format.ts';
import { useTranslation, type Translate } from '../../lib/i18n.ts';
import { Page, Section, State } from '../../ui/page.tsx';
import { SkeletonRows } from '../../ui/paged-list.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import column from '../../ui/switch-column.module.css';
import table from '../../ui/table.module.css';
import { toast } from '../../ui/toast.tsx';
import { EventIcon } from './event-icon.tsx';
import { eventName, eventText, everyEvent } from './events.ts';
import { addressOf, WebhookSwitch } from './webhook-switch.tsx';
import classes from './webhooks.module.css';
import { useRetryAll, useWebhooks } from './webhooks.queries.ts';
import { shortMoment } from './when.ts';

export function WebhookList({ onCreate }: { onCreate(): void }) {
  const { t } = useTranslation('webhooks');
  const { data, error, refetch } = useWebhooks();
  const create = (
    <Button leftSection={<IconPlus size={16} />} onClick={onCreate}>
      {t('list.create')}
    </Button>
  );
  return (
    <Page title={t('common:page.webhooks')} actions={data && data.length > 0 && create}>
      {error && !data ? (
        <ErrorState
          title={t('common:failed.title')}
          text={errorText(error)}
          retry={t('common:retry')}
          onRetry={() => void refetch()}
        />
      ) : !data ? (
        <SkeletonRows />
      ) : data.length === 0 ? (
        <>
          <EmptyState drawing="connection" title={t('list.empty')} text={t('list.emptyText')} action={create} />
          <Box maw={560} mx="auto">
            <Section title={t('list.kinds')}>
              <ul className={classes['kinds']}>
                {everyEvent.map((event) => (
                  <li key={event}>
                    <EventIcon event={event} />
                    <span>
                      {eventName(t, event)}
                      <small>{eventText(t, event)}</small>
                    </span>
                  </li>
                ))}
              </ul>
              <p className={classes['intro']}>{t('list.signed')}</p>
            </Section>
          </Box>
        </>
      ) : (
        <>
          <p className={classes['intro']}>{t('list.about')}</p>
          <table className={table['list']}>
            <thead>
              <tr>
                <th>{t('form.url')}</th>
                <th data-from="sm" style={{ width: 264 }}>
                  {t('list.last')}
                </th>
                <th data-from="sm" style={{ width: 220 }}>
                  {t('list.week')}
                </th>
                <th data-number className={`${column['head']} ${classes['on']}`}>
                  <span>{t('list.on')}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {data
                .toSorted((one, other) => Number(isFailing(other)) - Number(isFailing(one)))
                .map((webhook) => (
                  <Row key={webhook.uuid} webhook={webhook} />
                ))}
            </tbody>
          </table>
        </>
      )}
    </Page>
  );
}

/** An address that is on and did not take what was sent last. */
export const isFailing = ({ active, last }: OutgoingWebhook): boolean => active && last !== null && !last.ok;

function Row({ webhook }: { webhook: OutgoingWebhook }) {
  const { t } = useTranslation('webhooks');
  const { uuid, url, events, active, last, pausedUntil, week } = webhook;
  const fails = isFailing(webhook);
  const when = active && last && (
    <small title={formatMoment(last.at)}>
      {[
        ...(last.error === null ? [] : [reasonInShort(t, last.error)]),
        pausedUntil ? t('list.until', { time: shortMoment(pausedUntil) }) : formatAgo(last.at),
      ].join(t('common:dot'))}
    </small>
  );
  const [figure, ...others] = figuresOf(webhook, t);
  const state = <WebhookState webhook={webhook} />;
  const names =
    events.length === everyEvent.length
      ? t('list.all')
      : everyEvent
          .filter((event) => events.includes(event))
          .map((event) => eventName(t, event))
          .join(t('common:comma'));
  const about = (
    <span className={table['one']}>
      {addressOf(url)}
      <small className={classes['names']}>{names}</small>
      <span className={table['onPhone']}>
        <span className={classes['state']}>
          {state} {when}
        </span>
        {figure && (
          <small data-failed={fails || undefined}>
            {fails ? figure : t('list.inWeek', { words: [figure, ...others].join(t('common:dot')) })}
          </small>
        )}
      </span>
    </span>
  );
  return (
    <tr className={classes['webhook']} data-off={!active || undefined}>
      <td>
        <Link to="/Webhook" search={{ id: uuid }} className={table['name']} title={url}>
          {about}
        </Link>
      </td>
      <td data-from="sm">
        {state}
        {when}
      </td>
      <td data-from="sm">
        <span className={classes['figure']}>{figure ?? <small>{t('list.none')}</small>}</span>
        {others.length > 0 && <small>{others.join(t('common:dot'))}</small>}
      </td>
      <td data-number>
        <span className={column['cell']}>
          {fails && week.queued + week.failed > 0 && <Retry uuid={uuid} url={url} />}
          <WebhookSwitch webhook={webhook} aria-label={t('list.switch', { url })} />
          <IconChevronRight size={16} aria-hidden />
        </span>
      </td>
    </tr>
  );
}

/** Of the last seven days, what matters most first: of an address that fails, what waits for it. */
function figuresOf(webhook: OutgoingWebhook, t: Translate<'webhooks'>): string[] {
  const { week, waitingSince } = webhook;
  const { sent, failed, queued } = week;
  const shown = formatNumber(queued);
  // Beside what fails now, a share of what went well before would say the opposite.
  const share = isFailing(webhook)
    ? ''
    : `${t('common:dot')}${formatShare(Math.floor((sent / (sent + failed)) * 100) / 100)}`;
  const taken = `${t('list.sent', { shown: formatNumber(sent) })}${share}`;
  const waits =
    isFailing(webhook) && waitingSince
      ? t('list.waiting', { shown, time: shortMoment(waitingSince) })
      : t('list.queued', { shown });
  const trouble = [
    ...(queued > 0 ? [waits] : []),
    ...(failed > 0 ? [t('list.failed', { shown: formatNumber(failed) })] : []),
  ];
  if (sent === 0) return trouble;
  return isFailing(webhook) ? [...trouble, taken] : [taken, ...trouble];
}

function Retry({ uuid, url }: { uuid: string; url: string }) {
  const { t } = useTranslation('webhooks');
  const retry = useRetryAll();
  return (
    <Button
      variant="default"
      size="xs"
      className={classes['retry'] ?? ''}
      aria-label={t('list.retryAll', { url: addressOf(url) })}
      loading={retry.isPending}
      onClick={() =>
        retry.mutate(uuid, {
          onSuccess: () => toast.success(t('log.replayed')),
          onError: (error) => toast.error(errorText(error)),
        })
      }
    >
      {t('list.retry')}
    </Button>
  );
}

/** What the address answered, or that it did not. */
export function reasonInShort(t: Translate<'webhooks'>, error: string): string {
  const status = /^status-(\d+)$/.exec(error)?.[1];
  if (status) return t('list.status', { status });
  if (error === 'address-not-allowed') return t('list.private');
  return t(error === 'unreachable' ? 'list.noAnswer' : 'list.notSent');
}

/** How the last attempt went, in a word. */
export function WebhookState({ webhook: { active, last, pausedUntil } }: { webhook: OutgoingWebhook }) {
  const { t } = useTranslation('webhooks');
  if (!active) return <State kind="off">{t('state.off')}</State>;
  if (pausedUntil) return <State kind="failed">{t('state.paused')}</State>;
  if (!last) return <State kind="draft">{t('list.never')}</State>;
  return <State kind={last.ok ? 'live' : 'failed'}>{t(last.ok ? 'state.works' : 'state.fails')}</State>;
}
