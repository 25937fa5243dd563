import { nprogress } from '@mantine/nprogress';
import { Outlet, useRouterState } from '@tanstack/react-router';
import { Suspense, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { watchBuild } from '../../lib/new-build.ts';
import { hasUnsavedWork } from '../../lib/unsaved.ts';
import { toast } from '../../ui/toast.tsx';

/** A quick page shows no bar at all, and a slow one's does not stay for ever. */
const throttleMs = 200;
const durationMs = 2000;

export function RootShell() {
  const { t } = useTranslation('common');
  const isLoading = useRouterState({ select: (state) => state.status === 'pending' });
  const path = useRouterState({ select: (state) => state.resolvedLocation?.pathname });

  useEffect(() => {
    if (!isLoading) return nprogress.complete();
    const start = setTimeout(() => nprogress.start(), throttleMs);
    const end = setTimeout(() => nprogress.complete(), throttleMs + durationMs);
    return () => {
      clearTimeout(start);
      clearTimeout(end);
    };
  }, [isLoading]);

  // Who uses a screen reader hears where they are after each step.
  useEffect(() => {
    if (path) document.querySelector<HTMLElement>('[data-page-title]')?.focus({ preventScroll: true });
  }, [path]);

  useEffect(
    () =>
      watchBuild(() =>
        toast.action(t('newBuild.text'), t('newBuild.reload'), () => (hasUnsavedWork() ? toast.error(t('newBuild.unsaved')) : window.location.reload()), false),
      ),
    [t],
  );

  return (
    <>
      <a className="skip-link" href="#main">
        {t('skip')}
      </a>
      <Suspense>
        <Outlet />
      </Suspense>
    </>
  );
}
