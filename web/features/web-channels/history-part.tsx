import '@mantine/core/styles/NumberInput.css';
import '@mantine/core/styles/Radio.css';
import { NumberInput, Radio, Stack, Switch } from '@mantine/core';
import { dayHere, formatDate } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { State } from '../../ui/page.tsx';
import type { PartProps } from './part.ts';
import classes from './web-channels.module.css';

const mostDays = 3650;

interface Props extends PartProps {
  /** What is kept now; a shorter time erases at once. */
  saved: PartProps['settings'];
}

/** What comes back with a visitor, and how long it is kept. */
export function HistoryPart({ settings: { history }, saved, set, fieldError }: Props) {
  const { t } = useTranslation('web-channels');
  const change = (changes: Partial<typeof history>) => set({ history: { ...history, ...changes } });
  const days = history.retentionDays;
  const isShorter = days !== null && days < (saved.history.retentionDays ?? Infinity);
  return (
    <Stack gap={18} pt={14}>
      <Radio.Group
        label={t('history.policy')}
        value={history.policy}
        onChange={(value) => change({ policy: value === 'new' ? 'new' : 'last' })}
      >
        <Stack gap={10} mt={8}>
          {(['last', 'new'] as const).map((value) => (
            <Radio
              key={value}
              value={value}
              label={t(`history.policies.${value}`)}
              description={t(`history.policies.${value}Hint`)}
            />
          ))}
        </Stack>
      </Radio.Group>
      <Switch
        label={t('history.erase')}
        description={days === null ? t('history.keep') : t('history.eraseHint', { count: days })}
        checked={days !== null}
        onChange={(event) => change({ retentionDays: event.currentTarget.checked ? 365 : null })}
      />
      {days !== null && (
        <NumberInput
          label={t('history.days')}
          value={days}
          min={1}
          max={mostDays}
          allowDecimal={false}
          allowNegative={false}
          w={160}
          onChange={(next) =>
            typeof next === 'number' && next >= 1 && next <= mostDays && change({ retentionDays: next })
          }
          error={fieldError('history.retentionDays')}
        />
      )}
      {isShorter && (
        <p className={classes['note']} role="status">
          <State kind="failed">{t('history.erased', { day: formatDate(`${dayHere(days)}T12:00:00Z`) })}</State>
        </p>
      )}
    </Stack>
  );
}
