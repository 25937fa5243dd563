import '../../ui/styles-app.ts';
import { AppShell, Box, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { useDisclosure, useHotkeys, useMediaQuery } from '@mantine/hooks';
import { IconMenu2, IconSearch, IconSettings } from '@tabler/icons-react';
import { Link, Outlet, useLocation, useMatches } from '@tanstack/react-router';
import { Fragment, useEffect, useRef, useState, type ReactNode } from 'react';
import { QueryClientProvider, useQuery } from '@tanstack/react-query';
import icons from 'virtual:page-icons';
import { accountChanged } from '../../../shared/contracts/accounts.ts';
import { labelledPages, pages, type Page } from '../../../shared/pages.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { inboxCounts, needsYou } from '../../lib/inbox-counts.ts';
import { queryClientOf } from '../../lib/query-client.ts';
import { fetchServices, fetchUser, may, useMay, useUser, useWorkspace } from '../../lib/session.ts';
import { closeSocket, on } from '../../lib/socket.ts';
import { useOpener } from '../../ui/anchored.tsx';
import { Avatar } from '../../ui/avatar.tsx';
import { later } from '../../ui/later.tsx';
import { toast } from '../../ui/toast.tsx';
import classes from './default-layout.module.css';
import { modKey } from './mod-key.ts';
import { OfflineBanner } from './offline-banner.tsx';
import { useWorker } from './use-worker.ts';
import { WorkspaceSwitcher } from './workspace-switcher.tsx';

const InboxNews = later(async () => (await import('./inbox-news.tsx')).InboxNews);
const Palette = later(async () => (await import('./palette.tsx')).Palette);
const Shortcuts = later(async () => (await import('./shortcuts.tsx')).Shortcuts);
const UserMenu = later(async () => (await import('./user-menu.tsx')).UserMenu);

/** The frame of the signed-in pages; with children in place of the page that the address names. */
export function DefaultLayout({ children }: { children?: ReactNode }) {
  const client = queryClientOf(useWorkspace()?.uuid ?? '');
  // Whoever signs in next must not see what was kept for this person.
  useEffect(() => () => client.clear(), [client]);
  return (
    <QueryClientProvider client={client}>
      <Frame>{children}</Frame>
    </QueryClientProvider>
  );
}

function Frame({ children }: { children: ReactNode }) {
  const { t } = useTranslation('common');
  const [isOpen, { toggle, close }] = useDisclosure();
  /** Nothing until it is first asked for. */
  const [palette, setPalette] = useState<'open' | 'closed'>();
  const search = () => setPalette('open');
  useHotkeys([['mod+K', search]], []);
  const [hasShortcuts, shortcuts] = useDisclosure();
  useHotkeys([
    ['/', () => searchPage() || search()],
    ['shift+?', shortcuts.open],
    ['?', shortcuts.open],
  ]);
  const { pathname, search: address } = useLocation();
  const path = useMatches({ select: (matches) => matches.at(-1)?.fullPath });
  const {
    fillsWindow: fills,
    keepsMenu,
    access = 'user',
  } = Object.values<Page>(pages.app).find((page) => page.path === path) ?? {};
  // Who may not see it is shown a page that says so, in the usual frame.
  const fillsWindow = useMay(access) && fills;
  const hasRoom = useMediaQuery('(min-width: 81.25em)', true, { getInitialValueInEffect: false });
  const isRail = fillsWindow && !(keepsMenu && hasRoom);
  const hasTabBar = !fillsWindow || (keepsMenu && !('thread' in address));
  const mayConverse = useMay('converse');
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
  useEffect(() => void close(), [pathname, workspace?.uuid, close]);
  useEffect(() => closeSocket, []);
  useWorker();
  // A payment is a part of credits, whose address it does not have.
  const place = pathname.startsWith('/payment/') ? '/Token' : pathname;
  const isActive = (path: string) => (path === '/' ? place === '/' : place === path || place.startsWith(`${path}/`));
  const linkTo = (name: (typeof labelledPages)[number][0], { path, icon }: Page) => {
    const Icon = icon && icons[icon];
    // Who may not see the keys still sees what was used.
    const label = t(name === 'token' && !may('manage') ? 'usage' : `page.${name}`);
    return (
      <Link
        key={name}
        to={path}
        className={classes['link']}
        aria-current={isActive(path) ? 'page' : undefined}
        {...(isRail && { title: label })}
      >
        {Icon && <Icon size={16} stroke={1.75} aria-hidden />}
        <span>{label}</span>
        {name === 'friend' && <WaitingCount />}
        {name === 'unanswered' && <OpenCount />}
      </Link>
    );
  };
  const shown = (group: Page['menu']) =>
    labelledPages.filter(([, { menu, access = 'user' }]) => menu === group && may(access));
  const links = (group: NonNullable<Page['menu']>) => shown(group).map(([name, page]) => linkTo(name, page));

  return (
    <AppShell
      navbar={{ width: isRail ? 56 : 232, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      footer={{ height: hasTabBar ? { base: 56, sm: 0 } : 0 }}
      padding={0}
      withBorder={false}
      transitionDuration={0}
    >
      <AppShell.Navbar
        className={classes['side']}
        data-rail={isRail || undefined}
        data-fills-window={fillsWindow || undefined}
      >
        <WorkspaceSwitcher />
        <UnstyledButton className={classes['find']} onClick={search} {...Palette.reach} title={t('search')}>
          <IconSearch size={16} stroke={1.75} aria-hidden />
          <span>{t('search')}</span>
          <kbd>{modKey === '⌘' ? '⌘K' : 'Ctrl K'}</kbd>
        </UnstyledButton>
        <nav className={classes['nav']} aria-label={t('navigation')}>
          {links('top')}
          {(['build', 'connect', 'manage'] as const)
            .filter((group) => shown(group).length > 0)
            .map((group) => (
              <Fragment key={group}>
                <p className={classes['group']}>{t(`menuGroup.${group}`)}</p>
                {links(group)}
              </Fragment>
            ))}
        </nav>
        <UserButton onShortcuts={shortcuts.open} />
      </AppShell.Navbar>
      <AppShell.Main
        id="main"
        tabIndex={-1}
        style={fillsWindow ? { height: '100dvh', display: 'flex', flexDirection: 'column', minHeight: 0 } : undefined}
      >
        <OfflineBanner />
        {/* Another workspace is another place: nothing on the screen is of it. */}
        {children ?? <Outlet key={workspace?.uuid} />}
      </AppShell.Main>
      {hasTabBar && (
        <AppShell.Footer hiddenFrom="sm">
          <nav className={classes['tabbar']} aria-label={t('menu')}>
            {[...shown('top'), ...shown('build')].slice(0, 4).map(([name, page]) => linkTo(name, page))}
            <UnstyledButton className={classes['link']} onClick={toggle} aria-expanded={isOpen}>
              <IconMenu2 size={16} stroke={1.75} aria-hidden />
              <span>{t('moreMenu')}</span>
            </UnstyledButton>
          </nav>
        </AppShell.Footer>
      )}
      {mayConverse && <InboxNews key={workspace?.uuid} onFail={() => {}} />}
      {palette && (
        <Palette
          key={workspace?.uuid}
          isOpen={palette === 'open'}
          onClose={() => setPalette('closed')}
          onShortcuts={shortcuts.open}
          onFail={() => setPalette(undefined)}
        />
      )}
      {hasShortcuts && <Shortcuts onClose={shortcuts.close} onFail={shortcuts.close} />}
    </AppShell>
  );
}

/** The page's own search comes before that of everything. */
function searchPage(): boolean {
  const own = document.querySelector<HTMLElement>('[data-page-search]');
  if (own instanceof HTMLInputElement) own.focus();
  else own?.click();
  return own !== null;
}

/** How many conversations call for a person, or for this one. */
function WaitingCount() {
  const { t } = useTranslation('common');
  const count = needsYou(useQuery(inboxCounts).data);
  if (count === 0) return null;
  return (
    <b className={classes['seal']}>
      <span aria-hidden>{count > 99 ? '99+' : count}</span>
      <VisuallyHidden>{t('waitingCount', { count })}</VisuallyHidden>
    </b>
  );
}

/** How many questions of visitors wait for an answer. */
function OpenCount() {
  const count = useQuery(inboxCounts).data?.unanswered;
  return !!count && <span style={{ marginInlineStart: 'auto' }}>{count}</span>;
}

function UserButton({ onShortcuts }: { onShortcuts(): void }) {
  const { t } = useTranslation('common');
  const user = useUser();
  const { isOpen, close, button } = useOpener('dialog');
  if (!user) return null;
  return (
    <Box pos="relative" className={classes['foot']}>
      <UnstyledButton className={classes['person']} {...button} {...UserMenu.reach}>
        <Avatar kind="person" id={user.uuid} name={user.username} url={user.avatar?.url} size={28} />
        <VisuallyHidden>{t('user.menu', { name: user.username })}</VisuallyHidden>
        <span aria-hidden>{user.username}</span>
        <IconSettings size={16} stroke={1.75} aria-hidden />
      </UnstyledButton>
      {isOpen && <UserMenu user={user} onShortcuts={onShortcuts} onClose={close} onFail={close} />}
    </Box>
  );
}
