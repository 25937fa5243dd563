import { Alert, Button, Group, Stack, Text, Title } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useState } from 'react';
import type { ApiKey } from '../../../shared/contracts/keys.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { CopyField } from '../../ui/copy-field.tsx';
import { Modal } from '../../ui/overlays.tsx';
import { toast } from '../../ui/toast.tsx';
import { KeyForm } from './key-form.tsx';
import { KeySnippets } from './key-snippets.tsx';
import { useCreateKey, useUpdateKey } from './keys.queries.ts';

type CreatedKey = ApiKey & { key: string };

/** Asks what the key is for, then shows it, this once: a click beside the dialog must not lose it. */
export function CreateKeyDialog({ opened, onClose }: { opened: boolean; onClose(): void }) {
  const { t } = useTranslation('keys');
  const [created, setCreated] = useState<CreatedKey>();
  const close = () => {
    onClose();
    setCreated(undefined);
  };
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={created ? t('created.title') : t('create.title')}
      size="lg"
      centered
      closeOnClickOutside={!created}
      closeOnEscape={!created}
    >
      {created ? <ShownKey created={created} onClose={close} /> : <CreateForm onCreated={setCreated} onClose={close} />}
    </Modal>
  );
}

function CreateForm({ onCreated, onClose }: { onCreated(created: CreatedKey): void; onClose(): void }) {
  const { t } = useTranslation('keys');
  const create = useCreateKey();
  return (
    <KeyForm
      submit={t('common:create')}
      isBusy={create.isPending}
      error={create.error}
      onSubmit={(values) => create.mutate(values, { onSuccess: onCreated })}
      onClose={onClose}
    />
  );
}

function ShownKey({ created, onClose }: { created: CreatedKey; onClose(): void }) {
  const { t } = useTranslation('keys');
  return (
    <Stack>
      <Alert color="yellow" icon={<IconAlertTriangle />} title={t('created.once')}>
        {t('created.warning')}
      </Alert>
      <CopyField
        label={created.name}
        value={created.key}
        copyLabel={t('common:copy')}
        copiedLabel={t('common:copied')}
      />
      {created.scopes.includes('chat') ? (
        <>
          <Title order={3} size="h5">
            {t('snippets.title')}
          </Title>
          <KeySnippets apiKey={created.key} bot={created.bots?.[0]?.uuid} />
        </>
      ) : (
        <Text size="sm" c="dimmed">
          {t('created.noChat')}
        </Text>
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {t('created.done')}
        </Button>
      </Group>
    </Stack>
  );
}

export function EditKeyDialog({ apiKey, onClose }: { apiKey: ApiKey | undefined; onClose(): void }) {
  const { t } = useTranslation('keys');
  return (
    <Modal opened={apiKey !== undefined} onClose={onClose} title={t('edit.title')} size="lg" centered>
      {apiKey && <EditForm apiKey={apiKey} onClose={onClose} />}
    </Modal>
  );
}

function EditForm({ apiKey, onClose }: { apiKey: ApiKey; onClose(): void }) {
  const { t } = useTranslation('keys');
  const update = useUpdateKey(apiKey.uuid);
  return (
    <KeyForm
      initial={apiKey}
      submit={t('common:save')}
      isBusy={update.isPending}
      error={update.error}
      onClose={onClose}
      onSubmit={(values) =>
        update.mutate(values, {
          onSuccess: () => {
            toast.success(t('edit.done'));
            onClose();
          },
        })
      }
    />
  );
}
