import { Button, Input, Pill, Select, Switch, TextInput } from '@mantine/core';
import { useId, useRef, useState, type KeyboardEvent } from 'react';
import type { ClosedDays, Hours } from '../../../shared/contracts/connections.ts';
import { formatLocale, useTranslation } from '../../lib/i18n.ts';
import classes from './connections.module.css';
import { dayName } from './schedule-in-short.ts';
import { order } from './spans.ts';

const mostHolidays = 100;
const mostClosed = 50;

const places = [1, 2, 3, 4, 5, -1] as const;

interface Props {
  hours: Hours;
  onChange(hours: Hours): void;
  error: string | undefined;
}

/** Days on which nobody is there whatever the week says: single ones, ranges, a weekday of each month, and public holidays. */
export function ClosedDaysField({ hours, onChange, error }: Props) {
  const { t } = useTranslation('connections');
  const { holidays, closed, japaneseHolidays } = hours;
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const [first, setFirst] = useState('');
  const [last, setLast] = useState('');
  const [nth, setNth] = useState<(typeof places)[number]>(3);
  const [weekday, setWeekday] = useState(3);
  const named = (days: ClosedDays) =>
    'first' in days
      ? dateFormat().formatRange(dateOf(days.first), dateOf(days.last))
      : t(`hours.nth.${days.nth}`, { day: dayName(days.weekday, 'long') });
  const addClosed = (days: ClosedDays) => {
    if (!closed.some((each) => JSON.stringify(each) === JSON.stringify(days)))
      onChange({ ...hours, closed: [...closed, days] });
  };
  const addDates = () => {
    const [from = '', to = ''] = [first || last, last || first].sort();
    if (from !== to) addClosed({ first: from, last: to });
    else if (from) onChange({ ...hours, holidays: [...new Set([...holidays, from])].sort() });
    setFirst('');
    setLast('');
    field.current?.focus();
  };
  const addOnEnter = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    addDates();
  };
  const pills = [
    ...holidays.map((day) => ({
      label: dateFormat().format(dateOf(day)),
      without: () => ({ ...hours, holidays: holidays.filter((other) => other !== day) }),
    })),
    ...closed.map((days, at) => ({
      label: named(days),
      without: () => ({ ...hours, closed: closed.toSpliced(at, 1) }),
    })),
  ];
  return (
    <>
      <Switch
        label={t('hours.japaneseHolidays')}
        description={t('hours.japaneseHolidaysHint')}
        checked={japaneseHolidays}
        onChange={(event) => onChange({ ...hours, japaneseHolidays: event.currentTarget.checked })}
      />
      <Input.Wrapper
        label={t('hours.holidays')}
        description={t('hours.holidaysHint')}
        labelProps={{ htmlFor: id }}
        error={error}
      >
        {pills.length > 0 && (
          <Pill.Group mt={6}>
            {pills.map(({ label, without }) => (
              <Pill
                key={label}
                withRemoveButton
                removeButtonProps={{
                  'aria-label': t('hours.removeHoliday', { day: label }),
                  'aria-hidden': false,
                  tabIndex: 0,
                }}
                onRemove={() => onChange(without())}
              >
                {label}
              </Pill>
            ))}
          </Pill.Group>
        )}
        {holidays.length < mostHolidays && closed.length < mostClosed && (
          <>
            <div className={classes['line']}>
              <TextInput
                id={id}
                ref={field}
                type="date"
                value={first}
                onChange={(event) => setFirst(event.currentTarget.value)}
                onKeyDown={addOnEnter}
              />
              <TextInput
                type="date"
                aria-label={t('hours.lastDay')}
                title={t('hours.lastDay')}
                value={last}
                onChange={(event) => setLast(event.currentTarget.value)}
                onKeyDown={addOnEnter}
              />
              <Button variant="default" onClick={addDates}>
                {t('hours.addHoliday')}
              </Button>
            </div>
            <div className={classes['line']}>
              <Select
                aria-label={t('hours.whichWeek')}
                data={places.map((each) => ({
                  value: String(each),
                  label: t(`hours.nth.${each}`, { day: '' }).trim(),
                }))}
                value={String(nth)}
                onChange={(value) => setNth((now) => places.find((each) => String(each) === value) ?? now)}
                allowDeselect={false}
              />
              <Select
                aria-label={t('hours.whichDay')}
                data={order.map((day) => ({ value: String(day), label: dayName(day, 'long') }))}
                value={String(weekday)}
                onChange={(value) => value && setWeekday(Number(value))}
                allowDeselect={false}
              />
              <Button variant="default" onClick={() => addClosed({ weekday, nth })}>
                {t('hours.addEachMonth')}
              </Button>
            </div>
          </>
        )}
      </Input.Wrapper>
    </>
  );
}

const dateOf = (day: string) => new Date(`${day}T00:00:00Z`);

const dateFormat = () =>
  new Intl.DateTimeFormat(formatLocale(), {
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    weekday: 'short',
    timeZone: 'UTC',
  });
