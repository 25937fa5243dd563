import { Anchor, Button, Code, Group, Select, Stack, Text, UnstyledButton } from '@mantine/core';
import { IconChevronDown, IconChevronRight, IconRefresh } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import {
  deliveryEvents,
  type DeliveryEvent,
  type DeliveryState,
  type WebhookDelivery,
} from '../../../shared/contracts/webhooks.ts';
import { errorText } from '../../lib/error-text.ts';
import { formatAgo, formatMoment, formatNumber, formatSecond, formatWait } from '../../lib/format.ts';
import { useTranslation, type Translate } from '../../lib/i18n.ts';
import { toExcerpt } from '../../lib/plain-text.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Fact } from '../../ui/fact.tsx';
import { Modal } from '../../ui/overlays.tsx';
import { Section, State, type StateKind } from '../../ui/page.tsx';
import { PagedList } from '../../ui/paged-list.tsx';
import { Segments } from '../../ui/segments.tsx';
import table from '../../ui/table.module.css';
import { toast } from '../../ui/toast.tsx';
import { answerOf } from './answers.ts';
import { eventName, reasonOf } from './events.ts';
import { EventIcon } from './event-icon.tsx';
import classes from './webhooks.module.css';
import { useDeliveries, useDeliveryCounts, useReplay } from './webhooks.queries.ts';
import { shortMoment } from './when.ts';

const kinds = { queued: 'draft', sent: 'live', failed: 'failed' } as const satisfies Record<
  WebhookDelivery['state'],
  StateKind
>;

/** One that is tried again has not been taken so far. */
const kindOf = ({ state, attempts }: WebhookDelivery): StateKind =>
  state === 'queued' && attempts > 0 ? 'warning' : kinds[state];

const stateOf = (t: Translate<'webhooks'>, { state }: WebhookDelivery) => t(`log.${state}`);

const filters = ['queued', 'failed'] as const satisfies DeliveryState[];

/** What an address was sent, the newest first. */
export function Deliveries({ webhook, retry }: { webhook: string; retry: ReactNode }) {
  const { t } = useTranslation('webhooks');
  const [state, setState] = useState<DeliveryState | 'all'>('all');
  const [event, setEvent] = useState<DeliveryEvent>();
  const whole = useDeliveryCounts(webhook).data;
  const counts = useDeliveryCounts(webhook, event).data ?? whole;
  const deliveries = useDeliveries(webhook, { state: state === 'all' ? undefined : state, event });
  const [opened, setOpened] = useState<WebhookDelivery>();
  // What is opened stays so where it is not in the list any more.
  const shown = deliveries.data?.find(({ uuid }) => uuid === opened?.uuid) ?? opened;
  const total = sum(counts);
  return (
    <div>
      <Section title={t('log.title')}>
        {sum(whole) > 0 && counts && (
          <div className={classes['filters']}>
            <Segments
              label={t('log.state')}
              value={state}
              options={[
                { value: 'all', label: labelOf(t('log.all'), total) },
                ...filters.map((value) => ({ value, label: labelOf(t(`log.${value}`), counts[value]) })),
              ]}
              isWide
              onChange={setState}
            />
            <Select
              aria-label={t('log.event')}
              className={classes['event'] ?? ''}
              value={event ?? ''}
              data={[
                { value: '', label: t('log.everyEvent') },
                ...deliveryEvents.map((value) => ({ value, label: eventName(t, value) })),
              ]}
              allowDeselect={false}
              onChange={(next) => setEvent(deliveryEvents.find((each) => each === next))}
            />
            {retry}
          </div>
        )}
        <PagedList
          query={deliveries}
          labels={{
            failed: t('common:failed.title'),
            reason: errorText,
            retry: t('common:retry'),
            more: t('common:more'),
          }}
          empty={
            <Text size="sm" c="dimmed" py="md">
              {t(sum(whole) > 0 ? 'log.none' : 'log.empty')}
            </Text>
          }
        >
          {(rows) => (
            <table className={`${table['list']} ${classes['log']}`}>
              <thead>
                <tr>
                  <th style={{ width: 208 }}>{t('log.event')}</th>
                  <th>{t('log.about')}</th>
                  <th className={classes['how']}>{t('log.state')}</th>
                  <th data-number className={classes['at']}>
                    <span>{t('log.at')}</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {(state === 'all' ? folded(rows) : rows.map((row) => [row])).map((group) => {
                  const [delivery] = group;
                  if (!delivery) return null;
                  return group.length === 1 ? (
                    <Row key={delivery.uuid} delivery={delivery} onOpen={setOpened} />
                  ) : (
                    <Waiting key={delivery.uuid} count={group.length} onOpen={() => setState('queued')} />
                  );
                })}
              </tbody>
            </table>
          )}
        </PagedList>
        <Text size="xs" c="dimmed" mt="xs">
          {t('log.hint')}
        </Text>
      </Section>
      {shown && <Delivery webhook={webhook} delivery={shown} onClose={() => setOpened(undefined)} />}
    </div>
  );
}

const sum = (counts: Record<DeliveryState, number> | undefined) =>
  counts ? counts.sent + counts.failed + counts.queued : 0;

const labelOf = (name: string, count: number) => `${name} ${formatNumber(count)}`;

const isUntried = ({ state, attempts }: WebhookDelivery) => state === 'queued' && attempts === 0;

