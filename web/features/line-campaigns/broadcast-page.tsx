import { ActionIcon, Button, Menu, VisuallyHidden } from '@mantine/core';
import { IconCopy, IconDots, IconPencil, IconTrash } from '@tabler/icons-react';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import type { Broadcast } from '../../../shared/contracts/line-campaigns.ts';
import { errorText } from '../../lib/error-text.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { useMay } from '../../lib/session.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Page } from '../../ui/page.tsx';
import { toast } from '../../ui/toast.tsx';
import { BroadcastState } from './broadcast-state.tsx';
import classes from './line-campaigns.module.css';
import { useCopyBroadcast, useRemoveBroadcast } from './line-campaigns.queries.ts';
import { RenameBroadcast } from './rename-broadcast.tsx';

interface Props {
  channel: { uuid: string; name: string };
  broadcast: Broadcast;
  /** In a line after how far it is. */
  facts?: ReactNode;
  actions: ReactNode;
  /** Where it is being changed: what was read before, and what is to be done with what its new name makes of it. */
  seen?: string | undefined;
  onRenamed?(now: Broadcast): void;
  children: ReactNode;
}

/** The frame of a broadcast's page: back to the others, what it is called, how far it is. */
export function BroadcastPage({ channel, broadcast, facts, actions, seen, onRenamed, children }: Props) {
  const { t } = useTranslation('line-campaigns');
  const navigate = useNavigate();
  const mayChange = useMay('edit');
  const copy = useCopyBroadcast();
  const remove = useRemoveBroadcast(channel.uuid);
  const [isDeleting, setIsDeleting] = useState(false);
  const [isRenaming, setIsRenaming] = useState(false);
  const { uuid, name, state } = broadcast;
  const fail = (error: unknown) => toast.error(errorText(error));
  const isMoving = state === 'sending' || state === 'scheduled';
  const isOver = state === 'done' || state === 'cancelled';
  const duplicate = () =>
    copy.mutate(
      { uuid, name: t('editor.copyName', { name }).slice(0, 100).toWellFormed() },
      {
        onSuccess: (made) =>
          void navigate({
            to: '/Line-Channel/$id/Broadcast/$broadcast',
            params: { id: channel.uuid, broadcast: made.uuid },
          }),
        onError: fail,
      },
    );
  return (
    <Page
      title={name}
      above={
        <>
          <Link to="/Line-Channel/$id" params={{ id: channel.uuid }} search={{ tab: 'broadcasts' }}>
            {channel.name}
          </Link>
          <span aria-hidden>/</span>
        </>
      }
      heading={
        <span className={classes['heading']}>
          <span>{name}</span>
          <span>
            <BroadcastState broadcast={broadcast} />
          </span>
        </span>
      }
      facts={
        <>
          {mayChange && (
            <ActionIcon
              variant="subtle"
              color="gray"
              size={28}
              className={classes['rename'] ?? ''}
              aria-label={t('editor.rename')}
              title={t('editor.rename')}
              onClick={() => setIsRenaming(true)}
            >
              <IconPencil size={14} />
            </ActionIcon>
          )}
          <BroadcastState broadcast={broadcast} />
          {facts && <span className={classes['beside']}>{facts}</span>}
        </>
      }
      actions={
        <>
          {mayChange && isOver && (
            <Button
              variant="default"
              leftSection={<IconCopy size={16} aria-hidden />}
              loading={copy.isPending}
              onClick={duplicate}
            >
              {t('editor.copy')}
            </Button>
          )}
          {actions}
          {mayChange && (
            <Menu position="bottom-end">
              <Menu.Target>
                <ActionIcon variant="default" size={30} aria-label={t('editor.menu')}>
                  <IconDots size={16} />
                </ActionIcon>
              </Menu.Target>
              <Menu.Dropdown>
                <Menu.Item leftSection={<IconPencil size={14} />} onClick={() => setIsRenaming(true)}>
                  {t('editor.rename')}
                </Menu.Item>
                {!isOver && (
                  <Menu.Item leftSection={<IconCopy size={14} />} onClick={duplicate}>
                    {t('editor.copy')}
                  </Menu.Item>
                )}
                <Menu.Item
                  leftSection={<IconTrash size={14} />}
                  disabled={isMoving}
                  onClick={() => setIsDeleting(true)}
                >
                  {t('editor.delete')}
                </Menu.Item>
              </Menu.Dropdown>
            </Menu>
          )}
        </>
      }
    >
      {/* The heading is read as the name alone. */}
      <div className={classes['stateOnPhone']}>
        <VisuallyHidden>
          <BroadcastState broadcast={broadcast} />
        </VisuallyHidden>
      </div>
      {children}
      {isRenaming && (
        <RenameBroadcast
          broadcast={broadcast}
          seen={seen}
          onRenamed={(now) => onRenamed?.(now)}
          onClose={() => setIsRenaming(false)}
        />
      )}
      <ConfirmDialog
        opened={isDeleting}
        title={t('editor.deleteTitle', { name })}
        text={t('editor.deleteText')}
        confirm={t('editor.delete')}
        cancel={t('common:cancel')}
        loading={remove.isPending}
        onConfirm={() =>
          remove.mutate(uuid, {
            onSuccess: () =>
              void navigate({ to: '/Line-Channel/$id', params: { id: channel.uuid }, search: { tab: 'broadcasts' } }),
            onError: fail,
          })
        }
        onClose={() => setIsDeleting(false)}
      />
    </Page>
  );
}
