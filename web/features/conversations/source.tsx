import { ActionIcon, Alert, Anchor, Group, Loader, Skeleton, Stack, Text } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useRef, useState, type ReactNode } from 'react';
import type { Citation } from '../../../shared/contracts/conversations.ts';
import { ApiError } from '../../lib/api.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { Marked } from './marked.tsx';
import { usePassage } from './passage.queries.ts';
import classes from './conversations.module.css';

const PdfPage = lazy(() => import('./pdf-page.tsx'));

interface Place {
  document: string;
  chunk: string;
  /** What was cited of it, where it was opened from an answer. */
  quote: string | undefined;
}

/** The passage in its surroundings, and the page of the document. Without a citation, say by a link, all of the passage is what is cited. */
export default function Source({ place, citation }: { place: Place; citation: Citation | undefined }) {
  const { t } = useTranslation('conversations');
  const passage = usePassage(place.document, place.chunk);
  if (!citation && passage.isPending) return <Skeleton height={240} />;
  if (!citation && passage.isError) return <Alert color="yellow">{passage.error.message}</Alert>;
  const { data } = passage;
  const document = data?.document ?? (citation && { ...citation.document, knowledge: citation.knowledge });
  if (!document) return null;
  const text = data?.text ?? citation?.quote ?? '';
  const quote = place.quote ?? citation?.quote ?? text;
  const page = data?.page ?? citation?.page ?? null;
  const headings = data?.headings ?? citation?.headings ?? [];
  const isGone = passage.error instanceof ApiError && passage.error.status === 404;
  const link = !isGone && (
    <Anchor
      size="sm"
      renderRoot={(props) => (
        <Link
          {...props}
          to="/Knowledge/$id/documents/$documentId"
          params={{ id: document.knowledge, documentId: document.uuid }}
          search={{ chunk: place.chunk, ...(page !== null && { page: String(page) }) }}
          state={{ quote }}
        />
      )}
    >
      {t('citation.document')}
    </Anchor>
  );
  return (
    <Stack gap="sm">
      {isGone && <Alert color="yellow">{t('citation.changed')}</Alert>}
      {headings.length > 0 && (
        <Text size="sm" c="dimmed">
          {headings.join(' › ')}
        </Text>
      )}
      <Passage text={text} quote={quote} />
      {document.mime === 'application/pdf' && page !== null && !isGone ? (
        <Original document={document} cited={page} quote={quote} link={link} />
      ) : (
        link
      )}
    </Stack>
  );
}

interface OriginalProps {
  document: { uuid: string; knowledge: string };
  /** The page that is cited. */
  cited: number;
  quote: string;
  link: ReactNode;
}

function Original({ document, cited, quote, link }: OriginalProps) {
  const { t } = useTranslation('conversations');
  const [page, setPage] = useState(cited);
  const [pages, setPages] = useState<number>();
  return (
    <>
      <Group justify="space-between">
        <Group gap={4}>
          <ActionIcon
            variant="default"
            onClick={() => setPage(page - 1)}
            disabled={page <= 1}
            aria-label={t('citation.previousPage')}
          >
            <IconChevronLeft size={16} />
          </ActionIcon>
          <Text size="sm" aria-live="polite">
            {pages ? t('citation.pageOf', { page, pages }) : t('citation.page', { page })}
          </Text>
          <ActionIcon
            variant="default"
            onClick={() => setPage(page + 1)}
            disabled={pages !== undefined && page >= pages}
            aria-label={t('citation.nextPage')}
          >
            <IconChevronRight size={16} />
          </ActionIcon>
        </Group>
        {link}
      </Group>
      <Suspense fallback={<Loader mx="auto" my="xl" />}>
        <PdfPage
          knowledge={document.knowledge}
          document={document.uuid}
          page={page}
          highlight={page === cited ? quote : ''}
          onPages={setPages}
          failed={<Alert color="yellow">{t('citation.pageFailed')}</Alert>}
          label={t('citation.page', { page })}
        />
      </Suspense>
    </>
  );
}

/** The passage with what is quoted of it marked, and in sight. */
function Passage({ text, quote }: { text: string; quote: string }) {
  const box = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    const mark = box.current?.querySelector('mark');
    if (box.current && mark) box.current.scrollTop = mark.offsetTop - box.current.clientHeight / 3;
  }, [text, quote]);
  return (
    <Text
      ref={box}
      className={classes['passage']}
      size="sm"
      p="sm"
      bd="1px solid var(--mantine-color-default-border)"
      style={{ borderRadius: 'var(--mantine-radius-md)' }}
      tabIndex={0}
    >
      <Marked text={text} words={quote} />
    </Text>
  );
}
