import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useMayAsk, useSharedThread } from '../features/conversations/conversations.queries.ts';
import { SharedThread, SharedThreadGone, SharedThreadSkeleton } from '../features/conversations/shared-thread.tsx';
import own from '../features/conversations/shared-thread.module.css';
import { RootErrorPage } from '../features/shell/error-pages.tsx';
import { ColorModeSwitch, LanguageSwitch } from '../features/shell/switches.tsx';
import { ApiError } from '../lib/api.ts';
import { useTranslation } from '../lib/i18n.ts';
import { useUser } from '../lib/session.ts';
import { useTitle } from '../lib/use-title.ts';
import { Mark } from '../ui/logo.tsx';

const route = getRouteApi('/Shared/$token');

export default function SharedPage() {
  const [client] = useState(
    () =>
      new QueryClient({
        defaultOptions: {
          queries: {
            staleTime: Infinity,
            retry: (count, error) =>
              count < 2 && !(error instanceof ApiError && error.status >= 400 && error.status < 500),
          },
        },
      }),
  );
  return (
    <QueryClientProvider client={client}>
      {/* Who has the link was meant to have it; a search engine was not. */}
      <meta name="robots" content="noindex" />
      <main id="main" tabIndex={-1}>
        <Page />
      </main>
    </QueryClientProvider>
  );
}

function Page() {
  const { token } = route.useParams();
  const thread = useSharedThread(token);
  const mayAsk = useMayAsk(thread.data?.bot.uuid, useUser() !== undefined);
  useTitle(thread.data?.title);
  const { t } = useTranslation('conversations');
  const isGone = thread.error instanceof ApiError && thread.error.status === 404;
  if (thread.isError && !isGone) return <RootErrorPage error={thread.error} />;
  return (
    <>
      <div className={own['bar']}>
        <LanguageSwitch />
        <ColorModeSwitch />
      </div>
      <div className={own['page']}>
        <div className={own['content']}>
          {isGone ? (
            <SharedThreadGone />
          ) : thread.isPending ? (
            <SharedThreadSkeleton />
          ) : (
            thread.data && <SharedThread thread={thread.data} mayAsk={mayAsk} />
          )}
        </div>
        <footer className={own['foot']}>
          <p>{!isGone && t('shared.note')}</p>
          <Link to="/">
            <Mark size={14} />
            {t('shared.made')}
          </Link>
        </footer>
      </div>
    </>
  );
}
