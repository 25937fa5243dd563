import { ActionIcon, Menu } from '@mantine/core';
import { IconDots, IconPencil, IconPin, IconPinnedOff, IconShare2, IconTrash } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { Thread } from '../../../shared/contracts/conversations.ts';
import { toast } from '../../ui/toast.tsx';
import { useUpdateThread } from './conversations.queries.ts';

export type ThreadAction = 'rename' | 'share' | 'remove';

export function ThreadMenu({ thread, onAction }: { thread: Thread; onAction(action: ThreadAction): void }) {
  const { t } = useTranslation('conversations');
  const update = useUpdateThread(thread.bot);
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" mr={4} aria-label={t('threads.menu', { title: thread.title })}>
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {!thread.temporary && (
          <Menu.Item leftSection={thread.pinned ? <IconPinnedOff size={14} /> : <IconPin size={14} />} onClick={() => update.mutate({ thread: thread.uuid, pinned: !thread.pinned }, { onError: (error) => toast.error(error.message) })}>
            {t(thread.pinned ? 'threads.unpin' : 'threads.pin')}
          </Menu.Item>
        )}
        <Menu.Item leftSection={<IconPencil size={14} />} onClick={() => onAction('rename')}>
          {t('threads.rename')}
        </Menu.Item>
        <Menu.Item leftSection={<IconShare2 size={14} />} onClick={() => onAction('share')}>
          {t('share.title')}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<IconTrash size={14} />} color="red" onClick={() => onAction('remove')}>
          {t('threads.delete')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
