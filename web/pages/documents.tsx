import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from '../lib/i18n.ts';
import { formatNumber } from '../lib/format.ts';
import { Documents, useDocumentList } from '../features/knowledge/documents.tsx';
import { useKnowledges, useLiveDocuments } from '../features/knowledge/knowledge.queries.ts';
import { useTitle } from '../lib/use-title.ts';
import { Page } from '../ui/page.tsx';
import { EmptyState } from '../ui/states.tsx';

export default function DocumentsPage() {
  const { t } = useTranslation('knowledge');
  const list = useDocumentList();
  const bases = useKnowledges('');
  useLiveDocuments();
  useTitle(t('common:page.documents'));
  const all = bases.data?.pages.flatMap(({ data }) => data) ?? [];
  const sum = (field: 'documentCount' | 'chunkCount' | 'busyCount' | 'failedCount' | 'warningCount') =>
    all.reduce((total, base) => total + base[field], 0);
  // Only with every base are these the sums.
  const isWhole = bases.isSuccess && !bases.hasNextPage;
  return (
    <Page
      title={t('common:page.documents')}
      facts={
        isWhole &&
        sum('documentCount') > 0 &&
        t('all.facts', { count: all.length, documents: formatNumber(sum('documentCount')) })
      }
    >
      <Documents
        list={list}
        withBase
        counts={
          isWhole
            ? { all: sum('documentCount'), busy: sum('busyCount'), problem: sum('failedCount') + sum('warningCount') }
            : {}
        }
        empty={
          <EmptyState
            drawing="documents"
            title={t('all.empty')}
            text={t('all.emptyText')}
            action={
              <Button component={Link} to="/Knowledge">
                {t('all.toKnowledge')}
              </Button>
            }
          />
        }
      />
    </Page>
  );
}
