import { Button, Group } from '@mantine/core';
import { IconBooks, IconPlus, IconUpload } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Knowledge } from '../../../shared/contracts/knowledge.ts';
import { errorText } from '../../lib/error-text.ts';
import { formatAgo, formatList, formatMoment, formatNumber } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { useMay } from '../../lib/session.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { later } from '../../ui/later.tsx';
import { Page, State } from '../../ui/page.tsx';
import { SearchInput } from '../../ui/search-input.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { BaseMenu } from './base-actions.tsx';
import { RowSkeletons } from './skeletons.tsx';
import classes from './knowledge.module.css';
import { useKnowledges, useLiveDocuments } from './knowledge.queries.ts';

const ImportDialog = later(async () => (await import('./import-dialog.tsx')).ImportDialog);

export function KnowledgeList() {
  const { t } = useTranslation('knowledge');
  const [q, setQ] = useState('');
  const bases = useKnowledges(q);
  useLiveDocuments();
  const [isImporting, setIsImporting] = useState(false);
  const closeImport = () => setIsImporting(false);
  const create = useMay('edit') && (
    <Group gap="xs" justify="center">
      <Button
        variant="default"
        leftSection={<IconUpload size={16} />}
        onClick={() => setIsImporting(true)}
        {...ImportDialog.reach}
      >
        {t('import.open')}
      </Button>
      <Button component={Link} to="/Knowledge/Add" leftSection={<IconPlus size={16} />}>
        {t('list.create')}
      </Button>
    </Group>
  );
  const rows = bases.data?.pages.flatMap(({ data }) => data) ?? [];
  const isEmpty = bases.isSuccess && rows.length === 0;
  return (
    <Page
      title={t('common:page.knowledges')}
      facts={
        rows.length > 0 &&
        !bases.hasNextPage &&
        t('list.facts', { count: rows.length, documents: formatNumber(sum(rows, 'documentCount')) })
      }
      actions={!isEmpty || q ? create : undefined}
    >
      {isEmpty && !q ? (
        <EmptyState
          drawing="knowledge"
          title={t('list.empty')}
          text={create ? t('list.emptyText') : t('list.emptyForReaders')}
          action={create}
        />
      ) : (
        <>
          <div className={classes['tools']}>
            <div className={classes['find']}>
              <SearchInput value={q} onChange={setQ} label={t('list.search')} clearLabel={t('common:clear')} />
            </div>
          </div>
          {bases.isPending ? (
            <RowSkeletons />
          ) : bases.isError ? (
            <ErrorState
              title={t('common:failed.title')}
              text={errorText(bases.error)}
              retry={t('common:retry')}
              onRetry={() => void bases.refetch()}
            />
          ) : isEmpty ? (
            <p className={classes['nothing']}>{t('list.noMatchText', { q })}</p>
          ) : (
            <Bases bases={rows} />
          )}
          {bases.hasNextPage && (
            <Button
              variant="default"
              mt="md"
              loading={bases.isFetchingNextPage}
              onClick={() => void bases.fetchNextPage()}
            >
              {t('common:more')}
            </Button>
          )}
        </>
      )}
      {isImporting && <ImportDialog onClose={closeImport} onFail={closeImport} />}
    </Page>
  );
}

const sum = (bases: Knowledge[], field: 'documentCount' | 'chunkCount') =>
  bases.reduce((total, base) => total + base[field], 0);

function Bases({ bases }: { bases: Knowledge[] }) {
  const { t } = useTranslation('knowledge');
  return (
    <table className={`${classes['list']} ${classes['lines']}`}>
      <thead>
        <tr>
          <th>{t('common:name')}</th>
          <th className={classes['stateColumn']}>{t('table.status')}</th>
          <th data-from="sm" style={{ width: '28%' }}>
            {t('table.usedBy')}
          </th>
          <th data-number data-from="sm" style={{ width: 104 }}>
            {t('table.documents')}
          </th>
          <th data-number data-from="md" style={{ width: 120 }}>
            {t('table.changed')}
          </th>
          <th style={{ width: 44 }} aria-label={t('common:actions')} />
        </tr>
      </thead>
      <tbody>
        {bases.map((base) => (
          <tr key={base.uuid}>
            <td data-name>
              <Link
                to="/Knowledge/$id/documents"
                params={{ id: base.uuid }}
                className={classes['name']}
                title={[base.name, base.description].filter(Boolean).join('\n')}
              >
                <IconBooks size={16} stroke={1.75} aria-hidden />
                <span className={classes['whole']}>{base.name}</span>
              </Link>
            </td>
            <td data-under>
              <BaseState base={base} />
              <span className={classes['more']}>
                {[
                  ...(base.documentCount > 0 ? [t('list.documents', { count: base.documentCount })] : []),
                  ...(base.bots.length > 0 ? [t('list.bots', { count: base.bots.length })] : []),
                ].join(t('common:dot'))}
              </span>
            </td>
            <td data-from="sm">
              <UsedBy bots={base.bots} />
            </td>
            <td data-number data-from="sm">
              {formatNumber(base.documentCount)}
            </td>
            <td data-number data-from="md" className={classes['quiet']} title={formatMoment(base.updatedAt)}>
              {formatAgo(base.updatedAt)}
            </td>
            <td data-number data-menu>
              <BaseMenu base={base} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export function BaseState({ base }: { base: Knowledge }) {
  const { t } = useTranslation('knowledge');
  const { failedCount, busyCount, warningCount, documentCount } = base;
  if (failedCount > 0) return <State kind="failed">{t('list.failed', { count: failedCount })}</State>;
  if (busyCount > 0) return <State kind="working">{t('list.busy', { count: busyCount })}</State>;
  if (warningCount > 0) return <State kind="warning">{t('list.warnings', { count: warningCount })}</State>;
  if (documentCount === 0) return <State kind="draft">{t('list.nothing')}</State>;
  return <State kind="live">{t('status.indexed')}</State>;
}

/** Which bots answer from a base: their marks, how many where they are several, and their names. */
function UsedBy({ bots }: { bots: Knowledge['bots'] }) {
  const { t } = useTranslation('knowledge');
  const names = formatList(bots.map(({ name }) => name));
  if (bots.length === 0) return <span className={classes['count']}>{t('list.unused')}</span>;
  return (
    <span className={classes['usedBy']}>
      <BotMarks bots={bots} />
      <span className={classes['one']} title={names}>
        {bots.length === 1 ? names : t('list.usedBy', { count: bots.length, bots: names })}
      </span>
    </span>
  );
}

const mostMarks = 3;

/** The bots that answer from a base, each a way to it. */
export function BotMarks({ bots }: { bots: Knowledge['bots'] }) {
  const to = useMay('edit') ? '/Bot/$id' : '/Bot/$id/Chat';
  return (
    <span className={`${classes['bots']} ${classes['above']}`}>
      {bots.slice(0, mostMarks).map((bot) => (
        <Link key={bot.uuid} to={to} params={{ id: bot.uuid }} title={bot.name} aria-label={bot.name}>
          <Avatar mark={bot.mark} name={bot.name} size={20} />
        </Link>
      ))}
      {bots.length > mostMarks && <span className={classes['count']}>+{bots.length - mostMarks}</span>}
    </span>
  );
}
