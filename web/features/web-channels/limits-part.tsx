import '@mantine/core/styles/NumberInput.css';
import { NumberInput, Stack, Textarea } from '@mantine/core';
import { formatNumber } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { CapField } from '../../ui/cap-field.tsx';
import { LocaleSwitch } from './locale-switch.tsx';
import type { PartProps } from './part.ts';
import classes from './web-channels.module.css';
import { useOurWords, withWords } from './words.ts';

const most = { visitorPerMinute: 60, visitorPerDay: 10_000, addressPerDay: 100_000 };
const mostCredits = 1_000_000;

/** How much is too much, and what is said then. */
export function LimitsPart(part: PartProps) {
  const { t } = useTranslation('web-channels');
  const { settings, set, locale, fieldError } = part;
  const { limits, texts } = settings;
  const ours = useOurWords(locale).data ?? {};
  const change = (changes: Partial<typeof limits>) => set({ limits: { ...limits, ...changes } });
  return (
    <Stack gap={18} pt={14}>
      {(['visitorPerMinute', 'visitorPerDay', 'addressPerDay'] as const).map((name) => (
        <NumberInput
          key={name}
          className={classes['amount'] ?? ''}
          label={t(`limits.${name}`)}
          description={t(`limits.${name}Hint`)}
          value={limits[name]}
          min={1}
          max={most[name]}
          thousandSeparator=","
          allowDecimal={false}
          allowNegative={false}
          onChange={(next) => typeof next === 'number' && next >= 1 && next <= most[name] && change({ [name]: next })}
          error={fieldError(`limits.${name}`)}
        />
      ))}
      <Stack gap={14} className={classes['cap'] ?? ''}>
        <CapField
          label={t('limits.credits')}
          description={t(limits.creditsPerDay === null ? 'limits.creditsNone' : 'limits.creditsHint', {
            shown: formatNumber(limits.creditsPerDay ?? 0),
          })}
          amountLabel={t('limits.creditsPerDay')}
          value={limits.creditsPerDay}
          usual={100}
          max={mostCredits}
          onChange={(creditsPerDay) => change({ creditsPerDay })}
          error={fieldError('limits.creditsPerDay')}
        />
      </Stack>
      <div>
        <LocaleSwitch {...part} />
        <Textarea
          label={t('texts.inLanguage', { label: t('limits.text'), language: t(`texts.${locale}`) })}
          description={t('limits.textHint')}
          placeholder={ours['limit']}
          value={texts[locale].limit}
          onChange={(event) => set({ texts: withWords(texts, locale, { limit: event.currentTarget.value }) })}
          maxLength={500}
          autosize
          minRows={2}
          error={fieldError(`texts.${locale}.limit`)}
        />
      </div>
    </Stack>
  );
}
