import '../../ui/styles-app.ts';
import { ActionIcon, AppShell, Burger, Button, Divider, Group, Kbd, NavLink, Popover, Stack, Switch, Text, UnstyledButton } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { spotlight } from '@mantine/spotlight';
import { IconApi, IconBooks, IconFiles, IconHome, IconKey, IconLogout, IconMessageChatbot, IconSearch, IconServerCog, IconUserCircle, IconUsers } from '@tabler/icons-react';
import { Link, Outlet, useLocation, useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { QueryClientProvider } from '@tanstack/react-query';
import { accountChanged } from '../../../shared/contracts/accounts.ts';
import { ApiError } from '../../lib/api.ts';
import { useChatToast } from '../../lib/preferences.ts';
import { queryClient } from '../../lib/query-client.ts';
import { fetchUser, signOut, useMay, useUser, useWorkspace } from '../../lib/session.ts';
import { closeSocket, on } from '../../lib/socket.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Mark } from '../../ui/logo.tsx';
import { toast } from '../../ui/toast.tsx';
import { OfflineBanner } from './offline-banner.tsx';
import { ColorModeSwitch, LanguageSwitch } from './switches.tsx';
import { WorkspaceSwitcher } from './workspace-switcher.tsx';

const fetchPalette = () => import('./palette.tsx');
const Palette = lazy(fetchPalette);

const sections = [
  { to: '/', key: 'home', icon: IconHome },
  { to: '/Bot', key: 'bots', icon: IconMessageChatbot },
  { to: '/Knowledge', key: 'knowledge', icon: IconBooks },
  { to: '/Document', key: 'documents', icon: IconFiles },
] as const;

const settings = [
  { to: '/Team', key: 'team', icon: IconUsers },
  { to: '/Token', key: 'token', icon: IconKey },
] as const;

const operation = { to: '/Operator', key: 'operator', icon: IconServerCog } as const;

export function DefaultLayout() {
  return (
    <QueryClientProvider client={queryClient}>
      <Frame />
    </QueryClientProvider>
  );
}

function Frame() {
  const { t } = useTranslation('common');
  const [isOpen, { toggle, close }] = useDisclosure();
  const { isThere: hasPalette, open: openPalette } = usePalette();
  const { pathname } = useLocation();
  const user = useUser();
  const workspace = useWorkspace();
  const former = useRef(workspace);
  useEffect(() => {
    if (former.current && workspace && former.current.uuid !== workspace.uuid) {
      queryClient.clear();
      // The one that was open is gone: the person was removed, or it was deleted.
      if (!user?.workspaces.some(({ uuid }) => uuid === former.current?.uuid)) toast.error(t('workspace.lost', { name: former.current.name }));
    }
    former.current = workspace;
  }, [workspace, user, t]);
  useEffect(() => on(accountChanged, () => void fetchUser()), []);
  useEffect(close, [pathname, close]);
  // Whoever signs in next must not see what was kept for this person.
  useEffect(
    () => () => {
      closeSocket();
      queryClient.clear();
    },
    [],
  );
  // Who may not see the keys still sees what was used.
  const token = useMay('manage') ? 'token' : 'usage';
  const isActive = (to: string) => (to === '/' ? pathname === '/' : pathname === to || pathname.startsWith(`${to}/`));
  const link = ({ to, key, icon: Icon }: (typeof sections | typeof settings)[number] | typeof operation) => (
    <NavLink key={to} component={Link} to={to} label={t(`nav.${key === 'token' ? token : key}`)} leftSection={<Icon size={19} stroke={1.7} />} active={isActive(to)} aria-current={isActive(to) ? 'page' : undefined} style={{ borderRadius: 'var(--mantine-radius-md)' }} />
  );
  // A conversation scrolls inside itself; everything else scrolls the page.
  const isChat = /^\/Bot\/[^/]+(\/Chat)?$/.test(pathname);

  return (
    <AppShell header={{ height: 56 }} navbar={{ width: 232, breakpoint: 'sm', collapsed: { mobile: !isOpen } }} padding={0}>
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="xs" wrap="nowrap">
            <Burger opened={isOpen} onClick={toggle} hiddenFrom="sm" size="sm" aria-label={t('menu')} aria-expanded={isOpen} />
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
            <Button variant="default" size="xs" leftSection={<IconSearch size={15} />} rightSection={<Kbd size="xs">{/Mac|iPhone/.test(navigator.userAgent) ? '⌘' : 'Ctrl'} K</Kbd>} onClick={openPalette} onPointerEnter={prefetchPalette} onFocus={prefetchPalette} visibleFrom="sm">
              {t('search')}
            </Button>
            <ActionIcon variant="subtle" color="gray" size="lg" onClick={openPalette} hiddenFrom="sm" aria-label={t('search')}>
              <IconSearch size={20} />
            </ActionIcon>
            <UserMenu />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="sm">
        <WorkspaceSwitcher />
        <Stack component="nav" gap={4} mt="sm" style={{ flex: 1 }} aria-label={t('nav.label')}>
          {sections.map(link)}
          <Divider my="xs" />
          {settings.map(link)}
          {user?.operator && link(operation)}
        </Stack>
      </AppShell.Navbar>
      <AppShell.Main id="main" tabIndex={-1} style={isChat ? { height: '100dvh', display: 'flex', flexDirection: 'column', minHeight: 0 } : undefined}>
        <OfflineBanner />
        {/* Another workspace is another place: nothing on the screen is of it. */}
        <Outlet key={workspace?.uuid} />
      </AppShell.Main>
      {hasPalette && (
        <Suspense>
          <Palette />
        </Suspense>
      )}
    </AppShell>
  );
}

const prefetchPalette = () => void fetchPalette().catch(() => {}); // told by the attempt that needs it

/** The search, which comes when it is first asked for. */
function usePalette() {
  const { t } = useTranslation('common');
  const [isThere, setIsThere] = useState(false);
  const open = () => {
    fetchPalette().then(
      () => {
        setIsThere(true);
        spotlight.open();
      },
      () => toast.error(t('offline')),
    );
  };
  useHotkeys([['mod+K', open]], []);
  useHotkeys([['/', open]]);
  return { isThere, open };
}

function UserMenu() {
  const { t } = useTranslation('common');
  const user = useUser();
  const navigate = useNavigate();
  const [chatToast, setChatToast] = useChatToast();
  if (!user) return null;

  const leave = async () => {
    try {
      await signOut();
      await navigate({ to: '/Login' });
    } catch (error) {
      if (error instanceof ApiError) toast.error(error.message);
    }
  };
  return (
    <Popover position="bottom-end" width={264} shadow="md" trapFocus returnFocus>
      <Popover.Target>
        <UnstyledButton aria-label={t('user.menu', { name: user.username })}>
          <Avatar id={user.uuid} name={user.username} url={user.avatar?.url} size={34} />
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown p={4} aria-label={t('user.menu', { name: user.username })}>
        <Group p="xs" gap="sm" wrap="nowrap">
          <Avatar id={user.uuid} name={user.username} url={user.avatar?.url} />
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
        <Button {...item} component={Link} to="/Account" leftSection={<IconUserCircle size={16} />}>
          {t('user.account')}
        </Button>
        <Stack gap="xs" p="xs">
          <Group justify="space-between" wrap="nowrap" gap={0}>
            <LanguageSwitch />
            <ColorModeSwitch />
          </Group>
          <Switch size="sm" label={t('user.chatToast')} checked={chatToast} onChange={(event) => setChatToast(event.currentTarget.checked)} />
        </Stack>
        <Divider my={4} />
        <Button {...item} component="a" href="/docs" target="_blank" rel="noreferrer" leftSection={<IconApi size={16} />}>
          {t('user.docs')}
        </Button>
        <Button {...item} leftSection={<IconLogout size={16} />} onClick={() => void leave()}>
          {t('user.signOut')}
        </Button>
      </Popover.Dropdown>
    </Popover>
  );
}

const item = { variant: 'subtle', color: 'gray', size: 'sm', fullWidth: true, justify: 'flex-start', fw: 400, c: 'var(--mantine-color-text)' } as const;
