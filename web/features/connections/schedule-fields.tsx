import '@mantine/core/styles/Checkbox.css';
import { Checkbox, Group, Input, Switch, TextInput } from '@mantine/core';
import type { RuleSchedule } from '../../../shared/contracts/connections.ts';
import { useTranslation } from '../../lib/i18n.ts';
import classes from './connections.module.css';
import { dayName } from './schedule-in-short.ts';
import { fromField, order, toField } from './spans.ts';

interface Props {
  schedule: RuleSchedule;
  onChange(schedule: RuleSchedule): void;
  error: string | undefined;
}

/** From when to when a rule counts: days of the calendar, days of the week, and a time of the day. */
export function ScheduleFields({ schedule, onChange, error }: Props) {
  const { t } = useTranslation('connections');
  const { first, last, weekdays, from, to, timezone } = schedule;
  const isAllDay = from === '00:00' && to === '24:00';
  const set = (changes: Partial<RuleSchedule>) => onChange({ ...schedule, ...changes });
  return (
    <>
      <div className={classes['dates']}>
        <TextInput
          type="date"
          label={t('rules.first')}
          description={t('rules.datesHint')}
          value={first ?? ''}
          onChange={({ currentTarget: { value } }) => set({ first: value || null })}
        />
        <TextInput
          type="date"
          label={t('rules.last')}
          description={t('rules.datesHint')}
          value={last ?? ''}
          min={first ?? undefined}
          onChange={({ currentTarget: { value } }) => set({ last: value || null })}
        />
      </div>
      <Checkbox.Group
        label={t('rules.weekdays')}
        value={weekdays.map(String)}
        onChange={(chosen) => set({ weekdays: chosen.map(Number).toSorted() })}
      >
        <Group gap="md" mt={6}>
          {order.map((day) => (
            <Checkbox key={day} value={String(day)} label={dayName(day, 'short')} aria-label={dayName(day, 'long')} />
          ))}
        </Group>
      </Checkbox.Group>
      <Input.Wrapper
        label={t('rules.between')}
        labelElement="div"
        description={t(from < to ? 'rules.betweenHint' : 'rules.overnight', {
          timezone: timezone.replaceAll('_', ' '),
        })}
        inputWrapperOrder={['label', 'description', 'input']}
        error={error}
      >
        <Switch
          mt={6}
          label={t('rules.allDay')}
          checked={isAllDay}
          onChange={({ currentTarget: { checked } }) =>
            set(checked ? { from: '00:00', to: '24:00' } : { from: '09:00', to: '18:00' })
          }
        />
        {!isAllDay && (
          <div className={classes['span']}>
            {(['from', 'to'] as const).map((end) => (
              <TextInput
                key={end}
                type="time"
                aria-label={t(`rules.${end}`)}
                value={toField(schedule[end])}
                // A field that is being emptied has no time to keep.
                onChange={({ currentTarget: { value } }) => value && set({ [end]: fromField(value, end) })}
              />
            ))}
          </div>
        )}
      </Input.Wrapper>
    </>
  );
}
