import { Menu } from '@mantine/core';
import { IconPencil, IconPin, IconPinnedOff, IconShare2, IconTrash } from '@tabler/icons-react';
import type { Thread } from '../../../shared/contracts/conversations.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { AnchoredMenu } from '../../ui/floating.tsx';
import { toast } from '../../ui/toast.tsx';
import { useUpdateThread } from './conversations.queries.ts';
import type { ThreadAction } from './thread-dialogs.tsx';

interface Props {
  thread: Thread;
  onAction(action: ThreadAction): void;
  onClose(): void;
}

export function ThreadActions({ thread, onAction, onClose }: Props) {
  const { t } = useTranslation('conversations');
  const update = useUpdateThread(thread.bot);
  return (
    <AnchoredMenu label={t('threads.menu', { title: thread.title })} position="bottom-end" onClose={onClose}>
      {!thread.temporary && (
        <Menu.Item
          leftSection={thread.pinned ? <IconPinnedOff size={14} /> : <IconPin size={14} />}
          onClick={() =>
            update.mutate(
              { thread: thread.uuid, pinned: !thread.pinned },
              { onError: (error) => toast.error(error.message) },
            )
          }
        >
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
        {t('common:delete')}
      </Menu.Item>
    </AnchoredMenu>
  );
}
