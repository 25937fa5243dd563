import { Box, Button, FileButton, Group, Input, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { ApiError } from '../../lib/api.ts';
import { errorText } from '../../lib/error-text.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { useMay, type Workspace } from '../../lib/session.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Section } from '../../ui/page.tsx';
import { toast } from '../../ui/toast.tsx';
import { pictureTypes } from './picture-types.ts';
import { useUpdateWorkspace, useUploadPicture } from './workspaces.queries.ts';

export function WorkspaceCard({ workspace }: { workspace: Workspace }) {
  const { t } = useTranslation('workspaces');
  return (
    <Section title={t('workspace.title')}>
      <Box py="sm">
        {useMay('manage') ? (
          <WorkspaceForm workspace={workspace} />
        ) : (
          <Group gap="md" wrap="nowrap">
            <Avatar kind="workspace" name={workspace.name} url={workspace.avatar?.url} size={48} />
            <Stack gap={0} miw={0}>
              <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
                {workspace.name}
              </Text>
              <Text size="sm" c="dimmed">
                {t('workspace.yourRole', { role: t(`common:role.${workspace.role}`) })}
              </Text>
            </Stack>
          </Group>
        )}
      </Box>
    </Section>
  );
}

function WorkspaceForm({ workspace }: { workspace: Workspace }) {
  const { t } = useTranslation('workspaces');
  const [name, setName] = useState(workspace.name);
  const update = useUpdateWorkspace();
  const picture = useUploadPicture();
  const fail = (error: unknown) => toast.error(errorText(error));
  const nameError =
    update.error instanceof ApiError ? (update.error.fields['name'] ?? update.error.message) : undefined;
  const changePicture = (avatar: string | null) => update.mutate({ avatar }, { onError: fail });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        update.mutate({ name }, { onSuccess: () => toast.success(t('workspace.saved')) });
      }}
    >
      <Stack maw={480}>
        <Group gap="md">
          <Avatar kind="workspace" name={name} url={workspace.avatar?.url} size={56} />
          <Group gap="xs">
            <FileButton
              onChange={(file) =>
                file && picture.mutate(file, { onSuccess: ({ uuid }) => changePicture(uuid), onError: fail })
              }
              accept={pictureTypes}
            >
              {(props) => (
                <Button size="xs" variant="default" loading={picture.isPending} {...props}>
                  {t('workspace.picture')}
                </Button>
              )}
            </FileButton>
            {workspace.avatar && (
              <Button size="xs" variant="subtle" color="gray" onClick={() => changePicture(null)}>
                {t('common:remove')}
              </Button>
            )}
          </Group>
        </Group>
        <Input.Wrapper id="workspace-name" label={t('workspace.name')} error={nameError} required>
          <Group gap="xs" wrap="nowrap">
            <Input
              id="workspace-name"
              value={name}
              onChange={(event) => {
                setName(event.currentTarget.value);
                update.reset();
              }}
              maxLength={60}
              error={nameError !== undefined}
              style={{ flex: 1, minWidth: 0 }}
              required
            />
            <Button
              type="submit"
              variant="default"
              loading={update.isPending}
              disabled={!name.trim() || name.trim() === workspace.name}
              style={{ flex: 'none' }}
            >
              {t('common:save')}
            </Button>
          </Group>
        </Input.Wrapper>
      </Stack>
    </form>
  );
}
