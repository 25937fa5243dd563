import { Button, Divider, Group, Stack, Switch, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconApi, IconKeyboard, IconLogout, IconUserCircle } from '@tabler/icons-react';
import { Link, useNavigate } from '@tanstack/react-router';
import type { User } from '../../../shared/contracts/accounts.ts';
import { ApiError } from '../../lib/api.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { useChatSound, useChatToast } from '../../lib/preferences.ts';
import { signOut } from '../../lib/session.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { AnchoredPopover } from '../../ui/floating.tsx';
import { toast } from '../../ui/toast.tsx';
import { ColorModeSwitch, LanguageSwitch } from './switches.tsx';

interface Props {
  user: User;
  onShortcuts(): void;
  onClose(): void;
}

export function UserMenu({ user, onShortcuts, onClose }: Props) {
  const { t } = useTranslation('common');
  const navigate = useNavigate();
  const isPhone = useMediaQuery('(max-width: 48em)', window.innerWidth <= 768) ?? false;
  const [chatToast, setChatToast] = useChatToast();
  const [chatSound, setChatSound] = useChatSound();

  const leave = async () => {
    try {
      await signOut();
      await navigate({ to: '/Login' });
    } catch (error) {
      if (error instanceof ApiError) toast.error(error.message);
    }
  };
  return (
    <AnchoredPopover
      label={t('user.menu', { name: user.username })}
      position="top-start"
      width={isPhone ? window.innerWidth - 16 : 264}
      trapFocus
      onChange={onClose}
      styles={{ dropdown: { padding: 4 } }}
    >
      <Group p="xs" gap="sm" wrap="nowrap">
        <Avatar kind="person" id={user.uuid} name={user.username} url={user.avatar?.url} />
        <Stack gap={0} miw={0}>
          <Text size="sm" fw={600} truncate>
            {user.username}
          </Text>
          <Text size="xs" c="dimmed" truncate>
            {user.email}
          </Text>
        </Stack>
      </Group>
      <Divider my={4} />
      <Button {...item} component={Link} to="/Account" onClick={onClose} leftSection={<IconUserCircle size={16} />}>
        {t('page.account')}
      </Button>
      <Stack gap={isPhone ? 20 : 'xs'} p="xs" py={isPhone ? 'md' : 'xs'}>
        <Group justify="space-between" wrap="nowrap">
          <Text size="sm">{t('language')}</Text>
          <LanguageSwitch />
        </Group>
        <Group justify="space-between" wrap="nowrap">
          <Text size="sm">{t('colorMode.label')}</Text>
          <ColorModeSwitch />
        </Group>
        <Switch
          size="sm"
          {...turned}
          label={t('user.chatToast')}
          checked={chatToast}
          onChange={(event) => setChatToast(event.currentTarget.checked)}
        />
        <Switch
          size="sm"
          {...turned}
          label={t('user.chatSound')}
          checked={chatSound}
          onChange={(event) => setChatSound(event.currentTarget.checked)}
        />
      </Stack>
      <Divider my={4} />
      <Button
        {...item}
        visibleFrom="sm"
        leftSection={<IconKeyboard size={16} />}
        onClick={() => {
          onClose();
          onShortcuts();
        }}
      >
        {t('user.shortcuts')}
      </Button>
      <Button {...item} component="a" href="/docs" target="_blank" rel="noreferrer" leftSection={<IconApi size={16} />}>
        {t('user.docs')}
      </Button>
      <Button {...item} leftSection={<IconLogout size={16} />} onClick={() => void leave()}>
        {t('user.signOut')}
      </Button>
    </AnchoredPopover>
  );
}

/** At the end of its row, as the choices above it. */
const turned = { labelPosition: 'left', styles: { body: { justifyContent: 'space-between' } } } as const;

const item = {
  variant: 'subtle',
  color: 'gray',
  size: 'sm',
  fullWidth: true,
  justify: 'flex-start',
  fw: 400,
  c: 'var(--mantine-color-text)',
} as const;
