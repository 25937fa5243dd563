import { ActionIcon, Alert, Anchor, Group, Loader, Stack, Text } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import type { Citation } from '../../../shared/contracts/conversations.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { toPlainText } from '../../lib/plain-text.ts';
import { usePassage } from './passage.queries.ts';
import classes from './conversations.module.css';

const PdfPage = lazy(() => import('./pdf-page.tsx'));

/** The passage in its surroundings, and the page of the document. */
export default function Source({ citation }: { citation: Citation }) {
  const { t } = useTranslation('conversations');
  const passage = usePassage(citation.document.uuid, citation.embedding, citation.quote);
  const [page, setPage] = useState(citation.page ?? 1);
  const [pages, setPages] = useState<number>();
  const isPdf = citation.document.mime === 'application/pdf' && citation.page !== null;
  return (
    <Stack gap="sm">
      {citation.headings.length > 0 && (
        <Text size="sm" c="dimmed">
          {citation.headings.join(' › ')}
        </Text>
      )}
      <Passage text={passage.data ?? citation.quote} quote={citation.quote} />
      {isPdf && (
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
            <DocumentLink citation={citation} />
          </Group>
          <Suspense fallback={<Loader mx="auto" my="xl" />}>
            <PdfPage
              knowledge={citation.knowledge}
              document={citation.document.uuid}
              page={page}
              highlight={page === citation.page ? citation.quote : ''}
              onPages={setPages}
              failed={<Alert color="yellow">{t('citation.pageFailed')}</Alert>}
              label={t('citation.page', { page })}
            />
          </Suspense>
        </>
      )}
      {!isPdf && <DocumentLink citation={citation} />}
    </Stack>
  );
}

function DocumentLink({ citation }: { citation: Citation }) {
  const { t } = useTranslation('conversations');
  return (
    <Anchor size="sm" component={Link} to={`/Knowledge/${citation.knowledge}/documents/${citation.document.uuid}`}>
      {t('citation.document')}
    </Anchor>
  );
}

/** The passage with the quoted words marked. */
function Passage({ text, quote }: { text: string; quote: string }) {
  const at = text.indexOf(quote);
  return (
    <Text
      className={classes['passage']}
      size="sm"
      p="sm"
      bd="1px solid var(--mantine-color-default-border)"
      style={{ borderRadius: 'var(--mantine-radius-md)' }}
    >
      {at < 0 ? (
        toPlainText(text)
      ) : (
        <>
          {toPlainText(text.slice(0, at))}
          <mark>{toPlainText(quote)}</mark>
          {toPlainText(text.slice(at + quote.length))}
        </>
      )}
    </Text>
  );
}
