import { Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import type { OperatedUser } from '../../../shared/contracts/operator.ts';
import { formatMoment } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { CopyField } from '../../ui/copy-field.tsx';
import { Modal } from '../../ui/overlays.tsx';
import { toast } from '../../ui/toast.tsx';
import { useChangeUser, usePasswordLink, type UserChange } from './operator.queries.ts';

export type UserAction = UserChange['kind'] | 'passwordLink';

interface Asking {
  user: OperatedUser;
  action: UserAction;
}

/** Says what an action does to an account, and does it. */
export function UserDialog({ asking, onClose }: { asking: Asking | undefined; onClose(): void }) {
  const { t } = useTranslation('operator');
  return (
    <Modal
      opened={asking !== undefined}
      onClose={onClose}
      title={asking && t(`actions.${asking.action}.title`, { name: asking.user.username })}
      centered
      closeOnClickOutside={asking?.action !== 'passwordLink'}
    >
      {asking &&
        (asking.action === 'passwordLink' ? (
          <PasswordLink user={asking.user} onClose={onClose} />
        ) : (
          <Change user={asking.user} action={asking.action} onClose={onClose} />
        ))}
    </Modal>
  );
}

function Change({ user, action, onClose }: { user: OperatedUser; action: UserChange['kind']; onClose(): void }) {
  const { t } = useTranslation('operator');
  const [reason, setReason] = useState('');
  const change = useChangeUser();
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        change.mutate(
          { uuid: user.uuid, change: action === 'suspend' ? { kind: action, reason } : { kind: action } },
          {
            onSuccess: () => {
              toast.success(t(`actions.${action}.done`, { name: user.username }));
              onClose();
            },
          },
        );
      }}
    >
      <Stack>
        <Text size="sm">{t(`actions.${action}.text`, { name: user.username })}</Text>
        {action === 'suspend' && (
          <Textarea
            label={t('actions.suspend.reason')}
            description={t('actions.suspend.reasonHint')}
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
            maxLength={500}
            autosize
            minRows={2}
          />
        )}
        <Buttons
          name={t(`actions.${action}.name`)}
          isGrave={action !== 'restore'}
          isBusy={change.isPending}
          error={change.error}
          onClose={onClose}
        />
      </Stack>
    </form>
  );
}

function PasswordLink({ user, onClose }: { user: OperatedUser; onClose(): void }) {
  const { t } = useTranslation('operator');
  const link = usePasswordLink();
  if (link.data) {
    return (
      <Stack>
        <CopyField
          label={t('actions.passwordLink.link')}
          description={t('actions.passwordLink.linkHint', { until: formatMoment(link.data.expiresAt) })}
          value={link.data.url}
          copyLabel={t('common:copy')}
          copiedLabel={t('common:copied')}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('common:done')}
          </Button>
        </Group>
      </Stack>
    );
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        link.mutate(user.uuid);
      }}
    >
      <Stack>
        <Text size="sm">{t('actions.passwordLink.text', { name: user.username })}</Text>
        <Buttons
          name={t('actions.passwordLink.submit')}
          isGrave={false}
          isBusy={link.isPending}
          error={link.error}
          onClose={onClose}
        />
      </Stack>
    </form>
  );
}

function Buttons({
  name,
  isGrave,
  isBusy,
  error,
  onClose,
}: {
  name: string;
  isGrave: boolean;
  isBusy: boolean;
  error: Error | null;
  onClose(): void;
}) {
  const { t } = useTranslation('operator');
  return (
    <>
      {error && (
        <Text size="sm" c="red" role="alert">
          {error.message}
        </Text>
      )}
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onClose} data-autofocus>
          {t('common:cancel')}
        </Button>
        <Button type="submit" {...(isGrave && { color: 'red.8' })} loading={isBusy}>
          {name}
        </Button>
      </Group>
    </>
  );
}
