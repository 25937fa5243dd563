import { Button, Skeleton, Stack, Tabs } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from '../lib/i18n.ts';
import { BaseForm } from '../features/knowledge/base-form.tsx';
import { Crumbs } from '../features/knowledge/crumbs.tsx';
import { DocumentTable } from '../features/knowledge/document-table.tsx';
import { FileDrop } from '../features/knowledge/file-drop.tsx';
import {
  useDocuments,
  useKnowledge,
  useLiveDocuments,
  useUpdateKnowledge,
} from '../features/knowledge/knowledge.queries.ts';
import { SearchTest } from '../features/knowledge/search-test.tsx';
import { RootErrorPage } from '../features/shell/error-pages.tsx';
import { useMay } from '../lib/session.ts';
import { useTitle } from '../lib/use-title.ts';
import { Page } from '../ui/page.tsx';
import { SearchInput } from '../ui/search-input.tsx';
import { EmptyState, ErrorState } from '../ui/states.tsx';
import { toast } from '../ui/toast.tsx';

const route = getRouteApi('/app/Knowledge/$id/documents');

export default function KnowledgePage() {
  const { t } = useTranslation('knowledge');
  const { id } = route.useParams();
  const base = useKnowledge(id);
  const update = useUpdateKnowledge(id);
  const canEdit = useMay('edit');
  useLiveDocuments();
  useTitle(base.data?.name);
  if (base.isError) return <RootErrorPage error={base.error} />;
  return (
    <Page
      above={<Crumbs />}
      title={base.data?.name ?? '…'}
      facts={base.data?.description}
      actions={
        canEdit && (
          <Button component={Link} to={`/Knowledge/${id}/documents/Create`} leftSection={<IconPlus size={16} />}>
            {t('documents.add')}
          </Button>
        )
      }
    >
      <Tabs defaultValue="documents" keepMounted={false}>
        <Tabs.List mb="md">
          <Tabs.Tab value="documents">{t('tabs.documents')}</Tabs.Tab>
          <Tabs.Tab value="test">{t('tabs.test')}</Tabs.Tab>
          {canEdit && <Tabs.Tab value="settings">{t('tabs.settings')}</Tabs.Tab>}
        </Tabs.List>
        <Tabs.Panel value="documents">
          <Documents base={id} />
        </Tabs.Panel>
        <Tabs.Panel value="test">
          <SearchTest base={id} />
        </Tabs.Panel>
        <Tabs.Panel value="settings">
          {base.data && (
            <BaseForm
              key={base.data.updatedAt}
              initial={{ name: base.data.name, description: base.data.description }}
              submit={t('common:save')}
              isBusy={update.isPending}
              error={update.error}
              onSubmit={(values) => update.mutate(values, { onSuccess: () => toast.success(t('settings.saved')) })}
            />
          )}
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}

function Documents({ base }: { base: string }) {
  const { t } = useTranslation('knowledge');
  const [q, setQ] = useState('');
  const documents = useDocuments(base, q);
  const canEdit = useMay('edit');
  if (documents.isPending) return <Skeleton height={200} />;
  if (documents.isError)
    return (
      <ErrorState
        title={t('common:failed.title')}
        text={documents.error.message}
        retry={t('common:retry')}
        onRetry={() => void documents.refetch()}
      />
    );
  const isEmpty = documents.data.data.length === 0;
  return (
    <Stack>
      {canEdit && <FileDrop base={base} compact={!isEmpty} />}
      {isEmpty && !q ? (
        <EmptyState
          drawing="documents"
          title={t('documents.empty')}
          text={canEdit ? t('documents.emptyText') : t('documents.emptyForReaders')}
        />
      ) : (
        <>
          <div style={{ maxWidth: 360 }}>
            <SearchInput value={q} onChange={setQ} label={t('documents.search')} clearLabel={t('common:clear')} />
          </div>
          {isEmpty ? (
            <EmptyState drawing="search" title={t('list.noMatch')} text={t('list.noMatchText', { q })} />
          ) : (
            <DocumentTable documents={documents.data.data} />
          )}
        </>
      )}
    </Stack>
  );
}
