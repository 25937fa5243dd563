import { Switch, TextInput } from '@mantine/core';
import { useTranslation } from '../../lib/i18n.ts';
import { Section, type SectionProps } from './section.tsx';

export function AppearanceSection({ values, set, fieldError }: SectionProps) {
  const { t } = useTranslation('bots-editor');
  const { appearance } = values;
  const change = (changes: Partial<typeof appearance>) => set('appearance', { ...appearance, ...changes });
  return (
    <Section name="appearance">
      <TextInput
        label={t('appearance.placeholder')}
        description={t('appearance.placeholderHint')}
        value={appearance.placeholder}
        onChange={(event) => change({ placeholder: event.currentTarget.value })}
        maxLength={120}
        error={fieldError('appearance.placeholder')}
      />
      <Switch
        label={t('appearance.showCitations')}
        description={t('appearance.showCitationsHint')}
        checked={appearance.showCitations}
        onChange={(event) => change({ showCitations: event.currentTarget.checked })}
      />
    </Section>
  );
}
