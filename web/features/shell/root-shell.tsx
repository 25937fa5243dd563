import { useNotifications } from '@mantine/notifications';
import { Outlet } from '@tanstack/react-router';
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

export function RootShell() {
  const { t } = useTranslation('common');
  const user = useUser();
  const hasToast = useNotifications().notifications.length > 0;
  const fatal = useFatal();

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
