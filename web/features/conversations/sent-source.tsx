import { Button, Loader, Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useCallback, useState } from 'react';
import { sent as calls } from '../../../shared/contracts/sent.ts';
import type { ReplyOf } from '../../../shared/route.ts';
import { call, fetchBytes } from '../../lib/api.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { toExcerpt } from '../../lib/plain-text.ts';
import { pageTitle } from '../../ui/page-title.ts';
import own from './sent-source.module.css';

const PdfPage = lazy(() => import('./pdf-page.tsx'));

interface Props {
  sent: { message: string; key: string; number: number };
  source: ReplyOf<typeof calls.source>['data'];
}

export const useSentSource = (sent: Props['sent']) =>
  useQuery({
    queryKey: ['sent-source', sent],
    queryFn: async ({ signal }) => (await call(calls.source, { query: sent, signal, anywhere: true })).data,
  });

/** What an answer quotes, for whoever got it in another app: the words, and their page where it may be seen. */
export function SentSource({ sent: { message, key, number }, source: { title, page, headings, quote, pdf } }: Props) {
  const { t } = useTranslation('conversations-panels', 'conversations');
  const [isShown, setIsShown] = useState(false);
  const open = useCallback(
    (signal: AbortSignal) => fetchBytes(calls.document, { query: { message, key, number }, signal, anywhere: true }),
    [message, key, number],
  );
  return (
    <>
      <header className={own['head']}>
        <h1 {...pageTitle}>
          <bdi>{title}</bdi>
        </h1>
        <p>
          {[...headings.slice(-1), ...(page === null ? [] : [t('conversations:citation.page', { page })])].join(
            t('common:dot'),
          )}
        </p>
      </header>
      <blockquote className={own['quote']}>{toExcerpt(quote)}</blockquote>
      {pdf && !isShown && (
        <Button variant="default" onClick={() => setIsShown(true)}>
          {t('sent.show')}
        </Button>
      )}
      {pdf && isShown && page !== null && (
        <div className={own['page']}>
          <Suspense fallback={<Loader mx="auto" my="xl" />}>
            <PdfPage
              open={open}
              page={page}
              highlight={quote}
              label={t('conversations:citation.page', { page })}
              failed={<p role="alert">{t('sent.failed')}</p>}
              onPages={() => {}}
            />
          </Suspense>
        </div>
      )}
    </>
  );
}

export const SentSourceSkeleton = () => (
  <Stack gap={12}>
    <Skeleton height={20} width="60%" />
    <Skeleton height={12} width="30%" />
    <Skeleton height={120} mt={12} />
  </Stack>
);
