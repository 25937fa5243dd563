import { Button } from '@mantine/core';
import { IconBooks, IconPlus } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Knowledge } from '../../../shared/contracts/knowledge.ts';
import { formatAgo, formatBytes, formatMoment, formatNumber } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { useMay } from '../../lib/session.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Page, State } from '../../ui/page.tsx';
import { SearchInput } from '../../ui/search-input.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { BaseMenu } from './base-actions.tsx';
import { RowSkeletons } from './document-table.tsx';
import classes from './knowledge.module.css';
import { useKnowledges, useLiveDocuments } from './knowledge.queries.ts';

export function KnowledgeList() {
  const { t } = useTranslation('knowledge');
  const [q, setQ] = useState('');
  const bases = useKnowledges(q);
  useLiveDocuments();
  const create = useMay('edit') && (
    <Button component={Link} to="/Knowledge/Add" leftSection={<IconPlus size={16} />}>
      {t('list.create')}
    </Button>
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
      actions={create}
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
              text={bases.error.message}
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
    </Page>
  );
}

const sum = (bases: Knowledge[], field: 'documentCount' | 'chunkCount') =>
  bases.reduce((total, base) => total + base[field], 0);

function Bases({ bases }: { bases: Knowledge[] }) {
  const { t } = useTranslation('knowledge');
  return (
    <table className={classes['list']}>
      <thead>
        <tr>
          <th>{t('common:name')}</th>
          <th className={classes['stateColumn']}>{t('table.status')}</th>
          <th data-from="sm" style={{ width: 112 }}>
            {t('table.bots')}
          </th>
          <th data-number data-from="sm" style={{ width: 104 }}>
            {t('table.documents')}
          </th>
          <th data-number data-from="sm" style={{ width: 76 }}>
            {t('table.chunks')}
          </th>
          <th data-number data-from="md" style={{ width: 88 }}>
            {t('table.size')}
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
            <td>
              <Link
                to="/Knowledge/$id/documents"
                params={{ id: base.uuid }}
                className={classes['name']}
                title={[base.name, base.description].filter(Boolean).join('\n')}
              >
                <IconBooks size={16} stroke={1.75} aria-hidden />
                <span className={classes['one']}>{base.name}</span>
              </Link>
            </td>
            <td className={classes['one']}>
              <BaseState base={base} />
            </td>
            <td data-from="sm">
              <BotMarks bots={base.bots} />
            </td>
            <td data-number data-from="sm">
              {formatNumber(base.documentCount)}
            </td>
            <td data-number data-from="sm">
              {formatNumber(base.chunkCount)}
            </td>
            <td data-number data-from="md" className={classes['quiet']}>
              {formatBytes(base.bytes)}
            </td>
            <td data-number data-from="md" className={classes['quiet']} title={formatMoment(base.updatedAt)}>
              {formatAgo(base.updatedAt)}
            </td>
            <td data-number>
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

const mostMarks = 4;

/** The bots that answer from a base, each a way to it. */
export function BotMarks({ bots }: { bots: Knowledge['bots'] }) {
  return (
    <span className={`${classes['bots']} ${classes['above']}`}>
      {bots.slice(0, mostMarks).map((bot) => (
        <Link key={bot.uuid} to="/Bot/$id" params={{ id: bot.uuid }} title={bot.name} aria-label={bot.name}>
          <Avatar mark={bot.mark} name={bot.name} size={20} />
        </Link>
      ))}
      {bots.length > mostMarks && <span className={classes['count']}>+{bots.length - mostMarks}</span>}
    </span>
  );
}
