import '../../ui/styles-app.ts';
import {
  ActionIcon,
  AppShell,
  Box,
  Burger,
  Button,
  Divider,
  Group,
  Kbd,
  NavLink,
  Stack,
  Text,
  UnstyledButton,
} from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { spotlight } from '@mantine/spotlight';
import { IconSearch } from '@tabler/icons-react';
import { Link, Outlet, useLocation, useMatches } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { QueryClientProvider } from '@tanstack/react-query';
import icons from 'virtual:page-icons';
import { accountChanged } from '../../../shared/contracts/accounts.ts';
import { labelledPages, pages, type Page } from '../../../shared/pages.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { queryClientOf } from '../../lib/query-client.ts';
import { fetchServices, fetchUser, may, useUser, useWorkspace } from '../../lib/session.ts';
import { closeSocket, on } from '../../lib/socket.ts';
import { useOpener } from '../../ui/anchored.tsx';
import { Avatar } from '../../ui/avatar.tsx';
import { later } from '../../ui/later.tsx';
import { Mark } from '../../ui/logo.tsx';
import { toast } from '../../ui/toast.tsx';
import { OfflineBanner } from './offline-banner.tsx';
import { WorkspaceSwitcher } from './workspace-switcher.tsx';

const Palette = later(async () => (await import('./palette.tsx')).Palette);
const UserMenu = later(async () => (await import('./user-menu.tsx')).UserMenu);

export function DefaultLayout() {
  const client = queryClientOf(useWorkspace()?.uuid ?? '');
  // Whoever signs in next must not see what was kept for this person.
  useEffect(() => () => client.clear(), [client]);
  return (
    <QueryClientProvider client={client}>
      <Frame />
    </QueryClientProvider>
  );
}

function Frame() {
  const { t } = useTranslation('common');
  const [isOpen, { toggle, close }] = useDisclosure();
  const [hasPalette, setHasPalette] = useState(false);
  const search = () => {
    setHasPalette(true);
    spotlight.open();
  };
  const giveUpSearch = () => {
    setHasPalette(false);
    spotlight.close();
  };
  useHotkeys([['mod+K', search]], []);
  useHotkeys([['/', search]]);
  const { pathname } = useLocation();
  const path = useMatches({ select: (matches) => matches.at(-1)?.fullPath });
  const fillsWindow = Object.values<Page>(pages.app).find((page) => page.path === path)?.fillsWindow;
  const user = useUser();
  const workspace = useWorkspace();
  const former = useRef(workspace);
  useEffect(() => {
    const left = former.current;
    former.current = workspace;
    if (!left || !workspace || left.uuid === workspace.uuid) return;
    void fetchServices();
    // The one that was open is gone: the person was removed, or it was deleted.
    if (!user?.workspaces.some(({ uuid }) => uuid === left.uuid)) toast.error(t('workspace.lost', { name: left.name }));
  }, [workspace, user, t]);
  useEffect(() => {
    const stop = on(accountChanged, () => void fetchUser());
    return stop;
  }, []);
  useEffect(() => void close(), [pathname, close]);
  useEffect(() => closeSocket, []);
  const isActive = (path: string) =>
    path === '/' ? pathname === '/' : pathname === path || pathname.startsWith(`${path}/`);
  const links = (group: Page['menu']) =>
    labelledPages
      .filter(([, { menu, access = 'user' }]) => menu === group && may(access))
      .map(([name, { path, icon }]) => {
        const Icon = icon && icons[icon];
        return (
          <NavLink
            key={name}
            component={Link}
            to={path}
            // Who may not see the keys still sees what was used.
            label={t(name === 'token' && !may('manage') ? 'usage' : `page.${name}`)}
            leftSection={Icon && <Icon size={19} stroke={1.7} />}
            active={isActive(path)}
            aria-current={isActive(path) ? 'page' : undefined}
            style={{ borderRadius: 'var(--mantine-radius-md)' }}
          />
        );
      });

  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 232, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding={0}
    >
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="xs" wrap="nowrap">
            <Burger
              opened={isOpen}
              onClick={toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label={t('menu')}
              aria-expanded={isOpen}
            />
            <UnstyledButton component={Link} to="/" aria-label="Kotae">
              <Group gap={8} wrap="nowrap">
                <Mark />
                <Text fw={700} fz="lg" visibleFrom="xs">
                  Kotae
                </Text>
              </Group>
            </UnstyledButton>
          </Group>
          <Group gap={6} wrap="nowrap">
            <Button
              variant="default"
              size="xs"
              leftSection={<IconSearch size={15} />}
              rightSection={<Kbd size="xs">{/Mac|iPhone/.test(navigator.userAgent) ? '⌘' : 'Ctrl'} K</Kbd>}
              onClick={search}
              {...Palette.reach}
              visibleFrom="sm"
            >
              {t('search')}
            </Button>
            <ActionIcon
              variant="subtle"
              color="gray"
              size="lg"
              onClick={search}
              {...Palette.reach}
              hiddenFrom="sm"
              aria-label={t('search')}
            >
              <IconSearch size={20} />
            </ActionIcon>
            <UserButton />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="sm">
        <WorkspaceSwitcher />
        <Stack component="nav" gap={4} mt="sm" style={{ flex: 1 }} aria-label={t('navigation')}>
          {links('work')}
          <Divider my="xs" />
          {links('workspace')}
        </Stack>
      </AppShell.Navbar>
      <AppShell.Main
        id="main"
        tabIndex={-1}
        style={fillsWindow ? { height: '100dvh', display: 'flex', flexDirection: 'column', minHeight: 0 } : undefined}
      >
        <OfflineBanner />
        {/* Another workspace is another place: nothing on the screen is of it. */}
        <Outlet key={workspace?.uuid} />
      </AppShell.Main>
      {hasPalette && <Palette key={workspace?.uuid} onFail={giveUpSearch} />}
    </AppShell>
  );
}

function UserButton() {
  const { t } = useTranslation('common');
  const user = useUser();
  const { isOpen, close, button } = useOpener('dialog');
  if (!user) return null;
  return (
    <Box pos="relative" display="flex">
      <UnstyledButton aria-label={t('user.menu', { name: user.username })} {...button} {...UserMenu.reach}>
        <Avatar id={user.uuid} name={user.username} url={user.avatar?.url} size={34} />
      </UnstyledButton>
      {isOpen && <UserMenu user={user} onClose={close} onFail={close} />}
    </Box>
  );
}
