import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { IconEye, IconEyeOff, IconRefresh } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import type { Thread } from '../../../shared/contracts/conversations.ts';
import { errorText, problemOf } from '../../lib/error-text.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { CopyField } from '../../ui/copy-field.tsx';
import { Modal } from '../../ui/overlays.tsx';
import { State } from '../../ui/page.tsx';
import { toast } from '../../ui/toast.tsx';
import { useRemoveThread, useShareThread, useUpdateThread } from './conversations.queries.ts';
import own from './thread-dialogs.module.css';

export type ThreadAction = 'rename' | 'share' | 'remove';

interface DialogProps {
  thread: Thread;
  action: ThreadAction;
  onClose(): void;
  onRemoved(): void;
}

/** What asks before a conversation is renamed, shared or deleted. */
export function ThreadDialogs({ thread, action, onClose, onRemoved }: DialogProps) {
  const { t } = useTranslation('conversations', 'conversations-panels');
  const remove = useRemoveThread(thread.bot);
  return (
    <>
      {action === 'rename' && <RenameDialog thread={thread} onClose={onClose} />}
      {action === 'share' && <ShareDialog thread={thread} onClose={onClose} />}
      <ConfirmDialog
        opened={action === 'remove'}
        title={t('conversations-panels:threads.deleteTitle')}
        text={t('conversations-panels:threads.deleteText')}
        confirm={t('common:delete')}
        cancel={t('common:cancel')}
        loading={remove.isPending}
        onClose={onClose}
        onConfirm={() =>
          remove.mutate(thread.uuid, {
            onSuccess() {
              onClose();
              onRemoved();
            },
            onError: (error) => toast.error(errorText(error)),
          })
        }
      />
    </>
  );
}

function RenameDialog({ thread, onClose }: { thread: Thread; onClose(): void }) {
  const { t } = useTranslation('conversations', 'conversations-panels');
  const [title, setTitle] = useState(thread.title);
  const [isMissing, setIsMissing] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const update = useUpdateThread(thread.bot);
  return (
    <Modal opened onClose={onClose} title={t('threads.rename')} centered>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (title.trim()) return update.mutate({ thread: thread.uuid, title }, { onSuccess: onClose });
          setIsMissing(true);
          field.current?.focus();
        }}
      >
        <Stack>
          <TextInput
            label={t('threads.title')}
            value={title}
            ref={field}
            onChange={(event) => {
              setTitle(event.currentTarget.value);
              setIsMissing(false);
            }}
            maxLength={120}
            data-autofocus
            error={isMissing ? t('conversations-panels:threads.titleMissing') : problemOf(update.error)}
          />
          <Button type="submit" loading={update.isPending} style={{ alignSelf: 'flex-end' }}>
            {t('common:save')}
          </Button>
        </Stack>
      </form>
    </Modal>
  );
}

/** The server keeps only a hash of a link, so a link that is out cannot be shown again: a new one ends it. */
function ShareDialog({ thread, onClose }: { thread: Thread; onClose(): void }) {
  const { t } = useTranslation('conversations', 'conversations-panels');
  const { share, unshare } = useShareThread(thread.bot, thread.uuid);
  const [hadLink] = useState(thread.shared);
  const error = share.error ?? unshare.error;
  const end = () =>
    unshare.mutate(undefined, {
      onSuccess() {
        toast.success(t('share.ended'));
        onClose();
      },
    });
  const isOut = share.data !== undefined || hadLink;
  return (
    <Modal opened onClose={onClose} title={t('share.title')} centered>
      <Stack gap="md">
        <ul className={own['terms']}>
          <li>
            <IconEye size={16} aria-hidden />
            {t('conversations-panels:share.reads')}
          </li>
          <li>
            <IconRefresh size={16} aria-hidden />
            {t('conversations-panels:share.later')}
          </li>
          <li>
            <IconEyeOff size={16} aria-hidden />
            {t('conversations-panels:share.hidden')}
          </li>
        </ul>
        {share.data ? (
          <CopyField
            label={t('share.link')}
            value={share.data}
            copyLabel={t('common:copy')}
            copiedLabel={t('common:copied')}
          />
        ) : (
          hadLink && (
            <div className={own['out']} role="note">
              <State kind="live">{t('share.badge')}</State>
              <p>{t('conversations-panels:share.isOut')}</p>
            </div>
          )
        )}
        {error && (
          <Text size="sm" c="red" role="alert">
            {errorText(error)}
          </Text>
        )}
        <Group justify={isOut ? 'space-between' : 'flex-end'} gap="xs">
          {isOut && (
            <Button variant="default" onClick={end} loading={unshare.isPending}>
              {t('share.end')}
            </Button>
          )}
          {share.data ? (
            <Button component="a" href={share.data} target="_blank" rel="noopener" variant="default">
              {t('share.look')}
            </Button>
          ) : (
            <Button onClick={() => share.mutate()} loading={share.isPending}>
              {t(hadLink ? 'share.new' : 'share.create')}
            </Button>
          )}
        </Group>
      </Stack>
    </Modal>
  );
}
