import { ActionIcon, Button, Menu, Stack, Switch, Text } from '@mantine/core';
import { IconChevronDown, IconDots, IconKey, IconSend, IconTrash } from '@tabler/icons-react';
import { Link, useNavigate } from '@tanstack/react-router';
import { useId, useState, type ReactNode } from 'react';
import type { OutgoingWebhook } from '../../../shared/contracts/webhooks.ts';
import { ApiError } from '../../lib/api.ts';
import { goToFaultIn } from '../../lib/first-fault.ts';
import { formatMoment } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { useUnsavedGuard } from '../../lib/unsaved.ts';
import { useEdited } from '../../lib/use-edited.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Modal } from '../../ui/overlays.tsx';
import { Page, Section, State } from '../../ui/page.tsx';
import { SaveBar } from '../../ui/save-bar.tsx';
import { toast } from '../../ui/toast.tsx';
import { Deliveries } from './deliveries.tsx';
import { reasonOf } from './events.ts';
import { ShownSecret } from './shown-secret.tsx';
import { Signature } from './signature.tsx';
import classes from './webhooks.module.css';
import { isMissing, WebhookFields } from './webhook-fields.tsx';
import { WebhookState } from './webhook-list.tsx';
import { useDeleteWebhook, useRenewSecret, useTestWebhook, useUpdateWebhook } from './webhooks.queries.ts';

export function WebhookDetail({ webhook }: { webhook: OutgoingWebhook }) {
  const { t } = useTranslation('webhooks');
  const { uuid, url, active, last, pausedUntil } = webhook;
  const test = useTestWebhook();
  const send = (
    <Button
      variant="default"
      leftSection={<IconSend size={16} />}
      loading={test.isPending}
      onClick={() =>
        test.mutate(uuid, {
          onSuccess: () => toast.success(t('detail.tested')),
          onError: (error) => toast.error(error.message),
        })
      }
    >
      {t('detail.test')}
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
      title={url.replace(/^https?:\/\//, '')}
      facts={state}
      actions={
        <>
          <More webhook={webhook} />
          <div className={classes['wide']}>{send}</div>
        </>
      }
    >
      <div className={classes['narrow']}>
        {state}
        {send}
      </div>
      {active && last && !last.ok && (
        <Text size="sm" role="status" mb="sm" className={classes['why'] ?? ''}>
          <State kind="failed">{reasonOf(t, last.error)}</State>
          {last.error === 'address-not-allowed' && <span>{t('detail.private')}</span>}
          {pausedUntil && <span>{t('detail.pausedUntil', { time: formatMoment(pausedUntil) })}</span>}
        </Text>
      )}
      <Settings key={uuid} webhook={webhook}>
        <Section title={t('log.title')}>
          <Deliveries webhook={uuid} />
        </Section>
        <Section title={t('detail.signature')}>
          <Signature />
        </Section>
      </Settings>
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
      <h2>{title}</h2>
      <div id={body}>{children}</div>
    </aside>
  );
}

/** Beside the rest of the page; the bar that saves is under both. */
function Settings({ webhook, children }: { webhook: OutgoingWebhook; children: ReactNode }) {
  const { t } = useTranslation('webhooks');
  const { uuid, url, events, active } = webhook;
  const saved = { url, events, active };
  const { values, changes, set, discard, onSaved } = useEdited(saved);
  const [isTold, setIsTold] = useState(false);
  const update = useUpdateWebhook();
  const guard = useUnsavedGuard(changes > 0);
  const fields = update.error instanceof ApiError ? update.error.fields : {};
  const change = (next: typeof values) => {
    update.reset();
    set(next);
  };
  const save = () => {
    setIsTold(true);
    if (isMissing(values)) return goToFaultIn(document);
    update.mutate(
      { uuid, ...values },
      {
        onSuccess: () => {
          onSaved(values);
          toast.success(t('form.saved'));
        },
        onError: () => goToFaultIn(document),
      },
    );
  };
  return (
    <>
      <div className={classes['columns']}>
        <Side title={t('detail.settings')}>
          <Stack pt="md">
            <WebhookFields values={values} isTold={isTold} errors={fields} onChange={change} />
            <Switch
              label={t('form.active')}
              description={t('form.activeHint')}
              checked={values.active}
              onChange={(event) => change({ ...values, active: event.currentTarget.checked })}
            />
          </Stack>
        </Side>
        <div>{children}</div>
      </div>
      <SaveBar
        changes={changes}
        isBusy={update.isPending}
        error={Object.keys(fields).length === 0 ? update.error?.message : undefined}
        onDiscard={() => {
          update.reset();
          setIsTold(false);
          discard();
        }}
        onSave={save}
      />
      <ConfirmDialog {...guard} />
    </>
  );
}

function More({ webhook: { uuid, url } }: { webhook: OutgoingWebhook }) {
  const { t } = useTranslation('webhooks');
  const navigate = useNavigate();
  const [asked, setAsked] = useState<'renew' | 'delete'>();
  const renew = useRenewSecret();
  const remove = useDeleteWebhook();
  const close = () => setAsked(undefined);
  const fail = (error: Error) => toast.error(error.message);
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" size={32} aria-label={t('detail.menu')}>
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
      <ConfirmDialog
        opened={asked === 'renew'}
        title={t('detail.renewTitle')}
        text={t('detail.renewText')}
        confirm={t('detail.renew')}
        cancel={t('common:cancel')}
        loading={renew.isPending}
        onClose={close}
        onConfirm={() => renew.mutate(uuid, { onError: fail, onSettled: close })}
      />
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
              fail(error);
            },
          })
        }
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
