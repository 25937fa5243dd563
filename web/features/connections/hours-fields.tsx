import { ActionIcon, Button, Input, Pill, Select, Stack, Switch, TextInput, Textarea } from '@mantine/core';
import { IconCopy, IconPlus, IconX } from '@tabler/icons-react';
import { useEffect, useId, useMemo, useRef, useState } from 'react';
import type { ConnectionSettings, Hours } from '../../../shared/contracts/connections.ts';
import { isOpen } from '../../../shared/hours.ts';
import { currentLocale, useTranslation } from '../../lib/i18n.ts';
import { State } from '../../ui/page.tsx';
import { Segments } from '../../ui/segments.tsx';
import { zoneHere } from './zone-here.ts';
import classes from './connections.module.css';
import {
  fromField,
  hasProblem,
  nextSpan,
  order,
  problemOf,
  toField,
  usualHours,
  type Day,
  type Span,
} from './spans.ts';
import { weekInShort } from './week-in-short.ts';

export type HoursValues = Pick<ConnectionSettings, 'hours' | 'awayText'>;

interface Props {
  values: HoursValues;
  onChange(changes: Partial<HoursValues>): void;
  fieldError(path: string): string | undefined;
}

/** When people are there, and what is said when they are not. */
export function HoursFields({ values: { hours, awayText }, onChange, fieldError }: Props) {
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
        {hours && <OpenNow hours={hours} />}
      </div>
      {hours &&
        (isOpened || isWrong ? (
          <Week hours={hours} onChange={(next) => onChange({ hours: next })} fieldError={fieldError} />
        ) : (
          <WeekInShort hours={hours} onOpen={() => setIsOpened(true)} />
        ))}
      {/* Somebody is always there where no hours are set. */}
      {hours && (
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
      )}
    </Stack>
  );
}

/** Where something of the hours may be refused. */
const wrongPlaces = ['hours.timezone', ...Array.from({ length: 7 }, (_, day) => `hours.week.${day}`)];

function OpenNow({ hours }: { hours: Hours }) {
  const { t } = useTranslation('connections');
  const now = useMinute();
  const isThere = isOpen(hours, now.getTime());
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
  const { timezone, holidays } = hours;
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
        {holidays.length > 0 && ` · ${t('hours.holidayCount', { count: holidays.length })}`}
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
  const { timezone, week, holidays } = hours;
  const dayName = (day: number) =>
    new Intl.DateTimeFormat(currentLocale(), { weekday: 'long', timeZone: 'UTC' }).format(
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
      <Holidays holidays={holidays} onChange={(next) => onChange({ ...hours, holidays: next })} />
    </>
  );
}

const timeIn = (timeZone: string) =>
  new Intl.DateTimeFormat(currentLocale(), { timeStyle: 'short', timeZone }).format(new Date());

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
          const problem = problemOf(day, at);
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
                    error={problem !== undefined}
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
              </div>
              {problem && <Input.Error role="alert">{t(`hours.problem.${problem}`)}</Input.Error>}
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

const mostHolidays = 100;

function Holidays({ holidays, onChange }: { holidays: string[]; onChange(holidays: string[]): void }) {
  const { t } = useTranslation('connections');
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const [day, setDay] = useState('');
  const add = () => {
    if (day) onChange([...new Set([...holidays, day])].sort());
    setDay('');
    field.current?.focus();
  };
  const label = (each: string) =>
    new Intl.DateTimeFormat(currentLocale(), {
      year: 'numeric',
      month: 'short',
      day: 'numeric',
      weekday: 'short',
      timeZone: 'UTC',
    }).format(new Date(`${each}T00:00:00Z`));
  return (
    <Input.Wrapper label={t('hours.holidays')} description={t('hours.holidaysHint')} labelProps={{ htmlFor: id }}>
      {holidays.length > 0 && (
        <Pill.Group mt={6}>
          {holidays.map((each) => (
            <Pill
              key={each}
              withRemoveButton
              removeButtonProps={{
                'aria-label': t('hours.removeHoliday', { day: label(each) }),
                'aria-hidden': false,
                tabIndex: 0,
              }}
              onRemove={() => onChange(holidays.filter((other) => other !== each))}
            >
              {label(each)}
            </Pill>
          ))}
        </Pill.Group>
      )}
      {holidays.length < mostHolidays && (
        <div className={classes['line']}>
          <TextInput
            id={id}
            ref={field}
            type="date"
            value={day}
            onChange={(event) => setDay(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter') return;
              event.preventDefault();
              add();
            }}
          />
          <Button variant="default" onClick={add}>
            {t('hours.addHoliday')}
          </Button>
        </div>
      )}
    </Input.Wrapper>
  );
}
