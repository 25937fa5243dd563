import { Button, Menu } from '@mantine/core';
import { IconFilter, IconTag } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import type { DocumentSorting } from '../../../shared/contracts/knowledge.ts';
import { errorText } from '../../lib/error-text.ts';
import { formatNumber } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { SearchInput } from '../../ui/search-input.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { DocumentTable } from './document-table.tsx';
import { RowSkeletons } from './skeletons.tsx';
import classes from './knowledge.module.css';
import { useDocuments, useDocumentTags } from './knowledge.queries.ts';

const filters = ['all', 'busy', 'problem'] as const;

/** What a phone, where there are no heads of columns, sorts by. */
const sortings = ['-changed', 'name', '-chunks', '-size'] as const satisfies DocumentSorting[];
const columnOf = { '-changed': 'changed', name: 'name', '-chunks': 'chunks', '-size': 'size' } as const;

/** The list of documents with its order and filter as one holds it. */
export function useDocumentList(base?: string) {
  const [q, setQ] = useState('');
  const [filter, setFilter] = useState<(typeof filters)[number]>('all');
  const [tag, setTag] = useState<string | null>(null);
  const tags = useDocumentTags(base);
  const [sort, setSort] = useState<DocumentSorting>('-changed');
  const query = useDocuments(base, { q, sort, status: filter === 'all' ? undefined : filter, tag: tag ?? undefined });
  const documents = query.data?.pages.flatMap(({ data }) => data) ?? [];
  return {
    q,
    setQ,
    filter,
    setFilter,
    sort,
    setSort,
    query,
    documents,
    tags,
    tag,
    setTag,
    isNarrowed: q !== '' || filter !== 'all' || tag !== null,
  };
}

interface Props {
  list: ReturnType<typeof useDocumentList>;
  counts: Partial<Record<(typeof filters)[number], number>>;
  withBase?: boolean;
  /** Where there is nothing at all. */
  empty: ReactNode;
  after?: ReactNode;
}

export function Documents({ list, counts, withBase = false, empty, after }: Props) {
  const { t } = useTranslation('knowledge', 'labels');
  const { q, setQ, filter, setFilter, sort, setSort, tags, tag, setTag, query, documents, isNarrowed } = list;
  const tagItems = [null, ...tags].map((each) => (
    <Menu.RadioItem
      key={each ?? ''}
      value={each ?? ''}
      checked={tag === each}
      closeMenuOnClick
      onChange={() => setTag(each)}
    >
      {each ?? t('labels:allTags')}
    </Menu.RadioItem>
  ));
  if (query.isError)
    return (
      <ErrorState
        title={t('common:failed.title')}
        text={errorText(query.error)}
        retry={t('common:retry')}
        onRetry={() => void query.refetch()}
      />
    );
  if (query.isSuccess && !query.isPlaceholderData && documents.length === 0 && !isNarrowed) return empty;
  return (
    <>
      <div className={classes['tools']}>
        <div className={classes['find']}>
          <SearchInput value={q} onChange={setQ} label={t('documents.search')} clearLabel={t('common:clear')} />
        </div>
        {tags.length > 0 && (
          <Menu position="bottom-start">
            <Menu.Target>
              <Button visibleFrom="sm" variant="default" leftSection={<IconTag size={16} stroke={1.75} />} maw={200}>
                {tag ?? t('labels:allTags')}
              </Button>
            </Menu.Target>
            <Menu.Dropdown mah={320} style={{ overflowY: 'auto' }}>
              {tagItems}
            </Menu.Dropdown>
          </Menu>
        )}
        <Menu position="bottom-end">
          <Menu.Target>
            <Button
              className={classes['onPhone'] ?? ''}
              variant="default"
              data-filter
              leftSection={<IconFilter size={16} stroke={1.75} />}
            >
              {t('all.narrow')}
              {(filter !== 'all' || tag !== null) && (
                <span className={classes['number']}>{Number(filter !== 'all') + Number(tag !== null)}</span>
              )}
            </Button>
          </Menu.Target>
          <Menu.Dropdown mah="70dvh" style={{ overflowY: 'auto' }}>
            <Menu.Label>{t('all.filter')}</Menu.Label>
            {filters.map((each) => (
              <Menu.RadioItem
                key={each}
                value={each}
                checked={filter === each}
                closeMenuOnClick
                rightSection={
                  counts[each] ? <span className={classes['count']}>{formatNumber(counts[each])}</span> : ''
                }
                onChange={() => setFilter(each)}
              >
                {t(`all.${each}`)}
              </Menu.RadioItem>
            ))}
            {tags.length > 0 && <Menu.Label>{t('labels:tags')}</Menu.Label>}
            {tags.length > 0 && tagItems}
            <Menu.Label>{t('all.sort')}</Menu.Label>
            {sortings.map((each) => (
              <Menu.RadioItem
                key={each}
                value={each}
                checked={sort === each}
                closeMenuOnClick
                onChange={() => setSort(each)}
              >
                {t(`table.${columnOf[each]}`)}
              </Menu.RadioItem>
            ))}
          </Menu.Dropdown>
        </Menu>
        <div className={classes['filter']} role="group" aria-label={t('all.filter')}>
          {filters.map((each) => (
            <button key={each} type="button" aria-pressed={filter === each} onClick={() => setFilter(each)}>
              {t(`all.${each}`)}
              {!!counts[each] && <span className={classes['count']}>{formatNumber(counts[each])}</span>}
            </button>
          ))}
        </div>
      </div>
      {query.isPending ? (
        <RowSkeletons />
      ) : documents.length === 0 ? (
        <p className={classes['nothing']}>
          {q ? t('documents.noMatch', { q }) : t('documents.noneSuch')}
          <button
            type="button"
            className={classes['clear']}
            onClick={() => {
              setQ('');
              setFilter('all');
              setTag(null);
            }}
          >
            {t('common:clear')}
          </button>
        </p>
      ) : (
        <DocumentTable documents={documents} sort={sort} onSort={setSort} withBase={withBase} />
      )}
      {query.hasNextPage && (
        <Button variant="default" mt="md" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          {t('common:more')}
        </Button>
      )}
      {!query.isPending && after}
    </>
  );
}
