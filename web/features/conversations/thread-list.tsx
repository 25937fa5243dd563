import { ActionIcon, Button, Menu, Modal, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { IconDots, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Thread } from '../../../shared/contracts/conversations.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { SearchInput } from '../../ui/search-input.tsx';
import { useRemoveThread, useRenameThread, useThreads } from './conversations.queries.ts';
import classes from './conversations.module.css';

interface Props {
  bot: string;
  active: string | undefined;
  onPick(thread: string | undefined): void;
}

export function ThreadList({ bot, active, onPick }: Props) {
  const { t } = useTranslation('conversations');
  const [q, setQ] = useState('');
  const threads = useThreads(bot, q);
  const [renaming, setRenaming] = useState<Thread>();
  const [removing, setRemoving] = useState<Thread>();
  const remove = useRemoveThread(bot);

  return (
    <>
      <Stack p={8} gap={8}>
        <Button leftSection={<IconPlus size={16} />} variant="light" onClick={() => onPick(undefined)}>
          {t('threads.new')}
        </Button>
        <SearchInput value={q} onChange={setQ} label={t('threads.search')} />
      </Stack>
      <nav className={classes['threadList']} aria-label={t('threads.label')}>
        {threads.isPending && Array.from({ length: 4 }, (_, at) => <Skeleton key={at} height={32} mb={6} />)}
        {threads.data?.data.length === 0 && (
          <Text size="sm" c="dimmed" p={8}>
            {q ? t('threads.noMatch') : t('threads.empty')}
          </Text>
        )}
        {threads.data?.data.map((thread) => (
          <div key={thread.uuid} className={classes['thread']} data-active={thread.uuid === active || undefined}>
            <button type="button" className={classes['threadLink']} onClick={() => onPick(thread.uuid)} aria-current={thread.uuid === active ? 'page' : undefined} title={thread.title}>
              {thread.title}
            </button>
            <Menu position="bottom-end" withinPortal>
              <Menu.Target>
                <ActionIcon variant="subtle" color="gray" mr={4} aria-label={t('threads.menu', { title: thread.title })}>
                  <IconDots size={16} />
                </ActionIcon>
              </Menu.Target>
              <Menu.Dropdown>
                <Menu.Item leftSection={<IconPencil size={14} />} onClick={() => setRenaming(thread)}>
                  {t('threads.rename')}
                </Menu.Item>
                <Menu.Item leftSection={<IconTrash size={14} />} color="red" onClick={() => setRemoving(thread)}>
                  {t('threads.delete')}
                </Menu.Item>
              </Menu.Dropdown>
            </Menu>
          </div>
        ))}
      </nav>
      {renaming && <RenameDialog key={renaming.uuid} bot={bot} thread={renaming} onClose={() => setRenaming(undefined)} />}
      <ConfirmDialog
        opened={removing !== undefined}
        title={t('threads.deleteTitle')}
        text={t('threads.deleteText')}
        confirm={t('threads.delete')}
        cancel={t('common:cancel')}
        loading={remove.isPending}
        onClose={() => setRemoving(undefined)}
        onConfirm={() => {
          if (!removing) return;
          remove.mutate(removing.uuid, {
            onSuccess: () => {
              if (removing.uuid === active) onPick(undefined);
              setRemoving(undefined);
            },
          });
        }}
      />
    </>
  );
}

function RenameDialog({ bot, thread, onClose }: { bot: string; thread: Thread; onClose(): void }) {
  const { t } = useTranslation('conversations');
  const [title, setTitle] = useState(thread.title);
  const rename = useRenameThread(bot);
  return (
    <Modal opened onClose={onClose} title={t('threads.rename')}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          rename.mutate({ thread: thread.uuid, title }, { onSuccess: onClose });
        }}
      >
        <Stack>
          <TextInput label={t('threads.title')} value={title} onChange={(event) => setTitle(event.currentTarget.value)} maxLength={120} data-autofocus error={rename.error?.message} />
          <Button type="submit" loading={rename.isPending} disabled={!title.trim()}>
            {t('common:save')}
          </Button>
        </Stack>
      </form>
    </Modal>
  );
}
