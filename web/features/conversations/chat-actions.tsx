import { Menu } from '@mantine/core';
import { IconCheck, IconPencil, IconWorldUpload } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ShownBot } from '../../../shared/contracts/bots.ts';
import type { Thread } from '../../../shared/contracts/conversations.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { AnchoredMenu } from '../../ui/floating.tsx';
import { ThreadItems } from './thread-actions.tsx';
import type { ThreadAction } from './thread-dialogs.tsx';
import classes from './conversations.module.css';

interface Props {
  label: string;
  bot: ShownBot;
  thread: Thread | undefined;
  isDraft: boolean;
  onDraft(isDraft: boolean): void;
  onPublish(): void;
  onAction(action: ThreadAction): void;
  onClose(): void;
}

/** What can be done with a bot and with the conversation that is open, where there is no room for buttons. */
export function ChatActions({ label, bot, thread, isDraft, onDraft, onPublish, onAction, onClose }: Props) {
  const { t } = useTranslation('conversations', 'bots');
  const { published, changed } = bot;
  return (
    <AnchoredMenu
      label={label}
      position="bottom-end"
      classNames={{ item: classes['menuItem'] ?? '' }}
      onClose={onClose}
    >
      {bot.canEdit && (
        <>
          {(!published || changed) && (
            <Menu.Item leftSection={<IconWorldUpload size={14} />} onClick={onPublish}>
              {t('bots:publish.button')}
            </Menu.Item>
          )}
          <Menu.Item
            leftSection={<IconPencil size={14} />}
            renderRoot={(props) => <Link {...props} to="/Bot/$id" params={{ id: bot.uuid }} />}
          >
            {t('bots:header.edit')}
          </Menu.Item>
        </>
      )}
      {published && changed && (
        <>
          <Menu.Divider />
          <Menu.Label>{t('answering.label')}</Menu.Label>
          {[true, false].map((each) => (
            <Menu.Item
              key={String(each)}
              role="menuitemradio"
              aria-checked={each === isDraft}
              leftSection={<IconCheck size={14} visibility={each === isDraft ? 'visible' : 'hidden'} />}
              onClick={() => onDraft(each)}
            >
              {each ? t('answering.draft') : t('answering.published', { number: published.number })}
            </Menu.Item>
          ))}
        </>
      )}
      {thread && (
        <>
          {bot.canEdit && <Menu.Divider />}
          <ThreadItems thread={thread} isShown onAction={onAction} />
        </>
      )}
    </AnchoredMenu>
  );
}
