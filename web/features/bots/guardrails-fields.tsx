import '@mantine/core/styles/NumberInput.css';
import { NumberInput, Stack, Switch, TagsInput, Textarea } from '@mantine/core';
import { useTranslation } from '../../lib/i18n.ts';
import type { SectionProps } from './section.tsx';

export function GuardrailsFields({ values, set, fieldError }: Pick<SectionProps, 'values' | 'set' | 'fieldError'>) {
  const { t } = useTranslation('bots-editor');
  const { guardrails } = values;
  const change = (changes: Partial<typeof guardrails>) => set('guardrails', { ...guardrails, ...changes });
  return (
    <Stack>
      <NumberInput
        label={t('guardrails.maxQuestion')}
        description={t('guardrails.maxQuestionHint')}
        value={guardrails.maxQuestion}
        min={1}
        max={8000}
        clampBehavior="blur"
        allowDecimal={false}
        maw={240}
        hideControls
        error={fieldError('guardrails.maxQuestion')}
        onChange={(value) => typeof value === 'number' && value >= 1 && value <= 8000 && change({ maxQuestion: value })}
      />
      <TagsInput
        label={t('guardrails.blockedTopics')}
        description={t('guardrails.blockedTopicsHint')}
        value={guardrails.blockedTopics}
        onChange={(blockedTopics) => change({ blockedTopics: blockedTopics.map((topic) => topic.slice(0, 100)) })}
        maxTags={50}
        acceptValueOnBlur
        error={fieldError('guardrails.blockedTopics')}
      />
      <Textarea
        label={t('guardrails.blockedReply')}
        description={t('guardrails.blockedReplyHint')}
        value={guardrails.blockedReply}
        onChange={(event) => change({ blockedReply: event.currentTarget.value })}
        autosize
        minRows={2}
        maxLength={1000}
        error={fieldError('guardrails.blockedReply')}
      />
      <Switch
        label={t('guardrails.maskPersonal')}
        description={t('guardrails.maskPersonalHint')}
        checked={guardrails.maskPersonal}
        onChange={(event) => change({ maskPersonal: event.currentTarget.checked })}
      />
    </Stack>
  );
}
