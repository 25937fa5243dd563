import { ActionIcon, Menu } from '@mantine/core';
import {
  IconDots,
  IconInbox,
  IconPlayerPause,
  IconPlayerPlay,
  IconPlugConnected,
  IconPlugConnectedX,
} from '@tabler/icons-react';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { LineChannel } from '../../../shared/contracts/line-channels.ts';
import { errorText } from '../../lib/error-text.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { useMay } from '../../lib/session.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { toast } from '../../ui/toast.tsx';
import { useDisconnectLine, useSwitchLine } from './line-channels.queries.ts';

/** What can be done with a channel as a whole. */
export function ChannelMenu({ channel }: { channel: LineChannel }) {
  const { t } = useTranslation('line-channels');
  const navigate = useNavigate();
  const [isAsked, setIsAsked] = useState(false);
  const turn = useSwitchLine(channel);
  const disconnect = useDisconnectLine();
  const mayDisconnect = useMay('manage');
  const { uuid, name, active, connection } = channel;
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
          <Menu.Item component={Link} to={`/Friend?channel=${uuid}`} leftSection={<IconInbox size={16} />}>
            {t('menu.inbox')}
          </Menu.Item>
          <Menu.Item component={Link} to={`/Bot-Connect/${connection}`} leftSection={<IconPlugConnected size={16} />}>
            {t('menu.connection')}
          </Menu.Item>
          <Menu.Item
            leftSection={active ? <IconPlayerPause size={16} /> : <IconPlayerPlay size={16} />}
            onClick={() => turn.mutate(!active, { onError: fail })}
          >
            {t(active ? 'menu.switchOff' : 'menu.switchOn')}
          </Menu.Item>
          {mayDisconnect && (
            <Menu.Item leftSection={<IconPlugConnectedX size={16} />} color="red" onClick={() => setIsAsked(true)}>
              {t('menu.disconnect')}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      <ConfirmDialog
        opened={isAsked}
        title={t('disconnect.title', { name })}
        text={t('disconnect.text')}
        confirm={t('menu.disconnect')}
        cancel={t('common:cancel')}
        loading={disconnect.isPending}
        onConfirm={() =>
          disconnect.mutate(uuid, {
            onSuccess: () => {
              toast.success(t('disconnect.done', { name }));
              void navigate({ to: '/Line-Channel', ignoreBlocker: true });
            },
            onError: fail,
          })
        }
        onClose={() => setIsAsked(false)}
      />
    </>
  );
}
