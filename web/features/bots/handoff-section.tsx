import { Switch, Textarea } from '@mantine/core';
import { useTranslation } from '../../lib/i18n.ts';
import { later } from '../../ui/later.tsx';
import { Section, type SectionProps } from './section.tsx';

const HandoffFields = later(async () => (await import('./handoff-fields.tsx')).HandoffFields);

export function HandoffSection({ values, set, fieldError }: SectionProps) {
  const { t } = useTranslation('bots-editor');
  const { handoff } = values;
  const change = (changes: Partial<typeof handoff>) => set('handoff', { ...handoff, ...changes });
  return (
    <Section name="handoff">
      <Textarea
        label={t('handoff.contact')}
        description={t('handoff.contactHint')}
        placeholder={t('handoff.contactPlaceholder')}
        value={values.contact}
        onChange={(event) => set('contact', event.currentTarget.value)}
        autosize
        minRows={2}
        maxLength={1000}
        error={fieldError('contact')}
      />
      <Switch
        label={t('handoff.enabled')}
        description={t('handoff.enabledHint')}
        checked={handoff.enabled}
        onChange={({ currentTarget: { checked: enabled } }) =>
          change({
            enabled,
            ...(enabled && handoff.phrases.length === 0 && { phrases: t('handoff.usualPhrases').split(', ') }),
          })
        }
      />
      {handoff.enabled && <HandoffFields values={values} fieldError={fieldError} change={change} onFail={() => {}} />}
    </Section>
  );
}