/** Those that wait behind others as one, after what was tried. */
function folded(rows: WebhookDelivery[]): WebhookDelivery[][] {
  const untried = rows.filter(isUntried);
  const tried = rows.filter((row) => !isUntried(row)).map((row) => [row]);
  return untried.length > 0 ? [...tried, untried] : tried;
}

/** All of the row: what it holds is no event. */
function Waiting({ count, onOpen }: { count: number; onOpen(): void }) {
  const { t } = useTranslation('webhooks');
  return (
    <tr className={classes['rest']}>
      <td colSpan={4}>
        <UnstyledButton fz="inherit" w="100%" className={table['name'] ?? ''} onClick={onOpen}>
          {t('log.waiting', { count })}
          <IconChevronDown size={16} aria-hidden />
        </UnstyledButton>
      </td>
    </tr>
  );
}

function Row({ delivery, onOpen }: { delivery: WebhookDelivery; onOpen(delivery: WebhookDelivery): void }) {
  const { t } = useTranslation('webhooks');
  const { event, about, createdAt, attempts, status, error, tookMs } = delivery;
  const answer = status !== null ? String(status) : attempts > 0 ? t('list.noAnswer') : undefined;
  const how = [answer, attempts > 1 && t('log.tries', { count: attempts }), tookMs !== null && formatWait(tookMs)]
    .filter(Boolean)
    .join(t('common:dot'));
  // A phone has room for what went wrong alone.
  const why = tookMs === null ? how : '';
  return (
    <tr>
      <td>
        <UnstyledButton
          fz="inherit"
          w="100%"
          className={table['name'] ?? ''}
          onClick={() => onOpen(delivery)}
          aria-label={[
            t('log.open', { event: eventName(t, event), state: stateOf(t, delivery), at: formatMoment(createdAt) }),
            ...(about ? [about.name] : []),
          ].join(t('common:comma'))}
        >
          <EventIcon event={event} />
          <span className={table['one']}>{eventName(t, event)}</span>
        </UnstyledButton>
      </td>
      <td className={table['quiet']}>
        <span className={classes['about']} title={about ? about.text || about.name : undefined}>
          {about && <bdi className={classes['who']}>{about.name}</bdi>}
          {why && (
            <span className={classes['whyOnPhone']}>
              {about && t('common:dot')}
              {why}
            </span>
          )}
          {about?.text && (
            <span className={why ? classes['notOnPhone'] : undefined}>
              {t('common:dot')}
              {toExcerpt(about.text)}
            </span>
          )}
        </span>
      </td>
      <td title={reasonOf(t, error)}>
        <State kind={kindOf(delivery)}>{stateOf(t, delivery)}</State>
        {how && <small className={classes['second']}>{how}</small>}
      </td>
      <td data-number className={table['quiet']} title={formatAgo(createdAt)}>
        {/* To the second, since much happens in a minute. */}
        <span className={classes['time']}>{shortMoment(createdAt, formatSecond)}</span>
        <IconChevronRight size={16} aria-hidden />
      </td>
    </tr>
  );
}

function Delivery({ webhook, delivery, onClose }: { webhook: string; delivery: WebhookDelivery; onClose(): void }) {
  const { t } = useTranslation('webhooks');
  const replay = useReplay(webhook);
  const { uuid, status, about, attempts, payload, createdAt } = delivery;
  const reason = reasonOf(t, delivery.error);
  // Written by the server.
  const text = JSON.stringify(JSON.parse(payload), null, 2);
  const facts = [
    [t('log.at'), formatMoment(createdAt)],
    [t('log.answer'), status === null ? t('log.noAnswer') : answerOf(status)],
    [t('log.attempts'), attempts],
    [t('log.id'), uuid],
  ] as const;
  return (
    <Modal opened onClose={onClose} title={eventName(t, delivery.event)} size="lg" centered>
      <Stack gap="sm">
        <div>
          <State kind={kindOf(delivery)}>{stateOf(t, delivery)}</State>
          {reason && (
            <Text size="sm" mt={4}>
              {reason}
            </Text>
          )}
        </div>
        {about && (
          <Anchor size="sm" renderRoot={(props) => <Link {...props} to="/Friend" search={{ thread: about.thread }} />}>
            {t('log.thread', { name: about.name })}
          </Anchor>
        )}
        <Stack gap={6}>
          {facts.map(([name, value]) => (
            <Fact key={name} label={name}>
              {value}
            </Fact>
          ))}
        </Stack>
        <Group justify="space-between">
          <Text size="sm" fw={500}>
            {t('log.payload')}
          </Text>
          <CopyButton value={payload} label={t('common:copy')} copiedLabel={t('common:copied')} />
        </Group>
        <Code
          block
          tabIndex={0}
          role="region"
          aria-label={t('log.payload')}
          style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere', maxHeight: 320, overflowY: 'auto' }}
        >
          {text}
        </Code>
        {delivery.state !== 'queued' && (
          <>
            <Text size="xs" c="dimmed">
              {t('log.replayHint')}
            </Text>
            <Group justify="flex-end">
              <Button
                variant="default"
                leftSection={<IconRefresh size={16} />}
                loading={replay.isPending}
                onClick={() =>
                  replay.mutate(uuid, {
                    onSuccess: () => toast.success(t('log.replayed')),
                    onError: (error) => toast.error(errorText(error)),
                  })
                }
              >
                {t('log.replay')}
              </Button>
            </Group>
          </>
        )}
      </Stack>
    </Modal>
  );
}
