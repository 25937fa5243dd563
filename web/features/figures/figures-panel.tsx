import { Button, Select, Skeleton } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconChevronRight, IconDownload, IconPhoto } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { Fragment, useRef, useState, type CSSProperties } from 'react';
import { figureSpans, type Compared, type Figures } from '../../../shared/contracts/figures.ts';
import { microPerCredit } from '../../../shared/contracts/usage.ts';
import { toCsv } from '../../lib/csv.ts';
import { errorText } from '../../lib/error-text.ts';
import { dayHere, formatAgo, formatDay, formatNumber, formatShare } from '../../lib/format.ts';
import { currentLocale, formatLocale, type Translate, useTranslation } from '../../lib/i18n.ts';
import { saveFile } from '../../lib/save-file.ts';
import { useMay } from '../../lib/session.ts';
import { colorsOf, DayChart } from '../../ui/day-chart.tsx';
import { Filters } from '../../ui/filters.tsx';
import { HeatMap } from '../../ui/heat-map.tsx';
import { Page, rowClass, Section } from '../../ui/page.tsx';
import { Segments } from '../../ui/segments.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import table from '../../ui/table.module.css';
import { toast } from '../../ui/toast.tsx';
import classes from './figures-panel.module.css';
import { useFigures } from './figures.queries.ts';

type Wanted = Record<'bot' | 'channel' | 'member', string | null>;

/** What became of conversations with visitors, for a bot, a channel, a member and a span, beside the span before it. */
export function FiguresPanel() {
  const { t } = useTranslation('figures');
  const [days, setDays] = useState<(typeof figureSpans)[number]>('30');
  const [wanted, setWanted] = useState<Wanted>({ bot: null, channel: null, member: null });
  const { bot, channel, member } = wanted;
  const query = useFigures({ days, ...(bot && { bot }), ...(channel && { channel }), ...(member && { member }) });
  const shown = query.data;
  const isNarrowed = Object.values(wanted).some((each) => each !== null);
  const isEmpty = !isNarrowed && shown?.conversations.now === 0 && shown.conversations.before === 0;
  return (
    <Page
      title={t('common:page.figures')}
      actions={shown && !isEmpty && <SaveTable figures={shown} days={Number(days)} />}
    >
      <div className={classes['filters']}>
        <Segments
          isWide
          label={t('span')}
          value={days}
          options={figureSpans.map((value) => ({ value, label: t('days', { count: Number(value) }) }))}
          onChange={setDays}
        />
        {shown && <Choices wanted={wanted} choices={shown.choices} onChange={setWanted} />}
      </div>
      {query.isError ? (
        <ErrorState
          title={t('common:failed.title')}
          text={errorText(query.error)}
          retry={t('common:retry')}
          onRetry={() => void query.refetch()}
        />
      ) : !shown ? (
        <>
          <Skeleton height={96} mt={24} />
          <Skeleton height={240} mt={32} />
        </>
      ) : isEmpty ? (
        <Nothing hasChannel={shown.choices.channels.length > 0} days={Number(days)} />
      ) : (
        <div aria-busy={query.isPlaceholderData}>
          <FigureList figures={shown} wanted={wanted} leads />
          {shown.conversations.before === 0 && (
            <p className={classes['note']}>{t('noneBefore', { count: Number(days) })}</p>
          )}
          <Days figures={shown} days={Number(days)} />
          <div className={classes['section']}>
            <Section title={t('details')}>
              <FigureList figures={shown} wanted={wanted} leads={false} />
            </Section>
          </div>
          <div className={classes['columns']}>
            <div>
              <Questions figures={shown} wanted={wanted} />
              <Comments figures={shown} />
            </div>
            <div className={classes['hours']}>
              <Hours figures={shown} />
            </div>
          </div>
        </div>
      )}
    </Page>
  );
}

function Nothing({ hasChannel, days }: { hasChannel: boolean; days: number }) {
  const { t } = useTranslation('figures');
  const mayEdit = useMay('edit');
  return (
    <EmptyState
      drawing="website"
      title={t('empty', { count: days })}
      text={t(hasChannel ? 'emptyText' : mayEdit ? 'noChannel' : 'noChannelForReaders')}
      action={
        !hasChannel &&
        mayEdit && (
          <Button component={Link} to="/Web-Channel">
            {t('connect')}
          </Button>
        )
      }
    />
  );
}

