import { Anchor, Button, Select, Skeleton } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import { entryKinds, usedBy, type TokenEntry, type Usage, type UsedBy } from '../../../shared/contracts/usage.ts';
import { errorText } from '../../lib/error-text.ts';
import { dayHere, formatDay, formatNumber, gap } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { modelName } from '../../lib/model-name.ts';
import { saveFile } from '../../lib/save-file.ts';
import { DayChart } from '../../ui/day-chart.tsx';
import { Filters } from '../../ui/filters.tsx';
import { PagedList } from '../../ui/paged-list.tsx';
import { Section, State } from '../../ui/page.tsx';
import { Segments } from '../../ui/segments.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { formatCredits } from './costs.ts';
import { useExportHistory, useHistory, useUsage, type HistoryFilter } from './models.queries.ts';
import { UsageHistory } from './usage-history.tsx';
import classes from './usage-panel.module.css';

const spans = ['7', '14', '30', '90'] as const;
const nothing = { bot: null, service: null, channel: null, kind: null } as const;
type Filter = { bot: string | null; service: string | null; channel: string | null; kind: TokenEntry['kind'] | null };

type Measure = 'credits' | 'answers';

/** What is left and how long it lasts; and of the chosen days how much was used, on which, and every entry. `costs` says what an answer would cost. */
export function UsagePanel({ buy, costs }: { buy?: ReactNode; costs: ReactNode }) {
  const { t } = useTranslation('models');
  const [span, setSpan] = useState<(typeof spans)[number]>('30');
  const [by, setBy] = useState<UsedBy>('service');
  const [chosen, setChosen] = useState<Measure>();
  const [wanted, setWanted] = useState<Filter>(nothing);
  const [wantsFree, setWantsFree] = useState<boolean>();
  const [until] = useState(() => dayHere());
  const days = Number(span);
  const from = dayHere(days - 1);
  const { bot, service, channel, kind } = wanted;
  const narrowed = { from, until, ...(bot && { bot }), ...(service && { service }), ...(channel && { channel }) };
  const used = useUsage({ ...narrowed, by });
  const total = used.data?.total;
  const free = total?.free ?? 0;
  // Beside what cost something the free answers are many; alone they are all there is to see.
  const withFree = wantsFree ?? total?.amount === 0;
  const filter: HistoryFilter = { ...narrowed, ...(kind && { kind }), ...(!withFree && { free: 'without' }) };
  const history = useHistory(filter, used.isError || (used.isSuccess && !used.isPlaceholderData));
  const measure = chosen ?? (used.data && used.data.total.amount === 0 ? 'answers' : 'credits');
  const isNarrowed = Object.values(wanted).some((value) => value !== null);
  // Where nothing was used there is nothing to choose among, and nothing to draw.
  const isUsed = isNarrowed || (total !== undefined && (total.answers > 0 || total.amount > 0));
  const clear = () => setWanted(nothing);
  return (
    <>
      <Balance meta={history.data?.pages[0]?.meta} buy={buy} costs={costs} />
      <div className={classes['filters']}>
        <Segments
          isWide
          label={t('usage.span')}
          value={span}
          options={spans.map((value) => ({ value, label: t('usage.days', { count: Number(value) }) }))}
          onChange={setSpan}
        />
        {isUsed && <Choices wanted={wanted} choices={used.data?.choices} onChange={setWanted} />}
      </div>
      {total && isUsed && <Figures total={total} />}
      {used.isError ? (
        <ErrorState
          title={t('common:failed.title')}
          text={errorText(used.error)}
          retry={t('common:retry')}
          onRetry={() => void used.refetch()}
        />
      ) : (
        (!used.data || isUsed) && (
          <div className={`${classes['list']} ${classes['days']}`}>
            <Section
              title={t(`usage.daily.${measure}`)}
              end={
                <>
                  {used.data && used.data.total.amount > 0 && (
                    <Segments
                      isWide
                      label={t('usage.measure')}
                      value={measure}
                      options={[
                        { value: 'credits', label: t('usage.byCredits') },
                        { value: 'answers', label: t('usage.byAnswers') },
                      ]}
                      onChange={setChosen}
                    />
                  )}
                  <Select
                    size="xs"
                    w={144}
                    aria-label={t('usage.by')}
                    data={usedBy.map((value) => ({ value, label: t(`usage.bys.${value}`) }))}
                    value={by}
                    allowDeselect={false}
                    onChange={(next) => setBy(usedBy.find((each) => each === next) ?? 'service')}
                  />
                </>
              }
            >
              <Chart used={used.data} by={by} days={days} today={until} measure={measure} />
            </Section>
          </div>
        )
      )}
      {used.data && !isUsed && (history.data?.pages[0]?.data.length ?? 0) > 0 && (
        <p className={classes['none']}>{t('usage.noneUsed', { count: days })}</p>
      )}
      <div className={classes['list']}>
        <Section
          title={t('usage.history')}
          end={
            <>
              <Select
                size="xs"
                w={144}
                aria-label={t('usage.anyKind')}
                data={[
                  { value: '', label: t('usage.anyKind') },
                  ...entryKinds.map((value) => ({ value, label: t(`usage.kinds.${value}`) })),
                ]}
                value={kind ?? ''}
                allowDeselect={false}
                onChange={(next) => setWanted({ ...wanted, kind: next || null })}
              />
              <ExportButton filter={filter} />
            </>
          }
        >
          {free > 0 && (kind === null || kind === 'use') && (
            <p className={classes['free']}>
              {t(withFree ? 'usage.freeShown' : 'usage.freeHidden', { count: free })}
              <Anchor
                component="button"
                type="button"
                inherit
                underline="always"
                aria-expanded={withFree}
                onClick={() => setWantsFree(!withFree)}
              >
                {t(withFree ? 'usage.hideFree' : 'usage.showFree')}
              </Anchor>
            </p>
          )}
          <PagedList
            query={{ ...history, data: history.data?.pages.flatMap((page) => page.data) }}
            labels={{
              failed: t('common:failed.title'),
              reason: errorText,
              retry: t('common:retry'),
              more: t('common:more'),
            }}
            empty={
              free > 0 && !withFree ? null : isNarrowed ? (
                <p className={classes['none']}>
                  {t('usage.noMatch')}
                  {gap()}
                  <Anchor component="button" type="button" inherit underline="always" onClick={clear}>
                    {t('usage.clear')}
                  </Anchor>
                </p>
              ) : free > 0 || !used.data ? (
                <p className={classes['none']}>{t('usage.noneUsed', { count: days })}</p>
              ) : (
                <EmptyState drawing="documents" title={t('usage.empty')} text={t('usage.emptyText')} />
              )
            }
          >
            {(rows) => <UsageHistory rows={rows} />}
          </PagedList>
        </Section>
      </div>
    </>
  );
}

