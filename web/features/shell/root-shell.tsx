import { useNotifications } from '@mantine/notifications';
import { nprogress } from '@mantine/nprogress';
import { Outlet, useRouterState } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, type MouseEvent } from 'react';
import { translate, useTranslation } from '../../lib/i18n.ts';
import { watchBuild } from '../../lib/new-build.ts';
import { useUser } from '../../lib/session.ts';
import { hasUnsavedWork } from '../../lib/unsaved.ts';
import { toast } from '../../ui/toast.tsx';

// Signing in needs no toasts; afterwards they have to be there before the network may go.
const ToastArea = lazy(() => import('../../ui/toast-area.tsx'));
// The first page is there before a second one can be slow.
const ProgressBar = lazy(() => import('../../ui/progress-bar.tsx'));

/** A quick page shows no bar at all, and a slow one's does not stay for ever. */
const throttleMs = 200;
const durationMs = 2000;

export function RootShell() {
  const { t } = useTranslation('common');
  const user = useUser();
  const hasToast = useNotifications().notifications.length > 0;
  const isLoading = useRouterState({ select: (state) => state.status === 'pending' });

  useEffect(() => {
    if (!isLoading) return void nprogress.complete();
    const start = setTimeout(() => nprogress.start(), throttleMs);
    const end = setTimeout(() => nprogress.complete(), throttleMs + durationMs);
    return () => {
      clearTimeout(start);
      clearTimeout(end);
    };
  }, [isLoading]);

  useEffect(() => {
    const stop = watchBuild(() =>
      toast.action(
        translate('common:newBuild.text'),
        translate('common:newBuild.reload'),
        () => (hasUnsavedWork() ? toast.error(translate('common:newBuild.unsaved')) : window.location.reload()),
        false,
      ),
    );
    return stop;
  }, []);

  const skip = (event: MouseEvent) => {
    event.preventDefault();
    document.getElementById('main')?.focus();
  };

  return (
    <>
      <a className="skip-link" href="#main" onClick={skip}>
        {t('skip')}
      </a>
      <Suspense>
        <ProgressBar label={t('loading')} />
      </Suspense>
      {(user || hasToast) && (
        <Suspense>
          <ToastArea />
        </Suspense>
      )}
      <Suspense>
        <Outlet />
      </Suspense>
    </>
  );
}
