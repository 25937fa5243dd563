import { Stack, Text } from '@mantine/core';
import { useTranslation } from '../../lib/i18n.ts';
import type { Workspace } from '../../lib/session.ts';
import { Avatar } from '../../ui/avatar.tsx';

export function WorkspaceName({ workspace }: { workspace: Workspace }) {
  const { t } = useTranslation('common');
  return (
    <>
      <Avatar kind="workspace" name={workspace.name} url={workspace.avatar?.url} size={28} />
      <Stack gap={0} miw={0}>
        <Text size="sm" fw={600} truncate>
          {workspace.name}
        </Text>
        <Text size="xs" c="dimmed" truncate>
          {workspace.personal
            ? `${t('workspace.personal')} · ${t(`role.${workspace.role}`)}`
            : t(`role.${workspace.role}`)}
        </Text>
      </Stack>
    </>
  );
}
