import { partsAroundName } from '../../../shared/addressed.ts';
import '@mantine/core/styles/NumberInput.css';
import { NumberInput, TextInput } from '@mantine/core';
import type { StepTime } from '../../../shared/contracts/line-campaigns.ts';
import { formatLocale, useTranslation } from '../../lib/i18n.ts';
import { Segments } from '../../ui/segments.tsx';
import classes from './line-campaigns.module.css';

const hour = 60;

export function whenOf(time: StepTime, t: ReturnType<typeof useTranslation<'line-campaigns'>>['t']): string {
  if (time.kind === 'days')
    return time.days === 0
      ? t('scenario.whenToday', { at: time.at })
      : t('scenario.whenDay', { count: time.days, at: time.at });
  if (time.minutes === 0) return t('scenario.atOnce');
  return time.minutes % hour === 0
    ? t('scenario.whenHours', { count: time.minutes / hour })
    : t('scenario.whenMinutes', { count: time.minutes });
}

/** How long after the beginning it comes, near enough to put steps in their order. */
export function minutesTo(time: StepTime): number {
  if (time.kind === 'minutes') return time.minutes;
  const [hours = 0, minutes = 0] = time.at.split(':').map(Number);
  return time.days * 24 * hour + hours * hour + minutes;
}

/** Words of a step in a line or two: with a name, and without the marks of what is to be filled in. */
export const readable = (text: string, name: string): string =>
  partsAroundName(text)
    .join(name)
    .replaceAll(/\[\[|\]\]/g, '');

interface TimeProps {
  number: number;
  value: StepTime;
  error: string | undefined;
  onChange(time: StepTime): void;
}

export function TimeFields({ number, value, error, onChange }: TimeProps) {
  const { t } = useTranslation('line-campaigns');
  return (
    <div className={classes['when']}>
      <Segments
        label={t('scenario.step', { number })}
        value={value.kind}
        options={[
          { value: 'minutes', label: t('scenario.timeKind.minutes') },
          { value: 'days', label: t('scenario.timeKind.days') },
        ]}
        onChange={(kind) =>
          kind !== value.kind && onChange(kind === 'minutes' ? { kind, minutes: 0 } : { kind, days: 1, at: '09:00' })
        }
      />
      {value.kind === 'minutes' ? (
        <NumberInput
          label={t('scenario.minutesLabel')}
          value={value.minutes}
          min={0}
          max={43_200}
          allowDecimal={false}
          allowNegative={false}
          w={112}
          error={error}
          onChange={(minutes) => typeof minutes === 'number' && onChange({ ...value, minutes })}
        />
      ) : (
        <>
          <NumberInput
            label={t('scenario.daysLabel')}
            value={value.days}
            min={0}
            max={365}
            allowDecimal={false}
            allowNegative={false}
            w={88}
            error={error}
            onChange={(days) => typeof days === 'number' && onChange({ ...value, days })}
          />
          <TextInput
            type="time"
            label={t('scenario.atLabel')}
            value={value.at}
            w={144}
            onChange={(event) => {
              const at = event.currentTarget.value.slice(0, 5);
              if (at) onChange({ ...value, at });
            }}
          />
          {value.days === 0 && <p className={classes['hint']}>{t('scenario.todayHint')}</p>}
        </>
      )}
    </div>
  );
}

/** As it is on the clocks of the channel's zone, as steps are written. */
export const momentIn = (iso: string, timeZone: string) =>
  new Intl.DateTimeFormat(formatLocale(), { dateStyle: 'long', timeStyle: 'short', timeZone }).format(new Date(iso));
