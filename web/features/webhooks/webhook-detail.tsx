import { ActionIcon, Button, Menu, Text, VisuallyHidden } from '@mantine/core';
import { IconChevronDown, IconChevronRight, IconDots, IconKey, IconRefresh, IconTrash } from '@tabler/icons-react';
import { Link, useNavigate } from '@tanstack/react-router';
import { useId, useState, type ReactNode } from 'react';
import { Trans } from 'react-i18next';
import type { OutgoingWebhook } from '../../../shared/contracts/webhooks.ts';
import type { KeyIn } from '../../../shared/texts.ts';
import { useAllowAddress } from '../../lib/allow-address.ts';
import { errorText } from '../../lib/error-text.ts';
import { formatAgo, formatNumber } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { AddressOffer } from '../../ui/address-offer.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { later } from '../../ui/later.tsx';
import { Modal } from '../../ui/overlays.tsx';
import { Page, Section } from '../../ui/page.tsx';
import { toast } from '../../ui/toast.tsx';
import { Deliveries } from './deliveries.tsx';
import { EventIcon } from './event-icon.tsx';
import { eventName, eventText, everyEvent, reasonOf } from './events.ts';
import { ShownSecret } from './shown-secret.tsx';
import { Signature } from './signature.tsx';
import { TestButton } from './test-button.tsx';
import { isFailing as fails, reasonInShort, WebhookState } from './webhook-list.tsx';
import { addressOf, WebhookSwitch } from './webhook-switch.tsx';
import classes from './webhooks.module.css';
import {
  useDeleteWebhook,
  useDeliveryCounts,
  useRenewSecret,
  useRetryAll,
  useTestWebhook,
} from './webhooks.queries.ts';
import { Week } from './week.tsx';
import { shortMoment } from './when.ts';

const EditDialog = later(async () => (await import('./edit-dialog.tsx')).EditDialog);

/** How a request is verified, in the order of doing it. */
const steps = ['header', 'sign', 'compare'] as const;

export function WebhookDetail({ webhook }: { webhook: OutgoingWebhook }) {
  const { t } = useTranslation('webhooks');
  const { uuid, url, active, last, pausedUntil, waitingSince } = webhook;
  const test = useTestWebhook();
  const retry = useRetryAll();
  const { data: counts } = useDeliveryCounts(uuid);
  const open = counts ? counts.failed + counts.queued : 0;
  const isFailing = fails(webhook);
  const offer = useAllowAddress(last?.error === 'address-not-allowed', url);
  const send = <TestButton webhook={uuid} test={test} />;
  const retryAll = (count: number) =>
    active &&
    count > 0 && (
      <Button
        variant={isFailing ? 'filled' : 'default'}
        leftSection={<IconRefresh size={16} />}
        loading={retry.isPending}
        onClick={() =>
          retry.mutate(uuid, {
            onSuccess: () => toast.success(t('log.replayed')),
            onError: (error) => toast.error(errorText(error)),
          })
        }
      >
        {t('detail.retry', { count, shown: formatNumber(count) })}
      </Button>
    );
  const state = <WebhookState webhook={webhook} />;
  return (
    <Page
      above={
        <>
          <Link to="/Webhook">{t('common:page.webhooks')}</Link>
          <span aria-hidden>/</span>
        </>
      }
      title={addressOf(url)}
      heading={
        <span className={classes['name']}>
          <span>{addressOf(url)}</span>
          <span className={classes['narrow']}>{state}</span>
        </span>
      }
      facts={state}
      actions={
        <>
          {!isFailing && send}
          <More webhook={webhook} />
        </>
      }
    >
      {/* The heading is read as the address alone. */}
      <div className={classes['narrow']}>
        <VisuallyHidden>{state}</VisuallyHidden>
      </div>
      {isFailing && last && (
        <div role="status" className={classes['why']}>
          <div>
            <strong>{t('detail.failing', { reason: reasonInShort(t, last.error ?? '') })}</strong>
            <span>
              {waitingSince
                ? t(pausedUntil ? 'detail.sinceUntil' : 'detail.since', {
                    time: shortMoment(waitingSince),
                    next: shortMoment(pausedUntil ?? waitingSince),
                  })
                : t('detail.lastAt', { ago: formatAgo(last.at) })}
            </span>
            <span>
              {last.error === 'address-not-allowed'
                ? t('detail.private')
                : last.error?.startsWith('status-')
                  ? t('detail.accept')
                  : reasonOf(t, last.error)}
            </span>
          </div>
          <div>
            {send}
            {retryAll(open)}
          </div>
        </div>
      )}
      {isFailing && offer && <AddressOffer {...offer} />}
      <div className={classes['columns']}>
        <Week
          webhook={uuid}
          isIdle={counts?.queued === 0}
          failsSince={isFailing ? (waitingSince ?? last?.at) : undefined}
        />
        <Side title={t('detail.side')}>
          <Settings webhook={webhook} />
        </Side>
        <Deliveries webhook={uuid} retry={!isFailing && retryAll(counts?.failed ?? 0)} />
      </div>
    </Page>
  );
}

