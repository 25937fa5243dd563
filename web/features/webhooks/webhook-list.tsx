import { Box, Button } from '@mantine/core';
import { IconPlus, IconShare2 } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { OutgoingWebhook } from '../../../shared/contracts/webhooks.ts';
import { formatAgo, formatMoment, formatNumber, formatShare, formatTimeOfDay } from '../../lib/format.ts';
import { useTranslation, type Translate } from '../../lib/i18n.ts';
import { Page, Section, State } from '../../ui/page.tsx';
import { SkeletonRows } from '../../ui/paged-list.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import table from '../../ui/table.module.css';
import { eventName, everyEvent } from './events.ts';
import { Signature } from './signature.tsx';
import { addressOf, WebhookSwitch } from './webhook-switch.tsx';
import classes from './webhooks.module.css';
import { useWebhooks } from './webhooks.queries.ts';

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
          text={error.message}
          retry={t('common:retry')}
          onRetry={() => void refetch()}
        />
      ) : !data ? (
        <SkeletonRows />
      ) : data.length === 0 ? (
        <>
          <EmptyState drawing="connection" title={t('list.empty')} text={t('list.emptyText')} action={create} />
          <Box maw={680} mx="auto">
            <Section title={t('detail.signature')}>
              <Signature />
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
                <th data-number style={{ width: 72 }}>
                  {t('list.on')}
                </th>
              </tr>
            </thead>
            <tbody>
              {data.map((webhook) => (
                <Row key={webhook.uuid} webhook={webhook} />
              ))}
            </tbody>
          </table>
          {data.length < 3 && <p className={classes['next']}>{t('list.next')}</p>}
        </>
      )}
    </Page>
  );
}

const states = ['sent', 'failed', 'queued'] as const;

function Row({ webhook }: { webhook: OutgoingWebhook }) {
  const { t } = useTranslation('webhooks');
  const { uuid, url, events, active, last, pausedUntil, week } = webhook;
  const when = active && last && (
    <small title={formatMoment(last.at)}>
      {[
        ...(last.error === null ? [] : [reasonInShort(t, last.error)]),
        pausedUntil ? t('list.until', { time: formatTimeOfDay(pausedUntil) }) : formatAgo(last.at),
      ].join(t('common:dot'))}
    </small>
  );
  const total = week.sent + week.failed + week.queued;
  const words = states
    .filter((each) => week[each] > 0)
    .map((each) => t(`list.${each}`, { shown: formatNumber(week[each]), share: formatShare(week[each] / total) }))
    .join(t('common:dot'));
  const state = <WebhookState webhook={webhook} />;
  const names =
    events.length === everyEvent.length
      ? t('list.all')
      : events.map((event) => eventName(t, event)).join(t('common:comma'));
  return (
    <tr className={classes['webhook']} data-off={!active || undefined}>
      <td>
        <Link to="/Webhook" search={{ id: uuid }} className={table['name']} title={url}>
          <IconShare2 size={18} stroke={1.75} aria-hidden />
          <span className={table['one']}>
            {addressOf(url)}
            <small>{names}</small>
            <span className={table['onPhone']}>
              <span className={classes['state']}>
                {state} {when}
              </span>
              {total > 0 && <small>{t('list.inWeek', { words })}</small>}
            </span>
          </span>
        </Link>
      </td>
      <td data-from="sm">
        {state}
        {when}
      </td>
      <td data-from="sm">
        {total > 0 ? (
          <>
            <div className={classes['parts']} aria-hidden>
              {states
                .filter((each) => week[each] > 0)
                .map((each) => (
                  <span key={each} data-state={each} style={{ flexGrow: week[each] }} />
                ))}
            </div>
            <small>{words}</small>
          </>
        ) : (
          <small>{t('list.none')}</small>
        )}
      </td>
      <td data-number>
        <WebhookSwitch
          webhook={webhook}
          aria-label={t('list.switch', { url })}
          style={{ position: 'relative', zIndex: 1, display: 'inline-flex', verticalAlign: 'middle' }}
        />
      </td>
    </tr>
  );
}

/** What the address answered, or that it did not. */
function reasonInShort(t: Translate<'webhooks'>, error: string): string {
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
