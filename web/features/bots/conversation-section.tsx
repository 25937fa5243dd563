import { Select } from '@mantine/core';
import { languages } from '../../../shared/contracts/bots.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { TextRows } from '../../ui/text-rows.tsx';
import { Section, type SectionProps } from './section.tsx';
import { VariableTextarea } from './variable-textarea.tsx';

const maxRows = 8;

export function ConversationSection({
  values,
  set,
  fieldError,
  onVariable,
}: SectionProps & { onVariable(name: string): void }) {
  const { t } = useTranslation('bots-editor');
  const rows = (kind: 'starter' | 'followUp') => ({
    row: (number: number) => t(`rows.${kind}.row`, { number }),
    move: (number: number) => t(`rows.${kind}.move`, { number }),
    remove: (number: number) => t(`rows.${kind}.remove`, { number }),
    moved: (number: number) => t('rows.moved', { number }),
    add: t(`rows.${kind}.add`),
  });
  return (
    <Section name="conversation">
      <VariableTextarea
        label={t('conversation.greeting')}
        description={t('conversation.greetingHint')}
        value={values.greeting}
        variables={values.variables}
        onChange={(greeting) => set('greeting', greeting)}
        onVariable={onVariable}
        minRows={2}
        maxLength={1000}
        error={fieldError('greeting')}
      />
      <TextRows
        label={t('rows.starter.label')}
        description={t('rows.starter.hint')}
        rows={values.starters}
        most={maxRows}
        maxLength={120}
        labels={rows('starter')}
        error={(at) => fieldError(`starters.${at}`)}
        onChange={(starters) => set('starters', starters)}
      />
      <TextRows
        label={t('rows.followUp.label')}
        description={t('rows.followUp.hint')}
        rows={values.followUps}
        most={maxRows}
        maxLength={120}
        labels={rows('followUp')}
        error={(at) => fieldError(`followUps.${at}`)}
        onChange={(followUps) => set('followUps', followUps)}
      />
      <Select
        label={t('conversation.language')}
        description={t('conversation.languageHint')}
        value={values.language}
        allowDeselect={false}
        onChange={(value) => set('language', languages.find((each) => each === value) ?? 'question')}
        data={languages.map((each) => ({ value: each, label: t(`language.${each}`) }))}
      />
    </Section>
  );
}
