import { useNotifications } from '@mantine/notifications';
import { nprogress } from '@mantine/nprogress';
import { Outlet, useRouterState } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, type MouseEvent } from 'react';
import { leaveFatal, useFatal } from '../../lib/fatal.ts';
import { translate, useTranslation } from '../../lib/i18n.ts';
import { watchBuild } from '../../lib/new-build.ts';
import { useUser } from '../../lib/session.ts';
import { hasUnsavedWork } from '../../lib/unsaved.ts';
import { toast } from '../../ui/toast.tsx';
import { FatalPage } from './error-pages.tsx';

// Signing in needs no toasts; afterwards they have to be there before the network may go.
const ToastArea = lazy(() => import('../../ui/toast-area.tsx'));
// The first page is there before a second one can be slow.
const ProgressBar = lazy(() => import('../../ui/progress-bar.tsx'));

/** A quick page shows no bar at all. */
const throttleMs = 200;
/** The pace of the bar, not its end: by then it has gone 70 % of its way, and it goes on more and more slowly until the page is there. */
const durationMs = 2000;
const stepMs = 100;
const shareAfter = (ms: number) => (200 / Math.PI) * Math.atan((2 * ms) / durationMs);

export function RootShell() {
  const { t } = useTranslation('common');
  const user = useUser();
  const hasToast = useNotifications().notifications.length > 0;
  const fatal = useFatal();
  const isLoading = useRouterState({ select: (state) => state.status === 'pending' });

  useEffect(() => {
    if (!isLoading) return void nprogress.complete();
    const begun = Date.now();
    const moving = setInterval(() => {
      const ms = Date.now() - begun - throttleMs;
      if (ms >= 0) nprogress.set(shareAfter(ms));
    }, stepMs);
    return () => clearInterval(moving);
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
      {fatal && <FatalPage error={fatal.error} onBack={leaveFatal} />}
    </>
  );
}