const weekDays = 7;
const soonDays = 7;
const mostDays = 365;

interface BalanceProps {
  meta: { balance: number; reserved: number } | undefined;
  buy: ReactNode;
  costs: ReactNode;
}

/** What an answer would cost is told until answers of two weeks tell it. */
function Balance({ meta, buy, costs }: BalanceProps) {
  const { t } = useTranslation('models');
  const recent = useUsage({ from: dayHere(2 * weekDays - 1), until: dayHere(), by: 'service' });
  if (!meta) return <Skeleton height={74} mb="md" />;
  return (
    <>
      <div className={classes['figures']}>
        <div>
          <span>{t('usage.balance')}</span>
          <div className={classes['beside']}>
            <b>
              {formatCredits(meta.balance)} <small>{t('usage.unit')}</small>
            </b>
            {buy}
          </div>
          <Lasts balance={meta.balance} aDay={paceOf(recent.data)} />
          {meta.reserved > 0 && <span>{t('usage.reserved', { amount: formatCredits(meta.reserved) })}</span>}
        </div>
      </div>
      {(recent.isError || recent.data?.total.paid === 0) && costs}
    </>
  );
}

/** Of the chosen days, as far as the filters go. */
function Figures({ total: { amount, answers, paid } }: { total: Usage['total'] }) {
  const { t } = useTranslation('models');
  return (
    <div className={`${classes['figures']} ${classes['used']}`}>
      <div>
        <span>{t('usage.used')}</span>
        <b>{formatCredits(amount)}</b>
      </div>
      <div>
        <span>{t('usage.byAnswers')}</span>
        <b>{formatNumber(answers)}</b>
      </div>
      {paid > 0 && (
        <div>
          <span>{t('usage.average', { count: paid })}</span>
          <b>{formatCredits(amount / paid)}</b>
        </div>
      )}
    </div>
  );
}

/** Micro-credits a day in the last seven days, or since the first use where that is not so long ago. */
function paceOf(used: Usage | undefined): number {
  if (!used) return 0;
  const byDay = used.days.map((_, day) => sumOf(used.series.map(({ amounts }) => amounts[day] ?? 0)));
  const first = byDay.findIndex((amount) => amount > 0);
  return first < 0 ? 0 : sumOf(byDay.slice(-weekDays)) / Math.min(weekDays, byDay.length - first);
}

