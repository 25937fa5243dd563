import { Button, Group, SegmentedControl, Skeleton } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from '../lib/i18n.ts';
import { DocumentTable } from '../features/knowledge/document-table.tsx';
import { useAllDocuments, useLiveDocuments } from '../features/knowledge/knowledge.queries.ts';
import { useTitle } from '../lib/use-title.ts';
import { Page } from '../ui/page.tsx';
import { SearchInput } from '../ui/search-input.tsx';
import { EmptyState, ErrorState } from '../ui/states.tsx';

const states = ['all', 'busy', 'failed', 'ready'] as const;

export default function DocumentsPage() {
  const { t } = useTranslation('knowledge');
  const [q, setQ] = useState('');
  const [state, setState] = useState<(typeof states)[number]>('all');
  const documents = useAllDocuments(q, state === 'all' ? undefined : state);
  useLiveDocuments();
  useTitle(t('common:page.documents'));
  return (
    <Page title={t('common:page.documents')} facts={t('all.description')}>
      <Group mb="md" gap="sm">
        <div style={{ flex: '1 1 200px', maxWidth: 360 }}>
          <SearchInput value={q} onChange={setQ} label={t('documents.search')} clearLabel={t('common:clear')} />
        </div>
        <SegmentedControl
          size="xs"
          aria-label={t('all.filter')}
          value={state}
          onChange={(value) => setState(states.find((each) => each === value) ?? 'all')}
          data={states.map((value) => ({ value, label: t(`all.${value}`) }))}
        />
      </Group>
      {documents.isPending ? (
        <Skeleton height={240} />
      ) : documents.isError ? (
        <ErrorState
          title={t('common:failed.title')}
          text={documents.error.message}
          retry={t('common:retry')}
          onRetry={() => void documents.refetch()}
        />
      ) : documents.data.data.length === 0 ? (
        q || state !== 'all' ? (
          <EmptyState drawing="search" title={t('all.noMatch')} text={t('all.noMatchText')} />
        ) : (
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
        )
      ) : (
        <DocumentTable documents={documents.data.data} withBase />
      )}
    </Page>
  );
}
