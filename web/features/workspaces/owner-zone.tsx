import { Anchor, Button, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue, useDisclosure } from '@mantine/hooks';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { ApiError } from '../../lib/api.ts';
import { errorText } from '../../lib/error-text.ts';
import { gap } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { useUser, type Workspace } from '../../lib/session.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Modal } from '../../ui/overlays.tsx';
import { rowClass, Section } from '../../ui/page.tsx';
import { toast } from '../../ui/toast.tsx';
import { useLeaveWorkspace, useMembers, useRemoveWorkspace, useTransferWorkspace } from './workspaces.queries.ts';

/** What ends something: the owner's place, the workspace, or one's own being in it. */
export function OwnerZone({ workspace }: { workspace: Workspace }) {
  const { t } = useTranslation('workspaces');
  return (
    <Section
      title={t(
        workspace.personal ? 'workspace.personal' : workspace.role === 'owner' ? 'zone.title' : 'workspace.title',
      )}
    >
      {workspace.personal ? (
        <Text size="sm" c="dimmed" py="sm">
          {t('zone.personal')}
        </Text>
      ) : workspace.role === 'owner' ? (
        <>
          <Transfer workspace={workspace} />
          <Remove workspace={workspace} />
        </>
      ) : (
        <Leave workspace={workspace} />
      )}
    </Section>
  );
}

function Line({ title, text, action }: { title: string; text: string; action: ReactNode }) {
  return (
    <Group justify="space-between" gap="sm" className={rowClass ?? ''}>
      <div style={{ flex: '1 1 260px' }}>
        <Text size="sm" fw={600}>
          {title}
        </Text>
        <Text size="sm" c="dimmed">
          {text}
        </Text>
      </div>
      {action}
    </Group>
  );
}

function Problem({ error }: { error: object }) {
  const { t } = useTranslation('workspaces');
  return (
    <Text size="sm" c="red" role="alert">
      {errorText(error)}
      {gap()}
      {error instanceof ApiError && error.code === 'confirmation-needed' && (
        <Anchor
          renderRoot={(props) => <Link {...props} to="/Account" search={{ tab: 'security' }} />}
          inherit
          underline="always"
        >
          {t('zone.confirmIdentity')}
        </Anchor>
      )}
    </Text>
  );
}

function Transfer({ workspace }: { workspace: Workspace }) {
  const { t } = useTranslation('workspaces');
  const [opened, dialog] = useDisclosure();
  return (
    <>
      <Line
        title={t('transfer.title')}
        text={t('transfer.text')}
        action={
          <Button variant="default" onClick={dialog.open}>
            {t('transfer.open')}
          </Button>
        }
      />
      <Modal opened={opened} onClose={dialog.close} title={t('transfer.title')} centered>
        <TransferForm workspace={workspace} onClose={dialog.close} />
      </Modal>
    </>
  );
}

function TransferForm({ workspace, onClose }: { workspace: Workspace; onClose(): void }) {
  const { t } = useTranslation('workspaces');
  const user = useUser();
  const transfer = useTransferWorkspace(({ username }) => {
    toast.success(t('transfer.done', { name: username }));
    onClose();
  });
  const [to, setTo] = useState<string | null>(null);
  const [search, setSearch] = useState('');
  // The name that was chosen stands in the field as well; it is not a search.
  const [q] = useDebouncedValue(to ? '' : search.trim(), 200);
  const members = useMembers(q);
  const others = (members.data ?? []).filter(({ uuid }) => uuid !== user?.uuid);
  const chosen = others.find(({ uuid }) => uuid === to);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (chosen) transfer.mutate(chosen);
      }}
    >
      <Stack>
        <Text size="sm">{t('transfer.explain', { workspace: workspace.name })}</Text>
        <Select
          label={t('transfer.to')}
          placeholder={t('transfer.placeholder')}
          value={to}
          onChange={setTo}
          searchValue={search}
          onSearchChange={setSearch}
          searchable
          openOnFocus={false}
          clearable
          clearButtonProps={{ 'aria-label': t('common:clear') }}
          data={others.map(({ uuid, username }) => ({ value: uuid, label: username }))}
          nothingFoundMessage={t('transfer.nobody')}
          data-autofocus
        />
        {members.error && <Problem error={members.error} />}
        {transfer.error && <Problem error={transfer.error} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {t('common:cancel')}
          </Button>
          <Button type="submit" color="red.8" disabled={!chosen} loading={transfer.isPending}>
            {t('transfer.submit')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function Remove({ workspace }: { workspace: Workspace }) {
  const { t } = useTranslation('workspaces');
  const [opened, dialog] = useDisclosure();
  return (
    <>
      <Line
        title={t('delete.title')}
        text={t('delete.text')}
        action={
          <Button color="red.8" variant="outline" c="var(--mantine-color-error)" onClick={dialog.open}>
            {t('delete.open')}
          </Button>
        }
      />
      <Modal opened={opened} onClose={dialog.close} title={t('delete.title')} centered>
        <RemoveForm workspace={workspace} onClose={dialog.close} />
      </Modal>
    </>
  );
}

function RemoveForm({ workspace, onClose }: { workspace: Workspace; onClose(): void }) {
  const { t } = useTranslation('workspaces');
  const navigate = useNavigate();
  const remove = useRemoveWorkspace(() => {
    toast.success(t('delete.done', { name: workspace.name }));
    void navigate({ to: '/' });
  });
  const [name, setName] = useState('');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        remove.mutate(workspace.name);
      }}
    >
      <Stack>
        <Text size="sm">{t('delete.explain')}</Text>
        <TextInput
          label={t('delete.typeName', { name: workspace.name })}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          autoComplete="off"
          data-autofocus
        />
        {remove.error && <Problem error={remove.error} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {t('common:cancel')}
          </Button>
          <Button type="submit" color="red.8" disabled={name.trim() !== workspace.name} loading={remove.isPending}>
            {t('delete.submit')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function Leave({ workspace }: { workspace: Workspace }) {
  const { t } = useTranslation('workspaces');
  const navigate = useNavigate();
  const [opened, dialog] = useDisclosure();
  const leave = useLeaveWorkspace(() => {
    toast.success(t('leave.done', { name: workspace.name }));
    void navigate({ to: '/' });
  });
  return (
    <>
      <Line
        title={t('leave.title')}
        text={t('leave.text')}
        action={
          <Button variant="default" onClick={dialog.open}>
            {t('leave.open')}
          </Button>
        }
      />
      <ConfirmDialog
        opened={opened}
        title={t('leave.question', { name: workspace.name })}
        text={t('leave.explain')}
        confirm={t('leave.open')}
        cancel={t('common:cancel')}
        loading={leave.isPending}
        onClose={dialog.close}
        onConfirm={() => leave.mutate(undefined, { onError: (error) => toast.error(errorText(error)) })}
      />
    </>
  );
}
