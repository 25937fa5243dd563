import { Button, Code, Group, Stack, Text, UnstyledButton } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useState } from 'react';
import type { WebhookDelivery } from '../../../shared/contracts/webhooks.ts';
import { formatAgo, formatMoment } from '../../lib/format.ts';
import { useTranslation, type Translate } from '../../lib/i18n.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Modal } from '../../ui/overlays.tsx';
import { State, type StateKind } from '../../ui/page.tsx';
import { PagedList } from '../../ui/paged-list.tsx';
import table from '../../ui/table.module.css';
import { toast } from '../../ui/toast.tsx';
import { eventName, reasonOf } from './events.ts';
import classes from './webhooks.module.css';
import { useDeliveries, useReplay } from './webhooks.queries.ts';

const kinds = { queued: 'draft', sent: 'live', failed: 'failed' } as const satisfies Record<
  WebhookDelivery['state'],
  StateKind
>;

/** One that is tried again has not been taken so far. */
const kindOf = ({ state, attempts }: WebhookDelivery): StateKind =>
  state === 'queued' && attempts > 0 ? 'warning' : kinds[state];

const stateOf = (t: Translate<'webhooks'>, { state, attempts }: WebhookDelivery) =>
  t(state === 'queued' && attempts > 0 ? 'log.retrying' : `log.${state}`);

/** What an address was sent, the newest first. */
export function Deliveries({ webhook }: { webhook: string }) {
  const { t } = useTranslation('webhooks');
  const deliveries = useDeliveries(webhook);
  const [opened, setOpened] = useState<string>();
  const shown = deliveries.data?.find(({ uuid }) => uuid === opened);
  return (
    <>
      <PagedList
        query={deliveries}
        labels={{ failed: t('common:failed.title'), retry: t('common:retry'), more: t('common:more') }}
        empty={
          <Text size="sm" c="dimmed" py="md">
            {t('log.empty')}
          </Text>
        }
      >
        {(rows) => (
          <>
            <table className={table['list']}>
              <thead>
                <tr>
                  <th>{t('log.event')}</th>
                  <th style={{ width: 136 }}>{t('log.state')}</th>
                  <th data-from="sm" data-number style={{ width: 80 }}>
                    {t('log.answer')}
                  </th>
                  <th data-from="sm" data-number style={{ width: 80 }}>
                    {t('log.attempts')}
                  </th>
                  <th data-from="sm" data-number style={{ width: 120 }}>
                    {t('log.at')}
                  </th>
                </tr>
              </thead>
              <tbody>
                {rows.map((delivery) => (
                  <tr key={delivery.uuid}>
                    <td>
                      <UnstyledButton
                        fz="inherit"
                        className={table['name'] ?? ''}
                        onClick={() => setOpened(delivery.uuid)}
                        aria-label={t('log.open', {
                          event: eventName(t, delivery.event),
                          state: stateOf(t, delivery),
                          at: formatMoment(delivery.createdAt),
                        })}
                      >
                        <span className={table['one']}>{eventName(t, delivery.event)}</span>
                      </UnstyledButton>
                      <span className={`${table['onPhone']} ${classes['when']}`}>
                        {[
                          formatAgo(delivery.createdAt),
                          ...(delivery.status === null ? [] : [t('list.status', { status: delivery.status })]),
                        ].join(t('common:dot'))}
                      </span>
                    </td>
                    <td title={reasonOf(t, delivery.error)}>
                      <State kind={kindOf(delivery)}>{stateOf(t, delivery)}</State>
                    </td>
                    <td data-from="sm" data-number>
                      {delivery.status ?? '–'}
                    </td>
                    <td data-from="sm" data-number>
                      {delivery.attempts}
                    </td>
                    <td data-from="sm" data-number className={table['quiet']} title={formatMoment(delivery.createdAt)}>
                      {formatAgo(delivery.createdAt)}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
            <Text size="xs" c="dimmed" mt="xs">
              {t('log.hint')}
            </Text>
          </>
        )}
      </PagedList>
      {shown && <Delivery webhook={webhook} delivery={shown} onClose={() => setOpened(undefined)} />}
    </>
  );
}

function Delivery({ webhook, delivery, onClose }: { webhook: string; delivery: WebhookDelivery; onClose(): void }) {
  const { t } = useTranslation('webhooks');
  const replay = useReplay(webhook);
  const { uuid, status, attempts, payload, createdAt } = delivery;
  const reason = reasonOf(t, delivery.error);
  // Written by the server.
  const text = JSON.stringify(JSON.parse(payload), null, 2);
  const facts = [
    [t('log.at'), formatMoment(createdAt)],
    [t('log.answer'), status ?? t('log.noAnswer')],
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
        <Text size="sm" component="dl" m={0} style={{ overflowWrap: 'anywhere' }}>
          {facts.map(([name, value]) => (
            <div key={name}>
              <Text span c="dimmed" component="dt" style={{ display: 'inline' }}>
                {name}
              </Text>{' '}
              <dd style={{ display: 'inline', margin: 0 }}>{value}</dd>
            </div>
          ))}
        </Text>
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
                    onError: (error) => toast.error(error.message),
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
