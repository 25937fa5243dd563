import './ui/styles.ts';
import { MantineProvider } from '@mantine/core';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode, Suspense, useMemo } from 'react';
import { createRoot } from 'react-dom/client';
import { hasSession, readToken, whenSessionEnds, whenWorkspaceLost } from './lib/api.ts';
import { watchFatal } from './lib/fatal.ts';
import { startI18n, useTranslation } from './lib/i18n.ts';
import { hasNewBuild } from './lib/new-build.ts';
import { fetchServices, fetchUser, resetSession } from './lib/session.ts';
import { hasUnsavedWork } from './lib/unsaved.ts';
import { router } from './router.tsx';
import { colorSchemeManager, cssVariables, themeWith } from './ui/theme.ts';

// A page that was open over a new build asks for files that are gone; unless there is unsaved work, the new build is one reload away.
const reloadedKey = 'reloaded-at';
window.addEventListener('vite:preloadError', () => {
  void hasNewBuild().then((isNew) => {
    if (!isNew || hasUnsavedWork() || Date.now() - Number(sessionStorage.getItem(reloadedKey)) < 30_000) return;
    sessionStorage.setItem(reloadedKey, String(Date.now()));
    window.location.reload();
  });
});

watchFatal();

// Paper is light, whatever the screen is.
let shownScheme: string | undefined;
window.addEventListener('beforeprint', () => {
  const { dataset } = document.documentElement;
  shownScheme = dataset['mantineColorScheme'];
  dataset['mantineColorScheme'] = 'light';
});
window.addEventListener('afterprint', () => {
  if (shownScheme) document.documentElement.dataset['mantineColorScheme'] = shownScheme;
});

// Who is signed out elsewhere is sent to sign in and back, but not away from work that would be lost.
whenSessionEnds(() => {
  resetSession();
  if (!hasUnsavedWork()) void router.invalidate();
});

whenWorkspaceLost(() => void fetchUser());

const isKnown = hasSession() || readToken();
const asked = fetchUser();
void asked.then(fetchServices);
// The profile decides which page to show. Whoever has nothing to be known by is nobody, which needs no answer to wait for.
const profile = isKnown ? asked : Promise.resolve();
const texts = startI18n();
// Whoever was signed in here most likely still is: the page's code comes while the server says so.
if (isKnown)
  for (const route of router.getMatchedRoutes(window.location.pathname)[0])
    void router.loadRouteChunk(route)?.catch(() => {}); // told by the attempt that needs it
// With its code there, and what it shows on its way, a page is drawn once and not in parts. A slow server does not keep it white for ever.
const { pathname, search } = router.latestLocation;
const page = profile.then(() => router.preloadRoute({ to: pathname, search }));
const patience = new Promise((resolve) => setTimeout(resolve, 3_000));
// Not awaited here: what the pages have in common with this file would be kept from them until then.
void Promise.all([texts, Promise.race([page, patience])]).then(() => {
  const root = document.getElementById('root');
  if (!root) return;
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
});

function App() {
  const { t } = useTranslation('common');
  const close = t('close');
  const theme = useMemo(() => themeWith(close), [close]);
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      colorSchemeManager={colorSchemeManager}
      defaultColorScheme="auto"
    >
      <Suspense>
        <RouterProvider router={router} />
      </Suspense>
    </MantineProvider>
  );
}
