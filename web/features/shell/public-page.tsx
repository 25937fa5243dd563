import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { ApiError } from '../../lib/api.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { Mark } from '../../ui/logo.tsx';
import { ColorModeSwitch, LanguageSwitch } from './switches.tsx';
import own from './public-page.module.css';

/** What whoever has its link may read, signed in or not. */
export function PublicPage({ children }: { children: ReactNode }) {
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
        {children}
      </main>
    </QueryClientProvider>
  );
}

/** Its frame, with a note below what there is to read. */
export function PublicFrame({ note, children }: { note: ReactNode; children: ReactNode }) {
  const { t } = useTranslation('conversations-panels');
  return (
    <>
      <div className={own['bar']}>
        <LanguageSwitch />
        <ColorModeSwitch />
      </div>
      <div className={own['page']}>
        <div className={own['content']}>{children}</div>
        <footer className={own['foot']}>
          <p>{note}</p>
          <Link to="/">
            <Mark size={14} />
            {t('shared.made')}
          </Link>
        </footer>
      </div>
    </>
  );
}
