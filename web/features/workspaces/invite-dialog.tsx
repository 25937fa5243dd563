import { Alert, Button, Group, SegmentedControl, Select, Stack, Text, TextInput } from '@mantine/core';
import { IconMail, IconMailOff } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import type { Invitation } from '../../../shared/contracts/workspaces.ts';
import { ApiError } from '../../lib/api.ts';
import { problemOf } from '../../lib/error-text.ts';
import { formatMoment } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { CopyField } from '../../ui/copy-field.tsx';
import { FormActions } from '../../ui/form-actions.tsx';
import { Modal } from '../../ui/overlays.tsx';
import { RoleChoice } from './role-select.tsx';
import { useInvite, type Invited } from './workspaces.queries.ts';

const validDays = [1, 7, 30];

export function InviteDialog({ opened, onClose }: { opened: boolean; onClose(): void }) {
  const { t } = useTranslation('workspaces');
  // What was typed and the link that was shown go when the dialog does.
  return (
    <Modal opened={opened} onClose={onClose} title={t('invite.title')} centered>
      <InviteForm onClose={onClose} />
    </Modal>
  );
}

function InviteForm({ onClose }: { onClose(): void }) {
  const { t } = useTranslation('workspaces');
  const [by, setBy] = useState<'mail' | 'link'>('mail');
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Invitation['role']>('staff');
  const [days, setDays] = useState(7);
  const invite = useInvite();
  if (invite.data) {
    return (
      <InviteLink invitation={invite.data}>
        <Button variant="default" onClick={() => invite.reset()}>
          {t('invite.another')}
        </Button>
        <Button variant="default" onClick={onClose}>
          {t('common:done')}
        </Button>
      </InviteLink>
    );
  }
  const emailError = invite.error instanceof ApiError ? invite.error.fields['email'] : undefined;
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        invite.mutate({ role, days, ...(by === 'mail' && { email: email.trim() }) });
      }}
    >
      <Stack>
        <SegmentedControl
          fullWidth
          aria-label={t('invite.by')}
          value={by}
          onChange={(value) => setBy(value === 'link' ? 'link' : 'mail')}
          data={[
            { value: 'mail', label: t('invite.byMail') },
            { value: 'link', label: t('invite.byLink') },
          ]}
        />
        {by === 'mail' ? (
          <TextInput
            type="email"
            label={t('invite.email')}
            description={t('invite.byMailHint')}
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
            maxLength={254}
            error={emailError}
            data-autofocus
            required
          />
        ) : (
          <Text size="sm" c="dimmed">
            {t('invite.byLinkHint')}
          </Text>
        )}
        <RoleChoice label={t('invite.role')} value={role} onChange={setRole} />
        <Select
          label={t('invite.valid')}
          value={String(days)}
          onChange={(value) => setDays(Number(value))}
          data={validDays.map((count) => ({ value: String(count), label: t('invite.days', { count }) }))}
          allowDeselect={false}
        />
        <FormActions
          submit={t(by === 'mail' ? 'invite.submitMail' : 'invite.submitLink')}
          cancel={t('common:cancel')}
          isBusy={invite.isPending}
          error={emailError ? undefined : problemOf(invite.error)}
          onClose={onClose}
        />
      </Stack>
    </form>
  );
}

/** The link, which is told once. */
export function InviteLink({ invitation, children }: { invitation: Invited; children: ReactNode }) {
  const { t } = useTranslation('workspaces');
  const { email, sent, expiresAt, url } = invitation;
  return (
    <Stack>
      {email && (
        <Alert color={sent ? 'green' : 'yellow'} icon={sent ? <IconMail /> : <IconMailOff />}>
          {t(sent ? 'invite.sent' : 'invite.notSent', { email })}
        </Alert>
      )}
      <CopyField
        label={t('invite.link')}
        description={t('invite.linkHint', { until: formatMoment(expiresAt) })}
        value={url}
        copyLabel={t('common:copy')}
        copiedLabel={t('common:copied')}
      />
      <Group justify="flex-end" gap="xs">
        {children}
      </Group>
    </Stack>
  );
}
