import { Stack, Switch } from '@mantine/core';
import type { ReactNode } from 'react';
import type { BaseSettings } from '../../../shared/contracts/knowledge.ts';
import { formatNumber, formatShare } from '../../lib/format.ts';
import { currentLocale, useTranslation } from '../../lib/i18n.ts';
import { useRetrievalSliders } from '../../lib/retrieval-sliders.ts';
import { Section } from '../../ui/page.tsx';
import { SliderField } from '../../ui/slider-field.tsx';
import classes from './knowledge.module.css';

interface Props {
  value: BaseSettings;
  onChange(value: BaseSettings): void;
  /** What changes of the division make of a document. */
  effect?: ReactNode;
}

/** Sizes are told in the characters of the reader's language: a Japanese one counts as 2.5. */
const perCharacter = () => (currentLocale() === 'ja' ? 2.5 : 1);

/** How a base reads and divides its documents and finds in them. */
export function SettingsFields({ value, onChange, effect }: Props) {
  const { t } = useTranslation('knowledge');
  const { reading, chunking, retrieval } = value;
  const sliders = useRetrievalSliders(retrieval, (next) => onChange({ ...value, retrieval: next }));
  return (
    <>
      <Section title={t('settings.reading')}>
        <Switch
          label={t('settings.scans')}
          description={t('settings.scansHint')}
          checked={reading.scans}
          onChange={(event) => onChange({ ...value, reading: { scans: event.currentTarget.checked } })}
        />
      </Section>
      <Section title={t('settings.chunking')}>
        <Stack className={classes['fields'] ?? ''}>
          <SliderField
            label={t('settings.size')}
            description={t('settings.sizeHint')}
            value={chunking.size}
            min={200}
            max={4000}
            step={100}
            format={(size) => t('settings.characters', { count: formatNumber(Math.round(size / perCharacter())) })}
            onChange={(size) => onChange({ ...value, chunking: { ...chunking, size } })}
          />
          {effect}
          <SliderField
            label={t('settings.overlap')}
            description={t('settings.overlapHint')}
            value={chunking.overlap}
            min={0}
            max={0.5}
            step={0.05}
            format={formatShare}
            onChange={(overlap) => onChange({ ...value, chunking: { ...chunking, overlap } })}
          />
        </Stack>
      </Section>
      <Section title={t('settings.retrieval')}>
        <Stack id="retrieval" className={classes['fields'] ?? ''}>
          <p className={classes['hint']}>{t('settings.retrievalHint')}</p>
          {sliders.map((slider) => (
            <SliderField key={slider.label} {...slider} />
          ))}
        </Stack>
      </Section>
    </>
  );
}
