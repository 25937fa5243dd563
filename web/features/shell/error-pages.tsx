import { Button, Center, Code, Group, Stack, Text, Title } from '@mantine/core';
import { Link, useLocation } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useRef, useState, type ReactNode } from 'react';
import { ApiError } from '../../lib/api.ts';
import { labelledPages } from '../../../shared/pages.ts';
import type { Access } from '../../../shared/roles.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { hasNewBuild } from '../../lib/new-build.ts';
import { PageCodeError } from '../../lib/page-code.ts';
import { useWorkspace } from '../../lib/session.ts';
import { Drawing } from '../../ui/drawing.tsx';
import { pageTitle } from '../../ui/page-title.ts';
import classes from './error-pages.module.css';

const Lost = lazy(() => import('./lost.tsx'));

/** For errors outside of every layout, which would have brought the landmark. */
export function Bare({ children }: { children: ReactNode }) {
  return (
    <main id="main" tabIndex={-1}>
      {children}
    </main>
  );
}

export function NotFoundPage() {
  const { t } = useTranslation('common');
  const { pathname } = useLocation();
  return (
    <ErrorPage status={404} message={t('notFound.title')} description={t('notFound.text')} drawing="lost">
      <Code style={{ overflowWrap: 'anywhere' }}>{pathname}</Code>
    </ErrorPage>
  );
}

/** A page that others in the workspace may open, or that is for operators. */
export function NotAllowedPage({ access, path }: { access: Access; path: string }) {
  const { t } = useTranslation('common');
  const workspace = useWorkspace();
  // Pages without a name of their own belong to the one that their address begins with.
  const [name] = labelledPages.findLast(([, page]) => `${path}/`.startsWith(`${page.path}/`)) ?? ['home' as const];
  const page = t(`page.${name}`);
  if (access === 'operator' || !workspace)
    return (
      <ErrorPage
        status={403}
        message={t('notAllowed.operators')}
        description={t('notAllowed.askOperator', { page })}
        drawing="lost"
      />
    );
  return (
    <ErrorPage
      status={403}
      message={t('notAllowed.title')}
      description={t('notAllowed.text', { page, role: t(`role.${workspace.role}`), workspace: workspace.name })}
      drawing="lost"
    />
  );
}

interface Failed {
  status: number;
  code: string;
  details: Record<string, unknown>;
  requestId: string;
}

/** What went wrong at an address of the server's, which it gave this page for. */
const failedAt = window.location.pathname;
const failedMeta = document.querySelector<HTMLMetaElement>('meta[name="kotae-failed"]');
// A border: the server has written it.
const failed = failedMeta && (JSON.parse(failedMeta.content) as Failed);

/** An address that no page has. */
export function NoSuchPage() {
  const { pathname } = useLocation();
  return (
    <Suspense>
      {failed && pathname === failedAt && failed.code !== 'not-found' ? <FailedPage {...failed} /> : <Lost />}
    </Suspense>
  );
}

function FailedPage({ status, code, details, requestId }: Failed) {
  const { t, has } = useTranslation('errors');
  return (
    <Bare>
      <ErrorPage
        status={status}
        message={t('common:failed.page')}
        description={has(code) ? t(code, { ...details, requestId }) : t('common:failed.text')}
        drawing="broken"
      />
    </Bare>
  );
}

/** What nothing else has caught. A thing that is not there is told as such; anything else is our fault. */
export function RootErrorPage({ error, actions }: { error: unknown; actions?: ReactNode }) {
  const { t } = useTranslation('common');
  if (error instanceof ApiError && error.status === 404) return <NotFoundPage />;
  if (error instanceof PageCodeError) return <NoCodePage />;
  const status = error instanceof ApiError && error.status > 0 ? error.status : 500;
  return (
    <ErrorPage
      status={status}
      message={t('failed.page')}
      description={error instanceof ApiError ? error.message : t('failed.text')}
      drawing="broken"
      actions={actions}
    >
      {error instanceof ApiError && error.requestId && <Code>{error.requestId}</Code>}
    </ErrorPage>
  );
}

/** Over the page, which stays as it was: whoever has not saved something goes back to it. */
export function FatalPage({ error, onBack }: { error: unknown; onBack(): void }) {
  const { t } = useTranslation('common');
  const place = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = place.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, []);
  return (
    <dialog ref={place} className={classes['over']} aria-label={t('failed.page')} onCancel={onBack}>
      <RootErrorPage
        error={error}
        actions={
          <Group mt="xs" gap="xs">
            <Button size="sm" variant="default" onClick={onBack}>
              {t('failed.back')}
            </Button>
            <Button size="sm" onClick={() => window.location.reload()}>
              {t('newBuild.reload')}
            </Button>
          </Group>
        }
      />
    </dialog>
  );
}

/** The page itself did not come. With the network back, or with the new build, it is one reload away. */
function NoCodePage() {
  const { t } = useTranslation('common');
  const [isNew, setIsNew] = useState(false);
  useEffect(() => {
    const look = () => void hasNewBuild().then(setIsNew);
    const comeBack = () => window.location.reload();
    look();
    window.addEventListener('online', comeBack);
    return () => window.removeEventListener('online', comeBack);
  }, []);
  return (
    <Center mih="70vh" p="lg" role="alert">
      <Stack align="center" gap="sm" ta="center" maw={480}>
        <Drawing kind={isNew ? 'documents' : 'offline'} size={160} />
        <Title order={1} size="h3" {...pageTitle}>
          {t(isNew ? 'newBuild.text' : 'noCode.title')}
        </Title>
        <Text c="dimmed">{t(isNew ? 'newBuild.old' : 'noCode.text')}</Text>
        <Button mt="sm" onClick={() => window.location.reload()}>
          {t(isNew ? 'newBuild.reload' : 'retry')}
        </Button>
      </Stack>
    </Center>
  );
}

interface Props {
  status: number;
  message: string;
  description: string;
  drawing: 'lost' | 'broken';
  /** In place of the way home. */
  actions?: ReactNode;
  children?: ReactNode;
}

function ErrorPage({ status, message, description, drawing, actions, children }: Props) {
  const { t } = useTranslation('common');
  useEffect(() => {
    const former = document.title;
    document.title = `${status} · Kotae`;
    return () => void (document.title = former);
  }, [status]);
  return (
    <Center mih="70vh" p="lg">
      <Stack align="center" gap="sm" ta="center" maw={480}>
        <Drawing kind={drawing} />
        <Title order={1} size="h2" {...pageTitle}>
          {message}
        </Title>
        <Text c="dimmed" size="sm" style={{ textWrap: 'balance' }}>
          {description}
        </Text>
        <Text c="dimmed" size="xs">
          {status} {children}
        </Text>
        {actions ?? (
          <Button component={Link} to="/" mt="xs" size="sm">
            {t('notFound.home')}
          </Button>
        )}
      </Stack>
    </Center>
  );
}
