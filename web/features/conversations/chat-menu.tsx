import { ActionIcon } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { useState } from 'react';
import type { ShownBot } from '../../../shared/contracts/bots.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { useOpener } from '../../ui/anchored.tsx';
import { later } from '../../ui/later.tsx';
import { useThread } from './conversations.queries.ts';
import type { ThreadAction } from './thread-dialogs.tsx';
import classes from './conversations.module.css';

const ChatActions = later(async () => (await import('./thread-actions.tsx')).ChatActions);
const ThreadDialogs = later(async () => (await import('./thread-dialogs.tsx')).ThreadDialogs);

interface Props {
  bot: ShownBot;
  thread: string | undefined;
  isDraft: boolean;
  onDraft(isDraft: boolean): void;
  onPublish(): void;
  /** The thread is no more. */
  onLeave(): void;
}

/** On a phone there is one row, and one menu for the bot and for what is open. */
export function ChatMenu({ bot, thread: uuid, isDraft, onDraft, onPublish, onLeave }: Props) {
  const { t } = useTranslation('conversations');
  const { data: thread } = useThread(uuid);
  const { isOpen, close, button } = useOpener('menu');
  const [action, setAction] = useState<ThreadAction>();
  if (!thread && !bot.canEdit) return null;
  const label = t('threads.menu', { title: thread?.title ?? bot.name });
  return (
    <span className={classes['chatMenu']}>
      <ActionIcon variant="subtle" color="gray" size={44} aria-label={label} {...button} {...ChatActions.reach}>
        <IconDots size={18} />
      </ActionIcon>
      {isOpen && (
        <ChatActions
          label={label}
          bot={bot}
          thread={thread}
          isDraft={isDraft}
          onDraft={onDraft}
          onPublish={onPublish}
          onAction={setAction}
          onClose={close}
          onFail={close}
        />
      )}
      {action && thread && (
        <ThreadDialogs
          thread={thread}
          action={action}
          onClose={() => setAction(undefined)}
          onFail={() => setAction(undefined)}
          onRemoved={onLeave}
        />
      )}
    </span>
  );
}
