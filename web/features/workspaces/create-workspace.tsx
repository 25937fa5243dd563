import { Button, FileButton, Group, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Workspace } from '../../../shared/contracts/workspaces.ts';
import { ApiError } from '../../lib/api.ts';
import { problemOf } from '../../lib/error-text.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { FormActions } from '../../ui/form-actions.tsx';
import { Modal } from '../../ui/overlays.tsx';
import { pictureTypes } from './picture-types.ts';
import { useCreateWorkspace, useUploadPicture } from './workspaces.queries.ts';

interface Props {
  opened: boolean;
  onClose(): void;
  onCreated(workspace: Workspace): void;
}

export function CreateWorkspaceDialog({ opened, onClose, onCreated }: Props) {
  const { t } = useTranslation('workspaces');
  return (
    <Modal opened={opened} onClose={onClose} title={t('create.title')} centered>
      <CreateForm onClose={onClose} onCreated={onCreated} />
    </Modal>
  );
}

function CreateForm({ onClose, onCreated }: Omit<Props, 'opened'>) {
  const { t } = useTranslation('workspaces');
  const [name, setName] = useState('');
  const create = useCreateWorkspace();
  const picture = useUploadPicture();
  const error = create.error ?? picture.error;
  const nameError = create.error instanceof ApiError ? create.error.fields['name'] : undefined;
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        create.mutate({ name, ...(picture.data && { avatar: picture.data.uuid }) }, { onSuccess: onCreated });
      }}
    >
      <Stack>
        <Text size="sm" c="dimmed">
          {t('create.text')}
        </Text>
        <TextInput
          label={t('workspace.name')}
          placeholder={t('create.placeholder')}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          maxLength={60}
          error={nameError}
          data-autofocus
          required
        />
        <Group gap="sm">
          <Avatar kind="workspace" name={name} url={picture.data?.url} size={44} />
          <FileButton onChange={(file) => file && picture.mutate(file)} accept={pictureTypes}>
            {(props) => (
              <Button size="xs" variant="default" loading={picture.isPending} {...props}>
                {t('workspace.picture')}
              </Button>
            )}
          </FileButton>
        </Group>
        <FormActions
          submit={t('common:create')}
          cancel={t('common:cancel')}
          isBusy={create.isPending}
          disabled={picture.isPending}
          error={nameError ? undefined : problemOf(error)}
          onClose={onClose}
        />
      </Stack>
    </form>
  );
}
