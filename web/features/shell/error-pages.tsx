import { Button, Center, Code, Stack, Text, Title } from '@mantine/core';
import { Link, useLocation } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useState, type ReactNode } from 'react';
import { ApiError } from '../../lib/api.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { hasNewBuild } from '../../lib/new-build.ts';
import { PageCodeError } from '../../lib/page-code.ts';
import { Drawing } from '../../ui/drawing.tsx';
import { pageTitle } from '../../ui/page-title.ts';

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

/** An address that no page has. */
export const NoSuchPage = () => (
  <Suspense>
    <Lost />
  </Suspense>
);

/** What nothing else has caught. A thing that is not there is told as such; anything else is our fault. */
export function RootErrorPage({ error }: { error: unknown }) {
  const { t } = useTranslation('common');
  if (error instanceof ApiError && error.status === 404) return <NotFoundPage />;
  if (error instanceof PageCodeError) return <NoCodePage />;
  const status = error instanceof ApiError && error.status > 0 ? error.status : 500;
  return (
    <ErrorPage
      status={status}
      message={t('failed.title')}
      description={error instanceof ApiError ? error.message : t('failed.text')}
      drawing="broken"
    >
      {error instanceof ApiError && error.requestId && <Code>{error.requestId}</Code>}
    </ErrorPage>
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
  children?: ReactNode;
}

function ErrorPage({ status, message, description, drawing, children }: Props) {
  const { t } = useTranslation('common');
  useEffect(() => {
    document.title = `${status} · Kotae`;
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
        <Button component={Link} to="/" mt="xs" size="sm">
          {t('notFound.home')}
        </Button>
      </Stack>
    </Center>
  );
}
