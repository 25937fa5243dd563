import { Group, Menu, Stack, Text, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { IconCheck, IconPlus, IconSelector } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { chooseWorkspace, useUser, useWorkspace, type Workspace } from '../../lib/session.ts';
import { Avatar } from '../../ui/avatar.tsx';

export function WorkspaceSwitcher() {
  const { t } = useTranslation('common');
  const user = useUser();
  const current = useWorkspace();
  const navigate = useNavigate();
  if (!user || !current) return null;

  const change = async (next: Workspace) => {
    if (next.uuid === current.uuid) return;
    // What is open is of the old one; unsaved work may keep the person there.
    await navigate({ to: '/' });
    if (window.location.pathname === '/') chooseWorkspace(next);
  };

  return (
    <Menu position="bottom-start" width="target" shadow="md">
      <Menu.Target>
        <UnstyledButton p={6} w="100%" style={{ borderRadius: 'var(--mantine-radius-md)', border: '1px solid var(--mantine-color-default-border)' }}>
          <VisuallyHidden>{t('workspace.switch')}</VisuallyHidden>
          <Group gap="xs" wrap="nowrap">
            <WorkspaceName workspace={current} />
            <IconSelector size={16} aria-hidden style={{ flex: 'none', marginInlineStart: 'auto' }} />
          </Group>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown mah={420} miw={256} style={{ overflowY: 'auto' }}>
        {user.workspaces.map((workspace) => (
          <Menu.Item key={workspace.uuid} onClick={() => void change(workspace)} aria-current={workspace.uuid === current.uuid} styles={{ itemLabel: { minWidth: 0 } }} rightSection={workspace.uuid === current.uuid && <IconCheck size={16} aria-hidden />}>
            <Group gap="xs" wrap="nowrap">
              <WorkspaceName workspace={workspace} />
            </Group>
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item leftSection={<IconPlus size={16} />} onClick={() => void navigate({ to: '/Team', search: { new: true } })}>
          {t('workspace.new')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function WorkspaceName({ workspace }: { workspace: Workspace }) {
  const { t } = useTranslation('common');
  return (
    <>
      <Avatar id={workspace.uuid} name={workspace.name} url={workspace.avatar?.url} size={28} />
      <Stack gap={0} miw={0}>
        <Text size="sm" fw={600} truncate>
          {workspace.name}
        </Text>
        <Text size="xs" c="dimmed" truncate>
          {workspace.personal ? `${t('workspace.personal')} · ${t(`role.${workspace.role}`)}` : t(`role.${workspace.role}`)}
        </Text>
      </Stack>
    </>
  );
}
