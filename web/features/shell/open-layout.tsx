import '../../ui/styles-app.ts';
import { Box, Button } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { Link, Outlet, useLocation } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from '../../lib/i18n.ts';
import { Mark } from '../../ui/logo.tsx';
import { ColorModeSwitch, LanguageSwitch } from './switches.tsx';
import classes from './open-layout.module.css';

/** The frame of pages that are for everybody, for who is not signed in. */
export function OpenLayout() {
  const { t } = useTranslation('explore');
  const { href, pathname } = useLocation();
  const [client] = useState(() => new QueryClient({ defaultOptions: { queries: { retry: 1 } } }));
  return (
    <QueryClientProvider client={client}>
      <div className={classes['frame']} data-fills={pathname.endsWith('/Chat') || undefined}>
        <header className={classes['bar']}>
          <Link to="/ExploreBot" className={classes['home']}>
            <Mark size={22} />
            Kotae
          </Link>
          <div className={classes['end']}>
            <LanguageSwitch />
            <Box visibleFrom="sm">
              <ColorModeSwitch />
            </Box>
            <Button
              size="xs"
              variant="default"
              renderRoot={(props) => <Link {...props} to="/Login" search={{ next: href }} />}
            >
              {t('signIn')}
            </Button>
          </div>
        </header>
        <main id="main" tabIndex={-1} className={classes['main']}>
          <Outlet />
        </main>
      </div>
    </QueryClientProvider>
  );
}