function Lasts({ balance, aDay }: { balance: number; aDay: number }) {
  const { t } = useTranslation('models');
  if (aDay <= 0) return null;
  if (balance <= 0) return <State kind="failed">{t('usage.spent')}</State>;
  const left = balance / aDay;
  if (left > mostDays) return null;
  const words = left < 1 ? t('usage.lastsToday') : t('usage.lasts', { count: Math.floor(left) });
  return left < soonDays ? <State kind="warning">{words}</State> : <span className={classes['quiet']}>{words}</span>;
}

function Choices({
  wanted,
  choices,
  onChange,
}: {
  wanted: Filter;
  choices: Usage['choices'] | undefined;
  onChange(next: Filter): void;
}) {
  const { t, has } = useTranslation('models');
  const named = (list: { uuid: string; name: string }[] = []) =>
    list.map(({ uuid, name }) => ({ value: uuid, label: modelName(name) || uuid.slice(-6) }));
  const channelName = (channel: string) => {
    const key = `usage.channels.${channel}`;
    return has(key) ? t(key) : channel;
  };
  const all = [
    { key: 'bot', any: t('usage.anyBot'), data: named(choices?.bots) },
    { key: 'service', any: t('usage.anyService'), data: named(choices?.services) },
    {
      key: 'channel',
      any: t('usage.anyChannel'),
      data: (choices?.channels ?? []).map((value) => ({ value, label: channelName(value) })),
    },
  ] as const;
  // Of one there is nothing to choose.
  const selects = all.filter(({ key, data }) => data.length > 1 || wanted[key] !== null);
  return (
    <Filters label={t('usage.filters')} count={all.filter(({ key }) => wanted[key] !== null).length}>
      {selects.map(({ key, any, data }) => (
        <Select
          key={key}
          size="xs"
          className={classes['select'] ?? ''}
          aria-label={any}
          placeholder={any}
          data={data}
          value={wanted[key]}
          onChange={(value) => onChange({ ...wanted, [key]: value })}
          clearable
          clearButtonProps={{ 'aria-label': t('common:clear') }}
        />
      ))}
    </Filters>
  );
}

function Chart({
  used,
  by,
  days,
  today,
  measure,
}: {
  used: Usage | undefined;
  by: UsedBy;
  days: number;
  today: string;
  measure: Measure;
}) {
  const { t } = useTranslation('models');
  if (!used) return <Skeleton height={206} mt="md" />;
  const isCredits = measure === 'credits';
  const format = isCredits ? formatCredits : formatNumber;
  const what = t(isCredits ? 'usage.byCredits' : 'usage.byAnswers');
  // Green is the first of what is named; the rest stands on top.
  const valuesOf = ({ amounts, answers }: Usage['series'][number]) => (isCredits ? amounts : answers);
  const series = used.series.filter((each) => sumOf(valuesOf(each)) > 0);
  const nameOf = ({ uuid, name, other }: (typeof series)[number]) =>
    other
      ? t('usage.other')
      : uuid
        ? modelName(name) || t('usage.goneOne', { id: uuid.slice(-6) })
        : t(`usage.without.${by}`);
  return (
    <DayChart
      label={t('usage.chart', { what, days, amount: format(isCredits ? used.total.amount : used.total.answers) })}
      span={t('usage.between', { from: formatDay(used.days[0] ?? today), until: formatDay(used.days.at(-1) ?? today) })}
      series={series.map((each) => ({ name: nameOf(each), other: each.other }))}
      total={t('usage.total')}
      days={used.days.map((day, at) => ({
        label: day === today ? t('usage.today') : formatDay(day),
        values: series.map((each) => valuesOf(each)[at] ?? 0),
      }))}
      empty={t('usage.noneUsed', { count: days })}
      evenOne
      format={format}
    />
  );
}

const sumOf = (values: number[]) => values.reduce((sum, value) => sum + value, 0);

function ExportButton({ filter }: { filter: HistoryFilter }) {
  const { t } = useTranslation('models');
  const csv = useExportHistory();
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={<IconDownload size={14} />}
      loading={csv.isPending}
      onClick={() =>
        csv.mutate(filter, {
          onSuccess: (bytes) =>
            saveFile(bytes, { name: `kotae-credits-${filter.from}-${filter.until}.csv`, type: 'text/csv' }),
          onError: (error) => toast.error(errorText(error)),
        })
      }
    >
      {t('usage.csv')}
    </Button>
  );
}
