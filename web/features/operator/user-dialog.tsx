import '@mantine/core/styles/NumberInput.css';
import { Button, Group, NumberInput, Select, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { mostGivenCredits, type OperatedUser } from '../../../shared/contracts/operator.ts';
import { microPerCredit } from '../../../shared/contracts/usage.ts';
import { ApiError } from '../../lib/api.ts';
import { errorText, problemOf } from '../../lib/error-text.ts';
import { formatMoment, formatNumber } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { newId } from '../../lib/new-id.ts';
import { CopyField } from '../../ui/copy-field.tsx';
import { Modal } from '../../ui/overlays.tsx';
import { toast } from '../../ui/toast.tsx';
import {
  useChangeUser,
  useGiveCredits,
  usePasswordLink,
  useWorkspacesOf,
  type UserChange,
} from './operator.queries.ts';

export type UserAction = UserChange['kind'] | 'passwordLink' | 'giveCredits';

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
        ) : asking.action === 'giveCredits' ? (
          <GiveCredits user={asking.user} onClose={onClose} />
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

function GiveCredits({ user, onClose }: { user: OperatedUser; onClose(): void }) {
  const { t } = useTranslation('operator');
  const workspaces = useWorkspacesOf(user.uuid);
  const give = useGiveCredits(user.uuid);
  const [chosen, setChosen] = useState<string | null>(null);
  const [credits, setCredits] = useState<string | number>('');
  const [reason, setReason] = useState('');
  // One for this gift: sent twice, it is given once. Another amount is another gift.
  const [key, setKey] = useState(newId);
  const change =
    <T,>(set: (value: T) => void) =>
    (value: T) => {
      set(value);
      setKey(newId());
      give.reset();
    };
  const to =
    workspaces.data?.find(({ uuid }) => uuid === chosen) ??
    workspaces.data?.find(({ personal }) => personal) ??
    workspaces.data?.[0];
  const fields = give.error instanceof ApiError ? give.error.fields : {};
  const amount = typeof credits === 'number' ? credits : 0;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (!to) return;
        give.mutate(
          { key, workspace: to.uuid, credits: amount, reason },
          {
            onSuccess: ({ name, balance }) => {
              toast.success(t('actions.giveCredits.done', { name, balance: formatNumber(balance / microPerCredit) }));
              onClose();
            },
          },
        );
      }}
    >
      <Stack>
        <Select
          label={t('actions.giveCredits.workspace')}
          data={(workspaces.data ?? []).map(({ uuid, name }) => ({ value: uuid, label: name }))}
          value={to?.uuid ?? null}
          onChange={change(setChosen)}
          description={to && t('actions.giveCredits.balance', { balance: formatNumber(to.balance / microPerCredit) })}
          error={problemOf(workspaces.error)}
          allowDeselect={false}
        />
        <NumberInput
          label={t('actions.giveCredits.credits')}
          description={t('actions.giveCredits.creditsHint')}
          value={credits}
          onChange={change(setCredits)}
          error={fields['credits']}
          allowDecimal={false}
          min={-mostGivenCredits}
          max={mostGivenCredits}
          thousandSeparator=","
          hideControls
          required
          data-autofocus
        />
        <TextInput
          label={t('actions.giveCredits.reason')}
          description={t('actions.giveCredits.reasonHint')}
          value={reason}
          onChange={(event) => change(setReason)(event.currentTarget.value)}
          error={fields['reason']}
          maxLength={200}
          required
        />
        <Buttons
          name={t(amount < 0 ? 'actions.giveCredits.take' : 'actions.giveCredits.submit')}
          isGrave={amount < 0}
          isBusy={give.isPending}
          isWhole={to !== undefined && amount !== 0 && reason.trim() !== ''}
          error={Object.keys(fields).length === 0 ? give.error : null}
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
  isWhole = true,
  error,
  onClose,
}: {
  name: string;
  isGrave: boolean;
  isBusy: boolean;
  isWhole?: boolean;
  error: object | null;
  onClose(): void;
}) {
  const { t } = useTranslation('operator');
  return (
    <>
      {error && (
        <Text size="sm" c="red" role="alert">
          {errorText(error)}
        </Text>
      )}
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onClose} data-autofocus>
          {t('common:cancel')}
        </Button>
        <Button type="submit" {...(isGrave && { color: 'red.8' })} loading={isBusy} disabled={!isWhole}>
          {name}
        </Button>
      </Group>
    </>
  );
}