function Choices({
  wanted,
  choices,
  onChange,
}: {
  wanted: Wanted;
  choices: Figures['choices'];
  onChange(next: Wanted): void;
}) {
  const { t } = useTranslation('figures');
  const all = [
    { key: 'channel', any: t('anyChannel'), data: choices.channels },
    { key: 'bot', any: t('anyBot'), data: choices.bots },
    { key: 'member', any: t('anyMember'), data: choices.members },
  ] as const;
  // Of one there is nothing to choose.
  const selects = all.filter(({ key, data }) => data.length > 1 || wanted[key] !== null);
  if (selects.length === 0) return null;
  return (
    <Filters label={t('filters')} count={Object.values(wanted).filter(Boolean).length}>
      {selects.map(({ key, any, data }) => (
        <Select
          key={key}
          size="xs"
          className={classes['select'] ?? ''}
          aria-label={any}
          placeholder={any}
          data={data.map(({ uuid, name }) => ({ value: uuid, label: name }))}
          value={wanted[key]}
          onChange={(value) => onChange({ ...wanted, [key]: value })}
          clearable
          clearButtonProps={{ 'aria-label': t('common:clear') }}
        />
      ))}
    </Filters>
  );
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** As 0.07s, 1.4s, 12m 30s, 5.2h or 3d: what is told side by side begins at seconds, however short. */
function formatLong(ms: number): string {
  if (ms < minuteMs) {
    const digits = ms < 1000 ? 2 : ms < 10_000 ? 1 : 0;
    return formatUnit(Math.max(0.01, ms / 1000), 'second', {
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    });
  }
  if (ms >= 2 * dayMs) return formatUnit(ms / dayMs, 'day', { maximumFractionDigits: 1 });
  if (ms >= hourMs) return formatUnit(ms / hourMs, 'hour', { maximumFractionDigits: 1 });
  const seconds = Math.round(ms / 1000);
  const minutes = formatUnit(Math.floor(seconds / 60), 'minute');
  return seconds % 60 === 0 ? minutes : `${minutes}${isJapanese() ? '' : ' '}${formatUnit(seconds % 60, 'second')}`;
}

const isJapanese = () => currentLocale() === 'ja';

/** In English by a letter; in Japanese, where letters are of no use, without the space before the unit. */
const formatUnit = (value: number, unit: string, digits: Intl.NumberFormatOptions = {}) =>
  new Intl.NumberFormat(formatLocale(), {
    style: 'unit',
    unit,
    unitDisplay: isJapanese() ? 'short' : 'narrow',
    ...digits,
  })
    .format(value)
    .replaceAll(' ', '');

const formatCredits = (micro: number) =>
  new Intl.NumberFormat(formatLocale(), { maximumFractionDigits: 2 }).format(micro / microPerCredit);

/** Every figure in the order in which it is shown, the leading ones first; how it is written, and which way is good. */
const measures = [
  { key: 'conversations', leads: true, good: null, of: ({ conversations }) => conversations, format: formatNumber },
  { key: 'unaided', leads: true, good: 'up', of: ({ unaided }) => unaided, format: formatShare },
  { key: 'unanswered', leads: true, good: 'down', of: ({ unanswered }) => unanswered, format: formatNumber },
  { key: 'firstPerson', leads: true, good: 'down', of: ({ firstPerson }) => firstPerson.median, format: formatLong },
  { key: 'firstAnswer', leads: false, good: 'down', of: ({ firstAnswer }) => firstAnswer.median, format: formatLong },
  { key: 'firstAnswerSlow', leads: false, good: 'down', of: ({ firstAnswer }) => firstAnswer.slow, format: formatLong },
  { key: 'firstPersonSlow', leads: false, good: 'down', of: ({ firstPerson }) => firstPerson.slow, format: formatLong },
  { key: 'satisfaction', leads: false, good: 'up', of: ({ satisfaction }) => satisfaction, format: formatShare },
  { key: 'cost', leads: false, good: null, of: ({ cost }) => cost, format: formatCredits },
] as const satisfies {
  key: string;
  leads: boolean;
  good: 'up' | 'down' | null;
  of(figures: Figures): Compared;
  format(value: number): string;
}[];

const none = '–';

function FigureList({ figures, wanted, leads }: { figures: Figures; wanted: Wanted; leads: boolean }) {
  const { t } = useTranslation('figures');
  const hadAny = (figures.conversations.before ?? 0) > 0;
  return (
    <dl className={classes[leads ? 'leading' : 'others']}>
      {measures
        .filter((each) => each.leads === leads)
        .map(({ key, good, of, format }) => {
          const { now, before } = of(figures);
          const told = [
            ...(hadAny ? [t('before', { value: before === null ? none : format(before) })] : []),
            ...(key === 'satisfaction' && now !== null
              ? [t('thumbs', { ups: formatNumber(figures.ups), downs: formatNumber(figures.downs) })]
              : []),
          ];
          return (
            <div key={key}>
              <dt>
                <MeasureName measure={key} wanted={wanted} />
              </dt>
              <dd>{now === null ? none : format(now)}</dd>
              {told.length > 0 && (
                <dd className={classes['before']}>
                  {hadAny && <Change now={now} before={before} good={good} isShare={shares.includes(key)} />}
                  {told.map((each, at) => (
                    <Fragment key={each}>
                      {at > 0 && t('common:dot')}
                      <span>{each}</span>
                    </Fragment>
                  ))}
                </dd>
              )}
              {key === 'unanswered' && (now ?? 0) > 0 && <dd className={classes['before']}>{t('grouped')}</dd>}
            </div>
          );
        })}
    </dl>
  );
}

/** Leads to what was counted, for who may open it. */
function MeasureName({ measure, wanted }: { measure: Measure; wanted: Wanted }) {
  const { t } = useTranslation('figures');
  const mayConverse = useMay('converse');
  const mayEdit = useMay('edit');
  const name = t(`measures.${measure}`);
  const icon = <IconChevronRight size={16} stroke={1.75} aria-hidden />;
  if (measure === 'conversations' && mayConverse)
    return (
      <Link to="/Friend" search={inboxSearch(wanted)}>
        {name}
        {icon}
      </Link>
    );
  if (measure === 'unanswered' && mayEdit)
    return (
      <Link to="/Unanswered" search={wanted.bot ? { bot: wanted.bot } : {}}>
        {name}
        {icon}
      </Link>
    );
  return name;
}

/** The longest text that the inbox looks for. */
const mostSought = 200;

const inboxSearch = ({ bot, channel }: Wanted) => ({ ...(bot && { bot }), ...(channel && { channel }) });

/** By how much a figure has changed, in percent; a share in points. Nothing where there was nothing before. */
function Change({
  now,
  before,
  good,
  isShare,
}: Compared & { good: (typeof measures)[number]['good']; isShare: boolean }) {
  const { t } = useTranslation('figures');
  if (now === null || before === null || (before === 0 && !isShare)) return null;
  // As the two are shown: 71 % and 82 % are 11 points apart, whatever was rounded away.
  const by = isShare ? Math.round(now * 100) - Math.round(before * 100) : Math.round((now / before - 1) * 100);
  if (by === 0) return null;
  const way = by > 0 ? 'up' : 'down';
  const Icon = way === 'up' ? IconArrowUp : IconArrowDown;
  return (
    <span className={classes['change']} data-good={good === null ? undefined : good === way}>
      <Icon size={14} stroke={2} role="img" aria-label={t(way)} />
      {t(isShare ? 'points' : 'percent', { by: formatNumber(Math.abs(by)) })}
    </span>
  );
}

function Days({ figures, days }: { figures: Figures; days: number }) {
  const { t } = useTranslation('figures');
  const chart = useRef<HTMLDivElement>(null);
  const title = t('chart', { count: days, conversations: formatNumber(figures.conversations.now ?? 0) });
  const series = [{ name: t('measures.unaided') }, { name: t('staffed') }, { name: t('unsolved'), other: true }];
  const save = async () => {
    const drawing = chart.current?.querySelector('svg');
    if (!drawing) return;
    const { savePicture } = await import('../../lib/save-picture.ts');
    const legend = colorsOf(series).map((color, at) => ({ color, text: series[at]?.name ?? '' }));
    await savePicture(drawing, { title, legend, name: `kotae-${dayHere()}.png` });
  };
  return (
    <div className={classes['section']}>
      <Section
        title={t('byDay')}
        end={
          <Button
            size="compact-sm"
            variant="subtle"
            leftSection={<IconPhoto size={16} aria-hidden />}
            onClick={() => void save().catch(() => toast.error(t('pictureFailed')))}
          >
            {t('savePicture')}
          </Button>
        }
      >
        <div ref={chart}>
          <DayChart
            label={title}
            span={t('days', { count: days })}
            series={series}
            total={t('measures.conversations')}
            evenOne
            days={figures.days.map(({ day, conversations, unaided, staffed }, at) => ({
              label: at === figures.days.length - 1 ? t('common:today') : formatDay(day),
              values: [unaided, staffed, conversations - unaided - staffed],
            }))}
            empty={t('empty', { count: days })}
            format={formatNumber}
          />
        </div>
      </Section>
    </div>
  );
}

/** A Sunday. */
const someSunday = Date.UTC(2026, 0, 4);
const nameWeekday = (weekday: number) =>
  new Intl.DateTimeFormat(formatLocale(), { weekday: 'short', timeZone: 'UTC' }).format(someSunday + weekday * dayMs);

const hourNames = Array.from({ length: 24 }, (_, hour) => `${hour}:00`);
const hoursApart = 6;

function Hours({ figures }: { figures: Figures }) {
  const { t } = useTranslation('figures');
  return (
    <Section title={t('byHour')}>
      <HeatMap
        label={t('byHourTable')}
        corner={t('weekday')}
        columns={hourNames}
        rows={figures.hours.map((values, weekday) => ({ label: nameWeekday(weekday), values }))}
        every={hoursApart}
        unit={t('measures.conversations')}
        format={formatNumber}
      />
    </Section>
  );
}

function Questions({ figures, wanted }: { figures: Figures; wanted: Wanted }) {
  const { t } = useTranslation('figures');
  const mayConverse = useMay('converse');
  const { questions, sampled } = figures;
  if (questions === null) return null;
  const hadAny = (figures.conversations.before ?? 0) > 0;
  const most = Math.max(1, ...questions.map(({ count }) => count));
  return (
    <Section title={t('questions')}>
      {questions.length === 0 ? (
        <p className={classes['note']}>{t('noQuestions')}</p>
      ) : (
        <>
          <table className={`${table['list']} ${classes['questions']}`}>
            <thead>
              <tr>
                <th>{t('question')}</th>
                <th data-number style={{ width: 72 }}>
                  {t('asked')}
                </th>
                {hadAny && (
                  <th data-number data-from="sm" style={{ width: 80 }}>
                    {t('beforeShort')}
                  </th>
                )}
              </tr>
            </thead>
            <tbody>
              {questions.map(({ question, count, before }) => (
                <tr key={question}>
                  <td style={barOf(count / most)}>
                    {mayConverse ? (
                      <Link
                        to="/Friend"
                        search={{ ...inboxSearch(wanted), q: question.slice(0, mostSought) }}
                        className={table['name']}
                        title={question}
                      >
                        <span className={table['one']}>{question}</span>
                      </Link>
                    ) : (
                      <span className={classes['question']} title={question}>
                        {question}
                      </span>
                    )}
                  </td>
                  <td data-number>{formatNumber(count)}</td>
                  {hadAny && (
                    <td data-number data-from="sm" className={table['quiet']}>
                      {formatNumber(before)}
                    </td>
                  )}
                </tr>
              ))}
            </tbody>
          </table>
          <p className={classes['note']}>{t('sampled', { questions: formatNumber(sampled) })}</p>
        </>
      )}
    </Section>
  );
}

function Comments({ figures: { comments } }: { figures: Figures }) {
  const { t } = useTranslation('figures');
  if (!comments?.length) return null;
  return (
    <Section title={t('comments')} count={comments.length}>
      {comments.map(({ thread, message, rating, text, at }) => (
        <Link key={message} to="/Friend" search={{ thread }} className={`${rowClass} ${classes['comment']}`}>
          <span>{text}</span>
          <small>{[t(`rated.${rating}`), formatAgo(at)].join(t('common:dot'))}</small>
        </Link>
      ))}
    </Section>
  );
}

// A border: React's styles know no variables of ours.
const barOf = (share: number) => ({ '--part': `${(share * 100).toFixed(0)}%` }) as CSSProperties;

function SaveTable({ figures, days }: { figures: Figures; days: number }) {
  const { t } = useTranslation('figures');
  const save = () =>
    saveFile(
      toCsv([
        ['', t('days', { count: days }), t('beforeShort')],
        ...measures.map(({ key, of }) => [nameInTable(t, key), ...numbersOf(key, of(figures))]),
        [],
        [t('byDay'), t('measures.conversations'), t('measures.unaided'), t('staffed')],
        ...figures.days.map(({ day, conversations, unaided, staffed }) => [day, conversations, unaided, staffed]),
        [],
        [t('byHour'), ...hourNames],
        ...figures.hours.map((values, weekday) => [nameWeekday(weekday), ...values]),
        ...(figures.questions === null
          ? []
          : [
              [],
              [t('questions'), t('asked'), t('beforeShort')],
              ...figures.questions.map(({ question, count, before }) => [question, count, before]),
            ]),
      ]),
      { name: `kotae-${dayHere()}.csv`, type: 'text/csv' },
    );
  return (
    <Button variant="default" leftSection={<IconDownload size={16} aria-hidden />} onClick={save}>
      {t('saveTable')}
    </Button>
  );
}

type Measure = (typeof measures)[number]['key'];
const shares: readonly Measure[] = ['unaided', 'satisfaction'];
const isWait = (key: Measure) => key.startsWith('first');

function nameInTable(t: Translate<'figures'>, key: Measure): string {
  const name = t(`measures.${key}`);
  return isWait(key) ? t('inSeconds', { name }) : shares.includes(key) ? t('asShare', { name }) : name;
}

/** In the units that the table names: seconds, percent and credits, to the second digit. */
function numbersOf(key: Measure, { now, before }: Compared): (number | null)[] {
  const size = key === 'cost' ? microPerCredit : isWait(key) ? 1000 : shares.includes(key) ? 0.01 : 1;
  return [now, before].map((value) => (value === null ? null : Math.round((value / size) * 100) / 100));
}
