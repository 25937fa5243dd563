import { Menu } from '@mantine/core';
import {
  IconCheck,
  IconDownload,
  IconPencil,
  IconPin,
  IconPinnedOff,
  IconPrinter,
  IconShare2,
  IconTrash,
  IconWorldUpload,
} from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ShownBot } from '../../../shared/contracts/bots.ts';
import type { Thread } from '../../../shared/contracts/conversations.ts';
import { errorText } from '../../lib/error-text.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { AnchoredMenu } from '../../ui/floating.tsx';
import { State } from '../../ui/page.tsx';
import { toast } from '../../ui/toast.tsx';
import { useUpdateThread } from './conversations.queries.ts';
import type { ThreadAction } from './thread-dialogs.tsx';
import { printThread } from './print-thread.tsx';
import { saveThread } from './thread-files.ts';
import classes from './conversations.module.css';

/** For the keys that print: it comes with the menu that does. */
export { printThread };

interface Props {
  thread: Thread;
  isShown: boolean;
  onAction(action: ThreadAction): void;
  /** Before it is printed: what lies over it goes. */
  onPrint?: (() => void) | undefined;
  onClose(): void;
}

export function ThreadActions({ onClose, ...items }: Props) {
  const { t } = useTranslation('conversations');
  return (
    <AnchoredMenu
      label={t('threads.menu', { title: items.thread.title })}
      position="bottom-end"
      classNames={{ item: classes['menuItem'] ?? '' }}
      onClose={onClose}
    >
      <ThreadItems {...items} />
    </AnchoredMenu>
  );
}

function ThreadItems({ thread, isShown, onAction, onPrint }: Omit<Props, 'onClose'>) {
  const { t } = useTranslation('conversations', 'conversations-panels');
  const update = useUpdateThread(thread.bot);
  const client = useQueryClient();
  const fail = (error: unknown) => toast.error(errorText(error));
  const print = () => {
    onPrint?.();
    toast.success(t('conversations-panels:gather.busy'));
    printThread(client, thread).catch(fail);
  };
  return (
    <>
      {!thread.temporary && (
        <Menu.Item
          leftSection={thread.pinned ? <IconPinnedOff size={14} /> : <IconPin size={14} />}
          onClick={() => update.mutate({ thread: thread.uuid, pinned: !thread.pinned }, { onError: fail })}
        >
          {t(thread.pinned ? 'threads.unpin' : 'threads.pin')}
        </Menu.Item>
      )}
      <Menu.Item leftSection={<IconPencil size={14} />} onClick={() => onAction('rename')}>
        {t('threads.rename')}
      </Menu.Item>
      <Menu.Item
        leftSection={<IconShare2 size={14} />}
        rightSection={thread.shared && <State kind="live">{t('share.badge')}</State>}
        onClick={() => onAction('share')}
      >
        {t('share.title')}
      </Menu.Item>
      <Menu.Divider />
      {isShown && (
        <Menu.Item leftSection={<IconPrinter size={14} />} onClick={print}>
          {t('threads.print')}
        </Menu.Item>
      )}
      {(['markdown', 'json'] as const).map((format) => (
        <Menu.Item
          key={format}
          leftSection={<IconDownload size={14} />}
          onClick={() => void saveThread(thread, format).catch(fail)}
        >
          {t(`threads.export.${format}`)}
        </Menu.Item>
      ))}
      <Menu.Divider />
      <Menu.Item leftSection={<IconTrash size={14} />} color="red" onClick={() => onAction('remove')}>
        {t('common:delete')}
      </Menu.Item>
    </>
  );
}

interface ChatProps {
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
export function ChatActions({ label, bot, thread, isDraft, onDraft, onPublish, onAction, onClose }: ChatProps) {
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
            {t('common:edit')}
          </Menu.Item>
        </>
      )}
      {published && changed && (
        <>
          <Menu.Divider />
          <Menu.Label>{t('answering.label')}</Menu.Label>
          <Menu.RadioGroup value={isDraft ? 'draft' : 'published'} onChange={(value) => onDraft(value === 'draft')}>
            <Menu.RadioItem value="draft" checkIcon={<IconCheck size={14} />} closeMenuOnClick>
              {t('answering.draft')}
            </Menu.RadioItem>
            <Menu.RadioItem value="published" checkIcon={<IconCheck size={14} />} closeMenuOnClick>
              {t('answering.published', { number: published.number })}
            </Menu.RadioItem>
          </Menu.RadioGroup>
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
