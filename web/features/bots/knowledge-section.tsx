import '@mantine/core/styles/Slider.css';
import { Anchor, Box, Input, MultiSelect, Slider } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { botLimits } from '../../../shared/contracts/bots.ts';
import type { Knowledge } from '../../../shared/contracts/knowledge.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { Section, type SectionProps } from './section.tsx';
import { VariableTextarea } from './variable-textarea.tsx';

/** Half of what stands below an end of a slider, which is in the middle of that end. */
const markRoom = 16;

interface Props extends SectionProps {
  bases: Knowledge[] | undefined;
  onVariable(name: string): void;
}

export function KnowledgeSection({ values, set, fieldError, bases, onVariable }: Props) {
  const { t } = useTranslation('bots-editor');
  const { retrieval } = values;
  const strictness =
    retrieval.threshold === 0
      ? 'off'
      : retrieval.threshold < 0.3
        ? 'loose'
        : retrieval.threshold <= 0.5
          ? 'balanced'
          : 'strict';
  const gone = bases ? values.knowledges.filter((uuid) => !bases.some((base) => base.uuid === uuid)) : [];
  return (
    <Section name="knowledge">
      <MultiSelect
        label={t('knowledge.bases')}
        description={t('knowledge.basesHint')}
        placeholder={values.knowledges.length === 0 ? t('knowledge.basesPlaceholder') : ''}
        data={[
          ...(bases ?? []).map((base) => ({ value: base.uuid, label: base.name })),
          ...gone.map((uuid) => ({ value: uuid, label: t('knowledge.gone') })),
        ]}
        value={values.knowledges}
        onChange={(knowledges) => set('knowledges', knowledges)}
        maxValues={botLimits.knowledges}
        searchable
        clearable
        clearButtonProps={{ 'aria-label': t('common:clear') }}
        nothingFoundMessage={t('knowledge.basesNone')}
        error={fieldError('knowledges')}
      />
      {bases?.length === 0 && (
        <Anchor component={Link} to="/Knowledge/Add" size="sm">
          {t('knowledge.basesAdd')}
        </Anchor>
      )}
      <Box>
        <Input.Label labelElement="div">{t('knowledge.passages')}</Input.Label>
        <Input.Description>{t('knowledge.passagesHint')}</Input.Description>
        <Slider
          mt="xs"
          mb="lg"
          mx={markRoom}
          min={1}
          max={12}
          step={1}
          value={retrieval.passages}
          onChange={(passages) => set('retrieval', { ...retrieval, passages })}
          marks={[1, 6, 12].map((value) => ({ value, label: value }))}
          thumbLabel={t('knowledge.passages')}
        />
      </Box>
      <Box>
        <Input.Label labelElement="div">{t('knowledge.threshold')}</Input.Label>
        <Input.Description>{t(`threshold.${strictness}`)}</Input.Description>
        <Slider
          mt="xs"
          mb="lg"
          mx={markRoom}
          min={0}
          max={1}
          step={0.05}
          value={retrieval.threshold}
          onChange={(threshold) => set('retrieval', { ...retrieval, threshold })}
          label={(value) => `${Math.round(value * 100)}%`}
          marks={[0, 0.4, 1].map((value) => ({ value, label: `${value * 100}%` }))}
          thumbLabel={t('knowledge.threshold')}
          thumbProps={{ 'aria-valuetext': t(`threshold.${strictness}`) }}
        />
      </Box>
      <VariableTextarea
        label={t('knowledge.refusal')}
        description={t('knowledge.refusalHint')}
        placeholder={t('knowledge.refusalPlaceholder')}
        value={values.refusal}
        variables={values.variables}
        onChange={(refusal) => set('refusal', refusal)}
        onVariable={onVariable}
        minRows={2}
        maxLength={1000}
        error={fieldError('refusal')}
      />
    </Section>
  );
}
