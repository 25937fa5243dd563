import { Group, Menu } from '@mantine/core';
import { IconCheck, IconPlus } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from '../../lib/i18n.ts';
import { chooseWorkspace, useUser, useWorkspace, type Workspace } from '../../lib/session.ts';
import { AnchoredMenu } from '../../ui/floating.tsx';
import { WorkspaceName } from './workspace-name.tsx';

export function WorkspaceMenu({ onClose }: { onClose(): void }) {
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
    <AnchoredMenu label={t('workspace.label')} position="bottom-start" width="target" onClose={onClose}>
      {user.workspaces.map((workspace) => (
        <Menu.Item
          key={workspace.uuid}
          onClick={() => void change(workspace)}
          aria-current={workspace.uuid === current.uuid}
          styles={{ itemLabel: { minWidth: 0 } }}
          rightSection={workspace.uuid === current.uuid && <IconCheck size={16} aria-hidden />}
        >
          <Group gap="xs" wrap="nowrap">
            <WorkspaceName workspace={workspace} />
          </Group>
        </Menu.Item>
      ))}
      <Menu.Divider />
      <Menu.Item
        leftSection={<IconPlus size={16} />}
        onClick={() => void navigate({ to: '/Team', search: { new: 'true' } })}
      >
        {t('workspace.new')}
      </Menu.Item>
    </AnchoredMenu>
  );
}
