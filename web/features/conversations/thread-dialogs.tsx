import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Thread } from '../../../shared/contracts/conversations.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { CopyField } from '../../ui/copy-field.tsx';
import { Modal } from '../../ui/overlays.tsx';
import { toast } from '../../ui/toast.tsx';
import { useRemoveThread, useShareThread, useUpdateThread } from './conversations.queries.ts';

export type ThreadAction = 'rename' | 'share' | 'remove';

interface DialogProps {
  thread: Thread;
  action: ThreadAction;
  onClose(): void;
  onRemoved(): void;
}

/** What asks before a conversation is renamed, shared or deleted. */
export function ThreadDialogs({ thread, action, onClose, onRemoved }: DialogProps) {
  const { t } = useTranslation('conversations');
  const remove = useRemoveThread(thread.bot);
  return (
    <>
      {action === 'rename' && <RenameDialog thread={thread} onClose={onClose} />}
      {action === 'share' && <ShareDialog thread={thread} onClose={onClose} />}
      <ConfirmDialog
        opened={action === 'remove'}
        title={t('threads.deleteTitle')}
        text={t('threads.deleteText')}
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
            onError: (error) => toast.error(error.message),
          })
        }
      />
    </>
  );
}

function RenameDialog({ thread, onClose }: { thread: Thread; onClose(): void }) {
  const { t } = useTranslation('conversations');
  const [title, setTitle] = useState(thread.title);
  const update = useUpdateThread(thread.bot);
  return (
    <Modal opened onClose={onClose} title={t('threads.rename')}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          update.mutate({ thread: thread.uuid, title }, { onSuccess: onClose });
        }}
      >
        <Stack>
          <TextInput
            label={t('threads.title')}
            value={title}
            onChange={(event) => setTitle(event.currentTarget.value)}
            maxLength={120}
            data-autofocus
            error={update.error?.message}
          />
          <Button type="submit" loading={update.isPending} disabled={!title.trim()} style={{ alignSelf: 'flex-end' }}>
            {t('common:save')}
          </Button>
        </Stack>
      </form>
    </Modal>
  );
}

/** The server keeps only a hash of a link, so a link that is out cannot be shown again: a new one ends it. */
function ShareDialog({ thread, onClose }: { thread: Thread; onClose(): void }) {
  const { t } = useTranslation('conversations');
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
  return (
    <Modal opened onClose={onClose} title={t('share.title')} size="lg">
      <Stack>
        <Text size="sm">{t('share.text')}</Text>
        {share.data ? (
          <CopyField
            label={t('share.link')}
            value={share.data}
            copyLabel={t('common:copy')}
            copiedLabel={t('common:copied')}
          />
        ) : (
          hadLink && <Alert color="blue">{t('share.isOut')}</Alert>
        )}
        {error && (
          <Alert color="red" role="alert">
            {error.message}
          </Alert>
        )}
        <Group justify="flex-end">
          {(share.data !== undefined || hadLink) && (
            <Button variant="default" onClick={end} loading={unshare.isPending}>
              {t('share.end')}
            </Button>
          )}
          {!share.data && (
            <Button onClick={() => share.mutate()} loading={share.isPending}>
              {t(hadLink ? 'share.new' : 'share.create')}
            </Button>
          )}
        </Group>
      </Stack>
    </Modal>
  );
}