/** Beside the deliveries; where there is no room for both, behind a line above them. */
function Side({ title, children }: { title: string; children: ReactNode }) {
  const [isOpen, setIsOpen] = useState(false);
  const body = useId();
  return (
    <aside className={classes['side']} data-open={isOpen || undefined} aria-label={title}>
      <button type="button" aria-expanded={isOpen} aria-controls={body} onClick={() => setIsOpen(!isOpen)}>
        {title}
        <IconChevronDown size={16} aria-hidden />
      </button>
      <div id={body}>{children}</div>
    </aside>
  );
}

/** What it is sent and where, and how its program knows that it is ours. */
function Settings({ webhook }: { webhook: OutgoingWebhook }) {
  const { t } = useTranslation('webhooks');
  const [isEdited, setIsEdited] = useState(false);
  const close = () => setIsEdited(false);
  return (
    <>
      <Section
        title={t('detail.settings')}
        end={
          <Button variant="default" size="compact-sm" onClick={() => setIsEdited(true)}>
            {t('detail.edit')}
          </Button>
        }
      >
        <dl className={classes['facts']}>
          <dt>{t('form.url')}</dt>
          <dd>{webhook.url}</dd>
          <dt>{t('form.events')}</dt>
          {everyEvent
            .filter((event) => webhook.events.includes(event))
            .map((event) => (
              <dd key={event} title={eventText(t, event)} className={classes['event']}>
                <EventIcon event={event} />
                {eventName(t, event)}
              </dd>
            ))}
        </dl>
        <WebhookSwitch webhook={webhook} label={t('form.active')} description={t('form.activeHint')} />
      </Section>
      <Section title={t('detail.signature')}>
        <ol className={classes['steps']}>
          {steps.map((step) => (
            <li key={step}>
              <Trans
                ns="webhooks"
                i18nKey={`detail.verify.${step}` satisfies KeyIn<'webhooks'>}
                components={{ code: <code /> }}
              />
            </li>
          ))}
        </ol>
        <details className={classes['fold']}>
          <summary>
            <IconChevronRight size={16} aria-hidden />
            {t('detail.code')}
          </summary>
          <Signature />
        </details>
        <Text mt={12} size="xs" c="dimmed">
          {t('detail.secretHint')}
        </Text>
      </Section>
      {isEdited && <EditDialog webhook={webhook} onClose={close} onFail={close} />}
    </>
  );
}

/** Asks before it takes the place of the one that signs now, then shows the new one. */
function RenewSecret({ uuid, isAsked, close }: { uuid: string; isAsked: boolean; close(): void }) {
  const { t } = useTranslation('webhooks');
  const renew = useRenewSecret();
  return (
    <>
      <ConfirmDialog
        opened={isAsked}
        title={t('detail.renewTitle')}
        text={t('detail.renewText')}
        confirm={t('detail.renewGo')}
        cancel={t('common:cancel')}
        loading={renew.isPending}
        onClose={close}
        onConfirm={() => renew.mutate(uuid, { onError: (error) => toast.error(errorText(error)), onSettled: close })}
      />
      <Modal
        opened={renew.data !== undefined}
        onClose={() => renew.reset()}
        title={t('created.renewed')}
        size="lg"
        centered
        closeOnClickOutside={false}
        closeOnEscape={false}
      >
        {renew.data !== undefined && <ShownSecret secret={renew.data} onDone={() => renew.reset()} />}
      </Modal>
    </>
  );
}

function More({ webhook: { uuid, url } }: { webhook: OutgoingWebhook }) {
  const { t } = useTranslation('webhooks');
  const navigate = useNavigate();
  const [asked, setAsked] = useState<'renew' | 'delete'>();
  const remove = useDeleteWebhook();
  const close = () => setAsked(undefined);
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" size={30} aria-label={t('detail.menu')}>
            <IconDots size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconKey size={15} />} onClick={() => setAsked('renew')}>
            {t('detail.renew')}
          </Menu.Item>
          <Menu.Item leftSection={<IconTrash size={15} />} color="red" onClick={() => setAsked('delete')}>
            {t('detail.delete')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <RenewSecret uuid={uuid} isAsked={asked === 'renew'} close={close} />
      <ConfirmDialog
        opened={asked === 'delete'}
        title={t('detail.deleteTitle')}
        text={t('detail.deleteText', { url })}
        confirm={t('detail.delete')}
        cancel={t('common:cancel')}
        loading={remove.isPending}
        onClose={close}
        onConfirm={() =>
          remove.mutate(uuid, {
            onSuccess: () => {
              toast.success(t('detail.deleted'));
              void navigate({ to: '/Webhook', replace: true });
            },
            onError: (error) => {
              close();
              toast.error(errorText(error));
            },
          })
        }
      />
    </>
  );
}
