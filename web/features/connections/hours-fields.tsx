import { ActionIcon, Button, Input, Select, Stack, Switch, TextInput, Textarea } from '@mantine/core';
import { IconCopy, IconPlus, IconX } from '@tabler/icons-react';
import { useEffect, useMemo, useState } from 'react';
import type { ConnectionSettings, Hours } from '../../../shared/contracts/connections.ts';
import { isOpen } from '../../../shared/hours.ts';
import { formatLocale, useTranslation } from '../../lib/i18n.ts';
import { State } from '../../ui/page.tsx';
import { Segments } from '../../ui/segments.tsx';
import { ClosedDaysField } from './closed-days-field.tsx';
import { zoneHere } from './zone-here.ts';
import classes from './connections.module.css';
import {
  fromField,
  hasProblem,
  isOverlapping,
  isOvernight,
  nextSpan,
  order,
  toField,
  usualHours,
  type Day,
  type Span,
} from './spans.ts';
import { weekInShort } from './week-in-short.ts';

export type HoursValues = Pick<ConnectionSettings, 'hours' | 'awayText' | 'holidayText'>;

interface Props {
  values: HoursValues;
  /** The public holidays of Japan that come next. */
  japaneseHolidays: string[];
  onChange(changes: Partial<HoursValues>): void;
  fieldError(path: string): string | undefined;
}

/** When people are there, and what is said when they are not. */
export function HoursFields({ values, japaneseHolidays, onChange, fieldError }: Props) {
  const { hours, awayText, holidayText } = values;
  const { t } = useTranslation('connections');
  // Whoever looks at another way and comes back finds what was written.
  const [former, setFormer] = useState<Hours>();
  const [isOpened, setIsOpened] = useState(false);
  const isWrong = hasProblem(hours) || wrongPlaces.some((path) => fieldError(path) !== undefined);
  const choose = (way: 'always' | 'set') => {
    if (way === 'always' && hours) setFormer(hours);
    if (way === 'set' && !hours) setIsOpened(true);
    onChange({ hours: way === 'always' ? null : (hours ?? former ?? usualHours(zoneHere())) });
  };
  return (
    <Stack>
      <div className={classes['line']}>
        <Segments
          label={t('hours.when')}
          value={hours ? 'set' : 'always'}
          options={[
            { value: 'always', label: t('hours.always') },
            { value: 'set', label: t('hours.set') },
          ]}
          onChange={choose}
        />
        {hours && <OpenNow hours={hours} japaneseHolidays={japaneseHolidays} />}
      </div>
      {hours &&
        (isOpened || isWrong ? (
          <Week hours={hours} onChange={(next) => onChange({ hours: next })} fieldError={fieldError} />
        ) : (
          <WeekInShort hours={hours} onOpen={() => setIsOpened(true)} />
        ))}
      {/* Somebody is always there where no hours are set. */}
      {hours && (
        <>
          <Textarea
            label={t('hours.away')}
            description={t('hours.awayHint')}
            placeholder={t('hours.awayPlaceholder')}
            value={awayText}
            onChange={(event) => onChange({ awayText: event.currentTarget.value })}
            maxLength={1000}
            autosize
            minRows={2}
            error={fieldError('awayText')}
          />
          <Textarea
            label={t('hours.holidayText')}
            description={t('hours.holidayTextHint')}
            value={holidayText}
            onChange={(event) => onChange({ holidayText: event.currentTarget.value })}
            maxLength={1000}
            autosize
            minRows={2}
            error={fieldError('holidayText')}
          />
        </>
      )}
    </Stack>
  );
}

/** Where something of the hours may be refused. */
const wrongPlaces = ['hours.timezone', 'hours.closed', ...Array.from({ length: 7 }, (_, day) => `hours.week.${day}`)];

function OpenNow({ hours, japaneseHolidays }: { hours: Hours } & Pick<Props, 'japaneseHolidays'>) {
  const { t } = useTranslation('connections');
  const now = useMinute();
  const isThere = isOpen(hours, now.getTime(), (day) => japaneseHolidays.includes(day));
  return (
    <span role="status">
      <State kind={isThere ? 'live' : 'draft'}>{t(isThere ? 'state.open' : 'state.closed')}</State>
    </span>
  );
}

/** The time, each minute anew. */
function useMinute(): Date {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), 60_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}

/** The week in as few lines as it has kinds of days. */
function WeekInShort({ hours, onOpen }: { hours: Hours; onOpen(): void }) {
  const { t } = useTranslation('connections');
  const { timezone, holidays, closed, japaneseHolidays } = hours;
  const closedDays = holidays.length + closed.length;
  return (
    <div className={classes['short']}>
      <dl>
        {weekInShort(hours, t).map(({ first, days, times }) => (
          <div key={first}>
            <dt>{days}</dt>
            <dd className={times === null ? classes['quiet'] : undefined}>{times ?? t('hours.closed')}</dd>
          </div>
        ))}
      </dl>
      <p className={classes['quiet']}>
        {timezone.replaceAll('_', ' ')}
        {closedDays > 0 && ` · ${t('hours.holidayCount', { count: closedDays })}`}
        {japaneseHolidays && ` · ${t('hours.japaneseHolidays')}`}
      </p>
      <Button variant="default" size="xs" onClick={onOpen}>
        {t('hours.edit')}
      </Button>
    </div>
  );
}

