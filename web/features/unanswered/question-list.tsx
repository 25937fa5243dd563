import { Select } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Unanswered } from '../../../shared/contracts/unanswered.ts';
import { useBotNames } from '../../lib/bot-names.ts';
import { errorText } from '../../lib/error-text.ts';
import { formatAgo, formatMoment, formatNumber } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Filters } from '../../ui/filters.tsx';
import { Page, State } from '../../ui/page.tsx';
import { PagedList } from '../../ui/paged-list.tsx';
import { SearchInput } from '../../ui/search-input.tsx';
import { Segments } from '../../ui/segments.tsx';
import { EmptyState } from '../../ui/states.tsx';
import table from '../../ui/table.module.css';
import { kindOf, wordFor } from './state.ts';
import { useCounts, type Filter, type useQuestions } from './unanswered.queries.ts';
import classes from './unanswered.module.css';

export const statuses = ['open', 'answered', 'dismissed'] as const satisfies Unanswered['status'][];
export const reasons = ['refused', 'disliked'] as const satisfies Unanswered['reason'][];

interface Props {
  filter: Filter;
  questions: ReturnType<typeof useQuestions>;
  question: string | undefined;
  onFilter(changes: Partial<Filter>): void;
}

/** The address of a list; its rows add the question. */
export const searchOf = (filter: Filter): Record<string, string> =>
  Object.fromEntries(Object.entries(filter).filter(([key, value]) => value && !(key === 'status' && value === 'open')));

export function QuestionList({ filter, questions, question, onFilter }: Props) {
  const { t } = useTranslation('unanswered');
  // What was searched for is in the field, too.
  const [cleared, setCleared] = useState(0);
  const open = useCounts().data?.unanswered ?? 0;
  const isNarrowed = [filter.q, filter.bot, filter.reason].some(Boolean);
  return (
    <Page title={t('common:page.unanswered')} facts={open > 0 && t('facts', { count: open })}>
      <Tools filter={filter} cleared={cleared} onFilter={onFilter} />
      <PagedList
        query={questions}
        labels={{
          failed: t('common:failed.title'),
          reason: errorText,
          retry: t('common:retry'),
          more: t('common:more'),
        }}
        empty={
          isNarrowed ? (
            <p className={classes['nothing']}>
              {t('noMatch')}
              <button
                type="button"
                onClick={() => {
                  setCleared(cleared + 1);
                  onFilter({ q: undefined, bot: undefined, reason: undefined });
                }}
              >
                {t('common:clear')}
              </button>
            </p>
          ) : (
            <EmptyState
              drawing={filter.status === 'open' ? 'bots' : 'documents'}
              title={t(`empty.${filter.status}.title`)}
              text={t(`empty.${filter.status}.text`)}
            />
          )
        }
      >
        {(rows) => (
          <table className={table['list']}>
            <thead>
              <tr>
                <th>{t('column.question')}</th>
                <th data-from="sm" className={classes['reason']}>
                  {t(filter.status === 'open' ? 'column.reason' : 'status.label')}
                </th>
                <th data-from="md" className={classes['bot']}>
                  {t('column.bot')}
                </th>
                <th data-number className={classes['times']}>
                  {t('column.count')}
                </th>
                <th data-number data-from="sm" className={classes['last']}>
                  {t('column.last')}
                </th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <Row key={row.uuid} row={row} isOpen={row.uuid === question} search={searchOf(filter)} />
              ))}
            </tbody>
          </table>
        )}
      </PagedList>
    </Page>
  );
}

function Tools({ filter, cleared, onFilter }: Pick<Props, 'filter' | 'onFilter'> & { cleared: number }) {
  const { t } = useTranslation('unanswered');
  const bots = useBotNames().data ?? [];
  return (
    <div className={classes['tools']}>
      <Segments
        label={t('status.label')}
        value={filter.status}
        onChange={(status) => onFilter({ status })}
        options={statuses.map((value) => ({ value, label: t(`status.${value}`) }))}
      />
      <div className={classes['find']}>
        <SearchInput
          key={cleared}
          value={filter.q ?? ''}
          onChange={(q) => onFilter({ q: q || undefined })}
          label={t('search')}
          clearLabel={t('common:clear')}
        />
      </div>
      <Filters label={t('filter.label')} count={[filter.bot, filter.reason].filter(Boolean).length}>
        <Select
          aria-label={t('filter.bot')}
          placeholder={t('filter.everyBot')}
          data={bots.map(({ uuid, name }) => ({ value: uuid, label: name }))}
          value={filter.bot ?? null}
          onChange={(bot) => onFilter({ bot: bot ?? undefined })}
          clearable
          searchable
        />
        <Select
          aria-label={t('filter.reason')}
          placeholder={t('filter.everyReason')}
          data={reasons.map((value) => ({ value, label: t(`reason.${value}`) }))}
          value={filter.reason ?? null}
          onChange={(reason) => onFilter({ reason: reason ?? undefined })}
          clearable
        />
      </Filters>
    </div>
  );
}

function Row({ row, isOpen, search }: { row: Unanswered; isOpen: boolean; search: Record<string, string> }) {
  const { t } = useTranslation('unanswered');
  const { uuid, question, count, bot, lastAt } = row;
  const state = <State kind={kindOf(row)}>{wordFor(row, t)}</State>;
  return (
    <tr data-chosen={isOpen || undefined}>
      <td>
        <Link
          to="/Unanswered"
          search={{ ...search, question: uuid }}
          className={table['name']}
          title={question}
          data-question={uuid}
          aria-current={isOpen || undefined}
        >
          <Avatar mark={bot.mark} name={bot.name} url={bot.avatar?.url} size={20} />
          <span className={table['one']}>
            <span className={classes['question']}>{question}</span>
            <span className={table['onPhone']}>{state}</span>
          </span>
        </Link>
      </td>
      <td data-from="sm">{state}</td>
      <td data-from="md">
        <div className={table['one']} title={bot.name}>
          {bot.name}
        </div>
      </td>
      <td data-number>{formatNumber(count)}</td>
      <td data-number data-from="sm" className={table['quiet']}>
        <time dateTime={lastAt} title={formatMoment(lastAt)}>
          {formatAgo(lastAt)}
        </time>
      </td>
    </tr>
  );
}
