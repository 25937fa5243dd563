import './ui/styles.ts';
import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { NavigationProgress } from '@mantine/nprogress';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode, Suspense } from 'react';
import { createRoot } from 'react-dom/client';
import { ApiError } from './lib/api.ts';
import { i18n, startI18n } from './lib/i18n.ts';
import { fetchServices, fetchUser } from './lib/session.ts';
import { router } from './router.tsx';
import { colorSchemeManager, cssVariables, progressColor, theme } from './ui/theme.ts';

const progress = { stepInterval: 200, height: 3, color: progressColor, maximumMs: 2000 };

const client = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      // What is wrong stays wrong; only what may pass is asked for again.
      retry: (count, error) => count < 2 && !(error instanceof ApiError && error.status >= 400 && error.status < 500),
    },
  },
});

await startI18n();
const loaded = fetchUser().then(fetchServices);
await Promise.race([loaded, new Promise((resolve) => setTimeout(resolve, 3_000))]);

const root = document.getElementById('root');
if (root) {
  createRoot(root).render(
    <StrictMode>
      <MantineProvider theme={theme} cssVariablesResolver={cssVariables} colorSchemeManager={colorSchemeManager} defaultColorScheme="auto">
        <QueryClientProvider client={client}>
          <NavigationProgress color={progress.color} size={progress.height} stepInterval={progress.stepInterval} aria-label={i18n.t('common:loading')} />
          <Notifications position="top-center" limit={4} containerWidth={420} />
          <Suspense>
            <RouterProvider router={router} />
          </Suspense>
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>,
  );
}