interface WeekProps {
  hours: Hours;
  onChange(hours: Hours): void;
  fieldError(path: string): string | undefined;
}

function Week({ hours, onChange, fieldError }: WeekProps) {
  const { t } = useTranslation('connections');
  const { timezone, week } = hours;
  const dayName = (day: number) =>
    new Intl.DateTimeFormat(formatLocale(), { weekday: 'long', timeZone: 'UTC' }).format(
      new Date(Date.UTC(2026, 1, 1 + day)),
    );
  const zones = useMemo(
    () =>
      [...new Set(['UTC', timezone, ...Intl.supportedValuesOf('timeZone')])]
        .sort()
        .map((value) => ({ value, label: value.replaceAll('_', ' ') })),
    [timezone],
  );
  return (
    <>
      <div role="group" aria-label={t('hours.week')} className={classes['week']}>
        {order.map((at) => (
          <DayRow
            key={at}
            name={dayName(at)}
            day={week[at] ?? []}
            error={fieldError(`hours.week.${at}`)}
            onChange={(day) => onChange({ ...hours, week: week.with(at, day) })}
            onCopy={() => onChange({ ...hours, week: week.map(() => week[at] ?? []) })}
          />
        ))}
      </div>
      <Select
        label={t('hours.timezone')}
        description={t('hours.timeThere', { time: timeIn(timezone) })}
        data={zones}
        value={timezone}
        onChange={(next) => next && onChange({ ...hours, timezone: next })}
        allowDeselect={false}
        searchable
        nothingFoundMessage={t('hours.noTimezone')}
        error={fieldError('hours.timezone')}
      />
      <ClosedDaysField hours={hours} onChange={onChange} error={fieldError('hours.closed')} />
    </>
  );
}

const timeIn = (timeZone: string) =>
  new Intl.DateTimeFormat(formatLocale(), { timeStyle: 'short', timeZone }).format(new Date());

interface DayProps {
  name: string;
  day: Day;
  error: string | undefined;
  onChange(day: Day): void;
  onCopy(): void;
}

function DayRow({ name, day, error, onChange, onCopy }: DayProps) {
  const { t } = useTranslation('connections');
  const next = nextSpan(day);
  const set = (at: number, changes: Partial<Span>) =>
    onChange(day.map((span, place) => (place === at ? { ...span, ...changes } : span)));
  return (
    <div className={classes['day']} role="group" aria-label={name}>
      <Switch
        label={name}
        checked={day.length > 0}
        onChange={(event) => onChange(event.currentTarget.checked ? [{ from: '09:00', to: '18:00' }] : [])}
      />
      <div className={classes['spans']}>
        {day.length === 0 && <span className={classes['quiet']}>{t('hours.closed')}</span>}
        {day.map((span, at) => {
          const isWrong = isOverlapping(day, at);
          return (
            <div key={at}>
              <div className={classes['span']}>
                {(['from', 'to'] as const).map((end) => (
                  <TextInput
                    key={end}
                    type="time"
                    aria-label={t(`hours.${end}`, { day: name, number: at + 1 })}
                    value={toField(span[end])}
                    // A field that is being emptied has no time to keep.
                    onChange={({ currentTarget: { value } }) => value && set(at, { [end]: fromField(value, end) })}
                    error={isWrong}
                  />
                ))}
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  size={32}
                  aria-label={t('hours.removeSpan', { day: name, number: at + 1 })}
                  onClick={() => onChange(day.toSpliced(at, 1))}
                >
                  <IconX size={14} />
                </ActionIcon>
                {span.from === '00:00' && span.to === '24:00' && (
                  <span className={classes['quiet']}>{t('hours.allDay')}</span>
                )}
                {isOvernight(span) && <span className={classes['quiet']}>{t('hours.overnight')}</span>}
              </div>
              {isWrong && <Input.Error role="alert">{t('hours.overlap')}</Input.Error>}
            </div>
          );
        })}
        {error && <Input.Error role="alert">{error}</Input.Error>}
      </div>
      <span className={classes['dayEnd']}>
        {day.length > 0 && next && (
          <ActionIcon
            variant="subtle"
            color="gray"
            size={32}
            aria-label={t('hours.addSpan', { day: name })}
            title={t('hours.addSpan', { day: name })}
            onClick={() => onChange([...day, next])}
          >
            <IconPlus size={16} />
          </ActionIcon>
        )}
        <ActionIcon
          variant="subtle"
          color="gray"
          size={32}
          aria-label={t('hours.copy', { day: name })}
          title={t('hours.copy', { day: name })}
          onClick={onCopy}
        >
          <IconCopy size={16} />
        </ActionIcon>
      </span>
    </div>
  );
}
