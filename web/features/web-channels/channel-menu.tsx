import { ActionIcon, Menu, Stack, TextInput } from '@mantine/core';
import {
  IconDots,
  IconEdit,
  IconExternalLink,
  IconPlayerPause,
  IconPlayerPlay,
  IconPlugConnected,
  IconTrash,
} from '@tabler/icons-react';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { WebChannel } from '../../../shared/contracts/web-channels.ts';
import { errorText, problemOf } from '../../lib/error-text.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { FormActions } from '../../ui/form-actions.tsx';
import { Modal } from '../../ui/overlays.tsx';
import { toast } from '../../ui/toast.tsx';
import { frameOf } from './state.ts';
import { useRemoveWebChannel, useSaveWebChannel } from './web-channels.queries.ts';

/** What can be done with a channel beside its form. */
export function ChannelMenu({ channel }: { channel: WebChannel }) {
  const { t } = useTranslation('web-channels');
  const navigate = useNavigate();
  const [dialog, setDialog] = useState<'rename' | 'remove'>();
  const save = useSaveWebChannel(channel);
  const remove = useRemoveWebChannel();
  const { uuid, name, active, connection } = channel;
  const { retentionDays } = channel.settings.history;
  const close = () => setDialog(undefined);
  const fail = (error: unknown) => toast.error(errorText(error));
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" size={30} aria-label={t('common:menuOf', { name })}>
            <IconDots size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            hiddenFrom="md"
            component="a"
            href={frameOf(channel)}
            target="_blank"
            leftSection={<IconExternalLink size={16} />}
          >
            {t('head.openPage')}
          </Menu.Item>
          <Menu.Item leftSection={<IconEdit size={16} />} onClick={() => setDialog('rename')}>
            {t('menu.rename')}
          </Menu.Item>
          <Menu.Item component={Link} to={`/Bot-Connect/${connection}`} leftSection={<IconPlugConnected size={16} />}>
            {t('menu.connection')}
          </Menu.Item>
          <Menu.Item
            leftSection={active ? <IconPlayerPause size={16} /> : <IconPlayerPlay size={16} />}
            onClick={() => save.mutate({ connection: { active: !active } }, { onError: fail })}
          >
            {t(active ? 'menu.switchOff' : 'menu.switchOn')}
          </Menu.Item>
          <Menu.Item leftSection={<IconTrash size={16} />} color="red" onClick={() => setDialog('remove')}>
            {t('common:delete')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {dialog === 'rename' && <RenameDialog channel={channel} onClose={close} />}
      <ConfirmDialog
        opened={dialog === 'remove'}
        title={t('remove.title', { name })}
        text={[t('remove.text'), ...(retentionDays === null ? [] : [t('remove.kept', { count: retentionDays })])].join(
          ' ',
        )}
        confirm={t('common:delete')}
        cancel={t('common:cancel')}
        loading={remove.isPending}
        onConfirm={() =>
          remove.mutate(uuid, {
            onSuccess: () => {
              toast.success(t('remove.done', { name }));
              void navigate({ to: '/Web-Channel', ignoreBlocker: true });
            },
            onError: fail,
          })
        }
        onClose={close}
      />
    </>
  );
}

function RenameDialog({ channel, onClose }: { channel: WebChannel; onClose(): void }) {
  const { t } = useTranslation('web-channels');
  const [name, setName] = useState(channel.name);
  const [isTold, setIsTold] = useState(false);
  const save = useSaveWebChannel(channel);
  const isEmpty = name.trim() === '';
  return (
    <Modal opened onClose={onClose} title={t('menu.rename')} centered>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          setIsTold(isEmpty);
          if (!isEmpty) save.mutate({ channel: { name } }, { onSuccess: onClose });
        }}
      >
        <Stack>
          <TextInput
            label={t('common:name')}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            maxLength={80}
            data-autofocus
            error={(isTold && isEmpty && t('common:required')) || problemOf(save.error)}
          />
          <FormActions
            submit={t('common:save')}
            cancel={t('common:cancel')}
            isBusy={save.isPending}
            onClose={onClose}
          />
        </Stack>
      </form>
    </Modal>
  );
}
