import { Button, Menu } from '@mantine/core';
import { IconBooks, IconPlus } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { Knowledge } from '../../shared/contracts/knowledge.ts';
import { useTranslation } from '../lib/i18n.ts';
import { useMay } from '../lib/session.ts';
import { formatNumber } from '../lib/format.ts';
import { Documents, useDocumentList } from '../features/knowledge/documents.tsx';
import classes from '../features/knowledge/knowledge.module.css';
import { useKnowledges, useLiveDocuments } from '../features/knowledge/knowledge.queries.ts';
import { useTitle } from '../lib/use-title.ts';
import { Page } from '../ui/page.tsx';
import { EmptyState } from '../ui/states.tsx';

export default function DocumentsPage() {
  const { t } = useTranslation('knowledge');
  const list = useDocumentList();
  const bases = useKnowledges('');
  const canEdit = useMay('edit');
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
      actions={canEdit && isWhole && sum('documentCount') > 0 && <AddTo bases={all} />}
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
            text={t(canEdit ? 'all.emptyText' : 'documents.emptyForReaders')}
            action={canEdit && isWhole && <AddTo bases={all} />}
          />
        }
      />
    </Page>
  );
}

/** Where documents go is asked first; with no base there is only a new one. */
function AddTo({ bases }: { bases: Knowledge[] }) {
  const { t } = useTranslation('knowledge');
  const label = (
    <>
      <span className={classes['wide']}>{t('documents.add')}</span>
      <span className={classes['narrow']}>{t('documents.addShort')}</span>
    </>
  );
  const add = { leftSection: <IconPlus size={16} />, children: label };
  if (bases.length === 0) return <Button component={Link} to="/Knowledge/Add" {...add} />;
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button {...add} />
      </Menu.Target>
      <Menu.Dropdown className={classes['bases'] ?? ''}>
        <Menu.Label>{t('all.addTo')}</Menu.Label>
        {bases.map(({ uuid, name }) => (
          <Menu.Item
            key={uuid}
            component={Link}
            to={`/Knowledge/${uuid}/documents/Create`}
            leftSection={<IconBooks size={16} stroke={1.75} />}
          >
            {name}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item component={Link} to="/Knowledge/Add" leftSection={<IconPlus size={16} stroke={1.75} />}>
          {t('list.create')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
