import { Box, Group, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { IconSelector } from '@tabler/icons-react';
import { useTranslation } from '../../lib/i18n.ts';
import { useWorkspace } from '../../lib/session.ts';
import { useOpener } from '../../ui/anchored.tsx';
import { later } from '../../ui/later.tsx';
import classes from './default-layout.module.css';
import { WorkspaceName } from './workspace-name.tsx';

const WorkspaceMenu = later(async () => (await import('./workspace-menu.tsx')).WorkspaceMenu);

export function WorkspaceSwitcher() {
  const { t } = useTranslation('common');
  const current = useWorkspace();
  const { isOpen, close, button } = useOpener('menu');
  if (!current) return null;
  return (
    <Box pos="relative">
      <UnstyledButton p={4} w="100%" style={{ borderRadius: 'var(--r2)' }} {...button} {...WorkspaceMenu.reach}>
        <VisuallyHidden>{t('workspace.switch')}</VisuallyHidden>
        <Group gap="xs" wrap="nowrap" className={classes['workspace']}>
          <WorkspaceName workspace={current} />
          <IconSelector size={16} aria-hidden style={{ flex: 'none', marginInlineStart: 'auto' }} />
        </Group>
      </UnstyledButton>
      {isOpen && <WorkspaceMenu onClose={close} onFail={close} />}
    </Box>
  );
}
