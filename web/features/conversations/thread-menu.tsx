import { ActionIcon } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import type { Thread } from '../../../shared/contracts/conversations.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { useOpener } from '../../ui/anchored.tsx';
import { later } from '../../ui/later.tsx';
import classes from './conversations.module.css';
import type { ThreadAction } from './thread-dialogs.tsx';

const ThreadActions = later(async () => (await import('./thread-actions.tsx')).ThreadActions);

interface Props {
  thread: Thread;
  /** It is the one on the screen. */
  isShown?: boolean;
  onAction(action: ThreadAction): void;
  /** Before it is printed: what lies over it goes. */
  onPrint?: () => void;
}

export function ThreadMenu({ thread, isShown = false, onAction, onPrint }: Props) {
  const { t } = useTranslation('conversations');
  const { isOpen, close, button } = useOpener('menu');
  return (
    <span className={classes['threadMenu']}>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={t('threads.menu', { title: thread.title })}
        {...button}
        {...ThreadActions.reach}
      >
        <IconDots size={16} />
      </ActionIcon>
      {isOpen && (
        <ThreadActions
          thread={thread}
          isShown={isShown}
          onAction={onAction}
          onPrint={onPrint}
          onClose={close}
          onFail={close}
        />
      )}
    </span>
  );
}
